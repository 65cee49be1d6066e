// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// BloomFilter: a set that answers "certainly not" or "perhaps", in m bits whatever the size of its keys.
///
///     insert("owl")          sets k bits           ..1.....1..........1....
///     may_contain("owl")     all k bits are set    -> true: perhaps
///     may_contain("fox")     one of them is not    -> false: certainly not
///
/// Guarantee: a key that was inserted is always found. An absent key is answered "perhaps" with probability
/// (1 - e^(-kn/m))^k once n keys are in: with the m and k of sizing.hpp, the rate that was asked for. Keys can't be
/// taken out. Past n keys nothing fails, the rate rises: fill_ratio() and current_fpr() tell.
///
/// folded(d) and fold_to(fpr), of detail/foldable.hpp, shrink a filter that turned out too big.
///
/// Threads: any number may read at once; writing needs exclusion. Nothing is cached or hidden. A ConcurrentBloomFilter,
/// which is this class over AtomicWords, may be written to meanwhile: concurrent_bloom_filter.hpp.
/// A moved-from filter has no bits and says "perhaps" to everything until it is assigned to.
///
/// Burton H. Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors", 1970.
#ifndef PERHAPS_BLOOM_FILTER_HPP
#define PERHAPS_BLOOM_FILTER_HPP

#include <perhaps/batch.hpp>
#include <perhaps/cardinality.hpp>
#include <perhaps/detail/bare_numbers.hpp>
#include <perhaps/detail/copy_assign.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/detail/foldable.hpp>
#include <perhaps/detail/real.hpp>
#include <perhaps/detail/to_size.hpp>
#include <perhaps/detail/zero_on_move.hpp>
#include <perhaps/hashing.hpp>
#include <perhaps/insertion.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/tiles.hpp>
#include <perhaps/layout/classic.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/sizing.hpp>
#include <perhaps/sizing/bloom_geometry.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/stored/policy_id.hpp>
#include <perhaps/version.hpp>
#include <perhaps/xxhash.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace perhaps {
inline namespace PERHAPS_ABI {

template <class Key, unsigned CounterBits, class Hash, detail::LayoutArgument Layout>
class CountingBloomFilter;

/// A set that answers "certainly not" or "perhaps". Keys go in by insert() and never come out; an inserted key is
/// always found. `Layout` says where the k bits of a key lie, `Words` who owns them; over storage that only reads,
/// what writes does not compile. Copies and moves like its storage; folded() and fold_to() come from detail::Foldable.
/// bloom_filter.hpp has the guarantee, with a picture, and says what threads may do.
template <class Key, class Hash = XxHash3, detail::LayoutArgument Layout = Classic<>,
          ReadableStorage Words = OwnedWords>
class BloomFilter : public BatchLookups<BloomFilter<Key, Hash, Layout, Words>, Key>,
                    public Insertions<BloomFilter<Key, Hash, Layout, Words>, Key>,
                    public detail::Foldable<BloomFilter<Key, Hash, Layout, Words>, BloomFilter<Key, Hash, Layout>> {
  static_assert(detail::explain<Key, Hash>());
  static_assert(detail::explain_layout<Hash, Layout>());

 public:
  using key_type = Key;   ///< The type of keys, taken in any spelling of key_encoding.hpp
  using hasher = Hash;    ///< The hash policy
  using layout = Layout;  ///< The layout: where the positions of a key are
  using storage = Words;  ///< The storage: who owns the words

  /// Room for target.keys keys at a false-positive rate of at most target.fpr.
  /// Throws std::invalid_argument for a rate outside (0, 1) or below what the hash can do, std::length_error for more
  /// bits than this platform can address, std::bad_alloc. O(m).
  explicit BloomFilter(BloomTarget target, Hash hash = Hash{})
      requires(detail::exceptions_enabled && AllocatingStorage<Words>)
      : BloomFilter(bloom_parameters<Layout>(detail::within_memory(target), Hash::digest_bits), std::move(hash)) {}

  /// Exactly parameters.bits bits and parameters.hashes hashes.
  /// Throws std::invalid_argument for bits that are 0 or no whole blocks of the layout, and for hashes that it does not
  /// take; std::length_error, std::bad_alloc. O(m).
  explicit BloomFilter(const BloomParameters& parameters, Hash hash = Hash{})
      requires(detail::exceptions_enabled && AllocatingStorage<Words>)
      : hash_(std::move(hash)),
        bits_(checked(parameters).bits),
        hashes_(parameters.hashes),
        words_(detail::to_size(Layout::words_for(bits_))) {}

  /// Over words that are there already: zeros for a filter without keys, or those of a filter with equal parameters and
  /// hash policy, which it then is. O(1).
  /// Throws std::invalid_argument for wrong parameters as above, for words that are not as many as words() of such a
  /// filter, not aligned to a block of the layout (8 bytes for Classic), or have bits from m on set.
  BloomFilter(const BloomParameters& parameters, Words words, Hash hash = Hash{}) requires detail::exceptions_enabled
      : hash_(std::move(hash)),
        bits_(checked(parameters, &words).bits),
        hashes_(parameters.hashes),
        words_(std::move(words)) {}

  // Numbers without names do not compile, but for a sentence: write filter({.keys = 1000, .fpr = 0.01}).
  /// \cond
  template <class Never = void>
  explicit BloomFilter(detail::BareNumber, detail::BareNumber = 0)
      : BloomFilter(detail::explain_bare_numbers<BloomFilter, Never>()) {}
  template <class... Never>
  requires(sizeof...(Never) == 0) explicit BloomFilter(std::initializer_list<double>, Never...)
      : BloomFilter(detail::explain_bare_numbers<BloomFilter, Never...>()) {}
  /// \endcond

  /// A copy of a filter over other storage, such as a view.
  template <class Other>
  requires(!std::same_as<Other, Words> && AllocatingStorage<Words>)
  explicit BloomFilter(const BloomFilter<Key, Hash, Layout, Other>& other)
      : hash_(other.hash_), bits_(other.bits_), hashes_(other.hashes_), words_(other.words_.size()) {
    detail::copy_words(other.words_, words_.words().data());
  }

  /// The filter over other storage, with its words: they are moved, not copied, between a BloomFilter and a
  /// ConcurrentBloomFilter. O(1). The other is a moved-from filter then.
  template <class Other>
  requires(!std::same_as<Other, Words> && std::constructible_from<Words, Other>) explicit BloomFilter(
      BloomFilter<Key, Hash, Layout, Other>&& other) noexcept(std::is_nothrow_move_constructible_v<Hash>)
      : hash_(std::move(other.hash_)),
        bits_(std::move(other.bits_)),
        hashes_(std::move(other.hashes_)),
        words_(std::move(other.words_)) {}

  /// The constructors for programs without exceptions, or for sizes that come from outside: nothing where those throw.
  static std::optional<BloomFilter> make(BloomTarget target, Hash hash = Hash{}) requires AllocatingStorage<Words> {
    const auto parameters = try_bloom_parameters<Layout>(target, Hash::digest_bits);
    if (!parameters) return std::nullopt;
    return make(*parameters, std::move(hash));
  }

  /// A filter of exactly these parameters, or nothing where the constructor throws or memory lacks. O(m).
  static std::optional<BloomFilter> make(const BloomParameters& parameters, Hash hash = Hash{})
      requires AllocatingStorage<Words> {
    if (!valid(parameters)) return std::nullopt;
    auto words = Words::make(detail::to_size(Layout::words_for(parameters.bits)));
    if (!words) return std::nullopt;
    return try_construct(parameters, hash, *words);
  }

  /// A filter over words that are there already, or nothing where that constructor throws. O(1).
  static std::optional<BloomFilter> make(const BloomParameters& parameters, Words words, Hash hash = Hash{}) {
    if (!valid(parameters)) return std::nullopt;
    if (detail::find_misfit<Layout>(parameters.bits, words, alignment) != detail::Misfit::none) return std::nullopt;
    return try_construct(parameters, hash, words);
  }

  BloomFilter(const BloomFilter&) = default;

  /// A copy. If memory lacks, or the hash policy's own assignment throws, this filter is as it was. O(m).
  BloomFilter& operator=(const BloomFilter& other) requires std::copyable<Words> {
    detail::copy_assign(hash_, words_, other.hash_, other.words_);
    bits_ = other.bits_;
    hashes_ = other.hashes_;
    return *this;
  }

  BloomFilter(BloomFilter&&) = default;
  BloomFilter& operator=(BloomFilter&&) = default;
  ~BloomFilter() = default;

  /// Exchanges the two. O(1). If the hash policy's own swap throws, both are as they were.
  friend void swap(BloomFilter& left, BloomFilter& right) noexcept(std::is_nothrow_swappable_v<Hash> &&
                                                                   std::is_nothrow_swappable_v<Words>) {
    std::ranges::swap(left.hash_, right.hash_);
    std::swap(left.bits_, right.bits_);
    std::swap(left.hashes_, right.hashes_);
    std::swap(left.words_, right.words_);
  }

  using Insertions<BloomFilter, Key>::insert;
  using Insertions<BloomFilter, Key>::insert_range;

  /// Puts `key` into the set: a Key, in any spelling of key_encoding.hpp, or a digest made before by digest() of a
  /// filter with an equal hash policy. Always succeeds. O(k), plus hashing. Throws std::invalid_argument for a value
  /// that no Key has; without exceptions, such a value is not put in.
  template <class Q = Key, InstructionSet Isa = isa::Native>
  void insert(const Q& key) requires Storage<Words> {
    detail::put_for<Key>(hash_, key, false, [this](Digest digest) {
      insert_digest<Isa>(digest);
      return true;
    });
  }

  /// False: `key`, which may be a digest made before, is certainly not in the set. True: perhaps. O(k), plus hashing.
  template <class Q = Key, InstructionSet Isa = isa::Native>
  [[nodiscard]] bool may_contain(const Q& key) const {
    return detail::ask_for<Key>(hash_, key, false, [this](Digest digest) { return test_digest<Isa>(digest); });
  }

  /// What may_contain(key) would have said, then insert(key): false means that the key is new, certainly. One pass over
  /// the bits, for removing duplicates from a stream. Throws like insert.
  template <class Q = Key, InstructionSet Isa = isa::Native>
  bool test_and_insert(const Q& key) requires Storage<Words> {
    bool found = false;
    if constexpr (detail::HasTwoZeros<Key, Hash>) found = may_contain<Q, Isa>(key);
    return detail::put_for<Key>(hash_, key, false,
                                [this](Digest digest) {
                                  return Layout::template test_and_insert<Isa>(words_, bits_, hashes_, digest);
                                }) ||
           found;
  }

  /// insert(key) for every key of a range, or for every digest: see batch.hpp. If hashing throws, up to 31 of the keys
  /// before are not in. may_contain_range() is there as well.
  template <KeyRange Keys, InstructionSet Isa = isa::Native>
  void insert_range(Keys&& keys) requires Storage<Words> {
    if constexpr (detail::exceptions_enabled || std::same_as<detail::KeyIn<Keys>, Digest>) {
      using Batch = typename detail::BatchOf<Layout, Words>::type;
      const auto insert = [this](Digest digest) { insert_digest<Isa>(digest); };
      detail::insert_keys<Isa>(bytes(), Batch(words_, bits_, hashes_), keys, detail::digester<Key>(hash_), insert);
    } else {
      for (auto&& key : keys) insert<detail::KeyIn<Keys>, Isa>(key);
    }
  }

  /// m, in bits.
  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }

  /// k.
  [[nodiscard]] unsigned hashes() const noexcept { return hashes_; }

  /// Memory held for the bits, in bytes.
  [[nodiscard]] std::size_t bytes() const noexcept { return words_.size() * sizeof(std::uint64_t); }

  /// The hash policy, with its seed if it has one.
  [[nodiscard]] const Hash& hash_policy() const noexcept { return hash_; }

  /// The bits themselves, 64 a word, lowest first; those from m on are 0.
  [[nodiscard]] std::span<const std::uint64_t> words() const& noexcept { return words_.words(); }
  /// Those of a temporary are gone when the statement ends, unless another owns them.
  void words() const&& requires AllocatingStorage<Words> = delete;

  /// X, the number of bits set. Counted, not remembered: O(m/64), and so is each estimate below.
  [[nodiscard]] std::uint64_t set_bits() const noexcept {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) count += static_cast<unsigned>(std::popcount(words_.load(i)));
    return count;
  }

  /// Whether no key was inserted. O(m/64).
  [[nodiscard]] bool empty() const noexcept { return set_bits() == 0; }

  /// X/m, in [0, 1]. A filter is best filled by half.
  [[nodiscard]] double fill_ratio() const noexcept {
    return bits_ == 0 ? 1 : static_cast<double>(set_bits()) / static_cast<double>(bits_);
  }

  /// The false-positive rate now, from the bits actually set: (X/m)^k; in layouts of blocks, their mean.
  [[nodiscard]] double current_fpr() const noexcept {
    if (bits_ == 0) return 1;
    return Layout::current_fpr(bits_, hashes_, [this](std::uint64_t i) { return words_.load(detail::to_size(i)); });
  }

  /// The expected false-positive rate once `keys` distinct keys are in, by the layout's model.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const {
    return bits_ == 0 ? 1 : Layout::expected_fpr(bits_, hashes_, static_cast<double>(keys));
  }

  /// How many distinct keys are in, estimated from the bits set; +infinity when all are. Swamidass and Baldi 2007.
  [[nodiscard]] double estimated_size() const noexcept {
    return bits_ == 0 ? detail::endless() : Layout::estimated_keys(bits_, hashes_, set_bits());
  }

  /// The standard error of that estimate: it is off by more in one case of three. cardinality.hpp has the formula.
  [[nodiscard]] double estimated_size_error() const noexcept {
    return bits_ == 0 ? detail::endless()
                      : detail::error_of(Layout::estimate_variance(bits_, hashes_, estimated_size()));
  }

  /// Takes all keys out; keeps m, k, hash policy and memory. O(m).
  void clear() noexcept requires Storage<Words> {
    for (std::uint64_t& word : words_.words()) word = 0;
  }

  /// Whether the two can be united and intersected: equal m, k and hash policy.
  template <class Other>
  [[nodiscard]] bool is_compatible(const BloomFilter<Key, Hash, Layout, Other>& other) const noexcept {
    return bits_ == other.bits_ && hashes_ == other.hashes_ && detail::same_policy(hash_, other.hash_);
  }

  /// The union: exactly the filter of both sets' keys. The other may be a view. O(m).
  /// Throws std::invalid_argument that names the differing field and both its values; both filters are unchanged then.
  template <class Other>
  BloomFilter& operator|=(const BloomFilter<Key, Hash, Layout, Other>& other)
      requires(detail::exceptions_enabled && Storage<Words>) {
    check_compatible(other, "|=");
    unite(other);
    return *this;
  }

  /// A superset of the intersection: finds every key that is in both, and absent keys at a rate between that of the
  /// filter of the common keys and that of the smaller operand. O(m). Throws like |=.
  template <class Other>
  BloomFilter& operator&=(const BloomFilter<Key, Hash, Layout, Other>& other)
      requires(detail::exceptions_enabled && Storage<Words>) {
    check_compatible(other, "&=");
    intersect(other);
    return *this;
  }

  /// |= and &= without exceptions: false, and nothing changed, where those throw.
  template <class Other>
  [[nodiscard]] bool try_unite(const BloomFilter<Key, Hash, Layout, Other>& other) noexcept requires Storage<Words> {
    return is_compatible(other) && (unite(other), true);
  }
  /// `&=` without exceptions, likewise.
  template <class Other>
  [[nodiscard]] bool try_intersect(const BloomFilter<Key, Hash, Layout, Other>& other) noexcept requires Storage<Words>
  {
    return is_compatible(other) && (intersect(other), true);
  }

 private:
  template <class, class, detail::LayoutArgument, ReadableStorage>
  friend class BloomFilter;
  template <class, unsigned, class, detail::LayoutArgument>
  friend class CountingBloomFilter;
  friend class BatchLookups<BloomFilter, Key>;
  friend struct detail::StoredAccess;
  friend struct detail::StoredKind<BloomFilter>;

  static constexpr std::size_t alignment =
      ContiguousStorage<Words> || ConcurrentStorage<Words> ? detail::block_alignment<Layout> : 1;

  BloomFilter(const BloomParameters& parameters, Hash hash,
              Words words) noexcept(std::is_nothrow_move_constructible_v<Hash>)
      : hash_(std::move(hash)), bits_(parameters.bits), hashes_(parameters.hashes), words_(std::move(words)) {}

  // Nothing if moving the hash policy throws, as it may where that is a copy.
  static std::optional<BloomFilter> try_construct(const BloomParameters& parameters, Hash& hash,
                                                  Words& words) noexcept {
    return detail::attempt(
        [&]() -> std::optional<BloomFilter> { return BloomFilter(parameters, std::move(hash), std::move(words)); });
  }

  template <InstructionSet Isa>
  [[gnu::always_inline]] void insert_digest(Digest digest) noexcept {
    Layout::template insert<Isa>(words_, bits_, hashes_, digest);
  }

  template <InstructionSet Isa>
  [[gnu::always_inline]] bool test_digest(Digest digest) const noexcept {
    return Layout::template may_contain<Isa>(words_, bits_, hashes_, digest);
  }

  void prefetch_digest(Digest digest) const noexcept {
    detail::prefetch_lookup(typename detail::BatchOf<Layout, const Words>::type(words_, bits_, hashes_), digest);
  }

  template <InstructionSet Isa, class Keys, class Answer>
  void answer_batch(Keys&& keys, Answer& answer) const {
    using Batch = typename detail::BatchOf<Layout, const Words>::type;
    const auto test = [this](Digest digest) { return test_digest<Isa>(digest); };
    detail::answer_keys<Isa>(bytes(), Batch(words_, bits_, hashes_), keys, detail::digester<Key>(hash_), answer, test);
  }

  static bool valid(const BloomParameters& parameters) noexcept {
    return detail::valid_geometry<Layout>(parameters.bits, parameters.hashes) &&
           detail::addressable_bits<Layout>(parameters.bits);
  }

  static const BloomParameters& checked(const BloomParameters& parameters, const Words* words = nullptr) {
    detail::demand_geometry<Layout>("bits", parameters.bits, parameters.hashes);
    if (!detail::addressable_bits<Layout>(parameters.bits)) detail::fail_unaddressable("bits", parameters.bits);
    if (words != nullptr) detail::check_words<Layout>(parameters.bits, *words, alignment);
    return parameters;
  }

  template <class Other>
  void check_compatible(const Other& other, const char* operation) const {
    if (!is_compatible(other)) detail::fail_incompatible(operation, "bits", bits_, other.bits(), *this, other);
  }

  template <class Other>
  void unite(const Other& other) noexcept {
    if constexpr (ConcurrentStorage<Words>) {
      for (std::size_t i = 0; i < words_.size(); ++i) words_.set(i, other.words_.load(i));
    } else {
      const auto words = words_.words();
      for (std::size_t i = 0; i < words.size(); ++i) words[i] |= other.words_.load(i);
    }
  }

  template <class Other>
  void intersect(const Other& other) noexcept {
    const auto words = words_.words();
    for (std::size_t i = 0; i < words.size(); ++i) words[i] &= other.words_.load(i);
  }

  [[no_unique_address]] Hash hash_;
  detail::ZeroOnMove<std::uint64_t> bits_;
  detail::ZeroOnMove<unsigned> hashes_;
  Words words_;
};

