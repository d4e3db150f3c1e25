#include "apps/simulation/directory/output_directory.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "apps/simulation/directory/earlier_run.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/log.hpp"

namespace maxwell_dg::simulation {
namespace {

namespace fs = std::filesystem;

struct ResultName {
  std::string_view pattern;  ///< each `#` stands for a number
  bool at_end = false;       ///< written when the run is over
};

/// Every file that a run may write but its log, its config and its summary; docs/user_guide.md says what they hold.
constexpr std::array result_names{ResultName{"checkpoint_#.h5"},
                                  ResultName{"fields.pvd"},
                                  ResultName{"fields_#.vtu"},
                                  ResultName{"fields_#.pvtu"},
                                  ResultName{"fields_#_r#.vtu"},
                                  ResultName{"surface_fields.pvd"},
                                  ResultName{"surface_fields_#.vtu"},
                                  ResultName{"surface_fields_#.pvtu"},
                                  ResultName{"surface_fields_#_r#.vtu"},
                                  ResultName{"probes.csv"},
                                  ResultName{"energy.csv"},
                                  ResultName{"balance.csv"},
                                  ResultName{"elements.csv"},
                                  ResultName{"frequency_fields_#.vtu", true},
                                  ResultName{"frequency_fields_#.pvtu", true},
                                  ResultName{"frequency_fields_#_r#.vtu", true},
                                  ResultName{"s_parameters.s#p", true},
                                  ResultName{"port_waves.csv", true},
                                  ResultName{"resonances.csv", true},
                                  ResultName{"probe_spectra.csv", true},
                                  ResultName{"shielding.csv", true},
                                  ResultName{"rcs.csv", true},
                                  ResultName{"monostatic.csv"},
                                  ResultName{"radiation.csv", true},
                                  ResultName{"radiation_#.csv", true},
                                  ResultName{"pattern.csv", true},
                                  ResultName{"pattern_#.csv", true},
                                  ResultName{"pattern_#.vtp", true},
                                  ResultName{"pattern_#_#.vtp", true},
                                  ResultName{"antenna.csv", true},
                                  ResultName{"diverged.vtu", true},
                                  ResultName{"diverged.pvtu", true},
                                  ResultName{"diverged_r#.vtu", true}};

bool matches(std::string_view name, std::string_view pattern) {
  for (; !pattern.empty(); pattern.remove_prefix(1)) {
    if (pattern.front() == '#') {
      const std::size_t digits = std::min(name.find_first_not_of("0123456789"), name.size());
      if (digits == 0) return false;
      name.remove_prefix(digits);
    } else {
      if (!name.starts_with(pattern.front())) return false;
      name.remove_prefix(1);
    }
  }
  return name.empty();
}

/// Where a link leads to; the path itself where it is none.
fs::path target_of(const fs::path& path) {
  std::error_code error;
  const fs::path target = fs::is_symlink(path, error) ? fs::canonical(path, error) : path;
  return error ? path : target;
}

void remove_old(const fs::path& file) {
  std::error_code error;
  fs::remove(file, error);
  if (error) throw OutputError(file.string() + ": of an earlier run, cannot be removed: " + error.message());
}

fs::path made(fs::path path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) throw OutputError(path.string() + ": cannot be the output directory: " + error.message());
  return path;
}

/// [name of results] Regular files, behind links, too.
using Found = std::array<std::vector<fs::path>, result_names.size()>;

Found results_in(const fs::path& directory, OutputDirectory::Results which) {
  Found found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, error)) {
    const std::string name = entry.path().filename().string();
    const auto* const known =
        std::ranges::find_if(result_names, [&](const ResultName& r) { return matches(name, r.pattern); });
    if (known == result_names.end() || (which == OutputDirectory::Results::of_later_end && !known->at_end)) continue;
    std::error_code unknown;  // of a link that leads nowhere
    if (entry.is_regular_file(unknown)) {
      found.at(static_cast<std::size_t>(known - result_names.begin())).push_back(target_of(entry.path()));
    }
  }
  if (error) throw OutputError(directory.string() + ": cannot be read: " + error.message());
  return found;
}

/// What --plot has drawn of them: each picture is there as PNG and as SVG.
std::vector<fs::path> pictures_in(const fs::path& directory) {
  std::vector<fs::path> pictures;
  std::error_code none;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory / "plots", none)) {
    if (entry.path().extension() != ".svg") continue;
    const fs::path other = fs::path(entry.path()).replace_extension(".png");
    if (fs::is_regular_file(other, none)) pictures.insert(pictures.end(), {entry.path(), other});
  }
  return pictures;
}

/// "checkpoint_*.h5 (2), probes.csv, plots (4)".
std::string listed(const Found& found, std::size_t pictures) {
  std::string text;
  for (std::size_t i = 0; i < result_names.size(); ++i) {
    if (found.at(i).empty()) continue;
    std::string name(result_names.at(i).pattern);
    if (name.find('#') != std::string::npos) {
      std::string wildcards;
      for (const char c : name) wildcards += c == '#' ? '*' : c;
      name = wildcards + " (" + std::to_string(found.at(i).size()) + ")";
    }
    text += (text.empty() ? "" : ", ") + name;
  }
  if (pictures > 0) text += (text.empty() ? "" : ", ") + ("plots (" + std::to_string(pictures) + ")");
  return text;
}

}  // namespace

OutputDirectory::OutputDirectory(fs::path path) : path_(made(std::move(path))), lock_(path_) {
  remove_abandoned_files(path_);
}

void OutputDirectory::remove_summary() const {
  remove_old(path_ / "summary.json");
}

std::string OutputDirectory::results() const {
  return listed(results_in(path_, Results::all), pictures_in(path_).size());
}

void OutputDirectory::remove_results(Results which) const {
  const Found found = results_in(path_, which);
  const std::vector<fs::path> pictures = which == Results::all ? pictures_in(path_) : std::vector<fs::path>{};
  const std::string text = listed(found, pictures.size());
  if (text.empty()) return;
  if (std::error_code error; !fs::exists(resolved_config_in(path_), error)) {
    log_warning(path_.string() +
                ": holds files with names of results, but no config.resolved.yaml of a run that wrote "
                "them; they stay, unless this run writes them: " +
                text);
    return;
  }
  for (const std::vector<fs::path>& files : found) {
    for (const fs::path& file : files) remove_old(file);
  }
  for (const fs::path& picture : pictures) remove_old(picture);
  log_info("removed results of an earlier " + std::string(which == Results::all ? "run" : "end of this run") +
           " from " + path_.string() + ": " + text);
}

}  // namespace maxwell_dg::simulation
