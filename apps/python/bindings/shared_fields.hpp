#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <nanobind/nanobind.h>

#include "apps/simulation/simulation.hpp"
#include "rtcg/array/context.hpp"

namespace maxwell_dg::python {

/// Fields of a run, and where their nodes are, in memory that other libraries may look at. The memory outlives the run
/// as long as somebody looks at it.
class SharedFields {
 public:
  /// `forks`: see forks(). To be made while nobody else uses the simulation.
  SharedFields(const simulation::Simulation& simulation, std::vector<std::string> names, int forks);
  SharedFields(const SharedFields&) = delete;
  SharedFields& operator=(const SharedFields&) = delete;

  /// Brings the values of the present state there, after what CUDA's default stream was given before. On a CPU it
  /// waits.
  void update() const;

  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// [of names, `count` of them from `first` on][element][node], of one the first axis is left out: on a CPU a NumPy
  /// array, else one of _core.Array.
  [[nodiscard]] nanobind::object array(std::size_t first, std::optional<std::size_t> count) const;
  /// [element][node][axis], in double precision: the same kind of array.
  [[nodiscard]] nanobind::object points() const;

 private:
  [[nodiscard]] bool is_on_host() const { return static_cast<bool>(values_->host()); }

  std::vector<std::string> names_;
  int forks_;
  std::int64_t elements_, nodes_;
  std::unique_ptr<dg::FieldValues> values_;
  std::vector<dg::Point> points_;
  rtcg::Context context_;
};

}  // namespace maxwell_dg::python