/// A filter that only reads, over words that somebody else owns: over stored bytes in place, by view_bytes of
/// serialization.hpp. Answers, batches and estimates are the owner's; what would write does not compile.
template <class Key, class Hash = XxHash3, detail::LayoutArgument Layout = Classic<>>
using BloomFilterView = BloomFilter<Key, Hash, Layout, ReadOnlyWords>;

/// The union of two filters, over any storage, as a filter of its own. O(m). Throws like `|=`, and std::bad_alloc.
template <class Key, class Hash, class Layout, class A, class B>
BloomFilter<Key, Hash, Layout> operator|(const BloomFilter<Key, Hash, Layout, A>& left,
                                         const BloomFilter<Key, Hash, Layout, B>& right)
    requires detail::exceptions_enabled {
  BloomFilter<Key, Hash, Layout> both(left);
  both |= right;
  return both;
}

/// The superset of their intersection, likewise. Throws like `&=`, and std::bad_alloc.
template <class Key, class Hash, class Layout, class A, class B>
BloomFilter<Key, Hash, Layout> operator&(const BloomFilter<Key, Hash, Layout, A>& left,
                                         const BloomFilter<Key, Hash, Layout, B>& right)
    requires detail::exceptions_enabled {
  BloomFilter<Key, Hash, Layout> both(left);
  both &= right;
  return both;
}

/// Equal m, k, hash policy and bits, over any storage. The same keys in any order make equal filters.
template <class Key, class Hash, class Layout, class A, class B>
bool operator==(const BloomFilter<Key, Hash, Layout, A>& left,
                const BloomFilter<Key, Hash, Layout, B>& right) noexcept {
  return left.is_compatible(right) &&
         detail::equal_words(left.words().data(), right.words().data(), left.words().size());
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
