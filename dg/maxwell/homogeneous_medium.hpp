#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg::maxwell {

/// An isotropic medium without losses or poles, relative to vacuum: what fills a guide, or what a wave comes in
/// through.
struct HomogeneousMedium {
  double epsilon_r = 1, mu_r = 1;

  /// Over that of vacuum.
  [[nodiscard]] double impedance() const;
  /// The speed of light in vacuum over that in the medium.
  [[nodiscard]] double refractive_index() const;
  [[nodiscard]] bool operator==(const HomogeneousMedium&) const = default;
};

/// "vacuum", or "epsilon_r 2.2, mu_r 1"
[[nodiscard]] std::string name_of(const HomogeneousMedium& medium);

/// What an element is filled with.
struct MediumOfElement {
  std::optional<HomogeneousMedium> homogeneous{};  ///< none where it varies, or has losses, poles or a tensor
  std::string name{};                              ///< "epsilon_r 2.2, mu_r 1", "a medium with losses" ...
};
[[nodiscard]] MediumOfElement medium_of(const Problem& problem, std::size_t element);

/// medium_of(problem, element).homogeneous
[[nodiscard]] std::optional<HomogeneousMedium> homogeneous_medium(const Problem& problem, std::size_t element);

}  // namespace maxwell_dg::dg::maxwell
