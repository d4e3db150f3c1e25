#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "apps/config/config.hpp"
#include "core/mpi/communicator.hpp"
#include "dg/maxwell/port.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/partition/distributed/cells_around.hpp"
#include "dg/symbolic/system.hpp"

namespace maxwell_dg::simulation {

/// [surface] Is it one of a port or of a lumped element, whose mode all ranks find? Empty where the config has neither.
[[nodiscard]] std::vector<bool> surfaces_with_modes(const config::Config& config,
                                                    const std::vector<std::string>& surfaces);

/// The problem around the ports and lumped elements of a mesh that is read by slices, on a mesh of its own, the same on
/// all ranks: enough to find their modes by. Of terms it has the names, and where they are; conditions hold at the
/// boundary faces of the whole mesh, elsewhere the last of the system's, which nobody asks for. Of complex fields it
/// has the elements of the real part.
class Surroundings {
 public:
  /// `part` of this rank with its problem and config::Resolved::ports; all ranks have the same terms. Throws
  /// dg::NeedsWholeMesh where vertices were moved since the cells around were read, or where a face of a port or
  /// element is joined to one that is not around. Collective.
  Surroundings(const config::Config& config, dg::CellsAround around, const dg::Discretization& part,
               const dg::Problem& problem, const std::vector<int>& ports, const core::Communicator& ranks);

  [[nodiscard]] const dg::Discretization& discretization() const { return d_; }
  [[nodiscard]] const dg::Problem& problem() const { return problem_; }
  /// [boundary face] as config::Resolved::ports.
  [[nodiscard]] const std::vector<int>& ports() const { return ports_; }

  /// Numbers a mode's faces as the part does; the elements of other ranks are PointLocation::elsewhere.
  void number_as_part(dg::maxwell::PortMode& mode) const;

 private:
  struct Face {
    std::int32_t condition, port;  ///< condition -1: of another element
  };
  struct Element {
    std::int32_t number, varies;  ///< in the whole mesh
    std::array<Face, 4> faces;
  };
  void gather_terms(const dg::Discretization& part, const dg::Problem& problem, const core::Communicator& ranks);
  void take_conditions(const config::Config& config, const std::vector<Element>& elements);
  /// The element with a number in the whole mesh.
  [[nodiscard]] std::optional<std::size_t> find(std::int32_t number) const;

  std::vector<std::int32_t> numbers_;  ///< [element] in the whole mesh
  dg::Discretization d_;
  dg::Problem problem_;
  std::vector<int> ports_;
  std::vector<std::size_t> in_part_;  ///< [element] in this rank's part, PointLocation::elsewhere
};

}  // namespace maxwell_dg::simulation
