// SPDX-License-Identifier: BSL-1.0
//
// Buckets of b fingerprints of f bits each, packed without a gap: bucket i starts at bit i*b*f, whatever b*f is.
//
//     f = 12, b = 4:   | slot 0 | slot 1 | slot 2 | slot 3 |          48 bits, one load
//     f = 17, b = 4:   | slot 0 | slot 1 |  | slot 2 | slot 3 |       two chunks of 34 bits, a load each
//
// A chunk is as many slots as always lie within one 64-bit load, and all its slots are compared at once: x = chunk XOR
// the fingerprint repeated has a zero field where a slot matches, and (x - 0..01..01) & ~x & 10..10.. is nonzero
// exactly if there is one. Its lowest bit is right, higher ones may be borrows. Fingerprint 0 means empty.
//
// Mycroft's zero-byte test, as in Anderson, "Bit Twiddling Hacks".
#ifndef PERHAPS_CUCKOO_FINGERPRINT_TABLE_HPP
#define PERHAPS_CUCKOO_FINGERPRINT_TABLE_HPP

#include <perhaps/cuckoo/table_geometry.hpp>
#include <perhaps/detail/byte_order.hpp>
#include <perhaps/detail/to_size.hpp>
#include <perhaps/version.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

// Works on memory that it does not own: `bytes_for(buckets)` bytes, zero at first.
template <unsigned Bits, unsigned Slots>
class FingerprintTable {
  static constexpr TableGeometry geometry{Bits, Slots};

 public:
  static constexpr unsigned bucket_bits = geometry.bucket_bits();
  static constexpr unsigned chunk_slots = geometry.chunk_slots();
  static constexpr unsigned chunks = Slots / chunk_slots;

  using Word = std::conditional_t<geometry.load_bytes() == 8, std::uint64_t, std::uint32_t>;

  // Where a bucket begins.
  static constexpr std::size_t first_byte(std::uint64_t bucket) noexcept {
    return to_size((bucket / 8) * bucket_bits + ((bucket % 8) * bucket_bits) / 8);
  }

  // A load may reach past the last bucket.
  static constexpr std::uint64_t bytes_for(std::uint64_t buckets) noexcept { return geometry.bytes_for(buckets); }

  explicit FingerprintTable(unsigned char* bytes) noexcept : bytes_(bytes) {}

  // Whether either bucket holds `fingerprint`; no branches. Also for left == right, and for 0: whether one has room.
  bool contains(std::uint64_t left, std::uint64_t right, std::uint32_t fingerprint) const noexcept {
    const Word pattern = repeated(fingerprint);
    Word found = 0;
    for (unsigned chunk = 0; chunk < chunks; ++chunk) {
      found |= zero_fields(load(left, chunk) ^ pattern) | zero_fields(load(right, chunk) ^ pattern);
    }
    return found != 0;
  }

  // How many slots of the bucket hold `fingerprint`.
  unsigned count(std::uint64_t bucket, std::uint32_t fingerprint) const noexcept {
    const Word pattern = repeated(fingerprint);
    unsigned found = 0;
    for (unsigned chunk = 0; chunk < chunks; ++chunk) {
      const Word x = load(bucket, chunk) ^ pattern;
      // Exact in every field: adding all ones to the lower bits carries into the top bit unless they are all zero.
      const Word lower = all_fields ^ top_bits;
      const Word nonzero = ((x & lower) + lower) | x;
      found += static_cast<unsigned>(std::popcount(static_cast<Word>(~nonzero & top_bits)));
    }
    return found;
  }

  // How many slots of all buckets are not empty. Each slot's sum builds up in its own field, until that is full.
  std::uint64_t occupied(std::uint64_t buckets) const noexcept {
    constexpr std::uint64_t run = field < 255 ? field : 255;
    const Word lower = all_fields ^ top_bits;
    std::uint64_t total = 0;
    for (unsigned chunk = 0; chunk < chunks; ++chunk) {
      for (std::uint64_t first = 0; first < buckets; first += run) {
        Word sums = 0;
        for (std::uint64_t bucket = first; bucket < buckets && bucket - first < run; ++bucket) {
          const Word x = load(bucket, chunk);
          const Word nonzero = ((x & lower) + lower) | x;
          sums += static_cast<Word>(static_cast<Word>(nonzero & top_bits) >> (Bits - 1));
        }
        for (unsigned slot = 0; slot < chunk_slots; ++slot) total += static_cast<Word>(sums >> (slot * Bits)) & field;
      }
    }
    return total;
  }

  std::uint32_t get(std::uint64_t bucket, unsigned slot) const noexcept {
    const Word chunk = load(bucket, slot / chunk_slots);
    return static_cast<std::uint32_t>(chunk >> (slot % chunk_slots * Bits)) & field;
  }

