// SPDX-License-Identifier: BSL-1.0
//
/// \file
/// Filters over MPI: each rank fills one from its part of the keys, and unite() makes every rank's the filter of all.
/// Needs an MPI library; no other header includes this one.
///
///     perhaps::BloomFilter<std::uint64_t> keys(parameters);      // equal on all ranks, for the keys of all of them
///     for (const Row& row : own_part) keys.insert(row.key);
///     perhaps::unite(keys, MPI_COMM_WORLD);                      // called by every rank
///
/// Bits are united by a bitwise or, counters by sums that saturate: exactly the filter that one rank would have made of
/// all keys. A reduction of m bits moves about 2 m bits per rank, whatever the number of ranks.
///
/// Threads: as the MPI library was initialised; the filter needs exclusion.
#ifndef PERHAPS_MPI_HPP
#define PERHAPS_MPI_HPP

#include <perhaps/bloom_filter.hpp>
#include <perhaps/counting_bloom_filter.hpp>
#include <perhaps/detail/error.hpp>
#include <perhaps/detail/packed_counters.hpp>
#include <perhaps/stored/format.hpp>
#include <perhaps/stored/storable.hpp>
#include <perhaps/version.hpp>

#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>

namespace perhaps {
inline namespace PERHAPS_ABI {
namespace detail {

inline void check_mpi(int result) {
  if (result == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(result, text.data(), &length);
  fail<std::runtime_error>("unite: " + std::string(text.data()));
}

// MPI counts by int, so longer runs of words go in pieces of so many.
inline constexpr std::size_t mpi_piece = std::size_t{1} << 27U;

inline void reduce_words(std::span<std::uint64_t> words, MPI_Op operation, MPI_Comm comm, std::size_t piece) {
  for (; !words.empty(); words = words.subspan((std::min)(piece, words.size()))) {
    const auto count = static_cast<int>((std::min)(piece, words.size()));
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, words.data(), count, MPI_UINT64_T, operation, comm));
  }
}

// The signature of MPI_User_function.
template <unsigned CounterBits>
void add_counters(void* in, void* inout, int* count, MPI_Datatype*) {
  const auto* from = static_cast<const std::uint64_t*>(in);
  auto* to = static_cast<std::uint64_t*>(inout);
  for (int i = 0; i < *count; ++i) to[i] = PackedCounters<CounterBits>::add(to[i], from[i]);
}

// An operation of MPI for as long as this lives.
template <unsigned CounterBits>
class CounterSum {
 public:
  CounterSum() { check_mpi(MPI_Op_create(&add_counters<CounterBits>, 1, &operation_)); }
  CounterSum(const CounterSum&) = delete;
  CounterSum& operator=(const CounterSum&) = delete;
  ~CounterSum() { MPI_Op_free(&operation_); }
  MPI_Op get() const noexcept { return operation_; }

 private:
  MPI_Op operation_{};
};

// Throws on every rank, or on none, for all compare the same least and greatest values.
inline void check_ranks_agree(const StoredHeader& header, MPI_Comm comm) {
  constexpr std::array<const char*, 8> names = {"kinds of filter", "widths of a cell", "layouts", "probe sequences",
                                                "hash policies",   "kinds of key",     "sizes",   "hashes"};
  const std::array<std::uint64_t, 9> own = {header.kind,     header.cell_bits, header.layout_id,
                                            header.probe_id, header.hash_id,   header.key_kind,
                                            header.cells,    header.hashes,    header.seed};
  std::array<std::uint64_t, 9> least = own;
  std::array<std::uint64_t, 9> greatest = own;
  const int count = static_cast<int>(own.size());
  check_mpi(MPI_Allreduce(own.data(), least.data(), count, MPI_UINT64_T, MPI_MIN, comm));
  check_mpi(MPI_Allreduce(own.data(), greatest.data(), count, MPI_UINT64_T, MPI_MAX, comm));
  for (std::size_t i = 0; i < own.size(); ++i) {
    if (least[i] == greatest[i]) continue;
    const std::string name = i < names.size() ? names[i] : "seeds";
    fail<std::invalid_argument>("unite: " + name + " differ among ranks: from " + show(least[i]) + " to " +
                                show(greatest[i]));
  }
}

template <class F>
void unite(F& filter, MPI_Op operation, MPI_Comm comm, std::size_t piece) {
  static_assert(explain_storable<F>());
  check_ranks_agree(StoredAccess::header_of(filter), comm);
  reduce_words(StoredAccess::writable_words(filter), operation, comm, piece);
}

}  // namespace detail

/// Makes the filter of every rank of `comm` that of the keys of all of them. To be called by all ranks, with filters of
/// equal type, m, k, hash policy and seed. O(m) and a reduction of m bits.
/// Throws std::invalid_argument that names the field that differs, on every rank alike, and no filter is changed then;
/// std::runtime_error if MPI returns an error, which by default it does not, but ends the program.
/// The hash policy, layout and probe sequence need ids, as for saving.
template <class Key, class Hash, class Layout, Storage Words>
void unite(BloomFilter<Key, Hash, Layout, Words>& filter, MPI_Comm comm) requires detail::exceptions_enabled {
  detail::unite(filter, MPI_BOR, comm, detail::mpi_piece);
}

/// Makes the filter of every rank of `comm` the sum of all of them, counter by counter; counters saturate and stick, as
/// by `+=`. To be called by all ranks. Throws as for Bloom filters.
template <class Key, unsigned CounterBits, class Hash, class Layout>
void unite(CountingBloomFilter<Key, CounterBits, Hash, Layout>& filter, MPI_Comm comm)
    requires detail::exceptions_enabled {
  const detail::CounterSum<CounterBits> sum;
  detail::unite(filter, sum.get(), comm, detail::mpi_piece);
}

}  // namespace PERHAPS_ABI
}  // namespace perhaps

#endif
