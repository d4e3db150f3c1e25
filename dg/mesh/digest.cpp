#include "dg/mesh/digest.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "core/digest.hpp"
#include "core/mpi/of_all.hpp"
#include "dg/mesh/surface_sides.hpp"

namespace maxwell_dg::dg {

namespace {

/// Mixes words to a number of two, by the finalizer of SplitMix64 (Steele, Lea & Flood 2014, OOPSLA).
class Mixed {
 public:
  using Sum = std::array<std::uint64_t, 2>;

  void add(std::uint64_t word) {
    for (std::size_t i = 0; i < 2; ++i) value_.at(i) = mixed(value_.at(i) + step.at(i) + word);
  }
  void add(std::int64_t number) { add(static_cast<std::uint64_t>(number)); }
  void add(double number) { add(std::bit_cast<std::uint64_t>(number)); }
  void add(const Point& x) {
    for (const double coordinate : x) add(coordinate);
  }
  [[nodiscard]] const Sum& value() const { return value_; }

 private:
  static std::uint64_t mixed(std::uint64_t z) {
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  static constexpr Sum step{0x9e3779b97f4a7c15ULL, 0xd1b54a32d192ed03ULL};
  Sum value_{};
};

Mixed::Sum content_of(const Mesh& mesh, const NamedFaceSearch& named, std::size_t k, std::int64_t number) {
  Mixed content;
  content.add(number);
  content.add(std::int64_t{mesh.cell_region[k]});
  const auto& cell = mesh.cells[k];
  for (const std::int32_t v : cell) content.add(mesh.vertices[index(v)]);
  for (const auto& [a, b, c] : face_vertices) {
    const auto found = named.find({cell.at(a), cell.at(b), cell.at(c)});
    content.add(std::int64_t{found ? mesh.surface_faces[*found].surface : -1});
  }
  for (const auto& [name, values] : mesh.cell_values) content.add(values[k]);
  for (const auto& [name, values] : mesh.vertex_values) {
    for (const std::int32_t v : cell) content.add(values[index(v)]);
  }
  if (!mesh.curved.is_curved(k)) return content.value();
  for (const Point& node : mesh.curved.nodes_of(k)) content.add(node);
  return content.value();
}

void add_names(const Mesh& mesh, Sha256& sum) {
  for (const auto* names : {&mesh.regions, &mesh.surfaces}) {
    sum.add_field(std::to_string(names->size()));
    for (const std::string& name : *names) sum.add_field(name);
  }
}

}  // namespace

std::string digest(const Mesh& mesh) {
  static_assert(sizeof(Mesh::SurfaceFace) == 4 * sizeof(std::int32_t), "bytes that pad would be hashed, too");
  Sha256 sum;
  sum.add_field(std::as_bytes(std::span(mesh.vertices)));
  sum.add_field(std::as_bytes(std::span(mesh.cells)));
  sum.add_field(std::as_bytes(std::span(mesh.cell_region)));
  sum.add_field(std::as_bytes(std::span(mesh.surface_faces)));
  add_names(mesh, sum);
  for (const auto* lists : {&mesh.cell_values, &mesh.vertex_values}) {
    for (const auto& [name, values] : *lists) {
      sum.add_field(name);
      sum.add_field(std::as_bytes(std::span(values)));
    }
  }
  if (mesh.curved.any()) {
    sum.add_field("curved " + std::to_string(mesh.curved.order));
    sum.add_field(std::as_bytes(std::span(mesh.curved.number)));
    sum.add_field(std::as_bytes(std::span(mesh.curved.nodes)));
  }
  return sum.hex();
}

std::string digest_of_all(const Discretization& part, const core::Communicator& ranks) {
  const Mesh& mesh = part.mesh;
  const NamedFaceSearch named(mesh.surface_faces, mesh.vertices.size());
  std::vector<std::uint64_t> sums(3);
  for (std::size_t k = 0; k < part.own(); ++k) {
    const std::size_t number = part.whole_numbers.empty() ? k : index(part.whole_numbers[k]);
    const Mixed::Sum content = content_of(mesh, named, k, static_cast<std::int64_t>(number));
    for (std::size_t i = 0; i < content.size(); ++i) sums[i] += content.at(i);
  }
  sums[2] = part.own();
  const std::vector<std::uint64_t> all = core::all_of(ranks, sums);
  std::fill(sums.begin(), sums.end(), 0);
  for (std::size_t i = 0; i < all.size(); ++i) sums[i % sums.size()] += all[i];
  Sha256 sum;
  sum.add_field(std::as_bytes(std::span(sums)));
  add_names(mesh, sum);
  for (const auto* lists : {&mesh.cell_values, &mesh.vertex_values}) {
    for (const auto& [name, values] : *lists) sum.add_field(name);
  }
  return sum.hex();
}

}  // namespace maxwell_dg::dg
