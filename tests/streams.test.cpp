// SPDX-License-Identifier: BSL-1.0
//
// Streams of every kind: what they can say about themselves never changes what is read. Each kind of buffer gives each
// filter, the bytes behind it untouched, or the reason why it can't; nothing throws unless the stream was asked to.
#include <perhaps/serialization.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <istream>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <streambuf>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "support/allocations.hpp"
#include "support/catch.hpp"
#include "support/filters.hpp"
#include "support/stored.hpp"

namespace {

using perhaps::FormatReason;
using support::Bytes;
using Bloom = perhaps::BloomFilter<std::uint64_t>;
using Split = perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::SplitBlock<>>;
using Counting = perhaps::CountingBloomFilter<std::uint64_t>;
using Cuckoo = perhaps::CuckooFilter<std::uint64_t>;

// A buffer over text, whose answers about positions can be exchanged. By itself it gives bytes and can do nothing else.
class Buffer : public std::streambuf {
 public:
  explicit Buffer(std::string text) : text_(std::move(text)) { setg(text_.data(), text_.data(), text_.data()); }

  std::size_t step = 1000;                     // bytes that are buffered at once
  std::size_t most_at_once = ~std::size_t{0};  // bytes that one read gives, before the end too
  std::function<long(long here)> tell;
  std::function<long(long here, long to)> go;           // where it is then: -1 if it fails
  std::function<long(long here, long size)> go_to_end;  // likewise
  long throws_at = -1;                                  // reading beyond throws

  long size() const { return static_cast<long>(text_.size()); }
  long here() const { return static_cast<long>(gptr() - eback()); }
  void move_to(long position) {
    char* begin = text_.data();
    setg(begin, begin + position, begin + position);
  }

 private:
  int_type underflow() override {
    const auto at = static_cast<std::size_t>(here());
    if (throws_at >= 0 && here() >= throws_at) throw std::runtime_error("the line is dead");
    if (at == text_.size()) return traits_type::eof();
    std::size_t end = std::min(at + step, text_.size());
    if (throws_at >= 0) end = std::min(end, static_cast<std::size_t>(throws_at));
    setg(text_.data(), text_.data() + at, text_.data() + end);
    return traits_type::to_int_type(*gptr());
  }

  std::streamsize xsgetn(char* to, std::streamsize count) override {
    return std::streambuf::xsgetn(
        to, static_cast<std::streamsize>(std::min(static_cast<std::size_t>(count), most_at_once)));
  }

  pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override {
    if (from == std::ios_base::cur && offset == 0) return answer(tell ? tell(here()) : -1);
    if (from == std::ios_base::end && offset == 0) return answer(go_to_end ? go_to_end(here(), size()) : -1);
    return answer(-1);
  }

  pos_type seekpos(pos_type to, std::ios_base::openmode) override {
    return answer(go ? go(here(), static_cast<long>(static_cast<off_type>(to))) : -1);
  }

  static pos_type answer(long position) { return pos_type(static_cast<off_type>(position)); }

