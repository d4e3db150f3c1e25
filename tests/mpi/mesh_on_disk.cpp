#include "tests/mpi/mesh_on_disk.hpp"

#include <unistd.h>

#include "dg/mesh/connectivity.hpp"
#include "tests/support/random_problem.hpp"

namespace maxwell_dg::dg {

const core::Communicator& world() {
  static const core::Communicator ranks = core::Communicator::world();
  return ranks;
}

MeshOnDisk::MeshOnDisk(const Mesh& mesh) {
  if (world().is_first()) {
    path_ = std::filesystem::temp_directory_path() / ("maxwell_dg_part_reading_" + std::to_string(::getpid()) + ".h5");
    write_mesh(mesh, path_);
  }
  path_ = world().broadcast(path_.string());
}

MeshOnDisk::~MeshOnDisk() {
  (void)world().broadcast("all have read it");
  std::vector<double> arrived(1);
  world().sum(arrived);
  if (world().is_first()) std::filesystem::remove(path_);
}

Mesh box_with_everything(const std::array<int, 3>& cells) {
  Mesh mesh = make_box({.min = {0, 0, 0}, .max = {1, 1.5, 1}, .cells = cells});
  mesh.regions = {"left", "right"};
  mesh.surfaces.emplace_back("between");
  const Connectivity connectivity = Connectivity::make(mesh);
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    mesh.cell_region[k] = centroid(mesh, mesh.cells[k])[0] > 0.4 ? 1 : k % 7 == 0 ? -1 : 0;
  }
  for (std::size_t k = 0; k < mesh.cells.size(); ++k) {
    for (std::size_t f = 0; f < 4; ++f) {
      const std::int32_t n = connectivity.neighbours[k].at(f);
      if (n < 0 || index(n / 4) < k || mesh.cell_region[k] == mesh.cell_region[index(n / 4)]) continue;
      const auto& [a, b, c] = face_vertices.at(f);
      mesh.surface_faces.push_back({{mesh.cells[k].at(a), mesh.cells[k].at(b), mesh.cells[k].at(c)}, 6});
    }
  }
  distort(mesh, 0.02);
  mesh.cell_values["density"] = testing::random_values(mesh.cells.size(), 2);
  mesh.vertex_values["height"] = testing::random_values(mesh.vertices.size(), 3);
  return mesh;
}

}  // namespace maxwell_dg::dg
