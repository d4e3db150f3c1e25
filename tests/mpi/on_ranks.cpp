#include "tests/mpi/on_ranks.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <gtest/gtest.h>

#include "dg/observe/checkpoint_file.hpp"
#include "dg/observe/files/csv_table.hpp"

namespace maxwell_dg::testing {
namespace {

namespace fs = std::filesystem;
using Column = std::vector<double>;

double norm(const Column& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

}  // namespace

std::vector<std::string> mpirun_arguments(int ranks, const std::vector<std::string>& of_program,
                                          const std::vector<std::string>& of_mpirun) {
  std::vector<std::string> arguments = of_mpirun;
  arguments.insert(arguments.end(), {"-n", std::to_string(ranks), program_path()});
  arguments.insert(arguments.end(), of_program.begin(), of_program.end());
  return arguments;
}

Outcome run_on_ranks(int ranks, const std::vector<std::string>& arguments, const fs::path& scratch) {
  return run_program(mpirun_arguments(ranks, arguments), scratch, {.program = MAXWELL_DG_MPIEXEC});
}

void expect_same_tables(const fs::path& found, const fs::path& expected, double bound) {
  std::size_t tables = 0;
  for (const auto& entry : fs::directory_iterator(expected)) {
    if (entry.path().extension() != ".csv") continue;
    ++tables;
    const dg::Table a = dg::read_csv(found / entry.path().filename()), b = dg::read_csv(entry.path());
    ASSERT_EQ(a.columns(), b.columns()) << entry.path();
    double largest = 0;
    for (const Column& values : b.values()) largest = std::max(largest, norm(values));
    for (const std::string& name : b.columns()) {
      Column difference = b.column(name);
      ASSERT_EQ(a.rows(), difference.size()) << entry.path() << ": " << name;
      for (std::size_t i = 0; i < difference.size(); ++i) {
        const double there = a.column(name)[i];
        const bool are_undefined = std::isnan(difference[i]) && std::isnan(there);
        difference[i] = are_undefined || difference[i] == there ? 0 : difference[i] - there;
      }
      EXPECT_LE(norm(difference), bound * largest) << entry.path() << ": " << name;
    }
  }
  EXPECT_GT(tables, 0U);
}

dg::Archive checkpoint_in(const fs::path& directory) {
  return dg::read_checkpoint(dg::checkpoints_in(directory).back().path);
}

void expect_same_checkpoint(const fs::path& found_in, const fs::path& expected_in) {
  const dg::Archive found = checkpoint_in(found_in), expected = checkpoint_in(expected_in);
  EXPECT_EQ(found.text("run.mesh"), expected.text("run.mesh"));
  for (const auto& [name, array] : expected.arrays()) {
    if (array.dtype != Dtype::float64) continue;
    ASSERT_EQ(found.array(name).shape, array.shape) << name;
    const Column a = found.reals(name), b = expected.reals(name);
    // What a balance does not account for is what rounding leaves of energies.
    const Column scale = name.starts_with("balance.") ? expected.reals("balance.before") : b;
    double largest = 0, difference = 0;
    for (const double value : scale) largest = std::max(largest, std::abs(value));
    for (std::size_t i = 0; i < b.size(); ++i) difference = std::max(difference, std::abs(a[i] - b[i]));
    EXPECT_LE(difference, 1e-12 * largest) << name;
  }
}

void expect_same_forecast(const std::string& found, const std::string& expected) {
  std::istringstream lines(expected.substr(expected.find("# forecast")));
  std::size_t compared = 0;
  for (std::string line; std::getline(lines, line);) {
    const auto is_of = [&](const char* name) { return line.starts_with(name); };
    if (is_of("# device") || is_of("# time")) continue;
    EXPECT_NE(found.find(line + "\n"), std::string::npos) << line << " is not in\n" << found;
    ++compared;
  }
  EXPECT_GT(compared, 7U);
}

}  // namespace maxwell_dg::testing
