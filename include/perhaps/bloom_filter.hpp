// SPDX-License-Identifier: BSL-1.0
//
// BloomFilter: a set that answers "certainly not" or "perhaps", in m bits whatever the size of its keys.
//
//     insert("owl")          sets k bits           ..1.....1..........1....
//     may_contain("owl")     all k bits are set    -> true: perhaps
//     may_contain("fox")     one of them is not    -> false: certainly not
//
// Guarantee: a key that was inserted is always found. An absent key is answered "perhaps" with probability
// (1 - e^(-kn/m))^k once n keys are in: with the m and k of sizing.hpp, the rate that was asked for. Keys can't be
// taken out. Past n keys nothing fails, the rate rises: fill_ratio(), current_fpr() and is_saturated() tell.
//
// Threads: any number may read at once; writing needs exclusion. Nothing is cached or hidden.
// A moved-from filter has no bits and says "perhaps" to everything until it is assigned to.
//
// Burton H. Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors", 1970.
#ifndef PERHAPS_BLOOM_FILTER_HPP
#define PERHAPS_BLOOM_FILTER_HPP

#include <perhaps/batch.hpp>
#include <perhaps/cardinality.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/detail/moving.hpp>
#include <perhaps/hashing.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/tiles.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/layout/scattered.hpp>
#include <perhaps/sizing.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/version.hpp>
#include <perhaps/xxhash.hpp>

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

namespace perhaps::inline PERHAPS_ABI {

template <class Key, unsigned CounterBits, class Hash, BitLayout Layout>
class CountingBloomFilter;

template <class Key, class Hash = XxHash3, BitLayout Layout = Scattered<>, Storage Words = OwnedWords>
class BloomFilter : public BatchLookups<BloomFilter<Key, Hash, Layout, Words>> {
  static_assert(detail::explain<Key, Hash>());

 public:
  using key_type = Key;
  using hasher = Hash;
  using layout = Layout;
  using storage = Words;

  // Room for target.keys keys at a false-positive rate of at most target.fpr.
  // Throws std::invalid_argument for a rate outside (0, 1) or below what the hash can do, std::length_error for more
  // bits than this platform can address, std::bad_alloc. O(m).
  explicit BloomFilter(BloomTarget target, Hash hash = Hash{}) requires detail::exceptions_enabled
      : BloomFilter(bloom_parameters<Layout>(target, Hash::digest_bits), std::move(hash)) {}

  // Exactly parameters.bits bits and parameters.hashes hashes.
  // Throws std::invalid_argument for bits that are 0 or no whole blocks of the layout, and for hashes that it does not
  // take; std::length_error, std::bad_alloc. O(m).
  explicit BloomFilter(const BloomParameters& parameters, Hash hash = Hash{}) requires detail::exceptions_enabled
      : hash_(std::move(hash)),
        bits_(checked(parameters).bits),
        hashes_(parameters.hashes),
        words_(static_cast<std::size_t>(Layout::words_for(bits_))) {}

  // The constructors for programs without exceptions, or for sizes that come from outside: nothing where those throw.
  static std::optional<BloomFilter> make(BloomTarget target, Hash hash = Hash{}) {
    const auto parameters = try_bloom_parameters<Layout>(target, Hash::digest_bits);
    if (!parameters) return std::nullopt;
    return make(*parameters, std::move(hash));
  }

  static std::optional<BloomFilter> make(const BloomParameters& parameters, Hash hash = Hash{}) {
    const bool valid = detail::valid_geometry<Layout>(parameters.bits, parameters.hashes);
    if (!valid || !addressable(parameters.bits)) return std::nullopt;
    auto words = Words::make(static_cast<std::size_t>(Layout::words_for(parameters.bits)));
    if (!words) return std::nullopt;
    return BloomFilter(parameters, std::move(hash), *std::move(words));
  }

  BloomFilter(const BloomFilter&) = default;

  // If memory lacks, std::bad_alloc, and this filter is as it was.
  BloomFilter& operator=(const BloomFilter& other) {
    Hash hash = other.hash_;
    words_ = other.words_;
    hash_ = std::move(hash);
    bits_ = other.bits_;
    hashes_ = other.hashes_;
    return *this;
  }

  BloomFilter(BloomFilter&&) = default;
  BloomFilter& operator=(BloomFilter&&) = default;
  ~BloomFilter() = default;

  friend void swap(BloomFilter& left, BloomFilter& right) noexcept { std::swap(left, right); }

  // Puts `key`, in any spelling of key_encoding.hpp, into the set. Always succeeds. O(k), plus hashing.
  template <class Q, InstructionSet Isa = isa::Native>
  void insert(const Q& key) {
    insert<Isa>(digest(key));
  }

