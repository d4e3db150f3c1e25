#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include "apps/simulation/plan.hpp"
#include "dg/checkpoint/archive.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::simulation {

/// Ends a run with time.until, or the turn of a port in it, by the plan's EndRule: says after some steps where the run
/// goes on. All ranks are told the same, so they end at the same step. The steps that a turn leaves out are skipped:
/// the next one begins at its step and time, with the fields that have died away.
class Ending final : public dg::Observer {
 public:
  /// The plan has a rule, and outlives the ending.
  Ending(const Plan& plan, const dg::Archive* resumed);

  void observe(dg::Operator& /*op*/, const dg::Moment& /*now*/) override {}
  void finish(dg::Operator& /*op*/, const dg::Moment& /*now*/) override {}
  void save(dg::Operator& op, const dg::Moment& now, dg::Archive& archive) override;
  /// Whether a checkpoint is of the end of such a run, by a rule that asked for as much as the plan's. False for a plan
  /// without a rule.
  [[nodiscard]] static bool is_of_end(const dg::Archive& archive, const Plan& plan);

  /// The first step after this one at which to look.
  [[nodiscard]] long next_look(long step) const { return (step / rule_.every + 1) * rule_.every; }
  /// Whether to look now; before the earliest end there is nothing to see.
  [[nodiscard]] bool is_due(const dg::Moment& now) const;
  /// The level of the present turn now. Returns where the run goes on: `now`, or the moment before another turn's
  /// first step. Throws ConfigError where the fields cannot die away.
  [[nodiscard]] dg::Moment look(const dg::Moment& now, double level_db);

  [[nodiscard]] bool is_over() const { return ends_.back().has_value(); }
  /// [turn] when its fields had died away, inside; none where they had not.
  [[nodiscard]] const std::vector<std::optional<double>>& ends() const { return ends_; }
  /// The turn of a time.
  [[nodiscard]] std::size_t turn_at(double time) const;
  [[nodiscard]] long skipped_steps() const { return skipped_; }
  /// How much longer the present turn takes, inside, if levels go on to fall as they did lately; none where nothing
  /// tells.
  [[nodiscard]] std::optional<double> time_left() const;

 private:
  struct Look {
    double time{}, level_db{};
  };
  [[nodiscard]] double length() const { return plan_.end() / static_cast<double>(ends_.size()); }

  const Plan& plan_;
  EndRule rule_;
  std::vector<std::optional<double>> ends_;
  long skipped_ = 0;
  std::deque<Look> looks_;  ///< the latest ones of the present turn
};

}  // namespace maxwell_dg::simulation
