#include "dg/operator/schedule.hpp"

#include <regex>
#include <stdexcept>

namespace maxwell_dg::dg {

namespace {

// So far apart, rows on the chip are read without conflicts of banks: in memory as well, a group's are one copy.
constexpr int padding_apart = 8, remainder_apart = 4;

}  // namespace

std::string Schedule::name() const {
  const std::string apart = parts == Parts::apart ? "_apart" : "";
  if (slicing == Slicing::lanes_in_vectors) {
    return "lanes" + std::to_string(lanes) + "_n" + std::to_string(nodes_at_once) + apart;
  }
  const std::string end = "_r" + std::to_string(resident_groups) + apart;
  const std::string of_basis = basis == Basis::element ? "_basis" : "";
  if (slicing == Slicing::elements_in_parallel)
    return "elements_e" + std::to_string(elements_per_group) + end + of_basis;
  if (slicing == Slicing::element_tiles) {
    return std::string(products == Products::tensor_cores ? "tensor" : "tiles") + "_e" +
           std::to_string(elements_per_group) + "_w" + std::to_string(warps) + end +
           (operands == Operands::on_chip    ? "_chip"
            : operands == Operands::as_pairs ? "_pairs"
                                             : "") +
           (fluxes == Fluxes::by_face ? "_faces" : "") +
           (matrices == Matrices::lift_ahead ? "_liftahead"
            : matrices == Matrices::ahead    ? "_ahead"
                                             : "") +
           (block_remainder == 0 ? "_tight" : "") + of_basis;
  }
  return "nodes_e" + std::to_string(elements_per_group) + "_pad" + std::to_string(node_padding);
}

Schedule Schedule::named(const std::string& name, Dtype precision) {
  static const std::regex tiles(
      "(tensor|tiles)_e([0-9]{1,4})_w([0-9]{1,4})_r([0-9]{1,4})(_apart)?(_chip|_pairs)?(_faces)?"
      "(_liftahead|_ahead)?(_tight)?(_basis)?");
  static const std::regex elements("elements_e([0-9]{1,4})_r([0-9]{1,4})(_apart)?(_basis)?");
  static const std::regex nodes("nodes_e([0-9]{1,4})_pad([0-9]{1,4})");
  static const std::regex lanes("lanes([0-9]{1,2})_n([0-9]{1,2})(_apart)?");
  std::smatch part;
  if (std::regex_match(name, part, tiles)) {
    return {.slicing = Slicing::element_tiles,
            .block_padding = part[9].matched ? 16 / static_cast<int>(size_of(precision)) : padding_apart,
            .block_remainder = part[9].matched ? 0 : remainder_apart,
            .elements_per_group = std::stoi(part[2]),
            .products = part[1] == "tensor" ? Products::tensor_cores : Products::multiply_add,
            .parts = part[5].matched ? Parts::apart : Parts::together,
            .operands = part[6] == "_chip"    ? Operands::on_chip
                        : part[6] == "_pairs" ? Operands::as_pairs
                                              : Operands::of_each_warp,
            .fluxes = part[7].matched ? Fluxes::by_face : Fluxes::by_node,
            .matrices = part[8] == "_liftahead" ? Matrices::lift_ahead
                        : part[8] == "_ahead"   ? Matrices::ahead
                                                : Matrices::in_turn,
            .basis = part[10].matched ? Basis::element : Basis::cartesian,
            .warps = std::stoi(part[3]),
            .resident_groups = std::stoi(part[4])};
  }
  if (std::regex_match(name, part, elements)) {
    return {.slicing = Slicing::elements_in_parallel,
            .block_padding = 16 / static_cast<int>(size_of(precision)),
            .elements_per_group = std::stoi(part[1]),
            .parts = part[3].matched ? Parts::apart : Parts::together,
            .basis = part[4].matched ? Basis::element : Basis::cartesian,
            .resident_groups = std::stoi(part[2])};
  }
  if (std::regex_match(name, part, nodes)) {
    return {.slicing = Slicing::nodes_in_parallel,
            .node_padding = std::stoi(part[2]),
            .elements_per_group = std::stoi(part[1])};
  }
  if (std::regex_match(name, part, lanes)) {
    return {.slicing = Slicing::lanes_in_vectors,
            .lanes = std::stoi(part[1]),
            .parts = part[3].matched ? Parts::apart : Parts::together,
            .nodes_at_once = std::stoi(part[2])};
  }
  throw std::invalid_argument(
      "'" + name + "' is no variant; they look like " +
      "tensor_e16_w4_r3, tiles_e32_w8_r2_apart_chip, tensor_e8_w6_r4_pairs, "
      "tensor_e16_w2_r6_faces_tight, tensor_e8_w8_r2_ahead_basis, elements_e64_r6_basis, nodes_e4_pad1 or lanes16_n3");
}

}  // namespace maxwell_dg::dg
