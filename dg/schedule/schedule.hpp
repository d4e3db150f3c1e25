#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <variant>

#include "core/dtype.hpp"

namespace maxwell_dg::dg {

/// Slicings: which loop runs over the work-items of a group. Each is a struct of what can be chosen in it. Elsewhere
/// they are called Schedule::Nodes, Schedule::Tiles and so on.
namespace slicings {

/// If a stage is one kernel: which work-items compute the parts of the equations that share no derivative (E and H, or
/// p and u).
enum class Parts {
  together,  ///< each work-item computes all parts: matrices are read once, more registers hold sums
  apart,     ///< each part has work-items of its own; with Lanes, one part is computed after the other
};
/// How the state's vectors are stored.
enum class Basis {
  cartesian,  ///< by their components along x, y and z
  element,    ///< in the basis of each element (ElementBasis): fewer values to read of neighbours, less to compute
  element_interleaved,  ///< the same, with the same components of two vectors (E and H) side by side, because fluxes
                        ///< read both: half as many copies; with Elements only
};
/// Where kernels on GPUs read the matrices of the reference element from: Dr, Ds, Dt and LIFT.
enum class Operators {
  streamed,   ///< from memory, through the caches
  shared,     ///< from shared memory, into which each group copies them first
  constant,   ///< from tables in constant memory, which are part of the kernel's text
  registers,  ///< each work-item keeps the rows of its node in registers; with Nodes only
};
/// How a kernel finds the outside traces of a face.
enum class Connectivity {
  by_face,  ///< by the neighbour's number and the number of its face: one integer for each face
  by_node,  ///< by the number of the neighbour's node: one integer for each node of a face
};

/// A stage is three kernels: volume, surface and update. A work-item computes a node; fields and fluxes are in shared
/// memory.
struct Nodes {
  /// How the volume or the surface kernel is sliced. A group has parallel x inlined x sequence elements.
  struct Slices {
    int parallel = 1;  ///< elements side by side, with a work-item for each of their nodes
    /// Elements that a work-item computes at a time, with all their sums in registers: it reads a matrix once for all.
    int inlined = 1;
    int sequence = 1;  ///< how often a group repeats this: it copies matrices to where it keeps them once for all
    Operators operators = Operators::streamed;
    bool operator==(const Slices&) const = default;
    [[nodiscard]] int at_once() const { return parallel * inlined; }
    [[nodiscard]] int elements() const { return at_once() * sequence; }
  };
  /// The order of an element's values in memory.
  enum class Fields {
    apart,     ///< [field][node]
    together,  ///< [node][field]
  };
  int node_padding = 1;    ///< the nodes of a field are padded to a multiple of this
  int block_elements = 1;  ///< elements that are stored as one block, [field][element][node]
  Slices volume, surface;
  int updated_at_once = 4;  ///< values that a work-item of the update kernel computes
  Connectivity connectivity = Connectivity::by_face;
  Fields fields = Fields::apart;
  bool operator==(const Nodes&) const = default;
};

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

/// A stage is one kernel. A work-item computes an element, or one part of its equations. Matrices are literals in the
/// kernel's text: for low orders.
struct Elements {
  int elements = 32;        ///< of a group: a multiple of 32
  int resident_groups = 1;  ///< as in Tiles
  Parts parts = Parts::together;
  Basis basis = Basis::cartesian;
  bool operator==(const Elements&) const = default;
};

/// A stage is one kernel. A work-item computes blocks of elements, each element in one SIMD lane: for CPUs.
struct Lanes {
  int lanes = 4;          ///< elements of a block, and numbers of a vector
  int nodes_at_once = 1;  ///< nodes, at most, whose sums are in registers together: an operand is loaded once for all
  Parts parts = Parts::together;
  bool operator==(const Lanes&) const = default;
};

}  // namespace slicings

/// How the algorithm is mapped to a device: its slicing with all choices. A schedule never changes what is computed
/// (beyond rounding). All choices are described once, in dg/schedule/choices.cpp; names, the tuner's configurations and
/// explanations follow from there.
struct Schedule {
  using Parts = slicings::Parts;
  using Basis = slicings::Basis;
  using Operators = slicings::Operators;
  using Connectivity = slicings::Connectivity;
  using Nodes = slicings::Nodes;
  using Tiles = slicings::Tiles;
  using Elements = slicings::Elements;
  using Lanes = slicings::Lanes;

  std::variant<Nodes, Tiles, Elements, Lanes> slicing;

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

  // Questions that every slicing has an answer to; the default if it has no such choice.
  /// Whether a stage is one kernel.
  [[nodiscard]] bool is_fused() const { return !is<Nodes>(); }
  [[nodiscard]] Basis basis() const;
  [[nodiscard]] bool in_basis_of_element() const { return basis() != Basis::cartesian; }
  [[nodiscard]] Parts parts() const;
  [[nodiscard]] int resident_groups() const;  ///< that a multiprocessor should hold
  [[nodiscard]] bool connects_nodes() const;
  /// Whether kernels read the constants of an element from a table of materials; otherwise each element has its own.
  [[nodiscard]] bool constants_by_material() const { return is_fused() && !is<Lanes>(); }
  [[nodiscard]] int lanes() const;           ///< elements of a SIMD vector; 1 without such vectors
  [[nodiscard]] int block_elements() const;  ///< elements that are stored as one block, [field][element][node]
  [[nodiscard]] bool is_blocked() const { return block_elements() > 1; }
  [[nodiscard]] int node_padding() const;  ///< the nodes of a field are padded to a multiple of this
  /// How many of `of_fields` fields are adjacent at a node (FieldOrder).
  [[nodiscard]] int side_by_side(int of_fields) const;
  /// The distance in memory from one block of elements to the next, for blocks of `values` values; counted in values.
  [[nodiscard]] int block_values(int values, Dtype precision) const;

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
