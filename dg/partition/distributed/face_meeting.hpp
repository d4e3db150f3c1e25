#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/mpi/communicator.hpp"

namespace maxwell_dg::dg {

/// A face of which a rank does not know what is on its other side.
struct OpenFace {
  std::array<std::int32_t, 3> key;       ///< ascending; the same on both sides
  std::array<std::int32_t, 3> vertices;  ///< ascending: its own, which differ from the key where the face is periodic
  std::int32_t element;                  ///< its number in the whole mesh
  std::int32_t region;                   ///< as in Mesh::cell_region
};

/// The other side.
struct FacePartner {
  int rank;
  OpenFace face;
};

/// [face] What meets it, on another rank or on this one; none on the outside of the mesh. Faces find each other on a
/// rank that their key says. Throws MeshError, which begins with `origin`, where more than two have one key.
/// Collective.
[[nodiscard]] std::vector<std::optional<FacePartner>> partners_of(std::span<const OpenFace> mine,
                                                                  const std::string& origin,
                                                                  const core::Communicator& ranks);

}  // namespace maxwell_dg::dg
