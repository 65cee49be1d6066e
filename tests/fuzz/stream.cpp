// SPDX-License-Identifier: BSL-1.0
//
// Fuzz target: streams, that can be asked how much is left and that can't. What they give equals what bytes give.
#include <istream>
#include <streambuf>
#include <string>

#include "fuzz/decode.hpp"

namespace {

class Source : public std::streambuf {
 public:
  Source(const fuzz::Bytes& bytes, bool seekable) : text_(bytes.size(), ' '), seekable_(seekable) {
    std::transform(bytes.begin(), bytes.end(), text_.begin(), [](std::byte byte) { return static_cast<char>(byte); });
    setg(text_.data(), text_.data(), text_.data() + text_.size());
  }

 private:
  pos_type seekoff(off_type off, std::ios_base::seekdir from, std::ios_base::openmode) override {
    if (!seekable_) return pos_type(off_type(-1));
    const off_type base = from == std::ios_base::beg   ? 0
                          : from == std::ios_base::cur ? gptr() - eback()
                                                       : egptr() - eback();
    return seekpos(pos_type(base + off), std::ios_base::in);
  }
  pos_type seekpos(pos_type to, std::ios_base::openmode) override {
    const auto at = static_cast<off_type>(to);
    if (!seekable_ || at < 0 || at > egptr() - eback()) return pos_type(off_type(-1));
    setg(eback(), eback() + at, egptr());
    return to;
  }

  std::string text_;
  bool seekable_;
};

template <class F>
void check(const fuzz::Bytes& bytes) {
  const auto loaded = perhaps::try_from_bytes<F>(bytes);
  for (const bool seekable : {true, false}) {
    Source source(bytes, seekable);
    std::istream in(&source);
    const auto read = perhaps::try_read<F>(in);
    if (loaded) fuzz::require(read && *read == *loaded);
    else if (loaded.reason() != perhaps::FormatReason::too_long) fuzz::require(!read);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using Word = std::uint64_t;
  fuzz::for_each_input(data, size, [](const fuzz::Bytes& bytes) {
    check<perhaps::BloomFilter<Word>>(bytes);
    check<perhaps::CountingBloomFilter<Word, 4>>(bytes);
    check<perhaps::CuckooFilter<Word, 17, 2>>(bytes);
  });
  return 0;
}
