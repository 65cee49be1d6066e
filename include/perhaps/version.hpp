// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// The one place where the version is written: CMake reads the three numbers from here.
///
/// Everything lives in `perhaps::inline v0`. The inline namespace changes whenever a hash value, a probe sequence or a
/// stored byte changes, so two incompatible versions can't be mixed by accident. A program compiled without exceptions
/// gets a namespace of its own: function bodies differ there, and sharing names would break the one-definition rule.
#ifndef PERHAPS_VERSION_HPP
#define PERHAPS_VERSION_HPP

// Every header includes this one before any other, so this is the first thing that an older language meets.
#if !defined(__cplusplus) || (defined(_MSVC_LANG) ? _MSVC_LANG : __cplusplus) <= 201703L
#error "perhaps needs C++20: compile with -std=c++20 or later (Visual C++: /std:c++20)"
#include <perhaps needs C++20>  // There is no such file: nothing that follows would be any help.
#endif

/// 0: minor versions may still break.
#define PERHAPS_VERSION_MAJOR 0
/// Rises with what is added, and while major is 0 with what breaks.
#define PERHAPS_VERSION_MINOR 1
/// Rises with corrections.
#define PERHAPS_VERSION_PATCH 0

/// The name of the inline namespace, which users need not write.
#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define PERHAPS_ABI v0
#else
#define PERHAPS_ABI v0_without_exceptions
#endif

/// All of the library.
namespace perhaps {
inline namespace PERHAPS_ABI {

/// A version of this library, in numbers that a program can compare.
struct Version {
  int major;  ///< As PERHAPS_VERSION_MAJOR
  int minor;  ///< As PERHAPS_VERSION_MINOR
  int patch;  ///< As PERHAPS_VERSION_PATCH
};

/// The version of the headers that this translation unit was compiled with.
inline constexpr Version version{PERHAPS_VERSION_MAJOR, PERHAPS_VERSION_MINOR, PERHAPS_VERSION_PATCH};

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
