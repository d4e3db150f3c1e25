#include "dg/partition/distributed/vertex_rows.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/mpi/first_error.hpp"

namespace maxwell_dg::dg {

VertexSlice::VertexSlice(const MeshRows& rows, const core::Communicator& ranks)
    : ranks_(ranks), slices_(rows.content.vertices, ranks.size()) {
  const MeshRows::Piece mine = slices_.of(ranks.rank());
  core::on_all_ranks<MeshError>(ranks, [&] {
    at_ = rows.vertices(mine);
    for (const std::string& name : rows.content.vertex_values) values_[name] = rows.vertex_values(name, mine);
  });
}

BoundingBox VertexSlice::bounding_box() const {
  BoundingBox box = dg::bounding_box(at_);
  ranks_.min(box.min);
  ranks_.max(box.max);
  return box;
}

std::size_t VertexSlice::set_first_cells(std::span<const std::int32_t> ascending, std::span<const FirstCell> cells) {
  struct Known {
    std::int32_t vertex;
    FirstCell cell;
  };
  std::vector<std::vector<Known>> known(static_cast<std::size_t>(ranks_.size()));
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    known[slices_.owner(index(ascending[i]))].push_back({ascending[i], cells[i]});
  }
  constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
  first_cell_.assign(at_.size(), {none, none});
  const std::size_t begin = slices_.begin(ranks_.rank());
  for (const auto& of_rank : core::exchange(ranks_, known)) {
    for (const auto& [vertex, cell] : of_rank) {
      FirstCell& first = first_cell_[index(vertex) - begin];
      first = {std::min(first.number, cell.number), std::min(first.before, cell.before)};
    }
  }
  std::array<double, 1> unused{static_cast<double>(std::ranges::count(first_cell_, none, &FirstCell::number))};
  ranks_.sum(unused);
  return static_cast<std::size_t>(unused[0]);
}

std::vector<Point> VertexSlice::positions(std::span<const std::int32_t> ascending) const {
  return fetch(ascending, slices_, std::span<const Point>(at_), ranks_);
}

VertexRows VertexSlice::rows(std::span<const std::int32_t> numbers) const {
  VertexRows result{.numbers = NumberSet(numbers), .at = {}, .first_cell = {}, .values = {}};
  const std::vector<std::int32_t>& ascending = result.numbers.numbers();
  result.at = positions(ascending);
  result.first_cell = fetch(ascending, slices_, std::span<const FirstCell>(first_cell_), ranks_);
  for (const auto& [name, values] : values_) {
    result.values[name] = fetch(ascending, slices_, std::span<const double>(values), ranks_);
  }
  return result;
}

}  // namespace maxwell_dg::dg
