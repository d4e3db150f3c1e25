#include "dg/schedule/schedule_words.hpp"

namespace maxwell_dg::dg {

namespace {

std::string counted(int count, const std::string& thing, const std::string& things) {
  return std::to_string(count) + " " + (count == 1 ? thing : things);
}

std::string elements(int count) {
  return counted(count, "element", "elements");
}

std::string from_where(Schedule::Operators operators) {
  switch (operators) {
    case Schedule::Operators::streamed: return "from global memory, through the caches";
    case Schedule::Operators::shared: return "from shared memory, to which each work-group copies them first";
    case Schedule::Operators::constant: return "from constant memory";
    case Schedule::Operators::registers: return "from registers: a work-item keeps the row of its node";
  }
  return {};
}

std::string slices(const std::string& kernel, const std::string& matrices, const Schedule::Slices& s) {
  return "The " + kernel + " kernel: a work-group has " + elements(s.elements()) + ", " + std::to_string(s.parallel) +
         " side by side, " + std::to_string(s.inlined) + " to a work-item, " + std::to_string(s.sequence) +
         " one after the other; it reads " + matrices + " " + from_where(s.operators) + ".";
}

std::string parts(const Schedule& s) {
  if (s.slicing == Schedule::Slicing::lanes_in_vectors) {
    return s.parts == Schedule::Parts::together ? "All fields are computed together."
                                                : "Fields that share no derivative are computed one after the other.";
  }
  const std::string who = s.slicing == Schedule::Slicing::element_tiles ? "warp" : "work-item";
  return s.parts == Schedule::Parts::together ? "Each " + who + " computes all fields."
                                              : "Fields that share no derivative have " + who + "s of their own.";
}

std::string basis(const Schedule& s) {
  switch (s.basis) {
    case Schedule::Basis::cartesian: return "Vectors are stored by their components along x, y and z.";
    case Schedule::Basis::element: return "Vectors are stored in the basis of each element's edges.";
    case Schedule::Basis::element_interleaved:
      return "Vectors are stored in the basis of each element's edges, the components of two vectors of a kind side by "
             "side.";
  }
  return {};
}

std::string connectivity(const Schedule& s) {
  return s.connects_nodes() ? "Outside traces are found by an index for each node of a face."
                            : "Outside traces are found by the neighbour's number and its face.";
}

std::string operands(Schedule::Operands operands) {
  switch (operands) {
    case Schedule::Operands::of_each_warp: return "Every warp makes the factors of its products from the fields.";
    case Schedule::Operands::on_chip: return "The factors of the products are made once, in shared memory.";
    case Schedule::Operands::mirrored:
      return "Products are of mirror sums (docs/decisions/019-mirror-sums.md), a quarter of the operations.";
    case Schedule::Operands::mirrored_first:
      return "Products are of mirror sums (docs/decisions/019-mirror-sums.md), a quarter of the operations; the volume "
             "term's come before the neighbours' traces.";
  }
  return {};
}

std::string matrices(Schedule::Matrices matrices) {
  switch (matrices) {
    case Schedule::Matrices::in_turn: return "Matrices are fetched step by step.";
    case Schedule::Matrices::by_twos:
      return "Matrices are fetched step by step, beside the products of the other step of two.";
    case Schedule::Matrices::lift_ahead: return "LIFT is prefetched a step ahead; Dr, Ds and Dt are fetched in turn.";
    case Schedule::Matrices::ahead: return "Matrices are prefetched a step ahead.";
  }
  return {};
}

void add_tiles(const Schedule& s, std::vector<std::string>& words) {
  words.push_back("A stage is one kernel. A work-group of " + counted(s.warps, "warp", "warps") + " has " +
                  elements(s.elements_per_group) + "; a warp computes tiles of 16 elements x 8 nodes.");
  words.emplace_back(s.products == Schedule::Products::tensor_cores ? "Tensor cores multiply the matrices."
                                                                    : "Matrices are multiplied by multiply-add.");
  words.push_back(parts(s));
  words.push_back(operands(s.operands));
  words.emplace_back(s.fluxes == Schedule::Fluxes::by_face ? "A work-item computes the fluxes of whole faces."
                                                           : "A work-item computes the flux at one node of a face.");
  words.push_back(matrices(s.matrices));
  words.push_back("Matrices are read " + from_where(s.operators) + ".");
  words.push_back(connectivity(s));
  words.push_back(basis(s));
  if (s.is_blocked()) words.emplace_back("In memory the elements of a work-group lie together, field by field.");
}

}  // namespace

std::vector<std::string> in_words(const Schedule& s) {
  std::vector<std::string> words;
  switch (s.slicing) {
    case Schedule::Slicing::nodes_in_parallel:
      words.emplace_back("A stage is three kernels, volume, surface and update. A work-item computes a node.");
      words.push_back(slices("volume", "Dr, Ds and Dt", s.volume));
      words.push_back(slices("surface", "LIFT", s.surface));
      words.push_back("The update kernel: a work-item has " + counted(s.updated_at_once, "value", "values") + ".");
      words.push_back(connectivity(s));
      words.push_back(std::string(s.fields == Schedule::Fields::together ? "The fields of a node lie side by side"
                                                                         : "The nodes of a field lie side by side") +
                      ", padded to a multiple of " + counted(s.node_padding, "node", "nodes") + ", in blocks of " +
                      elements(s.block_elements) + ".");
      break;
    case Schedule::Slicing::lanes_in_vectors:
      words.push_back("A stage is one kernel. A work-item computes a block of " + elements(s.lanes) +
                      ", one SIMD lane each.");
      words.push_back("Sums of at most " + counted(s.nodes_at_once, "node", "nodes") + " are in registers at a time.");
      words.push_back(parts(s));
      words.emplace_back("In memory each element is by itself, the fields of a node side by side.");
      break;
    case Schedule::Slicing::elements_in_parallel:
      words.push_back("A stage is one kernel. A work-item computes an element; a work-group has " +
                      elements(s.elements_per_group) + ". Matrices are literals of the text.");
      words.push_back(parts(s));
      words.push_back(basis(s));
      break;
    case Schedule::Slicing::element_tiles: add_tiles(s, words); break;
  }
  if (s.slicing == Schedule::Slicing::element_tiles || s.slicing == Schedule::Slicing::elements_in_parallel) {
    words.push_back("At least " + counted(s.resident_groups, "work-group", "work-groups") +
                    " of it should fit on a multiprocessor at a time.");
  }
  return words;
}

}  // namespace maxwell_dg::dg
