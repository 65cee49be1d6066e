// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// CuckooFilter: a set that answers "certainly not" or "perhaps" and gives keys back: erase, exact size, count.
///
///     i1 = bucket of g       fp = 1 .. 2^f - 1 from h        i2 = (r(fp) - i1) mod buckets, and back again
///
///     bucket i1  [ 7f2 | 013 |     | a51 ]          each key's fingerprint is in one of its two buckets
///     bucket i2  [     | 9c0 |     |     ]
///
/// insert looks for room in both buckets, else for the shortest chain of fingerprints that can move to their other
/// buckets. Where there is none it refuses: false, and not a byte has changed.
///
/// Guarantee: a key that was accepted and not erased is found. An absent key is answered "perhaps" at a rate of
/// 1 - (1 - 1/(2^f - 1))^(2b*load), about 2b/2^f. The same keys in the same order give the same bytes.
/// The same key may be inserted more than once and is then in as often, up to 2b times.
///
/// erase(key) takes out one fingerprint that matches. Only erase keys that were inserted: for a false positive it takes
/// another key's fingerprint, and that key is then denied. Harm measured, of 10^5 erases of absent keys on 62 000 keys:
/// 2801 keys lost at f = 8, 205 at f = 12, 11 at f = 16.
///
/// Threads: any number may read at once; writing needs exclusion. Nothing is cached or hidden.
/// A moved-from filter has no buckets: until it is assigned to, it says "perhaps" to everything, accepts nothing,
/// counts 0 and erases nothing.
///
/// Fan, Andersen, Kaminsky and Mitzenmacher, "Cuckoo Filter: Practically Better Than Bloom", 2014.
#ifndef PERHAPS_CUCKOO_FILTER_HPP
#define PERHAPS_CUCKOO_FILTER_HPP

#include <perhaps/batch.hpp>
#include <perhaps/cuckoo/fingerprint_table.hpp>
#include <perhaps/cuckoo/path.hpp>
#include <perhaps/detail/bare_numbers.hpp>
#include <perhaps/detail/copy_assign.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/detail/merging.hpp>
#include <perhaps/detail/to_size.hpp>
#include <perhaps/detail/zero_on_move.hpp>
#include <perhaps/hashing.hpp>
#include <perhaps/insertion.hpp>
#include <perhaps/instruction_set.hpp>
#include <perhaps/kernel/tiles.hpp>
#include <perhaps/layout/layout.hpp>
#include <perhaps/probing.hpp>
#include <perhaps/sizing/cuckoo.hpp>
#include <perhaps/storage.hpp>
#include <perhaps/stored/policy_id.hpp>
#include <perhaps/version.hpp>
#include <perhaps/xxhash.hpp>

#include <algorithm>
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

/// A set of fingerprints that answers "certainly not" or "perhaps", gives keys back and knows its size.
/// `FingerprintBits` (f) sets the rate, `BucketSize` (b) how full it gets. insert() refuses when it finds no room.
/// cuckoo_filter.hpp has the guarantee, with a picture, and what erasing absent keys does.
template <class Key, unsigned FingerprintBits = 12, unsigned BucketSize = 4, class Hash = XxHash3>
class CuckooFilter : public BatchLookups<CuckooFilter<Key, FingerprintBits, BucketSize, Hash>, Key> {
  static_assert(detail::explain<Key, Hash>());
  static_assert(detail::explain_layout<Hash, void>());
  static_assert(
      FingerprintBits >= min_fingerprint_bits && FingerprintBits <= max_fingerprint_bits,
      "perhaps: fingerprints have 4 to 32 bits: fewer answer \"perhaps\" to half of all absent keys, more are "
      "not needed for any rate above 10^-8.");
  static_assert(BucketSize == 2 || BucketSize == 4 || BucketSize == 8,
                "perhaps: buckets hold 2, 4 or 8 fingerprints: one slot fills a table by half only.");

  using Table = detail::FingerprintTable<FingerprintBits, BucketSize>;
  using Path = detail::CuckooPath<Table, BucketSize>;

