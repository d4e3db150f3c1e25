#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace maxwell_dg {

using Nodes = std::vector<std::array<double, 3>>;
using Cells = std::vector<std::array<std::int32_t, 4>>;

/// MSH 2.2 text of some tetrahedra; vertex numbers count from 0.
inline std::string msh_text(const Nodes& nodes, const Cells& cells) {
  std::ostringstream text;
  text << "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$Nodes\n" << nodes.size() << '\n';
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    text << i + 1 << ' ' << nodes[i][0] << ' ' << nodes[i][1] << ' ' << nodes[i][2] << '\n';
  }
  text << "$EndNodes\n$Elements\n" << cells.size() << '\n';
  for (std::size_t k = 0; k < cells.size(); ++k) {
    text << k + 1 << " 4 2 1 1";
    for (const auto v : cells[k]) text << ' ' << v + 1;
    text << '\n';
  }
  text << "$EndElements\n";
  return text.str();
}

}  // namespace maxwell_dg
