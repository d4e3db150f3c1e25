#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "apps/dg_bench/bench.hpp"
#include "core/dtype.hpp"
#include "dg/symbolic/system.hpp"

namespace CLI {  // NOLINT(readability-identifier-naming): the library's
class App;
}

namespace maxwell_dg::bench {

/// The command line as it was given.
struct Arguments {
  std::string device = "auto";
  std::string orders = "1-8";
  std::string precision = "both";
  std::string system = "maxwell";
  std::size_t elements = 0;
  std::size_t elements_a_rank = 0;
  double curved = 0;
  std::string materials = "random";
  std::vector<std::string> variants;
  double turns = 0;
  double sustained = 0;
  std::optional<double> tune;
  std::string slicing;
  std::string wisdom;
  std::size_t fourier = 0;
  std::string json;
  std::string kernels;
};

/// Describes the options, which set `arguments`; the latter outlive the parsing.
void add_options(CLI::App& app, Arguments& arguments);

/// Throws ConfigError for what is wrong with them together, or with what only we can read.
void check(const Arguments& arguments);
/// Throws ConfigError for what is not measured of ranks.
void check_for_ranks(const Arguments& arguments);

/// What they ask for. Of orders: "4" or "1-8", else ConfigError is thrown.
[[nodiscard]] std::vector<int> orders(const Arguments& arguments);
[[nodiscard]] std::vector<Dtype> precisions(const Arguments& arguments);
[[nodiscard]] std::vector<dg::System> systems(const Arguments& arguments);
[[nodiscard]] Materials materials(const Arguments& arguments);

}  // namespace maxwell_dg::bench
