#include "apps/simulation/prepared.hpp"

#include "dg/operator/saved_state.hpp"

namespace maxwell_dg::simulation {

Prepared::Prepared(Plan& plan, const rtcg::Compiler& compiler, const dg::Schedule& schedule,
                   const dg::CurvedVariant& curved)
    : plan_(plan), op_(make_operator(plan, compiler, schedule, curved)) {
  plan_.seconds.emplace_back("operator", watch_.lap());
  reference_ = reference_solution(plan_, op_);
  set_initial_state(plan_, op_);
}

void Prepared::watch(dg::Sink& results, const dg::Archive* resumed) {
  observers_.emplace(plan_, op_, results, resumed);
  if (resumed != nullptr) dg::load_state(op_, *resumed);
  plan_.seconds.emplace_back("initial_state", watch_.lap());
}

}  // namespace maxwell_dg::simulation
