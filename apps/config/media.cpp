#include "apps/config/media.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "apps/config/resolve.hpp"
#include "apps/config/scaling.hpp"
#include "core/quantity.hpp"
#include "core/suggest.hpp"
#include "dg/operator/discretization.hpp"
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
    for (int i = 0; i < element_.Np; ++i) {
      const dg::Point x = dg::node(mesh_, element_, cell, i);
      double value{};
      formula.run([&](const dg::symbolic::Symbol& s) { return x.at(static_cast<std::size_t>(s.index)); }, work_,
                  {&value, 1});
      if (!std::isfinite(value)) return value;
      sum += weights_[i] * value;
      least = std::min(least, value);
      largest = std::max(largest, value);
    }
    return std::clamp(sum, least, largest);
  }

 private:
  const dg::Mesh& mesh_;
  dg::ReferenceElement element_;
  Eigen::VectorXd weights_;
  std::vector<double> work_;
};

std::string names_of(const dg::Mesh& mesh) {
  std::string list;
  for (const auto& [name, values] : mesh.cell_values) list += (list.empty() ? "" : ", ") + name;
  return list.empty() ? "none" : list;
}

enum class Fault { none, not_finite, not_positive, puts_energy_in };

Fault fault_of(std::string_view parameter, const Material& material, double value) {
  if (!std::isfinite(value)) return Fault::not_finite;
  if (parameter != "sigma") return value > 0 ? Fault::none : Fault::not_positive;
  return value >= 0 || material.active ? Fault::none : Fault::puts_energy_in;
}

std::string complaint(Fault fault, double value, const std::string& where) {
  if (fault == Fault::not_finite) return "is not a finite number" + where;
  if (fault == Fault::not_positive) return "must be above 0, and is " + core::brief(value) + where;
  return "is " + core::brief(value) + where +
         ": the medium puts energy in; if that is meant, say active: true beside it";
}

/// Values of one constant of one material in its cells; `values` of other cells are left.
class Filler {
 public:
  Filler(const Config& config, const dg::Mesh& mesh, Findings& findings)
      : config_(config), mesh_(mesh), findings_(findings) {}

  void fill(std::size_t entry, const std::string& parameter, const std::vector<std::size_t>& cells,
            std::vector<double>& values) {
    const Material& material = config_.materials[entry];
    const MaterialConstant& given = material.constants.at(parameter);
    const std::string key = "materials." + std::to_string(entry) + "." + parameter;
    if (given.from_mesh) {
      if (!copy(*given.from_mesh, key, cells, values)) return;
    } else if (const auto* number = std::get_if<double>(&given.components.front())) {
      for (const std::size_t k : cells) values[k] = *number;
    } else {
      take_means(std::get<Formula>(given.components.front()), cells, values);
    }
    for (const std::size_t k : cells) {
      const Fault fault = fault_of(parameter, material, values[k]);
      if (fault != Fault::none) return findings_.add(key, complaint(fault, values[k], place(k)));
    }
  }

 private:
  bool copy(const std::string& name, const std::string& key, const std::vector<std::size_t>& cells,
            std::vector<double>& values) {
    const auto found = mesh_.cell_values.find(name);
    if (found == mesh_.cell_values.end()) {
      findings_.add(key + ".from_mesh",
                    "the mesh has no values '" + name + "'; it has: " + names_of(mesh_) +
                        ". They are float64 datasets /cell_values/NAME of an HDF5 mesh, one number a "
                        "cell");
      return false;
    }
    for (const std::size_t k : cells) values[k] = found->second[k];
    return true;
  }

  void take_means(const Formula& formula, const std::vector<std::size_t>& cells, std::vector<double>& values) {
    const dg::symbolic::Program program({expression(config_, formula)});
    if (!means_) means_.emplace(mesh_, config_.solver.order);
    for (const std::size_t k : cells) values[k] = means_->mean(program, k);
  }

  [[nodiscard]] std::string place(std::size_t cell) const {
    const dg::Point p = dg::centroid(mesh_, mesh_.cells[cell]);
    const int region = mesh_.cell_region[cell];
    const std::string at = " at (" + core::brief(p[0]) + ", " + core::brief(p[1]) + ", " + core::brief(p[2]) + ")";
    return region < 0 ? at : at + " in region '" + mesh_.regions[static_cast<std::size_t>(region)] + "'";
  }

  const Config& config_;
  const dg::Mesh& mesh_;
  Findings& findings_;
  std::optional<CellMeans> means_;
};

}  // namespace

std::vector<std::vector<double>> element_parameters(const Config& config, const dg::System& system,
                                                    const dg::Mesh& mesh, const std::vector<int>& material,
                                                    Findings& findings) {
  std::vector<std::vector<std::size_t>> cells(config.materials.size());
  for (std::size_t k = 0; k < material.size(); ++k) {
    if (material[k] >= 0) cells[static_cast<std::size_t>(material[k])].push_back(k);
  }
  const Scaling scaling = Scaling::of(config);
  Filler filler(config, mesh, findings);
  std::vector<std::vector<double>> parameters;
  for (const dg::System::Parameter& parameter : system.parameters) {
    std::vector<double>& values = parameters.emplace_back(mesh.cells.size(), parameter.default_value);
    for (std::size_t m = 0; m < cells.size(); ++m) {
      filler.fill(m, parameter.name, cells[m], values);
      for (const std::size_t k : cells[m]) values[k] *= scaling.parameter(parameter.name);
    }
  }
  return parameters;
}

bool varies_by_place(const Config& config) {
  const auto varies = [](const auto& constant) {
    return constant.second.from_mesh || !std::holds_alternative<double>(constant.second.components.front());
  };
  return std::any_of(config.materials.begin(), config.materials.end(),
                     [&](const Material& m) { return std::any_of(m.constants.begin(), m.constants.end(), varies); });
}

}  // namespace maxwell_dg::config
