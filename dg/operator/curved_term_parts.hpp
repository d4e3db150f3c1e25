#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/device/buffer.hpp"
#include "core/device/kernel.hpp"
#include "dg/codegen/terms/curved_term_generator.hpp"
#include "dg/lowering/curved_system.hpp"
#include "dg/operator/stage_kernels.hpp"

namespace maxwell_dg::dg {

/// What the terms and the powers of a mesh with curved elements share: the generator of their kernels for such
/// elements, and the arrays that these read, in the curved ones of all elements.
struct CurvedTermParts {
  /// `stage` must outlive it.
  CurvedTermParts(const StageSetting& setting, const KernelGenerator& stage);
  CurvedTermParts(const CurvedTermParts&) = delete;
  CurvedTermParts& operator=(const CurvedTermParts&) = delete;

  CurvedSystem system;
  CurvedTermGenerator generator;
  core::Buffer metric_at_nodes;    ///< [curved element][gradient][node]
  core::Buffer metric_at_points;   ///< [curved element][gradient][volume point]
  core::Buffer weights_at_points;  ///< [curved element][field][volume point], if media vary there; of
                                   ///< tensors [curved element][TensorWeights][volume point]
  core::Buffer at_volume, from_volume, at_face, lift;  ///< ElementQuadrature, by columns
  core::Buffer projection;                             ///< at_volume from_volume, by columns
  core::Buffer volume_weights, face_weights;           ///< [point]
  core::Buffer Fmask;
  std::vector<core::Buffer> matrices_of_lanes;  ///< TermLanes::matrices, where kernels of terms are by lanes

  /// The device memory of all arrays, in bytes.
  [[nodiscard]] static std::size_t forecast_bytes(const Discretization& discretization, const Problem& problem,
                                                  Dtype precision);
};

/// The kernels of a term, or of a power: one for straight elements, another for curved ones, as far as it has any.
struct KernelsByShape {
  core::Kernel straight{}, curved{};
  std::size_t dynamic_shared_bytes{};            ///< of the launch of the one for curved elements
  int items = CurvedTermGenerator::group_items;  ///< work-items of a group of it,
  std::size_t elements = 1;                      ///< and how many elements that computes, of a term on elements
  int lanes = 1;                                 ///< the same, where they are by lanes (CurvedTermGenerator::lanes)
  bool has_straight = true, has_curved = false;

  /// For the elements of a term.
  [[nodiscard]] static KernelsByShape of(const Discretization& discretization, const ElementTerm& term);
  [[nodiscard]] static KernelsByShape of(const Discretization& discretization, const FaceTerm& term);
  /// Takes the first ones of some modules, the straight one first, and drops them from the list. `name`: of the kernel
  /// for straight elements; that of the other one is "curved_" before it.
  void load(std::span<const core::Module>& modules, const std::string& name);
};

/// Whether any term of the problem has curved elements.
[[nodiscard]] bool has_curved_elements(const Discretization& discretization, const Problem& problem);
/// Whether a range of elements is of curved ones, whose kernels are those of CurvedTermParts.
[[nodiscard]] bool is_curved(const StageSetting& setting, std::size_t range);
/// What the number of a curved element among the curved ones is more than its number among all, in a range of them.
[[nodiscard]] std::int32_t number_of_element_0(const StageSetting& setting, std::size_t range);

}  // namespace maxwell_dg::dg