 public:
  using key_type = Key;  ///< The type of keys, taken in any spelling of key_encoding.hpp
  using hasher = Hash;   ///< The hash policy

  static constexpr unsigned fingerprint_bits = FingerprintBits;  ///< f, from 4 to 32
  static constexpr unsigned bucket_size = BucketSize;            ///< b: 2, 4 or 8 slots

  /// Room for target.keys distinct keys, refused less than once in a million filters.
  /// Throws std::invalid_argument for a rate outside (0, 1) or one that needs longer fingerprints (it names how long),
  /// std::length_error for more than this platform can address, std::bad_alloc. O(buckets).
  explicit CuckooFilter(CuckooTarget target, Hash hash = Hash{}) requires detail::exceptions_enabled
      : CuckooFilter(sized(target), std::move(hash)) {}

  /// Exactly parameters.buckets buckets. Throws std::invalid_argument if that is 0 or if widths are given that are not
  /// this filter's, std::length_error, std::bad_alloc. O(buckets).
  explicit CuckooFilter(const CuckooParameters& parameters, Hash hash = Hash{}) requires detail::exceptions_enabled
      : hash_(std::move(hash)), buckets_(checked(parameters).buckets), words_(words_for(buckets_)) {}

  /// The constructors for programs without exceptions, or for sizes that come from outside: nothing where those throw.
  static std::optional<CuckooFilter> make(CuckooTarget target, Hash hash = Hash{}) {
    const auto parameters = try_cuckoo_parameters(target, BucketSize, FingerprintBits, Hash::digest_bits);
    if (!parameters) return std::nullopt;
    return make(*parameters, std::move(hash));
  }

  /// A filter of exactly these parameters, or nothing where the constructor throws or memory lacks. O(buckets).
  static std::optional<CuckooFilter> make(const CuckooParameters& parameters, Hash hash = Hash{}) {
    if (!fits(parameters) || !addressable(parameters.buckets)) return std::nullopt;
    auto words = OwnedWords::make(words_for(parameters.buckets));
    if (!words) return std::nullopt;
    return detail::attempt([&]() -> std::optional<CuckooFilter> {
      return CuckooFilter(parameters.buckets, std::move(hash), *std::move(words));
    });
  }

  // Numbers without names do not compile, but for a sentence: write filter({.keys = 1000, .fpr = 0.01}).
  /// \cond
  template <class Never = void>
  explicit CuckooFilter(detail::BareNumber, detail::BareNumber = 0)
      : CuckooFilter(detail::explain_bare_numbers<CuckooFilter, Never>()) {}
  template <class... Never>
  requires(sizeof...(Never) == 0) explicit CuckooFilter(std::initializer_list<double>, Never...)
      : CuckooFilter(detail::explain_bare_numbers<CuckooFilter, Never...>()) {}
  /// \endcond

  CuckooFilter(const CuckooFilter&) = default;

  /// A copy. If memory lacks, or the hash policy's own assignment throws, this filter is as it was. O(buckets).
  CuckooFilter& operator=(const CuckooFilter& other) {
    detail::copy_assign(hash_, words_, other.hash_, other.words_);
    buckets_ = other.buckets_;
    size_ = other.size_;
    return *this;
  }

  CuckooFilter(CuckooFilter&&) = default;
  CuckooFilter& operator=(CuckooFilter&&) = default;
  ~CuckooFilter() = default;

  /// Exchanges the two. O(1). If the hash policy's own swap throws, both are as they were.
  friend void swap(CuckooFilter& left, CuckooFilter& right) noexcept(std::is_nothrow_swappable_v<Hash>) {
    std::ranges::swap(left.hash_, right.hash_);
    std::swap(left.buckets_, right.buckets_);
    std::swap(left.size_, right.size_);
    std::swap(left.words_, right.words_);
  }

