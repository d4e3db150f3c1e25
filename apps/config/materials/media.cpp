#include "apps/config/materials/media.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "apps/config/resolve.hpp"
#include "apps/config/scaling.hpp"
#include "core/quantity.hpp"
#include "dg/maxwell/medium.hpp"
#include "dg/mesh/curved/curved_map.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/reference/element_quadrature.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::config {
namespace {

/// Means of formulas over cells.
class CellMeans {
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
      double value{};
      formula.run([&](const dg::symbolic::Symbol& s) { return x.at(static_cast<std::size_t>(s.axis)); }, work_,
                  {&value, 1});
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

std::string names_of_values(const dg::Mesh& mesh) {
  std::string list;
  for (const auto* lists : {&mesh.cell_values, &mesh.vertex_values}) {
    for (const auto& [name, values] : *lists) list += (list.empty() ? "" : ", ") + name;
  }
  return list.empty() ? "none" : list;
}

enum class Fault { none, not_finite, not_positive, negative, out_of_range, puts_energy_in };

Fault fault_of(const dg::System::Parameter& parameter, const KnownSystem& system, bool active, double value) {
  using Range = dg::System::Meaning::Range;
  if (!std::isfinite(value)) return Fault::not_finite;
  if (parameter.meaning.range == Range::any || (active && parameter.meaning.range == Range::at_least_zero)) {
    return Fault::none;
  }
  if (parameter.meaning.range == Range::at_least_zero) {
    return value >= 0 ? Fault::none : system.is_maxwell ? Fault::puts_energy_in : Fault::negative;
  }
  if (!(value > 0)) return Fault::not_positive;
  const bool is_relative = std::ranges::count(system.tensors, parameter.name) > 0;
  return is_relative && !range_complaint(value).empty() ? Fault::out_of_range : Fault::none;
}

std::string complaint(Fault fault, double value, const std::string& where) {
  if (fault == Fault::not_finite) return "is not a finite number" + where;
  if (fault == Fault::out_of_range) return range_complaint(value) + where;
  if (fault == Fault::negative) return "must be at least 0, and is " + core::brief(value) + where;
  if (fault == Fault::not_positive) return "must be above 0, and is " + core::brief(value) + where;
  return "is " + core::brief(value) + where +
         ": the medium puts energy in; if that is meant, say active: true beside it";
}

/// Values of one constant of one material in its cells; `values` of other cells are left.
class Filler {
 public:
  Filler(const Config& config, const dg::Mesh& mesh, Findings& findings)
      : config_(config), mesh_(mesh), findings_(findings) {}

  void fill(std::size_t entry, const dg::System::Parameter& parameter, const std::vector<std::size_t>& cells,
            std::vector<double>& values) {
    const Material& material = config_.materials[entry];
    const MaterialConstant& given = material.constants.at(parameter.name);
    const std::string key = key_of(entry, parameter.name);
    if (!take(given, 0, key, cells, values)) return;
    for (const std::size_t k : cells) {
      const Fault fault = fault_of(parameter, config_.equations(), material.active, values[k]);
      if (fault != Fault::none) return findings_.add(key, complaint(fault, values[k], place(k)));
    }
  }

