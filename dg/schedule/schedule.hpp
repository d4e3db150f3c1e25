#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <variant>

#include "core/dtype.hpp"

namespace maxwell_dg::dg {

/// Slicings: which loop runs over a group's work-items, each with what is to choose there. Elsewhere they go by
/// Schedule::Nodes, Schedule::Tiles and so on.
namespace slicings {

/// Who computes, where a stage is one kernel, the parts of the equations that share no derivative (E and H, p and u).
enum class Parts {
  together,  ///< each work-item all parts: matrices are read once, more registers hold sums
  apart,     ///< each part has work-items of its own; with Lanes, one part follows the other
};
/// How the state's vectors are stored.
enum class Basis {
  cartesian,  ///< by their components along x, y and z
  element,    ///< in the basis of each element (ElementBasis): less to fetch of neighbours, and less to compute
  element_interleaved,  ///< the same, the components of two vectors of a kind (E and H) side by side, as fluxes need
                        ///< them: half as many copies; with Elements only
};
/// From where kernels on GPUs read the matrices of the reference element, Dr, Ds, Dt and LIFT.
enum class Operators {
  streamed,   ///< from memory, through the caches
  shared,     ///< from shared memory, to which each group copies them first
  constant,   ///< from constant memory: tables of the text
  registers,  ///< a work-item has its node's rows in registers; with Nodes only
};
/// How a kernel finds the outside traces of a face.
enum class Connectivity {
  by_face,  ///< the neighbour and which of its faces it is, one number a face
  by_node,  ///< the neighbour's node, one number a node of a face
};

/// Three kernels a stage, volume, surface and update; a work-item a node, fields and fluxes in shared memory.
struct Nodes {
  /// How one operation is sliced that has a kernel of its own. A group has parallel x inlined x sequence elements.
  struct Slices {
    int parallel = 1;  ///< elements side by side, a work-item a node
    /// Elements of a work-item, whose sums are in registers together: what is read of a matrix serves all.
    int inlined = 1;
    int sequence = 1;  ///< times that a group does so: what it keeps of matrices serves all
    Operators operators = Operators::streamed;
    bool operator==(const Slices&) const = default;
    [[nodiscard]] int at_once() const { return parallel * inlined; }
    [[nodiscard]] int elements() const { return at_once() * sequence; }
  };
  /// How the fields of a node lie.
  enum class Fields {
    apart,     ///< a field's nodes side by side
    together,  ///< all fields of a node side by side
  };
  int node_padding = 1;    ///< nodes per field are padded to a multiple of this
  int block_elements = 1;  ///< elements whose nodes lie together, [field][element][node]
  Slices volume, surface;
  int updated_at_once = 4;  ///< values of a work-item of the third kernel
  Connectivity connectivity = Connectivity::by_face;
  Fields fields = Fields::apart;
  bool operator==(const Nodes&) const = default;
};

/// One kernel a stage; a warp computes tiles of 16 elements x 8 nodes, or 8 x 16 in groups of 8 elements.
struct Tiles {
  /// Who multiplies matrices.
  enum class Products {
    multiply_add,  ///< plain arithmetic: any device
    tensor_cores,  ///< mma.sync: TF32 in three products for single precision (sm_80 on), double (sm_90 on)
  };
  /// Who makes the left factors of the products with differentiation matrices.
  enum class Operands {
    of_each_warp,    ///< every warp from the fields, as it multiplies
    shared_memory,   ///< made once for all warps, in shared memory
    mirrored,        ///< made once, as mirror sums (MirrorSums), fluxes as well: a quarter of the products
    mirrored_first,  ///< the same, multiplied before the neighbours' traces come to where they were: more groups fit
  };
  /// What a work-item computes in the surface term.
  enum class Fluxes {
    by_node,  ///< a face's node at a time: neighbours' nodes are copied to where they are read without conflicts of
              ///< banks
    by_face,  ///< whole faces: what is the same on a face is read once, fluxes are read and written without conflicts
  };
  /// When a warp fetches the matrices of a step of its products.
  enum class Matrices {
    in_turn,     ///< when those of the step before have been used; with mirror sums, before the products of that step
    by_twos,     ///< so, in loops that have two steps in their text: a fetch beside the products of the other step, and
                 ///< with mirror sums no copy of what was fetched; more registers
    lift_ahead,  ///< LIFT's before the products of the step before, into registers of their own; Dr, Ds, Dt in turn
    ahead,       ///< all of them
  };
  /// How elements lie in memory.
  enum class Rows {
    apart,    ///< as far apart as they are read without conflicts of banks: in shared memory, too
    tight,    ///< one after the other, in whole vectors of 16 bytes
    blocked,  ///< those of a group together, field by field
  };
  Products products = Products::multiply_add;
  int elements = 16;        ///< of a group: 8, or a multiple of 16
  int warps = 1;            ///< of a group, a multiple of elements / 16 (x parts, when apart)
  int resident_groups = 1;  ///< groups that a multiprocessor should hold: bounds the registers of a work-item
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

/// One kernel a stage; a work-item an element, or a part of its equations. Matrices are literals of the text: for low
/// orders.
struct Elements {
  int elements = 32;        ///< of a group: a multiple of 32
  int resident_groups = 1;  ///< as with Tiles
  Parts parts = Parts::together;
  Basis basis = Basis::cartesian;
  bool operator==(const Elements&) const = default;
};

/// One kernel a stage; a work-item a block of elements, one SIMD lane an element: for CPUs.
struct Lanes {
  int lanes = 4;          ///< elements of a vector
  int nodes_at_once = 1;  ///< at most, whose sums are in registers together: what is loaded once serves all of them
  Parts parts = Parts::together;
  bool operator==(const Lanes&) const = default;
};

}  // namespace slicings

/// How the algorithm is laid over a device; never what it computes. The state is stored element by element, or by
/// blocks of elements (StateLayout). What there is to choose is described once, in dg/schedule/choice.hpp: names,
/// configurations of the tuner and sentences follow from that.
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

