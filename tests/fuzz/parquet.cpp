// SPDX-License-Identifier: BSL-1.0
//
// Fuzz target: Parquet's filters, with their header and without.
#include "fuzz/decode.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using Filter = perhaps::ParquetFilter<std::uint64_t>;
  const std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
  if (auto loaded = perhaps::try_from_parquet<Filter>(bytes)) {
    const auto written = perhaps::to_parquet(*loaded);
    const auto again = perhaps::try_from_parquet<Filter>(written);
    fuzz::require(again && *again == *loaded);
    loaded->insert(std::uint64_t{size});
    fuzz::require(loaded->may_contain(std::uint64_t{size}));
  }
  if (const auto loaded = perhaps::try_from_parquet_bits<Filter>(bytes)) {
    const auto written = perhaps::to_parquet_bits(*loaded);
    fuzz::require(std::equal(written.begin(), written.end(), bytes.begin(), bytes.end()));
  }
  return 0;
}
