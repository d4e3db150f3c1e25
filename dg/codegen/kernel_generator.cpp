#include "dg/codegen/kernel_generator.hpp"

#include <algorithm>
#include <utility>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_texts.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/schedule/state_layout.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/program.hpp"
#include "rtcg/source/substitute.hpp"
#include "rtcg/source/syntax.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;
using namespace rtcg::syntax;

KernelGenerator::KernelGenerator(const LoweredSystem& lowered, Options options)
    : lowered_(lowered),
      options_(std::move(options)),
      Np_(node_count(options_.N)),
      Nfp_(face_node_count(options_.N)),
      fields_(static_cast<int>(lowered.volume.size())) {
  if (nodes_in_parallel()) {
    elements_per_group_ = std::max(1, 128 / Np_);
    group_items_ = round_up(elements_per_group_ * Np_, 32);
  }
}

bool KernelGenerator::nodes_in_parallel() const {
  return !options_.schedule.is<Schedule::Lanes>();
}

std::string KernelGenerator::prologue() const {
  const Schedule& schedule = options_.schedule;
  const std::string real = options_.precision == Dtype::float32 ? "float" : "double";
  Block text;
  text += Line("typedef " + real + " real;");
  const StateLayout layout(schedule, options_.precision, 1, fields_, Np_);
  const std::pair<const char*, int> sizes[] = {
      {"NP", Np_},
      {"NFP", Nfp_},
      {"NFIELDS", fields_},
      {"CONSTANTS", std::max(1, static_cast<int>(lowered_.constants.size()))},
      {"OUTSIDE_FIELDS", std::max(1, static_cast<int>(lowered_.outside_fields.size()))},
      {"ENERGIES", std::max(1, static_cast<int>(lowered_.energies.size()))},
      {"ELEMENTS", elements_per_group_},
      {"GROUP_ITEMS", group_items_},
      {"TOTAL_ITEMS", total_items},
      {"POINT_ITEMS", point_items},
      {"PARTS_AT_ONCE", 10}};  // of running sums: real and imaginary parts that a work-item loads at a time
  for (const auto& [name, size] : sizes) text += Line(std::string("#define ") + name + " " + number(size));
  text += define_order(layout.order, number(layout.row_nodes));
  const std::string elements = number(layout.block_elements);
  const std::string block = layout.block_elements == 1 ? "(k)" : "((uint32)(k) / " + elements + ")";
  const std::string node = layout.block_elements == 1 ? "(n)" : "((uint32)(k) % " + elements + " * NP + (n))";
  text += Line("#define STATE(k, f, n) ((int64)" + block + " * " + number(layout.block_values) +
               " + FIELD_PLACE(f) + " + node + " * SIDE_BY_SIDE)");
  text += Line(std::string("#define CONSTANT_OF(k, i) constants[(int64)") +
               (schedule.constants_by_material() ? "material[k]" : "(k)") + " * CONSTANTS + (i)]");
  text += Line(std::string("#define BOUNDARY_NODE(b, axis, i) ") +
               (lowered_.boundaries_move ? "boundary_nodes[((int64)(b) * 3 + (axis)) * NFP + (i)]" : "0"));
  return rtcg::syntax::print(text) + "\n" +
         std::string(nodes_in_parallel() ? kernels::nodes_in_parallel : kernels::lanes_in_vectors);
}

rtcg::KernelSource KernelGenerator::with_prologue(const std::string& kernel, const std::string& body) const {
  return {.name = kernel + "_" + options_.system + "_N" + number(options_.N) + "_" +
                  std::string(maxwell_dg::name_of(options_.precision)) + "_" + options_.schedule.name() + ".kernel",
          .text = prologue() + "\n" + body};
}

rtcg::KernelSource KernelGenerator::sample() const {
  return with_prologue("sample", std::string(kernels::sample));
}

rtcg::KernelSource KernelGenerator::fourier(bool on_faces) const {
  Block place;
  if (on_faces) {
    place += Declare("const int32", "face", "faces[p / NFP]");
    place += Declare("const int32", "node", "face_nodes[face % 4 * NFP + (int32)(p % NFP)]");
    place += Declare("const int64", "place", "STATE(face / 4, 0, node)");
  } else {
    place += Declare("const int64", "place", "STATE(p / NP, 0, p % NP)");
  }
  return with_prologue(on_faces ? "fourier_on_faces" : "fourier",
                       rtcg::substitute(kernels::fourier, {{"place", text_of(place)}}));
}

rtcg::KernelSource KernelGenerator::energy() const {
  std::vector<Expr> parts;
  Block coupled;
  int couplings = 0;
  for (const System::Energy& energy : lowered_.energies) {
    Expr& sum = parts.emplace_back(0.0);
    for (int f = 0; f < fields_; ++f) {
      sum = sum + energy.weights[static_cast<std::size_t>(f)] * Expr(Symbol{.kind = Kind::field, .index = f});
    }
    for (const auto& [f, g, weight] : energy.couplings) {
      const Expr product = contraction(couplings++);
      coupled += declare_symbol(product.symbol(), "FIELD(e, k, " + number(f) + ", n) * Mq" + number(g) + "[i]");
      sum = sum + weight * product;
    }
  }
  const Program program(parts);
  Block declare, load, accumulate;
  Block densities = load_of_element(program.symbols());
  for (int f = 0; f < fields_; ++f) {  // what the weights multiply: q_f (M q_f)
    const std::string field = number(f), product = "Mq" + field + "[i]";
    declare += Line("real Mq" + field + "[NODES] = {0};");
    load += Declare("const real", "q" + field, "FIELD(e, k, " + field + ", m)");
    accumulate += Assign(product, "mass * q" + field, "+=");
    densities += Declare("const real", "q" + field + "_m", "FIELD(e, k, " + field + ", n) * " + product);
  }
  densities += coupled;
  const PrintedCode code = print_reals(program, options_.precision);
  append(densities, code.lines);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    densities += Assign("sums[" + std::to_string(p) + " * GROUP_ITEMS + LOCAL_ID(0)]",
                        "(float64)(J * " + code.results[p] + ")", "+=");
  }
  return with_prologue("energy", rtcg::substitute(kernels::energy, {{"declare_products", text_of(declare)},
                                                                    {"load_fields", text_of(load)},
                                                                    {"accumulate_products", text_of(accumulate)},
                                                                    {"densities", text_of(densities)}}));
}

rtcg::KernelSource nodal_values_kernel(std::span<const Expr> values, int N) {
  const Program program(values);
  const PrintedCode code =
      symbolic::print(program, {.dtype = Dtype::float64, .type = "float64", .prefix = "v", .name_of = name_in_kernel});
  Block assignments;
  append(assignments, code.lines);
  const std::string count = std::to_string(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    assignments += Assign("values[(k * " + count + " + " + std::to_string(i) + ") * NP + n]", code.results[i]);
  }
  return {.name = "nodal_values_N" + number(N) + ".kernel",
          .text = "#define NP " + number(node_count(N)) + "\n#define POINT_ITEMS " +
                  number(KernelGenerator::point_items) + "\n\n" +
                  rtcg::substitute(kernels::nodal_values, {{"assignments", text_of(assignments)}})};
}

}  // namespace maxwell_dg::dg
