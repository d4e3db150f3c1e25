#include "dg/codegen/terms/term_lanes.hpp"

#include <algorithm>

#include "dg/codegen/fit.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

namespace {

constexpr int most_lanes_of_term = 16;  // of OpenCL's vectors
constexpr int rows_at_once = 4;

int of_16_bytes(Dtype precision) {
  return 16 / static_cast<int>(size_of(precision));
}

}  // namespace

TermLanes::TermLanes(const ReferenceElement& reference, const ElementQuadrature& quadrature, int fields,
                     Dtype precision, int lanes)
    : precision_(precision),
      lanes_(lanes),
      squares_{.fields = fields, .lanes = lanes, .at_once = of_16_bytes(precision)},
      nodes_(MirrorSums::of_nodes(reference)),
      points_(MirrorSums::of_points(quadrature.points_in_volume())),
      at_volume_(points_, nodes_, rows_at_once),
      projection_(points_, points_, rows_at_once),
      from_volume_(nodes_, points_, rows_at_once) {}

std::optional<TermLanes> TermLanes::fitting(const Schedule& schedule, const ReferenceElement& reference,
                                            const ElementQuadrature& quadrature, int fields, Dtype precision,
                                            const core::DeviceInfo* device) {
  if (!schedule.is<Schedule::Lanes>()) return std::nullopt;
  const int vectors = fields * 2 * (reference.Np + quadrature.volume_points());
  const int least = of_16_bytes(precision);
  int lanes = std::min(schedule.lanes(), most_lanes_of_term);
  while (lanes >= least &&
         !group_fits({.items = 1, .shared_bytes = index(vectors * lanes) * size_of(precision)}, device)) {
    lanes /= 2;
  }
  if (lanes < least) return std::nullopt;
  return TermLanes(reference, quadrature, fields, precision, lanes);
}

rtcg::Record TermLanes::values() const {
  const auto table = [](const char* name, const std::vector<int>& values) {
    return rtcg::Record{{"type", "int32"}, {"name", name}, {"values", values_of(values)}};
  };
  return {{"lanes", lanes_},
          {"lane_names", values_of(RecordSquares::lane_names(lanes_))},
          {"real_bytes", size_of(precision_)},
          {"squares", squares_.values()},
          {"tables", rtcg::Value::List{table("node_slot", nodes_.slot), table("point_slot", points_.slot)}},
          {"mirrored", rtcg::Record{{"nodes", mirrored_values(nodes_)}, {"points", mirrored_values(points_)}}},
          {"products", rtcg::Record{{"at_volume", at_volume_.values()},
                                    {"projection", projection_.values()},
                                    {"from_volume", from_volume_.values()}}}};
}

std::vector<std::vector<double>> TermLanes::matrices(const ElementQuadrature& quadrature) const {
  const Eigen::MatrixXd projection = quadrature.at_volume * quadrature.from_volume;
  return {at_volume_.factors(between_mirror_sums(quadrature.at_volume, points_, nodes_)),
          projection_.factors(between_mirror_sums(projection, points_, points_)),
          from_volume_.factors(between_mirror_sums(quadrature.from_volume, nodes_, points_))};
}

}  // namespace maxwell_dg::dg
