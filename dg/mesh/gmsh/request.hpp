#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dg/mesh/file_kind.hpp"
#include "dg/mesh/gmsh/meshing.hpp"
#include "dg/mesh/gmsh/sandbox.hpp"

namespace maxwell_dg::dg {

/// Where the program maxwell_dg_gmsh writes its answer.
inline constexpr int answer_descriptor = 3;

/// What that program is asked for, by its command line.
struct GmshRequest {
  std::filesystem::path file;
  bool trust_geometry = false;  ///< a script may start processes and write files
  GmshMeshing meshing{};        ///< of a geometry

  [[nodiscard]] MeshFileKind kind() const;
  /// A `.geo` is a program, which is run; all others are data.
  [[nodiscard]] bool is_script() const { return kind() == MeshFileKind::geo; }
  /// What reading it may take: a mesh is bounded by its size, a geometry by the memory of the machine alone.
  [[nodiscard]] Bounds bounds() const;

  [[nodiscard]] std::vector<std::string> command_line(const std::string& program) const;
  /// The same from such a command line. Throws std::invalid_argument for any other.
  [[nodiscard]] static GmshRequest from_command_line(const std::vector<std::string>& words);
};

}  // namespace maxwell_dg::dg
