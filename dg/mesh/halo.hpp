#pragma once

#include <vector>

#include "dg/mesh/connectivity.hpp"

namespace maxwell_dg::dg {

/// Which traces a process sends to others, and which it receives, where each has a part of a mesh. Elements have the
/// numbers of the process's own part.
struct Halo {
  /// What is exchanged with one other process. Each face is in a list once. What one process sends has the order in
  /// which the other one receives it: ascending by the numbers of elements in the whole mesh, then by face.
  struct Link {
    int rank{};                         ///< the other process
    std::vector<ElementFace> sent;      ///< faces of own elements, whose traces the other one reads
    std::vector<ElementFace> received;  ///< faces of ghosts
  };
  std::vector<Link> links;  ///< ascending by rank
};

}  // namespace maxwell_dg::dg