  std::string text_;
};

struct Kind {
  std::string name;
  std::function<void(Buffer&)> set_up;
  bool loads = true;  // false: it is moved by asking and does not come back
};

long same(long here) { return here; }

std::vector<Kind> kinds() {
  const auto seekable = [](Buffer& b) {
    b.tell = same;
    b.go = [&b](long, long to) { return to < 0 || to > b.size() ? -1 : (b.move_to(to), to); };
    b.go_to_end = [&b](long, long size) { return b.move_to(size), size; };
  };
  const auto seekable_but = [seekable](const auto& change) {
    return [seekable, change](Buffer& b) {
      seekable(b);
      change(b);
    };
  };
  const auto dead = [](auto...) -> long { throw std::runtime_error("no positions here"); };
  return {
      {"bytes only", [](Buffer&) {}},
      {"seven bytes at a time", [](Buffer& b) { b.step = 7; }},
      {"one byte at a time", [](Buffer& b) { b.step = 1; }},
      {"reads that end early", [](Buffer& b) { b.most_at_once = 1000; }},
      {"seekable, with reads that end early", seekable_but([](Buffer& b) { b.most_at_once = 9999; })},
      {"seekable", seekable},
      {"tells, but does not seek", [](Buffer& b) { b.tell = same; }},
      {"tells zero always", [](Buffer& b) { b.tell = [](long) { return 0L; }; }},
      {"tells a constant, and says that it seeks",
       [](Buffer& b) {
         b.tell = [](long) { return 1000L; };
         b.go = [](long, long to) { return to; };
         b.go_to_end = [](long, long) { return 1L << 40; };
       }},
      {"says that it seeks, and stays",
       [](Buffer& b) {
         b.tell = same;
         b.go = [](long, long to) { return to; };
         b.go_to_end = [](long, long size) { return size; };
       }},
      {"forwards only",
       [](Buffer& b) {
         b.tell = same;
         b.go = [&b](long here, long to) { return to < here ? -1 : (b.move_to(to), to); };
         b.go_to_end = [&b](long, long size) { return b.move_to(size), size; };
       }},
      {"no end", seekable_but([](Buffer& b) { b.go_to_end = nullptr; })},
      {"an end too near", seekable_but([](Buffer& b) { b.go_to_end = [](long here, long) { return here + 5; }; })},
      {"an end behind", seekable_but([](Buffer& b) { b.go_to_end = [](long, long) { return 3L; }; })},
      {"an end too far", seekable_but([](Buffer& b) { b.go_to_end = [](long, long size) { return 2 * size; }; })},
      {"telling throws", [dead](Buffer& b) { b.tell = dead; }},
      {"seeking throws",
       [dead](Buffer& b) {
         b.tell = same;
         b.go = dead;
         b.go_to_end = dead;
       }},
      {"seeking to the end throws", seekable_but([dead](Buffer& b) { b.go_to_end = dead; })},
      {"goes to the end and does not come back", seekable_but([](Buffer& b) {
         b.go = [&b](long here, long to) { return here == b.size() ? -1 : (b.move_to(to), to); };
       }),
       false},
  };
}

std::string text_of(const Bytes& bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

template <class F>
F example(bool large) {
  // More than is read without asking how much is left, and less.
  return support::stored_example<F>(1, large ? 400'000 : 300);
}

constexpr auto all_exceptions = std::ios_base::badbit | std::ios_base::failbit | std::ios_base::eofbit;

}  // namespace

TEMPLATE_TEST_CASE("every kind of stream gives the filter and keeps what follows", "", Bloom, Split, Counting, Cuckoo) {
  for (const bool large : {false, true}) {
    const auto filter = example<TestType>(large);
    const std::string stored = text_of(perhaps::to_bytes(filter));
    for (const Kind& kind : kinds()) {
      for (const bool throwing : {false, true}) {
        INFO(kind.name << (large ? ", large" : ", small") << (throwing ? ", with exceptions" : ""));
        Buffer buffer("before" + stored + "after");
        kind.set_up(buffer);
        std::istream in(&buffer);
        std::string word(6, ' ');
        for (char& c : word) c = static_cast<char>(in.get());
        REQUIRE(word == "before");
        if (throwing) in.exceptions(all_exceptions);
        const auto loaded = perhaps::try_read<TestType>(in);
        if (kind.loads || !large) {
          REQUIRE(loaded);
          CHECK(*loaded == filter);
          CHECK(in.good());
          CHECK(in.exceptions() == (throwing ? all_exceptions : std::ios_base::goodbit));
          in.exceptions(std::ios_base::goodbit);
          in >> word;
          CHECK(word == "after");
        } else {
          REQUIRE_FALSE(loaded);
          CHECK(loaded.reason() == FormatReason::stream);
        }
      }
    }
  }
}

TEST_CASE("every kind of stream that ends early is truncated, and says how much there was") {
  const std::string stored = text_of(perhaps::to_bytes(example<Bloom>(true)));
  for (const Kind& kind : kinds()) {
    if (!kind.loads) continue;
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{63}, std::size_t{64}, std::size_t{65}, stored.size() / 4, stored.size() - 1}) {
      INFO(kind.name << ", " << size << " bytes");
      for (const bool throwing : {false, true}) {
        Buffer buffer(stored.substr(0, size));
        kind.set_up(buffer);
        std::istream in(&buffer);
        if (throwing) {
          in.exceptions(all_exceptions);
          CHECK_THROWS_AS(perhaps::try_read<Bloom>(in), std::ios_base::failure);
        } else {
          const auto loaded = perhaps::try_read<Bloom>(in);
          REQUIRE_FALSE(loaded);
          CHECK(loaded.reason() == FormatReason::truncated);
          CHECK(loaded.failure().found == (size < 64 ? size : size - 64));
        }
      }
    }
  }
}

TEST_CASE("a stream that breaks is said to, and throws only if it was asked to") {
  const std::string stored = text_of(perhaps::to_bytes(example<Bloom>(true)));
  for (const long at : {0L, 5L, 64L, 1000L, static_cast<long>(stored.size()) - 1}) {
    Buffer buffer(stored);
    buffer.throws_at = at;
    std::istream in(&buffer);
    const auto loaded = perhaps::try_read<Bloom>(in);
    REQUIRE_FALSE(loaded);
    CHECK(loaded.reason() == FormatReason::stream);
    CHECK(in.bad());
    Buffer again(stored);
    again.throws_at = at;
    std::istream throwing(&again);
    throwing.exceptions(std::ios_base::badbit);
    CHECK_THROWS_AS(perhaps::try_read<Bloom>(throwing), std::ios_base::failure);
  }
  std::istream without(nullptr);
  CHECK(perhaps::try_read<Bloom>(without).reason() == FormatReason::stream);
  // A file that could not be opened has failed, and nothing was read from it.
  std::istringstream failed;
  failed.setstate(std::ios_base::failbit);
  CHECK(perhaps::try_read<Bloom>(failed).reason() == FormatReason::stream);
}

TEST_CASE("memory grows with what has come, not with what a header promises") {
  const auto filter = support::stored_example<Bloom>(1, 4'000'000);
  const std::string stored = text_of(perhaps::to_bytes(filter));
  const std::size_t payload = stored.size() - 64;
  for (const std::size_t come : {payload / 64, payload / 8, payload / 4 + 8, payload / 3, payload / 2 - 8}) {
    for (const Kind& kind : kinds()) {
      if (!kind.loads || kind.name == "an end too far") continue;
      INFO(kind.name << ", " << come << " of " << payload);
      Buffer buffer(stored.substr(0, 64 + come));
      kind.set_up(buffer);
      std::istream in(&buffer);
      support::reset_largest_allocation();
      CHECK(perhaps::try_read<Bloom>(in).reason() == FormatReason::truncated);
      CHECK(support::largest_allocation() <= std::max(2 * come, std::size_t{1} << 18U));
    }
  }
  // What is there is taken at once where the stream says so.
  for (const Kind& kind : kinds()) {
    if (kind.name != "seekable" && kind.name != "bytes only") continue;
    Buffer buffer(stored);
    kind.set_up(buffer);
    std::istream in(&buffer);
    const std::size_t before = support::allocations();
    support::reset_largest_allocation();
    CHECK(perhaps::read<Bloom>(in) == filter);
    CHECK(support::largest_allocation() == payload);
    CHECK((support::allocations() - before == 1) == (kind.name == "seekable"));
  }
}
