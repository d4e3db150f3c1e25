#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "core/device/device.hpp"
#include "dg/codegen/kernel_generator.hpp"
#include "dg/operator/device_problem.hpp"

namespace maxwell_dg::dg {

/// The energies of the state of a DeviceProblem, summed on the device. The problem outlives it.
class StateEnergies {
 public:
  StateEnergies(const DeviceProblem& problem, const KernelGenerator& generator);
  /// The kernels, from the compiled KernelGenerator::energy().
  void use(const core::Module& module);
  [[nodiscard]] std::size_t count() const { return problem_.lowered().energies.size(); }
  /// totals[record][energy] = the energies at the present state, in double, in the order of System::energies.
  /// Asynchronous.
  void note(const core::Buffer& totals, std::int32_t record) const;

  /// Bytes that it holds on a device.
  [[nodiscard]] static std::size_t forecast_bytes(const StateLayout& layout, const KernelGenerator& generator, int Np,
                                                  Dtype precision, std::size_t energies);

 private:
  const DeviceProblem& problem_;
  std::size_t groups_;
  std::size_t group_items_;
  core::Buffer jacobian_, M_, partial_;
  core::Kernel energy_, total_energy_;
};

}  // namespace maxwell_dg::dg
