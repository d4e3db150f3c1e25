#include "dg/partition/distributed/complex_part.hpp"

#include <algorithm>
#include <utility>

namespace maxwell_dg::dg {

namespace {

constexpr std::array parts{FieldPart::real, FieldPart::imaginary};

/// Where the elements of both parts of the fields are.
class Places {
 public:
  explicit Places(const PartOfMesh& part) : all_(part.mesh.cells.size()) {
    for (const ElementRange& range : part.ranges) {
      if (range.place != ElementRange::Place::ghost) own_ = range.end;
    }
  }
  /// Of an element of the part without imaginary parts; also of the end of a range.
  [[nodiscard]] std::size_t of(std::size_t k, FieldPart field_part, bool is_ghost) const {
    const std::size_t copies = is_ghost ? all_ - own_ : own_;
    return k + (is_ghost ? own_ : 0) + (field_part == FieldPart::imaginary ? copies : 0);
  }
  [[nodiscard]] std::size_t of(std::size_t k, FieldPart field_part) const { return of(k, field_part, k >= own_); }
  [[nodiscard]] std::size_t all() const { return all_; }

 private:
  std::size_t all_, own_{};
};

template <class T>
void reorder(std::vector<T>& list, const std::vector<std::int32_t>& old) {
  std::vector<T> ordered;
  ordered.reserve(old.size());
  for (const std::int32_t k : old) ordered.push_back(list[index(k)]);
  list = std::move(ordered);
}

void double_mesh(Mesh& mesh, const Places& places) {
  std::vector<std::int32_t> old(2 * places.all());
  for (std::size_t k = 0; k < old.size(); ++k) {
    const FieldPart part = k < places.all() ? FieldPart::real : FieldPart::imaginary;
    old[places.of(k % places.all(), part)] = static_cast<std::int32_t>(k);
  }
  append_copy(mesh);
  reorder(mesh.cells, old);
  reorder(mesh.cell_region, old);
  for (auto& [name, values] : mesh.cell_values) reorder(values, old);
  mesh.curved.reorder(old);
}

Connectivity doubled(const Connectivity& of_real, const Places& places) {
  Connectivity result;
  result.neighbours.resize(2 * places.all());
  const auto boundary_faces = static_cast<std::int32_t>(of_real.boundary_faces.size());
  for (const FieldPart part : parts) {
    for (Connectivity::BoundaryFace face : of_real.boundary_faces) {
      face.cell = static_cast<std::int32_t>(places.of(index(face.cell), part));
      result.boundary_faces.push_back(face);
    }
    for (std::size_t k = 0; k < places.all(); ++k) {
      auto& neighbours = result.neighbours[places.of(k, part)];
      neighbours = of_real.neighbours[k];
      for (std::int32_t& n : neighbours) {
        if (n >= 0) {
          n = static_cast<std::int32_t>(4 * places.of(index(n / 4), part)) + n % 4;
        } else if (part == FieldPart::imaginary) {
          n -= boundary_faces;
        }
      }
    }
  }
  return result;
}

std::vector<ElementRange> doubled(const std::vector<ElementRange>& ranges, const Places& places) {
  std::vector<ElementRange> result;
  for (const bool ghosts : {false, true}) {
    for (const FieldPart part : parts) {
      for (ElementRange range : ranges) {
        if ((range.place == ElementRange::Place::ghost) != ghosts) continue;
        range.begin = places.of(range.begin, part, ghosts);
        range.end = places.of(range.end, part, ghosts);
        result.push_back(range);
      }
    }
  }
  return result;
}

std::vector<ElementFace> doubled(const std::vector<ElementFace>& faces, const Places& places) {
  std::vector<ElementFace> result;
  for (const FieldPart part : parts) {
    for (const auto& [element, face] : faces) result.push_back({places.of(element, part), face});
  }
  return result;
}

}  // namespace

PartOfMesh with_imaginary_parts(PartOfMesh part) {
  const Places places(part);
  double_mesh(part.mesh, places);
  part.connectivity = doubled(part.connectivity, places);
  part.ranges = doubled(part.ranges, places);
  for (Halo::Link& link : part.halo.links) {
    link.sent = doubled(link.sent, places);
    link.received = doubled(link.received, places);
  }
  std::vector<std::int32_t> numbers(2 * places.all());
  for (std::size_t k = 0; k < places.all(); ++k) {
    numbers[places.of(k, FieldPart::real)] = part.whole_numbers[k];
    numbers[places.of(k, FieldPart::imaginary)] = part.whole_numbers[k] + static_cast<std::int32_t>(part.whole_cells);
  }
  part.whole_numbers = std::move(numbers);
  part.whole_cells *= 2;
  part.whole_vertices *= 2;
  return part;
}

}  // namespace maxwell_dg::dg
