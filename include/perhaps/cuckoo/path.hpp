// SPDX-License-Identifier: BSL-1.0
//
// The shortest chain of moves that frees a slot for a new fingerprint, found before anything is moved.
//
//     i1 [a b c d]      i2 [e f g h]           both full: the two roots
//          |  |  |  |        |  |  |  |
//         [....]            [.. . _]           a's, b's, ... other buckets: the first with room ends the search
//
// Breadth-first, so the chain is as short as can be and no bucket occurs in it twice (the part between the two
// occurrences could be left out). Bounded, so a refusal costs a bounded time; and a refusal has moved nothing.
#ifndef PERHAPS_CUCKOO_PATH_HPP
#define PERHAPS_CUCKOO_PATH_HPP

#include <perhaps/version.hpp>

#include <array>
#include <cstddef>
#include <cstdint>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

template <class Table, unsigned Slots>
class CuckooPath {
 public:
  // Full buckets kept before giving up. Four times as many raise the load at the first refusal by 0.002 (b = 4) or
  // 0.004 (b = 2), and the time of every refusal by four.
  static constexpr std::size_t max_nodes = 1024;

  // Frees a slot in bucket `left` or `right`, both full, and puts `fingerprint` there. False if no chain was found;
  // nothing has changed then. `other(bucket, fingerprint)` is a fingerprint's second bucket.
  template <class Other>
  static bool insert(Table table, std::uint64_t left, std::uint64_t right, std::uint32_t fingerprint, Other other) {
    std::array<Node, max_nodes> nodes;  // not initialized: 1024 nodes cost more than most searches
    std::size_t count = 0;
    nodes[count++] = {left, 0, 0};
    if (right != left) nodes[count++] = {right, 0, 0};
    const std::size_t roots = count;
    for (std::size_t head = 0; head < count; ++head) {
      const std::uint64_t bucket = nodes[head].bucket;
      for (unsigned slot = 0; slot < Slots; ++slot) {
        const std::uint32_t resident = table.get(bucket, slot);
        const std::uint64_t next = other(bucket, resident);
        if (table.put(next, resident)) {
          vacate(table, nodes, roots, head, slot, fingerprint);
          return true;
        }
        // The roots are in the queue already; copies of one key lead nowhere else.
        if (count < max_nodes && next != left && next != right) {
          nodes[count++] = {next, static_cast<std::uint16_t>(head), static_cast<std::uint16_t>(slot)};
        }
      }
    }
    return false;
  }

 private:
  // A full bucket, and which slot of which bucket before it moves here.
  struct Node {
    std::uint64_t bucket;
    std::uint16_t parent;
    std::uint16_t slot;
  };

  // The resident of `slot` in the bucket of nodes[at] has a copy in its other bucket: pulls the rest of the chain up,
  // ending with `fingerprint` in a root.
  static void vacate(Table table, const std::array<Node, max_nodes>& nodes, std::size_t roots, std::size_t at,
                     unsigned slot, std::uint32_t fingerprint) {
    while (at >= roots) {
      const Node& node = nodes[at];
      table.set(node.bucket, slot, table.get(nodes[node.parent].bucket, node.slot));
      slot = node.slot;
      at = node.parent;
    }
    table.set(nodes[at].bucket, slot, fingerprint);
  }
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
