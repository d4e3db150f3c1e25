#pragma once

#include <span>
#include <string>

#include "core/device/device.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/schedule/schedule.hpp"
#include "rtcg/compile/compiler.hpp"
#include "rtcg/source/template.hpp"

namespace maxwell_dg::dg {

/// Prints the kernels that read a state outside of stages: energies, samples at points, Fourier sums. They depend on
/// the order, the precision and the schedule. Their algorithms are in the .kernel files, the equations come from the
/// lowered system, and the schedule determines the definitions at the beginning of each text (state.kernel).
class KernelGenerator {
 public:
  struct Options {
    std::string system;  ///< the system's name, which becomes a part of the texts' names
    int N{};
    Dtype precision = Dtype::float64;
    Schedule schedule{};
    std::size_t elements = 0;  ///< elements of the mesh; some stages differ for many of them
    bool has_ranges = false;   ///< whether a launch of a stage computes one of several ranges of elements
    bool has_curved = false;   ///< whether elements of the mesh are curved
  };

  KernelGenerator(const LoweredSystem& lowered, Options options);

  [[nodiscard]] rtcg::KernelSource energy() const;
  [[nodiscard]] rtcg::KernelSource sample() const;
  /// The kernels `gather_traces` and `scatter_traces`.
  [[nodiscard]] rtcg::KernelSource exchange() const;
  /// The kernels `fourier_weights` and `fourier_sums`, for traces on faces or for all nodes.
  [[nodiscard]] rtcg::KernelSource fourier(bool on_faces) const;
  /// The kernel `field_values`.
  [[nodiscard]] rtcg::KernelSource field_values() const;
  /// The kernels `integrate_powers` and `record_powers`.
  [[nodiscard]] rtcg::KernelSource power_sums() const;

  /// The template value `state` of state.kernel, which defines sizes and the layout of the state.
  [[nodiscard]] rtcg::Record state() const;
  /// Template values of the energies' densities: {couplings, densities}, as energy.kernel has them.
  [[nodiscard]] rtcg::Record energy_values() const;
  /// The name of a text: `kernel`, then system, order, precision and schedule.
  [[nodiscard]] std::string name_of(const std::string& kernel) const;
  /// The text of a template that includes state.kernel, for these values and `state`.
  [[nodiscard]] rtcg::KernelSource source(const std::string& kernel, const rtcg::Template& text,
                                          rtcg::Record values) const;
  [[nodiscard]] const Options& options() const { return options_; }
  [[nodiscard]] int fields() const { return fields_; }

  static constexpr int total_items = 128;  ///< work-items of the only group of total_energy
  /// Work-items of a group of `sample`, `fourier_weights`, `fourier_sums`, `field_values` and `nodal_values`.
  static constexpr int point_items = 128;
  /// Work-items of a group of `energy`, and the elements that it computes at a time.
  [[nodiscard]] int group_items() const { return group_items_; }
  [[nodiscard]] int elements_per_group() const { return elements_per_group_; }
  /// Whether a work-item computes one node, as GPUs want it; else, in lanes on CPUs, all nodes of an element.
  [[nodiscard]] bool nodes_in_parallel() const;

 private:
  const LoweredSystem& lowered_;
  Options options_;
  int Np_, Nfp_, fields_;
  int group_items_{1}, elements_per_group_{1};
};

/// The kernel that evaluates expressions of position and time at nodes, for any system and schedule: from the vertices
/// of straight elements, of curved ones from the positions of their nodes.
[[nodiscard]] rtcg::KernelSource nodal_values_kernel(std::span<const symbolic::Expr> values, int N, bool curved);

}  // namespace maxwell_dg::dg
