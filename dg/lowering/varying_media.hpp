#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "dg/lowering/lowering.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// What follows from parameters that vary within elements, in numbers at the volume points of these elements.
/// Derivation: docs/theory.md, "Media that vary within an element".
class VaryingMedia {
 public:
  /// Throws ConfigError where nothing says how media weigh the energy. `problem` must outlive it.
  VaryingMedia(const LoweredSystem& lowered, const Problem& problem);

  [[nodiscard]] bool any() const { return problem_.varying.any(); }
  [[nodiscard]] bool varies_in(std::size_t k) const { return problem_.varying.find(k) >= 0; }
  /// [constant] of LoweredSystem at a point of element k.
  [[nodiscard]] std::span<const double> constants(std::size_t k, std::size_t point) const;
  /// [field] the weight of a field in the energy at a point of element k, over the one of the element's mean
  /// parameters; 1 where nothing varies. Of scalar media: for tensors see TensorWeights.
  [[nodiscard]] std::span<const double> weights(std::size_t k, std::size_t point) const;

 private:
  const Problem& problem_;
  std::vector<std::vector<double>> of_elements_;  ///< [element][constant]
  std::vector<std::vector<double>> at_points_;  ///< [index into VaryingParameters::elements x points + point][constant]
  std::vector<std::vector<double>> weights_;    ///< the same, [field]
  std::vector<double> ones_;                    ///< [field]
};

/// [field] The volume terms of a system without those that have derivatives: losses.
[[nodiscard]] std::vector<symbolic::Expr> local_volume(const System& system);

/// The name of the term of losses, and of their power.
inline constexpr const char* losses_term = "losses";

/// Whether an element has its losses by the term of losses: one within which parameters vary, or a curved one of a
/// system with tensors. There the stage leaves them out: a loss that varies, or whose components along the axes of the
/// element do, loses energy at every point only if it is integrated, as terms are.
[[nodiscard]] bool losses_are_a_term(const Problem& problem, const Discretization& discretization, std::size_t k);

/// Adds the term of losses, if such elements have any.
void integrate_losses(Problem& problem, const Discretization& discretization);

/// Throws std::logic_error where such an element has losses and no term of losses: integrate_losses was forgotten.
void require_integrated_losses(const Problem& problem, const Discretization& discretization);

}  // namespace maxwell_dg::dg
