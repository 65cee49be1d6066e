// SPDX-License-Identifier: BSL-1.0
//
// What the translation unit with the hostile macros offers to the other one.
#ifndef PERHAPS_TESTS_ODR_HOSTILE_HPP
#define PERHAPS_TESTS_ODR_HOSTILE_HPP

#include <perhaps/perhaps.hpp>

#include <cstdint>
#include <string>

namespace odr {

perhaps::BloomFilter<std::string> hostile_filter();
bool hostile_may_contain(const perhaps::BloomFilter<std::string>& filter, const std::string& key);
perhaps::Digest hostile_digest(const std::string& key);
std::uint64_t hostile_count(const std::string& key, unsigned times);
perhaps::BloomParameters hostile_parameters(std::uint64_t keys, double fpr);

}  // namespace odr

#endif
