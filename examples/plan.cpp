// SPDX-License-Identifier: BSL-1.0
//
// A calculator over the planner. Of three numbers any two: keys, the rate of false positives, memory.
#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace {

constexpr const char* usage =
    "usage: plan --keys N --fpr P           the smallest filters for N keys at a rate of P\n"
    "       plan --keys N --memory BYTES    the lowest rates in so much memory\n"
    "       plan --memory BYTES --fpr P     the most keys in so much memory\n"
    "N is a whole number above 0, P is above 0 and below 1. BYTES may end in K, M or G, for 2^10, 2^20 or 2^30.\n"
    "--json prints JSON, --help this. The exit code is 2 for wrong usage, 1 if no filter is so small.\n";

struct Request {
  std::optional<std::uint64_t> keys, memory;
  std::optional<double> fpr;
  bool json = false;
};

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "plan: %s; --help says more\n", why.c_str());
  std::exit(2);
}

// A whole number above 0; with a unit, if `units` says so.
std::uint64_t whole_number(const std::string& option, std::string_view text, std::string_view units) {
  std::uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  const std::size_t power = unit.empty() ? 0 : 10 * (1 + units.find(unit));
  const bool known = unit.empty() || (unit.size() == 1 && units.find(unit) != units.npos);
  if (error != std::errc{} || number == 0 || !known || number > ~std::uint64_t{0} >> power) {
    refuse(option + " must be a whole number above 0 and below 2^64, got '" + std::string(text) + "'");
  }
  return number << power;
}

double rate(const std::string& option, const std::string& text) {
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (*end != '\0' || !(number > 0 && number < 1)) {
    refuse(option + " must be a number above 0 and below 1, got '" + text + "'");
  }
  return number;
}

Request parse(const std::vector<std::string>& arguments) {
  if (arguments.empty() || std::ranges::count(arguments, "--help") > 0) std::exit(std::fputs(usage, stdout) < 0);
  Request request;
  request.json = std::ranges::count(arguments, "--json") > 0;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& option = arguments[i];
    if (option == "--json") continue;
    if (option != "--keys" && option != "--memory" && option != "--fpr") refuse("no such argument: '" + option + "'");
    if (++i == arguments.size()) refuse(option + " needs a value, got none");
    if (option == "--keys") request.keys = whole_number(option, arguments[i], "");
    if (option == "--memory") request.memory = whole_number(option, arguments[i], "KMG");
    if (option == "--fpr") request.fpr = rate(option, arguments[i]);
  }
  const int given = request.keys.has_value() + request.memory.has_value() + request.fpr.has_value();
  if (given != 2) refuse("two of --keys, --fpr and --memory must be given, got " + std::to_string(given));
  return request;
}

template <class... Layouts>
std::vector<perhaps::Plan> plans_on(const Request& request) {
  if (!request.memory) return perhaps::plan_filters<Layouts...>({.keys = *request.keys, .fpr = *request.fpr});
  if (request.keys) return perhaps::plan_lowest_fpr<Layouts...>({.keys = *request.keys, .bytes = *request.memory});
  return perhaps::plan_most_keys<Layouts...>({.fpr = *request.fpr, .bytes = *request.memory});
}

constexpr const char* heading =
    "filter               layout                    keys         bytes  bits/key   k, f x b       rate  cache lines\n";
constexpr const char* row = "%-20s %-17s %12llu %13llu %9.2f %10s %10.3g %12.2f\n";
constexpr const char* object =
    "{\"filter\": \"%s\", \"layout\": \"%s\", \"keys\": %llu, \"bytes\": %llu, \"bits_per_key\": %.6g, "
    "\"shape\": \"%s\", \"fpr\": %.6g, \"cache_lines\": %.6g, \"hashes\": %u, \"fingerprint_bits\": %u, "
    "\"bucket_size\": %u}";

void print(const std::vector<perhaps::Plan>& plans, bool json) {
  constexpr const char* names[] = {"BloomFilter", "CountingBloomFilter", "CuckooFilter"};
  std::fputs(json ? "[" : heading, stdout);
  for (std::size_t i = 0; i < plans.size(); ++i) {
    const perhaps::Plan& plan = plans[i];
    std::string shape = std::to_string(plan.fingerprint_bits) + " x " + std::to_string(plan.bucket_size);
    if (plan.fingerprint_bits == 0) shape = std::to_string(plan.hashes);
    if (json && i > 0) std::fputs(",\n ", stdout);
    std::printf(json ? object : row, names[static_cast<int>(plan.kind)], std::string(plan.layout).c_str(),
                static_cast<unsigned long long>(plan.keys), static_cast<unsigned long long>(plan.bytes),
                plan.bits_per_key, shape.c_str(), plan.expected_fpr, plan.cache_lines, plan.hashes,
                plan.fingerprint_bits, plan.bucket_size);  // a row has no place for the last three
  }
  if (json) std::puts("]");
}

}  // namespace

int main(int count, char** values) {
  using namespace perhaps;
  const Request request = parse({values + 1, values + count});
  try {
    const auto plans = plans_on<Classic<>, Blocked<512>, SplitBlock<>, SplitBlock<32, 8>, SplitBlock<16, 8>>(request);
    print(plans, request.json);
    return plans.empty() ? 1 : 0;
  } catch (const std::exception& error) {  // such as a rate that no filter reaches
    refuse(error.what());
  }
}
