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

/// The texts by which a kernel that keeps neighbours' numbers on the chip has the traces at a node of a face. Outside
/// traces come from a neighbour to places on the chip: of the fields that fluxes read, one after the other; or, in the
/// basis of the element, of the components that make the neighbour's traces: a vector's in three places, of which one
/// or two are used but on the neighbour's slanted face. Where fields lie side by side in memory, places do as well, in
/// the same order.
class FaceTraces {
 public:
  /// `basis` of the state's vectors, unless they are along x, y, z: then fields lie by themselves. `lowered` outlives
  /// it.
  FaceTraces(const LoweredSystem& lowered, std::optional<ElementBasis> basis, const StateLayout& layout,
             Dtype precision);

  /// Of a node, on the chip.
  [[nodiscard]] int places() const { return places_.fields; }
  [[nodiscard]] const FieldOrder& order_of_places() const { return places_; }
  /// Whether so many items may share a node's copies: each has as many rows, one after the other, and does alike.
  [[nodiscard]] bool can_share_copies(int items) const;
  /// Declares `places`, for each face of an element the place among its nodes of the face's `node`, a byte each; and
  /// where that fits in bytes, the same behind the fields of a vector along a face's axes (FaceFrame).
  [[nodiscard]] rtcg::syntax::Block places_of_node() const;
  /// Copies them, or the first of so many shares: the kernel knows the neighbour's fields `q`, of its faces the `side`
  /// that is met, what places_of_node declares, and the place `trace` of the first.
  [[nodiscard]] rtcg::syntax::Block copy(const std::string& stride, int items = 1) const;
  /// The same where the kernel knows which of the neighbour's nodes it is, `other_node`; `side` only in the basis of
  /// the element.
  [[nodiscard]] rtcg::syntax::Block copy_of_node(const std::string& stride) const;

  /// Which component of a vector: on the own face (FaceFrame), or one of three.
  enum class Component { a, b, c, r, s, t };
  /// Declares the inside traces that some fluxes have; `value` is a stored component at the node, r of a scalar and of
  /// every field along x, y or z. In the basis of the element, where it is not known here whether the own face is
  /// slanted, the kernel knows `is_slanted`.
  [[nodiscard]] rtcg::syntax::Block declare_inside(std::span<const symbolic::Expr> fluxes,
                                                   const std::function<std::string(int first, Component)>& value,
                                                   std::optional<bool> is_slanted) const;
  using TextOfPlace = std::function<std::string(int row, int column)>;
  /// Declares the outside traces; in the basis of the element, where the other face is declared. Those that lie side by
  /// side are read together.
  [[nodiscard]] rtcg::syntax::Block declare_outside(std::span<const symbolic::Expr> fluxes,
                                                    const TextOfPlace& place) const;
  /// In the basis of the element: `other_is_slanted`, of the neighbour's face; at a wall, of the own one.
  [[nodiscard]] rtcg::syntax::Block declare_other_face(const std::string& neighbour, const std::string& face) const;
  /// Declares the products of a face's edges that some fluxes have, from the invariants of the element, which the
  /// kernel has by their numbers; where it is not known here which face it is, the kernel knows `face` and
  /// `is_slanted`.
  [[nodiscard]] rtcg::syntax::Block declare_edges(std::span<const symbolic::Expr> fluxes, std::optional<int> face,
                                                  const TextOf& invariant) const;

  /// Declares G, the metric of the element e of the group.
  [[nodiscard]] static rtcg::syntax::Block load_metric();
  /// At a node of a wall: q_m from the fields that `own` has there, by their numbers. In the basis of the element the
  /// kernel knows the metric G.
  [[nodiscard]] rtcg::syntax::Block inside_of_wall(const TextOf& own) const;
  /// Puts q_p where a neighbour's traces would be, one whose face is the own one.
  [[nodiscard]] rtcg::syntax::Block replace_outside(const TextOf& place) const;

 private:
  /// Whether the basis has quantities of this kind.
  [[nodiscard]] bool has(ElementBasis::Variance variance) const;
  [[nodiscard]] bool places_fit_in_bytes() const;
  /// What the kernel calls the place of the neighbour's node among its nodes: on the face that is met, and were that
  /// the slanted one. Behind the fields of a vector, along the face's axes, it has bytes of their own or none.
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
