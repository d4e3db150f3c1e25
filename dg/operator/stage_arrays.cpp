#include "dg/operator/stage_arrays.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>

namespace maxwell_dg::dg {

core::Buffer upload_neighbours(const StageSetting& setting) {
  std::vector<std::int32_t> neighbours;
  for (const auto& of_element : setting.discretization.connectivity.neighbours) {
    neighbours.insert(neighbours.end(), of_element.begin(), of_element.end());
  }
  for (std::size_t i = neighbours.size(); i < 4 * setting.layout.stored; ++i) {
    neighbours.push_back(static_cast<std::int32_t>(i));
  }
  return setting.upload(neighbours);
}

core::Buffer upload_outside_nodes(const StageSetting& setting) {
  const Discretization& d = setting.discretization;
  const std::size_t Np = index(setting.layout.Np), K = setting.layout.K;
  if (K * Np > std::numeric_limits<std::int32_t>::max()) {
    throw std::invalid_argument("schedule " + setting.schedule.name() + " numbers nodes in 32 bits, which " +
                                std::to_string(K * Np) + " nodes exceed; take one that connects faces");
  }
  std::vector<std::int32_t> nodes;
  nodes.reserve(4 * index(d.Nfp()) * K);
  for (const auto& of_element : d.connectivity.neighbours) {
    for (const std::int32_t neighbour : of_element) {
      for (int i = 0; i < d.Nfp(); ++i) {
        nodes.push_back(neighbour < 0 ? neighbour
                                      : neighbour / 4 * setting.layout.Np + d.reference.Fmask(i, neighbour % 4));
      }
    }
  }
  return setting.upload(nodes);
}

core::Buffer upload_constants(const StageSetting& setting) {
  const StateLayout& layout = setting.layout;
  const int count = std::max(1, static_cast<int>(setting.lowered.constants.size()));
  HostReals host(setting.precision, layout.stored * index(count));
  for (std::size_t k = 0; k < layout.K; ++k) {
    const auto& row = setting.materials.of_element(k);
    for (std::size_t c = 0; c < row.size(); ++c) host.set(k * index(count) + c, row[c]);
  }
  return dg::upload(setting.device(), setting.stream, host.bytes());
}

core::Buffer upload_at_volume_points(const StageSetting& setting,
                                     std::span<const double> (VaryingMedia::*numbers)(std::size_t, std::size_t) const) {
  const VaryingMedia& media = setting.media;
  const Discretization& d = setting.discretization;
  std::vector<std::span<const double>> rows;  // [curved element x points + point]
  for (std::size_t k = 0; media.any() && k < d.K(); ++k) {
    if (!d.mesh.curved.is_curved(k)) continue;
    for (std::size_t p = 0; p < setting.problem.varying.points; ++p) rows.push_back((media.*numbers)(k, p));
  }
  return setting.upload_by_points(rows, setting.problem.varying.points);
}

core::Buffer upload_inverse_weights(const StageSetting& setting, const TensorWeights& tensors) {
  const VaryingMedia& media = setting.media;
  const Discretization& d = setting.discretization;
  const std::size_t points = d.curved.value().quadrature.volume.size();
  std::vector<std::vector<double>> rows;  // [curved element x points + point]
  for (std::size_t k = 0; k < d.K(); ++k) {
    if (!d.mesh.curved.is_curved(k)) continue;
    if (!media.varies_in(k)) {
      rows.insert(rows.end(), points, tensors.inverse(media.of_element(k)));
      continue;
    }
    for (std::size_t p = 0; p < points; ++p) rows.push_back(tensors.inverse(media.at_point(k, p)));
  }
  return setting.upload_by_points(rows, points);
}

std::vector<double> boundary_nodes(const StageSetting& setting) {
  std::vector<double> nodes;
  if (!setting.lowered.boundaries_vary) return nodes;
  const Discretization& d = setting.discretization;
  for (const Connectivity::BoundaryFace& b : d.connectivity.boundary_faces) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (int i = 0; i < d.Nfp(); ++i) {
        nodes.push_back(d.node(static_cast<std::size_t>(b.cell), d.reference.Fmask(i, b.face))[axis]);
      }
    }
  }
  return nodes;
}

}  // namespace maxwell_dg::dg
