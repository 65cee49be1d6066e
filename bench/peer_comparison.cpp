// SPDX-License-Identifier: BSL-1.0
//
// Filters as their default constructors make them, beside their peers', each peer at its best: time per key and bits
// per key, as the tables of README.md.
#include <perhaps/perhaps.hpp>

#include "peers/contender.hpp"
#include "peers/measure.hpp"
#include "peers/traffic.hpp"

#if defined(PERHAPS_BENCH_BOOST)
#include <boost/bloom.hpp>
#include <boost/version.hpp>
#endif

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using peers::Made;
using peers::Traffic;
using peers::Work;

// A filter of this library, made for so many keys at 1 %; cuckoo filters have the rate of their fingerprints.
template <class Filter>
class Own {
 public:
  using Key = typename Filter::key_type;

  explicit Own(std::uint64_t keys) : filter_(make(keys)) {}

  void insert(const Key& key) { static_cast<void>(filter_.insert(key)); }
  bool contains(const Key& key) const { return filter_.may_contain(key); }
  bool erase(const Key& key) requires requires(Filter& f) { f.erase(key); } { return filter_.erase(key); }
  void insert_all(std::span<const Key> keys) { static_cast<void>(filter_.insert_range(keys)); }
  std::uint64_t count_all(std::span<const Key> keys) const {
    std::uint64_t found = 0;
    filter_.may_contain_range(keys, [&](std::size_t, bool answer) { found += answer ? 1U : 0U; });
    return found;
  }
  double bits() const { return static_cast<double>(filter_.bytes()) * 8; }

 private:
  static Filter make(std::uint64_t keys) {
    if constexpr (requires { Filter::fingerprint_bits; }) {
      return Filter({.keys = keys});
    } else {
      return Filter({.keys = keys, .fpr = 0.01});
    }
  }

  Filter filter_;
};

#if defined(PERHAPS_BENCH_BOOST)
template <class Filter>
class Boost {
 public:
  using Key = typename Filter::value_type;

  explicit Boost(std::uint64_t keys) : filter_(keys, 0.01) {}

  void insert(const Key& key) { filter_.insert(key); }
  bool contains(const Key& key) const { return filter_.may_contain(key); }
  void insert_all(std::span<const Key> keys) { filter_.insert(keys.begin(), keys.end()); }
  std::uint64_t count_all(std::span<const Key> keys) const {
    std::uint64_t found = 0;
    filter_.may_contain(keys.begin(), keys.end(), [&](const Key&, bool answer) { found += answer ? 1U : 0U; });
    return found;
  }
  double bits() const { return static_cast<double>(filter_.capacity()); }

 private:
  Filter filter_;
};
#endif

template <class Filter>
Made<typename Filter::key_type> own(const std::string& name, std::uint64_t keys) {
  return std::make_unique<peers::Runner<typename Filter::key_type, Own<Filter>>>(name, keys);
}

template <class Key>
std::vector<Made<Key>> with_boost_classic(Made<Key> own, [[maybe_unused]] std::uint64_t keys) {
  std::vector<Made<Key>> contenders;
  contenders.push_back(std::move(own));
#if defined(PERHAPS_BENCH_BOOST)
  using Filter = boost::bloom::filter<Key, 7>;
  contenders.push_back(std::make_unique<peers::Runner<Key, Boost<Filter>>>("`filter<Key, 7>`", keys));
#endif
  return contenders;
}

template <class Key>
std::vector<Made<Key>> with_boost_blocks(Made<Key> own, [[maybe_unused]] std::uint64_t keys) {
  std::vector<Made<Key>> contenders;
  contenders.push_back(std::move(own));
#if defined(PERHAPS_BENCH_BOOST)
  using Filter64 = boost::bloom::filter<Key, 1, boost::bloom::fast_multiblock64<8>>;
  using Filter32 = boost::bloom::filter<Key, 1, boost::bloom::fast_multiblock32<8>>;
  contenders.push_back(std::make_unique<peers::Runner<Key, Boost<Filter64>>>("`fast_multiblock64<8>`", keys));
  contenders.push_back(std::make_unique<peers::Runner<Key, Boost<Filter32>>>("`fast_multiblock32<8>`", keys));
#endif
  return contenders;
}

std::vector<Made<std::uint64_t>> with(Made<std::uint64_t> own, Made<std::uint64_t> peer) {
  std::vector<Made<std::uint64_t>> contenders;
  contenders.push_back(std::move(own));
  if (peer) contenders.push_back(std::move(peer));
  return contenders;
}

