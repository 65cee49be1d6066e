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

// The inline namespace that this unit sees, and whether it has exceptions.
std::string abi();
bool has_exceptions();

}  // namespace other

#endif
