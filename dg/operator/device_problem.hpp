#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "dg/mesh/discretization.hpp"
#include "dg/operator/stage_kernels.hpp"

namespace maxwell_dg::dg {

/// A problem on a device, in the layout of a schedule, with its state and the kernels that advance it. Operator
/// computes with it, and the tuner tries schedules on it. Nodal values are passed as doubles, [element][field][node].
class DeviceProblem {
 public:
  /// Fills the device's arrays; the state is zero, the kernels wait for their code. Throws DeviceError for a device
  /// without double precision, std::invalid_argument for a problem whose arrays have wrong sizes. `made_for`, if given:
  /// elements of another mesh, whose kernels are tried on this one. `curved`: how stages of curved elements are
  /// computed; empty: the default. `with_terms`: stages compute terms themselves, as far as they can (StageTerms).
  DeviceProblem(const rtcg::Compiler& compiler, const core::Stream& stream,
                std::shared_ptr<const Discretization> discretization, Problem problem, Dtype precision,
                const Schedule& schedule, std::optional<std::size_t> made_for = {}, CurvedVariant curved = {},
                bool with_terms = false);
  DeviceProblem(const DeviceProblem&) = delete;
  DeviceProblem& operator=(const DeviceProblem&) = delete;

  [[nodiscard]] const Discretization& discretization() const { return *discretization_; }
  [[nodiscard]] const Problem& problem() const { return problem_; }
  [[nodiscard]] const LoweredSystem& lowered() const { return lowered_; }
  [[nodiscard]] const StageSetting& setting() const { return setting_; }
  [[nodiscard]] const StateLayout& layout() const { return setting_.layout; }
  [[nodiscard]] const core::Stream& stream() const { return setting_.stream; }
  [[nodiscard]] StageKernels& stages() const { return *stages_; }
  [[nodiscard]] std::size_t values_of_element() const;  ///< fields x Np
  [[nodiscard]] std::size_t dofs() const;               ///< fields x Np x K

  /// Sets the state, and the Runge-Kutta register to zero. All of these functions wait for the device, and throw
  /// std::invalid_argument for an array that does not have dofs() values.
  void set_state(std::span<const double> q) const { set_state(*stages_, filled_from(q)); }
  void set_state(StageKernels& stages, std::span<const double> q) const { set_state(stages, filled_from(q)); }
  void set_state(const FillElements& values) const { set_state(*stages_, values); }
  /// The same for values as they are stored: in the basis of each element, if the schedule has that.
  void set_stored_state(std::span<const double> q) const;
  /// Gives elements other parameters, [parameter][element], of one rank, where none varies within an element.
  void set_parameters(std::vector<std::vector<double>> parameters);
  void read(const core::Buffer& values, std::span<double> to) const;
  void read(const core::Buffer& values, const TakeElements& take) const;
  /// Converts blocks of elements from the layout of the state to [element][field][node], as many elements as fit into
  /// `to`.
  void unpack(std::span<const std::byte> values, std::span<double> to) const;
  /// Extracts the elements from `first` on from a whole state in its layout, in its precision, as many as fit into
  /// `to`.
  void unpack_elements(std::span<const std::byte> state, std::size_t first, std::span<std::byte> to) const;

 private:
  void set_state(StageKernels& stages, const FillElements& values) const;
  void write(const FillElements& values, const core::Buffer& to) const;
  [[nodiscard]] FillElements filled_from(std::span<const double> q) const;
  [[nodiscard]] StageSetting make_setting(const rtcg::Compiler& compiler, const core::Stream& stream, Dtype precision,
                                          const Schedule& schedule, std::optional<std::size_t> made_for,
                                          CurvedVariant curved) const;
  template <class Visit>
  void by_pieces(const Visit& visit) const;
  template <class Each>
  void for_each_value(std::size_t first, std::size_t elements, const Each& each) const;
  void check_size(std::size_t values) const;

  std::shared_ptr<const Discretization> discretization_;
  Problem problem_;
  LoweredSystem lowered_;
  MaterialTable materials_;
  VaryingMedia media_;
  StageSetting setting_;
  std::unique_ptr<StageKernels> stages_;
};

}  // namespace maxwell_dg::dg
