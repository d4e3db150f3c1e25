#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>

#include "core/dtype.hpp"
#include "core/round_up.hpp"

namespace maxwell_dg::dg {

/// How the algorithm is laid over a device; never what it computes. The state is stored element by element, or with
/// nodes_in_parallel and element_tiles by blocks of elements (StateLayout), nodes padded to a multiple of
/// `node_padding`, blocks to `block_values`.
struct Schedule {
  /// Which loop runs over a work-group's items.
  enum class Slicing {
    nodes_in_parallel,     ///< one work-item a node, fields staged on chip; volume, surface and update apart
    element_tiles,         ///< one kernel a stage; a warp computes tiles of 16 elements x 8 nodes
    elements_in_parallel,  ///< one kernel a stage; one work-item an element, or a part of its equations: low orders
    lanes_in_vectors,      ///< one kernel a stage; one work-item a block of elements, one SIMD lane an element: CPUs
  };
  /// Who multiplies matrices within element_tiles.
  enum class Products {
    multiply_add,  ///< plain arithmetic: any device
    tensor_cores,  ///< mma.sync: TF32 in three products for single precision (sm_80 on), double (sm_90 on)
  };
  /// Who computes, where a stage is one kernel, the parts of the equations that share no derivative (E and H, p and u).
  enum class Parts {
    together,  ///< each warp all parts: matrices are read once, more registers hold sums
    apart,     ///< each part has warps of its own; with lanes_in_vectors, one part follows the other
  };
  /// Who makes, with element_tiles, the left factors of the products with differentiation matrices.
  enum class Operands {
    of_each_warp,    ///< every warp from the fields, as it multiplies
    on_chip,         ///< made once for all warps
    mirrored,        ///< made once, as mirror sums (MirrorSums), fluxes as well: a quarter of the products
    mirrored_first,  ///< the same, multiplied before the neighbours' traces come to where they were: more groups fit
  };
  /// What an item computes, with element_tiles, in the surface term.
  enum class Fluxes {
    by_node,  ///< a face's node at a time: neighbours' nodes are copied to where they are read without conflicts of
              ///< banks
    by_face,  ///< whole faces: what is the same on a face is read once, fluxes are read and written without conflicts
  };
  /// When a warp fetches the matrices of a step of its products, with element_tiles.
  enum class Matrices {
    in_turn,     ///< when those of the step before have been used; with mirror sums, before the products of that step
    by_twos,     ///< so, in loops that have two steps in their text: a fetch beside the products of the other step, and
                 ///< with mirror sums no copy of what was fetched; more registers
    lift_ahead,  ///< LIFT's before the products of the step before, into registers of their own; Dr, Ds, Dt in turn
    ahead,       ///< all of them
  };
  /// How the state's vectors are stored, where a stage is one kernel but for CPUs.
  enum class Basis {
    cartesian,  ///< by their components along x, y and z
    element,    ///< in the basis of each element (ElementBasis): less to fetch of neighbours, and less to compute
    element_interleaved,  ///< the same, the components of two vectors of a kind (E and H) side by side, as fluxes need
                          ///< them: half as many copies, with elements_in_parallel
  };
  /// From where kernels on GPUs read the matrices of the reference element, Dr, Ds, Dt and LIFT. With
  /// elements_in_parallel they are literals of the text.
  enum class Operators {
    streamed,   ///< from memory, through the caches
    shared,     ///< from the chip, to where each group copies them first
    constant,   ///< from constant memory: tables of the text
    registers,  ///< an item has its node's rows in registers; with nodes_in_parallel only
  };
  /// How a kernel finds the outside traces of a face, with nodes_in_parallel and element_tiles.
  enum class Connectivity {
    by_face,  ///< the neighbour and which of its faces it is, one number a face
    by_node,  ///< the neighbour's node, one number a node of a face
  };
  /// How the fields of a node lie, with nodes_in_parallel; elsewhere that follows from slicing and basis.
  enum class Fields {
    apart,     ///< a field's nodes side by side
    together,  ///< all fields of a node side by side
  };
  /// How one operation is sliced that has a kernel of its own, with nodes_in_parallel. A group has
  /// parallel x inlined x sequence elements.
  struct Slices {
    int parallel = 1;  ///< elements side by side, an item a node
    /// Elements of an item, whose sums are in registers together: what is read of a matrix serves all.
    int inlined = 1;
    int sequence = 1;  ///< times that a group does so: what it keeps of matrices serves all
    Operators operators = Operators::streamed;
    auto operator<=>(const Slices&) const = default;  // NOLINT(modernize-use-nullptr): as in Contraction::Term
    [[nodiscard]] int at_once() const { return parallel * inlined; }
    [[nodiscard]] int elements() const { return at_once() * sequence; }
  };
  Slicing slicing = Slicing::nodes_in_parallel;
  int lanes = 1;         ///< elements of a vector, with lanes_in_vectors
  int node_padding = 1;  ///< nodes per field are padded to a multiple of this
  /// Elements whose nodes lie together, [field][element][node], with nodes_in_parallel; with element_tiles those of a
  /// group, or 1.
  int block_elements = 1;
  /// Values a block of elements are padded so that divided by `block_padding` they leave `block_remainder`.
  int block_padding = 1, block_remainder = 0;
  Slices volume, surface;  ///< with nodes_in_parallel
  static constexpr int usually_updated_at_once = 4;
  int updated_at_once = usually_updated_at_once;  ///< values of an item of the third kernel, with nodes_in_parallel
  int elements_per_group = 1;  ///< 8 or a multiple of 16 with element_tiles, of 32 with elements_in_parallel
  Fields fields = Fields::apart;
  Connectivity connectivity = Connectivity::by_face;
  Operators operators = Operators::streamed;  ///< with element_tiles
  // The rest where a stage is one kernel; products, operands, fluxes, matrices and warps with element_tiles only,
  // nodes_at_once with lanes_in_vectors, resident_groups with the two others.
  Products products = Products::multiply_add;
  Parts parts = Parts::together;
  Operands operands = Operands::of_each_warp;
  Fluxes fluxes = Fluxes::by_node;
  Matrices matrices = Matrices::in_turn;
  Basis basis = Basis::cartesian;
  int warps = 1;            ///< of a group, a multiple of elements_per_group / 16 (x parts, when apart)
  int resident_groups = 1;  ///< groups a multiprocessor should hold at once: bounds the registers of an item
  int nodes_at_once = 1;    ///< at most, whose sums are in registers together: what is loaded once serves all of them

