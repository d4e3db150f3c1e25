#include "dg/codegen/kernel_generator.hpp"

#include <algorithm>
#include <utility>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_template.hpp"
#include "dg/codegen/kernel_texts.hpp"
#include "dg/codegen/kernel_values.hpp"
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

rtcg::Record KernelGenerator::state() const {
  const Schedule& schedule = options_.schedule;
  const StateLayout layout(schedule, options_.precision, 1, fields_, Np_);
  constexpr int parts_at_once = 10;  // of running sums: real and imaginary parts that a work-item loads at a time
  return {{"real", options_.precision == Dtype::float32 ? "float" : "double"},
          {"Np", Np_},
          {"Nfp", Nfp_},
          {"fields", fields_},
          {"constants", lowered_.constants.size()},
          {"outside_fields", lowered_.outside_fields.size()},
          {"energies", lowered_.energies.size()},
          {"elements_per_group", elements_per_group_},
          {"group_items", group_items_},
          {"total_items", total_items},
          {"point_items", point_items},
          {"parts_at_once", parts_at_once},
          {"order", values_of(layout.order)},
          {"row_nodes", layout.row_nodes},
          {"block_elements", layout.block_elements},
          {"block_values", layout.block_values},
          {"constants_by_material", schedule.constants_by_material()},
          {"boundaries_move", lowered_.boundaries_move}};
}

std::string KernelGenerator::name_of(const std::string& kernel) const {
  return kernel + "_" + options_.system + "_N" + number(options_.N) + "_" +
         std::string(maxwell_dg::name_of(options_.precision)) + "_" + options_.schedule.name() + ".kernel";
}

rtcg::KernelSource KernelGenerator::with_prologue(const std::string& kernel, const std::string& body) const {
  static const rtcg::Template definitions = kernel_template("dg/codegen/state.kernel");
  const std::string prologue = definitions.render({{"state", state()}}, rtcg::Template::LineDirectives::left_out);
  return {.name = name_of(kernel),
          .text = prologue + "\n" +
                  std::string(nodes_in_parallel() ? kernels::nodes_in_parallel : kernels::lanes_in_vectors) + "\n" +
                  body};
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
