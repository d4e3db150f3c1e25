#pragma once

#include <span>

#include "dg/schedule/slicing_traits.hpp"

namespace maxwell_dg::dg::slicings {

/// A stage is one kernel. A warp computes tiles of 16 elements x 8 nodes, or of 8 elements x 16 nodes in groups of 8
/// elements.
struct Tiles {
  /// How matrices are multiplied.
  enum class Products {
    multiply_add,  ///< plain arithmetic: any device
    tensor_cores,  ///< mma.sync: TF32 in three products for single precision (sm_80 on), double (sm_90 on)
  };
  /// Where the left factors of the products with differentiation matrices come from.
  enum class Operands {
    of_each_warp,    ///< every warp computes them from the fields while it multiplies
    shared_memory,   ///< they are computed once for all warps, in shared memory
    mirrored,        ///< the same as mirror sums (MirrorSums), also of fluxes: a quarter of the products
    mirrored_first,  ///< the same, but they are multiplied before the neighbours' traces are copied, which then take
                     ///< their place in shared memory: more groups fit on a multiprocessor
  };
  /// What a work-item computes in the surface term.
  enum class Fluxes {
    by_node,  ///< one node of a face at a time: neighbours' values are copied to offsets that have no bank conflicts
    by_face,  ///< whole faces: what is the same on a face is read once; fluxes have no bank conflicts
  };
  /// When a warp reads the matrices of a step of its products.
  enum class Matrices {
    in_turn,     ///< after the products of the step before; with mirror sums, before these products
    by_twos,     ///< the same, in loops with two steps in each pass: a step's matrices are read during the products of
                 ///< the other step, and with mirror sums are not copied between registers; takes more registers
    lift_ahead,  ///< LIFT before the products of the step before, into registers of its own; Dr, Ds, Dt in turn
    ahead,       ///< all of them before the products of the step before
  };
  /// The distance between elements in memory.
  enum class Rows {
    apart,    ///< the one that avoids bank conflicts in shared memory, where it is the same
    tight,    ///< the smallest in whole vectors of 16 bytes
    blocked,  ///< none: the elements of a group are stored as one block, [field][element][node]
  };
  Products products = Products::multiply_add;
  int elements = 16;        ///< of a group: 8, or a multiple of 16
  int warps = 1;            ///< of a group, a multiple of elements / 16 (x parts, when apart)
  int resident_groups = 1;  ///< groups that a multiprocessor should hold: this limits the registers of a work-item
  Parts parts = Parts::together;
  Operands operands = Operands::of_each_warp;
  Fluxes fluxes = Fluxes::by_node;
  Matrices matrices = Matrices::in_turn;
  Operators operators = Operators::streamed;
  Connectivity connectivity = Connectivity::by_face;
  Rows rows = Rows::apart;
  Basis basis = Basis::cartesian;
  bool operator==(const Tiles&) const = default;
  /// Whether matrices act between mirror sums.
  [[nodiscard]] bool multiplies_mirror_sums() const {
    return operands == Operands::mirrored || operands == Operands::mirrored_first;
  }
  [[nodiscard]] bool fetches_in_turn() const { return matrices == Matrices::in_turn || matrices == Matrices::by_twos; }
};

[[nodiscard]] Traits traits_of(const Tiles& tiles);
[[nodiscard]] std::span<const Choice> choices_of(const Tiles& tiles);
[[nodiscard]] Slicing kernels_of(const Tiles& tiles);

}  // namespace maxwell_dg::dg::slicings
