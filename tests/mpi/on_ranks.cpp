#include "tests/mpi/on_ranks.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

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
      for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= a.column(name)[i];
      EXPECT_LE(norm(difference), bound * largest) << entry.path() << ": " << name;
    }
  }
  EXPECT_GT(tables, 0U);
}

}  // namespace maxwell_dg::testing
