// SPDX-License-Identifier: BSL-1.0
//
// Golden values: digests, probes, sizes and the bytes of filters, the same in every build: any compiler, optimization,
// instruction set, 32 or 64 bits. A plain program, so that it builds where the test framework is not at hand.
// Red means that filters built before no longer answer for their keys: undo the change, or make it a new version.
#include <perhaps/detail/byte_order.hpp>
#include <perhaps/perhaps.hpp>

#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace {

int failures = 0;

void expect(const char* what, std::uint64_t value, std::uint64_t golden) {
  if (value == golden) return;
  ++failures;
  std::printf("%s: 0x%016" PRIX64 ", golden 0x%016" PRIX64 "\n", what, value, golden);
}

std::uint64_t sum_of(perhaps::Digest digest) { return digest.g ^ (digest.h * 3); }

std::uint64_t hash_of(std::span<const std::byte> bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

// Of the bytes of the words as little-endian platforms have them in memory.
std::uint64_t hash_of(std::span<const std::uint64_t> words) {
  std::vector<unsigned char> bytes(words.size_bytes());
  for (std::size_t i = 0; i < words.size(); ++i) perhaps::detail::store_little_endian(bytes.data() + i * 8, words[i]);
  return hash_of(std::as_bytes(std::span(bytes)));
}

void check_digests() {
  const perhaps::XxHash3 hash(7);
  expect("int", sum_of(perhaps::digest_of<int>(hash, -5)), 0xEF721FFF976276E4U);
  expect("double", sum_of(perhaps::digest_of<double>(hash, 0.1F)), 0x50047BFE4156DCE4U);
  expect("string", sum_of(perhaps::digest_of<std::string>(hash, "perhaps")), 0xD4CC4102AADC3AB8U);
  expect("pair", sum_of(perhaps::digest_of<std::pair<std::string, long>>(hash, std::pair("a", 1))),
         0x614AAC90EE0789B0U);
}

template <class Probes>
std::uint64_t last_position(std::uint64_t size) {
  Probes probes(perhaps::XxHash3()(std::uint64_t{1}));
  std::uint64_t position = 0;
  for (int i = 0; i < 20; ++i) position = perhaps::fast_range(probes.next(), size);
  return position;
}

void check_probes() {
  const std::uint64_t size = 3 * (std::uint64_t{1} << 33U) + 7;
  expect("double hashing", last_position<perhaps::DoubleHashing>(size), 0x0000000114B34B3DU);
  expect("enhanced", last_position<perhaps::EnhancedDoubleHashing>(size), 0x000000046EEF9F82U);
  expect("rotating", last_position<perhaps::RotatingDoubleHashing>(size), 0x0000000160FD9931U);
}

// What can throw is left out, so that this builds without exceptions too.
void check_sizes() {
  const perhaps::BloomParameters none{};
  expect("bloom", perhaps::try_bloom_parameters({.keys = 1'000'000'000, .fpr = 0.01}).value_or(none).bits,
         9'592'954'728);
  expect("small bloom", perhaps::try_bloom_parameters({.keys = 44, .fpr = 1e-6}).value_or(none).bits, 1270);
  expect(
      "cuckoo",
      perhaps::try_cuckoo_parameters({.keys = 1'000'000, .fpr = 0.001}).value_or(perhaps::CuckooParameters{}).buckets,
      261781);
}

void check_filters() {
  auto bloom = perhaps::BloomFilter<std::uint64_t>::make({.keys = 1000, .fpr = 0.01});
  auto counting = perhaps::CountingBloomFilter<std::uint64_t>::make({.keys = 1000, .fpr = 0.01});
  auto cuckoo = perhaps::CuckooFilter<std::uint64_t, 13>::make({.keys = 1000});
  if (!bloom || !counting || !cuckoo) {
    ++failures;
    return;
  }
  for (std::uint64_t key = 0; key < 1000; ++key) {
    bloom->insert(key);
    counting->insert(key);
    if (!cuckoo->insert(key)) ++failures;
  }
  expect("bloom bytes", hash_of(bloom->words()), 0x815E7A8EE75CF8E7U);
  expect("counting bytes", hash_of(counting->words()), 0x157BAAABDD25DEE0U);
  expect("cuckoo bytes", hash_of(cuckoo->packed()), 0x9492AD09232BBCF7U);
}

}  // namespace

int main() {
  check_digests();
  check_probes();
  check_sizes();
  check_filters();
  if (failures == 0) std::puts("all golden values are right");
  return failures == 0 ? 0 : 1;
}
