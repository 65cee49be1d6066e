// SPDX-License-Identifier: BSL-1.0
//
// Bloom's own example of 1970: hyphenating 500 000 words, 50 000 of which need the dictionary on disk. A filter in
// memory says which words certainly do not; one easy word in sixteen may go to the disk needlessly.
//
//     hyphenation [WORDS]      WORDS: one a line, such as /usr/share/dict/american-english-insane; else made-up words
//
// Burton H. Bloom, "Space/Time Trade-offs in Hash Coding with Allowable Errors", 1970.
#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

namespace {

constexpr std::size_t wanted = 500'000;

std::vector<std::string> read_words(const char* path) {
  std::vector<std::string> words;
  std::ifstream file(path);
  for (std::string word; std::getline(file, word);) words.push_back(word);
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  words.resize(std::min(words.size(), wanted));
  return words;
}

std::vector<std::string> make_words() {
  const char* syllables[] = {"ba", "con", "dri", "est", "fu", "gam", "hol", "in", "jor", "ket"};
  std::vector<std::string> words;
  for (std::size_t i = 0; i < wanted; ++i) {
    std::string word;
    for (std::size_t rest = i + 100'000; rest != 0; rest /= 10) word += syllables[rest % 10];
    words.push_back(word);
  }
  return words;
}

}  // namespace

int main(int count, char** arguments) {
  const std::vector<std::string> words = count > 1 ? read_words(arguments[1]) : make_words();
  const std::size_t hard = words.size() / 10;
  if (hard == 0) {
    std::cerr << "hyphenation: no words\n";
    return 1;
  }

  // Every tenth word has no rule.
  const auto sized = perhaps::bloom_parameters({.keys = hard, .fpr = 1.0 / 16});
  perhaps::BloomFilter<std::string> needs_disk(sized);
  for (std::size_t i = 0; i < hard; ++i) needs_disk.insert(words[10 * i]);

  std::size_t reads = 0;
  std::size_t missed = 0;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool perhaps_hard = needs_disk.may_contain(words[i]);
    reads += perhaps_hard ? 1 : 0;
    missed += i % 10 == 0 && i / 10 < hard && !perhaps_hard ? 1 : 0;
  }

  const auto easy = static_cast<double>(words.size() - hard);
  const double expected = static_cast<double>(hard) + easy / 16;
  std::cout << words.size() << " words, " << hard << " of them hard\n"
            << "filter: " << sized.bits << " bits (" << sized.bytes << " bytes), k = " << sized.hashes << '\n'
            << "disk reads: " << reads << ", expected " << expected << ", saved "
            << 100 - 100.0 * static_cast<double>(reads) / static_cast<double>(words.size()) << " %\n"
            << "hard words missed: " << missed << '\n';
  return missed == 0 && std::abs(static_cast<double>(reads) - expected) < 0.0128 * expected ? 0 : 1;
}
