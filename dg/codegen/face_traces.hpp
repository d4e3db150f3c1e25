#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/dtype.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/lowering/element_basis.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/schedule/field_order.hpp"
#include "dg/schedule/state_layout.hpp"
#include "rtcg/source/syntax.hpp"

namespace maxwell_dg::dg {

/// Prints how a kernel gets the traces at a node of a face, for kernels that copy the neighbours' values to shared
/// memory. For each node there is a slot for each field that fluxes read; in the basis of the element, for each
/// component of the neighbour's vectors. Of a vector's three slots one or two are used, but on the neighbour's slanted
/// face all three are. Fields that are side by side in memory are side by side in the slots, in the same order.
class FaceTraces {
 public:
  /// `basis` is that of the state's vectors; none if they are along x, y, z. `lowered` must outlive this object.
  FaceTraces(const LoweredSystem& lowered, std::optional<ElementBasis> basis, const StateLayout& layout,
             Dtype precision);

  /// Slots of a node.
  [[nodiscard]] int places() const { return places_.fields; }
  [[nodiscard]] const FieldOrder& order_of_places() const { return places_; }
  /// Whether `items` work-items can share the copies of a node: each then copies equally many consecutive rows, by the
  /// same instructions.
  [[nodiscard]] bool can_share_copies(int items) const;
  /// Declares `places`: for each face of an element the number of the element's node that is the face's `node`, one
  /// byte each; and, if the offsets fit in bytes, the same with the offset of the vector's field along each axis of the
  /// face (FaceFrame).
  [[nodiscard]] rtcg::syntax::Block places_of_node() const;
  /// Copies the traces, or the first of `items` shares of them. The kernel must have declared the neighbour's fields
  /// `q`, the number `side` of the neighbour's face, the first slot `trace`, and what places_of_node declares.
  [[nodiscard]] rtcg::syntax::Block copy(const std::string& stride, int items = 1) const;
  /// The same for a kernel that has declared the neighbour's node `other_node`; it needs `side` only in the basis of
  /// the element.
  [[nodiscard]] rtcg::syntax::Block copy_of_node(const std::string& stride) const;

  /// A component of a vector: along an axis of the own face (FaceFrame), or along r, s, t.
  enum class Component { a, b, c, r, s, t };
  /// Declares the inside traces that `fluxes` read. `value` gives the text of a stored component at the node (r for
  /// scalars and for fields along x, y or z). In the basis of the element, if it is not known here whether the own face
  /// is slanted, the kernel must have declared `is_slanted`.
  [[nodiscard]] rtcg::syntax::Block declare_inside(std::span<const symbolic::Expr> fluxes,
                                                   const std::function<std::string(int first, Component)>& value,
                                                   std::optional<bool> is_slanted) const;
  using TextOfPlace = std::function<std::string(int row, int column)>;
  /// Declares the outside traces that `fluxes` read; those that are side by side are read together. In the basis of the
  /// element declare_other_face must come before.
  [[nodiscard]] rtcg::syntax::Block declare_outside(std::span<const symbolic::Expr> fluxes,
                                                    const TextOfPlace& place) const;
  /// In the basis of the element: declares `other_is_slanted`, of the neighbour's face, or of the own one if that is a
  /// boundary face.
  [[nodiscard]] rtcg::syntax::Block declare_other_face(const std::string& neighbour, const std::string& face) const;
  /// Declares the products of a face's edges that `fluxes` read, from the invariants of the element. If it is not known
  /// here which face it is, the kernel must have declared `face` and `is_slanted`.
  [[nodiscard]] rtcg::syntax::Block declare_edges(std::span<const symbolic::Expr> fluxes, std::optional<int> face,
                                                  const TextOf& invariant) const;

  /// Declares G, the metric of the element e of the group.
  [[nodiscard]] static rtcg::syntax::Block load_metric();
  /// At a node of a boundary face: computes q_m from the stored fields, whose texts `own` gives by number. In the basis
  /// of the element the kernel must have declared the metric G.
  [[nodiscard]] rtcg::syntax::Block inside_of_boundary(const TextOf& own) const;
  /// Stores q_p in the slots of the outside traces, as a neighbour with the own face would have it.
  [[nodiscard]] rtcg::syntax::Block replace_outside(const TextOf& place) const;

 private:
  /// Whether the basis has quantities of this kind.
  [[nodiscard]] bool has(ElementBasis::Variance variance) const;
  [[nodiscard]] bool places_fit_in_bytes() const;
  /// What the kernel calls the number of the neighbour's node: on the face that is shared, and if that were the slanted
  /// one. `along_axes_in_bytes`: whether there are bytes for the offsets along the face's axes.
  struct NodePlace {
    std::string node, on_slanted_face;
    bool along_axes_in_bytes;
  };
  [[nodiscard]] rtcg::syntax::Block copies(const NodePlace& place_of, const std::string& stride, int items) const;
  /// Quantities in the first column.
  [[nodiscard]] std::vector<ElementBasis::Quantity> quantities_of_rows() const;

  const LoweredSystem& lowered_;
  std::optional<ElementBasis> basis_;
  FieldOrder places_;
  int Np_, row_nodes_;        ///< of a field, in an element and from one to the next
  std::string field_stride_;  ///< the latter in kernels
  Dtype precision_;
};

}  // namespace maxwell_dg::dg
