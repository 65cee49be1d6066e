// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// ScalableFilter: a chain of filters for when nobody knows how many keys will come. When one is full, the next begins.
///
///     stage      0      1        2               3                            new keys go to the newest stage,
///              [full] [full] [  full  ] [ ....            ]  <- newest        lookups ask all, the newest first
///
/// Guarantee: a key that was inserted is found, and the rate of false positives stays at or below the one asked for,
/// for one key and for a billion: the rates of the stages add up to it (sizing/scalable.hpp). The price is memory and
/// time: grown a thousandfold, 1.7 times the bits of one filter of the right size at 1 %, and up to twice that just
/// after a stage was opened; a lookup of an absent key asks each of the stages, ten then.
///
/// Over a BloomFilter a stage is full when its bits say that it has reached its rate, so duplicates use up nothing, and
/// a key that an older stage takes for one of its own is not put in again: it is found there for ever.
///
/// Over a CuckooFilter a key always goes to the newest stage, since an older stage may hold only a fingerprint like
/// its own, which may be erased. A stage that refuses a key, or has reached its rate, hands over to one with room: an
/// older one that erases have emptied, or a new one. Give the fingerprints five bits more than one table would need.
/// A stage holds a key 2b times at most, b being the size of a bucket. While the newest is less than half full, further
/// copies are refused, so that memory stays in proportion to the keys put in.
///
/// Threads: any number may read at once; writing needs exclusion. Nothing is cached or hidden.
/// A moved-from chain has no stages: until it is assigned to, it says "perhaps" to everything and accepts nothing.
///
/// Almeida, Baquero, Preguiça and Hutchison, "Scalable Bloom Filters", 2007.
#ifndef PERHAPS_SCALABLE_FILTER_HPP
#define PERHAPS_SCALABLE_FILTER_HPP

