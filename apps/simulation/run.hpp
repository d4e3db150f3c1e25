#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "apps/simulation/changed_media.hpp"
#include "apps/simulation/prepared.hpp"
#include "apps/simulation/shared_stop.hpp"
#include "apps/simulation/simulation.hpp"
#include "core/mpi/rank_warnings.hpp"
#include "dg/observe/files/sink.hpp"
#include "dg/time/time_loop.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::simulation {

/// What is behind a Simulation. It stays where it is, for its parts refer to each other.
class Simulation::Run {
 public:
  Run(config::Config config, Options options);
  /// Ends a run with files; an error is said.
  ~Run();
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  long step(long count, const std::function<void()>& after_step);
  void finish();
  void flush();
  void change_media(const MediaValues& values);
  /// [name] the number of a field. Throws ConfigError for one that the equations do not have.
  [[nodiscard]] std::vector<std::size_t> numbers_of(const std::vector<std::string>& names) const;
  [[nodiscard]] std::vector<std::vector<double>> fields(const std::vector<std::string>& names) const;

  [[nodiscard]] bool has_ended() const { return has_ended_; }
  [[nodiscard]] const Plan& plan() const { return plan_; }
  [[nodiscard]] const dg::Moment& now() const { return now_; }
  /// Throws where there is nothing to do, and nothing was made ready.
  [[nodiscard]] Prepared& prepared() {
    if (!prepared_) throw std::logic_error("this run was finished before: nothing is computed");
    return *prepared_;
  }
  [[nodiscard]] const dg::Sink& results() const { return *results_; }
  [[nodiscard]] const std::vector<ProbeResonance>& resonances() const { return resonances_; }
  [[nodiscard]] const std::vector<std::string>& files() const { return files_; }
  [[nodiscard]] const Summary& summary() const {
    if (!summary_) throw std::logic_error("there is a summary only of a run that has ended without an error");
    return *summary_;
  }

 private:
  [[nodiscard]] LogScope listen();
  void prepare(config::Config config);
  void take_directory(OutputDirectory::Results old) const;
  [[nodiscard]] dg::TimeLoop loop();
  [[nodiscard]] bool is_at_end() const;
  void look_at_decay();
  void end(std::exception_ptr error);
  void make_last_results(const std::string& outcome);
  void sum_up(std::string outcome);

  Options options_;
  SharedStop stop_;
  std::vector<std::string> warnings_;
  RankWarnings of_ranks_;
  std::unique_ptr<dg::Sink> results_;
  Plan plan_;
  std::optional<rtcg::Compiler> compiler_;
  std::optional<Prepared> prepared_;
  dg::Moment now_;
  bool has_begun_ = false, has_ended_ = false;
  long made_ = 0;  ///< steps, since the start
  double setup_seconds_ = 0, loop_seconds_ = 0;
  std::vector<ProbeResonance> resonances_;
  std::vector<std::string> files_;
  std::optional<Summary> summary_;
};

}  // namespace maxwell_dg::simulation