  // The same by a digest made before, by digest() of a filter with an equal hash policy.
  template <InstructionSet Isa = isa::Native>
  void insert(Digest digest) noexcept {
    Layout::template insert<Isa>(words_, bits_, hashes_, digest);
  }

  // False: `key` is certainly not in the set. True: perhaps. O(k), plus hashing.
  template <class Q, InstructionSet Isa = isa::Native>
  [[nodiscard]] bool may_contain(const Q& key) const {
    return may_contain<Isa>(digest(key));
  }

  template <InstructionSet Isa = isa::Native>
  [[nodiscard]] bool may_contain(Digest digest) const noexcept {
    return Layout::template may_contain<Isa>(words_, bits_, hashes_, digest);
  }

  // What may_contain(key) would have said, then insert(key): false means that the key is new, certainly. One pass over
  // the bits, for removing duplicates from a stream.
  template <class Q, InstructionSet Isa = isa::Native>
  bool test_and_insert(const Q& key) {
    return test_and_insert<Isa>(digest(key));
  }

  template <InstructionSet Isa = isa::Native>
  bool test_and_insert(Digest digest) noexcept {
    return Layout::template test_and_insert<Isa>(words_, bits_, hashes_, digest);
  }

  // insert(key) for every key of a range, or for every digest: see batch.hpp. If hashing throws, up to 127 of the keys
  // before are not in. may_contain_range() is there as well.
  template <KeyRange Keys>
  [[gnu::flatten]] void insert_range(Keys&& keys) {
    const auto to_digest = detail::digester<Key>(hash_);
    if (detail::single_calls_will_do(bytes())) {
      for (auto&& key : keys) insert(to_digest(key));
      return;
    }
    using Batch = typename detail::BatchOf<Layout, Words>::type;
    const Batch batch(words_, bits_, hashes_);
    detail::for_each_tile<Batch::tile_size>(
        keys, [&](const auto& key) { return batch.prepare_insert(to_digest(key)); },
        [&](const auto& tile, std::size_t count) {
          batch.insert(std::span<const Digest>(tile).first(count));
          return true;
        });
  }

  // `key` hashed, as insert and may_contain do it: for asking many filters with an equal hash policy.
  template <class Q>
  [[nodiscard]] Digest digest(const Q& key) const {
    return detail::digest_key<Key>(hash_, key);
  }

  // m, in bits.
  [[nodiscard]] std::uint64_t bits() const noexcept { return bits_; }

  // k.
  [[nodiscard]] unsigned hashes() const noexcept { return hashes_; }

  // Memory held for the bits, in bytes.
  [[nodiscard]] std::size_t bytes() const noexcept { return words_.size() * sizeof(std::uint64_t); }

  [[nodiscard]] const Hash& hash_policy() const noexcept { return hash_; }

  // The bits themselves, 64 a word, lowest first; those from m on are 0.
  [[nodiscard]] std::span<const std::uint64_t> words() const noexcept { return words_.words(); }

  // X, the number of bits set. Counted, not remembered: O(m/64), and so is each estimate below.
  [[nodiscard]] std::uint64_t set_bits() const noexcept {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < words_.size(); ++i) count += static_cast<unsigned>(std::popcount(words_.load(i)));
    return count;
  }

  // Whether no key was inserted. O(m/64).
  [[nodiscard]] bool empty() const noexcept { return set_bits() == 0; }

  // X/m, in [0, 1]. A filter is best filled by half.
  [[nodiscard]] double fill_ratio() const noexcept {
    return bits_ == 0 ? 1 : static_cast<double>(set_bits()) / static_cast<double>(bits_);
  }

  // The false-positive rate now, from the bits actually set: (X/m)^k; in layouts of blocks, their mean.
  [[nodiscard]] double current_fpr() const noexcept {
    if (bits_ == 0) return 1;
    return Layout::current_fpr(bits_, hashes_,
                               [this](std::uint64_t i) { return words_.load(static_cast<std::size_t>(i)); });
  }

