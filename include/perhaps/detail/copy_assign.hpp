// SPDX-License-Identifier: BSL-1.0
//
// The assignment of a hash policy and of the words that were filled by it: both or none, for the words of one policy
// under another would deny their own keys. All filters copy by it.
#ifndef PERHAPS_DETAIL_COPY_ASSIGN_HPP
#define PERHAPS_DETAIL_COPY_ASSIGN_HPP

#include <perhaps/version.hpp>

#include <type_traits>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// The policy is copied first, and then moved if that can't throw; so an assignment that throws half-way, as of two
// members of which the second takes memory, is none of `hash`.
template <class Hash>
void assign_policy(Hash& hash, const Hash& other) {
  if constexpr (std::is_nothrow_copy_assignable_v<Hash> || !std::is_nothrow_move_assignable_v<Hash>) {
    hash = other;
  } else {
    hash = Hash(other);
  }
}

// What can throw comes before anything changes: memory for the words, then the policy. Storage that can copy words of
// equal size into the memory that it has does so, which takes none.
template <class Hash, class Words>
void copy_assign(Hash& hash, Words& words, const Hash& other_hash, const Words& other_words) {
  if constexpr (requires {
                  { words.copy_in_place(other_words) } noexcept;
                }) {
    if (words.size() == other_words.size()) {
      assign_policy(hash, other_hash);
      words.copy_in_place(other_words);
      return;
    }
  }
  Words copy(other_words);
  assign_policy(hash, other_hash);
  words = std::move(copy);
}

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
