// SPDX-License-Identifier: BSL-1.0
//
// Stored bytes against the golden files: the same in every build, any compiler, optimization, instruction set, word
// size or byte order. A plain program, so that it builds where the test framework is not at hand.
//
//     golden_files                     writes every golden filter, loads every golden file, compares; 1 if any differs
//     golden_files answers             a line per golden filter: its name, and may_contain of 0 .. 3999 as 0 and 1
//     golden_files rewrite             makes the files anew (target renew_golden_files), after a change of the format
//                                      or of a hash; no release may have changed those that are there
#include <perhaps/perhaps.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/golden.hpp"

namespace {

int failures = 0;

void check(bool holds, const std::string& name, const char* what) {
  if (holds) return;
  ++failures;
  std::printf("%s: %s\n", name.c_str(), what);
}

// All golden filters, those that are made of filters too.
template <class Visit>
void for_each(Visit visit) {
  support::for_each_golden(visit);
  support::for_each_golden_chain(visit);
}

void rewrite() {
  for_each([](const std::string& name, const auto& filter) {
    std::ofstream file(support::golden_path(name), std::ios::binary);
    check(perhaps::try_write(filter, file), name, "can't be written");
  });
}

void answers() {
  for_each([](const std::string& name, const auto& filter) {
    std::printf("%s ", name.c_str());
    for (std::uint64_t key = 0; key < 4000; ++key) std::putchar(filter.may_contain(key) ? '1' : '0');
    std::putchar('\n');
  });
}

// In place where bytes are words already, refused elsewhere.
template <class F>
void check_view(const std::string& name, const F& filter, const std::vector<std::byte>& bytes) {
  alignas(64) static std::array<std::byte, 1024> memory;
  check(bytes.size() <= memory.size(), name, "is too large for a golden file");
  if (bytes.size() > memory.size()) return;
  std::copy(bytes.begin(), bytes.end(), memory.begin());
  const auto view = perhaps::try_view_bytes<F>(std::span<const std::byte>(memory).first(bytes.size()));
  if constexpr (std::endian::native == std::endian::little) {
    check(view && *view == filter, name, "has another view");
  } else {
    check(!view && view.reason() == perhaps::FormatReason::byte_order, name, "has a view of words in another order");
  }
}

void compare() {
  int seen = 0;
  for_each([&]<class F>(const std::string& name, const F& filter) {
    ++seen;
    const std::vector<std::byte> bytes = support::read_file(support::golden_path(name));
    check(!bytes.empty(), name, "no golden file");
    check(perhaps::to_bytes(filter) == bytes, name, "is written differently");
    const auto loaded = perhaps::try_from_bytes<F>(bytes);
    check(static_cast<bool>(loaded), name, "does not load");
    if (!loaded) return;
    check(*loaded == filter, name, "loads as another filter");
    bool found = true;
    const std::uint64_t forgotten =
        requires { loaded->generations(); } ? support::golden_keys - support::golden_recent : 0;
    for (std::uint64_t i = forgotten; i < support::golden_keys; ++i)
      found &= loaded->may_contain(support::golden_key(i));
    check(found, name, "lost keys");
    if constexpr (requires { typename F::storage; }) check_view<F>(name, filter, bytes);
  });
  check(seen == 24, "golden filters", "not all were seen");
}

}  // namespace

int main(int count, char** arguments) {
  const std::string_view what = count > 1 ? arguments[1] : "";
  if (what == "rewrite") rewrite();
  else if (what == "answers") answers();
  else compare();
  return failures == 0 ? 0 : 1;
}