#include <perhaps/batch.hpp>
#include <perhaps/detail/bare_numbers.hpp>
#include <perhaps/detail/copy_assign.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/digest.hpp>
#include <perhaps/hashing.hpp>
#include <perhaps/insertion.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/tiles.hpp>
#include <perhaps/scalable/access.hpp>
#include <perhaps/scalable/batch.hpp>
#include <perhaps/scalable/stage.hpp>
#include <perhaps/sizing/scalable.hpp>
#include <perhaps/version.hpp>

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
/// A chain of filters of type F for an unknown number of keys: it grows stage by stage, and its rate of false positives
/// never exceeds the one asked for. F is a BloomFilter on any layout or a CuckooFilter, whose keys can be erased.
/// scalable_filter.hpp has the guarantee, with a picture, the price, and says what threads may do.
template <class F>
class ScalableFilter : public BatchLookups<ScalableFilter<F>, typename F::key_type>,
                       public Insertions<ScalableFilter<F>, typename F::key_type> {
  using Stage = detail::StageTraits<F>;
  using Key = typename F::key_type;
  using Hash = typename F::hasher;
  static_assert(Stage::exists,
                "perhaps: a ScalableFilter is a chain of BloomFilter or of CuckooFilter: of counting filters, no one "
                "could tell which of two stages that say \"perhaps\" holds the key that is to be erased.");

 public:
  using key_type = Key;  ///< The type of keys, taken in any spelling of key_encoding.hpp
  using hasher = Hash;   ///< The hash policy
  using stage_type = F;  ///< The filters of the chain

  /// A chain of one stage, for target.keys keys. Throws std::invalid_argument for a rate, growth or tightening out of
  /// range, or a rate that is below what the hash or the fingerprints can do; std::length_error, std::bad_alloc. O(m).
  explicit ScalableFilter(const ScalableTarget& target, Hash hash = Hash{})
      requires(detail::exceptions_enabled && Stage::writes)
      : target_(checked(target)), hash_(std::move(hash)) {
    stages_.push_back(Stage::create(detail::scalable_stage(target_, 0), 0, hash_));
    room_ = Stage::room(stages_.back(), detail::scalable_stage(target_, 0));
  }

  /// The constructor without exceptions, for targets that come from outside: nothing where it throws.
  static std::optional<ScalableFilter> make(const ScalableTarget& target, Hash hash = Hash{}) requires(Stage::writes) {
    if (!detail::is_scalable(target)) return std::nullopt;
    auto first = Stage::make(detail::scalable_stage(target, 0), 0, hash);
    if (!first) return std::nullopt;
    return detail::attempt([&]() -> std::optional<ScalableFilter> {
      std::vector<F> stages;
      stages.push_back(*std::move(first));
      return ScalableFilter(target, 0, std::move(hash), std::move(stages));
    });
  }

  // Numbers without names do not compile, but for a sentence: write filter({.keys = 1000, .fpr = 0.01}).
  /// \cond
  template <class Never = void>
  explicit ScalableFilter(detail::BareNumber, detail::BareNumber = 0)
      : ScalableFilter(detail::explain_bare_numbers<ScalableFilter, Never>()) {}
  template <class... Never>
  requires(sizeof...(Never) == 0) explicit ScalableFilter(std::initializer_list<double>, Never...)
      : ScalableFilter(detail::explain_bare_numbers<ScalableFilter, Never...>()) {}
  /// \endcond

  ScalableFilter(const ScalableFilter&) = default;

  /// A copy. If memory lacks, or the hash policy's own assignment throws, this chain is as it was. O(m).
  ScalableFilter& operator=(const ScalableFilter& other) {
    std::vector<F> stages(other.stages_);
    detail::assign_policy(hash_, other.hash_);
    stages_.swap(stages);
    target_ = other.target_;
    index_ = other.index_;
    room_ = other.room_;
    return *this;
  }

  ScalableFilter(ScalableFilter&&) = default;

  /// Takes the memory of the other, which then has none. Assigning a chain to itself changes nothing. O(stages()).
  ScalableFilter& operator=(ScalableFilter&& other) noexcept(std::is_nothrow_move_assignable_v<Hash>) {
    if (this == &other) return *this;
    hash_ = std::move(other.hash_);
    stages_ = std::exchange(other.stages_, {});
    target_ = other.target_;
    index_ = other.index_;
    room_ = other.room_;
    return *this;
  }

  ~ScalableFilter() = default;

  /// Exchanges the two. O(1). If the hash policy's own swap throws, both are as they were.
  friend void swap(ScalableFilter& left, ScalableFilter& right) noexcept(std::is_nothrow_swappable_v<Hash>) {
    std::ranges::swap(left.hash_, right.hash_);
    left.stages_.swap(right.stages_);
    std::swap(left.target_, right.target_);
    std::swap(left.index_, right.index_);
    std::swap(left.room_, right.room_);
  }

  using Insertions<ScalableFilter, Key>::insert;
  using Insertions<ScalableFilter, Key>::insert_range;

  /// Puts `key` into the set: a Key, in any spelling of key_encoding.hpp, or a digest made before by digest() of a
  /// filter with an equal hash policy. Amortized O(k stages()), plus hashing, and O(m) when a stage is opened. Throws
  /// std::invalid_argument for a value that no Key has, and std::bad_alloc, std::length_error or std::invalid_argument
  /// if a next stage is needed and out of reach, std::length_error for a refused copy of a key: nothing has changed.
  template <class Q = Key, InstructionSet Isa = isa::Native>
  void insert(const Q& key) requires(detail::exceptions_enabled && Stage::writes) {
    detail::put_for<Key>(hash_, key, false, [this](Digest digest) { return insert_digest<Isa, true>(digest); });
  }

  /// insert() without exceptions: false, and nothing has changed, where that throws for want of a stage or for a copy,
  /// and, in programs without exceptions, for a value that no Key has.
  template <class Q = Key, InstructionSet Isa = isa::Native>
  [[nodiscard]] bool try_insert(const Q& key) requires(Stage::writes) {
    return detail::put_for<Key>(hash_, key, false, [this](Digest digest) { return insert_digest<Isa, false>(digest); });
  }

  /// False: `key`, which may be a digest made before, is certainly not in the set. True: perhaps. Hashes once, then
  /// asks the stages from the newest to the oldest until one says "perhaps". O(k stages()), plus hashing.
  template <class Q = Key, InstructionSet Isa = isa::Native>
  [[nodiscard]] bool may_contain(const Q& key) const {
    return detail::ask_for<Key>(hash_, key, false,
                                [this](Digest digest) { return stages_.empty() || is_found<Isa>(digest); });
  }

  /// What may_contain(key) would have said, then insert(key): false means that the key is new, certainly. Throws like
  /// insert.
  template <class Q = Key, InstructionSet Isa = isa::Native>
  bool test_and_insert(const Q& key) requires(detail::exceptions_enabled && Stage::writes && !Stage::erases) {
    const bool found = may_contain<Q, Isa>(key);
    insert<Q, Isa>(key);
    return found;
  }

  /// Takes `key`, which may be a digest made before, out once. False: nothing has changed. Either the key is certainly
  /// not in, or more than one stage has a fingerprint like it, and taking out the wrong one would make another key
  /// deniable: no key is ever lost, and a key that was put in once stays "perhaps" at most at the chain's rate. A key
  /// that was put in more than once may be in several stages, and then stays in. Precondition for true to mean what it
  /// says: the key was inserted. O(stages()).
  template <class Q = Key>
  bool erase(const Q& key) requires(Stage::erases) {
    return detail::ask_for<Key>(hash_, key, false, [this](Digest digest) {
      F* holder = nullptr;
      for (F& stage : stages_) {
        if (!stage.may_contain(digest)) continue;
        if (holder != nullptr) return false;
        holder = &stage;
      }
      if (holder == nullptr || !holder->erase(digest)) return false;
      if (holder == &stages_.back()) ++room_;
      return true;
    });
  }

  /// How many fingerprints match `key`, which may be a digest made before: as often as it is in, or more. O(stages()).
  template <class Q = Key>
  [[nodiscard]] std::uint64_t count(const Q& key) const requires(Stage::erases) {
    return detail::ask_for<Key>(hash_, key, std::uint64_t{0}, [this](Digest digest) {
      std::uint64_t matches = 0;
      for (const F& stage : stages_) matches += stage.count(digest);
      return matches;
    });
  }

  /// insert(key) for every key of a range, or for every digest, in order. If one throws, those before it are in.
  template <KeyRange Keys, InstructionSet Isa = isa::Native>
  void insert_range(Keys&& keys) requires(detail::exceptions_enabled && Stage::writes) {
    for (auto&& key : keys) insert<detail::KeyIn<Keys>, Isa>(key);
  }

  /// The filters of the chain, the oldest first; new keys go to the last.
  [[nodiscard]] std::span<const F> stages() const& noexcept { return stages_; }
  void stages() const&& = delete;  ///< Those of a temporary are gone when the statement ends

  /// What the chain was made for.
  [[nodiscard]] const ScalableTarget& target() const noexcept { return target_; }

  /// The hash policy, with its seed if it has one.
  [[nodiscard]] const Hash& hash_policy() const noexcept { return hash_; }

  /// Memory held for bits and fingerprints, in bytes. O(stages()).
  [[nodiscard]] std::size_t bytes() const noexcept {
    std::size_t sum = 0;
    for (const F& stage : stages_) sum += stage.bytes();
    return sum;
  }

  /// The false-positive rate now: 1 - (1 - p0) (1 - p1) .., from the stages' own. O(m), for cuckoo filters O(stages()).
  [[nodiscard]] double current_fpr() const noexcept {
    if (stages_.empty()) return 1;
    double absent = 1;
    for (const F& stage : stages_) absent *= 1 - stage.current_fpr();
    return 1 - absent;
  }

  /// How many distinct keys are in, estimated from the bits set. Keys that were taken for ones of an older stage are
  /// not in it, a share of at most the rate. O(m).
  [[nodiscard]] double estimated_size() const noexcept requires(!Stage::erases) {
    if (stages_.empty()) return detail::endless();
    double sum = 0;
    for (const F& stage : stages_) sum += stage.estimated_size();
    return sum;
  }

  /// Fingerprints in the chain: inserts less successful erases. O(stages()).
  [[nodiscard]] std::uint64_t size() const noexcept requires(Stage::erases) {
    std::uint64_t sum = 0;
    for (const F& stage : stages_) sum += stage.size();
    return sum;
  }

  /// Whether no key is in. O(m), for cuckoo filters O(stages()).
  [[nodiscard]] bool empty() const noexcept {
    for (const F& stage : stages_) {
      if (!stage.empty()) return false;
    }
    return true;
  }

  /// Takes all keys out: the chain is as it was made, with its first stage only. O(m).
  void clear() noexcept requires(Stage::writes) {
    if (stages_.empty()) return;
    stages_.erase(stages_.begin() + 1, stages_.end());
    stages_.front().clear();
    index_ = 0;
    room_ = Stage::room(stages_.front(), newest_stage());
  }

  /// Whether the two can be united: equal targets and hash policies.
  template <class G>
  [[nodiscard]] bool is_compatible(const ScalableFilter<G>& other) const noexcept {
    return target_ == other.target() && detail::same_policy(hash_, other.hash_policy());
  }

  /// The union: "perhaps" for what either says "perhaps" to. It has the stages of both, so that its rate is at most the
  /// sum of theirs; equal stages once, and the two newest as one if all of their keys fit into it. O(m) for each pair.
  /// Throws std::invalid_argument if targets or hash policies differ, std::bad_alloc; both are unchanged then.
  ScalableFilter& operator|=(const ScalableFilter& other)
      requires(detail::exceptions_enabled && Stage::writes && !Stage::erases) {
    check_compatible(other);
    unite(other);
    return *this;
  }

 private:
  friend class BatchLookups<ScalableFilter, Key>;
  friend struct detail::ChainAccess;

  // Precondition: `stages` is not empty, and the last is the one that was opened as stage `index`.
  ScalableFilter(const ScalableTarget& target, std::uint64_t index, Hash hash, std::vector<F> stages)
      : target_(target), index_(index), hash_(std::move(hash)), stages_(std::move(stages)) {
    if constexpr (Stage::erases) room_ = Stage::room(stages_.back(), newest_stage());
  }

  static const ScalableTarget& checked(const ScalableTarget& target) {
    detail::demand_scalable(target);
    detail::demand_memory_for(target.keys);
    return target;
  }

  ScalableStage newest_stage() const noexcept { return detail::scalable_stage(target_, index_); }

  template <InstructionSet Isa>
  bool is_found(Digest digest) const noexcept {
    for (std::size_t i = stages_.size(); i-- > 0;) {
      if (stages_[i].template may_contain<Digest, Isa>(digest)) return true;
    }
    return false;
  }

  // Opens the next stage. False if that fails, or an exception if it may throw: nothing has changed then.
  template <bool MayThrow>
  bool open() {
    const auto next = detail::scalable_stage(target_, index_ + 1);
    if constexpr (MayThrow) {
      stages_.push_back(Stage::create(next, index_ + 1, hash_));
    } else {
      auto stage = Stage::make(next, index_ + 1, hash_);
      if (!stage) return false;
      const auto added = detail::attempt([&]() -> std::optional<bool> {
        stages_.push_back(*std::move(stage));
        return true;
      });
      if (!added) return false;
    }
    ++index_;
    room_ = Stage::room(stages_.back(), next);
    return true;
  }

  template <InstructionSet Isa, bool MayThrow>
  bool insert_digest(Digest digest) {
    if (stages_.empty()) {
      if constexpr (MayThrow) detail::fail_moved_from("insert");
      return false;
    }
    if constexpr (Stage::erases) {
      return insert_fingerprint<MayThrow>(digest);
    } else {
      if (is_found<Isa>(digest)) return true;
      // Read before the key goes in, so that a stage that can't be opened leaves the chain as it was.
      if (room_ == 0) room_ = Stage::room(stages_.back(), newest_stage());
      if (room_ == 0 && !open<MayThrow>()) return false;
      stages_.back().template insert<Digest, Isa>(digest);
      --room_;
      return true;
    }
  }

  template <bool MayThrow>
  bool insert_fingerprint(Digest digest) {
    if (room_ > 0 && stages_.back().insert(digest)) {
      --room_;
      return true;
    }
    // Erases may have made room in an older stage; no stage was united, so each has its position as its index.
    for (std::size_t i = stages_.size() - 1; i-- > 0;) {
      const bool has_room = Stage::room(stages_[i], detail::scalable_stage(target_, i));
      if (has_room && stages_[i].insert(digest)) return true;
    }
    if (room_ > 0 && Stage::is_crowded(stages_.back(), newest_stage(), digest)) {
      if constexpr (MayThrow) Stage::fail_crowded(stages_.back(), digest);
      return false;
    }
    if (!open<MayThrow>() || !stages_.back().insert(digest)) return false;
    --room_;
    return true;
  }

  void check_compatible(const ScalableFilter& other) const {
    const auto differ = [](const char* name, double left, double right) {
      if (detail::equals(left, right)) return;
      detail::fail<std::invalid_argument>(std::string("|=: ") + name + " differ: " + detail::show(left) + " and " +
                                          detail::show(right));
    };
    if (target_.keys != other.target_.keys) {
      detail::fail<std::invalid_argument>("|=: keys differ: " + detail::show(target_.keys) + " and " +
                                          detail::show(other.target_.keys));
    }
    differ("fpr", target_.fpr, other.target_.fpr);
    differ("growth", target_.growth, other.target_.growth);
    differ("tightening", target_.tightening, other.target_.tightening);
    if (!detail::same_policy(hash_, other.hash_)) {
      detail::fail<std::invalid_argument>("|=: hash policies differ");
    }
  }

  // The stages of the chain that has grown less far come first, so that new keys go on in the larger newest stage.
  void unite(const ScalableFilter& other) {
    if (other.stages_.empty() || stages_.empty()) detail::fail_moved_from("|=");
    const bool is_longer = index_ >= other.index_;
    const ScalableFilter& longer = is_longer ? *this : other;
    const ScalableFilter& shorter = is_longer ? other : *this;
    // The first stage of a chain is the one that was opened first: what clear() leaves.
    const std::size_t first = longer.stages_.size() > 1 ? 1 : 0;
    std::vector<F> stages(longer.stages_.begin(), longer.stages_.begin() + static_cast<std::ptrdiff_t>(first));
    std::optional<F> newest;
    if (shorter.index_ == longer.index_) {
      const double keys = shorter.stages_.back().estimated_size() + longer.stages_.back().estimated_size();
      if (keys <= static_cast<double>(newest_stage().keys)) newest = shorter.stages_.back();
    }
    const std::size_t united = newest ? 1 : 0;
    for (std::size_t i = 0; i + united < shorter.stages_.size(); ++i) {
      bool known = false;
      for (const F& stage : longer.stages_) known = known || stage == shorter.stages_[i];
      if (!known) stages.push_back(shorter.stages_[i]);
    }
    stages.insert(stages.end(), longer.stages_.begin() + static_cast<std::ptrdiff_t>(first), longer.stages_.end());
    if (newest) static_cast<void>(stages.back().try_unite(*newest));
    stages_.swap(stages);
    index_ = longer.index_;
    room_ = 0;
  }

  void prefetch_digest(Digest digest) const noexcept {
    for (const F& stage : stages_) stage.prefetch(digest);
  }

  template <InstructionSet Isa, class Keys, class Answer>
  void answer_batch(Keys&& keys, Answer& answer) const {
    detail::ChainBatch<F>(stages_).template answer<Isa>(keys, detail::digester<Key>(hash_), answer);
  }

  ScalableTarget target_;
  std::uint64_t index_ = 0;  // of the newest stage, counted from the first that was opened
  [[no_unique_address]] Hash hash_;
  std::vector<F> stages_;
  std::uint64_t room_ = 0;  // new keys that the newest stage takes before its bits must be read; 0: to be found out
};

/// Equal targets, hash policies and stages, over any storage.
template <class F, class G>
bool operator==(const ScalableFilter<F>& left, const ScalableFilter<G>& right) noexcept {
  if (!left.is_compatible(right) || left.stages().size() != right.stages().size()) return false;
  for (std::size_t i = 0; i < left.stages().size(); ++i) {
    if (!(left.stages()[i] == right.stages()[i])) return false;
  }
  return true;
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
