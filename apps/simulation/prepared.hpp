#pragma once

#include <optional>

#include "apps/simulation/initial_state.hpp"
#include "apps/simulation/outputs/observers.hpp"
#include "apps/simulation/plan.hpp"
#include "apps/simulation/stopwatch.hpp"

namespace maxwell_dg::simulation {

/// What a plan becomes before its first step. All kernels are compiled here.
class Prepared {
 public:
  /// Makes the operator and sets the initial fields; notes in the plan how long both took. Throws ConfigError for
  /// fields that are no finite numbers, and DeviceError. The plan outlives it.
  Prepared(Plan& plan, const rtcg::Compiler& compiler, const dg::Schedule& schedule,
           const dg::CurvedVariant& curved = {});
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  /// Makes the observers, whose results go to the sink. `resumed`: the checkpoint of a run that goes on, whose state
  /// replaces the initial fields. Throws OutputError, and ConfigError for a checkpoint that does not fit.
  void watch(dg::Sink& results, const dg::Archive* resumed = nullptr);

  [[nodiscard]] dg::Operator& op() { return op_; }
  [[nodiscard]] const dg::Operator& op() const { return op_; }
  /// Of a config with a reference solution.
  [[nodiscard]] const std::optional<Formulas>& reference() const { return reference_; }
  [[nodiscard]] Observers& observers() { return *observers_; }
  [[nodiscard]] const Observers& observers() const { return *observers_; }

 private:
  Stopwatch watch_;
  Plan& plan_;
  dg::Operator op_;
  std::optional<Formulas> reference_;
  std::optional<Observers> observers_;
};

}  // namespace maxwell_dg::simulation
