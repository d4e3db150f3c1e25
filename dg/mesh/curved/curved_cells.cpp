#include "dg/mesh/curved/curved_cells.hpp"

namespace maxwell_dg::dg {
namespace {

std::span<const Point> block(const std::vector<Point>& nodes, std::size_t number, std::size_t size) {
  return std::span(nodes).subspan(number * size, size);
}

/// The curved cells of a mesh whose cell k is number `number_of(k)` of those of `all`, or straight: -1.
template <class NumberOf>
CurvedCells picked(const CurvedCells& all, std::size_t cells, const NumberOf& number_of) {
  CurvedCells result{.order = all.order, .number = std::vector<std::int32_t>(cells, -1), .nodes = {}};
  std::int32_t next = 0;
  for (std::size_t k = 0; k < cells; ++k) {
    const std::int32_t n = number_of(k);
    if (n < 0) continue;
    const auto nodes = block(all.nodes, static_cast<std::size_t>(n), all.nodes_a_cell());
    result.number[k] = next++;
    result.nodes.insert(result.nodes.end(), nodes.begin(), nodes.end());
  }
  return next > 0 ? result : CurvedCells{};
}

}  // namespace

std::vector<GeometryNode> geometry_nodes(int order) {
  std::vector<GeometryNode> nodes;
  nodes.reserve(static_cast<std::size_t>(node_count(order)));
  for (int k = 0; k <= order; ++k) {
    for (int j = 0; j <= order - k; ++j) {
      for (int i = 0; i <= order - k - j; ++i) nodes.push_back({order - i - j - k, i, j, k});
    }
  }
  return nodes;
}

std::span<const Point> CurvedCells::nodes_of(std::size_t cell) const {
  return block(nodes, static_cast<std::size_t>(number[cell]), nodes_a_cell());
}

std::span<Point> CurvedCells::nodes_of(std::size_t cell) {
  return std::span(nodes).subspan(static_cast<std::size_t>(number[cell]) * nodes_a_cell(), nodes_a_cell());
}

bool CurvedCells::fits(std::size_t cells) const {
  if (!any()) return order == 1 && nodes.empty();
  if (order < 2 || order > highest_order || number.size() != cells) return false;
  std::int32_t next = 0;
  for (const std::int32_t n : number) {
    if (n >= 0 && n != next++) return false;
  }
  return next > 0 && nodes.size() == static_cast<std::size_t>(next) * nodes_a_cell();
}

void CurvedCells::reorder(std::span<const std::int32_t> old) {
  if (!any()) return;
  *this = picked(*this, old.size(),
                 [&](std::size_t k) { return old[k] < 0 ? -1 : number[static_cast<std::size_t>(old[k])]; });
}

void CurvedCells::turn(std::size_t cell, const std::array<std::size_t, 4>& old) {
  if (!is_curved(cell)) return;
  const std::span<Point> now = nodes_of(cell);
  const std::vector<Point> before(now.begin(), now.end());
  std::size_t n = 0;
  for (const GeometryNode& node : geometry_nodes(order)) {
    GeometryNode was{};
    for (std::size_t a = 0; a < 4; ++a) was[old[a]] = node[a];
    now[n++] = before[number_of_node(order, was)];
  }
}

void CurvedCells::keep_only(const std::vector<bool>& keep) {
  if (!any()) return;
  *this = picked(*this, number.size(), [&](std::size_t k) {
    return number[k] >= 0 && keep[static_cast<std::size_t>(number[k])] ? number[k] : -1;
  });
}

}  // namespace maxwell_dg::dg
