#include "dg/codegen/kernel_generator.hpp"

#include <algorithm>
#include <utility>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_template.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/lowering/contraction.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/schedule/state_layout.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;

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
  return options_.schedule.lanes() == 1;
}

rtcg::Record KernelGenerator::state() const {
  const Schedule& schedule = options_.schedule;
  const StateLayout layout(schedule, options_.precision, 1, fields_, Np_);
  constexpr int parts_at_once = 10;  // real and imaginary parts of Fourier sums that a work-item loads at a time
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
          {"boundaries_vary", lowered_.boundaries_vary}};
}

std::string KernelGenerator::name_of(const std::string& kernel) const {
  return kernel + "_" + options_.system + "_N" + number(options_.N) + "_" +
         std::string(maxwell_dg::name_of(options_.precision)) + "_" + options_.schedule.name() + ".kernel";
}

rtcg::KernelSource KernelGenerator::source(const std::string& kernel, const rtcg::Template& text,
                                           rtcg::Record values) const {
  values["state"] = state();
  return kernel_source(name_of(kernel), text, values);
}

rtcg::KernelSource KernelGenerator::sample() const {
  static const rtcg::Template text = kernel_template("dg/codegen/sample.kernel");
  return source("sample", text, {});
}

rtcg::KernelSource KernelGenerator::exchange() const {
  static const rtcg::Template text = kernel_template("dg/codegen/exchange.kernel");
  return source("exchange", text, {});
}

rtcg::KernelSource KernelGenerator::power_sums() const {
  static const rtcg::Template text = kernel_template("dg/codegen/terms/power_sums.kernel");
  return source("power_sums", text, {});
}

rtcg::KernelSource KernelGenerator::fourier(bool on_faces) const {
  static const rtcg::Template text = kernel_template("dg/codegen/fourier.kernel");
  return source(on_faces ? "fourier_on_faces" : "fourier", text, {{"on_faces", on_faces}});
}

rtcg::KernelSource KernelGenerator::field_values() const {
  static const rtcg::Template text = kernel_template("dg/codegen/field_values.kernel");
  return source("field_values", text, {});
}

rtcg::KernelSource KernelGenerator::energy() const {
  static const rtcg::Template text = kernel_template("dg/codegen/energy.kernel");
  rtcg::Record values = energy_values();
  values["nodes_in_parallel"] = nodes_in_parallel();
  return source("energy", text, std::move(values));
}

rtcg::Record KernelGenerator::energy_values() const {
  std::vector<Expr> parts;
  rtcg::Value::List couplings;
  for (const System::Energy& energy : lowered_.energies) {
    Expr& sum = parts.emplace_back(0.0);
    for (int f = 0; f < fields_; ++f) {
      sum = sum + energy.weights[static_cast<std::size_t>(f)] * Expr(Symbol{.kind = Kind::field, .index = f});
    }
    for (const auto& [f, g, weight] : energy.couplings) {
      sum = sum + weight * contraction(static_cast<int>(couplings.size()));
      couplings.emplace_back(rtcg::Record{{"f", f}, {"g", g}});
    }
  }
  const Program program(parts);
  return {{"couplings", std::move(couplings)},
          {"densities", values_of(program, print_reals(program, options_.precision))}};
}

rtcg::KernelSource nodal_values_kernel(std::span<const Expr> values, int N, bool curved) {
  static const rtcg::Template text = kernel_template("dg/codegen/nodal_values.kernel");
  const Program program(values);
  const PrintedCode code =
      symbolic::print(program, {.dtype = Dtype::float64, .type = "float64", .prefix = "v", .name_of = name_in_kernel});
  return kernel_source("nodal_values_N" + number(N) + (curved ? "_curved" : "") + ".kernel", text,
                       {{"Np", node_count(N)},
                        {"curved", curved},
                        {"point_items", KernelGenerator::point_items},
                        {"expressions", values_of(program, code)}});
}

}  // namespace maxwell_dg::dg
