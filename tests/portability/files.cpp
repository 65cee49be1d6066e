// SPDX-License-Identifier: BSL-1.0
//
// Files on this platform: what is saved loads, is mapped, and is replaced as a whole; what is not there is said with
// its name. A plain program, so that it builds where the test framework is not at hand.
#include <perhaps/files.hpp>
#include <perhaps/perhaps.hpp>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>

namespace {

using Filter = perhaps::BloomFilter<std::uint64_t>;

int failures = 0;

void expect(bool right, const char* what) {
  if (right) return;
  ++failures;
  std::printf("%s\n", what);
}

Filter filled(std::uint64_t keys) {
  Filter filter({.keys = 1000, .fpr = 0.01});
  for (std::uint64_t key = 0; key < keys; ++key) filter.insert(key);
  return filter;
}

}  // namespace

int main() {
  const std::string name = "perhaps_portability.perhaps";
  const std::filesystem::path path = name;
  std::filesystem::remove(path);

  expect(describe(perhaps::try_load<Filter>(name).failure()).find("'" + name + "': ") != std::string::npos, "no name");
  perhaps::save(filled(1000), path);
  expect(perhaps::load<Filter>(name) == filled(1000), "loaded");
  perhaps::save(filled(10), name);
  expect(perhaps::load<Filter>(path) == filled(10), "replaced");
  auto mapped = perhaps::MappedFilter<Filter>::make(path);
  if constexpr (std::endian::native == std::endian::little) {
    expect(mapped && **mapped == filled(10), "mapped");
    if (mapped) {
      const perhaps::MappedFilter<Filter> moved = *std::move(mapped);
      expect(*moved == filled(10), "moved");
    }
  } else {
    expect(!mapped && mapped.failure().format.reason == perhaps::FormatReason::byte_order, "mapped");
  }
  expect(!perhaps::try_save(filled(10), path / "none"), "saved into a file");
  expect(std::filesystem::remove(path), "removed");
  if (failures == 0) std::puts("files are right");
  return failures == 0 ? 0 : 1;
}
