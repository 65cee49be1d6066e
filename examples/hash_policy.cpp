// SPDX-License-Identifier: BSL-1.0
//
// A hash policy of one's own: FNV-1a and djb2 of a text as the two hashes. One struct, one operator(), for every kind
// of key: integers come as eight bytes, tuples field by field.
#include <perhaps/perhaps.hpp>

#include <cstdint>
#include <iomanip>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>

namespace {

struct FnvAndDjb2 {
  static constexpr unsigned digest_bits = 64;  // an honest guess for two simple hashes of the same bytes

  perhaps::Digest operator()(std::string_view text) const {
    std::uint64_t fnv = 0xCBF29CE484222325U;
    std::uint64_t djb = 5381;
    for (const char letter : text) {
      const auto byte = static_cast<unsigned char>(letter);
      fnv = (fnv ^ byte) * 0x100000001B3U;
      djb = djb * 33 + byte;
    }
    // Filters read the high bits first, and those of djb2 hardly move for short texts: mixed further, and made odd.
    return {perhaps::mix_word(fnv, 1).g, perhaps::mix_word(djb, 2).g | 1U};
  }
};

// A hash that another library brings is adapted: MixedHash spreads it and states how many bits it has.
using Adapted = perhaps::MixedHash<std::hash<std::string>>;

template <class Filter>
double measured_rate(Filter filter) {
  for (int i = 0; i < 10'000; ++i) filter.insert("key " + std::to_string(i));
  int found = 0;
  for (int i = 10'000; i < 110'000; ++i) found += filter.may_contain("key " + std::to_string(i)) ? 1 : 0;
  return found / 100'000.0;
}

}  // namespace

int main() {
  const double own = measured_rate(perhaps::BloomFilter<std::string, FnvAndDjb2>({.keys = 10'000, .fpr = 0.01}));
  const double adapted = measured_rate(perhaps::BloomFilter<std::string, Adapted>({.keys = 10'000, .fpr = 0.01}));
  std::cout << std::setprecision(1) << "Rate asked for: 0.01, with FNV-1a and djb2: " << own
            << ", with std::hash: " << adapted << '\n';

  perhaps::BloomFilter<std::pair<std::string, int>, FnvAndDjb2> pairs({.keys = 100, .fpr = 0.01});
  pairs.insert(std::pair("page", 7));
  std::cout << "(page, 7): " << pairs.may_contain(std::pair("page", 7)) << '\n';
  return own < 0.013 && adapted < 0.013 && pairs.may_contain(std::pair(std::string_view("page"), 7L)) ? 0 : 1;
}