  /// Puts `key` into the set, once more if it is there: a Key, in any spelling of key_encoding.hpp, or a digest made
  /// before by digest() of a filter with an equal hash policy. False: refused, nothing has changed and every key is
  /// still found; it may succeed after an erase. Amortized O(1), refusals bounded. Throws std::invalid_argument for a
  /// value that no Key has; without exceptions, such a value is refused.
  template <class Q = Key>
  [[nodiscard]] bool insert(const Q& key) {
    return detail::put_for<Key>(hash_, key, false, [this](Digest digest) { return insert_at(location_of(digest)); });
  }

  /// False: `key`, which may be a digest made before, is certainly not in the set. True: perhaps. Two memory accesses,
  /// no branches, the same on every instruction set. O(1), plus hashing.
  template <class Q = Key, InstructionSet Isa = isa::Scalar>
  [[nodiscard]] bool may_contain(const Q& key) const {
    return detail::ask_for<Key>(hash_, key, false, [this](Digest digest) {
      if (buckets_ == 0) return true;
      const Location location = location_of(digest);
      return table().contains(location.first, location.second, location.fingerprint);
    });
  }

  /// Takes `key`, which may be a digest made before, out once. False if it is certainly not in: nothing has changed
  /// then. Precondition for true to mean what it says: the key was inserted; else another key's fingerprint is gone.
  /// O(1).
  template <class Q = Key>
  bool erase(const Q& key) {
    return detail::ask_for<Key>(hash_, key, false, [this](Digest digest) {
      if (buckets_ == 0) return false;
      const Location location = location_of(digest);
      if (!table().remove(location.first, location.second, location.fingerprint)) return false;
      size_ = size_ - 1;
      return true;
    });
  }

  /// How many fingerprints match `key`, which may be a digest made before: as often as it is in, or more (false
  /// positives). At most 2b. O(1).
  template <class Q = Key>
  [[nodiscard]] unsigned count(const Q& key) const {
    return detail::ask_for<Key>(hash_, key, 0U, [this](Digest digest) {
      if (buckets_ == 0) return 0U;
      const Location location = location_of(digest);
      const unsigned first = table().count(location.first, location.fingerprint);
      return location.first == location.second ? first : first + table().count(location.second, location.fingerprint);
    });
  }

  /// insert(key) for the keys of a range, or for digests, in order, up to the first that is refused: how many were
  /// accepted, the first ones. See batch.hpp. If hashing throws, up to 31 of the keys before are not in. Of a range
  /// that can be read only once, up to 31 keys behind the refused one may be gone too.
  template <KeyRange Keys>
  [[nodiscard]] std::uint64_t insert_range(Keys&& keys) {
    std::uint64_t accepted = 0;
    if constexpr (detail::exceptions_enabled || std::same_as<detail::KeyIn<Keys>, Digest>) {
      detail::for_each_tile(
          keys, [&, to_digest = detail::digester<Key>(hash_)](const auto& key) { return prepare(to_digest(key)); },
          [&](const detail::Tile<Location>& tile, std::size_t count) {
            for (std::size_t i = 0; i < count; ++i) {
              if (!insert_at(tile[i])) return false;
              ++accepted;
            }
            return true;
          });
    } else {
      for (auto&& key : keys) {
        if (!insert(key)) break;
        ++accepted;
      }
    }
    return accepted;
  }

  /// insert_range() of the keys from `first` to before `last`: how many were accepted.
  template <class Iterator, class End>
  requires KeyIterators<Iterator, End> [[nodiscard]] std::uint64_t insert(Iterator first, End last) {
    return insert_range(detail::Between<Iterator, End>(std::move(first), std::move(last)));
  }

  /// insert(key) for the keys in braces, in order, up to the first that is refused: how many were accepted.
  [[nodiscard]] std::uint64_t insert_range(std::initializer_list<Key> keys) {
    return insert_range<const std::initializer_list<Key>&>(keys);
  }

  /// Fingerprints in the filter: accepted inserts less successful erases.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }

  /// Whether no fingerprint is in. O(1).
  [[nodiscard]] bool empty() const noexcept { return size_ == 0; }

