// SPDX-License-Identifier: BSL-1.0
//
// Every number that a function over plain numbers takes, at every edge: the result lies where it must, or an error
// names the argument and shows its value. Built twice, once with -ffast-math, under which compilers take it that there
// are no NaNs and infinities: so this file too tells them apart by their bits.
#include <perhaps/perhaps.hpp>

#include <bit>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace {

using perhaps::Blocked;
using perhaps::Classic;
using perhaps::SplitBlock;

constexpr std::uint64_t infinity = 0x7FF0000000000000U;
constexpr std::uint64_t minus_zero = 0x8000000000000000U;

// What no compiler can see through.
double from_bits(std::uint64_t bits) {
  const volatile std::uint64_t memory = bits;
  return std::bit_cast<double>(std::uint64_t{memory});
}

std::uint64_t to_bits(double value) {
  const volatile std::uint64_t memory = std::bit_cast<std::uint64_t>(value);
  return memory;
}

// Of doubles from 0 to infinity, as which bits are ordered.
bool lies_within(double value, double low, double high) {
  const std::uint64_t bits = to_bits(value) == minus_zero ? 0 : to_bits(value);
  return to_bits(low) <= bits && bits <= to_bits(high);
}

const double endless = from_bits(infinity);

struct Real {
  std::string name;
  std::uint64_t bits;
};

const std::vector<Real> reals{{"-inf", infinity | minus_zero},
                              {"-1e+308", std::bit_cast<std::uint64_t>(-1e308)},
                              {"-1", std::bit_cast<std::uint64_t>(-1.0)},
                              {"-1e-300", std::bit_cast<std::uint64_t>(-1e-300)},
                              {"-0", minus_zero},
                              {"0", 0},
                              {"1e-300", std::bit_cast<std::uint64_t>(1e-300)},
                              {"0.01", std::bit_cast<std::uint64_t>(0.01)},
                              {"0.5", std::bit_cast<std::uint64_t>(0.5)},
                              {"0.9999999999999999", 0x3FEFFFFFFFFFFFFFU},
                              {"1", std::bit_cast<std::uint64_t>(1.0)},
                              {"1.0000000000000002", 0x3FF0000000000001U},
                              {"2", std::bit_cast<std::uint64_t>(2.0)},
                              {"1000", std::bit_cast<std::uint64_t>(1000.0)},
                              {"1e+18", std::bit_cast<std::uint64_t>(1e18)},
                              {"1e+300", std::bit_cast<std::uint64_t>(1e300)},
                              {"inf", infinity},
                              {"nan", 0x7FF8000000000000U},
                              {"nan", 0x7FF0000000000001U}};

const std::vector<std::uint64_t> integers{0,
                                          1,
                                          2,
                                          63,
                                          64,
                                          511,
                                          512,
                                          1000,
                                          65'535,
                                          65'536,
                                          65'537,
                                          300'000'000'000'000U,
                                          std::uint64_t{1} << 50U,
                                          1'000'000'000'000'000'000U,
                                          (std::uint64_t{1} << 63U) - 1,
                                          std::uint64_t{1} << 63U,
                                          ~std::uint64_t{0} - 62,
                                          ~std::uint64_t{0}};

