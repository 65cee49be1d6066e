// SPDX-License-Identifier: BSL-1.0
//
// PERHAPS_TEST_UNIT is its name.
#include "odr/unit.hpp"

#include <cstdint>
#include <iterator>
#include <vector>

namespace odr {
namespace {

template <class F>
void insert_into(F& filter, std::uint64_t first, std::uint64_t last) {
  std::vector<std::uint64_t> batch;
  for (std::uint64_t key = first; key < last; ++key) {
    if (key % 2 == 0) {
      filter.insert(key);
    } else {
      batch.push_back(key);
    }
  }
  filter.insert_range(batch);
}

template <class F>
void ask_one(const F& filter, std::uint64_t first, std::uint64_t last, std::vector<bool>& answers) {
  std::vector<std::uint64_t> batch;
  for (std::uint64_t key = first; key < last; ++key) {
    answers.push_back(filter.may_contain(key));
    batch.push_back(key);
  }
  filter.may_contain_range(batch, std::back_inserter(answers));
}

void insert(Filters& filters, std::uint64_t first, std::uint64_t last) {
  insert_into(filters.classic, first, last);
  insert_into(filters.blocked, first, last);
  insert_into(filters.split, first, last);
  insert_into(filters.parquet, first, last);
  insert_into(filters.shared, first, last);
  insert_into(filters.shared_split, first, last);
  insert_into(filters.counting, first, last);
  insert_into(filters.lines, first, last);
}

std::vector<bool> ask(const Filters& filters, std::uint64_t first, std::uint64_t last) {
  std::vector<bool> answers;
  ask_one(filters.classic, first, last, answers);
  ask_one(filters.blocked, first, last, answers);
  ask_one(filters.split, first, last, answers);
  ask_one(filters.parquet, first, last, answers);
  ask_one(filters.shared, first, last, answers);
  ask_one(filters.shared_split, first, last, answers);
  ask_one(filters.counting, first, last, answers);
  ask_one(filters.lines, first, last, answers);
  return answers;
}

}  // namespace

const Unit PERHAPS_TEST_UNIT{insert, ask, perhaps::isa::Native::name};

}  // namespace odr
