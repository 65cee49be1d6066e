// SPDX-License-Identifier: BSL-1.0
//
// One Parquet filter, read and asked by Apache Arrow's own C++ library: what parquet_interop.py compares with ours.
// Values come on standard input, one a line; the answer is 0 or 1 for each.
//
//     arrow_filter column <file> <column> <type>      the filter of a column of a Parquet file, in its first row group
//     arrow_filter alone <file> <type>                a filter with its header, which is all that the file holds
//
// <type> is INT32, INT64, DOUBLE, FLOAT or BYTE_ARRAY. 1 and Arrow's message if Arrow refuses the filter.
#include <arrow/io/file.h>
#include <parquet/bloom_filter.h>
#include <parquet/bloom_filter_reader.h>
#include <parquet/file_reader.h>
#include <parquet/properties.h>

#include <cstdint>
#include <exception>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

std::uint64_t hash_of(const parquet::BloomFilter& filter, const std::string& type, const std::string& line) {
  if (type == "INT32") return filter.Hash(static_cast<std::int32_t>(std::stoll(line)));
  if (type == "INT64") return filter.Hash(static_cast<std::int64_t>(std::stoll(line)));
  if (type == "DOUBLE") return filter.Hash(std::stod(line));
  if (type == "FLOAT") return filter.Hash(std::stof(line));
  const parquet::ByteArray bytes(line);
  return filter.Hash(&bytes);
}

void answer(const parquet::BloomFilter& filter, const std::string& type) {
  std::string line;
  while (std::getline(std::cin, line)) std::cout << (filter.FindHash(hash_of(filter, type, line)) ? '1' : '0');
}

int run(const std::vector<std::string>& arguments) {
  if (arguments[0] == "column") {
    const auto reader = parquet::ParquetFileReader::OpenFile(arguments[1]);
    const auto filter = reader->GetBloomFilterReader().RowGroup(0)->GetColumnBloomFilter(std::stoi(arguments[2]));
    if (filter == nullptr) throw std::runtime_error("the column has no filter");
    answer(*filter, arguments[3]);
    return 0;
  }
  const auto file = arrow::io::ReadableFile::Open(arguments[1]).ValueOrDie();
  const auto filter = parquet::BlockSplitBloomFilter::Deserialize(parquet::default_reader_properties(), file.get());
  answer(filter, arguments[2]);
  return 0;
}

}  // namespace

int main(int count, char** values) try {
  const std::vector<std::string> arguments(values + 1, values + count);
  if (arguments.size() < 3) return 2;
  return run(arguments);
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
