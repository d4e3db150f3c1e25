#include "apps/maxwell_dg/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apps/config/load.hpp"
#include "apps/maxwell_dg/interrupt.hpp"
#include "apps/simulation/directory/earlier_run.hpp"
#include "apps/simulation/sweep.hpp"
#include "apps/simulation/text.hpp"
#include "core/atomic_file.hpp"
#include "core/device/device_spec.hpp"
#include "core/device/several_devices.hpp"
#include "core/log.hpp"
#include "dg/observe/files/csv_file.hpp"

namespace maxwell_dg {
namespace {

/// What `device` stands for, each by its number.
std::vector<std::string> devices_of(const std::string& device) {
  const auto all = core::all_devices(device);
  if (!all) return {device};
  std::vector<std::string> each;
  for (const core::DeviceInfo& info : *all) each.push_back(core::spec_of(info));
  return each;
}

void take_directory(const config::Config& config, const simulation::OutputDirectory& directory) {
  directory.remove_summary();
  directory.remove_results(simulation::OutputDirectory::Results::all);
  write_file_atomically(simulation::resolved_config_in(directory.path()), config::resolved_yaml(config));
}

/// monostatic.csv, whose rows come by angles, in any order.
class MonostaticFile {
 public:
  explicit MonostaticFile(std::filesystem::path path) : path_(std::move(path)) {}

  /// Writes all up to the first angle that is missing.
  void add(std::size_t angle, dg::Table rcs) {
    waiting_.emplace(angle, std::move(rcs));
    for (; !waiting_.empty() && waiting_.begin()->first == next_; ++next_) write_first();
    if (file_) file_->flush();
  }
  /// Writes all, where angles are missing for good.
  void finish() {
    while (!waiting_.empty()) write_first();
    if (!file_) return;
    file_->flush();
    log_info("written to " + path_.parent_path().string() + ": " + path_.filename().string());
  }

 private:
  void write_first() {
    const dg::Table rcs = std::move(waiting_.extract(waiting_.begin()).mapped());
    if (!file_) file_.emplace(path_, rcs.columns());
    for (std::size_t row = 0; row < rcs.rows(); ++row) {
      std::vector<double> values;
      for (const std::vector<double>& column : rcs.values()) values.push_back(column[row]);
      file_->add_row(values);
    }
  }

  std::filesystem::path path_;
  std::optional<dg::CsvFile> file_;
  std::map<std::size_t, dg::Table> waiting_;
  std::size_t next_ = 0;
};

/// The runs of a sweep by the numbers of their angles, and what threads share, one for each device.
class Runs {
 public:
  Runs(const config::Config& config, const simulation::Options& options)
      : config_(config), options_(options), angles_(simulation::incidences(config.sweep.value())) {
    if (options.directory != nullptr) file_.emplace(options.directory->path() / "monostatic.csv");
  }

  /// Each device takes the next angle that none has taken. The first run is made ready before others begin: they take
  /// its mesh, and find its kernels and what was tuned in the cache.
  void run_on(const std::vector<std::string>& devices) {
    std::optional<simulation::Simulation> first(make_ready(0, devices.front()));
    if (!first->plan().is_part) discretization_ = first->plan().discretization;
    if (options_.directory != nullptr) take_directory(config_, *options_.directory);
    std::vector<std::future<void>> others;
    for (std::size_t d = 1; d < std::min(devices.size(), angles_.size()); ++d) {
      others.push_back(std::async(std::launch::async, [&, d, scope = LogScope::innermost()] {
        const LogScope::Lent lent(scope);
        run_next(devices[d]);
      }));
    }
    guard(0, [&] { complete(0, *first, devices.front()); });
    first.reset();  // its memory is for those that follow
    run_next(devices.front());
    for (std::future<void>& other : others) other.get();
    if (file_) file_->finish();
    log_info("set-ups: meshes read: " + std::to_string(meshes_) + "; kernels compiled: " + std::to_string(compiled_) +
             ", of these for the first angle: " + std::to_string(compiled_first_));
    if (failures_.empty() && done_ < angles_.size()) {
      log_info("interrupted after " + std::to_string(done_) + " of " + std::to_string(angles_.size()) +
               " angles; a sweep cannot be resumed: run it again with the angles that are missing");
    }
    if (!failures_.empty()) std::rethrow_exception(failures_.begin()->second);
  }

