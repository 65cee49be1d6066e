// SPDX-License-Identifier: BSL-1.0
//
// The keys that are inserted and queried: distinct, because the second of two equal keys would be counted as a false
// positive when the first was inserted.
#ifndef PERHAPS_BENCH_REPORT_KEYS_HPP
#define PERHAPS_BENCH_REPORT_KEYS_HPP

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace report {

struct Keys {
  std::string source;  // for the report's first line
  std::vector<std::string> list;
  std::size_t duplicates = 0;
};

namespace detail {

inline std::string read_file(const std::filesystem::path& path) {
  if (!std::filesystem::exists(path)) throw std::runtime_error("there is no key file " + path.string());
  if (std::filesystem::is_directory(path)) throw std::runtime_error(path.string() + " is a folder, not a key file");
  std::ifstream file(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(file), {}};
  if (!file) throw std::runtime_error("can't read the key file " + path.string());
  return text;
}

// Lines that end in LF or CR LF; empty ones are no keys.
inline std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const auto end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines.emplace_back(line);
  }
  return lines;
}

}  // namespace detail

inline constexpr const char* word_list = "/usr/share/dict/american-english";

inline Keys read_keys(const std::filesystem::path& path) {
  Keys keys{path.string(), detail::lines_of(detail::read_file(path))};
  if (keys.list.empty()) throw std::runtime_error("the key file " + path.string() + " holds no keys");
  const std::size_t lines = keys.list.size();
  std::sort(keys.list.begin(), keys.list.end());
  keys.list.erase(std::unique(keys.list.begin(), keys.list.end()), keys.list.end());
  keys.duplicates = lines - keys.list.size();
  // One to insert and one to query.
  if (keys.list.size() < 2) throw std::runtime_error("the key file " + path.string() + " holds one distinct key only");
  return keys;
}

inline Keys generated_keys(std::size_t count) {
  Keys keys{"generated (key-0, key-1, ...)", {}};
  keys.list.reserve(count);
  for (std::size_t i = 0; i < count; ++i) keys.list.push_back("key-" + std::to_string(i));
  return keys;
}

// The named file, or the word list where it is installed, or as many generated keys.
inline Keys find_keys(const std::optional<std::filesystem::path>& path) {
  if (path) return read_keys(*path);
  if (std::filesystem::is_regular_file(word_list)) return read_keys(word_list);
  return generated_keys(100'000);
}

}  // namespace report

#endif
