#include "apps/config/materials/media.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>

#include "apps/config/materials/loss_tangent.hpp"
#include "apps/config/materials/values_by_place.hpp"
#include "apps/config/scaling.hpp"
#include "core/in_parallel.hpp"
#include "core/quantity.hpp"
#include "dg/maxwell/medium.hpp"
#include "dg/mesh/curved/curved_geometry.hpp"

namespace maxwell_dg::config {
namespace {

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

/// A tensor of this many components (MaterialConstant), of which `component(i)` returns one.
template <class Component>
Eigen::Matrix3d tensor_of(std::size_t count, const Component& component) {
  Eigen::Matrix3d tensor = Eigen::Matrix3d::Zero();
  for (std::size_t c = 0; c < count; ++c) {
    const double value = component(c);
    if (count == 1) tensor.diagonal().setConstant(value);
    if (count == 3) tensor(static_cast<int>(c), static_cast<int>(c)) = value;
    if (count == 9) tensor(static_cast<int>(c / 3), static_cast<int>(c % 3)) = value;
  }
  return tensor;
}

/// Of a tensor that is symmetric up to rounding.
Eigen::Matrix3d symmetric(const Eigen::Matrix3d& t) {
  return (t + t.transpose()) / 2;
}

/// Fills in the parameters of one material after another.
class Filler {
 public:
  Filler(const Config& config, const dg::System& system, const dg::Discretization& d, ParameterValues& into,
         Findings& findings)
      : config_(config),
        system_(system),
        d_(d),
        into_(into),
        findings_(findings),
        scaling_(Scaling::of(config)),
        values_(config, d.mesh, findings) {}

  /// `entry` of the materials, in its cells.
  void fill(std::size_t entry, const std::vector<std::size_t>& cells) {
    if (config_.materials[entry].within_elements == Material::WithinElements::smooth) return fill_smooth(entry, cells);
    if (is_anisotropic(config_)) return fill_tensors(entry, cells);
    for (std::size_t p = 0; p < system_.parameters.size(); ++p) {
      into_.parameters[p] = scalars(entry, system_.parameters[p], cells, std::move(into_.parameters[p]));
      for (const std::size_t k : cells) into_.parameters[p][k] *= scale_of(p);
    }
  }

 private:
  using AtPoints = ValuesByPlace::AtPoints;
  struct TensorsAtPoints {
    std::vector<AtPoints> components;
    [[nodiscard]] Eigen::Matrix3d at(std::size_t i) const {
      return tensor_of(components.size(), [&](std::size_t c) { return components[c].values[i]; });
    }
    [[nodiscard]] bool vary() const { return std::ranges::any_of(components, &AtPoints::vary); }
  };

  static std::string key_of(std::size_t entry, const std::string& parameter) {
    return "materials." + std::to_string(entry) + "." + parameter;
  }
  /// Of one of so many components.
  static std::string key_of(const std::string& key, std::size_t component, std::size_t count) {
    if (count == 1) return key;
    return key + "." + (count == 3 ? "" : std::to_string(component / 3) + ".") + std::to_string(component % 3);
  }
  [[nodiscard]] std::vector<NumberByPlace> components(std::size_t entry, const std::string& parameter) const {
    return components_of(config_.materials[entry], parameter);
  }
  [[nodiscard]] std::size_t number_of(const std::string& parameter) const {
    const auto found = std::ranges::find(system_.parameters, parameter, &dg::System::Parameter::name);
    return static_cast<std::size_t>(found - system_.parameters.begin());
  }
  [[nodiscard]] double scale_of(std::size_t parameter) const {
    return scaling_.number(system_.parameters[parameter].meaning.dimension);
  }
  [[nodiscard]] Fault fault_of(std::size_t entry, const dg::System::Parameter& parameter, double value) const {
    return config::fault_of(parameter, config_.equations(), config_.materials[entry].active, value);
  }

  /// `values`, with one constant of one material in its cells.
  std::vector<double> scalars(std::size_t entry, const dg::System::Parameter& parameter,
                              const std::vector<std::size_t>& cells, std::vector<double> values) {
    const std::string key = key_of(entry, parameter.name);
    if (!values_.take_means(components(entry, parameter.name).front(), key, cells, values)) return values;
    for (const std::size_t k : cells) {
      const Fault fault = fault_of(entry, parameter, values[k]);
      if (fault == Fault::none) continue;
      findings_.add(key, complaint(fault, values[k], place(k)));
      break;
    }
    return values;
  }

  /// [cell] one constant that may be a tensor; the unit tensor where there was a finding.
  std::vector<Eigen::Matrix3d> tensors(std::size_t entry, const std::string& parameter,
                                       const std::vector<std::size_t>& cells) {
    const std::vector<NumberByPlace> given = components(entry, parameter);
    const std::string key = key_of(entry, parameter);
    std::vector<Eigen::Matrix3d> none(cells.size(), Eigen::Matrix3d::Identity());
    std::vector<std::vector<double>> values;  // [component][cell of the mesh]
    for (std::size_t c = 0; c < given.size(); ++c) {
      std::vector<double>& of_component = values.emplace_back(d_.mesh.cells.size());
      if (!values_.take_means(given[c], key_of(key, c, given.size()), cells, of_component)) return none;
    }
    std::vector<Eigen::Matrix3d> result;
    for (const std::size_t k : cells) {
      result.push_back(tensor_of(given.size(), [&](std::size_t c) { return values[c][k]; }));
      const std::string wrong = tensor_complaint(result.back());
      if (wrong.empty()) continue;
      findings_.add(key, wrong + place(k));
      return none;
    }
    return result;
  }

