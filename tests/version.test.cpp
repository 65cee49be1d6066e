// SPDX-License-Identifier: BSL-1.0
//
// The version that CMake read is the header's, and the inline namespace is pinned. A red static_assert means that a
// hash value, a probe sequence or stored bytes changed on purpose: raise the version with it.
#include <perhaps/perhaps.hpp>

#include <concepts>
#include <string>

#include "support/catch.hpp"

static_assert(std::same_as<perhaps::BloomFilter<int>, perhaps::v0::BloomFilter<int>>);

TEST_CASE("one version, whoever is asked") {
  CHECK(std::to_string(perhaps::version.major) + "." + std::to_string(perhaps::version.minor) + "." +
            std::to_string(perhaps::version.patch) ==
        PERHAPS_TEST_VERSION);
}