const std::vector<unsigned> widths{0,  1,  2,  3,   4,   5,    7,    8,    9,      16,         17,         32,
                                   33, 64, 65, 128, 200, 1074, 1075, 5000, 65'536, 2147483647, 2147483648, 4294967295};

struct Outcome {
  std::optional<double> result;
  std::string error;  // of std::invalid_argument or std::length_error
};

template <class Call>
Outcome outcome(Call call) {
  try {
    return {static_cast<double>(call()), ""};
  } catch (const std::invalid_argument& error) {
    return {std::nullopt, error.what()};
  } catch (const std::length_error& error) {
    return {std::nullopt, error.what()};
  }
}

using Domain = bool (*)(std::uint64_t bits);
bool is_rate(std::uint64_t bits) { return bits > 0 && bits < std::bit_cast<std::uint64_t>(1.0); }
bool is_share(std::uint64_t bits) { return bits <= std::bit_cast<std::uint64_t>(1.0) || bits == minus_zero; }
bool is_count(std::uint64_t bits) { return bits <= infinity || bits == minus_zero; }
bool is_positive(std::uint64_t bits) { return bits > 0 && bits < infinity; }
bool is_positive_share(std::uint64_t bits) { return bits > 0 && is_share(bits) && bits != minus_zero; }

// Whatever the argument, `call` is within [low, high] if it lies in the domain, and else refuses it by name and value.
// Targets within may still be out of reach: that names them too.
void check_real(const std::string& function, const std::string& name, Domain domain, double low, double high,
                const std::function<double(double)>& call) {
  for (const Real& value : reals) {
    INFO(function << ", " << name << " = " << value.name);
    const Outcome got = outcome([&] { return call(from_bits(value.bits)); });
    if (!domain(value.bits)) {
      CHECK_FALSE(got.result.has_value());
      CHECK(got.error.rfind("perhaps: " + name + " must be ", 0) == 0);
      CHECK(got.error.find("got " + value.name) != std::string::npos);
    } else if (got.result) {
      CHECK(lies_within(*got.result, low, high));
    } else {
      CHECK(got.error.find(name + " = " + value.name + " ") != std::string::npos);
      CHECK(got.error.find("must be") == std::string::npos);
    }
  }
}

// Whole numbers: within [low, high], or an error with name and value.
template <class Number>
void check_whole(const std::string& function, const std::string& name, const std::vector<Number>& values, double low,
                 double high, const std::function<double(Number)>& call) {
  for (const Number value : values) {
    INFO(function << ", " << name << " = " << value);
    const Outcome got = outcome([&] { return call(value); });
    if (got.result) {
      CHECK(lies_within(*got.result, low, high));
    } else {
      INFO(got.error);
      CHECK(got.error.find(name) != std::string::npos);
      CHECK(got.error.find(std::to_string(value)) != std::string::npos);
    }
  }
}

void check_integers(const std::string& function, const std::string& name, double low, double high,
                    const std::function<double(std::uint64_t)>& call) {
  check_whole<std::uint64_t>(function, name, integers, low, high, call);
}

void check_widths(const std::string& function, const std::string& name, double low, double high,
                  const std::function<double(unsigned)>& call) {
  check_whole<unsigned>(function, name, widths, low, high, call);
}

constexpr double most = 18446744073709551616.0;  // 2^64

template <class Layout>
void check_layout(unsigned hashes) {
  const std::string name(Layout::name);
  const std::uint64_t m = 512 * 100;
  check_real(name, "keys", is_count, 0, 1, [=](double n) { return Layout::expected_fpr(m, hashes, n); });
  check_real(name, "keys", is_count, 0, endless, [=](double n) { return Layout::estimate_variance(m, hashes, n); });
  check_real(name, "fpr", is_count, 0, most,
             [=](double p) { return static_cast<double>(perhaps::max_keys<Layout>(m, hashes, p)); });
  check_integers(name, "bits", 0, 1, [=](std::uint64_t bits) { return Layout::expected_fpr(bits, hashes, 1000); });
  check_integers(name, "bits", 0, most, [=](std::uint64_t bits) {
    return static_cast<double>(perhaps::max_keys<Layout>(bits, hashes, 0.01));
  });
  check_integers(name, "bits", 0, endless,
                 [=](std::uint64_t bits) { return Layout::estimate_variance(bits, hashes, 1000); });
  check_integers(name, "set_bits", 0, endless,
                 [=](std::uint64_t set) { return Layout::estimated_keys(m, hashes, set); });
  check_integers(name, "set", 0, endless, [=](std::uint64_t set) {
    return perhaps::set_estimate<Layout>(m, hashes, set, 64, set).intersection_error();
  });
  check_widths(name, "hashes", 0, 1, [=](unsigned k) { return Layout::expected_fpr(m, k, 1000); });
  check_widths(name, "hashes", 0, most,
               [=](unsigned k) { return static_cast<double>(perhaps::max_keys<Layout>(m, k, 0.01)); });
  check_widths(name, "hashes", 0, endless, [=](unsigned k) { return Layout::estimate_variance(m, k, 1000); });
  check_widths(name, "hashes", 0, endless, [=](unsigned k) { return Layout::estimated_keys(m, k, 1000); });
  check_real(name, "fpr", is_rate, 1, most, [](double p) {
    return static_cast<double>(perhaps::bloom_parameters<Layout>({.keys = 1000, .fpr = p}).bits);
  });
  check_integers(name, "keys", 1, most, [](std::uint64_t n) {
    return static_cast<double>(perhaps::bloom_parameters<Layout>({.keys = n, .fpr = 0.01}).bits);
  });
  CHECK(Layout::expected_fpr(m, hashes, endless) == 1);
  CHECK(to_bits(Layout::estimated_keys(m, hashes, m)) == infinity);
  CHECK(to_bits(Layout::estimate_variance(m, hashes, endless)) == infinity);
}

template <class Layout>
void check_counters(unsigned hashes) {
  const std::string name(Layout::name);
  const std::uint64_t m = 512 * 100;
  check_real(name, "keys", is_count, 0, 1, [=](double n) { return Layout::counter_reaches(m, hashes, n, 15); });
  check_integers(name, "counters", 0, 1, [=](std::uint64_t c) { return Layout::counter_reaches(c, hashes, 1000, 15); });
  check_integers(name, "threshold", 0, 1, [=](std::uint64_t t) { return Layout::counter_reaches(m, hashes, 1000, t); });
  check_widths(name, "hashes", 0, 1, [=](unsigned k) { return Layout::counter_reaches(m, k, 1000, 15); });
}

template <class Probes>
void check_excess() {
  const std::string name(Probes::name);
  check_real(name, "bits", is_positive, 0, endless, [](double m) { return Probes::excess_fpr(m, 7, 100); });
  check_real(name, "keys", is_count, 0, endless, [](double n) { return Probes::excess_fpr(1000, 7, n); });
  check_widths(name, "hashes", 0, 1, [](unsigned k) { return Probes::excess_fpr(1000, k, 100); });
}

double first_bytes(const std::vector<perhaps::Plan>& plans) {
  return plans.empty() ? 0 : static_cast<double>(plans.front().bytes);
}

}  // namespace

