// Compares a finished run of a sphere, of metal or of a medium, at the origin in one plane wave with the Mie series:
// what its probes saw, or its radar cross section. Exit code 0: all deviations within the bound; 1: not; 2: usage, or
// an output directory that does not fit.
#include <cstdio>
#include <exception>

#include <CLI/CLI.hpp>

#include "apps/examples/compare_with_mie/requests.hpp"

int main(int argc, char** argv) {
  maxwell_dg::analytic::Request request;
  bool rcs = false;
  CLI::App app{"Compares a finished run of a sphere in a plane wave with the Mie series", "compare_with_mie"};
  app.add_option("DIRECTORY", request.directory, "outputs.directory of the run")->required();
  app.add_option("--radius", request.radius, "of the sphere, in the run's unit of length")
      ->required()
      ->check(CLI::PositiveNumber);
  app.add_option("--absorbing-radius", request.absorbing_radius, "compare with the series that ends at this radius");
  app.add_option("--medium", request.medium, "the region that fills the sphere; without, it is of metal");
  CLI::Option* const core = app.add_option("--core-radius", request.core_radius, "of what a coat covers");
  CLI::Option* const coat = app.add_option("--coat", request.coat, "the region that covers it, out to --radius");
  core->check(CLI::PositiveNumber)->needs(coat);
  coat->needs(core);
  app.add_option("--frequency", request.frequencies, "of probes: one or more; default: the pulse's");
  app.add_flag("--rcs", rcs, "compare rcs.csv instead of probes.csv");
  app.add_option("--peak-bound", request.peak_bound,
                 "with --rcs: largest relative deviation of the frequency at which the cross section peaks")
      ->check(CLI::PositiveNumber);
  const CLI::Option* bound = app.add_option(
      "--bound", request.bound, "largest deviation that passes; default: 0.03, relative; with --rcs 0.2, in dB");
  try {
    app.parse(argc, argv);
    if (bound->count() == 0) request.bound = rcs ? 0.2 : 0.03;
    return (rcs ? compare_rcs(request) : compare_probes(request)) ? 0 : 1;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : 2;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 2;
  }
}
