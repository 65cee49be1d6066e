// SPDX-License-Identifier: BSL-1.0
//
// One Parquet filter, by the command line: what parquet_interop.py compares with real Parquet libraries. Values come on
// standard input, one a line.
//
//     parquet_filter answers <file> <offset> <type>       0 or 1 for each value: what the filter there says
//     parquet_filter make <bytes of bits> <type>          a filter of these values to standard output, with its header
//     parquet_filter size <keys> <rate> <type>            likewise, of the size that sizing gives
//
// <type> is INT32, INT64, DOUBLE, FLOAT or BYTE_ARRAY.
#include <perhaps/parquet.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace {

template <class Key>
Key parse(const std::string& line) {
  if constexpr (std::is_same_v<Key, std::string>) return line;
  else if constexpr (std::is_same_v<Key, double>) return std::stod(line);
  else if constexpr (std::is_same_v<Key, float>) return std::stof(line);
  else return static_cast<Key>(std::stoll(line));
}

template <class Key>
int run(const std::vector<std::string>& arguments) {
  using Filter = perhaps::ParquetFilter<Key>;
  std::string line;
  if (arguments[0] == "make" || arguments[0] == "size") {
    auto filter = arguments[0] == "make" ? Filter({.bits = std::stoull(arguments[1]) * 8, .hashes = 8})
                                         : Filter({.keys = std::stoull(arguments[1]), .fpr = std::stod(arguments[2])});
    while (std::getline(std::cin, line)) filter.insert(parse<Key>(line));
    const auto bytes = perhaps::to_parquet(filter);
    std::cout.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return 0;
  }
  std::ifstream file(arguments[1], std::ios::binary);
  const std::string text((std::istreambuf_iterator<char>(file)), {});
  const auto bytes = std::as_bytes(std::span(text)).subspan(std::stoull(arguments[2]));
  const auto filter = perhaps::from_parquet<Filter>(bytes);
  while (std::getline(std::cin, line)) std::cout << (filter.may_contain(parse<Key>(line)) ? '1' : '0');
  return 0;
}

}  // namespace

int main(int count, char** values) try {
  const std::vector<std::string> arguments(values + 1, values + count);
  if (arguments.size() < 3) return 2;
  const std::string& type = arguments.back();
  if (type == "INT32") return run<std::int32_t>(arguments);
  if (type == "INT64") return run<std::int64_t>(arguments);
  if (type == "DOUBLE") return run<double>(arguments);
  if (type == "FLOAT") return run<float>(arguments);
  return run<std::string>(arguments);
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
