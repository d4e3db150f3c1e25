#include "dg/codegen/terms/term_generator.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_template.hpp"
#include "dg/codegen/kernel_values.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Kind = Symbol::Kind;

namespace {

/// Terms of times or positions are computed in double: phases of waves need it.
bool is_wide(const LoweredTerm& lowered) {
  return lowered.depends_on_time || lowered.depends_on_position;
}

}  // namespace

int TermGenerator::face_items() const {
  return stage_.nodes_in_parallel() ? std::min(round_up(Np(), 32), 256) : 1;
}

int TermGenerator::power_items(bool on_faces) const {
  return std::min(round_up(on_faces ? Nfp() : Np(), 32), 256);
}

rtcg::Record TermGenerator::density(const LoweredTerm& lowered, const std::vector<Expr>& outputs, Dtype precision) {
  const std::string type = is_wide(lowered) ? "float64" : "real";
  const Program program(outputs);
  const PrintedCode code = symbolic::print(
      program,
      {.dtype = is_wide(lowered) ? Dtype::float64 : precision, .type = type, .prefix = "v", .name_of = name_in_kernel});
  const std::vector<int> fields(lowered.fields.begin(),
                                lowered.fields.begin() + static_cast<std::ptrdiff_t>(lowered.added.size()));
  return {{"fields", values_of(fields)},
          {"constants", lowered.constants.size()},
          {"type", type},
          {"density", values_of(program, code)}};
}

rtcg::Record TermGenerator::values(const LoweredTerm& lowered, const std::vector<Expr>& outputs,
                                   const Sizes& sizes) const {
  rtcg::Record term = density(lowered, outputs, options_.precision);
  term["items"] = sizes.items;
  term["auxiliary"] = sizes.auxiliary;
  term["profiles"] = sizes.profiles;
  term["nodes"] = sizes.nodes;
  term["node"] = sizes.node;
  term["auxiliary_of_faces"] = sizes.on_faces && sizes.auxiliary > 0;
  term["stage_is_done"] = options_.schedule.is_fused();
  return term;
}

rtcg::KernelSource TermGenerator::element_term(const ElementTerm& term, const LoweredTerm& lowered) const {
  static const rtcg::Template text = kernel_template("dg/codegen/terms/element_term.kernel");
  const Sizes sizes{.items = element_items,
                    .auxiliary = static_cast<int>(lowered.rates.size()),
                    .profiles = static_cast<int>(term.profiles.size()),
                    .nodes = Np(),
                    .on_faces = false,
                    .node = "n"};
  return stage_.source("element_term_" + term.name, text, {{"term", values(lowered, lowered.outputs(), sizes)}});
}

rtcg::KernelSource TermGenerator::face_term(const FaceTerm& term, const LoweredTerm& lowered) const {
  static const rtcg::Template text = kernel_template("dg/codegen/terms/face_term.kernel");
  const Sizes sizes{.items = face_items(),
                    .auxiliary = static_cast<int>(term.auxiliary.size()),
                    .profiles = static_cast<int>(term.profiles.size()),
                    .nodes = Nfp(),
                    .on_faces = true,
                    .node = "j"};
  return stage_.source(
      "face_term_" + term.name, text,
      {{"term", values(lowered, lowered.outputs(), sizes)}, {"nodes_in_parallel", stage_.nodes_in_parallel()}});
}

rtcg::KernelSource TermGenerator::power(const std::string& name, const LoweredTerm& lowered, const Sizes& sizes) const {
  static const rtcg::Template text = kernel_template("dg/codegen/terms/power.kernel");
  const std::set<Symbol> fields = symbols_of(lowered.added, Kind::field);
  const bool reads_outside = std::ranges::any_of(fields, [](const Symbol& q) { return q.side == Side::outside; });
  return stage_.source("power_" + name, text,
                       {{"term", values(lowered, lowered.added, sizes)},
                        {"on_faces", sizes.on_faces},
                        {"reads_outside", sizes.on_faces && reads_outside}});
}

rtcg::KernelSource TermGenerator::power(const ElementTerm& term, const LoweredTerm& lowered) const {
  const Sizes sizes{.items = power_items(false),
                    .auxiliary = static_cast<int>(term.auxiliary.size()),
                    .profiles = static_cast<int>(term.profiles.size()),
                    .nodes = Np(),
                    .on_faces = false,
                    .node = "j"};
  return power(term.name, lowered, sizes);
}

rtcg::KernelSource TermGenerator::power(const FaceTerm& term, const LoweredTerm& lowered) const {
  const Sizes sizes{.items = power_items(true),
                    .auxiliary = static_cast<int>(term.auxiliary.size()),
                    .profiles = static_cast<int>(term.profiles.size()),
                    .nodes = Nfp(),
                    .on_faces = true,
                    .node = "j"};
  return power(term.name, lowered, sizes);
}

}  // namespace maxwell_dg::dg