  /// The number of buckets, of b slots each.
  [[nodiscard]] std::uint64_t buckets() const noexcept { return buckets_; }

  /// Slots: no filter accepts more, most refuse at 95 to 98 % of it.
  [[nodiscard]] std::uint64_t capacity() const noexcept { return buckets_ * BucketSize; }

  /// size() / capacity(), in [0, 1].
  [[nodiscard]] double load_factor() const noexcept {
    return buckets_ == 0 ? 1 : static_cast<double>(size_) / static_cast<double>(capacity());
  }

  /// Memory held for the fingerprints, in bytes.
  [[nodiscard]] std::size_t bytes() const noexcept { return words_.size() * sizeof(std::uint64_t); }

  /// The hash policy, with its seed if it has one.
  [[nodiscard]] const Hash& hash_policy() const noexcept { return hash_; }

  /// The packed buckets (cuckoo/fingerprint_table.hpp), then zeros: equal filters have equal bytes on every platform.
  [[nodiscard]] std::span<const std::byte> packed() const& noexcept { return std::as_bytes(words_.words()); }
  void packed() const&& = delete;  ///< Those of a temporary are gone when the statement ends

  /// The false-positive rate at the present load.
  [[nodiscard]] double current_fpr() const noexcept { return expected_fpr(size_); }

  /// The expected false-positive rate with `keys` keys in. A table of one bucket compares with that one only.
  [[nodiscard]] double expected_fpr(std::uint64_t keys) const noexcept {
    if (buckets_ == 0) return 1;
    const double load = static_cast<double>(keys) / static_cast<double>(capacity());
    return detail::cuckoo_fpr(FingerprintBits, BucketSize, buckets_ == 1 ? load / 2 : load);
  }

  /// Takes all keys out; keeps buckets, hash policy and memory. O(buckets).
  void clear() noexcept {
    std::ranges::fill(words_.words(), std::uint64_t{0});
    size_ = 0;
  }

  /// Equal buckets, hash policy and bytes: the order of fingerprints within the table counts.
  friend bool operator==(const CuckooFilter& left, const CuckooFilter& right) noexcept {
    return left.buckets_ == right.buckets_ && left.size_ == right.size_ &&
           detail::same_policy(left.hash_, right.hash_) && left.words_ == right.words_;
  }

 private:
  friend class BatchLookups<CuckooFilter, Key>;
  friend struct detail::StoredAccess;
  friend struct detail::StoredKind<CuckooFilter>;

  struct Location {
    std::uint64_t first;
    std::uint64_t second;
    std::uint32_t fingerprint;
  };

  CuckooFilter(std::uint64_t buckets, Hash hash, OwnedWords words) noexcept(std::is_nothrow_move_constructible_v<Hash>)
      : hash_(std::move(hash)), buckets_(buckets), words_(std::move(words)) {}

  // A fingerprint's buckets add up to r modulo the number of buckets, so each follows from the other and the
  // fingerprint. r is scattered: were it proportional to the fingerprint, chains of moves would soon meet again, and
  // f = 8 would fill to 0.94 instead of 0.97. For an even number of buckets r is made odd, and the two differ.
  static std::uint64_t other_bucket(std::uint64_t bucket, std::uint32_t fingerprint, std::uint64_t buckets) noexcept {
    const std::uint64_t r = fast_range(fingerprint * 0x9E3779B97F4A7C15U, buckets) | (~buckets & 1U);
    const std::uint64_t other = r - bucket;
    return other > r ? other + buckets : other;
  }

  Location location_of(Digest digest) const noexcept {
    constexpr std::uint64_t values = (std::uint64_t{1} << FingerprintBits) - 1;
    const auto fingerprint = static_cast<std::uint32_t>(1 + fast_range(digest.h, values));
    const std::uint64_t first = fast_range(digest.g, buckets_);
    return {first, other_bucket(first, fingerprint, buckets_), fingerprint};
  }

  Table table() const noexcept {
    // The table is a view that also writes; const filters only ever read through it.
    return Table(reinterpret_cast<unsigned char*>(const_cast<std::uint64_t*>(words_.words().data())));
  }