  // The expected false-positive rate once `keys` distinct keys are in, by the layout's model.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const {
    return bits_ == 0 ? 1 : Layout::expected_fpr(bits_, hashes_, static_cast<double>(keys));
  }

  // How many distinct keys are in, estimated from the bits set; +infinity when all are. Swamidass and Baldi 2007.
  [[nodiscard]] double estimated_size() const noexcept {
    return bits_ == 0 ? std::numeric_limits<double>::infinity() : Layout::estimated_keys(bits_, hashes_, set_bits());
  }

  // Over half full: more keys are in than m and k are best for, and each further one costs more than the last. Time for
  // a next filter: keys can't be moved out of this one, so ask both.
  [[nodiscard]] bool is_saturated() const noexcept { return fill_ratio() > 0.5; }

  // Takes all keys out; keeps m, k, hash policy and memory. O(m).
  void clear() noexcept {
    for (std::uint64_t& word : words_.words()) word = 0;
  }

  // Whether the two can be united and intersected: equal m, k and hash policy.
  [[nodiscard]] bool is_compatible(const BloomFilter& other) const noexcept {
    return bits_ == other.bits_ && hashes_ == other.hashes_ && detail::same_policy(hash_, other.hash_);
  }

  // The union: exactly the filter of both sets' keys. O(m).
  // Throws std::invalid_argument that names the differing field and both its values; both filters are unchanged then.
  BloomFilter& operator|=(const BloomFilter& other) requires detail::exceptions_enabled {
    check_compatible(other, "|=");
    unite(other);
    return *this;
  }

  // A superset of the intersection: finds every key that is in both, and absent keys at a rate between that of the
  // filter of the common keys and that of the smaller operand. O(m). Throws like |=.
  BloomFilter& operator&=(const BloomFilter& other) requires detail::exceptions_enabled {
    check_compatible(other, "&=");
    intersect(other);
    return *this;
  }

  // |= and &= without exceptions: false, and nothing changed, where those throw.
  [[nodiscard]] bool try_unite(const BloomFilter& other) noexcept {
    return is_compatible(other) && (unite(other), true);
  }
  [[nodiscard]] bool try_intersect(const BloomFilter& other) noexcept {
    return is_compatible(other) && (intersect(other), true);
  }

  friend BloomFilter operator|(BloomFilter left, const BloomFilter& right) requires detail::exceptions_enabled {
    left |= right;
    return left;
  }

  friend BloomFilter operator&(BloomFilter left, const BloomFilter& right) requires detail::exceptions_enabled {
    left &= right;
    return left;
  }

  // Equal m, k, hash policy and bits. The same keys in any order make equal filters.
  friend bool operator==(const BloomFilter& left, const BloomFilter& right) noexcept {
    return left.is_compatible(right) && left.words_ == right.words_;
  }

 private:
  template <class, unsigned, class, BitLayout>
  friend class CountingBloomFilter;
  friend class BatchLookups<BloomFilter>;

  BloomFilter(const BloomParameters& parameters, Hash hash, Words words) noexcept
      : hash_(std::move(hash)), bits_(parameters.bits), hashes_(parameters.hashes), words_(std::move(words)) {}

  template <class Keys, class Answer>
  [[gnu::flatten]] void answer_batch(Keys&& keys, Answer& answer) const {
    const auto to_digest = detail::digester<Key>(hash_);
    if (detail::single_calls_will_do(bytes())) {
      std::size_t i = 0;
      for (auto&& key : keys) answer(i++, may_contain(to_digest(key)));
      return;
    }
    using Batch = typename detail::BatchOf<Layout, const Words>::type;
    const Batch batch(words_, bits_, hashes_);
    detail::answer_tiles<Batch::tile_size>(
        keys, [&](const auto& key) { return batch.prepare_lookup(to_digest(key)); }, answer,
        [&](const auto& tile) { return batch.test(tile); });
  }

  static bool addressable(std::uint64_t bits) noexcept {
    return Layout::words_for(bits) <= (std::numeric_limits<std::size_t>::max)() / sizeof(std::uint64_t);
  }

  static const BloomParameters& checked(const BloomParameters& parameters) {
    detail::check_geometry<Layout>("bits", parameters.bits, parameters.hashes);
    if (!addressable(parameters.bits)) detail::fail_too_large("bits", parameters.bits);
    return parameters;
  }

  void check_compatible(const BloomFilter& other, const std::string& operation) const {
    if (!is_compatible(other)) detail::fail_to_combine(operation, "bits", bits_, other.bits_, *this, other);
  }

  void unite(const BloomFilter& other) noexcept {
    const auto words = words_.words();
    for (std::size_t i = 0; i < words.size(); ++i) words[i] |= other.words_.load(i);
  }

  void intersect(const BloomFilter& other) noexcept {
    const auto words = words_.words();
    for (std::size_t i = 0; i < words.size(); ++i) words[i] &= other.words_.load(i);
  }

  [[no_unique_address]] Hash hash_;
  detail::Moving<std::uint64_t> bits_;
  detail::Moving<unsigned> hashes_;
  Words words_;
};

// |A or B| and all that follows from it: intersection() and jaccard(). O(m), by way of a copy.
// Throws std::invalid_argument if the filters are not compatible, std::bad_alloc.
template <class Key, class Hash, class Layout, class Words>
SetEstimate estimate_sets(const BloomFilter<Key, Hash, Layout, Words>& left,
                          const BloomFilter<Key, Hash, Layout, Words>& right) requires detail::exceptions_enabled {
  BloomFilter<Key, Hash, Layout, Words> both = left;
  both |= right;
  return {left.estimated_size(), right.estimated_size(), both.estimated_size()};
}

}  // namespace perhaps::inline PERHAPS_ABI

#endif
