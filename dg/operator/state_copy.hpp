#pragma once

#include <span>

#include "core/device/device.hpp"
#include "dg/checkpoint/archive.hpp"
#include "dg/operator/device_problem.hpp"

namespace maxwell_dg::dg {

/// A copy of the state on the host, taken while the device goes on: the copy is one more piece of work in the stream,
/// and nobody waits for it before its values are wanted. Holds page-locked memory of the state's size.
class StateCopy {
 public:
  /// `problem` outlives it.
  explicit StateCopy(const DeviceProblem& problem);
  ~StateCopy();
  StateCopy(const StateCopy&) = delete;
  StateCopy& operator=(const StateCopy&) = delete;

  /// Enqueues the copy of the present state, in the place of the one before.
  void begin();
  /// The nodal values that `begin` copied, [element][field][node]. Waits for them; from any thread, while none begins
  /// another copy.
  void get(std::span<double> q) const;
  /// Begins a copy of the state as it is stored and puts it into an archive as "q", [element][field][node] in the
  /// state's own precision, with a text "q.basis" = "element" where vectors are stored by their components in the basis
  /// of each element (ElementBasis). It is to be written, or thrown away, before another copy begins. `load_state` is
  /// the way back.
  void save(Archive& archive);

 private:
  void begin(const core::Buffer& state);

  const DeviceProblem& problem_;
  core::HostBuffer host_;
  core::Event arrived_;
  bool begun_{};
};

}  // namespace maxwell_dg::dg
