// SPDX-License-Identifier: BSL-1.0
//
// Reads the tables of tests/data: a header line with the columns' names, then comma-separated rows without quoting
// (a row of facts.csv may quote its last columns; the first ones are still right).
#ifndef PERHAPS_TESTS_SUPPORT_CSV_HPP
#define PERHAPS_TESTS_SUPPORT_CSV_HPP

#include <cstdint>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace support {

class Row {
 public:
  Row(const std::vector<std::string>& columns, const std::vector<std::string>& values) {
    for (std::size_t i = 0; i < columns.size(); ++i) values_[columns[i]] = i < values.size() ? values[i] : "";
  }

  const std::string& text(const std::string& column) const { return values_.at(column); }
  bool has(const std::string& column) const { return !text(column).empty(); }
  double real(const std::string& column) const { return std::stod(text(column)); }
  std::uint64_t integer(const std::string& column) const { return std::stoull(text(column)); }
  std::uint64_t hex(const std::string& column) const { return std::stoull(text(column), nullptr, 16); }

 private:
  std::map<std::string, std::string> values_;
};

inline std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields(1);
  for (const char c : line) {
    if (c == ',') fields.emplace_back();
    else fields.back() += c;
  }
  return fields;
}

inline std::vector<Row> read_csv(const std::string& name) {
  std::ifstream file(PERHAPS_TEST_DATA "/" + name);
  std::string line;
  if (!std::getline(file, line)) throw std::runtime_error("no test data: " + name);
  const auto columns = split(line);
  std::vector<Row> rows;
  while (std::getline(file, line)) rows.emplace_back(columns, split(line));
  return rows;
}

}  // namespace support

#endif
