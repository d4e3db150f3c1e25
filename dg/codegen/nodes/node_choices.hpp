#pragma once

#include <span>

#include "dg/schedule/slicing_traits.hpp"

namespace maxwell_dg::dg::slicings {

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

[[nodiscard]] Traits traits_of(const Nodes& nodes);
[[nodiscard]] std::span<const Choice> choices_of(const Nodes& nodes);
[[nodiscard]] Slicing kernels_of(const Nodes& nodes);

}  // namespace maxwell_dg::dg::slicings
