#include "apps/simulation/checks/symmetry_checks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "apps/config/named_parts.hpp"
#include "apps/config/resolve.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/text.hpp"
#include "core/error.hpp"
#include "core/mpi/first_error.hpp"
#include "core/quantity.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/scene.hpp"
#include "dg/maxwell/symmetry.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::simulation {
namespace {

namespace maxwell = dg::maxwell;
using dg::symbolic::Expr;
using maxwell::MirrorImage;
using maxwell::SymmetryPlane;

/// Checks against one plane.
class Plane {
 public:
  Plane(const config::Config& config, const SymmetryPlane& plane, const dg::Discretization& d,
        const core::Communicator& ranks)
      : config_(config),
        plane_(plane),
        image_(maxwell::mirror_images(std::span(&plane, 1)).back()),
        d_(d),
        ranks_(ranks),
        tolerance_(maxwell::symmetry_tolerance(dg::bounding_box_of_all(d.mesh.vertices, ranks))) {}

  void check(const std::string& key, const config::PlaneWave& wave) const {
    constexpr double parallel = maxwell::parallel_within;
    if (std::abs(wave.direction[plane_.axis]) > parallel * dg::length(wave.direction)) {
      refuse_broken(key + ".direction", "the wave must travel along the plane");
    }
    if (!is_even(wave.polarization, image_.E)) {
      refuse_broken(key + ".polarization", plane_.kind == SymmetryPlane::Kind::electric
                                               ? "E must be normal to the plane"
                                               : "E must lie in the plane");
    }
  }

  void check(const std::string& key, const config::Dipole& dipole) const {
    if (std::abs(dipole.at[plane_.axis]) > tolerance_) {
      refuse_broken(key + ".at", "the dipole does not lie in the plane, and the whole would have two of them");
    }
    const bool is_electric = dipole.kind == config::Dipole::Kind::electric;
    if (is_even(dipole.moment, is_electric ? image_.E : image_.H)) return;
    const bool normal = is_electric == (plane_.kind == SymmetryPlane::Kind::electric);
    refuse_broken(key + ".moment", normal ? "the moment must be normal to the plane" : "the moment must lie in it");
  }

  void check(const std::string& key, const config::Current& current) const {
    const std::vector<bool> chosen = config::region_cells(config_, key + ".region", current.region, d_.mesh);
    constexpr int times = 5;
    std::vector<dg::Point> points;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (chosen[k]) points.push_back(centroid(d_.mesh, d_.mesh.cells[k]));
    }
    check_vector(key + ".density", expressions(current.density), image_.E, points, times);
    check_vector(key + ".imaginary_density", expressions(current.imaginary_density), image_.E, points, times);
  }

  void check(const std::string&, const config::DrivenPorts&) const {}

  void check_initial(const std::string& key, const std::vector<Expr>& fields) const {
    std::vector<dg::Point> points;
    for (const auto& cell : d_.mesh.cells) points.push_back(centroid(d_.mesh, cell));
    const auto part = [&](int first) { return std::vector<Expr>(fields.begin() + first, fields.begin() + first + 3); };
    check_vector(key + ".E", part(maxwell::E.first), image_.E, points, 1);
    check_vector(key + ".H", part(maxwell::H.first), image_.H, points, 1);
  }

  /// Of a tensor that is its own mirror image, the entries between the plane's normal and the others are odd along the
  /// normal: 0 where they are constant. Values at vertices are those of one half, and the other one's are their image.
  void check_media(const dg::Problem& problem, const std::vector<int>& material) const {
    if (!problem.system.has_tensors()) return;
    for (std::size_t other = 0; other < 3; ++other) {
      if (other == plane_.axis) continue;
      const std::size_t row = std::min(other, plane_.axis), column = std::max(other, plane_.axis);
      for (const std::string tensor : {"epsilon", "mu"}) {
        check_constants(tensor, {"xyz"[row], "xyz"[column]}, problem);
        check_formulas(tensor, row, column, material);
      }
    }
  }

 private:
  [[noreturn]] void refuse_broken(const std::string& key, const std::string& what) const {
    const std::string kind = plane_.kind == SymmetryPlane::Kind::electric ? "electric" : "magnetic";
    refuse(config_, key,
           "breaks the " + kind + " symmetry of the plane " + name_of(plane_) + ": " + what +
               "; or use the whole mesh, without this plane of `symmetry`");
  }

  /// Where media do not vary within elements.
  void check_constants(const std::string& tensor, const std::string& entry, const dg::Problem& problem) const {
    const auto parameter =
        std::ranges::find(problem.system.parameters, tensor + "_" + entry, &dg::System::Parameter::name);
    const std::vector<double>& values =
        problem.parameters.at(static_cast<std::size_t>(parameter - problem.system.parameters.begin()));
    for (std::size_t k = 0; k < values.size(); ++k) {
      if (std::abs(values[k]) <= 1e-9 || problem.varying.find(k) >= 0) continue;
      refuse_broken("materials", "the entry " + entry + " of " + tensor + "_r must be 0, and is " +
                                     core::brief(values[k]) + " at " + where(k));
    }
  }

