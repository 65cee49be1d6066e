// SPDX-License-Identifier: BSL-1.0
//
// How far a stage is: a percentage on its line every two seconds, so that a run of minutes is seen to go on.
#ifndef PERHAPS_BENCH_REPORT_PROGRESS_HPP
#define PERHAPS_BENCH_REPORT_PROGRESS_HPP

#include <chrono>
#include <cmath>
#include <cstddef>
#include <mutex>
#include <ostream>

namespace report {

// Of one stage, which may have parts: each goes from 0 to 1 by itself. Any thread may report.
class Progress {
 public:
  explicit Progress(std::ostream& out) : out_(out) {}

  void begin_part(std::size_t part, std::size_t parts) {
    const std::lock_guard lock(mutex_);
    part_ = static_cast<double>(part);
    parts_ = static_cast<double>(parts);
  }

  // `share` of the part is done.
  void report(double share) {
    const std::lock_guard lock(mutex_);
    const auto now = std::chrono::steady_clock::now();
    if (now - last_ < std::chrono::seconds(2)) return;
    last_ = now;
    out_ << std::floor(100 * (part_ + share) / parts_) << " % " << std::flush;
  }

 private:
  std::ostream& out_;
  std::mutex mutex_;
  std::chrono::steady_clock::time_point last_ = std::chrono::steady_clock::now();
  double part_ = 0;
  double parts_ = 1;
};

}  // namespace report

#endif
