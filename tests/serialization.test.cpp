// SPDX-License-Identifier: BSL-1.0
//
// Saving and loading: what comes back is what went in, from any address and any stream; what fails changes nothing.
#include <perhaps/perhaps.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <istream>
#include <limits>
#include <span>
#include <sstream>
#include <streambuf>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__linux__)
#include <sys/resource.h>
#endif

#include "support/catch.hpp"
#include "support/filters.hpp"
#include "support/stored.hpp"

namespace {

using perhaps::FormatReason;
using support::Bytes;
using Bloom = perhaps::BloomFilter<std::uint64_t>;

// A stream that can't be asked how much is left, and gives a few bytes at a time, like a socket.
class Trickle : public std::streambuf {
 public:
  explicit Trickle(Bytes bytes) : bytes_(std::move(bytes)) {}

 private:
  int_type underflow() override {
    if (at_ == bytes_.size()) return traits_type::eof();
    const std::size_t size = std::min<std::size_t>(7, bytes_.size() - at_);
    char* begin = reinterpret_cast<char*>(bytes_.data()) + at_;
    setg(begin, begin, begin + size);
    at_ += size;
    return traits_type::to_int_type(*begin);
  }

  Bytes bytes_;
  std::size_t at_ = 0;
};

std::istringstream stream_of(const Bytes& bytes) {
  return std::istringstream(std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()), std::ios::binary);
}

// What may be taken for a promise, in kilobytes. AddressSanitizer keeps what is freed.
#if defined(__SANITIZE_ADDRESS__)
constexpr long most_growth = 8192;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr long most_growth = 8192;
#else
constexpr long most_growth = 1024;
#endif
#else
constexpr long most_growth = 1024;
#endif

// The most memory that this process has held, in kilobytes.
long peak_memory() {
#if defined(__linux__)
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
#else
  return 0;
#endif
}

// A user's policy, probe sequence and layout.
struct Fnv {
  static constexpr unsigned digest_bits = 64;
  static constexpr std::uint32_t stored_id = 0x80000F0F;
  perhaps::Digest operator()(std::string_view text) const {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    return perhaps::mix_word(hash, 1);
  }
};

struct IdentityWithId {
  static constexpr std::uint32_t stored_id = 0x80000AAA;
  std::uint64_t operator()(std::uint64_t word) const { return word; }
};

struct MyProbes : perhaps::RotatingDoubleHashing {
  using RotatingDoubleHashing::RotatingDoubleHashing;
  static constexpr std::uint32_t stored_id = 0x80000002;
};

struct MyLayout : perhaps::Classic<> {
  static constexpr std::uint32_t stored_id = 0x80000003;
};

struct Unstorable {
  static constexpr unsigned digest_bits = 64;
  perhaps::Digest operator()(std::string_view) const { return {}; }
};

struct Stateful : Fnv {
  int state = 0;
};

static_assert(perhaps::StorableFilter<Bloom> && perhaps::StorableFilter<perhaps::BloomFilter<std::string, Fnv>>);
static_assert(perhaps::StorableFilter<perhaps::BloomFilter<std::uint64_t, perhaps::MixedHash<IdentityWithId>>>);
static_assert(!perhaps::StorableFilter<perhaps::BloomFilter<std::string, Unstorable>>);
static_assert(!perhaps::StorableFilter<perhaps::BloomFilter<int, perhaps::MixedHash<std::hash<int>>>>);