 private:
  [[nodiscard]] bool goes_on() const { return !has_failed_ && !InterruptGuard::stop_requested(); }

  void run_next(const std::string& device) {
    for (std::size_t i = next_++; i < angles_.size() && goes_on(); i = next_++) {
      guard(i, [&] {
        simulation::Simulation run = make_ready(i, device);
        complete(i, run, device);
      });
    }
  }

  [[nodiscard]] simulation::Simulation make_ready(std::size_t i, const std::string& device) {
    config::Config config = simulation::config_of(config_, angles_[i]);
    config.device = device;
    simulation::Options options = options_;
    options.directory = nullptr;
    options.stop = InterruptGuard::stop_requested;
    options.discretization = discretization_;
    options.log = [this, i](LogLevel level, std::string_view text) {
      if (level == LogLevel::info ? i == 0 : is_new(level, text)) log_message(level, text);
    };
    return simulation::Simulation(std::move(config), std::move(options));
  }

  /// Warnings that hold for all angles are said once.
  [[nodiscard]] bool is_new(LogLevel level, std::string_view text) {
    if (level != LogLevel::warning) return true;
    const std::lock_guard lock(warnings_);
    return said_.emplace(text).second;
  }

  void complete(std::size_t i, simulation::Simulation& run, const std::string& device) {
    run.run();
    if (run.summary().outcome != "done") return;
    const std::lock_guard lock(results_);
    const std::size_t compiled = run.summary().compile.cache_misses;
    compiled_ += compiled;
    if (i == 0) compiled_first_ = compiled;
    meshes_ += std::ranges::count(run.plan().seconds, "mesh", &std::pair<std::string, double>::first);
    if (file_) file_->add(i, run.table("rcs"));
    log_info("angle " + std::to_string(++done_) + "/" + std::to_string(angles_.size()) + ": " + name_of(i) + ", " +
             simulation::brief(run.summary().wall_seconds) + " s since the start, on " + device);
  }

  /// After a failure no run begins, and those of other devices are completed. The failure of the first angle counts.
  template <class Work>
  void guard(std::size_t i, const Work& work) {
    std::exception_ptr failure;
    try {
      work();
    } catch (const Error& error) {
      failure = std::make_exception_ptr(Error(error.code(), "sweep, " + name_of(i) + ": " + error.what()));
    } catch (...) {
      failure = std::current_exception();
    }
    if (failure == nullptr) return;
    const std::lock_guard lock(results_);
    failures_.emplace(i, failure);
    has_failed_ = true;
  }

  [[nodiscard]] std::string name_of(std::size_t i) const {
    return "theta " + simulation::brief(angles_[i].theta) + ", phi " + simulation::brief(angles_[i].phi);
  }

  const config::Config& config_;
  const simulation::Options& options_;
  std::vector<simulation::Incidence> angles_;
  std::atomic<std::size_t> next_{1};
  std::atomic<bool> has_failed_{false};
  std::shared_ptr<const dg::Discretization> discretization_;  ///< of the first run, for all others
  std::mutex warnings_;
  std::set<std::string> said_;  ///< guarded by warnings_
  std::mutex results_;          ///< guards all below
  std::optional<MonostaticFile> file_;
  std::size_t done_ = 0, compiled_ = 0, compiled_first_ = 0;
  std::ptrdiff_t meshes_ = 0;
  std::map<std::size_t, std::exception_ptr> failures_;
};

}  // namespace

ExitCode sweep(const config::Config& config, const CommandLine& command, const simulation::Options& options) {
  if (command.resume) {
    throw ConfigError(config.blame("sweep", "cannot be resumed: run it again, with the angles that are missing"));
  }
  const InterruptGuard interrupt;
  const bool has_ranks = options.ranks.size() > 1;
  Runs(config, options).run_on(has_ranks ? std::vector{config.device} : devices_of(config.device));
  return InterruptGuard::exit_code();
}

}  // namespace maxwell_dg