  void fill_tensors(std::size_t entry, const std::vector<std::size_t>& cells) {
    const std::vector<Eigen::Matrix3d> epsilon_r = tensors(entry, "epsilon_r", cells),
                                       mu_r = tensors(entry, "mu_r", cells);
    const std::size_t s = number_of("sigma");
    const std::vector<double> sigma =
        scalars(entry, system_.parameters[s], cells, std::vector<double>(d_.mesh.cells.size()));
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::vector<double> all = dg::maxwell::anisotropic_parameters(symmetric(epsilon_r[i]), symmetric(mu_r[i]),
                                                                          sigma[cells[i]] * scale_of(s));
      for (std::size_t p = 0; p < all.size(); ++p) into_.parameters[p][cells[i]] = all[p];
    }
  }

  void fill_smooth(std::size_t entry, const std::vector<std::size_t>& cells) {
    constexpr std::size_t at_once = 4096;  // there are many points
    bool any_varies = false;
    for (std::size_t first = 0; first < cells.size(); first += at_once) {
      const std::span<const std::size_t> part =
          std::span(cells).subspan(first, std::min(at_once, cells.size() - first));
      const std::optional<bool> varies =
          is_anisotropic(config_) ? fill_smooth_tensors(entry, part) : fill_smooth_scalars(entry, part);
      if (!varies) return;
      any_varies |= *varies;
    }
    if (!cells.empty()) into_.within[entry] = any_varies ? 1 : -1;
  }

  /// Whether something varies within some cells; nothing where there was a finding.
  std::optional<bool> fill_smooth_scalars(std::size_t entry, std::span<const std::size_t> cells) {
    bool any_varies = false;
    for (std::size_t p = 0; p < system_.parameters.size(); ++p) {
      const std::optional<AtPoints> at_points = scalars_at_points(entry, p, cells);
      if (!at_points) return std::nullopt;
      any_varies |= at_points->vary;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::span<double> values = points_of(p, cells[i]);
        for (std::size_t point = 0; point < points(); ++point) {
          values[point] = at_points->values[i * points() + point] * scale_of(p);
        }
        into_.parameters[p][cells[i]] =
            at_points->vary ? mean_of(cells[i], 0.0, [&](std::size_t point) { return values[point]; }) : values[0];
      }
    }
    return any_varies;
  }

  std::optional<bool> fill_smooth_tensors(std::size_t entry, std::span<const std::size_t> cells) {
    const std::size_t s = number_of("sigma");
    const std::optional<TensorsAtPoints> epsilon_r = tensors_at_points(entry, "epsilon_r", cells),
                                         mu_r = tensors_at_points(entry, "mu_r", cells);
    const std::optional<AtPoints> sigma = scalars_at_points(entry, s, cells);
    if (!epsilon_r || !mu_r || !sigma) return std::nullopt;
    for_each_in_parallel(cells.size(), [&](std::size_t i) {
      const std::size_t k = cells[i];
      const auto epsilon_at = [&](std::size_t point) { return symmetric(epsilon_r->at(i * points() + point)); };
      const auto mu_at = [&](std::size_t point) { return symmetric(mu_r->at(i * points() + point)); };
      const auto sigma_at = [&](std::size_t point) { return sigma->values[i * points() + point] * scale_of(s); };
      for (std::size_t point = 0; point < points(); ++point) {
        const std::vector<double> all =
            dg::maxwell::anisotropic_parameters(epsilon_at(point), mu_at(point), sigma_at(point));
        for (std::size_t p = 0; p < all.size(); ++p) points_of(p, k)[point] = all[p];
      }
      const Eigen::Matrix3d zero = Eigen::Matrix3d::Zero();
      const std::vector<double> means = dg::maxwell::anisotropic_parameters(
          mean_of(k, zero, epsilon_at), mean_of(k, zero, mu_at), mean_of(k, 0.0, sigma_at));
      for (std::size_t p = 0; p < means.size(); ++p) into_.parameters[p][k] = means[p];
    });
    return epsilon_r->vary() || mu_r->vary() || sigma->vary;
  }

  std::optional<AtPoints> scalars_at_points(std::size_t entry, std::size_t p, std::span<const std::size_t> cells) {
    const dg::System::Parameter& parameter = system_.parameters[p];
    const std::string key = key_of(entry, parameter.name);
    std::optional<AtPoints> result = values_.at_points(components(entry, parameter.name).front(), key, d_, cells);
    for (std::size_t i = 0; result && i < result->values.size(); ++i) {
      const Fault fault = fault_of(entry, parameter, result->values[i]);
      if (fault == Fault::none) continue;
      findings_.add(key, complaint(fault, result->values[i], place(cells[i / points()], i % points())));
      return std::nullopt;
    }
    return result;
  }