  /// Values of one constant of one smooth material at the volume points of some cells, numbers `first` and following of
  /// VaryingParameters::elements; `value` of each place is left where the constant is a number or one of each cell.
  /// False where it is.
  bool fill_points(std::size_t entry, const dg::System::Parameter& parameter, const dg::Discretization& d,
                   const std::vector<std::int32_t>& elements, const std::vector<int>& material, double scale,
                   std::vector<double>& values) {
    const Material& medium = config_.materials[entry];
    const MaterialConstant& given = medium.constants.at(parameter.name);
    const dg::CurvedGeometry& geometry = d.curved.value();
    const std::size_t points = geometry.quadrature.volume.size();
    std::optional<dg::symbolic::Program> formula;
    const std::vector<double>* of_vertices = nullptr;
    if (given.from_mesh) {
      const auto found = mesh_.vertex_values.find(*given.from_mesh);
      if (found == mesh_.vertex_values.end()) return false;
      of_vertices = &found->second;
    } else if (const auto* text = std::get_if<Formula>(&given.components[0])) {
      formula.emplace(std::vector{expression(config_, *text)});
    } else {
      return false;
    }
    const auto reference = geometry.quadrature.points_in_volume();
    std::vector<double> work(formula ? formula->size() : 0);
    for (std::size_t i = 0; i < elements.size(); ++i) {
      const std::size_t k = dg::index(elements[i]);
      if (material[k] != static_cast<int>(entry)) continue;
      for (std::size_t p = 0; p < points; ++p) {
        const dg::Point& x = geometry.volume_positions[dg::index(d.mesh.curved.number[k]) * points + p];
        double value{};
        if (formula) {
          formula->run([&](const dg::symbolic::Symbol& s) { return x.at(static_cast<std::size_t>(s.axis)); }, work,
                       {&value, 1});
        } else {
          value = interpolated(*of_vertices, mesh_.cells[k], reference[p]);
        }
        const Fault fault = fault_of(parameter, config_.equations(), medium.active, value);
        if (fault != Fault::none) {
          findings_.add(key_of(entry, parameter.name), complaint(fault, value, place(x, k)));
          return true;
        }
        values[i * points + p] = scale * value;
      }
    }
    return true;
  }

  /// The same of a constant that may be a tensor; the unit tensor where there was a finding.
  std::vector<Eigen::Matrix3d> tensors(std::size_t entry, const std::string& parameter,
                                       const std::vector<std::size_t>& cells) {
    const MaterialConstant& given = config_.materials[entry].constants.at(parameter);
    const std::string key = key_of(entry, parameter);
    std::vector<Eigen::Matrix3d> none(cells.size(), Eigen::Matrix3d::Identity());
    std::vector<Eigen::Matrix3d> result(cells.size(), Eigen::Matrix3d::Zero());
    std::vector<double> values(mesh_.cells.size());
    const std::size_t count = std::max<std::size_t>(given.components.size(), 1);
    for (std::size_t c = 0; c < count; ++c) {
      if (!take(given, c, key, cells, values)) return none;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const double value = values[cells[i]];
        if (count == 1) result[i].diagonal().setConstant(value);
        if (count == 3) result[i](static_cast<int>(c), static_cast<int>(c)) = value;
        if (count == 9) result[i](static_cast<int>(c / 3), static_cast<int>(c % 3)) = value;
      }
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string wrong = tensor_complaint(result[i]);
      if (wrong.empty()) continue;
      findings_.add(key, wrong + place(cells[i]));
      return none;
    }
    return result;
  }

 private:
  static std::string key_of(std::size_t entry, const std::string& parameter) {
    return "materials." + std::to_string(entry) + "." + parameter;
  }

  /// One component in the cells; false where there was a finding.
  bool take(const MaterialConstant& given, std::size_t component, const std::string& key,
            const std::vector<std::size_t>& cells, std::vector<double>& values) {
    if (given.from_mesh) return copy(*given.from_mesh, key, cells, values);
    if (const auto* number = std::get_if<double>(&given.components[component])) {
      for (const std::size_t k : cells) values[k] = *number;
    } else {
      take_means(std::get<Formula>(given.components[component]), cells, values);
    }
    return true;
  }

  bool copy(const std::string& name, const std::string& key, const std::vector<std::size_t>& cells,
            std::vector<double>& values) {
    const auto of_cells = mesh_.cell_values.find(name), of_vertices = mesh_.vertex_values.find(name);
    if (of_cells != mesh_.cell_values.end()) {
      for (const std::size_t k : cells) values[k] = of_cells->second[k];
      return true;
    }
    if (of_vertices == mesh_.vertex_values.end()) {
      findings_.add(key + ".from_mesh",
                    "the mesh has no values '" + name + "'; it has: " + names_of_values(mesh_) +
                        ". They are float64 datasets /cell_values/NAME of an HDF5 mesh, one number a cell, or "
                        "/vertex_values/NAME, one a vertex");
      return false;
    }
    for (const std::size_t k : cells) {
      values[k] = 0;
      for (const std::int32_t v : mesh_.cells[k]) values[k] += of_vertices->second[dg::index(v)] / 4;
    }
    return true;
  }

