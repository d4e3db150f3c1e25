#include "dg/codegen/tiles/tile_operators.hpp"

#include <stdexcept>

#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

int TileOperators::shared_values() const {
  return from == Schedule::Operators::shared ? D_values + LIFT_values : 0;
}

std::size_t TileOperators::bytes_of_tables() const {
  return are_tables() ? index(D_values + LIFT_values) * size_of(precision) : 0;
}

std::string TileOperators::memory() const {
  switch (from) {
    case Schedule::Operators::streamed: return "GLOBAL";
    case Schedule::Operators::shared: return "SHARED_PART";
    case Schedule::Operators::constant: return "CONSTANT_PART";
    case Schedule::Operators::registers: break;
  }
  throw std::invalid_argument("matrices are kept in registers with a work-item a node only");
}

std::string TileOperators::of(const std::string& matrix) const {
  switch (from) {
    case Schedule::Operators::shared: return matrix + "_shared";
    case Schedule::Operators::constant: return matrix + "_table";
    default: return matrix;
  }
}

}  // namespace maxwell_dg::dg
