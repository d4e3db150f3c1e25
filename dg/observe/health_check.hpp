#pragma once

#include <limits>
#include <string>

#include "dg/observe/file_scaling.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// Looks at the energy every few steps and ends a run that has gone wrong by a DivergenceError, which says when, where
/// (element, its centroid and region) and what to try. The state is fetched only for that message.
class HealthCheck final : public Observer {
 public:
  struct Options {
    long every = 50;  ///< steps
    /// Largest energy that the run may reach, in the solver's units. Without sources: a little more than the initial.
    double energy_limit = std::numeric_limits<double>::infinity();
    FileScaling scaling{};
    std::string time_unit{};    ///< put behind times in the message: " s", or nothing
    std::string length_unit{};  ///< the same behind positions
    std::string remedy{};       ///< what to try
  };

  explicit HealthCheck(Options options);

  void observe(Operator& op, const Moment& now) override;
  void finish(Operator& op, const Moment& now) override;

 private:
  void check(const Operator& op, const Moment& now);

  Options options_;
  double energy_before_ = 0;  ///< at the last check
  long checked_step_ = -1;
};

}  // namespace maxwell_dg::dg
