#pragma once

#include <optional>
#include <vector>

#include "core/dtype.hpp"
#include "dg/lowering/element_basis.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/schedule/field_order.hpp"
#include "dg/schedule/state_layout.hpp"
#include "rtcg/source/value.hpp"

namespace maxwell_dg::dg {

/// How a kernel gets the traces at a node of a face, for kernels that copy the neighbours' values to shared memory:
/// what face_traces.kernel is given. For each node there is a slot for each field that fluxes read; in the basis of the
/// element, for each component of the neighbour's vectors. Fields that are side by side in memory are side by side in
/// the slots, in the same order.
class FaceTraces {
 public:
  /// `basis` is that of the state's vectors; none if they are along x, y, z. `lowered` must outlive this object.
  FaceTraces(const LoweredSystem& lowered, std::optional<ElementBasis> basis, const StateLayout& layout,
             Dtype precision);

  [[nodiscard]] const FieldOrder& slots() const { return slots_; }  ///< of a node
  /// Whether `items` work-items can share the copies of a node: each then copies equally many consecutive rows, by the
  /// same instructions.
  [[nodiscard]] bool can_share_copies(int items) const;

  /// {in_basis, field_stride, side_by_side, rows, slots, outside_fields}, and in the basis of the element
  /// {quantities, quantities_of_rows: {variance, first}, places_along_axes: [name, offsets of four faces in bytes],
  /// edges, orientations, cartesian and stored_outside: expressions}. There are no places_along_axes if
  /// an offset does not fit in a byte.
  [[nodiscard]] rtcg::Record values() const;

 private:
  /// Quantities in the first column.
  [[nodiscard]] std::vector<ElementBasis::Quantity> quantities_of_rows() const;
  [[nodiscard]] bool has(ElementBasis::Variance variance) const;
  [[nodiscard]] rtcg::Value::List places_along_axes() const;

  const LoweredSystem& lowered_;
  std::optional<ElementBasis> basis_;
  FieldOrder slots_;
  int Np_, row_nodes_;        ///< of a field, in an element and from one to the next
  std::string field_stride_;  ///< the latter in kernels
  Dtype precision_;
};

}  // namespace maxwell_dg::dg
