// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// SipHash: a keyed hash policy, for filters that are asked for or filled with keys that others choose. Who knows the
/// seed of a filter finds keys that it says "perhaps" to, ten thousand of them in hundredths of a second; under a
/// secret key of 128 bits, nobody who has not got the key can tell which these are.
///
///     BloomFilter<std::string, SipHash> filter({.keys = 1000, .fpr = 0.01}, SipHash(key));    // 16 random bytes
///
/// SipHash-2-4 with 128 bits of output, as its authors' reference code has it. SipHash-1-3, which some languages use in
/// their hash tables, has fewer rounds than the authors recommend. It takes 8 ns for an integer, where XxHash3
/// takes 1.4. Written out here, since the well-kept libraries that have it, libsodium and OpenSSL, need to be linked.
///
/// The key is never stored with a filter; a check value of it is, so that loading under another key is refused:
/// stored/keyed.hpp. An attacker who can ask the filter itself still learns, one by one, which keys it says
/// "perhaps" to; only a new key and a new filter helps against that.
///
/// Jean-Philippe Aumasson and Daniel J. Bernstein, "SipHash: a fast short-input PRF", 2012.
#ifndef PERHAPS_SIPHASH_HPP
#define PERHAPS_SIPHASH_HPP

#include <perhaps/digest.hpp>
#include <perhaps/stored/policy_id.hpp>
#include <perhaps/version.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace perhaps {
inline namespace PERHAPS_ABI {

/// A keyed hash policy: SipHash-2-4 with 128 bits of output. It has no default: the key is yours, 16 bytes from a
/// source of random numbers that is fit for keys, such as the operating system's, and kept apart from what is stored.
/// Any number of threads may hash with one policy. siphash.hpp says what it is good for.
class SipHash {
 public:
  static constexpr unsigned digest_bits = 128;      ///< The best that a policy can state
  static constexpr detail::BuiltinId stored_id{4};  ///< Its id in stored filters

  /// The key as two words. In the published order of bytes, the first has bytes 0 to 7, lowest first.
  constexpr SipHash(std::uint64_t first, std::uint64_t second) noexcept
      : first_(Secret{first}), second_(Secret{second}) {}

  /// The key as 16 bytes.
  constexpr explicit SipHash(const std::array<unsigned char, 16>& key) noexcept
      : SipHash(word_at(key, 0), word_at(key, 8)) {}

  /// Integers, and what is encoded as such: SipHash of their eight bytes, lowest first. O(1).
  constexpr Digest operator()(std::uint64_t word) const noexcept {
    State state = start(wide);
    state.absorb(word);
    return finish(state, std::uint64_t{8} << 56U);
  }

  /// Text and bytes. O(length).
  constexpr Digest operator()(std::string_view bytes) const noexcept {
    State state = start(wide);
    return finish(state, absorb_bytes(state, bytes));
  }

  /// SipHash-2-4 with 64 bits of output: a function of its own, as the 128 bits begin and end otherwise. O(length).
  constexpr std::uint64_t short_hash(std::string_view bytes) const noexcept {
    State state = start(0);
    state.absorb(absorb_bytes(state, bytes));
    state.v2 ^= 0xFF;
    return state.squeeze();
  }

  /// Tells keys apart without telling what they are: stored with filters. Other keys have another one, but for one in
  /// 2^64. It gives away nothing about digests, which come from another function. O(1).
  constexpr std::uint64_t key_check() const noexcept { return short_hash("perhaps"); }

  /// Whether the keys are equal.
  friend constexpr bool operator==(const SipHash&, const SipHash&) = default;

 private:
  // A type of its own, which no store to a filter's words can be taken to change: loops keep it in a register.
  enum class Secret : std::uint64_t {};

  static constexpr std::uint64_t wide = 0xEE;  // marks 128 bits of output

  struct State {
    std::uint64_t v0, v1, v2, v3;

    constexpr void round() noexcept {
      v0 += v1;
      v2 += v3;
      v1 = std::rotl(v1, 13) ^ v0;
      v3 = std::rotl(v3, 16) ^ v2;
      v0 = std::rotl(v0, 32);
      v2 += v1;
      v0 += v3;
      v1 = std::rotl(v1, 17) ^ v2;
      v3 = std::rotl(v3, 21) ^ v0;
      v2 = std::rotl(v2, 32);
    }

    constexpr void absorb(std::uint64_t word) noexcept {
      v3 ^= word;
      round();
      round();
      v0 ^= word;
    }

    constexpr std::uint64_t squeeze() noexcept {
      for (int i = 0; i < 4; ++i) round();
      return v0 ^ v1 ^ v2 ^ v3;
    }
  };

  constexpr State start(std::uint64_t output) const noexcept {
    const auto first = static_cast<std::uint64_t>(first_);
    const auto second = static_cast<std::uint64_t>(second_);
    return {first ^ 0x736F6D6570736575U, second ^ 0x646F72616E646F6DU ^ output, first ^ 0x6C7967656E657261U,
            second ^ 0x7465646279746573U};
  }

  static constexpr Digest finish(State& state, std::uint64_t last) noexcept {
    state.absorb(last);
    state.v2 ^= wide;
    const std::uint64_t g = state.squeeze();
    state.v1 ^= 0xDD;
    return {g, state.squeeze()};
  }

  // The eight bytes at `offset`, lowest first. Compilers make one load of it.
  template <class Bytes>
  static constexpr std::uint64_t word_at(const Bytes& bytes, std::size_t offset) noexcept {
    std::uint64_t word = 0;
    for (std::size_t i = 0; i < 8; ++i) {
      word |= std::uint64_t{static_cast<unsigned char>(bytes[offset + i])} << (8 * i);
    }
    return word;
  }

  // Absorbs all whole words; the last, which holds the rest of the bytes and the length, is returned.
  static constexpr std::uint64_t absorb_bytes(State& state, std::string_view bytes) noexcept {
    std::size_t offset = 0;
    for (; bytes.size() - offset >= 8; offset += 8) state.absorb(word_at(bytes, offset));
    std::uint64_t last = std::uint64_t{bytes.size()} << 56U;
    for (std::size_t i = 0; offset + i < bytes.size(); ++i) {
      last |= std::uint64_t{static_cast<unsigned char>(bytes[offset + i])} << (8 * i);
    }
    return last;
  }

  Secret first_;
  Secret second_;
};

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
