#include "dg/codegen/tiles/tile_operators.hpp"

#include <stdexcept>

#include "dg/codegen/kernel_code.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

int TileOperators::shared_values() const {
  return from == Schedule::Operators::shared ? D_values + LIFT_values : 0;
}

std::size_t TileOperators::bytes_of_tables() const {
  return from == Schedule::Operators::constant ? index(D_values + LIFT_values) * size_of(precision) : 0;
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

std::string TileOperators::tables(const std::function<std::vector<double>()>& D,
                                  const std::function<std::vector<double>()>& LIFT) const {
  if (from != Schedule::Operators::constant) return "";
  return "#ifdef CUDA_DIALECT\n#define CONSTANT_PART\n#else\n#define CONSTANT_PART __constant\n#endif\n" +
         constant_table(of("D"), D(), precision) + constant_table(of("LIFT"), LIFT(), precision);
}

std::string TileOperators::declare_shared() const {
  if (from != Schedule::Operators::shared) return "";
  return "\n  SHARED_PART real* const " + of("D") + " = shared_memory + (SHARED_VALUES - " + number(shared_values()) +
         ");" + "\n  SHARED_PART real* const " + of("LIFT") + " = " + of("D") + " + " + number(D_values) + ";";
}

std::string TileOperators::more_values() const {
  return from == Schedule::Operators::shared ? " + " + number(shared_values()) : "";
}

std::string TileOperators::copy() const {
  if (from != Schedule::Operators::shared) return "";
  const auto all_of = [&](const std::string& matrix, int values) {
    const std::string count = number(values);
    return "\n  COPY_ROWS_ASYNC(" + of(matrix) + ", " + matrix + ", " + count + ", " + count + ", 0);";
  };
  return all_of("D", D_values) + all_of("LIFT", LIFT_values);
}

}  // namespace maxwell_dg::dg