  // location_of, and asks for both buckets where memory is far.
  Location prepare(Digest digest) const noexcept {
    const Location location = location_of(digest);
    if (bytes() > detail::l2_bytes) {
      const auto* memory = reinterpret_cast<const unsigned char*>(words_.words().data());
      detail::prefetch_for_reading(memory + Table::first_byte(location.first));
      detail::prefetch_for_reading(memory + Table::first_byte(location.second));
    }
    return location;
  }

  void prefetch_digest(Digest digest) const noexcept { static_cast<void>(prepare(digest)); }

  template <InstructionSet Isa, class Keys, class Answer>
  void answer_batch(Keys&& keys, Answer& answer) const {
    detail::answer_tiles(
        keys, [&, to_digest = detail::digester<Key>(hash_)](const auto& key) { return prepare(to_digest(key)); },
        answer,
        [this](const detail::Tile<Location>& tile) {
          if (buckets_ == 0) return ~std::uint64_t{0};
          return detail::answer_each(
              tile, [this](const Location& p) { return table().contains(p.first, p.second, p.fingerprint); });
        });
  }

  bool insert_at(const Location& location) noexcept {
    if (buckets_ == 0) return false;
    Table table = this->table();
    // The emptier bucket: it postpones moves, and up to a load of 0.95 two fifths fewer buckets are searched for them.
    const bool second = table.count(location.second, 0) > table.count(location.first, 0);
    if (!table.put(second ? location.second : location.first, location.fingerprint) && !insert_by_moving(location))
      return false;
    size_ = size_ + 1;
    return true;
  }

  bool insert_by_moving(const Location& location) noexcept {
    return Path::insert(table(), location.first, location.second, location.fingerprint,
                        [buckets = buckets_](std::uint64_t bucket, std::uint32_t fingerprint) {
                          return other_bucket(bucket, fingerprint, buckets);
                        });
  }

  static constexpr std::size_t words_for(std::uint64_t buckets) noexcept {
    return detail::to_size((Table::bytes_for(buckets) + 7) / 8);
  }

  static bool addressable(std::uint64_t buckets) noexcept {
    constexpr std::uint64_t most = (std::numeric_limits<std::size_t>::max)() / 2;
    return buckets <= most / Table::bucket_bits * 8 && Table::bytes_for(buckets) <= most;
  }

  static bool fits(const CuckooParameters& parameters) noexcept {
    return parameters.buckets > 0 &&
           (parameters.fingerprint_bits == 0 || parameters.fingerprint_bits == FingerprintBits) &&
           (parameters.bucket_size == 0 || parameters.bucket_size == BucketSize);
  }

  static CuckooParameters sized(CuckooTarget target) {
    return cuckoo_parameters(target, BucketSize, FingerprintBits, Hash::digest_bits);
  }

  static const CuckooParameters& checked(const CuckooParameters& parameters) {
    const auto differ = [](const std::string& field, unsigned given, unsigned own) {
      detail::fail<std::invalid_argument>(field + " differ: " + detail::show(given) + " and this filter's " +
                                          detail::show(own));
    };
    if (parameters.buckets == 0) detail::fail<std::invalid_argument>("buckets must be above 0, got 0");
    if (!fits(parameters)) {
      if (parameters.bucket_size != 0 && parameters.bucket_size != BucketSize) {
        differ("bucket sizes", parameters.bucket_size, BucketSize);
      }
      differ("fingerprint bits", parameters.fingerprint_bits, FingerprintBits);
    }
    if (!addressable(parameters.buckets)) {
      detail::fail<std::length_error>("buckets = " + detail::show(parameters.buckets) +
                                      " are too many for this platform");
    }
    return parameters;
  }

  [[no_unique_address]] Hash hash_;
  detail::ZeroOnMove<std::uint64_t> buckets_;
  detail::ZeroOnMove<std::uint64_t> size_ = 0;
  OwnedWords words_;
};

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
