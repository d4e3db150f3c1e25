#include "dg/codegen/term_of_stage.hpp"

#include <vector>

#include "core/round_up.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

TermLayout term_layout(int lanes, int Np, int variables, std::size_t real_bytes) {
  const int vector = 16 / static_cast<int>(real_bytes);
  return {.lanes = lanes, .Np = Np, .row = round_up(variables * Np * lanes, vector)};
}

rtcg::Value::List values_of(std::span<const TermOfStage> terms, int lanes, int Np, std::size_t real_bytes,
                            const std::function<symbolic::PrintedCode(std::span<const symbolic::Expr>)>& print) {
  rtcg::Value::List list;
  for (const TermOfStage& term : terms) {
    const std::vector<symbolic::Expr> outputs = term.lowered.outputs();
    list.emplace_back(rtcg::Record{{"name", term.name},
                                   {"fields", values_of(term.lowered.fields)},
                                   {"auxiliary", term.auxiliary()},
                                   {"profiles", term.profiles},
                                   {"constants", term.lowered.constants.size()},
                                   {"row", term_layout(lanes, Np, term.auxiliary(), real_bytes).row},
                                   {"profile_row", term_layout(lanes, Np, term.profiles, real_bytes).row},
                                   {"density", values_of(symbolic::Program(outputs), print(outputs))}});
  }
  return list;
}

}  // namespace maxwell_dg::dg
