// SPDX-License-Identifier: BSL-1.0
//
// What is in a stored filter, whatever its type: by its header, and by its bits. With files as arguments it inspects
// those, else some of its own.
#include <perhaps/files.hpp>
#include <perhaps/perhaps.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <vector>

namespace {

using perhaps::StoredHeader;
using Bytes = std::span<const std::byte>;

// Bit j of a payload is bit j % 8 of byte j / 8.
bool bit(Bytes payload, std::uint64_t j) {
  return (payload[static_cast<std::size_t>(j / 8)] >> (j % 8) & std::byte{1}) != std::byte{0};
}

// One bit for each cell that is not 0, in words, as layouts read them.
std::vector<std::uint64_t> used_cells(Bytes payload, std::uint64_t cells, unsigned width) {
  std::vector<std::uint64_t> words(static_cast<std::size_t>((cells + 63) / 64));
  for (std::uint64_t i = 0; i < cells; ++i) {
    bool used = false;
    for (unsigned j = 0; j < width; ++j) used = used || bit(payload, i * width + j);
    if (used) words[static_cast<std::size_t>(i / 64)] |= std::uint64_t{1} << (i % 64);
  }
  return words;
}

// The rate of these bits under the layout of that id; a number below 0 for one that is not of the library.
double rate(const StoredHeader& header, const std::vector<std::uint64_t>& words) {
  double found = -1;
  const auto try_layout = [&]<class Layout>(std::uint32_t id, Layout) {
    const auto word = [&words](std::uint64_t i) { return words[static_cast<std::size_t>(i)]; };
    if (id == header.layout_id) found = Layout::current_fpr(header.cells, header.hashes, word);
  };
  try_layout(1, perhaps::Classic<>());
  try_layout(0x1040, perhaps::Blocked<64>());
  try_layout(0x1080, perhaps::Blocked<128>());
  try_layout(0x1100, perhaps::Blocked<256>());
  try_layout(0x1200, perhaps::Blocked<512>());
  try_layout(0x2010, perhaps::SplitBlock<16, 8>());
  try_layout(0x2020, perhaps::SplitBlock<32, 8>());
  try_layout(0x2040, perhaps::SplitBlock<64, 8>());
  return found;
}

void show_line(const char* what, const std::string& text) { std::printf("  %-8s %s\n", what, text.c_str()); }

// One filter; returns false if it says why it is none.
bool inspect(Bytes bytes) {
  const auto header = perhaps::try_stored_header(bytes);
  if (!header) {
    show_line("refused", describe(header.failure()));
    return false;
  }
  show_line("kind", perhaps::describe_filter_kind(header->kind));
  show_line("keys", perhaps::describe_keys(header->key_kind));
  show_line("hash", perhaps::describe_hash(header->hash_id) + ", seed " + std::to_string(header->seed));
  show_line("layout", perhaps::describe_layout(header->layout_id));
  if (header->probe_id != 0) show_line("probes", perhaps::describe_probes(header->probe_id));
  const Bytes payload = bytes.subspan(perhaps::stored_header_bytes);
  if (header->kind > 3) {
    show_line("stages", std::to_string(header->cells));
    return true;
  }
  const bool is_cuckoo = header->kind == 3;
  const unsigned width = header->cell_bits;
  const std::uint64_t cells = header->cells * (is_cuckoo ? header->bucket_size() : 1);
  if (payload.size() != header->payload_bytes || cells > payload.size() * 8 / width) {
    show_line("refused", "its length is not what its header says");
    return false;
  }
  const auto words = used_cells(payload, cells, width);
  std::uint64_t used = 0;
  for (const std::uint64_t word : words) used += static_cast<unsigned>(std::popcount(word));
  const double fill = static_cast<double>(used) / static_cast<double>(cells);
  const char* what = is_cuckoo ? "slots" : header->kind == 2 ? "counters" : "bits";
  std::string size = std::to_string(cells) + " " + what;
  if (width > 1) size += " of " + std::to_string(width) + " bits";
  if (!is_cuckoo) size += ", k = " + std::to_string(header->hashes);
  show_line("size", size);
  const double fpr = is_cuckoo ? perhaps::cuckoo_fpr(width, header->bucket_size(), fill) : rate(*header, words);
  std::printf("  %-8s %.4f\n", "fill", fill);
  if (fpr >= 0) std::printf("  %-8s %.3g\n", "rate", fpr);
  return true;
}

bool inspect(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes((std::istreambuf_iterator<char>(file)), {});
  std::printf("%s, %zu bytes\n", path.c_str(), bytes.size());
  return inspect(std::as_bytes(std::span(bytes)));
}

template <class F>
std::string saved(F filter, const std::string& path) {
  for (std::uint64_t key = 0; key < 1000; ++key) static_cast<void>(filter.insert(key));
  perhaps::save(filter, path);
  return path;
}

}  // namespace

int main(int count, char** arguments) {
  bool good = true;
  for (int i = 1; i < count; ++i) good = inspect(std::string(arguments[i])) && good;
  if (count > 1) return good ? 0 : 1;

  using Key = std::uint64_t;
  using Split = perhaps::BloomFilter<Key, perhaps::XxHash3, perhaps::SplitBlock<>>;
  const perhaps::BloomTarget target{.keys = 1000, .fpr = 0.01};
  for (const std::string& path :
       {saved(Split(target), "inspect_split.perhaps"),
        saved(perhaps::CountingBloomFilter<Key>(target), "inspect_counting.perhaps"),
        saved(perhaps::CuckooFilter<Key, 12>({.keys = 1000}), "inspect_cuckoo.perhaps"),
        saved(perhaps::ScalableFilter<Split>({.keys = 100, .fpr = 0.01}), "inspect_chain.perhaps")}) {
    good = inspect(path) && good;
    std::remove(path.c_str());
  }
  return good ? 0 : 1;
}