TEST_CASE("formulas take every number, or refuse it by name and value") {
  check_real("expected_fpr", "keys", is_count, 0, 1, [](double n) { return perhaps::expected_fpr(1000, 7, n); });
  check_real("exact_fpr", "keys", is_count, 0, 1, [](double n) { return perhaps::exact_fpr(1000, 7, n); });
  check_real("exact_fpr", "keys", is_count, 0, 1, [](double n) { return perhaps::exact_fpr(1, 64, n); });
  check_real("exact_fpr", "keys", is_count, 0, 1, [](double n) { return perhaps::exact_fpr(~0ULL, 64, n); });
  check_real("expected_fill", "keys", is_count, 0, 1, [](double n) { return perhaps::expected_fill(1000, 7, n); });
  for (const unsigned w : {0U, 1U, 32U, 64U, 128U, 1074U, 1075U, 4294967295U}) {
    check_real("collision_fpr", "keys", is_count, 0, 1, [=](double n) { return perhaps::collision_fpr(n, w); });
  }
  check_real("optimal_hashes", "keys", is_count, 1, 64, [](double n) { return perhaps::optimal_hashes(1000, n); });
  check_integers("expected_fpr", "bits", 0, 1, [](std::uint64_t m) { return perhaps::expected_fpr(m, 7, 100); });
  check_integers("exact_fpr", "bits", 0, 1, [](std::uint64_t m) { return perhaps::exact_fpr(m, 7, 100); });
  check_integers("expected_fill", "bits", 0, 1, [](std::uint64_t m) { return perhaps::expected_fill(m, 7, 100); });
  check_integers("optimal_hashes", "bits", 1, 64, [](std::uint64_t m) { return perhaps::optimal_hashes(m, 100); });
  check_integers("current_fpr", "bits", 0, 1, [](std::uint64_t m) { return perhaps::current_fpr(m, 7, 100); });
  check_integers("current_fpr", "set_bits", 0, 1, [](std::uint64_t x) { return perhaps::current_fpr(1000, 7, x); });
  check_widths("expected_fpr", "hashes", 0, 1, [](unsigned k) { return perhaps::expected_fpr(1000, k, 100); });
  check_widths("exact_fpr", "hashes", 0, 1, [](unsigned k) { return perhaps::exact_fpr(1000, k, 100); });
  check_widths("expected_fill", "hashes", 0, 1, [](unsigned k) { return perhaps::expected_fill(1000, k, 100); });
  check_widths("current_fpr", "hashes", 0, 1, [](unsigned k) { return perhaps::current_fpr(1000, k, 100); });
  check_widths("collision_fpr", "digest_bits", 0, 1, [](unsigned w) { return perhaps::collision_fpr(1e18, w); });

  CHECK(perhaps::expected_fpr(1000, 7, endless) == 1);
  CHECK(perhaps::exact_fpr(1000, 7, endless) == 1);
  CHECK(perhaps::expected_fill(1000, 7, endless) == 1);
  CHECK(perhaps::collision_fpr(endless, 4000) == 1);
  CHECK(perhaps::collision_fpr(0, 0) == 0);
  CHECK(perhaps::optimal_hashes(1000, endless) == 1);
  CHECK(perhaps::max_keys(std::uint64_t{1} << 63U, 64, 0) == 0);
}

