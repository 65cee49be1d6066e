// SPDX-License-Identifier: BSL-1.0
//
// A join of two tables whose rows lie on many machines: each row must travel to the rank that its key belongs to. The
// ranks first unite a filter of the keys of the smaller side, and drop the rows of the larger one that have no partner
// before they travel. Don't do it where most rows find a partner, or where the filter, which every rank gets, is as
// large as the rows that it saves: the model that is printed here says when that is.
#include <perhaps/mpi.hpp>
#include <perhaps/perhaps.hpp>

#include <mpi.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <unordered_map>
#include <vector>

namespace {

struct Row {
  std::uint64_t key;
  std::uint64_t value;
};
using Rows = std::vector<Row>;
using Keys = perhaps::BloomFilter<std::uint64_t, perhaps::XxHash3, perhaps::SplitBlock<>>;

constexpr std::uint64_t orders_each = 250'000, customers_each = 50'000;  // rows of the two tables on each rank
constexpr double fpr = 0.01;

int rank = 0, ranks = 0;

// A number that looks random, for made-up tables.
std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 30U)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27U)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31U);
}

std::uint64_t sum_of_ranks(std::uint64_t own) {
  std::uint64_t sum = 0;
  MPI_Allreduce(&own, &sum, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  return sum;
}

// Sends every row to the rank of its key; adds to `shipped` the rows that go to another rank.
Rows shuffle(Rows rows, std::uint64_t& shipped) {
  const auto size = static_cast<std::size_t>(ranks);
  const auto target = [&](const Row& row) { return static_cast<std::size_t>(mix(row.key + 1) % size); };
  std::vector<int> to(size), from(size), to_start(size + 1), from_start(size + 1);
  for (const Row& row : rows) to[target(row)] += 2;  // in words
  MPI_Alltoall(to.data(), 1, MPI_INT, from.data(), 1, MPI_INT, MPI_COMM_WORLD);
  for (std::size_t i = 0; i < size; ++i) {
    to_start[i + 1] = to_start[i] + to[i];
    from_start[i + 1] = from_start[i] + from[i];
  }
  std::ranges::sort(rows, {}, target);
  Rows received(static_cast<std::size_t>(from_start[size] / 2));
  MPI_Alltoallv(rows.data(), to.data(), to_start.data(), MPI_UINT64_T, received.data(), from.data(), from_start.data(),
                MPI_UINT64_T, MPI_COMM_WORLD);
  shipped += sum_of_ranks(rows.size() - static_cast<std::size_t>(to[static_cast<std::size_t>(rank)] / 2));
  return received;
}

struct Result {
  std::uint64_t rows = 0;  // of the joined table
  std::uint64_t checksum = 0;
  std::uint64_t shipped = 0;  // rows that went from one rank to another
};

Result join(const Rows& customers, const Rows& orders) {
  Result result;
  std::unordered_map<std::uint64_t, std::uint64_t> by_key;
  for (const Row& row : shuffle(customers, result.shipped)) by_key.emplace(row.key, row.value);
  for (const Row& row : shuffle(orders, result.shipped)) {
    const auto customer = by_key.find(row.key);
    if (customer == by_key.end()) continue;
    ++result.rows;
    result.checksum += mix(row.value ^ mix(customer->second));
  }
  result.rows = sum_of_ranks(result.rows);
  result.checksum = sum_of_ranks(result.checksum);
  return result;
}

// Bytes on the network, without and with a filter: all rows of 16 bytes but the R-th part that is where it belongs, and
// a reduction, which sends and receives the filter nearly once on each rank.
struct Traffic {
  double machines, orders, filter, without, with;
};

// `share` of the orders find a partner.
Traffic model(double machines, double orders, double customers, double share) {
  const double filter = 9.93 * customers / 8;
  const double away = (machines - 1) / machines;
  const double likely = orders * (share + (1 - share) * fpr);
  return {machines, orders, filter, 16 * (orders + customers) * away,
          16 * (likely + customers) * away + 2 * filter * machines * away};
}

void print(const char* what, const Traffic& traffic) {
  std::printf("%-9s %5.0f  %6.0e  %8.4g MB  %11.4g MB  %8.4g MB\n", what, traffic.machines, traffic.orders,
              traffic.filter / 1e6, traffic.without / 1e6, traffic.with / 1e6);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto all = static_cast<std::uint64_t>(ranks);
  const auto first = static_cast<std::uint64_t>(rank);

  // The query wants one customer in twenty, with their orders.
  Rows customers, orders;
  for (std::uint64_t key = first; key < customers_each * all; key += all) {
    if (mix(key) % 20 == 0) customers.push_back({key, mix(key + 7)});
  }
  for (std::uint64_t i = first; i < orders_each * all; i += all) orders.push_back({mix(i) % (customers_each * all), i});

  const Result plain = join(customers, orders);

  const std::uint64_t selected = sum_of_ranks(customers.size());
  Keys filter({.keys = selected, .fpr = fpr});  // of the keys of all ranks, so equal on all of them
  for (const Row& row : customers) filter.insert(row.key);
  perhaps::unite(filter, MPI_COMM_WORLD);
  std::erase_if(orders, [&](const Row& row) { return !filter.may_contain(row.key); });
  const Result filtered = join(customers, orders);

  const bool equal = plain.rows == filtered.rows && plain.checksum == filtered.checksum;
  const double n = static_cast<double>(orders_each * all);
  const auto bytes = static_cast<double>(filter.bytes());
  const Traffic measured{static_cast<double>(ranks), n, bytes, 16 * static_cast<double>(plain.shipped),
                         16 * static_cast<double>(filtered.shipped) + 2 * bytes * (ranks - 1)};
  const Traffic expected = model(ranks, n, static_cast<double>(selected), static_cast<double>(plain.rows) / n);
  const bool fits = std::abs(measured.with - expected.with) <= 0.02 * expected.with &&
                    std::abs(measured.without - expected.without) <= 0.02 * expected.without;
  if (rank == 0) {
    std::printf("equal results: %s, %llu rows\n", equal ? "yes" : "no", static_cast<unsigned long long>(plain.rows));
    std::printf("          ranks  orders       filter  without filter  with filter\n");
    print("measured", measured);
    print("model", expected);
    print("on paper", model(16, 1e9, 1e7, 0.05));
    for (const double keys : {1e9, 1e10}) print("", model(1000, 1e12, keys, 0.05));
  }
  MPI_Finalize();
  return equal && fits ? 0 : 1;
}
