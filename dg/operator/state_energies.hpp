#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/device/device.hpp"
#include "dg/codegen/kernel_generator.hpp"
#include "dg/operator/curved_energies.hpp"
#include "dg/operator/device_problem.hpp"

namespace maxwell_dg::dg {

/// Sums the energies of a DeviceProblem's state on the device. The problem must outlive this object.
class StateEnergies {
 public:
  StateEnergies(const DeviceProblem& problem, const KernelGenerator& generator);
  /// Of a kernel for straight elements and, of a problem that has curved ones, of another one for these.
  [[nodiscard]] std::vector<rtcg::KernelSource> sources(const KernelGenerator& generator) const;
  /// Takes the compiled sources, in their order.
  void load(std::span<const core::Module> modules);
  [[nodiscard]] std::size_t count() const { return problem_.lowered().energies.size(); }
  /// Writes totals[record][energy], the energies of the current state in double, in the order of System::energies.
  /// Asynchronous.
  void write_record(const core::Buffer& totals, std::int32_t record) const;

  /// Its device memory but for that of curved elements, in bytes.
  [[nodiscard]] static std::size_t forecast_bytes(const StateLayout& layout, const KernelGenerator& generator, int Np,
                                                  Dtype precision, std::size_t energies);

 private:
  [[nodiscard]] std::size_t all_groups() const { return groups_ + (curved_ ? curved_->groups() : 0); }

  const DeviceProblem& problem_;
  std::optional<CurvedEnergies> curved_;  ///< of a problem that has curved elements
  std::size_t straight_end_;              ///< no element from here on is straight and own
  std::size_t groups_;
  std::size_t group_items_;
  core::Buffer jacobian_, M_, partial_;
  core::Kernel energy_, total_energy_;
};

}  // namespace maxwell_dg::dg
