#include "dg/codegen/tile_factors.hpp"

#include <bit>
#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace maxwell_dg::dg {
namespace {

/// x rounded to the 11 bits of TF32.
double tf32(double x) {
  const auto bits = std::bit_cast<std::uint32_t>(static_cast<float>(x));
  return std::bit_cast<float>((bits + 0xfffU + ((bits >> 13) & 1U)) & ~0x1fffU);
}

/// Of the entries of an item: where tensor cores multiply, what 16 bytes hold.
std::size_t read_at_once(FactorForm form, std::size_t all) {
  switch (form) {
    case FactorForm::plain: return all;
    case FactorForm::whole: return 2;
    case FactorForm::tf32_parts: return 4;
  }
  throw std::logic_error("no form of factors");
}

/// Adds the entries of all items in the order [read][item][entry of the read].
void append_by_reads(std::vector<double>& factors, const std::vector<std::vector<double>>& of_items, FactorForm form) {
  const std::size_t all = of_items.front().size(), at_once = read_at_once(form, all);
  for (std::size_t first = 0; first < all; first += at_once) {
    for (const std::vector<double>& entries : of_items) {
      const auto begin = entries.begin() + static_cast<std::ptrdiff_t>(first);
      factors.insert(factors.end(), begin, begin + static_cast<std::ptrdiff_t>(at_once));
    }
  }
}

}  // namespace

std::vector<double> tile_factors(const std::vector<const Eigen::MatrixXd*>& matrices, int tile_nodes, int tiles,
                                 FactorForm form, NodeOrder order) {
  const auto rows = static_cast<int>(matrices.front()->rows()), columns = static_cast<int>(matrices.front()->cols());
  const bool is_plain = form == FactorForm::plain, in_halves = order == NodeOrder::in_halves;
  // Each item has two nodes of a tile, or one where a tile has 8 and tensor cores multiply; and some columns of a step.
  const int items = is_plain ? tile_nodes / 2 : 32;
  const auto nodes_of = [&](int item) -> std::vector<int> {
    const auto in_order = [&](int node) { return in_halves ? node % 2 * 4 + node / 2 : node; };
    if (tile_nodes == 8 && is_plain) return {in_order(2 * item), in_order(2 * item + 1)};
    const int node = item / (items / 8);
    if (tile_nodes == 8) return {in_order(node)};
    return {node, node + 8};
  };
  const auto columns_of = [&](int item) -> std::vector<int> {
    if (is_plain) return {0, 1, 2, 3, 4, 5, 6, 7};
    return {item % 4, item % 4 + 4};
  };
  std::vector<double> factors;
  for (int tile = 0; tile < tiles; ++tile) {
    for (int step = 0; step < steps(columns); ++step) {
      for (const Eigen::MatrixXd* matrix : matrices) {
        const auto entry = [&](int node, int column) {
          node += tile * tile_nodes;
          column += step * step_columns;
          return node < rows && column < columns ? (*matrix)(node, column) : 0.0;
        };
        std::vector<std::vector<double>> of_items;
        for (int item = 0; item < items; ++item) {
          std::vector<double>& entries = of_items.emplace_back();
          const auto each_entry = [&](auto value) {
            for (const int column : columns_of(item)) {
              for (const int node : nodes_of(item)) entries.push_back(value(node, column));
            }
          };
          if (form == FactorForm::tf32_parts) {
            each_entry([&](int node, int column) { return tf32(entry(node, column)); });
            each_entry([&](int node, int column) { return tf32(entry(node, column) - tf32(entry(node, column))); });
          } else {
            each_entry(entry);
          }
        }
        append_by_reads(factors, of_items, form);
      }
    }
  }
  // Kernels fetch one step ahead, and so read, without using it, one step more than there is.
  const std::size_t a_step = factors.size() / static_cast<std::size_t>(tiles * steps(columns));
  factors.resize(factors.size() + a_step, 0.0);
  return factors;
}

}  // namespace maxwell_dg::dg