TEST_CASE("probabilities of counters take every number, or refuse it by name and value") {
  check_real("counter_reaches", "keys", is_count, 0, 1,
             [](double n) { return perhaps::counter_reaches(99, 7, n, 15); });
  check_real("any_counter_reaches", "keys", is_count, 0, 1,
             [](double n) { return perhaps::any_counter_reaches(99, 7, n, 15); });
  check_real("fan_bound", "keys", is_count, 0, endless, [](double n) { return perhaps::fan_bound(99, 7, n, 15); });
  check_integers("counter_reaches", "counters", 0, 1,
                 [](std::uint64_t m) { return perhaps::counter_reaches(m, 7, 100, 15); });
  check_integers("counter_reaches", "threshold", 0, 1,
                 [](std::uint64_t t) { return perhaps::counter_reaches(99, 7, 1e15, t); });
  check_integers("any_counter_reaches", "counters", 0, 1,
                 [](std::uint64_t m) { return perhaps::any_counter_reaches(m, 7, 1e18, 15); });
  check_integers("fan_bound", "counters", 0, endless, [](std::uint64_t m) { return perhaps::fan_bound(m, 7, 9, 15); });
  check_integers("fan_bound", "threshold", 0, endless, [](std::uint64_t t) { return perhaps::fan_bound(99, 7, 9, t); });
  check_widths("counter_reaches", "hashes", 0, 1, [](unsigned k) { return perhaps::counter_reaches(99, k, 100, 15); });
  check_widths("fan_bound", "hashes", 0, endless, [](unsigned k) { return perhaps::fan_bound(99, k, 100, 15); });
  check_widths("counting_parameters", "counter_bits", 1, most, [](unsigned bits) {
    return static_cast<double>(perhaps::counting_parameters({.keys = 100, .fpr = 0.01}, bits).bytes);
  });
  check_real("counting_parameters", "fpr", is_rate, 1, most, [](double p) {
    return static_cast<double>(perhaps::counting_parameters({.keys = 1000, .fpr = p}).counters);
  });
  check_counters<Blocked<128>>(7);
  check_counters<Blocked<512>>(7);
  check_counters<SplitBlock<16, 8>>(7);
}

