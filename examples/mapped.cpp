// SPDX-License-Identifier: BSL-1.0
//
// A filter in a file, asked where it lies. A build job saves it; each process that needs it maps the file: no copy, no
// allocation, no time, whatever its size, and all of them share the same pages of memory.
#include <perhaps/files.hpp>
#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace {

// One cache line per question: one page of the file is read for it.
using Filter = perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::SplitBlock<>>;

void build(const std::string& path, std::uint64_t keys) {
  Filter filter({.keys = keys, .fpr = 0.01});
  for (std::uint64_t key = 0; key < keys; ++key) filter.insert(key);
  perhaps::save(filter, path);  // whoever has the old file mapped keeps it
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

// Opens and asks once; returns how long that took. The bytes are trusted: only their structure is checked. Where they
// come from elsewhere, Verify::everything reads them all and compares the checksum.
double open_and_ask(const std::string& path, std::uint64_t key, bool& found) {
  const auto start = std::chrono::steady_clock::now();
  const perhaps::MappedFilter<Filter> filter(path, perhaps::Verify::structure);
  found = filter->may_contain(key);
  return milliseconds_since(start);
}

}  // namespace

int main() {
  const std::string path = "mapped_example.perhaps";
  for (const std::uint64_t keys : {100'000U, 10'000'000U}) {
    build(path, keys);
    bool found = false;
    double fastest = 1e9;
    for (int i = 0; i < 20; ++i) fastest = std::min(fastest, open_and_ask(path, keys / 2, found));

    const auto start = std::chrono::steady_clock::now();
    const auto copy = perhaps::load<Filter>(path);
    const double loading = milliseconds_since(start);

    std::printf("%9llu keys, %5.1f MB: mapped and asked in %.3f ms, loaded in %.1f ms\n",
                static_cast<unsigned long long>(keys), static_cast<double>(copy.bytes()) / 1e6, fastest, loading);
    if (!found) return 1;

    // The view answers like the filter that was saved, and what would write to it does not compile.
    const perhaps::MappedFilter<Filter> mapped(path);
    if (*mapped != copy) return 1;
  }
  std::remove(path.c_str());

  // What goes wrong is said with the file's name.
  const auto gone = perhaps::try_load<Filter>(path);
  if (gone) return 1;
  std::printf("%s\n", describe(gone.failure()).c_str());
}