struct Options {
  std::size_t rounds = 15;
  std::string only;
  std::uint64_t keys = 0;  // 0: the sizes of each table
};

class Tables {
 public:
  explicit Tables(Options options) : options_(std::move(options)) {}

  // A table with a line for each size and peer. `make(n)` gives this library's filter first, then the peers.
  template <class Key, class Make>
  void add(const std::string& title, std::vector<std::uint64_t> sizes, Make make, std::size_t letters = 0) {
    if (title.find(options_.only) == std::string::npos) return;
    if (options_.keys != 0) sizes = {options_.keys};
    bool headed = false;
    for (const std::uint64_t keys : sizes) {
      std::vector<Made<Key>> contenders = make(keys);
      if (contenders.size() < 2) {
        std::cerr << title << ": no peer found\n";
        return;
      }
      std::cerr << title << ", n = " << keys << " ... " << std::flush;
      const Traffic<Key> traffic(static_cast<std::size_t>(keys), letters);
      const auto measured = peers::measure(contenders, traffic, options_.rounds);
      std::cerr << "done\n";
      if (!std::exchange(headed, true)) print_header(title, *contenders.front());
      for (std::size_t peer = 1; peer < contenders.size(); ++peer) {
        print_row(keys, traffic, *contenders.front(), *contenders[peer], measured.front(), measured[peer]);
      }
      std::cout << std::flush;
    }
    if (headed) std::cout << '\n';
  }

 private:
  static constexpr Work columns[] = {Work::insert,    Work::hit,        Work::miss,
                                     Work::mixed,     Work::erase,      Work::batch_insert,
                                     Work::batch_hit, Work::batch_miss, Work::batch_mixed};

  template <class Key>
  static void print_header(const std::string& title, const peers::Contender<Key>&) {
    std::cout << "**" << title << "**\n\n| n | bits per key, rate | peer | its bits, rate |";
    for (const Work work : columns) std::cout << ' ' << peers::work_names[static_cast<std::size_t>(work)] << " |";
    std::cout << "\n|---|---|---|---|";
    for ([[maybe_unused]] const Work work : columns) std::cout << "---|";
    std::cout << '\n';
  }

  static std::string show(const char* format, double value) {
    char text[64];
    std::snprintf(text, sizeof(text), format, value);
    return text;
  }

  template <class Key>
  static std::string space(peers::Contender<Key>& contender, const Traffic<Key>& traffic) {
    const double keys = static_cast<double>(traffic.present.size());
    return show("%.2f", contender.bits() / keys) + ", " +
           show("%.3g", 100 * peers::false_positive_rate(contender, traffic)) + " %";
  }

  template <class Key>
  static void print_row(std::uint64_t keys, const Traffic<Key>& traffic, peers::Contender<Key>& own,
                        peers::Contender<Key>& peer, const peers::Measured& own_times,
                        const peers::Measured& peer_times) {
    std::cout << "| " << keys << " | " << space(own, traffic) << " | " << peer.name() << " | " << space(peer, traffic)
              << " |";
    for (const Work work : columns) {
      const peers::Times& mine = own_times[work];
      if (mine.empty()) {
        std::cout << " |";
      } else if (peer_times[work].empty()) {
        std::cout << ' ' << show("%.2f ns", peers::median(mine)) << " |";
      } else {
        std::cout << ' ' << show("%.2f ns, ", peers::median(mine))
                  << show("%.2f", peers::median_ratio(mine, peer_times[work])) << " |";
      }
    }
    std::cout << '\n';
  }

  Options options_;
};

void print_versions() {
  std::cout << "Peers:\n\n";
#if defined(PERHAPS_BENCH_BOOST)
  std::cout << "- Boost.Bloom of Boost " << BOOST_VERSION / 100000 << '.' << BOOST_VERSION / 100 % 1000 << '.'
            << BOOST_VERSION % 100 << ", " << PERHAPS_BENCH_BOOST << '\n';
#endif
  if (!peers::fastfilter_version().empty()) std::cout << "- fastfilter_cpp, " << peers::fastfilter_version() << '\n';
  if (!peers::efficient_version().empty()) {
    std::cout << "- efficient/cuckoofilter, " << peers::efficient_version() << '\n';
  }
  std::cout
      << "\nMedians of the time per key and of its ratio to the peer's in the same round; below 1, perhaps is faster. "
      << "Instruction set: " << perhaps::isa::Native::name << ".\n\n";
}