  /// Where they do, by expressions.
  void check_formulas(const std::string& tensor, std::size_t row, std::size_t column,
                      const std::vector<int>& material) const {
    for (std::size_t m = 0; m < config_.materials.size(); ++m) {
      const config::Material& medium = config_.materials[m];
      const std::vector<config::NumberByPlace>& components = medium.constants.at(tensor + "_r").components;
      if (medium.within_elements != config::Material::WithinElements::smooth || components.size() != 9) continue;
      const config::NumberByPlace& component = components[3 * row + column];
      if (std::holds_alternative<config::FromMesh>(component)) continue;
      const auto* const number = std::get_if<double>(&component);
      const Expr entry =
          number != nullptr ? Expr(*number) : config::expression(config_, std::get<config::Formula>(component));
      for (std::size_t k = 0; k < material.size(); ++k) {
        if (material[k] != static_cast<int>(m)) continue;
        const dg::Point x = centroid(d_.mesh, d_.mesh.cells[k]);
        const double here = dg::symbolic::evaluate(entry, x, 0), there = dg::symbolic::evaluate(entry, image_of(x), 0);
        if (std::abs(here + there) <= 1e-9 + 1e-6 * std::abs(here)) continue;
        refuse_broken("materials." + std::to_string(m) + "." + tensor + "_r",
                      "as a function of " + std::string(1, "xyz"[plane_.axis]) + " the entry " +
                          std::string{"xyz"[row], "xyz"[column]} + " must be odd, and is not at " + where(k));
      }
    }
  }

  [[nodiscard]] std::string where(std::size_t k) const { return dg::text_of(centroid(d_.mesh, d_.mesh.cells[k])); }
  [[nodiscard]] dg::Point image_of(const dg::Point& x) const {
    return {image_.position[0] * x[0], image_.position[1] * x[1], image_.position[2] * x[2]};
  }

  /// Is a vector in the plane its own image?
  [[nodiscard]] static bool is_even(const config::Vector3& v, const std::array<double, 3>& mirrored) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (mirrored.at(i) < 0 && std::abs(v[i]) > maxwell::parallel_within * dg::length(v)) return false;
    }
    return true;
  }

  [[nodiscard]] std::vector<Expr> expressions(const std::vector<config::Formula>& formulas) const {
    std::vector<Expr> result;
    for (const config::Formula& formula : formulas) result.push_back(config::expression(config_, formula));
    return result;
  }

  /// Compares a vector at points with what its mirror image is there, at so many times of the run. `key` has a list of
  /// its components.
  void check_vector(const std::string& key, const std::vector<Expr>& v, const std::array<double, 3>& mirrored,
                    const std::vector<dg::Point>& points, int times) const {
    if (std::ranges::all_of(v, [](const Expr& e) { return e.is_constant(0); })) return;
    const dg::symbolic::Program program(v);
    std::vector<double> work(program.size());
    const auto value = [&](const dg::Point& x, double t) {
      dg::Point result;
      program.run(
          [&](const dg::symbolic::Symbol& s) {
            return s.kind == dg::symbolic::Symbol::Kind::time ? t : x.at(static_cast<std::size_t>(s.axis));
          },
          work, result);
      return result;
    };
    const double end = config_.end_time() * config::Scaling::of(config_).time;
    double largest = 0;
    dg::Point off{};  // [component]
    for (int i = 0; i < times; ++i) {
      const double t = end * i / times;
      for (const dg::Point& x : points) {
        const dg::Point image{image_.position[0] * x[0], image_.position[1] * x[1], image_.position[2] * x[2]};
        const dg::Point here = value(x, t), there = value(image, t);
        for (std::size_t c = 0; c < 3; ++c) {
          largest = std::max(largest, std::abs(here[c]));
          off[c] = std::max(off[c], std::abs(there[c] - mirrored.at(c) * here[c]));
        }
      }
    }
    ranks_.max({&largest, 1});
    ranks_.max(off);
    const auto breaking = std::ranges::find_if(off, [&](double by) { return by > 1e-6 * largest; });
    if (breaking == off.end()) return;
    std::string wanted;
    for (std::size_t c = 0; c < 3; ++c) {
      wanted += (c == 0 ? "" : ", ") + std::string(1, "xyz"[c]) + (mirrored.at(c) > 0 ? " even" : " odd");
    }
    refuse_broken(key + "." + std::to_string(breaking - off.begin()),
                  "as functions of " + std::string(1, "xyz"[plane_.axis]) + " its components must be: " + wanted);
  }

  const config::Config& config_;
  const SymmetryPlane& plane_;
  MirrorImage image_;
  const dg::Discretization& d_;
  const core::Communicator& ranks_;
  double tolerance_;
};

}  // namespace

void require_symmetric(const config::Config& config, const dg::Discretization& discretization,
                       const dg::Problem& problem, const std::vector<int>& material, const core::Communicator& ranks) {
  for (const SymmetryPlane& of_config : config.symmetry) {
    const Plane plane(config, of_config, discretization, ranks);
    core::on_all_ranks<ConfigError>(ranks, [&] { plane.check_media(problem, material); });
    for (std::size_t i = 0; i < config.sources.size(); ++i) {
      const std::string key = "sources." + std::to_string(i);
      std::visit([&](const auto& source) { plane.check(key, source); }, config.sources[i]);
    }
    const dg::System& system = problem.system;
    plane.check_initial("initial_fields", config::expressions(config, config.initial_fields, system));
    if (config.imaginary) {
      plane.check_initial("imaginary.initial_fields",
                          config::expressions(config, config.imaginary->initial_fields, system));
    }
  }
}

}  // namespace maxwell_dg::simulation
