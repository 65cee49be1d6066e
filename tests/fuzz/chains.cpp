// SPDX-License-Identifier: BSL-1.0
//
// Fuzz target: stored bytes into filters that are made of filters, from bytes, from a stream and as a view.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <sstream>
#include <string>

#include "fuzz/decode.hpp"

namespace {

using fuzz::Bytes;
using Word = std::uint64_t;

std::uint64_t number_at(const Bytes& bytes, std::size_t offset) {
  return perhaps::detail::load_little_endian<std::uint64_t>(
      reinterpret_cast<const unsigned char*>(bytes.data() + offset));
}

void put_number(Bytes& bytes, std::size_t offset, std::uint64_t number) {
  perhaps::detail::store_little_endian(reinterpret_cast<unsigned char*>(bytes.data() + offset), number);
}

// Makes the checksums of all stages right, and then that of the chain, which is over all headers.
void seal_chain(Bytes& bytes) {
  if (bytes.size() < 128) return;
  put_number(bytes, 56, 0);
  perhaps::detail::Checksum checksum;
  checksum.add(std::span(bytes).first(128));
  for (std::size_t stage = 128; bytes.size() - stage >= 64;) {
    const std::uint64_t payload = number_at(bytes, stage + 48);
    if (payload > bytes.size() - stage - 64) break;
    const std::size_t end = stage + 64 + static_cast<std::size_t>(payload);
    const auto begin = bytes.begin() + static_cast<std::ptrdiff_t>(stage);
    Bytes own(begin, bytes.begin() + static_cast<std::ptrdiff_t>(end));
    fuzz::seal(own);
    std::copy(own.begin(), own.end(), begin);
    checksum.add(std::span(own).first(64));
    stage = (std::min)((end + 63) / 64 * 64, bytes.size());
  }
  put_number(bytes, 56, checksum.value());
}

// Whether a next stage takes little memory: the numbers of a file are those of who wrote it.
template <class C>
bool is_modest(const C& chain) {
  if constexpr (requires { chain.target().growth; }) {
    const double keys = static_cast<double>(chain.target().keys);
    return keys < 1000 && chain.target().growth < 4 && chain.stages().size() < 6 && chain.target().fpr > 1e-6;
  } else {
    return true;
  }
}

template <class C>
void check(const Bytes& bytes) {
  auto loaded = perhaps::try_from_bytes<C>(bytes);
  std::istringstream in(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  const auto read = perhaps::try_read<C>(in);
  if (loaded) fuzz::require(read && *read == *loaded);
  else if (loaded.reason() != perhaps::FormatReason::too_long) fuzz::require(!read);
  if (!loaded) return;

  // Of another kind of key it is written as of this one, so only what is written again must be the same bytes.
  const Bytes written = perhaps::to_bytes(*loaded);
  const auto again = perhaps::try_from_bytes<C>(written);
  fuzz::require(written.size() == bytes.size() && again && *again == *loaded);
  fuzz::require(perhaps::to_bytes(*again) == written);
  fuzz::require(loaded->current_fpr() >= 0 && loaded->current_fpr() <= 1);
  if constexpr (requires { typename C::stage_type::layout; }) {
    alignas(64) static std::array<std::byte, 8192> memory;
    if (written.size() <= memory.size()) {
      std::copy(written.begin(), written.end(), memory.begin());
      const auto view = perhaps::try_view_bytes<C>(std::span<const std::byte>(memory).first(written.size()));
      fuzz::require(static_cast<bool>(view));
      for (Word key = 0; key < 40; ++key) fuzz::require(view->may_contain(key) == loaded->may_contain(key));
    }
  }
  if (!is_modest(*loaded)) return;
  for (Word key = 0; key < 20; ++key) {
    if constexpr (requires { loaded->try_insert(key); }) {
      if (loaded->try_insert(key)) fuzz::require(loaded->may_contain(key));
    } else {
      loaded->insert(key);
      fuzz::require(loaded->may_contain(key));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using perhaps::BloomFilter;
  using perhaps::XxHash3;
  const auto* begin = reinterpret_cast<const std::byte*>(data);
  Bytes bytes(begin, begin + size);
  const auto check_all = [&bytes] {
    check<perhaps::ScalableFilter<BloomFilter<Word>>>(bytes);
    check<perhaps::ScalableFilter<BloomFilter<Word, XxHash3, perhaps::SplitBlock<>>>>(bytes);
    check<perhaps::ScalableFilter<perhaps::CuckooFilter<Word, 12>>>(bytes);
    check<perhaps::RollingBloomFilter<Word>>(bytes);
  };
  check_all();
  seal_chain(bytes);
  check_all();
  return 0;
}