  // What those ask who need not know the slicing; where it has no such choice, the answer is the plain one.
  /// Whether a stage is one kernel.
  [[nodiscard]] bool is_fused() const { return !is<Nodes>(); }
  [[nodiscard]] Basis basis() const;
  [[nodiscard]] bool in_basis_of_element() const { return basis() != Basis::cartesian; }
  [[nodiscard]] Parts parts() const;
  [[nodiscard]] int resident_groups() const;  ///< that a multiprocessor should hold
  [[nodiscard]] bool connects_nodes() const;
  /// Whether kernels look the constants of an element up in a table of materials.
  [[nodiscard]] bool constants_by_material() const { return is_fused() && !is<Lanes>(); }
  [[nodiscard]] int lanes() const;           ///< elements of a vector
  [[nodiscard]] int block_elements() const;  ///< whose nodes lie together, [field][element][node]
  [[nodiscard]] bool is_blocked() const { return block_elements() > 1; }
  [[nodiscard]] int node_padding() const;  ///< nodes of a field are padded to a multiple of this
  /// Of so many fields, how many lie together at a node (FieldOrder).
  [[nodiscard]] int side_by_side(int of_fields) const;
  /// Values from one block of elements to the next, in memory, where a block has so many.
  [[nodiscard]] int block_values(int values, Dtype precision) const;

  /// The slicing's own name: "tiles", "tensor", "nodes".
  [[nodiscard]] std::string slicing_name() const;
  [[nodiscard]] std::string name() const;  ///< all that is chosen, in short
  /// The one with this name: "tensor_e16_w3_r4", "tiles_e32_w4_r1_apart_chip", "tensor_e8_w6_r4_mirrorfirst",
  /// "tensor_e16_w2_r6_faces_tight", "tensor_e16_w3_r4_blocked", "tensor_e8_w8_r2_ahead_basis",
  /// "tensor_e16_w5_r4_twos_basis",
  /// "elements_e64_r6_basis", "elements_e64_r4_apart_interleaved", "nodes_pad1_v4_s4",
  /// "nodes_pad4_b16_v4x2x4_s2_Dshared_nodemap", "lanes16_n3". For what is outside of the program: command lines,
  /// checkpoints, tests. Throws std::invalid_argument on another.
  [[nodiscard]] static Schedule named(const std::string& name);
};

/// Work-groups whose sums one group adds up at last: enough of them for any device.
constexpr std::size_t most_groups_of_a_sum = 2048;

}  // namespace maxwell_dg::dg
