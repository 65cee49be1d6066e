// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// CountingBloomFilter: a Bloom filter that can also take keys out. A small counter stands in for each bit:
///
///     insert("owl")          adds 1 to k counters           ..1.....1..........1....
///     insert("fox")          where they share one, 2        ..1..1..2..........1..1.
///     erase("owl")           takes 1 from each of its k     .....1..1.............1.      "fox" is still found
///
/// Guarantee: a key that was inserted, and not erased as often, is always found, provided that only keys that are in
/// are ever erased. Rates are those of BloomFilter with as many bits; memory is CounterBits times that.
///
/// Erasing an absent key: erase refuses whatever is certainly not in. But a false positive looks like a key, and
/// erasing it takes counts from others, which may then be denied. No filter can tell: erase only what was inserted.
///
/// Saturation: a counter that reaches 2^CounterBits - 1 has lost count and sticks there for ever, through erase and +=.
/// So no key is ever denied for it; its positions just stay "perhaps". saturated_counters() counts them. Widths:
/// sizing/counting.hpp.
///
/// A key whose probes coincide on a position adds 1 there for each of them, and takes as much away: as long as nothing
/// is saturated, inserting and erasing keys in any order restores the counters exactly.
///
/// Threads: any number may read at once; writing needs exclusion. Nothing is cached or hidden.
/// A moved-from filter has no counters: until it is assigned to, it says "perhaps" to everything, counts 0, erases
/// nothing.
///
/// Fan, Cao, Almeida and Broder, "Summary Cache: A Scalable Wide-Area Web Cache Sharing Protocol", 2000.
#ifndef PERHAPS_COUNTING_BLOOM_FILTER_HPP
#define PERHAPS_COUNTING_BLOOM_FILTER_HPP

