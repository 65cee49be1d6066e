// SPDX-License-Identifier: BSL-1.0
//
// BuiltinId: the number under which a policy of this library is known in stored filters. Policies of others declare
//
//     static constexpr std::uint32_t stored_id = 0x80000001;      // the highest bit set: never one of ours
//
// A type of its own, so that a number without that bit can't be taken for one of this library's.
#ifndef PERHAPS_STORED_POLICY_ID_HPP
#define PERHAPS_STORED_POLICY_ID_HPP

#include <perhaps/version.hpp>

#include <concepts>
#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

struct BuiltinId {
  std::uint32_t value;
};

// What reads and makes filters for the stored format (stored/storable.hpp, stored/kinds.hpp): their friends.
struct StoredAccess;

template <class F>
struct StoredKind;

template <class T>
concept HasBuiltinId = requires {
  { T::stored_id } -> std::same_as<const BuiltinId&>;
};

template <class T>
concept HasUserId = requires {
  { T::stored_id } -> std::same_as<const std::uint32_t&>;
};

template <class T>
concept HasStoredId = HasBuiltinId<T> || HasUserId<T>;

template <HasStoredId T>
consteval std::uint32_t stored_id_of() {
  if constexpr (HasBuiltinId<T>) {
    return T::stored_id.value;
  } else {
    return T::stored_id;
  }
}

// An adapter of T has T's id, if that has one.
template <class T>
struct AdaptedId {};

template <HasUserId T>
struct AdaptedId<T> {
  static constexpr std::uint32_t stored_id = T::stored_id;
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
