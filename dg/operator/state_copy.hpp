#pragma once

#include <span>

#include "core/device/device.hpp"
#include "dg/checkpoint/archive.hpp"
#include "dg/operator/device_problem.hpp"

namespace maxwell_dg::dg {

/// A copy of the state of this rank's own elements on the host. The copy is enqueued in the stream, and only `get` and
/// `save` wait for it. Holds page-locked memory of the state's size.
class StateCopy {
 public:
  /// `elements`: of the whole mesh. The problem must outlive this object.
  StateCopy(const DeviceProblem& problem, std::size_t elements);
  ~StateCopy();
  StateCopy(const StateCopy&) = delete;
  StateCopy& operator=(const StateCopy&) = delete;

  /// Enqueues a copy of the current state, which replaces the one before.
  void begin();
  /// The nodal values that `begin` copied, [element of Operator::part][field][node]. Waits for them. May be called from
  /// any thread, as long as no other copy is begun meanwhile. Throws std::invalid_argument unless there is room for the
  /// own elements.
  void get(std::span<double> q) const;
  /// Begins a copy of the state as it is stored and puts it into an archive as "q", [element][field][node] in the
  /// state's own precision (of several ranks Archive::Array::part of own elements), with a text "q.basis" = "element"
  /// where vectors are stored by their components in the basis of each element (ElementBasis). The archive must be
  /// written or discarded before another copy begins. `load_state` is the inverse.
  void save(Archive& archive);

 private:
  void begin(const core::Buffer& state);

  const DeviceProblem& problem_;
  std::size_t elements_;  ///< of the whole mesh
  core::HostBuffer host_;
  core::Event arrived_;
  bool begun_{};
};

}  // namespace maxwell_dg::dg
