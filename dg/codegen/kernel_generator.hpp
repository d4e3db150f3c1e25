#pragma once

#include <span>
#include <string>

#include "core/device/device.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/schedule/schedule.hpp"
#include "rtcg/compile/compiler.hpp"
#include "rtcg/source/template.hpp"

namespace maxwell_dg::dg {

/// Prints the kernels that read a state outside of stages, of energies, samples and Fourier sums, for an order, a
/// precision and a schedule: the algorithm comes from the .kernel files beside each generator, the equations from the
/// lowered system, the schedule goes in as a prologue of definitions.
class KernelGenerator {
 public:
  struct Options {
    std::string system;  ///< its name, for the names of the kernels
    int N{};
    Dtype precision = Dtype::float64;
    Schedule schedule{};
    std::size_t elements = 0;  ///< of the mesh, for stages that do otherwise with many; 0: few
    bool has_ranges = false;   ///< whether a launch of a stage computes one of several ranges of elements
  };

  KernelGenerator(const LoweredSystem& lowered, Options options);

  [[nodiscard]] rtcg::KernelSource energy() const;
  [[nodiscard]] rtcg::KernelSource sample() const;
  /// The kernels `fourier_weights` and `fourier_sums`, of traces on faces or of every node.
  [[nodiscard]] rtcg::KernelSource fourier(bool on_faces) const;
  /// The kernels `integrate_powers` and `record_powers`.
  [[nodiscard]] rtcg::KernelSource power_sums() const;

  /// What the template state.kernel, the definitions of sizes and of the layout, is given as `state`.
  [[nodiscard]] rtcg::Record state() const;
  /// What kernels and their texts are called: "stage" with system, order, precision and schedule behind it.
  [[nodiscard]] std::string name_of(const std::string& kernel) const;
  /// A kernel of its own that reads the state: what a template that includes state.kernel prints for these values.
  [[nodiscard]] rtcg::KernelSource source(const std::string& kernel, const rtcg::Template& text,
                                          rtcg::Record values) const;
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] int fields() const { return fields_; }

  static constexpr int total_items = 128;  ///< of the one group of total_energy
  /// Of a group of `sample`, `fourier_weights`, `fourier_sums` and `nodal_values`.
  static constexpr int point_items = 128;
  /// Work-items of a group, and elements it handles, in energy.
  [[nodiscard]] int group_items() const { return group_items_; }
  [[nodiscard]] int elements_per_group() const { return elements_per_group_; }

 private:
  [[nodiscard]] bool nodes_in_parallel() const;

  const LoweredSystem& lowered_;
  Options options_;
  int Np_, Nfp_, fields_;
  int group_items_{1}, elements_per_group_{1};
};

/// The kernel that evaluates expressions of position and time at nodes; the same for every system and schedule.
[[nodiscard]] rtcg::KernelSource nodal_values_kernel(std::span<const symbolic::Expr> values, int N);

}  // namespace maxwell_dg::dg
