#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/lowering/material_table.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg {

/// The numbers of the media in elements and, where parameters vary within these, at their volume points.
/// Derivation: docs/theory.md, "Media that vary within an element".
class VaryingMedia {
 public:
  /// `materials` of the problem. Throws ConfigError where nothing says how media weigh the energy. `problem` and
  /// `materials` must outlive it.
  VaryingMedia(const LoweredSystem& lowered, const Problem& problem, const MaterialTable& materials);

  [[nodiscard]] bool any() const { return problem_.varying.any(); }
  [[nodiscard]] bool varies_in(std::size_t k) const { return problem_.varying.find(k) >= 0; }
  /// [constant] of LoweredSystem in element k; of its mean parameters where they vary.
  [[nodiscard]] std::span<const double> of_element(std::size_t k) const { return materials_.of_element(k); }
  /// [constant] the same at a volume point, which is that of the element where nothing varies.
  [[nodiscard]] std::span<const double> at_point(std::size_t k, std::size_t point) const;
  /// [field] the weight of a field in the energy at a point of element k, over the one of the element's mean
  /// parameters; 1 where nothing varies. Of scalar media: for tensors see TensorWeights.
  [[nodiscard]] std::span<const double> weights(std::size_t k, std::size_t point) const;

 private:
  /// [number] at a place, of [index into VaryingParameters::elements x points + point][number].
  [[nodiscard]] std::span<const double> row(const std::vector<double>& rows, std::ptrdiff_t i, std::size_t point) const;

  const Problem& problem_;
  const MaterialTable& materials_;
  std::vector<double> at_points_, weights_;  ///< rows
  std::vector<double> ones_;                 ///< [field]
};

/// [field] The volume terms of a system without those that have derivatives: losses.
[[nodiscard]] std::vector<symbolic::Expr> local_volume(const System& system);

/// The name of the term of losses, and of their power.
inline constexpr const char* losses_term = "losses";

/// Whether an element has its losses by the term of losses: one within which parameters vary, or a curved one of a
/// system with tensors. There the stage leaves them out: a loss that varies, or whose components along the axes of the
/// element do, loses energy at every point only if it is integrated, as terms are.
[[nodiscard]] bool losses_are_a_term(const Problem& problem, const Discretization& discretization, std::size_t k);

/// Adds the term of losses, if such elements have any, of this rank or of others that have parts of the mesh.
/// Collective.
void integrate_losses(Problem& problem, const Discretization& discretization, const core::Communicator& ranks = {});

/// Throws std::logic_error where such an element has losses and no term of losses: integrate_losses was forgotten.
void require_integrated_losses(const Problem& problem, const Discretization& discretization);

}  // namespace maxwell_dg::dg
