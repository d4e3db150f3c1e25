#include "dg/codegen/nodes/split_generator.hpp"

#include <utility>

#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_template.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/codegen/outside_state.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/reference/reference_element.hpp"
#include "dg/symbolic/code_printer.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;

SplitGenerator::SplitGenerator(const LoweredSystem& lowered, KernelGenerator::Options options)
    : lowered_(lowered),
      kernels_(lowered, std::move(options)),
      Np_(node_count(kernels_.options().N)),
      Nfp_(face_node_count(kernels_.options().N)),
      fields_(static_cast<int>(lowered.volume.size())),
      sizes_(slicing(), fields_, kernels_.options().N, precision()) {
  require(fits(sizes_, nullptr), schedule());
}

MatrixSource SplitGenerator::derivatives() const {
  return {
      .name = "D", .operators = slicing().volume.operators, .columns = 3 * Np_, .values_before = sizes_.shared_fields};
}

MatrixSource SplitGenerator::lift() const {
  return {.name = "LIFT",
          .operators = slicing().surface.operators,
          .columns = 4 * Nfp_,
          .values_before = sizes_.shared_fluxes};
}

rtcg::Record SplitGenerator::values_of_slices(const Schedule::Nodes::Slices& slices, const GroupDemand& group) const {
  return {{"parallel", slices.parallel},
          {"inlined", slices.inlined},
          {"sequence", slices.sequence},
          {"at_once", slices.at_once()},
          {"elements", slices.elements()},
          {"items", group.items},
          {"shared_values", group.shared_bytes / size_of(precision())}};
}

rtcg::Record SplitGenerator::volume() const {
  const Program program(lowered_.volume);
  return {
      {"slices", values_of_slices(slicing().volume, sizes_.volume)},
      {"D", derivatives().values(
                [this] { return derivatives_by_columns(ReferenceElement::make(kernels_.options().N)); }, precision())},
      {"differentiated", values_of(lowered_.differentiated)},
      {"equations", values_of(program, print_reals(program, precision()))}};
}

rtcg::Record SplitGenerator::surface() const {
  const Program program(lowered_.flux);
  return {{"slices", values_of_slices(slicing().surface, sizes_.surface)},
          {"LIFT", lift().values([this] { return lift_by_columns(ReferenceElement::make(kernels_.options().N)); },
                                 precision())},
          {"outside_fields", values_of(lowered_.outside_fields)},
          {"flux", values_of(program, print_reals(program, precision()))}};
}

rtcg::KernelSource SplitGenerator::stage() const {
  static const rtcg::Template text = kernel_template("dg/codegen/nodes/stage_nodes.kernel");
  return kernel_source(kernels_.name_of("stage"), text,
                       {{"state", kernels_.state()},
                        {"outside", outside_state_values(lowered_, precision())},
                        {"has_ranges", kernels_.options().has_ranges},
                        {"fields_are_together", slicing().fields == Schedule::Nodes::Fields::together},
                        {"connects_nodes", schedule().connects_nodes()},
                        {"volume", volume()},
                        {"surface", surface()},
                        {"update", rtcg::Record{{"items", update_items}, {"at_once", slicing().updated_at_once}}}});
}

}  // namespace maxwell_dg::dg
