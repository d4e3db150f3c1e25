#pragma once

#include <optional>
#include <vector>

#include "core/device/device.hpp"
#include "core/dtype.hpp"
#include "dg/codegen/vectors/lane_products.hpp"
#include "dg/codegen/vectors/record_squares.hpp"
#include "dg/reference/element_quadrature.hpp"
#include "dg/reference/mirror_sums.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/schedule/schedule.hpp"
#include "rtcg/source/value.hpp"

namespace maxwell_dg::dg {

/// What curved_element_term_lanes.kernel has whatever the term: vectors, with an element in each SIMD lane, and
/// products of matrices between nodes and volume points.
class TermLanes {
 public:
  TermLanes(const ReferenceElement& reference, const ElementQuadrature& quadrature, int fields, Dtype precision,
            int lanes);

  /// With as many lanes as a vector of the schedule has, if that is one of lanes, and fewer if the memory of a group on
  /// the device (unless it is null) is too small for them; nothing if terms are not computed so.
  [[nodiscard]] static std::optional<TermLanes> fitting(const Schedule& schedule, const ReferenceElement& reference,
                                                        const ElementQuadrature& quadrature, int fields,
                                                        Dtype precision, const core::DeviceInfo* device);

  [[nodiscard]] int lanes() const { return lanes_; }
  /// The template values lanes, lane_names, real_bytes, squares, tables, mirrored and products.
  [[nodiscard]] rtcg::Record values() const;
  /// The kernel's matrices, in the order of its arguments.
  [[nodiscard]] std::vector<std::vector<double>> matrices(const ElementQuadrature& quadrature) const;

 private:
  Dtype precision_;
  int lanes_;
  RecordSquares squares_;
  MirrorSums nodes_, points_;
  LaneProducts at_volume_, projection_, from_volume_;
};

}  // namespace maxwell_dg::dg
