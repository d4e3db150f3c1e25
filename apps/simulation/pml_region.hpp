#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "apps/simulation/plan.hpp"
#include "dg/maxwell/pml_layer.hpp"
#include "dg/mesh/discretization.hpp"

namespace maxwell_dg::simulation {

/// The PML that a config asks for, by `pml` or by boundaries of type pml.
struct PmlRegion {
  std::string key;                   ///< of the config, to blame: "pml", "boundaries.1"
  std::vector<bool> cells;           ///< [element] is it a part?
  double thickness{};                ///< after the stretch by kappa
  std::optional<double> reflection;  ///< none: PmlLayer's default
  double alpha{};                    ///< inside
  std::optional<dg::maxwell::PmlLayer::Shape> shape;

  [[nodiscard]] std::vector<std::int32_t> elements() const;
};

/// Of the config that has one: "pml", or "boundaries.1", the first of type pml.
[[nodiscard]] std::string key_of_pml(const config::Config& config);

/// Of such a config, after the stretch by kappa.
[[nodiscard]] double thickness_of_pml(const config::Config& config);

/// Of such a config, inside: the angular frequency below which its PML damps less.
[[nodiscard]] double alpha_of_pml(const config::Config& config);

/// `layer_faces`: config::Resolved's. `ranks`: those that have parts of the mesh. Throws ConfigError for a region that
/// the mesh lacks. Collective.
[[nodiscard]] std::optional<PmlRegion> pml_region(const config::Config& config,
                                                  const dg::Discretization& discretization,
                                                  const std::vector<bool>& layer_faces,
                                                  const core::Communicator& ranks);

/// Does the PML have a pml.kappa, by which its vertices are moved?
[[nodiscard]] bool is_stretched(const config::Config& config);
/// Moves these vertices. Throws ConfigError for a PML that is none.
void stretch_layer(const config::Config& config, dg::Mesh& mesh);
/// The same of the part of a mesh that this rank has, of which `unmoved` is a discretization. Collective.
void stretch_layer(const config::Config& config, dg::Mesh& mesh, const dg::Discretization& unmoved,
                   const core::Communicator& ranks);

/// [region + 1] Whose cells count as curved, whatever their maps: those of `varying` (config::varying_regions), and
/// where a PML in a sphere or a cylinder has curved and straight elements, its regions. Straight ones then stretch like
/// their neighbours, not by the mean of an element. `mesh`: prepared, its surfaces not joined yet.
[[nodiscard]] std::vector<bool> regions_to_curve(const config::Config& config, const dg::Mesh& mesh,
                                                 const std::vector<bool>& varying);
/// The same of the part of a mesh that this rank has, of which `part` is a discretization of any order. Collective.
[[nodiscard]] std::vector<bool> regions_to_curve(const config::Config& config, const dg::Discretization& part,
                                                 const std::vector<bool>& varying, const core::Communicator& ranks);

/// "168 elements, 5 cm thick, 2 elements across where it is coarsest, with 6 to 12 variables a node beside the fields;
/// reflection 2.1e-06, by default for its elements of order 3"; "a node or point" where some are curved. Collective.
[[nodiscard]] std::string describe_pml(const Plan& plan);

/// Warns of a PML that begins inside, or of which parts do not damp. Collective.
void check_pml(const config::Config& config, const PmlRegion& region, const dg::maxwell::PmlLayer& layer,
               const dg::Discretization& discretization, const core::Communicator& ranks);

}  // namespace maxwell_dg::simulation
