#include "dg/codegen/outside_state.hpp"

#include <utility>

#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/symbolic/code_printer.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;

rtcg::Record outside_state_values(const LoweredSystem& lowered, Dtype precision) {
  const bool is_wide = lowered.boundaries_vary;
  rtcg::Value::List conditions;
  for (const std::vector<Expr>& outside : lowered.outside) {
    std::vector<Expr> wanted;
    for (const int f : lowered.outside_fields) wanted.push_back(outside[static_cast<std::size_t>(f)]);
    const Program program(wanted);
    const PrintedCode code = print(program, {.dtype = is_wide ? Dtype::float64 : precision,
                                             .type = "boundary_real",
                                             .prefix = "b",
                                             .name_of = name_in_kernel});
    conditions.emplace_back(values_by_kind(program, code));
  }
  return {{"is_wide", is_wide}, {"conditions", std::move(conditions)}};
}

}  // namespace maxwell_dg::dg
