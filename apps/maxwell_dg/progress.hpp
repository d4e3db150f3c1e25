#pragma once

#include <string>
#include <vector>

#include "apps/simulation/stopwatch.hpp"
#include "dg/observe/energy.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg {

/// What a person watches: a bar where stderr is a terminal, else a plain line now and then.
class Progress final : public dg::Observer {
 public:
  struct Options {
    long steps{};                              ///< of the whole run
    long first_step{};                         ///< of this start
    int stages{};                              ///< of a step
    double time_factor = 1;                    ///< to the unit of the config
    std::string time_unit{};                   ///< "s", or empty in normalized units
    std::string energy_unit{};                 ///< "J", or empty
    const dg::EnergyHistory* energy{nullptr};  ///< shown where given
    std::vector<std::string> driven{};         ///< ports, each for an equal share of the run
  };

  explicit Progress(Options options);
  ~Progress() override;

  void observe(dg::Operator& op, const dg::Moment& now) override;
  void finish(dg::Operator& op, const dg::Moment& now) override;

 private:
  [[nodiscard]] std::string status(const dg::Operator& op, const dg::Moment& now) const;
  void draw_bar(const dg::Operator& op, const dg::Moment& now);
  void clear_bar();

  Options options_;
  bool terminal_;
  bool drawn_ = false;
  simulation::Stopwatch total_;
  simulation::Stopwatch since_shown_;
};

}  // namespace maxwell_dg
