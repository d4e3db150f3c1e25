#pragma once

#include <cstddef>
#include <cstdint>

#include "core/device/device.hpp"
#include "dg/operator/device_problem.hpp"
#include "rtcg/compile/compiler.hpp"

namespace maxwell_dg::dg {

/// Sums the energies of curved elements on the device, by quadrature with their maps: a part of StateEnergies.
class CurvedEnergies {
 public:
  /// Of a problem with curved elements, which must outlive this object.
  explicit CurvedEnergies(const DeviceProblem& problem);
  [[nodiscard]] rtcg::KernelSource source() const;
  /// Takes the compiled source. Before anything is written.
  void load(const core::Module& module);
  /// Groups of work-items, each of which writes a row of partial sums.
  [[nodiscard]] std::size_t groups() const { return groups_; }
  /// Writes partial[first_row + group][energy] of the current state, in double. Asynchronous.
  void write(const core::Buffer& partial, std::size_t first_row) const;

  [[nodiscard]] static std::size_t groups_for(std::size_t curved_elements);
  /// Its device memory, in bytes.
  [[nodiscard]] static std::size_t forecast_bytes(std::size_t curved_elements, std::size_t volume_points, int Np,
                                                  Dtype precision);

 private:
  const DeviceProblem& problem_;
  std::size_t count_{}, groups_{};  ///< own curved elements
  core::Kernel kernel_;
  core::Buffer elements_, metric_at_nodes_, metric_at_points_, volumes_, constants_at_points_, at_volume_;
};

}  // namespace maxwell_dg::dg