#include <perhaps/batch.hpp>
#include <perhaps/bloom_filter.hpp>
#include <perhaps/cardinality.hpp>
#include <perhaps/detail/bare_numbers.hpp>
#include <perhaps/detail/copy_assign.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/detail/packed_counters.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/detail/to_size.hpp>
#include <perhaps/detail/zero_on_move.hpp>
#include <perhaps/hashing.hpp>
#include <perhaps/insertion.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/counter_batch.hpp>
#include <perhaps/layout/classic.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/sizing.hpp>
#include <perhaps/sizing/bloom_geometry.hpp>
#include <perhaps/sizing/counting.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/stored/policy_id.hpp>
#include <perhaps/version.hpp>
#include <perhaps/xxhash.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// A Bloom filter of counters, so that keys can be taken out again. counting_bloom_filter.hpp has the guarantee.
template <class Key, unsigned CounterBits = 4, class Hash = XxHash3, detail::LayoutArgument Layout = Classic<>>
class CountingBloomFilter : public BatchLookups<CountingBloomFilter<Key, CounterBits, Hash, Layout>, Key>,
                            public Insertions<CountingBloomFilter<Key, CounterBits, Hash, Layout>, Key> {
  static_assert(detail::explain<Key, Hash>());
  static_assert(detail::explain_layout<Hash, Layout>());
  static_assert(
      CounterBits == 2 || CounterBits == 4 || CounterBits == 8 || CounterBits == 16,
      "perhaps: CounterBits is the width of a counter: 2, 4, 8 or 16 bits, so that counters fill 64-bit words "
      "without a rest.");
  static_assert(CellLayout<Layout>,
                "perhaps: counters need a layout that places them one by one: Classic, Blocked or SplitBlock<16, 8>. "
                "Other split blocks set all bits of a key at once.");
  using Counters = detail::PackedCounters<CounterBits>;
  using Operations = detail::CounterByCounter<Layout, CounterBits>;

 public:
  using key_type = Key;   ///< The type of keys, taken in any spelling of key_encoding.hpp
  using hasher = Hash;    ///< The hash policy
  using layout = Layout;  ///< The layout: where the positions of a key are

  static constexpr unsigned counter_bits = CounterBits;          ///< The width of a counter
  static constexpr std::uint64_t max_count = Counters::maximum;  ///< The most that a counter shows: it sticks there

  /// Room for target.keys distinct keys at a false-positive rate of at most target.fpr: m and k of a BloomFilter.
  /// Throws std::invalid_argument for a rate outside (0, 1) or below what the hash can do, std::length_error for more
  /// counters than this platform can address, std::bad_alloc. O(m).
  explicit CountingBloomFilter(BloomTarget target, Hash hash = Hash{}) requires detail::exceptions_enabled
      : CountingBloomFilter(
            detail::to_counting(bloom_parameters<Layout>(detail::within_memory(target), Hash::digest_bits)),
            std::move(hash)) {}

  /// Exactly parameters.counters counters and parameters.hashes hashes. Throws std::invalid_argument for counters that
  /// are 0 or no whole blocks, and for hashes that the layout does not take; std::length_error, std::bad_alloc. O(m).
  explicit CountingBloomFilter(const CountingParameters& parameters, Hash hash = Hash{})
      requires detail::exceptions_enabled
      : hash_(std::move(hash)),
        counters_(checked(parameters).counters),
        hashes_(parameters.hashes),
        words_(detail::to_size(words_for(counters_))) {}

  /// The constructors for programs without exceptions, or for sizes that come from outside: nothing where those throw.
  static std::optional<CountingBloomFilter> make(BloomTarget target, Hash hash = Hash{}) {
    const auto parameters = try_bloom_parameters<Layout>(target, Hash::digest_bits);
    if (!parameters) return std::nullopt;
    return make(detail::to_counting(*parameters), std::move(hash));
  }

  /// A filter of exactly these parameters, or nothing where the constructor throws or memory lacks. O(m).
  static std::optional<CountingBloomFilter> make(const CountingParameters& parameters, Hash hash = Hash{}) {
    const bool valid = detail::valid_geometry<Layout>(parameters.counters, parameters.hashes);
    if (!valid || !addressable(parameters.counters)) return std::nullopt;
    auto words = OwnedWords::make(detail::to_size(words_for(parameters.counters)));
    if (!words) return std::nullopt;
    return detail::attempt([&]() -> std::optional<CountingBloomFilter> {
      return CountingBloomFilter(parameters, std::move(hash), *std::move(words));
    });
  }

  // Numbers without names do not compile, but for a sentence: write filter({.keys = 1000, .fpr = 0.01}).
  /// \cond
  template <class Never = void>
  explicit CountingBloomFilter(detail::BareNumber, detail::BareNumber = 0)
      : CountingBloomFilter(detail::explain_bare_numbers<CountingBloomFilter, Never>()) {}
  template <class... Never>
  requires(sizeof...(Never) == 0) explicit CountingBloomFilter(std::initializer_list<double>, Never...)
      : CountingBloomFilter(detail::explain_bare_numbers<CountingBloomFilter, Never...>()) {}
  /// \endcond

  CountingBloomFilter(const CountingBloomFilter&) = default;

  /// A copy. If memory lacks, or the hash policy's own assignment throws, this filter is as it was. O(m).
  CountingBloomFilter& operator=(const CountingBloomFilter& other) {
    detail::copy_assign(hash_, words_, other.hash_, other.words_);
    counters_ = other.counters_;
    hashes_ = other.hashes_;
    return *this;
  }

  CountingBloomFilter(CountingBloomFilter&&) = default;
  CountingBloomFilter& operator=(CountingBloomFilter&&) = default;
  ~CountingBloomFilter() = default;

  /// Exchanges the two. O(1). If the hash policy's own swap throws, both are as they were.
  friend void swap(CountingBloomFilter& left, CountingBloomFilter& right) noexcept(std::is_nothrow_swappable_v<Hash>) {
    std::ranges::swap(left.hash_, right.hash_);
    std::swap(left.counters_, right.counters_);
    std::swap(left.hashes_, right.hashes_);
    std::swap(left.words_, right.words_);
  }

  using Insertions<CountingBloomFilter, Key>::insert;
  using Insertions<CountingBloomFilter, Key>::insert_range;

  /// Puts `key` in once more: a Key, in any spelling of key_encoding.hpp, or a digest made before by digest() of a
  /// filter with an equal hash policy. Always succeeds. O(k), plus hashing. Throws std::invalid_argument for a value
  /// that no Key has; without exceptions, such a value is not put in.
  template <class Q = Key, InstructionSet Isa = isa::Native>
  void insert(const Q& key) {
    detail::put_for<Key>(hash_, key, false, [this](Digest digest) {
      insert_digest<Isa>(digest);
      return true;
    });
  }

  /// Takes `key`, which may be a digest made before, out once. False, and nothing changed, if it is certainly not in.
  /// O(k), plus hashing.
  /// Precondition: it was inserted more often than erased. Else true means that other keys may be denied from now on.
  template <class Q = Key, InstructionSet Isa = isa::Native>
  bool erase(const Q& key) {
    return detail::ask_for<Key>(hash_, key, false, [this](Digest digest) { return erase_digest<Isa>(digest); });
  }

  /// False: `key`, which may be a digest made before, is certainly not in. True: perhaps. O(k), plus hashing.
  template <class Q = Key, InstructionSet Isa = isa::Native>
  [[nodiscard]] bool may_contain(const Q& key) const {
    return detail::ask_for<Key>(hash_, key, false, [this](Digest digest) { return test_digest<Isa>(digest); });
  }

  /// insert(key) for every key of a range, or digest: see batch.hpp. If hashing throws, up to 31 before are not in.
  template <KeyRange Keys, InstructionSet Isa = isa::Native>
  void insert_range(Keys&& keys) {
    if constexpr (detail::exceptions_enabled || std::same_as<detail::KeyIn<Keys>, Digest>) {
      using Batch = typename detail::CounterBatchOf<Layout, CounterBits, OwnedWords>::type;
      const auto insert = [this](Digest digest) { insert_digest<Isa>(digest); };
      detail::insert_keys<Isa>(bytes(), Batch(words_, batch_size(), hashes_), keys, detail::digester<Key>(hash_),
                               insert);
    } else {
      for (auto&& key : keys) insert<detail::KeyIn<Keys>, Isa>(key);
    }
  }

  /// An upper bound on how often `key`, which may be a digest made before, is in the filter; 0 is exact. It is too high
  /// only if other keys have incremented all of its counters. max_count: all of them are saturated, there is no bound.
  /// erase(key) succeeds exactly if not 0. O(k^2).
  template <class Q = Key>
  [[nodiscard]] std::uint64_t count(const Q& key) const {
    return detail::ask_for<Key>(hash_, key, std::uint64_t{0}, [this](Digest digest) { return count_digest(digest); });
  }

  [[nodiscard]] std::uint64_t counters() const noexcept { return counters_; }  ///< m, in counters
  [[nodiscard]] unsigned hashes() const noexcept { return hashes_; }           ///< k

  /// Memory held for the counters, in bytes: CounterBits times that of a BloomFilter with m bits.
  [[nodiscard]] std::size_t bytes() const noexcept { return words_.size() * sizeof(std::uint64_t); }

  [[nodiscard]] const Hash& hash_policy() const noexcept { return hash_; }  ///< With its seed, if it has one

  /// The counters themselves, 64 / CounterBits a word, lowest first; those from m on are 0.
  [[nodiscard]] std::span<const std::uint64_t> words() const& noexcept { return words_.words(); }
  void words() const&& = delete;  ///< Those of a temporary are gone when the statement ends

  /// X, the number of counters that are not 0. Counted, not remembered: O(m), and so is each estimate below.
  [[nodiscard]] std::uint64_t set_counters() const noexcept {
    std::uint64_t count = 0;
    for (const std::uint64_t word : words()) count += static_cast<unsigned>(std::popcount(Counters::nonzero(word)));
    return count;
  }

  /// The number of counters that have reached max_count and stick there. clear() frees them, nothing else does. O(m).
  [[nodiscard]] std::uint64_t saturated_counters() const noexcept {
    std::uint64_t count = 0;
    for (const std::uint64_t word : words()) count += static_cast<unsigned>(std::popcount(Counters::saturated(word)));
    return count;
  }

  [[nodiscard]] bool empty() const noexcept { return set_counters() == 0; }  ///< As far as counters tell. O(m)

  /// X/m, in [0, 1]. A filter is best filled by half.
  [[nodiscard]] double fill_ratio() const noexcept {
    return counters_ == 0 ? 1 : static_cast<double>(set_counters()) / static_cast<double>(counters_);
  }

  /// The false-positive rate now, from the counters actually set: (X/m)^k; in layouts of blocks, their mean.
  [[nodiscard]] double current_fpr() const noexcept {
    return counters_ == 0 ? 1 : Layout::current_fpr(counters_, hashes_, [this](std::uint64_t i) { return bits(i); });
  }

  /// The expected false-positive rate once `keys` distinct keys are in, by the layout's model.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const {
    return counters_ == 0 ? 1 : Layout::expected_fpr(counters_, hashes_, static_cast<double>(keys));
  }

  /// How many distinct keys are in, estimated from the counters set; +infinity when all are. Swamidass and Baldi 2007.
  [[nodiscard]] double estimated_size() const noexcept {
    return counters_ == 0 ? detail::endless() : Layout::estimated_keys(counters_, hashes_, set_counters());
  }

  /// Takes all keys out, saturated counters included; keeps m, k, hash policy and memory. O(m).
  void clear() noexcept { std::ranges::fill(words_.words(), std::uint64_t{0}); }

  /// The BloomFilter of the keys that are in, bit for bit the one they would have made. O(m). Throws std::bad_alloc.
  [[nodiscard]] BloomFilter<Key, Hash, Layout> to_bloom() const {
    OwnedWords set(words_.size() / CounterBits);
    for (std::size_t i = 0; i < set.size(); ++i) set.set(i, bits(i));
    return BloomFilter<Key, Hash, Layout>({.bits = counters_, .hashes = hashes_}, hash_, std::move(set));
  }

  /// Whether the two can be added: equal m, k and hash policy.
  [[nodiscard]] bool is_compatible(const CountingBloomFilter& other) const noexcept {
    return counters_ == other.counters_ && hashes_ == other.hashes_ && detail::same_policy(hash_, other.hash_);
  }

  /// The filter of both multisets: counters added, those that would overflow saturated. O(m).
  /// Throws std::invalid_argument that names the differing field and both its values; both filters are unchanged then.
  CountingBloomFilter& operator+=(const CountingBloomFilter& other) requires detail::exceptions_enabled {
    check_compatible(other);
    add(other);
    return *this;
  }

  /// += without exceptions: false, and nothing changed, where that throws.
  [[nodiscard]] bool try_add(const CountingBloomFilter& other) noexcept {
    return is_compatible(other) && (add(other), true);
  }

  /// The sum as a filter of its own. Throws like +=, and std::bad_alloc. O(m).
  friend CountingBloomFilter operator+(CountingBloomFilter left, const CountingBloomFilter& right)
      requires detail::exceptions_enabled {
    left += right;
    return left;
  }

  /// Equal m, k, hash policy and counters. The same keys in any order make equal filters.
  friend bool operator==(const CountingBloomFilter& left, const CountingBloomFilter& right) noexcept {
    return left.is_compatible(right) && left.words_ == right.words_;
  }

 private:
  friend struct detail::StoredAccess;
  friend struct detail::StoredKind<CountingBloomFilter>;

  CountingBloomFilter(const CountingParameters& parameters, Hash hash,
                      OwnedWords words) noexcept(std::is_nothrow_move_constructible_v<Hash>)
      : hash_(std::move(hash)), counters_(parameters.counters), hashes_(parameters.hashes), words_(std::move(words)) {}

  friend class BatchLookups<CountingBloomFilter, Key>;

  // Flattened, like erase and test: a step that is called, not inlined, keeps the probes in memory, which takes half
  // again as long. Compilers decide it by the size of the whole program.
  template <InstructionSet Isa>
  [[gnu::flatten]] void insert_digest(Digest digest) noexcept {
    if constexpr (Kernel<Isa>::exists) {
      if (hashes_ != 0) Kernel<Isa>::insert(words_.words().data() + first_word(digest), hashes_, digest.h);
    } else {
      Operations::insert(words_.words(), counters_, hashes_, digest);
    }
  }

  template <InstructionSet Isa>
  [[gnu::flatten]] bool erase_digest(Digest digest) noexcept {
    if constexpr (Kernel<Isa>::exists) {
      return hashes_ != 0 && Kernel<Isa>::erase(words_.words().data() + first_word(digest), hashes_, digest.h);
    } else {
      // In one pass that is undone when it meets a 0: erasing what is in is the common case, and its k counters are
      // fetched from memory once.
      const auto all = words_.words();
      const unsigned taken = Layout::visit_positions_while(
          counters_, hashes_, digest, [=](std::uint64_t position) { return Counters::decrement(all, position); });
      if (taken != hashes_) [[unlikely]]
        put_back(digest, taken);
      return taken == hashes_ && hashes_ != 0;
    }
  }

  template <InstructionSet Isa>
  [[gnu::flatten]] bool test_digest(Digest digest) const noexcept {
    if constexpr (Kernel<Isa>::exists) {
      return hashes_ == 0 || Kernel<Isa>::test(words_.words().data() + first_word(digest), hashes_, digest.h);
    } else {
      return Operations::contains(words_.words(), counters_, hashes_, digest);
    }
  }

  std::uint64_t count_digest(Digest digest) const noexcept {
    if (hashes_ == 0) return 0;  // moved from, and nothing can be erased
    std::array<std::uint64_t, max_hashes> positions{};
    std::size_t used = 0;
    Layout::for_each_position(counters_, hashes_, digest,
                              [&](std::uint64_t position) { positions[used++] = position; });
    const auto hit = std::span(positions).first(used);
    std::uint64_t least = max_count;
    for (const std::uint64_t position : hit) {
      const std::uint64_t counter = Counters::get(words_.words(), position);
      if (counter == max_count) continue;
      const auto probes = static_cast<std::uint64_t>(std::ranges::count(hit, position));
      least = (std::min)(least, counter / probes);
    }
    return least;
  }

  void prefetch_digest(Digest digest) const noexcept {
    using Batch = typename detail::CounterBatchOf<Layout, CounterBits, const OwnedWords>::type;
    detail::prefetch_lookup(Batch(words_, batch_size(), hashes_), digest);
  }

  template <InstructionSet Isa, class Keys, class Answer>
  void answer_batch(Keys&& keys, Answer& answer) const {
    using Batch = typename detail::CounterBatchOf<Layout, CounterBits, const OwnedWords>::type;
    const auto test = [this](Digest digest) { return test_digest<Isa>(digest); };
    detail::answer_keys<Isa>(bytes(), Batch(words_, batch_size(), hashes_), keys, detail::digester<Key>(hash_), answer,
                             test);
  }

  template <class Isa>
  using Kernel = detail::CounterKernelOf<Layout, CounterBits, Isa>;

  std::size_t first_word(Digest digest) const noexcept {
    using Block = detail::BlockOfCounters<Layout, CounterBits>;
    return detail::to_size(fast_range(digest.g, counters_ / Layout::block_bits)) * Block::words;
  }

  // What batches count in: words' bits in blocks, else counters.
  std::uint64_t batch_size() const noexcept {
    return detail::HasCounterKernel<Layout, CounterBits> ? counters_ * CounterBits : std::uint64_t{counters_};
  }

  // Word i of the Bloom filter that these counters make.
  std::uint64_t bits(std::uint64_t i) const noexcept {
    std::uint64_t word = 0;
    for (unsigned part = 0; part < CounterBits; ++part) {
      const std::uint64_t counters = words_.load(detail::to_size(i) * CounterBits + part);
      word |= Counters::gather(Counters::nonzero(counters)) << (part * Counters::per_word);
    }
    return word;
  }

  // The layout places bits; each becomes a counter, so that bit i of to_bloom() is counter i.
  static constexpr std::uint64_t words_for(std::uint64_t counters) noexcept {
    return Layout::words_for(counters) * CounterBits;
  }

  static bool addressable(std::uint64_t counters) noexcept {
    return words_for(counters) <= (std::numeric_limits<std::size_t>::max)() / sizeof(std::uint64_t);
  }

  static const CountingParameters& checked(const CountingParameters& parameters) {
    detail::demand_geometry<Layout>("counters", parameters.counters, parameters.hashes);
    if (!addressable(parameters.counters)) detail::fail_unaddressable("counters", parameters.counters);
    return parameters;
  }

  void check_compatible(const CountingBloomFilter& other) const {
    if (!is_compatible(other)) detail::fail_incompatible("+=", "counters", counters_, other.counters_, *this, other);
  }

  void add(const CountingBloomFilter& other) noexcept {
    const auto words = words_.words();
    for (std::size_t i = 0; i < words.size(); ++i) words[i] = Counters::add(words[i], other.words_.load(i));
  }

  // Undoes the first `taken` decrements of an erase. A counter at its maximum was there before: none was lowered to it.
  [[gnu::noinline]] void put_back(Digest digest, unsigned taken) noexcept {
    Operations::insert(words_.words(), counters_, taken, digest);
  }

  [[no_unique_address]] Hash hash_;
  detail::ZeroOnMove<std::uint64_t> counters_;
  detail::ZeroOnMove<unsigned> hashes_;
  OwnedWords words_;
};

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
