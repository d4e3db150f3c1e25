#pragma once

#include <cstdint>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::dg::maxwell {

/// A pole of a permittivity, with time dependence e^{i w t} and angular frequencies in the units inside:
///
///   debye    strength / (1 + i w / rate)                                    strength = delta epsilon_r, rate = 1 / tau
///   drude    -strength^2 / (w^2 - i w rate)                                 strength = plasma frequency
///   lorentz  strength frequency^2 / (frequency^2 - w^2 + i w rate)          strength = delta epsilon_r, rate = damping
struct Pole {
  enum class Model { debye, drude, lorentz };
  Model model{};
  double strength{};
  double rate{};
  double frequency{};  ///< of lorentz
};

/// A medium's poles, beside its epsilon_r at infinite frequency, and the elements that it fills.
struct DispersiveMedium {
  std::vector<Pole> poles;
  std::vector<std::int32_t> elements;  ///< ascending
};

/// Polarization currents by auxiliary equations (Taflove & Hagness 2005, chapter 9): 3 auxiliary variables a node for a
/// debye or drude pole, 6 for a lorentz pole, in these elements alone. Media with the same sequence of models share a
/// term, so that hundreds of them are no more kernels than one. `ranks`: those that have parts of the mesh, all with
/// the same media in the same order, each with its own elements of these; they get the same terms. Collective.
[[nodiscard]] std::vector<ElementTerm> dispersion_terms(const System& system,
                                                        const std::vector<DispersiveMedium>& media,
                                                        const core::Communicator& ranks = {});

}  // namespace maxwell_dg::dg::maxwell
