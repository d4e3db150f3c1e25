#include "apps/dg_bench/command_line.hpp"

#include <cstdio>

#include <CLI/CLI.hpp>

#include "apps/config/systems.hpp"
#include "core/error.hpp"

namespace maxwell_dg::bench {

void add_options(CLI::App& app, Arguments& arguments) {
  app.add_option("--device", arguments.device, "auto, cuda, cuda:N, opencl, opencl:N or cpu")
      ->envname("MAXWELL_DG_DEVICE")
      ->type_name("SPEC");
  app.add_option("--orders", arguments.orders, "one order or a range, 1 to 9; default: 1-8")->type_name("RANGE");
  app.add_option("--precision", arguments.precision, "single, double or both")
      ->type_name("WORD")
      ->check(CLI::IsMember({"single", "double", "both"}));
  std::vector<std::string> known;
  for (const config::KnownSystem& system : *config::known_systems()) known.push_back(system.name);
  known.emplace_back("both");
  app.add_option("--system", arguments.system, CLI::detail::join(known, ", ") + " (all of them)")
      ->type_name("WORD")
      ->check(CLI::IsMember(known));
  app.add_option("--elements", arguments.elements, "about this many; default: the standard number of each order")
      ->type_name("NUMBER")
      ->check(CLI::Range(std::size_t{1}, std::size_t{400'000'000}));
  app.add_option("--elements-a-rank", arguments.elements_a_rank,
                 "about this many for each rank that mpirun starts, or for one that is timed as several are")
      ->type_name("NUMBER")
      ->check(CLI::Range(std::size_t{1}, std::size_t{400'000'000}));
  app.add_option("--curved", arguments.curved, "so much of the mesh has curved elements; default: 0")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.0, 100.0));
  app.add_option("--materials", arguments.materials, "random (of each element its own) or uniform; default: random")
      ->type_name("WORD")
      ->check(CLI::IsMember({"random", "uniform"}));
  app.add_option("--variants", arguments.variants, "instead of the one that a run takes, these: tensor_e16_w4_r3 ...")
      ->type_name("NAME,...")
      ->delimiter(',');
  app.add_option(
         "--turns", arguments.turns,
         "variants of a question and ceilings take turns for so long: tenth percentiles of single calls, not medians")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 1e6));
  app.add_option(
         "--sustained", arguments.sustained,
         "time stages when the device has been at them for so long: as in a long run, where its power is limited")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 1e6));
  app.add_option("--tune", arguments.tune, "measure nothing, look for the fastest variants: at most so long in all")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 1e6));
  app.add_option("--slicing", arguments.slicing, "of all variants --tune tries these alone: tensor, tiles, nodes ...")
      ->type_name("NAME");
  app.add_option("--wisdom", arguments.wisdom, "keep what --tune finds in this folder, not in the cache")
      ->type_name("DIR");
  app.add_option("--fourier", arguments.fourier,
                 "instead of stages, running Fourier sums at so many frequencies: what a sample adds to a step")
      ->type_name("FREQUENCIES")
      ->check(CLI::Range(std::size_t{1}, std::size_t{1000}));
  app.add_option("--json", arguments.json, "write the results to a file")->type_name("FILE");
  app.add_option("--kernels", arguments.kernels, "measure nothing, write the kernels to a directory, to be read")
      ->type_name("DIR");
}

void check(const Arguments& arguments) {
  (void)orders(arguments);
  for (const std::string& name : arguments.variants) (void)parse_variant(name);
  if (arguments.elements > 0 && arguments.elements_a_rank > 0) {
    throw ConfigError("--elements is the number of all ranks; leave it or --elements-a-rank out");
  }
  if (!arguments.wisdom.empty() && !arguments.tune) throw ConfigError("--wisdom is for what --tune finds");
  if (!arguments.slicing.empty() && (!arguments.tune || !arguments.variants.empty())) {
    throw ConfigError("--slicing is for --tune, in place of --variants");
  }
  if (!arguments.wisdom.empty() && (!arguments.variants.empty() || !arguments.slicing.empty())) {
    throw ConfigError("--wisdom keeps the fastest of all variants; leave out " +
                      std::string(arguments.variants.empty() ? "--slicing" : "--variants"));
  }
  if (arguments.turns > 0 && (arguments.tune || arguments.fourier > 0)) {
    throw ConfigError("--turns is for stages of known variants, without --tune and --fourier");
  }
  if (arguments.sustained > 0 && (arguments.tune || arguments.turns > 0 || arguments.fourier > 0)) {
    throw ConfigError("--sustained is for stages of known variants, without --tune, --turns and --fourier");
  }
  if (arguments.fourier > 0 && (arguments.tune || !arguments.variants.empty() || !arguments.json.empty())) {
    throw ConfigError("--fourier prints a table alone; --tune, --variants and --json are for stages");
  }
  if (!arguments.kernels.empty() && (arguments.tune || arguments.turns > 0 || arguments.sustained > 0 ||
                                     arguments.fourier > 0 || !arguments.json.empty())) {
    throw ConfigError("--kernels measures nothing; leave out --tune, --turns, --sustained, --fourier and --json");
  }
}

void check_for_ranks(const Arguments& arguments) {
  if (arguments.tune || arguments.turns > 0 || arguments.fourier > 0 || !arguments.kernels.empty()) {
    throw ConfigError(
        "--tune, --turns, --fourier and --kernels are for one rank; start dg_bench without mpirun and "
        "--elements-a-rank");
  }
}

std::vector<int> orders(const Arguments& arguments) {
  const std::string& text = arguments.orders;
  int first = 0, last = 0;
  char rest = 0;
  const int found = std::sscanf(text.c_str(), "%d-%d%c", &first, &last, &rest);
  if (found == 1 && text == std::to_string(first))
    last = first;
  else if (found != 2)
    first = 0;
  if (first < 1 || last > 9 || first > last) {
    throw ConfigError("--orders " + text + ": expected one order or a range like 1-8, within 1 to 9");
  }
  std::vector<int> result;
  for (int order = first; order <= last; ++order) result.push_back(order);
  return result;
}

std::vector<Dtype> precisions(const Arguments& arguments) {
  if (arguments.precision == "single") return {Dtype::float32};
  if (arguments.precision == "double") return {Dtype::float64};
  return {Dtype::float32, Dtype::float64};
}

std::vector<dg::System> systems(const Arguments& arguments) {
  std::vector<dg::System> result;
  for (const config::KnownSystem& system : *config::known_systems()) {
    if (arguments.system == "both" || arguments.system == system.name) result.push_back(system.standard);
  }
  return result;
}

Materials materials(const Arguments& arguments) {
  return arguments.materials == "uniform" ? Materials::uniform : Materials::random;
}

}  // namespace maxwell_dg::bench
