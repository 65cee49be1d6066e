// SPDX-License-Identifier: BSL-1.0
//
// What the second translation unit offers. No type of perhaps: with and without exceptions, they are different types.
#ifndef PERHAPS_TESTS_CONSUME_PLAIN_OTHER_HPP
#define PERHAPS_TESTS_CONSUME_PLAIN_OTHER_HPP

#include <cstdint>
#include <string>

namespace other {

bool filters_work();
std::uint64_t digest(const std::string& key);

}  // namespace other

#endif
