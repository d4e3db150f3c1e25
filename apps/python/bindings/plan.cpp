#include "apps/python/bindings/plan.hpp"

#include <stdexcept>
#include <utility>

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "apps/python/bindings/bindings.hpp"
#include "apps/python/bindings/forks.hpp"
#include "apps/python/bindings/log_sink.hpp"
#include "apps/simulation/checks/forecast.hpp"
#include "apps/simulation/checks/mesh_warnings.hpp"
#include "apps/simulation/checks/plausibility.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace maxwell_dg::python {

Planned::Planned(const config::Config& config, nb::handle log) : forks_at_start_(forks()) {
  const nb::gil_scoped_release without_lock;
  const LogScope messages(sink_of(log));
  plan_ = std::make_shared<simulation::Plan>(simulation::make_plan(config));
  simulation::warn_of_plan(*plan_);
}

Planned::~Planned() {
  if (forks_at_start_ == forks()) return;
  // NOLINTNEXTLINE(bugprone-unhandled-exception-at-new): a child without memory for a pointer cannot go on
  static_cast<void>(new std::shared_ptr<simulation::Plan>(std::move(plan_)));
}

const simulation::Plan& Planned::plan() const {
  if (!plan_) throw std::runtime_error("the run has begun, and has the plan");
  return *plan_;
}

std::shared_ptr<simulation::Plan> Planned::take() {
  return forks_at_start_ == forks() ? std::exchange(plan_, nullptr) : nullptr;
}

nb::dict facts_of(const simulation::Plan& plan) {
  nb::dict facts;
  facts["elements"] = plan.whole.elements;
  facts["curved_elements"] = plan.whole.curved;
  facts["order"] = plan.discretization->N();
  facts["dofs"] = static_cast<std::size_t>(plan.dofs());
  facts["dt"] = plan.dt * plan.file_scaling.time;
  facts["steps"] = plan.steps;
  facts["ends_by_decay"] = plan.end_rule.has_value();
  facts["device"] = plan.device.info().name;
  facts["device_bytes"] = plan.device_bytes;
  facts["free_bytes"] = simulation::free_bytes(plan);
  facts["fields"] = plan.problem.system.fields;
  return facts;
}

void bind_plan(nb::module_& m) {
  nb::class_<Planned>(m, "Planned", "What a run would be: nothing is compiled or computed.")
      .def(nb::init<const config::Config&, nb::handle>(), "config"_a, "log"_a)
      .def("facts", [](const Planned& planned) { return facts_of(planned.plan()); })
      .def("forecast", [](const Planned& planned) { return simulation::forecast(planned.plan(), {}); });
}

}  // namespace maxwell_dg::python
