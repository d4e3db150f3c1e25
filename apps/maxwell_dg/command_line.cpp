#include "apps/maxwell_dg/command_line.hpp"

#include <CLI/CLI.hpp>

#include "apps/help.hpp"
#include "core/error.hpp"
#include "core/version.hpp"

namespace maxwell_dg {
namespace {

constexpr const char* see_help = "; see maxwell_dg --help";

constexpr const char* usage =
    "usage: maxwell_dg CONFIG.yaml [--device SPEC] [--output DIR] [--set KEY.PATH=VALUE]... [--resume]\n"
    "       maxwell_dg --check CONFIG.yaml | --tune CONFIG.yaml | --kernels DIR CONFIG.yaml\n"
    "       maxwell_dg --plot RUN_DIR...\n"
    "       maxwell_dg --convert MESH OUT.h5 | --devices | --schema | --cache [clear] | --version";

constexpr const char* more_help =
    "examples:\n"
    "  maxwell_dg --check cavity.yaml                    is the config right, and how long will it take?\n"
    "  maxwell_dg cavity.yaml                            run it; results go to its outputs.directory\n"
    "  maxwell_dg cavity.yaml --set solver.order=5 --output out/order5\n"
    "  maxwell_dg cavity.yaml --resume                   continue an interrupted run from its last checkpoint\n"
    "  maxwell_dg --plot out/cavity                      pictures of its results\n"
    "  maxwell_dg --convert cavity.msh cavity.h5         for machines without Gmsh\n"
    "\n"
    "exit codes:\n"
    "  0 done   1 internal error (a bug)   2 usage or config   3 mesh   4 device   5 the solution diverged\n"
    "  6 output (disk full, not writable)   129, 130, 143 stopped by SIGHUP, SIGINT (Ctrl-C), SIGTERM\n"
    "\n"
    "documentation, in the folder of the source: docs/user_guide.md (how to), docs/config_reference.md (every key),\n"
    "docs/tutorials/";

struct Flags {
  bool check = false, tune = false, devices = false, schema = false, version = false;
  std::string config, output, device, trace, kernels;
  std::vector<std::string> convert, plot;
  std::string cache;
};

void reject_unknown(const CLI::App& app) {
  const std::vector<std::string> extra = app.remaining();
  if (extra.empty()) return;
  const std::string& first = extra.front();
  if (first.size() > 1 && first[0] == '-') throw ConfigError(first + ": unknown option" + see_help);
  throw ConfigError(first + ": one config is run at a time" + see_help);
}

CommandLine::Action action_of(const Flags& flags, const CLI::App& app) {
  using Action = CommandLine::Action;
  std::vector<std::pair<std::string, Action>> asked;
  if (flags.check) asked.emplace_back("--check", Action::check);
  if (flags.tune) asked.emplace_back("--tune", Action::tune);
  if (app.count("--kernels") > 0) asked.emplace_back("--kernels", Action::kernels);
  if (app.count("--convert") > 0) asked.emplace_back("--convert", Action::convert);
  if (app.count("--plot") > 0) asked.emplace_back("--plot", Action::plot);
  if (flags.devices) asked.emplace_back("--devices", Action::devices);
  if (flags.schema) asked.emplace_back("--schema", Action::schema);
  if (app.count("--cache") > 0) {
    asked.emplace_back("--cache", flags.cache == "clear" ? Action::clear_cache : Action::show_cache);
  }
  if (asked.size() > 1) throw ConfigError(asked[0].first + " and " + asked[1].first + " exclude each other");
  const Action action = asked.empty() ? Action::run : asked.front().second;
  const bool needs_config =
      action == Action::run || action == Action::check || action == Action::tune || action == Action::kernels;
  if (needs_config && flags.config.empty()) throw ConfigError(std::string("no CONFIG given") + see_help);
  if (!needs_config && !flags.config.empty()) throw ConfigError(asked.front().first + " takes no CONFIG");
  if (action == Action::kernels && flags.kernels.empty()) throw ConfigError("--kernels: the directory has no name");
  return action;
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  CommandLine result;
  Flags flags;
  CLI::App app{"Discontinuous Galerkin solver of Maxwell's equations in the time domain", "maxwell_dg"};
  set_help(app, usage, more_help);
  app.add_option("CONFIG", flags.config, "the YAML file that says what to compute")->type_name("");
  app.add_flag("--check", flags.check, "validate CONFIG, print it resolved with a forecast, run nothing");
  app.add_flag("--tune", flags.tune,
               "look for the fastest kernels for CONFIG on this device, print what was tried, run nothing");
  app.add_option(
         "--kernels", flags.kernels,
         "write every kernel that CONFIG would compile to DIR, to be read: where each part comes from, and what "
         "the schedule means; run nothing")
      ->type_name("DIR");
  app.add_option("--convert", flags.convert,
                 "any readable mesh to an HDF5 mesh; a .geo or CAD file is meshed as --set mesh.order, mesh.size and "
                 "mesh.scale say")
      ->expected(2)
      ->type_name("MESH OUT.h5");
  app.add_option("--plot", flags.plot,
                 "every result file of a run as PNG and SVG, in RUN_DIR/plots; several are compared with the last")
      ->expected(1, -1)
      ->type_name("RUN_DIR");
  app.add_flag("--devices", flags.devices, "list the devices that can be opened");
  app.add_flag("--schema", flags.schema, "print the JSON Schema of a config");
  app.add_flag("--version", flags.version, "print the version");
  app.add_option("--device", flags.device, "auto, cuda, cuda:N, cuda:all, opencl, opencl:N, opencl:all or cpu")
      ->envname("MAXWELL_DG_DEVICE")
      ->type_name("SPEC");
  app.add_option("--output", flags.output, "write here instead of outputs.directory")->type_name("DIR");
  app.add_option("--set", result.assignments, "replace a value of the config; may be repeated")
      ->allow_extra_args(false)
      ->type_name("KEY.PATH=VALUE");
  app.add_flag("--resume", result.resume, "go on from the newest whole checkpoint in the output directory");
  app.add_flag("--trust-geometry", result.trust_geometry,
               "let the script of a .geo start programs and write files, as Gmsh does");
  app.add_flag("--quiet", result.quiet, "no progress; errors and warnings only");
  app.add_option("--trace", flags.trace,
                 "write a timeline of driver calls and kernels, for ui.perfetto.dev or chrome://tracing")
      ->type_name("FILE.json");
  app.add_option("--cache", flags.cache, "show the cache of compiled kernels and of measurements, or empty it")
      ->expected(0, 1)
      ->check(CLI::IsMember({"clear"}))
      ->type_name("[clear]");
  app.allow_extras();
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    result.action = CommandLine::Action::print_and_leave;
    result.text = app.help();
    return result;
  } catch (const CLI::ParseError& error) {
    throw ConfigError(error.what() + std::string(see_help));
  }
  if (flags.version) {
    result.action = CommandLine::Action::print_and_leave;
    result.text = "maxwell_dg " + std::string(core::version()) + "\n";
    return result;
  }
  reject_unknown(app);
  result.action = action_of(flags, app);
  if (result.resume && result.action != CommandLine::Action::run) throw ConfigError("--resume is for runs alone");
  result.config = flags.config;
  if (!flags.device.empty()) result.device = flags.device;
  if (app.count("--output") > 0) result.output = flags.output;
  if (app.count("--trace") > 0) result.trace = flags.trace;
  result.kernels = flags.kernels;
  result.runs = flags.plot;
  if (result.action == CommandLine::Action::convert) {
    result.mesh = flags.convert.at(0);
    result.converted = flags.convert.at(1);
  }
  return result;
}

}  // namespace maxwell_dg
