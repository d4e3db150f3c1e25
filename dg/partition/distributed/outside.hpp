#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/periodic.hpp"
#include "dg/partition/distributed/assembly.hpp"
#include "dg/partition/distributed/face_meeting.hpp"

namespace maxwell_dg::dg {

/// A face of an own cell that has no neighbour in this rank's part.
struct EdgeFace {
  std::size_t cell{};      ///< index of the own cell
  std::int32_t surface{};  ///< index into Mesh::surfaces, -1: unnamed
  OpenFace face;
  std::optional<FacePartner> partner;  ///< on another rank, or on this one through a periodic surface
};

/// Checks what lies outside the whole mesh, [rank] a share of it each: that no vertices coincide or hang, and that no
/// face belongs to three cells. `alone`: the own cells by themselves. Throws MeshError. Collective.
void check_outside_of_parts(const AssembledMesh& alone, std::span<const EdgeFace> edge, const std::string& origin,
                            const core::Communicator& ranks);

/// Joins the periodic surfaces, as join_periodic does: every rank holds the cells at all of them for it. Adds partners.
/// Throws as join_periodic does. Collective.
[[nodiscard]] VertexClasses join_periodic_parts(const CellRows& own, std::vector<EdgeFace>& edge,
                                                std::span<const PeriodicPair> pairs, const VertexSlice& vertices,
                                                const MeshRows::Content& names, const core::Communicator& ranks);

}  // namespace maxwell_dg::dg
