// SPDX-License-Identifier: BSL-1.0
//
// Catch2 2.13 and 3 under one name. Tests use only macros that both have.
#ifndef PERHAPS_TESTS_SUPPORT_CATCH_HPP
#define PERHAPS_TESTS_SUPPORT_CATCH_HPP

#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
#else
#include <catch2/catch.hpp>
#endif

#endif
