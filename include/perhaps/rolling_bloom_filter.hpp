// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// RollingBloomFilter: a filter that forgets. It answers "perhaps" for what was among the last N keys, for ever, in
/// memory that never grows: mempools, rate limits, and the removal of duplicates from endless streams.
///
///     [ oldest | older | newer | newest .. ]      g + 1 generations of N/g keys each; new keys go to the newest.
///          ^ dropped whole, as soon as the newest is full, and then the newest itself
///
/// Guarantee: the last N keys are found, whatever came before. Others are answered "perhaps" at the rate asked for at
/// most, and a key that does not come again is forgotten after N + N/g + 1 further ones, but for that rate. A key that
/// comes again counts as new, unless the newest generation says "perhaps" to it: so duplicates use up nothing.
///
/// With an age, a caller who tells the time by advance() has keys forgotten by age as well. A key is then found as long
/// as n/N + t/age is below 1, n keys and a time t after it came, and forgotten at t = age + age/g at the latest.
///
/// Memory, in bits per key of N at 1 %: 16.6 for g = 3. A cuckoo filter and a queue of 64-bit hashes, to know what to
/// erase, take 74; a counting filter and a queue, 102. One table of two-bit generation numbers, as in Bitcoin Core's
/// CRollingBloomFilter, takes 28.8 and answers by one lookup instead of four.
///
/// Threads: any number may read at once; writing needs exclusion, and advance() writes. Nothing is cached or hidden.
/// A moved-from filter has no generations: until it is assigned to, it says "perhaps" to everything, accepts nothing
/// and ignores the time.
#ifndef PERHAPS_ROLLING_BLOOM_FILTER_HPP
#define PERHAPS_ROLLING_BLOOM_FILTER_HPP

#include <perhaps/batch.hpp>
#include <perhaps/bloom_filter.hpp>
#include <perhaps/detail/argument.hpp>
#include <perhaps/detail/bare_numbers.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/hashing.hpp>
#include <perhaps/insertion.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/tiles.hpp>
#include <perhaps/layout/classic.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/scalable/access.hpp>
#include <perhaps/scalable/batch.hpp>
#include <perhaps/sizing.hpp>
#include <perhaps/version.hpp>
#include <perhaps/xxhash.hpp>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// What a filter that forgets is for.
struct RollingTarget {
  std::uint64_t keys = 0;    ///< N: the last N keys are found; 0 is taken as 1
  double fpr = 0;            ///< p, in (0, 1): the most that the rate of all generations together ever is
  unsigned generations = 3;  ///< g, from 1 to 64: the N keys are in g full generations, beside the one being filled
  std::uint64_t age = 0;     ///< in the units of advance(): how long keys are found, if few come; 0 for no limit

  /// Equal in every field.
  friend bool operator==(const RollingTarget&, const RollingTarget&) = default;
};

namespace detail {

inline bool is_rolling(const RollingTarget& target) noexcept {
  return is_rate(target.fpr) && target.generations >= 1 && target.generations <= 64;
}

// The keys and the rate of each generation: g + 1 of them, independent, have the rate p together.
inline BloomTarget generation_target(const RollingTarget& target) noexcept {
  const std::uint64_t keys = target.keys == 0 ? 1 : target.keys;
  const std::uint64_t g = target.generations;
  return {.keys = keys / g + (keys % g != 0 ? 1 : 0), .fpr = -expm1(log1p(-target.fpr) / static_cast<double>(g + 1))};
}

}  // namespace detail

/// The parameters of each of the g + 1 generations of a filter for this target. Throws std::invalid_argument for a rate
/// outside (0, 1), for generations that are not from 1 to 64, and like bloom_parameters().
template <class Layout = Classic<>>
BloomParameters rolling_parameters(const RollingTarget& target, unsigned digest_bits = 128)
    requires detail::exceptions_enabled {
  detail::demand_target_rate(target.fpr);
  detail::demand(target.generations >= 1 && target.generations <= 64, "generations", "from 1 to 64",
                 target.generations);
  return bloom_parameters<Layout>(detail::generation_target(target), digest_bits);
}

