#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace maxwell_dg {

/// What the program was asked to do.
struct CommandLine {
  enum class Action {
    run,
    check,
    tune,
    kernels,
    convert,
    plot,
    devices,
    schema,
    show_cache,
    clear_cache,
    print_and_leave
  };
  Action action = Action::run;
  std::filesystem::path config;
  std::filesystem::path mesh, converted;        ///< of --convert
  std::filesystem::path kernels;                ///< of --kernels, the directory
  std::vector<std::string> runs;                ///< of --plot, their directories
  std::optional<std::string> device;            ///< --device, else $MAXWELL_DG_DEVICE, else the config's
  std::optional<std::filesystem::path> output;  ///< instead of outputs.directory
  std::optional<std::filesystem::path> trace;   ///< the timeline's file, instead of what $MAXWELL_DG_TRACE says
  std::vector<std::string> assignments;         ///< --set key.path=value, in order
  bool quiet = false;
  bool resume = false;          ///< from the newest checkpoint in the output directory
  bool trust_geometry = false;  ///< a .geo may start processes and write files
  std::string text;             ///< of --help and --version
};

/// Throws ConfigError for an option that does not exist, a value that is missing, or nothing to do.
[[nodiscard]] CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace maxwell_dg