  void take_means(const Formula& formula, const std::vector<std::size_t>& cells, std::vector<double>& values) {
    const dg::symbolic::Program program({expression(config_, formula)});
    if (!means_) means_.emplace(mesh_, config_.solver.order);
    for (const std::size_t k : cells) values[k] = means_->mean(program, k);
  }

  /// Linear, by values at the vertices of a cell.
  static double interpolated(const std::vector<double>& values, const std::array<std::int32_t, 4>& cell,
                             const dg::Point& rst) {
    const auto at = [&](std::size_t vertex) { return values[dg::index(cell.at(vertex))]; };
    double sum = at(0);
    for (std::size_t axis = 0; axis < 3; ++axis) sum += (1 + rst[axis]) / 2 * (at(axis + 1) - at(0));
    return sum;
  }

  [[nodiscard]] std::string place(std::size_t cell) const {
    return place(dg::centroid(mesh_, mesh_.cells[cell]), cell);
  }
  [[nodiscard]] std::string place(const dg::Point& p, std::size_t cell) const {
    const int region = mesh_.cell_region[cell];
    const std::string at = " at (" + core::brief(p[0]) + ", " + core::brief(p[1]) + ", " + core::brief(p[2]) + ")";
    return region < 0 ? at : at + " in region '" + mesh_.regions[static_cast<std::size_t>(region)] + "'";
  }

  const Config& config_;
  const dg::Mesh& mesh_;
  Findings& findings_;
  std::optional<CellMeans> means_;
};

/// Of one material in a system of tensors.
void fill_tensors(std::size_t entry, const std::vector<std::size_t>& cells, const dg::System& system,
                  double sigma_scale, Filler& filler, std::vector<std::vector<double>>& parameters) {
  const std::vector<Eigen::Matrix3d> epsilon_r = filler.tensors(entry, "epsilon_r", cells);
  const std::vector<Eigen::Matrix3d> mu_r = filler.tensors(entry, "mu_r", cells);
  std::vector<double> sigma(parameters.front().size());
  filler.fill(entry, *std::ranges::find(system.parameters, "sigma", &dg::System::Parameter::name), cells, sigma);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const auto symmetric = [](const Eigen::Matrix3d& t) { return Eigen::Matrix3d((t + t.transpose()) / 2); };
    const std::vector<double> values =
        dg::maxwell::anisotropic_parameters(symmetric(epsilon_r[i]), symmetric(mu_r[i]), sigma[cells[i]] * sigma_scale);
    for (std::size_t p = 0; p < values.size(); ++p) parameters[p][cells[i]] = values[p];
  }
}

}  // namespace

std::vector<std::vector<double>> element_parameters(const Config& config, const dg::System& system,
                                                    const dg::Mesh& mesh, const std::vector<int>& material,
                                                    Findings& findings) {
  std::vector<std::vector<std::size_t>> cells(config.materials.size());
  for (std::size_t k = 0; k < material.size(); ++k) {
    if (material[k] >= 0) cells[static_cast<std::size_t>(material[k])].push_back(k);
  }
  Filler filler(config, mesh, findings);
  const Scaling scaling = Scaling::of(config);
  std::vector<std::vector<double>> parameters;
  for (const dg::System::Parameter& parameter : system.parameters) {
    parameters.emplace_back(mesh.cells.size(), parameter.default_value);
  }
  for (std::size_t m = 0; m < cells.size(); ++m) {
    if (is_anisotropic(config)) {
      fill_tensors(m, cells[m], system, scaling.sigma, filler, parameters);
      continue;
    }
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const dg::System::Parameter& parameter = system.parameters[p];
      filler.fill(m, parameter, cells[m], parameters[p]);
      for (const std::size_t k : cells[m]) parameters[p][k] *= scaling.number(parameter.meaning.dimension);
    }
  }
  return parameters;
}

std::vector<bool> varying_cells(const Config& config, const std::vector<int>& material) {
  std::vector<bool> cells;
  for (const int entry : material) {
    cells.push_back(entry >= 0 &&
                    config.materials[static_cast<std::size_t>(entry)].profile == Material::WithinElements::smooth);
  }
  return cells;
}