/// A Bloom filter of the last N keys, which forgets older ones generation by generation.
/// rolling_bloom_filter.hpp has the guarantee, with a picture, and says what threads may do.
template <class Key, class Hash = XxHash3, detail::LayoutArgument Layout = Classic<>>
class RollingBloomFilter : public BatchLookups<RollingBloomFilter<Key, Hash, Layout>, Key>,
                           public Insertions<RollingBloomFilter<Key, Hash, Layout>, Key> {
 public:
  using key_type = Key;                                    ///< The type of keys, in any spelling of key_encoding.hpp
  using hasher = Hash;                                     ///< The hash policy
  using layout = Layout;                                   ///< The layout of each generation
  using generation_type = BloomFilter<Key, Hash, Layout>;  ///< The filter of one generation

  /// A filter of the last target.keys keys, empty. Throws std::invalid_argument for a rate or a number of generations
  /// out of range, or a rate below what the hash can do; std::length_error, std::bad_alloc. O(m), for all memory that
  /// it ever takes.
  explicit RollingBloomFilter(const RollingTarget& target, Hash hash = Hash{}) requires detail::exceptions_enabled
      : target_(detail::within_memory(target)),
        generations_(std::size_t{1} + (target.generations <= 64 ? target.generations : 0),
                     generation_type(rolling_parameters<Layout>(target, Hash::digest_bits), std::move(hash))),
        room_(detail::generation_target(target).keys) {}

  /// The constructor for programs without exceptions, or for targets that come from outside: nothing where it throws.
  static std::optional<RollingBloomFilter> make(const RollingTarget& target, Hash hash = Hash{}) {
    if (!detail::is_rolling(target)) return std::nullopt;
    std::vector<generation_type> generations;
    for (unsigned i = 0; i <= target.generations; ++i) {
      auto generation = generation_type::make(detail::generation_target(target), hash);
      if (!generation) return std::nullopt;
      const auto added = detail::attempt([&]() -> std::optional<bool> {
        generations.push_back(*std::move(generation));
        return true;
      });
      if (!added) return std::nullopt;
    }
    return RollingBloomFilter(target, std::move(generations));
  }

  // Numbers without names do not compile, but for a sentence: write filter({.keys = 1000, .fpr = 0.01}).
  /// \cond
  template <class Never = void>
  explicit RollingBloomFilter(detail::BareNumber, detail::BareNumber = 0)
      : RollingBloomFilter(detail::explain_bare_numbers<RollingBloomFilter, Never>()) {}
  template <class... Never>
  requires(sizeof...(Never) == 0) explicit RollingBloomFilter(std::initializer_list<double>, Never...)
      : RollingBloomFilter(detail::explain_bare_numbers<RollingBloomFilter, Never...>()) {}
  /// \endcond

  RollingBloomFilter(const RollingBloomFilter&) = default;

  /// A copy. If memory lacks, or a copy of the hash policy throws, this filter is as it was. O(m).
  RollingBloomFilter& operator=(const RollingBloomFilter& other) {
    RollingBloomFilter copy(other);
    swap(*this, copy);
    return *this;
  }

  RollingBloomFilter(RollingBloomFilter&&) = default;

  /// Takes the other's memory, and gives its own away; the other then has none. Assigning a filter to itself changes
  /// nothing. O(g).
  RollingBloomFilter& operator=(RollingBloomFilter&& other) noexcept {
    RollingBloomFilter taken(std::move(other));
    swap(*this, taken);
    return *this;
  }

  ~RollingBloomFilter() = default;

  /// Exchanges the two. O(1).
  friend void swap(RollingBloomFilter& left, RollingBloomFilter& right) noexcept {
    left.generations_.swap(right.generations_);
    std::swap(left.target_, right.target_);
    std::swap(left.newest_, right.newest_);
    std::swap(left.room_, right.room_);
    std::swap(left.now_, right.now_);
    std::swap(left.opened_, right.opened_);
    std::swap(left.has_time_, right.has_time_);
  }

  using Insertions<RollingBloomFilter, Key>::insert;
  using Insertions<RollingBloomFilter, Key>::insert_range;

  /// Puts `key` among the last keys: a Key, in any spelling of key_encoding.hpp, or a digest made before by digest() of
  /// a filter with an equal hash policy. Always succeeds, and takes no memory. O(k), plus hashing, and O(m/g) when the
  /// oldest generation is dropped. Throws std::invalid_argument for a value that no Key has; without exceptions, such a
  /// value is not put in.
  template <class Q = Key, InstructionSet Isa = isa::Native>
  void insert(const Q& key) {
    if (generations_.empty()) return;
    detail::put_for<Key>(generations_.front().hash_policy(), key, false,
                         [this](Digest digest) { return insert_digest<Isa>(digest); });
  }

  /// False: `key`, which may be a digest made before, is certainly not among the last keys. True: perhaps. Hashes once,
  /// then asks the generations. O(k g), plus hashing.
  template <class Q = Key, InstructionSet Isa = isa::Native>
  [[nodiscard]] bool may_contain(const Q& key) const {
    if (generations_.empty()) return true;
    return detail::ask_for<Key>(generations_.front().hash_policy(), key, false,
                                [this](Digest digest) { return is_found<Isa>(digest); });
  }

  /// What may_contain(key) would have said, then insert(key): whether the key was perhaps seen lately. Throws like
  /// insert.
  template <class Q = Key, InstructionSet Isa = isa::Native>
  bool test_and_insert(const Q& key) {
    const bool found = may_contain<Q, Isa>(key);
    insert<Q, Isa>(key);
    return found;
  }

  /// insert(key) for every key of a range, or for every digest, in order. If one throws, those before it are in.
  template <KeyRange Keys, InstructionSet Isa = isa::Native>
  void insert_range(Keys&& keys) {
    for (auto&& key : keys) insert<detail::KeyIn<Keys>, Isa>(key);
  }

  /// Drops the oldest generation and begins a new one, full or not: for callers who forget by a rule of their own. A
  /// key is found until g + 1 rotations after it came, by whatever cause. O(m/g).
  void rotate() noexcept {
    if (generations_.empty()) return;
    newest_ = (newest_ + 1) % generations_.size();
    generations_[newest_].clear();
    room_ = detail::generation_target(target_).keys;
    opened_ = now_;
  }

  /// Tells the time, in units of the caller's choice, which are those of target().age: drops what has grown too old.
  /// The first call begins to count, so make it before the first key comes. Without an age it changes nothing but the
  /// time. O(1), and O(m/g) for each generation that is dropped. Throws std::invalid_argument for a time before that of
  /// the last call, and changes nothing then; without exceptions, it changes nothing.
  void advance(std::uint64_t now) {
    if (generations_.empty()) return;
    if (!has_time_) {
      has_time_ = true;
      now_ = now;
      opened_ = now;
      return;
    }
    if (now < now_) {
      if constexpr (detail::exceptions_enabled) {
        detail::fail<std::invalid_argument>("now must be at least the time of the last call, " + detail::show(now_) +
                                            ", got " + detail::show(now));
      }
      return;
    }
    if (target_.age != 0) {
      // Each generation is open for age/g, rounded up, so that g full ones have all keys of the last `age`.
      const std::uint64_t g = target_.generations;
      const std::uint64_t span = target_.age / g + (target_.age % g != 0 ? 1 : 0);
      const std::uint64_t passed = (now - opened_) / span;
      const std::uint64_t begun = now - (now - opened_) % span;
      for (std::uint64_t i = 0; i < passed && i < generations_.size(); ++i) rotate();
      if (passed != 0) opened_ = begun;
    }
    now_ = now;
  }

  /// The filters of all generations, in the order of memory: the newest is at newest().
  [[nodiscard]] std::span<const generation_type> generations() const& noexcept { return generations_; }
  void generations() const&& = delete;  ///< Those of a temporary are gone when the statement ends

  /// Which of generations() takes new keys. The one behind it, or the first behind the last, is the oldest.
  [[nodiscard]] std::size_t newest() const noexcept { return newest_; }

  /// What the filter was made for.
  [[nodiscard]] const RollingTarget& target() const noexcept { return target_; }

  /// The hash policy, with its seed if it has one. Precondition: this filter was not moved from.
  [[nodiscard]] const Hash& hash_policy() const noexcept { return generations_.front().hash_policy(); }

  /// Memory held for the bits, in bytes: it never changes. O(g).
  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t sum = 0;
    for (const auto& generation : generations_) sum += generation.bytes();
    return sum;
  }

  /// The false-positive rate now, from the bits set: 1 - (1 - p0) (1 - p1) .. over the generations. O(m).
  [[nodiscard]] double current_fpr() const noexcept {
    if (generations_.empty()) return 1;
    double absent = 1;
    for (const auto& generation : generations_) absent *= 1 - generation.current_fpr();
    return 1 - absent;
  }

  /// Whether no key is in. O(m).
  [[nodiscard]] bool empty() const noexcept {
    for (const auto& generation : generations_) {
      if (!generation.empty()) return false;
    }
    return true;
  }

  /// Forgets all keys; the time stays as it was told. O(m).
  void clear() noexcept {
    if (generations_.empty()) return;
    for (auto& generation : generations_) generation.clear();
    newest_ = 0;
    room_ = detail::generation_target(target_).keys;
    opened_ = now_;
  }

  /// Equal targets, hash policies, bits and times: the two will answer alike, whatever comes.
  friend bool operator==(const RollingBloomFilter& left, const RollingBloomFilter& right) noexcept {
    return left.target_ == right.target_ && left.newest_ == right.newest_ && left.room_ == right.room_ &&
           left.has_time_ == right.has_time_ && left.now_ == right.now_ && left.opened_ == right.opened_ &&
           left.generations_ == right.generations_;
  }

 private:
  friend class BatchLookups<RollingBloomFilter, Key>;
  friend struct detail::ChainAccess;

  RollingBloomFilter(const RollingTarget& target, std::vector<generation_type> generations) noexcept
      : target_(target), generations_(std::move(generations)), room_(detail::generation_target(target).keys) {}

  template <InstructionSet Isa>
  bool is_found(Digest digest) const noexcept {
    for (const auto& generation : generations_) {
      if (generation.template may_contain<Digest, Isa>(digest)) return true;
    }
    return false;
  }

  template <InstructionSet Isa>
  bool insert_digest(Digest digest) noexcept {
    if (generations_[newest_].template may_contain<Digest, Isa>(digest)) return true;
    if (room_ == 0) rotate();
    generations_[newest_].template insert<Digest, Isa>(digest);
    --room_;
    return true;
  }

  void prefetch_digest(Digest digest) const noexcept {
    for (const auto& generation : generations_) generation.prefetch(digest);
  }

  template <InstructionSet Isa, class Keys, class Answer>
  void answer_batch(Keys&& keys, Answer& answer) const {
    if (generations_.empty()) {
      std::size_t i = 0;
      for ([[maybe_unused]] auto&& key : keys) answer(i++, true);
      return;
    }
    detail::ChainBatch<generation_type>(generations_)
        .template answer<Isa>(keys, detail::digester<Key>(hash_policy()), answer);
  }

  RollingTarget target_;
  std::vector<generation_type> generations_;  // a ring: the oldest comes behind the newest
  std::size_t newest_ = 0;
  std::uint64_t room_ = 0;  // new keys that the newest generation takes
  std::uint64_t now_ = 0;
  std::uint64_t opened_ = 0;  // when the newest generation began
  bool has_time_ = false;
};

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
