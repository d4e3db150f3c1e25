#pragma once

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/partition/distributed/cell_slice.hpp"

namespace maxwell_dg::dg {

[[nodiscard]] const core::Communicator& world();

/// A file that the first rank writes, and all see.
class MeshOnDisk {
 public:
  explicit MeshOnDisk(const Mesh& mesh);
  ~MeshOnDisk();
  MeshOnDisk(const MeshOnDisk&) = delete;
  MeshOnDisk& operator=(const MeshOnDisk&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// Two regions, named faces within and outside, values of both kinds.
[[nodiscard]] Mesh box_with_everything(const std::array<int, 3>& cells);

inline const CellCost equal_costs = [](std::int32_t, bool, const Point&) { return 1.0; };

}  // namespace maxwell_dg::dg
