#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <variant>

#include "core/dtype.hpp"
#include "dg/schedule/all_slicings.hpp"

namespace maxwell_dg::dg {

/// How the algorithm is mapped to a device: its slicing with all choices. A schedule never changes what is computed
/// (beyond rounding). All choices are described once (choices_of); names, the tuner's configurations and explanations
/// follow from there.
struct Schedule {
  using Parts = slicings::Parts;
  using Basis = slicings::Basis;
  using Operators = slicings::Operators;
  using Connectivity = slicings::Connectivity;
  using Nodes = slicings::Nodes;
  using Tiles = slicings::Tiles;
  using Elements = slicings::Elements;
  using Lanes = slicings::Lanes;

  AnySlicing slicing;

  bool operator==(const Schedule&) const = default;

  /// The choices of a slicing. Throws std::invalid_argument where the schedule has another.
  template <class S>
  [[nodiscard]] const S& as() const {
    if (const S* const choices = std::get_if<S>(&slicing)) return *choices;
    throw std::invalid_argument("schedule " + name() + ": one of slicing '" + Schedule{S{}}.slicing_name() +
                                "' is needed");
  }
  template <class S>
  [[nodiscard]] bool is() const {
    return std::holds_alternative<S>(slicing);
  }

  /// What the slicing says of itself.
  [[nodiscard]] slicings::Traits traits() const;
  [[nodiscard]] bool is_fused() const { return traits().is_fused; }
  [[nodiscard]] int lanes() const { return traits().lanes; }
  [[nodiscard]] int block_elements() const { return traits().block_elements; }
  [[nodiscard]] bool is_blocked() const { return block_elements() > 1; }
  [[nodiscard]] int node_padding() const { return traits().node_padding; }
  /// Whether kernels read the constants of an element from a table of materials; otherwise each element has its own.
  [[nodiscard]] bool constants_by_material() const { return is_fused() && lanes() == 1; }
  /// How many of `of_fields` fields are adjacent at a node (FieldOrder).
  [[nodiscard]] int side_by_side(int of_fields) const;
  /// The distance in memory from one block of elements to the next, for blocks of `values` values; counted in values.
  [[nodiscard]] int block_values(int values, Dtype precision) const;

  // Choices that several slicings have; the default if the slicing has no such choice.
  [[nodiscard]] Basis basis() const;
  [[nodiscard]] bool in_basis_of_element() const { return basis() != Basis::cartesian; }
  [[nodiscard]] Parts parts() const;
  [[nodiscard]] int resident_groups() const;  ///< that a multiprocessor should hold
  [[nodiscard]] bool connects_nodes() const;

  /// The slicing's own name: "tiles", "tensor", "nodes".
  [[nodiscard]] std::string slicing_name() const;
  [[nodiscard]] std::string name() const;  ///< the slicing and all choices, abbreviated
  /// The schedule of a name: "tensor_e16_w3_r4", "tiles_e32_w4_r1_apart_group", "tensor_e8_w6_r4_mirrorfirst",
  /// "tensor_e16_w2_r6_faces_tight", "tensor_e16_w3_r4_blocked", "tensor_e8_w8_r2_ahead_basis",
  /// "tensor_e16_w5_r4_twos_basis",
  /// "elements_e64_r6_basis", "elements_e64_r4_apart_interleaved", "nodes_pad1_v4_s4",
  /// "nodes_pad4_b16_v4x2x4_s2_Dshared_nodemap", "lanes16_n3". For names that come from outside of the program: of
  /// command lines, checkpoints and tests. Throws std::invalid_argument for any other text.
  [[nodiscard]] static Schedule named(const std::string& name);
};

/// At most so many work-groups compute partial sums, which a single group adds up; enough to fill any device.
constexpr std::size_t most_groups_of_a_sum = 2048;

}  // namespace maxwell_dg::dg
