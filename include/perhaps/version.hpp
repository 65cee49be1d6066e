// SPDX-License-Identifier: BSL-1.0
//
// The one place where the version is written: CMake reads the three numbers from here.
//
// Everything lives in `perhaps::inline v0`. The inline namespace changes whenever a hash value, a probe sequence or a
// stored byte changes, so two incompatible versions can't be mixed by accident. A program compiled without exceptions
// gets a namespace of its own: function bodies differ there, and sharing the names would break the one-definition rule.
#ifndef PERHAPS_VERSION_HPP
#define PERHAPS_VERSION_HPP

#define PERHAPS_VERSION_MAJOR 0
#define PERHAPS_VERSION_MINOR 1
#define PERHAPS_VERSION_PATCH 0

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
#define PERHAPS_ABI v0
#else
#define PERHAPS_ABI v0_without_exceptions
#endif

namespace perhaps::inline PERHAPS_ABI {

struct Version {
  int major;
  int minor;
  int patch;
};

inline constexpr Version version{PERHAPS_VERSION_MAJOR, PERHAPS_VERSION_MINOR, PERHAPS_VERSION_PATCH};

}  // namespace perhaps::inline PERHAPS_ABI

#endif