dg::VaryingParameters varying_parameters(const Config& config, const dg::System& system, const dg::Discretization& d,
                                         const std::vector<int>& material,
                                         const std::vector<std::vector<double>>& parameters, Findings& findings) {
  dg::VaryingParameters varying;
  const std::vector<bool> varies = varying_cells(config, material);
  for (std::size_t k = 0; k < varies.size(); ++k) {
    if (varies[k]) varying.elements.push_back(static_cast<std::int32_t>(k));
  }
  for (std::size_t m = 0; m < config.materials.size(); ++m) {
    if (config.materials[m].profile != Material::WithinElements::smooth || !is_anisotropic(config)) continue;
    findings.add(
        "materials." + std::to_string(m) + ".profile",
        "smooth media cannot be in a mesh with tensors: formulas of tensors are read as means of cells alone; give all "
        "of epsilon_r and mu_r as scalars, or leave `profile` out");
    return {};
  }
  if (!varying.any()) return varying;
  varying.points = d.curved.value().quadrature.volume.size();
  for (const std::vector<double>& of_cells : parameters) {
    std::vector<double>& values = varying.values.emplace_back();
    for (const std::int32_t k : varying.elements) values.insert(values.end(), varying.points, of_cells[dg::index(k)]);
  }
  Filler filler(config, d.mesh, findings);
  const Scaling scaling = Scaling::of(config);
  for (std::size_t m = 0; m < config.materials.size(); ++m) {
    if (config.materials[m].profile != Material::WithinElements::smooth) continue;
    bool any = false;
    for (std::size_t p = 0; p < parameters.size(); ++p) {
      const dg::System::Parameter& parameter = system.parameters[p];
      any |= filler.fill_points(m, parameter, d, varying.elements, material,
                                scaling.number(parameter.meaning.dimension), varying.values[p]);
    }
    if (!any) {
      findings.add("materials." + std::to_string(m) + ".profile",
                   "nothing of this medium varies within an element; give an expression of x, y, z or values at "
                   "vertices, or leave `profile` out");
    }
  }
  return varying;
}

bool is_anisotropic(const Config& config) {
  const auto is_tensor = [](const auto& constant) { return constant.second.components.size() > 1; };
  return std::any_of(config.materials.begin(), config.materials.end(),
                     [&](const Material& m) { return std::any_of(m.constants.begin(), m.constants.end(), is_tensor); });
}

std::string tensor_complaint(const Eigen::Matrix3d& tensor) {
  if (!tensor.allFinite()) return "is not a finite number";
  const Eigen::Vector3d diagonal = tensor.diagonal();
  if (!(diagonal.minCoeff() > 0)) {
    return "must be positive definite, and has the diagonal element " + core::brief(diagonal.minCoeff());
  }
  for (const double constant : {diagonal.minCoeff(), diagonal.maxCoeff()}) {
    if (std::string wrong = range_complaint(constant); !wrong.empty()) return wrong;
  }
  // Each component against its own row and column: of a positive definite tensor |T_ij|^2 < T_ii T_jj.
  const Eigen::Vector3d scale = diagonal.cwiseSqrt().cwiseInverse();
  const Eigen::Matrix3d off = scale.asDiagonal() * (tensor - tensor.transpose()) * scale.asDiagonal();
  if (!(off.cwiseAbs().maxCoeff() <= 1e-9)) return "must be symmetric";
  const double least = dg::maxwell::smallest_eigenvalue((tensor + tensor.transpose()) / 2);
  return least > 0 ? "" : "must be positive definite, and has the eigenvalue " + core::brief(least);
}

std::string range_complaint(double constant) {
  constexpr double least = 1e-12, largest = 1e12;  // far beyond any medium, far within single precision
  if (constant >= least && constant <= largest) return "";
  return "is " + core::brief(constant) + ", and must be from 1e-12 to 1e+12";
}

bool varies_by_place(const Config& config) {
  const auto varies = [](const auto& constant) {
    const auto& [components, from_mesh] = constant.second;
    return from_mesh || !std::all_of(components.begin(), components.end(),
                                     [](const Profile& p) { return std::holds_alternative<double>(p); });
  };
  return std::any_of(config.materials.begin(), config.materials.end(),
                     [&](const Material& m) { return std::any_of(m.constants.begin(), m.constants.end(), varies); });
}

}  // namespace maxwell_dg::config
