// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// ConcurrentBloomFilter: a BloomFilter that any number of threads insert into and ask at once, without locks.
///
///     ConcurrentBloomFilter<std::string> seen({.keys = 1'000'000, .fpr = 0.01});
///     seen.insert("owl");                            // on any thread
///     if (!seen.test_and_insert("fox")) handle();    // on many threads: one of them handles the fox
///
/// It is BloomFilter over AtomicWords, so it has the whole interface of that class, every layout, and the same bits for
/// the same keys, in whatever order the threads put them in.
///
/// **What is found.** If an insert of a key happened before a lookup of it, the lookup finds it. "Happened before" is
/// meant as in C++: on one thread, or by anything that synchronises two, such as joining a thread, a mutex, or a flag
/// that is stored with release and loaded with acquire order. A lookup that runs beside the insert says either. Once a
/// lookup has said "perhaps", every later one does. A positive answer carries no message: what the inserting thread
/// wrote elsewhere before is not visible for it.
///
/// **Racing test_and_insert.** Of several calls with one new key, at most one returns false ("it was new"), and the key
/// is in when any of them returns. So each key of a stream is handled at most once, whatever the number of threads. All
/// of them return true if the key is a false positive, or becomes one by insert() of this key while they run, or if
/// another key's insert sets, between the look of a call and its write, the one bit that decides who was first. The
/// last has a probability of about (T - 1) k / m for each new key when T threads insert: at most 0.7 (T - 1) keys in
/// all while the filter is filled to its n. Layouts of one's own that set bits by calls of test_and_set(i, mask)
/// promise less: at least one call returns false.
///
/// **What may run at once.** insert, test_and_insert, insert_range, may_contain, may_contain_range, `|=` into this
/// filter, and from it into another, digest, bits(), hashes(), bytes(), the counts and estimates, copies of it, and
/// saving. Counts, copies and saved bytes are of a state in between: they have every key whose insert happened before.
/// To be done while no other thread uses the filter: assignment, moves, swap, clear, `&=`. While no other thread
/// writes: words(), `==`, folding, and estimates of two sets, which read the words as plain memory; give them a copy,
/// `BloomFilter<std::string>(seen)`.
///
/// **Plain filters.** `BloomFilter<std::string> plain(std::move(seen))` and
/// `ConcurrentBloomFilter<std::string> seen(std::move(plain))` take the words along, in O(1). Saved bytes are those of
/// the plain filter.
///
/// **Processes.** `ConcurrentBloomFilter<Key, Hash, Layout, BorrowedAtomicWords>` lies over memory that is there
/// already. Two processes that have mapped the same memory, and make such a filter over it with equal parameters and
/// hash policy, share one filter (examples/shared_memory.cpp). Operations are lock-free, so a process that is killed
/// leaves nothing locked; a key that it was inserting may be in by half, which is not found.
#ifndef PERHAPS_CONCURRENT_BLOOM_FILTER_HPP
#define PERHAPS_CONCURRENT_BLOOM_FILTER_HPP

#include <perhaps/bloom_filter.hpp>
#include <perhaps/layout/classic.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/storage/atomic_words.hpp>
#include <perhaps/version.hpp>
#include <perhaps/xxhash.hpp>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// A Bloom filter that any number of threads insert into and ask at once, without locks: concurrent_bloom_filter.hpp
/// says what they may rely on. `Words` is AtomicWords, or BorrowedAtomicWords for memory that is there already, such as
/// memory that processes share.
template <class Key, class Hash = XxHash3, detail::LayoutArgument Layout = Classic<>,
          ConcurrentStorage Words = AtomicWords>
using ConcurrentBloomFilter = BloomFilter<Key, Hash, Layout, Words>;

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