  auto operator<=>(const Schedule&) const = default;  // NOLINT(modernize-use-nullptr): as in Contraction::Term
  /// Whether a stage is one kernel.
  [[nodiscard]] bool is_fused() const { return slicing != Slicing::nodes_in_parallel; }
  /// Whether tiles are multiplied between mirror sums.
  [[nodiscard]] bool multiplies_mirror_sums() const {
    return operands == Operands::mirrored || operands == Operands::mirrored_first;
  }
  [[nodiscard]] bool is_blocked() const { return block_elements > 1; }
  [[nodiscard]] bool connects_nodes() const { return connectivity == Connectivity::by_node; }
  [[nodiscard]] bool fetches_in_turn() const { return matrices == Matrices::in_turn || matrices == Matrices::by_twos; }
  [[nodiscard]] bool in_basis_of_element() const { return basis != Basis::cartesian; }
  /// Of so many fields, how many lie together at a node (FieldOrder).
  [[nodiscard]] int side_by_side(int of_fields) const {
    if (slicing == Slicing::lanes_in_vectors || fields == Fields::together) return of_fields;
    return basis == Basis::element_interleaved ? 2 : 1;
  }
  /// Whether kernels look the constants of an element up in a table of materials.
  [[nodiscard]] bool constants_by_material() const { return is_fused() && slicing != Slicing::lanes_in_vectors; }
  /// Values from one block of elements to the next, in memory, where a block has so many.
  [[nodiscard]] constexpr int block_values(int values) const {
    return round_up(values - block_remainder, block_padding) + block_remainder;
  }
  [[nodiscard]] std::string name() const;  ///< all that matters of it, in short
  /// The one with this name: "tensor_e16_w3_r4", "tiles_e32_w4_r1_apart_chip", "tensor_e8_w6_r4_mirrorfirst",
  /// "tensor_e16_w2_r6_faces_tight", "tensor_e16_w3_r4_blocked", "tensor_e8_w8_r2_ahead_basis",
  /// "tensor_e16_w5_r4_twos_basis",
  /// "elements_e64_r6_basis", "elements_e64_r4_apart_interleaved", "nodes_pad1_v4_s4",
  /// "nodes_pad4_b16_v4x2x4_s2_Dshared_nodemap", "lanes16_n3". Throws std::invalid_argument on another.
  [[nodiscard]] static Schedule named(const std::string& name, Dtype precision);
  /// Parts, operands and so on, as far as they matter for the slicing: the words for them in a tuner's configuration,
  /// by their keys.
  [[nodiscard]] std::map<std::string, std::string> choices() const;
  /// Makes these choices: `word_of(key)` for each. Throws std::invalid_argument on a word that none has.
  void choose(const std::function<std::string(const std::string& key)>& word_of, Dtype precision);
};

/// Work-groups whose sums one group adds up at last: enough of them for any device.
constexpr std::size_t most_groups_of_a_sum = 2048;

}  // namespace maxwell_dg::dg
