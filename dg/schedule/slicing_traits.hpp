#pragma once

#include <span>

namespace maxwell_dg::dg {

struct Choice;
struct Slicing;

/// Slicings: which loop runs over the work-items of a group. Each is a struct of what can be chosen in it, in the
/// folder of the slicing below dg/codegen, with three functions:
///
///   Traits traits_of(const S&)                     what it says of itself to the rest of the program
///   std::span<const Choice> choices_of(const S&)   the description of its choices (dg/schedule/choice.hpp)
///   Slicing kernels_of(const S&)                   how its kernels are made (dg/codegen/slicing.hpp)
///
/// Members named `basis`, `parts`, `resident_groups` and `connectivity` are found by their names. The list of all
/// slicings is in dg/schedule/all_slicings.hpp.
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

/// What a slicing, with the choices that were made, says of itself. The defaults are what most slicings would say.
struct Traits {
  /// The distance in memory from one block of elements to the next.
  enum class Distance {
    least,             ///< as many values as a block has
    whole_vectors,     ///< a multiple of vectors of 16 bytes
    without_conflicts  ///< 4 values more than a multiple of 8: rows at this distance in shared memory are read without
                       ///< bank conflicts, and with the same distance in memory one copy brings all rows of a group
  };
  /// What a work-item computes of the fluxes.
  enum class Fluxes {
    at_nodes,    ///< those at some nodes of faces
    of_faces,    ///< those of a whole face: what is the same on a face is read once
    of_elements  ///< those of all faces of an element
  };
  bool is_fused = true;         ///< a stage is one kernel
  int lanes = 1;                ///< elements of a SIMD vector, of which each work-item computes one; 1: no such vectors
  int block_elements = 1;       ///< elements that are stored as one block, [field][element][node]
  int node_padding = 1;         ///< the nodes of a field are padded to a multiple of this
  bool joins_fields = false;    ///< all fields of a node are adjacent in memory, [node][field]
  bool may_interleave = false;  ///< two vectors of a kind can be side by side: Basis::element_interleaved
  bool has_mirror_sums = false;  ///< matrices act between mirror sums (dg/reference/mirror_sums.hpp)
  Distance distance = Distance::least;
  Fluxes fluxes = Fluxes::at_nodes;
};

}  // namespace slicings
}  // namespace maxwell_dg::dg
