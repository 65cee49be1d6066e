// SPDX-License-Identifier: BSL-1.0
//
// unite() over MPI, run by several ranks: the filter of all keys, bit for bit; filters that differ are refused by every
// rank alike, and stay as they are. A program of its own: each rank is a process, and one that fails ends them all.
#include <perhaps/mpi.hpp>
#include <perhaps/perhaps.hpp>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace {

int rank = 0;
int ranks = 0;
int failures = 0;

void check(bool holds, const char* what) {
  if (holds) return;
  std::printf("rank %d: not so: %s\n", rank, what);
  ++failures;
}

template <class F>
void expect_union(const char* what) {
  const auto parameters = [] {
    if constexpr (requires { typename F::storage; }) return perhaps::BloomParameters{.bits = 51'200, .hashes = 8};
    else return perhaps::CountingParameters{.counters = 51'200, .hashes = 8};
  }();
  F part(parameters, perhaps::XxHash3(7));
  F whole(parameters, perhaps::XxHash3(7));
  const auto all = static_cast<std::uint64_t>(1000 * ranks);
  for (std::uint64_t key = 0; key < all; ++key) {
    whole.insert(key);
    if (key % static_cast<std::uint64_t>(ranks) == static_cast<std::uint64_t>(rank)) part.insert(key);
  }
  F in_pieces = part;
  perhaps::unite(part, MPI_COMM_WORLD);
  check(part == whole, what);
  // As beyond 2^31 words, by pieces; the last one is shorter.
  if constexpr (requires { typename F::storage; }) {
    perhaps::detail::unite(in_pieces, MPI_BOR, MPI_COMM_WORLD, 97);
    check(in_pieces == whole, "in pieces");
  } else {
    const perhaps::detail::CounterSum<F::counter_bits> sum;
    perhaps::detail::unite(in_pieces, sum.get(), MPI_COMM_WORLD, 97);
    check(in_pieces == whole, "counters in pieces");
  }
}

// The last rank brings another filter than the rest: all get `sentence`, and none has changed.
template <class F>
void expect_refused(const perhaps::BloomParameters& usual, const perhaps::BloomParameters& other, std::uint64_t seed,
                    const std::string& sentence) {
  const bool odd = rank == ranks - 1;
  F filter(odd ? other : usual, perhaps::XxHash3(odd ? seed : 0));
  filter.insert(std::uint64_t{5});
  const F before = filter;
  std::string said = "nothing";
  try {
    perhaps::unite(filter, MPI_COMM_WORLD);
  } catch (const std::invalid_argument& error) {
    said = error.what();
  }
  if (said != sentence) std::printf("said: %s\n", said.c_str());
  check(said == sentence, sentence.c_str());
  check(filter == before, "unchanged");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  using Key = std::uint64_t;
  using perhaps::XxHash3;
  expect_union<perhaps::BloomFilter<Key>>("a classic filter");
  expect_union<perhaps::BloomFilter<Key, XxHash3, perhaps::SplitBlock<64, 8>>>("a filter of split blocks");
  expect_union<perhaps::CountingBloomFilter<Key, 2>>("counters that saturate");
  expect_union<perhaps::CountingBloomFilter<Key, 16>>("counters of 16 bits");

  if (ranks > 1) {
    using F = perhaps::BloomFilter<Key>;
    const perhaps::BloomParameters usual{.bits = 1000, .hashes = 7};
    expect_refused<F>(usual, {.bits = 1001, .hashes = 7}, 0,
                      "perhaps: unite: sizes differ among ranks: from 1000 to 1001");
    expect_refused<F>(usual, {.bits = 1000, .hashes = 6}, 0, "perhaps: unite: hashes differ among ranks: from 6 to 7");
    expect_refused<F>(usual, usual, 9, "perhaps: unite: seeds differ among ranks: from 0 to 9");
    // Not even the kinds of filter are equal: the last rank's counters are refused as others' bits are.
    perhaps::CountingBloomFilter<Key> counters({.counters = 1000, .hashes = 7});
    F bits(usual);
    std::string said;
    try {
      if (rank == ranks - 1) perhaps::unite(counters, MPI_COMM_WORLD);
      else perhaps::unite(bits, MPI_COMM_WORLD);
    } catch (const std::invalid_argument& error) {
      said = error.what();
    }
    check(said == "perhaps: unite: kinds of filter differ among ranks: from 1 to 2", "kinds of filter");
  }

  int all = 0;
  MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return all == 0 ? 0 : 1;
}
