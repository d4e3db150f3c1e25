#include "apps/config/materials/values_by_place.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <map>
#include <variant>

#include <Eigen/Dense>

#include "apps/config/resolve.hpp"
#include "core/in_parallel.hpp"
#include "core/quantity.hpp"
#include "dg/mesh/curved/curved_map.hpp"
#include "dg/reference/element_quadrature.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::config {

namespace {

/// Of one formula of x, y, z.
double formula_at(const dg::symbolic::Program& formula, const dg::Point& x, std::vector<double>& work) {
  double value{};
  formula.run([&](const dg::symbolic::Symbol& s) { return x.at(static_cast<std::size_t>(s.axis)); }, work, {&value, 1});
  return value;
}

}  // namespace

/// Means of formulas over cells.
class ValuesByPlace::CellMeans {
 public:
  CellMeans(const dg::Mesh& mesh, int order) : mesh_(mesh), element_(dg::ReferenceElement::make(order)) {
    weights_ = element_.M.rowwise().sum();
    weights_ /= weights_.sum();
  }

  [[nodiscard]] double mean(const dg::symbolic::Program& formula, std::size_t cell) {
    work_.resize(formula.size());
    double sum = 0, least = INFINITY, largest = -INFINITY;
    const Eigen::VectorXd weights = mesh_.curved.is_curved(cell) ? weights_in_curved(cell) : weights_;
    for (int i = 0; i < element_.Np; ++i) {
      const dg::Point x = dg::node(mesh_, element_, cell, i);
      const double value = formula_at(formula, x, work_);
      if (!std::isfinite(value)) return value;
      sum += weights[i] * value;
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
    return std::clamp(sum, least, largest);
  }

 private:
  /// Integrals of the polynomials of the nodes, each 1 at its node, over a curved cell, by quadrature; their sum is 1.
  [[nodiscard]] Eigen::VectorXd weights_in_curved(std::size_t cell) {
    if (!quadrature_) {
      quadrature_ = dg::ElementQuadrature::make(element_);
      at_points_.emplace(mesh_.curved.order, quadrature_->points_in_volume());
    }
    Eigen::VectorXd volumes(quadrature_->volume_points());
    Eigen::Index i = 0;
    for (const Eigen::Matrix3d& jacobian : at_points_->jacobians(mesh_.curved.nodes_of(cell))) {
      volumes[i] = quadrature_->volume.weights[static_cast<std::size_t>(i)] * std::abs(jacobian.determinant());
      ++i;
    }
    return quadrature_->at_volume.transpose() * volumes / volumes.sum();
  }

  const dg::Mesh& mesh_;
  dg::ReferenceElement element_;
  std::optional<dg::ElementQuadrature> quadrature_;  ///< where a cell is curved
  std::optional<dg::CurvedMap> at_points_;
  Eigen::VectorXd weights_;
  std::vector<double> work_;
};

namespace {

std::string names_of_values(const dg::Mesh& mesh) {
  std::string list;
  for (const auto* lists : {&mesh.cell_values, &mesh.vertex_values}) {
    for (const auto& [name, values] : *lists) list += (list.empty() ? "" : ", ") + name;
  }
  return list.empty() ? "none" : list;
}

const std::vector<double>* find_in(const std::map<std::string, std::vector<double>>& lists, const std::string& name) {
  const auto found = lists.find(name);
  return found == lists.end() ? nullptr : &found->second;
}

/// Linear, by values at the vertices of a cell.
double interpolated(const std::vector<double>& values, const std::array<std::int32_t, 4>& cell, const dg::Point& rst) {
  const auto at = [&](std::size_t vertex) { return values[dg::index(cell.at(vertex))]; };
  double sum = at(0);
  for (std::size_t axis = 0; axis < 3; ++axis) sum += (1 + rst[axis]) / 2 * (at(axis + 1) - at(0));
  return sum;
}

}  // namespace

std::string place_in(const dg::Mesh& mesh, const dg::Point& p, std::size_t cell) {
  const int region = mesh.cell_region[cell];
  const std::string at = " at (" + core::brief(p[0]) + ", " + core::brief(p[1]) + ", " + core::brief(p[2]) + ")";
  return region < 0 ? at : at + " in region '" + mesh.regions[static_cast<std::size_t>(region)] + "'";
}

ValuesByPlace::ValuesByPlace(const Config& config, const dg::Mesh& mesh, Findings& findings)
    : config_(config), mesh_(mesh), findings_(findings) {}

ValuesByPlace::~ValuesByPlace() = default;

const std::vector<double>* ValuesByPlace::of_cells(const FromMesh& named) const {
  return find_in(mesh_.cell_values, named.name);
}

const std::vector<double>* ValuesByPlace::of_vertices(const FromMesh& named) const {
  return find_in(mesh_.vertex_values, named.name);
}

void ValuesByPlace::add_lacking(const FromMesh& named, const std::string& key) {
  findings_.add(key + ".from_mesh",
                "the mesh has no values '" + named.name + "'; it has: " + names_of_values(mesh_) +
                    ". They are float64 datasets /cell_values/NAME of an HDF5 mesh, one number a cell, or "
                    "/vertex_values/NAME, one a vertex");
}

bool ValuesByPlace::take_means(const NumberByPlace& given, const std::string& key, std::span<const std::size_t> cells,
                               std::vector<double>& values) {
  if (const auto* number = std::get_if<double>(&given)) {
    for (const std::size_t k : cells) values[k] = *number;
    return true;
  }
  if (const auto* formula = std::get_if<Formula>(&given)) {
    const dg::symbolic::Program program({expression(config_, *formula)});
    if (!means_) means_ = std::make_unique<CellMeans>(mesh_, config_.solver.order);
    for (const std::size_t k : cells) values[k] = means_->mean(program, k);
    return true;
  }
  const auto& named = std::get<FromMesh>(given);
  if (const std::vector<double>* in_cells = of_cells(named)) {
    for (const std::size_t k : cells) values[k] = (*in_cells)[k];
    return true;
  }
  const std::vector<double>* at_vertices = of_vertices(named);
  if (at_vertices == nullptr) {
    add_lacking(named, key);
    return false;
  }
  for (const std::size_t k : cells) {
    values[k] = 0;
    for (const std::int32_t v : mesh_.cells[k]) values[k] += (*at_vertices)[dg::index(v)] / 4;
  }
  return true;
}

std::optional<ValuesByPlace::AtPoints> ValuesByPlace::at_points(const NumberByPlace& given, const std::string& key,
                                                                const dg::Discretization& discretization,
                                                                std::span<const std::size_t> cells) {
  const dg::CurvedGeometry& geometry = discretization.curved.value();
  const std::size_t points = geometry.quadrature.volume.size();
  AtPoints result{.values = std::vector<double>(cells.size() * points)};
  const auto fill = [&](std::size_t i, const auto& value_at) {  // in cell number i, of a cell and a point
    for (std::size_t p = 0; p < points; ++p) result.values[i * points + p] = value_at(cells[i], p);
  };
  if (const auto* number = std::get_if<double>(&given)) {
    std::ranges::fill(result.values, *number);
    return result;
  }
  if (const auto* formula = std::get_if<Formula>(&given)) {
    const dg::symbolic::Program program({expression(config_, *formula)});
    std::vector<std::optional<dg::Point>> not_finite(cells.size());
    for_each_in_parallel(cells.size(), [&](std::size_t i) {
      std::vector<double> work(program.size());
      const auto value_at = [&](const dg::Point& x) { return formula_at(program, x, work); };
      fill(i, [&](std::size_t k, std::size_t point) {
        return value_at(geometry.volume_positions[dg::index(mesh_.curved.number[k]) * points + point]);
      });
      for (int n = 0; n < discretization.reference.Np && !not_finite[i]; ++n) {
        const dg::Point x = dg::node(mesh_, discretization.reference, cells[i], n);
        if (!std::isfinite(value_at(x))) not_finite[i] = x;
      }
    });
    for (std::size_t i = 0; i < cells.size(); ++i) {
      if (!not_finite[i]) continue;
      findings_.add(key, "is not a finite number" + place_in(mesh_, *not_finite[i], cells[i]));
      return std::nullopt;
    }
    result.vary = true;
    return result;
  }
  const auto& named = std::get<FromMesh>(given);
  if (const std::vector<double>* at_vertices = of_vertices(named)) {
    const auto reference = geometry.quadrature.points_in_volume();
    for (std::size_t i = 0; i < cells.size(); ++i) {
      fill(i, [&](std::size_t k, std::size_t point) {
        return interpolated(*at_vertices, mesh_.cells[k], reference[point]);
      });
    }
    result.vary = true;
    return result;
  }
  const std::vector<double>* in_cells = of_cells(named);
  if (in_cells == nullptr) {
    add_lacking(named, key);
    return std::nullopt;
  }
  for (std::size_t i = 0; i < cells.size(); ++i) fill(i, [&](std::size_t k, std::size_t) { return (*in_cells)[k]; });
  return result;
}

}  // namespace maxwell_dg::config
