#include "dg/operator/curved_stage.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "core/in_parallel.hpp"
#include "core/round_up.hpp"
#include "dg/lowering/curved_invariants.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

namespace {

using Rows = std::vector<std::vector<double>>;

/// Gradients of some map, to count what follows from them.
constexpr CurvedGeometry::Gradients identity{1, 0, 0, 0, 1, 0, 0, 0, 1};

/// Kernels have arrays of numbers at points also where the equations need none of them.
std::size_t at_least_one(int numbers) {
  return index(std::max(1, numbers));
}

/// What an array in an order of points holds, [block][part][point or number][number or point][element of the block].
struct Extents {
  std::size_t elements, parts, points, numbers;
};

/// Of points with what fills up an order of points.
std::size_t whole_points(const PointOrder& order, std::size_t points) {
  return round_up(points, index(order.points_at_once));
}
std::size_t whole_numbers(const PointOrder& order, std::size_t numbers) {
  return round_up(numbers, index(order.numbers_at_once));
}

/// value(element, part, point, number) for each value of such an array. The last element fills up its block.
template <class ValueOf>
std::vector<double> in_order(const PointOrder& order, const Extents& extents, const ValueOf& value) {
  const std::size_t elements = extents.elements, parts = extents.parts;
  const std::size_t points = extents.points, numbers = extents.numbers;
  const std::size_t block = index(order.block), at_once = order.by_point ? numbers : index(order.numbers_at_once);
  const std::size_t all_points = whole_points(order, points), all_numbers = whole_numbers(order, numbers);
  const std::size_t a_part = all_points * all_numbers;
  std::vector<double> values(round_up(elements, block) * parts * a_part);
  for_each_in_parallel(ceil_divide(elements, block) * parts, [&](std::size_t of_part) {
    for (std::size_t i = of_part * block * a_part; i < (of_part + 1) * block * a_part; ++i) {
      const std::size_t in_part = i / block % a_part;
      const std::size_t element = std::min(of_part / parts * block + i % block, elements - 1);
      const std::size_t point = in_part / at_once % all_points;
      const std::size_t number = in_part / (at_once * all_points) * at_once + in_part % at_once;
      if (point < points && number < numbers) values[i] = value(element, of_part % parts, point, number);
    }
  });
  return values;
}

/// The same of rows [(element x parts + part) x points + point][number].
template <class Row>
std::vector<double> in_order(const PointOrder& order, const std::vector<Row>& rows, std::size_t parts,
                             std::size_t points) {
  if (rows.empty()) return {};
  return in_order(order, {rows.size() / (parts * points), parts, points, rows.front().size()},
                  [&](std::size_t element, std::size_t part, std::size_t point, std::size_t number) {
                    return rows[(element * parts + part) * points + point][number];
                  });
}

/// [block][face] rows of arrays at boundary faces: one for each face of a block with a boundary face, -1 for others.
std::vector<std::int32_t> rows_at_boundary(const Discretization& d, const PointOrder& order) {
  const std::size_t count = d.mesh.curved.count(), block = index(order.block);
  std::vector<bool> has_boundary(4 * ceil_divide(count, block));
  for (const auto& face : d.connectivity.boundary_faces) {
    const auto k = index(face.cell);
    if (!d.mesh.curved.is_curved(k)) continue;
    has_boundary[index(d.mesh.curved.number[k]) / block * 4 + index(face.face)] = true;
  }
  std::vector<std::int32_t> rows;
  std::int32_t next = 0;
  for (const bool has : has_boundary) rows.push_back(has ? next++ : -1);
  return rows;
}

}  // namespace