  std::optional<TensorsAtPoints> tensors_at_points(std::size_t entry, const std::string& parameter,
                                                   std::span<const std::size_t> cells) {
    const std::vector<NumberByPlace> given = components(entry, parameter);
    const std::string key = key_of(entry, parameter);
    TensorsAtPoints result;
    for (std::size_t c = 0; c < given.size(); ++c) {
      std::optional<AtPoints> component = values_.at_points(given[c], key_of(key, c, given.size()), d_, cells);
      if (!component) return std::nullopt;
      result.components.push_back(*std::move(component));
    }
    std::vector<std::string> wrong(cells.size());
    for_each_in_parallel(cells.size(), [&](std::size_t i) {
      for (std::size_t point = 0; point < points() && wrong[i].empty(); ++point) {
        wrong[i] = tensor_complaint(result.at(i * points() + point));
        if (!wrong[i].empty()) wrong[i] += place(cells[i], point);
      }
    });
    const auto first = std::ranges::find_if(wrong, [](const std::string& text) { return !text.empty(); });
    if (first == wrong.end()) return result;
    findings_.add(key, *first);
    return std::nullopt;
  }

  [[nodiscard]] std::size_t points() const { return into_.varying.points; }
  /// The values of a parameter at the points of a cell.
  [[nodiscard]] std::span<double> points_of(std::size_t parameter, std::size_t cell) const {
    const auto number = static_cast<std::size_t>(into_.varying.find(cell));
    return std::span(into_.varying.values[parameter]).subspan(number * points(), points());
  }
  [[nodiscard]] std::size_t first_point(std::size_t cell) const {
    return dg::index(d_.mesh.curved.number[cell]) * points();
  }
  /// Of a cell, by its quadrature, whose weights are positive: the mean of tensors that are positive definite is so.
  template <class Sum, class At>
  [[nodiscard]] Sum mean_of(std::size_t cell, Sum sum, const At& at) const {
    const dg::CurvedGeometry& geometry = d_.curved.value();
    double volume = 0;
    for (std::size_t point = 0; point < points(); ++point) {
      const double weight = geometry.quadrature.volume.weights[point] *
                            std::abs(dg::determinant(geometry.at_volume_points[first_point(cell) + point]));
      sum += weight * at(point);
      volume += weight;
    }
    return sum / volume;
  }

  [[nodiscard]] std::string place(std::size_t cell) const {
    return place_in(d_.mesh, dg::centroid(d_.mesh, d_.mesh.cells[cell]), cell);
  }
  [[nodiscard]] std::string place(std::size_t cell, std::size_t point) const {
    return place_in(d_.mesh, d_.curved->volume_positions[first_point(cell) + point], cell);
  }

  const Config& config_;
  const dg::System& system_;
  const dg::Discretization& d_;
  ParameterValues& into_;
  Findings& findings_;
  Scaling scaling_;
  ValuesByPlace values_;
};

}  // namespace

ParameterValues parameter_values(const Config& config, const dg::System& system, const dg::Discretization& d,
                                 const std::vector<int>& material, Findings& findings) {
  ParameterValues result;
  const std::vector<bool> varies = varying_cells(config, material);
  std::vector<std::vector<std::size_t>> cells(config.materials.size());
  for (std::size_t k = 0; k < material.size(); ++k) {
    if (material[k] >= 0) cells[static_cast<std::size_t>(material[k])].push_back(k);
    if (varies[k]) result.varying.elements.push_back(static_cast<std::int32_t>(k));
  }
  for (const dg::System::Parameter& parameter : system.parameters) {
    result.parameters.emplace_back(d.mesh.cells.size(), parameter.default_value);
  }
  if (result.varying.any()) {
    result.varying.points = d.curved.value().quadrature.volume.size();
    const std::vector<double> none(result.varying.elements.size() * result.varying.points);
    result.varying.values.assign(system.parameters.size(), none);
  }
  result.within.assign(config.materials.size(), 0);
  Filler filler(config, system, d, result, findings);
  for (std::size_t m = 0; m < cells.size(); ++m) filler.fill(m, cells[m]);
  return result;
}

std::vector<bool> varying_cells(const Config& config, const std::vector<int>& material) {
  std::vector<bool> cells;
  for (const int entry : material) {
    cells.push_back(entry >= 0 && config.materials[static_cast<std::size_t>(entry)].within_elements ==
                                      Material::WithinElements::smooth);
  }
  return cells;
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
    return !std::ranges::all_of(constant.second.components,
                                [](const NumberByPlace& p) { return std::holds_alternative<double>(p); });
  };
  return std::any_of(config.materials.begin(), config.materials.end(),
                     [&](const Material& m) { return std::any_of(m.constants.begin(), m.constants.end(), varies); });
}

}  // namespace maxwell_dg::config
