#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dg/symbolic/system.hpp"

namespace maxwell_dg::config {

/// A system of equations as configs know it. Which fields, material constants and boundary conditions it has, and what
/// they mean, is asked of the system itself.
struct KnownSystem {
  /// What a config chooses about its equations.
  struct Choices {
    double alpha{1.0};   ///< of the flux: 1 upwind, 0 central
    bool anisotropic{};  ///< some material has a tensor
  };

  std::string name;  ///< "maxwell"
  std::string doc;   ///< one line
  std::function<dg::System(const Choices&)> make;
  /// Are they Maxwell's equations for E and H? For them alone there are sources, ports, PMLs, sheets, far fields,
  /// dispersion and materials by name, and units inside in which c_0 = Z_0 = 1 (see Scaling).
  bool is_maxwell{};
  std::vector<std::string> tensors{};  ///< names of parameters for which a config may give a tensor
  dg::System standard = make({});      ///< with the choices as they are by default

  /// The fields that a config may name, with the number of their components: E and H of 3, or p of 1 and u of 3.
  [[nodiscard]] std::vector<std::pair<std::string, std::size_t>> fields() const;
  [[nodiscard]] std::vector<std::string> field_names() const;
};

using Systems = std::vector<KnownSystem>;

/// The systems of this program; a config that names none takes the first.
[[nodiscard]] std::shared_ptr<const Systems> known_systems();

}  // namespace maxwell_dg::config