CurvedStage::CurvedStage(StageSetting setting, Arrays arrays)
    : setting_(std::move(setting)), arrays_(std::move(arrays)) {
  const Discretization& discretization = setting_.discretization;
  require_integrated_losses(setting_.problem, discretization);
  const CurvedGeometry& geometry = discretization.curved.value();
  const std::unique_ptr<CurvedGenerator> generator = make_generator();
  source_ = generator->stage();
  shape_ = {.groups = {1, 1, 1},
            .group_size = {index(generator->group_items()), 1, 1},
            .dynamic_shared_bytes = setting_.dynamic_shared_bytes(generator->shared_bytes())};
  elements_per_group_ = index(generator->elements_per_group());
  has_directions_ = generator->has_directions();

  upload_invariants(geometry, *generator);
  const PointOrder order = generator->point_order();
  const std::size_t Np = index(discretization.Np()), numbers = generator->numbers_at_node(identity).size();
  std::vector<double> at_nodes;  // [element][node][number]
  at_nodes.reserve(geometry.at_nodes.size() * numbers);
  for (const auto& gradients : geometry.at_nodes) {
    const std::vector<double> of_node = generator->numbers_at_node(gradients);
    at_nodes.insert(at_nodes.end(), of_node.begin(), of_node.end());
  }
  metric_at_nodes_ = setting_.upload_reals(
      in_order(order, {geometry.at_nodes.size() / Np, 1, Np, numbers},
               [&](std::size_t element, std::size_t /*part*/, std::size_t node, std::size_t number) {
                 return at_nodes[(element * Np + node) * numbers + number];
               }));
  upload_boundary(geometry, *generator);
  for (const std::vector<double>& matrix : generator->matrices()) matrices_.push_back(setting_.upload_reals(matrix));
  Fmask_ = setting_.upload(discretization.reference.face_nodes());
}

std::unique_ptr<CurvedGenerator> CurvedStage::make_generator() const {
  const CurvedProblem problem = setting_.curved_problem();
  return make_curved_generator(
      problem, setting_.curved.empty() ? default_curved_variant(problem, setting_.device().info()) : setting_.curved);
}

void CurvedStage::take_constants(core::Buffer material, core::Buffer constants) {
  arrays_.material = std::move(material);
  arrays_.constants = std::move(constants);
  upload_invariants(setting_.discretization.curved.value(), *make_generator());
}

void CurvedStage::load(const core::Module& module) {
  kernel_ = module.kernel("curved_stage");
  is_loaded_ = true;
}

void CurvedStage::upload_invariants(const CurvedGeometry& geometry, const CurvedGenerator& generator) {
  const PointOrder order = generator.invariant_order();
  const CurvedInvariants invariants(setting_.discretization, generator.system(), setting_.media);
  const auto& [of_element, of_face] = generator.system().at_points;
  const auto upload_numbers = [&](const Rows& rows, std::size_t parts, std::size_t points, int numbers) {
    return setting_.upload_reals(in_order(order, {rows.size() / (parts * points), parts, points, at_least_one(numbers)},
                                          [&](std::size_t element, std::size_t part, std::size_t point, std::size_t i) {
                                            const auto& row = rows[(element * parts + part) * points + point];
                                            return i < row.size() ? row[i] : 0.0;
                                          }));
  };
  const std::size_t points = geometry.quadrature.volume.size(), face_points = index(geometry.quadrature.face_points());
  point_invariants_ = upload_numbers(invariants.of_elements(), 1, points, of_element);
  face_invariants_ = upload_numbers(invariants.of_faces(), 4, face_points, of_face);
  if (generator.media_numbers() == 0) return;
  std::vector<double> media;  // at any point
  for (std::size_t i = 0; i < setting_.discretization.mesh.curved.count(); ++i) {
    const std::vector<double>& in_element = invariants.of_elements()[i * points];
    media.insert(media.end(), in_element.begin() + of_element, in_element.end());
    for (std::size_t face = 4 * i; face < 4 * (i + 1); ++face) {
      const std::vector<double>& on_face = invariants.of_faces()[face * face_points];
      media.insert(media.end(), on_face.begin() + of_face, on_face.end());
    }
  }
  media_ = setting_.upload_reals(media);
}

