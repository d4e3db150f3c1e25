#pragma once

#include <memory>

#include <nanobind/nanobind.h>

#include "apps/config/config.hpp"
#include "apps/simulation/plan.hpp"

namespace maxwell_dg::python {

/// What a run will be. In a forked child it is left alone, as its device is the parent's.
class Planned {
 public:
  /// Throws what a run throws before its first step. `log` takes messages.
  Planned(const config::Config& config, nanobind::handle log);
  ~Planned();
  Planned(const Planned&) = delete;
  Planned& operator=(const Planned&) = delete;

  /// Throws std::runtime_error once it was taken.
  [[nodiscard]] const simulation::Plan& plan() const;
  /// For the run itself; null where it was taken before, and in a forked child.
  [[nodiscard]] std::shared_ptr<simulation::Plan> take();

 private:
  int forks_at_start_;
  std::shared_ptr<simulation::Plan> plan_;
};

/// Facts of it for Python.
[[nodiscard]] nanobind::dict facts_of(const simulation::Plan& plan);

}  // namespace maxwell_dg::python
