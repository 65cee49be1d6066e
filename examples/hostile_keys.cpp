// SPDX-License-Identifier: BSL-1.0
//
// Keys chosen by an attacker. A proxy asks a filter for pages that are in a slow store; an attacker who wants to wear
// the store out asks for pages that are not there and that the filter says "perhaps" to. With the library's source and
// the seed such pages are found offline, by building a filter of the same keys; under a secret key they are not.
#include <perhaps/perhaps.hpp>

#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr int pages = 10'000;
constexpr std::size_t wanted = 10'000;

std::string page(int number) { return "page " + std::to_string(number); }

template <class Hash>
using Filter = perhaps::BloomFilter<std::string, Hash>;

template <class Hash>
Filter<Hash> filter_of_pages(Hash hash) {
  Filter<Hash> filter({.keys = pages, .fpr = 0.01}, hash);
  for (int i = 0; i < pages; ++i) filter.insert(page(i));
  return filter;
}

// What the attacker does at home: invents pages, and keeps those to which a filter of their own says "perhaps".
template <class Hash>
std::vector<std::string> crafted_pages(const Filter<Hash>& own) {
  std::vector<std::string> crafted;
  for (int i = pages; crafted.size() < wanted; ++i) {
    if (own.may_contain(page(i))) crafted.push_back(page(i));
  }
  return crafted;
}

template <class Hash>
double share_that_passes(const Filter<Hash>& filter, const std::vector<std::string>& asked) {
  std::size_t passed = 0;
  for (const std::string& name : asked) passed += filter.may_contain(name) ? 1U : 0U;
  return static_cast<double>(passed) / static_cast<double>(asked.size());
}

}  // namespace

int main() {
  // The pages are public and the seed is the default, or leaked with a file: so the attacker has the filter itself.
  const auto seeded = filter_of_pages(perhaps::XxHash3());
  const double with_seed = share_that_passes(seeded, crafted_pages(filter_of_pages(perhaps::XxHash3())));

  // In earnest, 16 bytes from the operating system's source of random numbers; here fixed, so that each run prints the
  // same. The attacker knows pages, sizes and source code, and has to guess the key.
  const auto keyed = filter_of_pages(perhaps::SipHash(0x0DDC0FFEE0DDF00DU, 0x0123456789ABCDEFU));
  const double with_key = share_that_passes(keyed, crafted_pages(filter_of_pages(perhaps::SipHash(1, 2))));

  std::cout << "Seeded: " << with_seed * 100 << " % of the crafted pages pass\n"
            << "Keyed: " << with_key * 100 << " % of the crafted pages pass, where 1 % pass by chance\n";
  return with_seed == 1 && with_key < 0.02 ? 0 : 1;
}
