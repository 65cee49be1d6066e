// SPDX-License-Identifier: BSL-1.0
//
// fpr_report: measured false-positive rates against (1 - e^(-kn/m))^k, as tables, CSV and a picture.
#include "report/erasable.hpp"
#include "report/keys.hpp"
#include "report/options.hpp"
#include "report/progress.hpp"
#include "report/svg.hpp"
#include "report/sweeps.hpp"
#include "report/table.hpp"

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using report::Keys;
using report::Options;
using report::Sweep;

// A minute of measuring must not end in "can't write": tried before, without touching an earlier report.
void check_writable(const std::filesystem::path& path) {
  if (!std::ofstream(path, std::ios::app)) throw std::runtime_error("can't write " + path.string());
}

template <class Write>
void write_file(const std::filesystem::path& path, Write write) {
  std::ofstream file(path);
  write(file);
  file.close();
  if (!file) throw std::runtime_error("can't write " + path.string());
  std::cout << "wrote " << path.string() << '\n';
}

// A line for each stage on stderr, beside the tables on stdout.
class Stages {
 public:
  explicit Stages(std::size_t stages) : stages_(stages) {}

  // What `stage(progress)` measured.
  template <class Stage>
  auto operator()(const std::string& what, Stage stage) {
    std::cerr << '[' << ++done_ << '/' << stages_ << "] measuring " << what << " ... " << std::flush;
    const auto start = std::chrono::steady_clock::now();
    report::Progress progress(std::cerr);
    auto measured = stage(progress);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    std::cerr << report::fixed(took.count(), 1) << " s\n";
    return measured;
  }

 private:
  std::size_t stages_;
  std::size_t done_ = 0;
};

std::vector<Sweep> measure_all(const Keys& keys, const Options& options, Stages& stages) {
  std::vector<Sweep> sweeps;
  // Seeds of one sweep are those of no other.
  std::uint64_t salt = 0;
  const auto add = [&](const std::string& what, auto sweep) {
    salt += 10'000;
    sweeps.push_back(stages(what, [&](report::Progress& progress) { return sweep(progress); }));
    report::print_table(std::cout, sweeps.back());
    std::cout.flush();
  };
  for (const double bits_per_key : options.bits_per_key) {
    add("k = 1..16 at " + report::shortest(bits_per_key) + " bits per key", [&](report::Progress& progress) {
      return report::sweep_hashes(keys, bits_per_key, options.precision, salt, progress);
    });
  }
  add("target rates",
      [&](report::Progress& progress) { return report::sweep_targets(keys, options.precision, salt, progress); });
  add("small filters at k = 7",
      [&](report::Progress& progress) { return report::sweep_small(keys, 10, 7, options.precision, salt, progress); });
  add("small filters at k = 10", [&](report::Progress& progress) {
    return report::sweep_small(keys, 14.4, 10, options.precision, salt, progress);
  });
  return sweeps;
}

void run(const Options& options) {
  const Keys keys = report::find_keys(options.keys);
  std::error_code error;
  std::filesystem::create_directories(options.out, error);
  if (!std::filesystem::is_directory(options.out)) {
    throw std::runtime_error("can't make the folder " + options.out.string());
  }
  const auto csv = options.out / "fpr_report.csv";
  const auto svg = options.out / "fpr_report.svg";
  check_writable(csv);
  check_writable(svg);

  std::cout << "Keys: " << keys.list.size() << " distinct, " << keys.source;
  if (keys.duplicates != 0) std::cout << " (" << keys.duplicates << " duplicates dropped)";
  std::cout << "\n\n" << report::table_legend;
  std::cout.flush();

  Stages stages(options.bits_per_key.size() + 4);
  const std::vector<Sweep> sweeps = measure_all(keys, options, stages);
  const auto erasable = stages("filters that erase", [&](report::Progress& progress) {
    return report::measure_erasable(keys, 1'000'000, progress);
  });
  report::print_erasable(std::cout, erasable);
  report::print_summary(std::cout, sweeps);
  std::cout << "No inserted key was denied.\n\n";
  write_file(csv, [&](std::ostream& out) {
    report::write_csv(out, sweeps);
    report::write_csv(out, erasable);
  });
  write_file(svg, [&](std::ostream& out) { report::write_svg(out, sweeps, erasable); });
}

}  // namespace

int main(int count, char** values) {
  try {
    const Options options = report::parse_options({values + 1, values + count});
    if (options.help) {
      std::cout << report::usage;
    } else {
      run(options);
    }
    return EXIT_SUCCESS;
  } catch (const report::UsageError& error) {
    std::cerr << "fpr_report: " << error.what() << '\n' << report::usage;
    return 2;
  } catch (const std::exception& error) {
    std::cerr << "fpr_report: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