template <class F>
void check_round_trip(const F& filter) {
  const Bytes bytes = perhaps::to_bytes(filter);
  CHECK(bytes.size() == perhaps::stored_size(filter));
  CHECK(perhaps::from_bytes<F>(bytes) == filter);
  std::stringstream stream(std::ios::in | std::ios::out | std::ios::binary);
  perhaps::write(filter, stream);
  CHECK(stream.str() == std::string(reinterpret_cast<const char*>(bytes.data()), bytes.size()));
  CHECK(perhaps::read<F>(stream) == filter);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("a filter comes back as it was saved", "", support::StoredFilters) {
  for (const std::uint64_t keys : {0U, 1U, 100U, 3000U}) {
    const auto filter = support::stored_example<TestType>(keys, keys);
    check_round_trip(filter);
    const auto loaded = perhaps::from_bytes<TestType>(perhaps::to_bytes(filter));
    for (std::uint64_t i = 0; i < 2 * keys; ++i) {
      REQUIRE(loaded.may_contain(support::scramble(i)) == filter.may_contain(support::scramble(i)));
    }
    CHECK(loaded.empty() == filter.empty());
  }
}

TEST_CASE("filters of every kind of key come back") {
  perhaps::BloomFilter<std::string> text({.keys = 100, .fpr = 0.01});
  text.insert("owl");
  check_round_trip(text);
  perhaps::BloomFilter<double> real({.keys = 100, .fpr = 0.01});
  real.insert(0.5);
  check_round_trip(real);
  perhaps::CuckooFilter<std::pair<std::string, int>> pair({.keys = 100});
  REQUIRE(pair.insert(std::pair("owl", 1)));
  check_round_trip(pair);
  CHECK_THROWS_AS(perhaps::from_bytes<Bloom>(perhaps::to_bytes(text)), perhaps::FormatError);
}

TEMPLATE_LIST_TEST_CASE("a loaded filter goes on like the one that was saved", "",
                        support::StoredFilters) {  // BUGS Z07
  auto filter = support::stored_example<TestType>(3, 500);
  auto loaded = perhaps::from_bytes<TestType>(perhaps::to_bytes(filter));
  for (std::uint64_t i = 1000; i < 2000; ++i) {
    static_cast<void>(support::add(filter, support::scramble(i)));
    static_cast<void>(support::add(loaded, support::scramble(i)));
  }
  CHECK(perhaps::to_bytes(loaded) == perhaps::to_bytes(filter));
}

TEST_CASE("seeds come back, into a filter with another") {  // BUGS Z07
  for (const std::uint64_t seed : {std::uint64_t{0}, std::uint64_t{1}, ~std::uint64_t{0}}) {
    const auto filter = support::stored_example<Bloom>(seed);
    auto other = support::stored_example<Bloom>(seed + 99, 5);
    perhaps::load_into(other, perhaps::to_bytes(filter));
    CHECK(other.hash_policy().seed() == seed);
    CHECK(other == filter);
    for (std::uint64_t i = 0; i < 100; ++i) REQUIRE(other.may_contain(support::scramble(i)));
  }
}

TEST_CASE("bytes load from any address") {
  const auto filter = support::stored_example<perhaps::CuckooFilter<std::uint64_t, 17, 2>>();
  const Bytes bytes = perhaps::to_bytes(filter);
  for (std::size_t shift = 0; shift < 16; ++shift) {
    Bytes shifted(shift);
    shifted.insert(shifted.end(), bytes.begin(), bytes.end());
    CHECK(perhaps::from_bytes<perhaps::CuckooFilter<std::uint64_t, 17, 2>>(std::span(shifted).subspan(shift)) ==
          filter);
  }
}

TEMPLATE_LIST_TEST_CASE("a load that fails changes nothing", "", support::StoredFilters) {
  auto target = support::stored_example<TestType>();
  const TestType before = target;
  Bytes bytes = perhaps::to_bytes(support::stored_example<TestType>(8, 300));
  bytes.back() ^= std::byte{1};
  CHECK_THROWS_AS(perhaps::load_into(target, bytes), perhaps::FormatError);
  CHECK(target == before);
}

TEST_CASE("filters follow one another in a stream") {
  const auto first = support::stored_example<Bloom>(1);
  const auto second = support::stored_example<perhaps::CuckooFilter<std::uint64_t>>(2);
  std::stringstream stream(std::ios::in | std::ios::out | std::ios::binary);
  stream << "before";
  perhaps::write(first, stream);
  perhaps::write(second, stream);
  stream << "after";
  std::string word(6, ' ');
  stream.read(word.data(), 6);
  CHECK(perhaps::read<Bloom>(stream) == first);
  CHECK(perhaps::read<perhaps::CuckooFilter<std::uint64_t>>(stream) == second);
  stream >> word;
  CHECK(word == "after");
}

TEMPLATE_LIST_TEST_CASE("a stream that trickles is read like a file", "", support::StoredFilters) {
  const auto filter = support::stored_example<TestType>(1, 20'000);
  const Bytes bytes = perhaps::to_bytes(filter);
  Trickle whole(bytes);
  std::istream in(&whole);
  CHECK(perhaps::read<TestType>(in) == filter);
  for (const std::size_t size : {std::size_t{0}, std::size_t{3}, std::size_t{63}, std::size_t{64}, bytes.size() - 1}) {
    Trickle part(Bytes(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size)));
    std::istream truncated(&part);
    const auto read = perhaps::try_read<TestType>(truncated);
    REQUIRE_FALSE(read);
    CHECK(read.reason() == FormatReason::truncated);
  }
}

TEST_CASE("a header that promises terabytes takes no memory, in a stream either") {  // BUGS Z01
  Bytes bytes = perhaps::to_bytes(support::stored_example<Bloom>());
  bytes.resize(64);
  long before = 0;
  // The first promise is small: what all take, such as the pages of code, is not counted.
  for (const unsigned shift : {12U, 34U, 37U, 40U, 50U, 60U}) {
    const std::uint64_t bits = std::uint64_t{1} << shift;
    if (bits / 8 > (std::numeric_limits<std::size_t>::max)() / 2) continue;
    if (shift == 34) before = peak_memory();
    const Bytes header = support::resealed_with(support::with(bytes, 48, bits / 8), 32, bits);
    CHECK(perhaps::try_from_bytes<Bloom>(header).reason() == FormatReason::truncated);
    auto file = stream_of(header);
    CHECK(perhaps::try_read<Bloom>(file).reason() == FormatReason::truncated);
    Trickle socket(header);
    std::istream in(&socket);
    CHECK(perhaps::try_read<Bloom>(in).reason() == FormatReason::truncated);
  }
  CHECK(peak_memory() - before < most_growth);
}

TEST_CASE("streams that fail are said to") {
  std::ostringstream closed;
  closed.setstate(std::ios::badbit);
  const auto filter = support::stored_example<Bloom>();
  CHECK_FALSE(perhaps::try_write(filter, closed));
  CHECK_THROWS_AS(perhaps::write(filter, closed), perhaps::FormatError);
  std::istringstream broken;
  broken.setstate(std::ios::badbit);
  CHECK(perhaps::try_read<Bloom>(broken).reason() == FormatReason::stream);
#if defined(__linux__)
  std::ofstream full("/dev/full", std::ios::binary);
  if (full) CHECK_FALSE(perhaps::try_write(filter, full));
#endif
}

TEST_CASE("policies, probes and layouts of one's own are stored under their ids") {
  using Mine = perhaps::BloomFilter<std::string, Fnv, MyLayout>;
  Mine filter({.keys = 100, .fpr = 0.01});
  filter.insert("owl");
  check_round_trip(filter);
  const Bytes bytes = perhaps::to_bytes(filter);
  CHECK(support::get<std::uint32_t>(bytes, 8) == 0x80000F0F);
  CHECK(support::get<std::uint32_t>(bytes, 12) == 0x80000003);
  CHECK(perhaps::try_from_bytes<perhaps::BloomFilter<std::string>>(bytes).reason() == FormatReason::hash);

  using Mixed = perhaps::BloomFilter<std::uint64_t, perhaps::MixedHash<IdentityWithId>, perhaps::Classic<MyProbes>>;
  Mixed mixed({.keys = 100, .fpr = 0.01});
  mixed.insert(5);
  check_round_trip(mixed);
  CHECK(support::get<std::uint32_t>(perhaps::to_bytes(mixed), 8) == 0x80000AAA);
  CHECK(support::get<std::uint32_t>(perhaps::to_bytes(mixed), 16) == 0x80000002);
}

TEST_CASE("a moved-from filter gives bytes that do not load") {
  auto filter = support::stored_example<Bloom>();
  const Bloom taken = std::move(filter);
  const auto loaded = perhaps::try_from_bytes<Bloom>(perhaps::to_bytes(filter));  // NOLINT(bugprone-use-after-move)
  REQUIRE_FALSE(loaded);
  CHECK(loaded.reason() == FormatReason::cells);
}
