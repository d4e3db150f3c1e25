#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

namespace maxwell_dg::dg {

/// A face to which a STEP file gives a name.
struct NamedFace {
  std::string name;
  std::array<double, 3> centre{};  ///< of its area [mm]
  double area{};                   ///< [mm^2]
};

/// The faces of a STEP file that have names. Gmsh reads names of products alone, so OpenCASCADE reads the file once
/// more, if there are any. Empty in a build without OpenCASCADE's headers, and for a file that it cannot read, about
/// which Gmsh has complained.
[[nodiscard]] std::vector<NamedFace> named_faces(const std::filesystem::path& file);

}  // namespace maxwell_dg::dg
