#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dg/checkpoint/archive.hpp"
#include "tests/must_fail/app/program.hpp"

/// Runs the built program on several ranks, as mpirun starts it.
namespace maxwell_dg::testing {

/// Of mpirun: its own options, then how many ranks run the program, then the program's arguments.
[[nodiscard]] std::vector<std::string> mpirun_arguments(int ranks, const std::vector<std::string>& of_program,
                                                        const std::vector<std::string>& of_mpirun = {});

[[nodiscard]] Outcome run_on_ranks(int ranks, const std::vector<std::string>& arguments,
                                   const std::filesystem::path& scratch);

/// Tables of one directory are those of another. Columns differ by at most the bound times the largest column of their
/// table: a component that is zero but for rounding has no relative difference.
void expect_same_tables(const std::filesystem::path& found, const std::filesystem::path& expected, double bound);

/// The newest checkpoint in a directory.
[[nodiscard]] dg::Archive checkpoint_in(const std::filesystem::path& directory);
/// The newest checkpoints of two directories are of one mesh, and hold the same up to rounding: each array to 1e-12 of
/// its largest number, what a balance does not account for to 1e-12 of energies.
void expect_same_checkpoint(const std::filesystem::path& found, const std::filesystem::path& expected);

/// What --check on several ranks says of the whole is what it says on one: all but devices, memory and time.
void expect_same_forecast(const std::string& found, const std::string& expected);

}  // namespace maxwell_dg::testing