TEST_CASE("cuckoo filters' numbers are taken, or refused by name and value") {
  check_real("cuckoo_fpr", "load", is_share, 0, 1, [](double load) { return perhaps::cuckoo_fpr(12, 4, load); });
  check_real("fingerprint_bits_for", "fpr", is_rate, 4, 32, [](double p) { return perhaps::fingerprint_bits_for(p); });
  check_real("fingerprint_bits_for", "load", is_share, 4, 32,
             [](double load) { return perhaps::fingerprint_bits_for(0.01, 4, load); });
  check_real("cuckoo_parameters", "fpr", is_rate, 8, most,
             [](double p) { return static_cast<double>(perhaps::cuckoo_parameters({.keys = 1000, .fpr = p}).bytes); });
  check_widths("cuckoo_fpr", "fingerprint_bits", 0, 1, [](unsigned f) { return perhaps::cuckoo_fpr(f, 4, 0.5); });
  check_widths("cuckoo_fpr", "bucket_size", 0, 1, [](unsigned b) { return perhaps::cuckoo_fpr(12, b, 0.5); });
  check_widths("fingerprint_bits_for", "bucket_size", 4, 32,
               [](unsigned b) { return perhaps::fingerprint_bits_for(0.01, b); });
  check_widths("cuckoo_parameters", "bucket_size", 8, most,
               [](unsigned b) { return static_cast<double>(perhaps::cuckoo_parameters({.keys = 100}, b, 12).bytes); });
  check_widths("cuckoo_parameters", "fingerprint_bits", 8, most, [](unsigned f) {
    return static_cast<double>(perhaps::cuckoo_parameters({.keys = 100, .fpr = 0.5}, 4, f).bytes);
  });
  check_widths("cuckoo_parameters", "a hash of", 8, most, [](unsigned w) {
    return static_cast<double>(perhaps::cuckoo_parameters({.keys = 100, .fpr = 0.01}, 4, 0, w).bytes);
  });
  for (const Real& value : reals) {
    const double x = from_bits(value.bits);
    INFO(value.name);
    CHECK(perhaps::try_fingerprint_bits_for(0.01, 4, x).has_value() == is_share(value.bits));
    CHECK((is_rate(value.bits) || !perhaps::try_fingerprint_bits_for(x)));
    CHECK((is_rate(value.bits) || !perhaps::try_cuckoo_parameters({.keys = 10, .fpr = x})));
    CHECK((is_rate(value.bits) || !perhaps::try_bloom_parameters({.keys = 10, .fpr = x})));
    CHECK((is_rate(value.bits) || !perhaps::try_counting_parameters({.keys = 10, .fpr = x})));
  }
  // Too many keys are that, whether or not a width is given; as many as there are buckets for are not too many.
  const std::string error =
      outcome([] {
        return static_cast<double>(perhaps::cuckoo_parameters({.keys = std::uint64_t{1} << 50U, .fpr = 0.01}).buckets);
      }).error;
  CHECK(error == "perhaps: keys = 1125899906842624 take more than 2^48 buckets");
  CHECK_THROWS_AS(perhaps::cuckoo_parameters({.keys = std::uint64_t{1} << 50U, .fpr = 0.01}), std::length_error);
  const auto many = perhaps::cuckoo_parameters({.keys = 300'000'000'000'000, .fpr = 0.01});
  CHECK(many.buckets > 75'000'000'000'000);
  CHECK(many.buckets < 85'000'000'000'000);
}

TEST_CASE("layouts take every number, or refuse it by name and value: classic") { check_layout<Classic<>>(7); }
TEST_CASE("layouts take every number, or refuse it by name and value: blocks") { check_layout<Blocked<512>>(7); }
TEST_CASE("layouts take every number, or refuse it by name and value: split blocks") {
  check_layout<SplitBlock<64, 8>>(8);
  check_layout<SplitBlock<64, 8>>(3);
  check_layout<SplitBlock<32, 8>>(8);
}

TEST_CASE("probe sequences take every number, or refuse it by name and value") {
  check_excess<perhaps::DoubleHashing>();
  check_excess<perhaps::EnhancedDoubleHashing>();
  check_excess<perhaps::RotatingDoubleHashing>();
  static_assert(perhaps::DoubleHashing::excess_fpr(100, 7, 10) > 0);
}

TEST_CASE("estimates take every number, or refuse it by name and value") {
  check_integers("estimated_keys", "bits", 0, endless,
                 [](std::uint64_t m) { return perhaps::estimated_keys(m, 7, 5); });
  check_integers("estimated_keys", "set_bits", 0, endless,
                 [](std::uint64_t x) { return perhaps::estimated_keys(~0ULL, 7, x); });
  check_widths("estimated_keys", "hashes", 0, endless, [](unsigned k) { return perhaps::estimated_keys(99, k, 5); });
  check_real("estimated_blocked_keys", "hit", is_positive_share, 0, endless,
             [](double hit) { return perhaps::estimated_blocked_keys(5120, 512, hit, 5); });
  check_integers("estimated_blocked_keys", "bits", 0, endless,
                 [](std::uint64_t m) { return perhaps::estimated_blocked_keys(m, 512, 0.01, 5); });
  check_integers("estimated_blocked_keys", "bits", 0, endless,
                 [](std::uint64_t x) { return perhaps::estimated_blocked_keys(5120, 512, 0.01, x); });
  for (const std::uint64_t block : integers) {
    const auto got = outcome([&] { return perhaps::estimated_blocked_keys(5120, block, 0.01, 5); });
    CHECK((got.result || got.error.find("block_bits") != std::string::npos));
  }
  CHECK_THROWS_WITH(perhaps::set_estimate<Classic<>>(100, 7, 20, 30, 51),
                    "perhaps: both_set must be at most left_set + right_set, got 51");
  CHECK_THROWS_WITH(perhaps::set_estimate<Classic<>>(100, 7, 20, 30, 29),
                    "perhaps: right_set must be at most both_set = 29, got 30");
  CHECK_THROWS_WITH(perhaps::set_estimate<Classic<>>(100, 7, 20, 30, 101),
                    "perhaps: both_set must be at most bits = 100, got 101");
}