template <class Key, class Layout>
using Bloom = perhaps::BloomFilter<Key, perhaps::XxHash3, Layout>;

void print_tables(Tables tables) {
  using Word = std::uint64_t;
  using Lines = perhaps::SplitBlock<>;
  using Classic = perhaps::Classic<>;
  const std::vector<Word> all{10'000, 200'000, 1'000'000, 10'000'000};
  const std::vector<Word> some{10'000, 1'000'000};

  tables.add<Word>("SplitBlock, integers", all, [](Word keys) {
    return with_boost_blocks<Word>(own<Bloom<Word, Lines>>("split block", keys), keys);
  });
  tables.add<Word>("classic, integers", all, [](Word keys) {
    return with_boost_classic<Word>(own<Bloom<Word, Classic>>("classic", keys), keys);
  });
  for (const std::size_t letters : {8U, 16U, 24U, 60U}) {
    const std::string what = ", strings of " + std::to_string(letters) + " letters";
    tables.add<std::string>(
        "SplitBlock" + what, some,
        [](Word keys) {
          return with_boost_blocks<std::string>(own<Bloom<std::string, Lines>>("split block", keys), keys);
        },
        letters);
    tables.add<std::string>(
        "classic" + what, some,
        [](Word keys) {
          return with_boost_classic<std::string>(own<Bloom<std::string, Classic>>("classic", keys), keys);
        },
        letters);
  }
  tables.add<Word>("counting, SplitBlock<16, 8>", {10'000, 1'000'000, 10'000'000}, [](Word keys) {
    using Filter = perhaps::CountingBloomFilter<Word, 4, perhaps::XxHash3, perhaps::SplitBlock<16, 8>>;
    return with(own<Filter>("counting", keys), peers::make_fastfilter_counting(keys));
  });
  tables.add<Word>("counting, classic", {10'000, 1'000'000, 10'000'000}, [](Word keys) {
    return with(own<perhaps::CountingBloomFilter<Word>>("counting", keys), peers::make_fastfilter_counting(keys));
  });
  // As many keys as fill a table of a power of two to 95 %, the only one that the peer has.
  const std::vector<Word> tables_of{996'147, 15'938'355};
  tables.add<Word>("cuckoo, 8 bits", tables_of, [](Word keys) {
    return with(own<perhaps::CuckooFilter<Word, 8>>("cuckoo", keys), peers::make_efficient_cuckoo(8, keys));
  });
  tables.add<Word>("cuckoo, 12 bits", tables_of, [](Word keys) {
    return with(own<perhaps::CuckooFilter<Word, 12>>("cuckoo", keys), peers::make_efficient_cuckoo(12, keys));
  });
  tables.add<Word>("cuckoo, 16 bits", tables_of, [](Word keys) {
    return with(own<perhaps::CuckooFilter<Word, 16>>("cuckoo", keys), peers::make_efficient_cuckoo(16, keys));
  });
}

constexpr const char* usage =
    "usage: peer_comparison [--rounds N] [--only TEXT] [--keys N]\n\n"
    "  --rounds N    how often everything is measured (default: 15)\n"
    "  --only TEXT   tables whose title contains TEXT\n"
    "  --keys N      that many keys, in place of each table's own sizes\n";

std::uint64_t number(const std::string& option, const char* text) {
  char* end = nullptr;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (end == text || *end != '\0' || value == 0) {
    throw std::invalid_argument(option + ": \"" + text + "\" is not a number above 0");
  }
  return value;
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; i += 2) {
    const std::string option = argv[i];
    if (i + 1 == argc) throw std::invalid_argument(option + ": a value is missing");
    if (option == "--rounds") {
      options.rounds = static_cast<std::size_t>(number(option, argv[i + 1]));
    } else if (option == "--keys") {
      options.keys = number(option, argv[i + 1]);
    } else if (option == "--only") {
      options.only = argv[i + 1];
    } else {
      throw std::invalid_argument("unknown option " + option);
    }
  }
  return options;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  try {
    options = parse(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << error.what() << "\n\n" << usage;
    return 2;
  }
  try {
    print_versions();
    print_tables(Tables(options));
  } catch (const std::exception& error) {
    std::cerr << "error: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
