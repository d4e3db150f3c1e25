// Divides a box of tetrahedra into parts and prints what that costs: where docs/scaling.md has its partitions from.
// Usage: partitions [cells along x, y, z [metis or curve [parts ...]]]

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "dg/mesh/connectivity.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/partition/metis.hpp"
#include "dg/partition/partition.hpp"

using namespace maxwell_dg;
using namespace maxwell_dg::dg;

namespace {

/// Cubes of size 1: the space-filling curve goes through the cube around the box.
Mesh box_of_cubes(const std::array<int, 3>& cells) {
  return make_box({.min = {0, 0, 0},
                   .max = {static_cast<double>(cells[0]), static_cast<double>(cells[1]), static_cast<double>(cells[2])},
                   .cells = cells});
}

}  // namespace

int main(int argc, char** argv) try {
  std::array<int, 3> cells{12, 11, 10};
  for (int i = 1; i <= 3 && argc > 3; ++i) cells[static_cast<std::size_t>(i) - 1] = std::atoi(argv[i]);
  const std::string_view wanted = argc > 4 ? argv[4] : has_metis() ? "metis" : "curve";
  if (wanted != "metis" && wanted != "curve") throw ConfigError("'" + std::string(wanted) + "': metis or curve");
  const PartitionMethod method = wanted == "metis" ? PartitionMethod::metis : PartitionMethod::curve;
  std::vector<int> counts;
  for (int i = 5; i < argc; ++i) counts.push_back(std::atoi(argv[i]));
  if (counts.empty()) counts = {2, 8};

  const Mesh mesh = box_of_cubes(cells);
  const Connectivity connectivity = Connectivity::make(mesh);
  std::printf("%10s %6s %7s %12s %16s %16s %10s %8s\n", "elements", "parts", "method", "faces_cut", "most_faces_cut",
              "most_neighbours", "imbalance", "seconds");
  for (const int parts : counts) {
    const auto begin = std::chrono::steady_clock::now();
    const Partition found = partition({mesh, connectivity}, parts, method);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - begin;
    const PartitionQuality& q = found.quality;
    std::printf("%10zu %6d %7s %12zu %16zu %16zu %10.4f %8.1f\n", mesh.cells.size(), parts, std::string(wanted).c_str(),
                q.faces_cut, q.most_faces_cut, q.most_neighbours, q.imbalance, seconds.count());
    std::fflush(stdout);
  }
  return 0;
} catch (const Error& error) {
  std::fprintf(stderr, "error: %s\n", error.what());
  return static_cast<int>(error.code());
}