TEST_CASE("the planner takes every number, or refuses it by name and value") {
  check_real("plan_filters", "fpr", is_rate, 8, most,
             [](double p) { return first_bytes(perhaps::plan_filters({.keys = 1000, .fpr = p})); });
  check_real("plan_most_keys", "fpr", is_rate, 0, most,
             [](double p) { return first_bytes(perhaps::plan_most_keys({.fpr = p, .bytes = 1000})); });
  check_integers("plan_filters", "keys", 8, most,
                 [](std::uint64_t n) { return first_bytes(perhaps::plan_filters({.keys = n, .fpr = 0.01})); });
  for (const std::uint64_t a : integers) {
    for (const std::uint64_t b : integers) {
      INFO(a << ", " << b);
      for (const auto& plan : perhaps::plan_lowest_fpr<Classic<>, Blocked<512>>({.keys = a, .bytes = b})) {
        CHECK(plan.bytes <= b);
        CHECK(lies_within(plan.expected_fpr, 0, 1));
        CHECK(lies_within(plan.bits_per_key, 0, most * 8));
      }
    }
    for (const auto& plan : perhaps::plan_most_keys<Classic<>, Blocked<512>>({.fpr = 0.01, .bytes = a})) {
      CHECK(plan.bytes <= a);
      CHECK(plan.keys > 0);
      CHECK(lies_within(plan.expected_fpr, 0, 0.01));
    }
  }
}

TEST_CASE("filters take every number, or refuse it by name and value") {
  using Filter = perhaps::BloomFilter<std::uint64_t>;
  Filter filter({.bits = 960, .hashes = 3});
  check_real("fold_to", "fpr", is_rate, 1, 960,
             [&](double p) { return static_cast<double>(filter.fold_to(p).bits()); });
  for (const Real& value : reals) {
    CHECK(filter.try_fold_to(from_bits(value.bits)).has_value() == is_rate(value.bits));
    const perhaps::BloomTarget target{.keys = 1, .fpr = from_bits(value.bits)};
    CHECK((is_rate(value.bits) || !Filter::make(target)));
    CHECK((is_rate(value.bits) || !perhaps::CuckooFilter<int>::make({.keys = 1, .fpr = target.fpr})));
    CHECK((is_rate(value.bits) || !perhaps::CountingBloomFilter<int>::make(target)));
  }
  check_integers("folded", "d", 1, 960, [&](std::uint64_t d) { return static_cast<double>(filter.folded(d).bits()); });
  for (std::uint64_t i = 0; filter.set_bits() < 960; ++i) filter.insert(i);
  CHECK(to_bits(filter.estimated_size()) == infinity);
  CHECK(to_bits(filter.estimated_size_error()) == infinity);
  const auto sets = perhaps::estimate_sets(filter, Filter({.bits = 960, .hashes = 3}));
  CHECK(to_bits(sets.both_error()) == infinity);
  CHECK(to_bits(sets.intersection_error()) == infinity);
  CHECK(to_bits(sets.jaccard_error()) == infinity);
  CHECK(sets.intersection() == 0);
  CHECK(sets.jaccard() == 0);
  CHECK(perhaps::SetEstimate{10, 20, 25}.intersection() == 5);
  CHECK(to_bits(perhaps::SetEstimate{10, 20, 25}.left_error()) == infinity);
}
