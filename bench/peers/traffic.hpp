// SPDX-License-Identifier: BSL-1.0
//
// Keys for comparisons: those that are put in, as many that are not, and either in random order. They lie in memory in
// random order, as a caller's would.
#ifndef PERHAPS_BENCH_PEERS_TRAFFIC_HPP
#define PERHAPS_BENCH_PEERS_TRAFFIC_HPP

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

namespace peers {

// A bijection: different i, different words. Not the library's digest, which would give its filters easier keys.
constexpr std::uint64_t scrambled(std::uint64_t i) {
  i += 0x9E3779B97F4A7C15U;
  i = (i ^ (i >> 30U)) * 0xBF58476D1CE4E5B9U;
  i = (i ^ (i >> 27U)) * 0x94D049BB133111EBU;
  return i ^ (i >> 31U);
}

template <class Key>
struct Traffic {
  // `letters` is the length of strings, at least 8; integers have none.
  explicit Traffic(std::size_t keys, std::size_t letters = 0) {
    for (std::uint64_t i = 0; i < keys; ++i) {
      present.push_back(key(2 * i, letters));
      absent.push_back(key(2 * i + 1, letters));
    }
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < keys; ++i) mixed.push_back(random() % 2 == 0 ? present[i] : absent[i]);
  }

  std::vector<Key> present;
  std::vector<Key> absent;
  std::vector<Key> mixed;

 private:
  static Key key(std::uint64_t i, [[maybe_unused]] std::size_t letters) {
    if constexpr (std::is_same_v<Key, std::string>) {
      // The number i is in the first eight letters, in base 36 and in a scrambled order; the others are random.
      constexpr std::uint64_t all = 2'821'109'907'456U;  // 36^8
      std::string text(letters, ' ');
      std::uint64_t rest = i * 1'000'000'007U % all;
      std::uint64_t random = scrambled(i);
      for (std::size_t at = 0; at < letters; ++at) {
        if (at == 8) rest = random;
        text[at] = "abcdefghijklmnopqrstuvwxyz0123456789"[rest % 36];
        rest /= 36;
        if (at >= 8 && at % 8 == 0) rest = random = scrambled(random);
      }
      return text;
    } else {
      return scrambled(i);
    }
  }
};

}  // namespace peers

#endif