void CurvedStage::upload_boundary(const CurvedGeometry& geometry, const CurvedGenerator& generator) {
  const PointOrder order = generator.point_order();
  const Discretization& d = setting_.discretization;
  const std::size_t count = d.mesh.curved.count(), block = index(order.block);
  const std::vector<std::int32_t> rows = rows_at_boundary(d, order);
  std::vector<std::pair<std::size_t, std::size_t>> element_and_face;  // of the rows, [row][element of the block]
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t e = i / 4 * block; rows[i] >= 0 && e < (i / 4 + 1) * block; ++e) {
      element_and_face.emplace_back(std::min(e, count - 1), i % 4);
    }
  }
  const std::size_t points = index(geometry.quadrature.face_points());
  const auto at = [&](std::size_t i, std::size_t point) -> const CurvedGeometry::FacePoint& {
    return geometry.at_face_points[(4 * element_and_face[i].first + element_and_face[i].second) * points + point];
  };
  boundary_rows_ = setting_.upload(rows);
  Rows metric;  // [row and element of the block x points + point]
  for (std::size_t i = 0; i < element_and_face.size(); ++i) {
    for (std::size_t point = 0; point < points; ++point) {
      const auto& [gradients, face, x] = at(i, point);
      metric.push_back(generator.numbers_at_node(gradients));
      metric.back().insert(metric.back().end(), {face.nx, face.ny, face.nz});
    }
  }
  const auto position = [&](std::size_t i, std::size_t /*part*/, std::size_t point, std::size_t axis) {
    return at(i, point).x[axis];
  };
  boundary_metric_ = setting_.upload_reals(in_order(order, metric, 1, points));
  boundary_points_ = setting_.upload(in_order(order, {element_and_face.size(), 1, points, 3}, position));
}

void CurvedStage::advance(const StageTarget& target, const ElementRange& range, bool is_backwards,
                          const core::Stream& on) const {
  const std::size_t first = index(setting_.discretization.mesh.curved.number[range.begin]);
  core::LaunchShape shape = shape_;
  shape.groups = {ceil_divide(first + range.size(), elements_per_group_) - first / elements_per_group_, 1, 1};
  std::vector<core::KernelArgument> arguments{target.Q,           target.Q_new,      target.rate,
                                              arrays_.neighbours, arrays_.material,  arrays_.constants,
                                              metric_at_nodes_,   point_invariants_, face_invariants_};
  if (media_) arguments.emplace_back(media_);
  arguments.insert(arguments.end(), {boundary_rows_, boundary_metric_, boundary_points_, arrays_.boundary_kind});
  arguments.insert(arguments.end(), matrices_.begin(), matrices_.end());
  arguments.insert(arguments.end(), {Fmask_, setting_.real(target.a), setting_.real(target.b), setting_.real(target.dt),
                                     target.t, static_cast<std::int32_t>(range.begin), static_cast<std::int32_t>(first),
                                     static_cast<std::int32_t>(range.size())});
  if (has_directions_) arguments.emplace_back(static_cast<std::int32_t>(is_backwards ? 1 : 0));
  kernel_.launch(on, shape, arguments);
}

std::size_t CurvedStage::forecast_bytes(const CurvedGenerator& generator, const Size& size) {
  const ReferenceElement& reference = generator.problem().reference;
  const CountsAtPoints& at_points = generator.system().at_points;
  const std::size_t numbers = generator.numbers_at_node(identity).size();
  const auto points = index(generator.problem().quadrature.volume_points());
  const auto face_points = index(generator.problem().quadrature.face_points());
  const std::size_t block = index(generator.point_order().block), blocks = ceil_divide(size.elements, block);
  const PointOrder order = generator.invariant_order();
  const std::size_t an_element =
      numbers * index(reference.Np) +
      whole_numbers(order, at_least_one(at_points.of_element)) * whole_points(order, points) +
      4 * whole_numbers(order, at_least_one(at_points.of_face)) * whole_points(order, face_points) +
      index(generator.media_numbers());
  std::size_t rows = std::min(4 * blocks, size.boundary_faces);
  if (size.discretization != nullptr) {
    const std::vector<std::int32_t> all = rows_at_boundary(*size.discretization, generator.point_order());
    rows = static_cast<std::size_t>(std::ranges::count_if(all, [](std::int32_t row) { return row >= 0; }));
  }
  const std::size_t at_boundary = rows * block * face_points;
  std::size_t matrices = 0;
  for (const std::vector<double>& matrix : generator.matrices()) matrices += matrix.size();
  return (blocks * block * an_element + (numbers + 3) * at_boundary + matrices) *
             size_of(generator.problem().options.precision) +
         at_boundary * 3 * sizeof(double) + (4 * blocks + 4 * index(reference.Nfp)) * sizeof(std::int32_t);
}

}  // namespace maxwell_dg::dg