  void set(std::uint64_t bucket, unsigned slot, std::uint32_t fingerprint) noexcept {
    const Position at = position(bucket, slot / chunk_slots);
    const unsigned shift = at.shift + slot % chunk_slots * Bits;
    const Word word = load_little_endian<Word>(bytes_ + at.byte);
    const Word cleared = word & static_cast<Word>(~(static_cast<Word>(field) << shift));
    store_little_endian<Word>(bytes_ + at.byte, cleared | static_cast<Word>(static_cast<Word>(fingerprint) << shift));
  }

  // Puts `fingerprint` into the first empty slot; false if there is none.
  bool put(std::uint64_t bucket, std::uint32_t fingerprint) noexcept {
    for (unsigned chunk = 0; chunk < chunks; ++chunk) {
      const Position at = position(bucket, chunk);
      const Word word = load_little_endian<Word>(bytes_ + at.byte);
      const Word empty = zero_fields(static_cast<Word>(word >> at.shift));
      if (empty == 0) continue;
      // The lowest bit found is the top bit of the first empty slot, which has nothing to be cleared.
      const unsigned shift = at.shift + static_cast<unsigned>(std::countr_zero(empty)) - (Bits - 1);
      store_little_endian<Word>(bytes_ + at.byte, word | static_cast<Word>(static_cast<Word>(fingerprint) << shift));
      return true;
    }
    return false;
  }

  // Empties one slot of either bucket that holds `fingerprint`; false if there is none. Which of the two it is in is a
  // coin toss, so it is selected by masks: a branch would be mispredicted every other time.
  bool remove(std::uint64_t left, std::uint64_t right, std::uint32_t fingerprint) noexcept {
    const Word pattern = repeated(fingerprint);
    for (unsigned chunk = 0; chunk < chunks; ++chunk) {
      const Position first = position(left, chunk);
      const Position second = position(right, chunk);
      const Word first_word = load_little_endian<Word>(bytes_ + first.byte);
      const Word second_word = load_little_endian<Word>(bytes_ + second.byte);
      const Word in_first = zero_fields(static_cast<Word>(first_word >> first.shift) ^ pattern);
      const Word in_second = zero_fields(static_cast<Word>(second_word >> second.shift) ^ pattern);
      if ((in_first | in_second) == 0) continue;
      const std::uint64_t other = static_cast<std::uint64_t>(in_first != 0) - 1;  // all ones: it is in the second
      const auto select = [other](std::uint64_t a, std::uint64_t b) { return a ^ ((a ^ b) & other); };
      const Word found = in_first | static_cast<Word>(in_second & other);
      const auto word = static_cast<Word>(select(first_word, second_word));
      const unsigned shift = static_cast<unsigned>(select(first.shift, second.shift)) +
                             static_cast<unsigned>(std::countr_zero(found)) - (Bits - 1);
      store_little_endian<Word>(bytes_ + to_size(select(first.byte, second.byte)),
                                word & static_cast<Word>(~(static_cast<Word>(field) << shift)));
      return true;
    }
    return false;
  }

 private:
  struct Position {
    std::size_t byte;
    unsigned shift;
  };

  static constexpr std::uint32_t field = Bits == 32 ? ~std::uint32_t{0} : (std::uint32_t{1} << Bits) - 1;

  static constexpr Word repeat_field(std::uint32_t value) noexcept {
    Word word = 0;
    for (unsigned slot = 0; slot < chunk_slots; ++slot)
      word |= static_cast<Word>(static_cast<Word>(value) << (slot * Bits));
    return word;
  }

  static constexpr Word low_fields = repeat_field(1);
  static constexpr Word all_fields = repeat_field(field);
  static constexpr Word top_bits = repeat_field(std::uint32_t{1} << (Bits - 1));

  static constexpr Word repeated(std::uint32_t fingerprint) noexcept {
    return static_cast<Word>(fingerprint * low_fields);
  }

  static constexpr Word zero_fields(Word x) noexcept { return static_cast<Word>((x - low_fields) & ~x & top_bits); }

  static constexpr Position position(std::uint64_t bucket, unsigned chunk) noexcept {
    if constexpr (bucket_bits % 8 == 0 && (chunks == 1 || chunk_slots * Bits % 8 == 0)) {
      return {to_size(bucket * (bucket_bits / 8) + chunk * (chunk_slots * Bits / 8)), 0};
    } else {
      const std::uint64_t bit = bucket * bucket_bits + chunk * (chunk_slots * Bits);
      return {to_size(bit / 8), static_cast<unsigned>(bit % 8)};
    }
  }

  // The fields of the chunk from bit 0 on; above them are bits of other chunks.
  Word load(std::uint64_t bucket, unsigned chunk) const noexcept {
    const Position at = position(bucket, chunk);
    return static_cast<Word>(load_little_endian<Word>(bytes_ + at.byte) >> at.shift);
  }

  unsigned char* bytes_;
};

}  // namespace detail
}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
