// SPDX-License-Identifier: BSL-1.0
//
// A filter in a comparison: what it is asked to do, and the loops that do it. Each library's loops are compiled with
// its own headers in scope only, since two peers define the same names.
#ifndef PERHAPS_BENCH_PEERS_CONTENDER_HPP
#define PERHAPS_BENCH_PEERS_CONTENDER_HPP

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace peers {

// In the order in which a round goes through them: a filter that erases is full again before it is asked.
enum class Work { erase, insert, hit, miss, mixed, batch_insert, batch_hit, batch_miss, batch_mixed };

inline constexpr std::array<std::string_view, 9> work_names{
    "erase", "insert", "hit", "miss", "mixed", "batch insert", "batch hit", "batch miss", "batch mixed"};

template <class Key>
class Contender {
 public:
  explicit Contender(std::string name) : name_(std::move(name)) {}
  Contender(const Contender&) = delete;
  Contender& operator=(const Contender&) = delete;
  virtual ~Contender() = default;

  const std::string& name() const { return name_; }
  virtual double bits() const = 0;
  virtual bool does(Work work) const = 0;

  // Does it to every key, and returns a number that depends on every answer.
  virtual std::uint64_t run(Work work, std::span<const Key> keys) = 0;

 private:
  std::string name_;
};

// A contender from an object with insert(key) and contains(key), and where the filter has them erase(key),
// insert_all(keys) and count_all(keys).
template <class Key, class Adapter>
class Runner final : public Contender<Key> {
 public:
  template <class... Arguments>
  explicit Runner(std::string name, Arguments&&... arguments)
      : Contender<Key>(std::move(name)), adapter_(std::forward<Arguments>(arguments)...) {}

  double bits() const override { return adapter_.bits(); }

  bool does(Work work) const override {
    if (work == Work::erase) return erases;
    // Not for filters that erase: they would fill up, or their counters would.
    if (work == Work::batch_insert) return inserts_batches && !erases;
    return work < Work::batch_insert || answers_batches;
  }

  std::uint64_t run(Work work, std::span<const Key> keys) override {
    switch (work) {
      case Work::insert:
        return insert(keys);
      case Work::erase:
        if constexpr (erases) return erase(keys);
        return 0;
      case Work::batch_insert:
        if constexpr (inserts_batches) adapter_.insert_all(keys);
        return keys.size();
      case Work::batch_hit:
      case Work::batch_miss:
      case Work::batch_mixed:
        if constexpr (answers_batches) return adapter_.count_all(keys);
        return 0;
      default:
        return count(keys);
    }
  }

 private:
  static constexpr bool erases = requires(Adapter& a, const Key& key) { a.erase(key); };
  static constexpr bool inserts_batches = requires(Adapter& a, std::span<const Key> keys) { a.insert_all(keys); };
  static constexpr bool answers_batches = requires(Adapter& a, std::span<const Key> keys) { a.count_all(keys); };

  [[gnu::noinline]] std::uint64_t insert(std::span<const Key> keys) {
    for (const Key& key : keys) adapter_.insert(key);
    return keys.size();
  }

  [[gnu::noinline]] std::uint64_t count(std::span<const Key> keys) const {
    std::uint64_t found = 0;
    for (const Key& key : keys) found += adapter_.contains(key) ? 1U : 0U;
    return found;
  }

  [[gnu::noinline]] std::uint64_t erase(std::span<const Key> keys) {
    std::uint64_t erased = 0;
    for (const Key& key : keys) erased += adapter_.erase(key) ? 1U : 0U;
    return erased;
  }

  Adapter adapter_;
};

template <class Key>
using Made = std::unique_ptr<Contender<Key>>;

// The peers of 64-bit keys that have a source file of their own. Nothing where CMake did not find them.
Made<std::uint64_t> make_fastfilter_counting(std::uint64_t keys);
Made<std::uint64_t> make_efficient_cuckoo(unsigned fingerprint_bits, std::uint64_t keys);
std::string fastfilter_version();
std::string efficient_version();

}  // namespace peers

#endif
