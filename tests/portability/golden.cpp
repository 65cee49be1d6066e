// SPDX-License-Identifier: BSL-1.0
//
// Golden values: digests, probes, sizes and the bytes of filters, the same in every build: any compiler, optimization,
// instruction set, 32 or 64 bits. A plain program, so that it builds where the test framework is not at hand.
// Red means that filters built before no longer answer for their keys: undo the change, or make it a new version.
#include <perhaps/detail/byte_order.hpp>
#include <perhaps/perhaps.hpp>

#include <chrono>
#include <cinttypes>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <ratio>
#include <span>
#include <string>
#include <utility>
#include <variant>
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
  expect("numbers", sum_of(perhaps::digest_of<std::vector<int>>(hash, std::vector{1, -2, 3})), 0x6B0975D02D93E28FU);
  expect("texts", sum_of(perhaps::digest_of<std::vector<std::string>>(hash, std::vector{"a", "b"})),
         0x49D952EBAF04168DU);
  expect("text of 16 bits", sum_of(perhaps::digest_of<std::u16string>(hash, u"perhaps \u20AC")), 0x27AB39502593016EU);
  expect("text of 32 bits", sum_of(perhaps::digest_of<std::u32string>(hash, U"perhaps \U0001F989")),
         0xB65AF08F79DAC3CEU);
  expect("path", sum_of(perhaps::digest_of<std::filesystem::path>(hash, "/usr//share/perhaps.txt")),
         0xC9CE732FED5C71C9U);
  using Either = std::variant<std::monostate, int, std::string>;
  expect("nothing", sum_of(perhaps::digest_of<Either>(hash, Either())), 0x076518717E312500U);
  expect("variant", sum_of(perhaps::digest_of<Either>(hash, "perhaps")), 0x642A1E1B01B117EEU);
  using Milliseconds = std::chrono::duration<std::int64_t, std::milli>;
  expect("duration", sum_of(perhaps::digest_of<Milliseconds>(hash, Milliseconds(-5))), 0xEF721FFF976276E4U);
  expect("time",
         sum_of(perhaps::digest_of<std::chrono::sys_time<Milliseconds>>(
             hash, std::chrono::sys_time<Milliseconds>(Milliseconds(5)))),
         0x1B99A0276A7DFD59U);
#if defined(__SIZEOF_INT128__)
  __extension__ using Wide = __int128;
  expect("128 bits", sum_of(perhaps::digest_of<Wide>(hash, -(Wide{1} << 100))), 0x9582021504FE44C1U);
#endif
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
