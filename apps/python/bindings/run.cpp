#include "apps/python/bindings/run.hpp"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <utility>

#include "apps/python/bindings/forks.hpp"
#include "apps/python/bindings/log_sink.hpp"

namespace nb = nanobind;

namespace maxwell_dg::python {

Run::Use::Use(Run& run) : run_(run) {
  if (run.forks_at_start_ != forks()) {
    throw std::runtime_error(
        "this simulation belongs to the parent of this process, whose device cannot be used after a fork; make the "
        "simulation in the child, or start children by multiprocessing's method 'spawn'");
  }
  if (run.busy_.test_and_set()) {
    throw std::runtime_error("another thread uses this simulation, or this is a callback of a step; one at a time");
  }
  if (run.is_closed()) {
    run.busy_.clear();
    throw std::runtime_error("the simulation is closed; make a new one");
  }
}

Run::Run(const config::Config& config, Planned* planned, const std::optional<std::filesystem::path>& directory,
         bool resume, nb::object log)
    : log_(std::move(log)), forks_at_start_(forks()) {
  const nb::gil_scoped_release without_lock;
  if (directory) directory_ = std::make_unique<simulation::OutputDirectory>(*directory);
  simulation_ = std::make_unique<simulation::Simulation>(
      config, simulation::Options{.directory = directory_.get(),
                                  .plan = planned == nullptr ? nullptr : planned->take(),
                                  .resume = resume,
                                  .log = sink_of(log_),
                                  .stop = [this] { return must_stop(); }});
}

Run::~Run() {
  if (forks_at_start_ == forks()) {
    const nb::gil_scoped_release without_lock;
    shared_->clear();
    simulation_.reset();
  } else {  // what the parent's driver holds cannot be given back here
    static_cast<void>(simulation_.release());
    static_cast<void>(directory_.release());
    static_cast<void>(shared_.release());
  }
}

long Run::step(long count) {
  const Use use(*this);
  interrupted_ = false;
  stop_ = false;
  long made = 0;
  {
    const nb::gil_scoped_release without_lock;
    made = simulation_->step(count);
  }
  if (interrupted_) throw nb::python_error();
  return made;
}

void Run::run() {
  step(std::numeric_limits<long>::max());
}

void Run::finish() {
  use([](simulation::Simulation& simulation) { simulation.finish(); });
}

void Run::close() {
  if (is_closed()) return;
  const Use use(*this);
  const nb::gil_scoped_release without_lock;
  shared_->clear();
  simulation_.reset();
  directory_.reset();
}

std::shared_ptr<SharedFields> Run::share_fields(const std::vector<std::string>& names) {
  return use([&](const simulation::Simulation& simulation) {
    const auto same = [&](const std::shared_ptr<SharedFields>& shared) { return shared->names() == names; };
    auto found = std::ranges::find_if(*shared_, same);
    if (found == shared_->end()) {
      found = shared_->insert(found, std::make_shared<SharedFields>(simulation, names, forks_at_start_));
    }
    (*found)->update();
    return *found;
  });
}

/// Signals are looked for twenty times a second: Python's lock has to be taken for it.
bool Run::must_stop() {
  if (stop_ || is_abandoned_) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now - looked_for_signals_ < std::chrono::milliseconds(50)) return false;
  looked_for_signals_ = now;
  const nb::gil_scoped_acquire lock;
  interrupted_ = PyErr_CheckSignals() != 0;
  return interrupted_;
}

}  // namespace maxwell_dg::python
