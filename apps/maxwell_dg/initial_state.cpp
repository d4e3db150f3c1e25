#include "apps/maxwell_dg/initial_state.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "apps/config/resolve.hpp"
#include "apps/maxwell_dg/text.hpp"
#include "core/error.hpp"
#include "dg/observe/field_groups.hpp"

namespace maxwell_dg {
namespace {

/// "initial_fields.E.2" of field Ez.
std::string key_of(const std::string& section, const dg::System& system, int field) {
  for (const dg::FieldGroup& group : dg::field_groups(system.fields)) {
    for (std::size_t i = 0; i < group.fields.size(); ++i) {
      if (group.fields[i] != field) continue;
      return section + "." + group.name + (group.fields.size() > 1 ? "." + std::to_string(i) : "");
    }
  }
  return section;
}

/// `values`: [element][field][node].
void require_finite(const Plan& plan, const std::string& section, std::span<const double> values, double t) {
  const auto bad = std::find_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
  if (bad == values.end()) return;
  const dg::Discretization& d = *plan.discretization;
  const auto at = static_cast<std::size_t>(bad - values.begin());
  const auto Np = static_cast<std::size_t>(d.Np());
  const auto fields = static_cast<std::size_t>(plan.problem.system.field_count());
  const dg::Point x = d.node(at / Np / fields, static_cast<int>(at % Np));
  const std::string key = key_of(section, plan.problem.system, static_cast<int>(at / Np % fields));
  throw ConfigError(plan.config.blame(
      key, "is not a finite number at (" + brief(x[0]) + ", " + brief(x[1]) + ", " + brief(x[2]) + ")" +
               ", t = " + brief(t * plan.file_scaling.time) +
               "; look for a division by zero, a root or logarithm of a negative number, or an overflow"));
}

}  // namespace

void set_initial_state(const Plan& plan, dg::Operator& op) {
  const std::vector<dg::symbolic::Expr> fields =
      config::expressions(plan.config, plan.config.initial_fields, plan.problem.system);
  if (std::all_of(fields.begin(), fields.end(), [](const auto& f) { return f.is_constant(0); })) return;
  const std::vector<double> q = op.nodal_values(fields, 0);
  require_finite(plan, "initial_fields", q, 0);
  op.set_state(q);
}

std::optional<std::vector<dg::symbolic::Expr>> reference_solution(const Plan& plan, const dg::Operator& op) {
  if (!plan.config.reference_solution) return std::nullopt;
  std::vector<dg::symbolic::Expr> reference =
      config::expressions(plan.config, *plan.config.reference_solution, plan.problem.system);
  for (const double t : {0.0, plan.end()}) {
    require_finite(plan, "reference_solution", op.nodal_values(reference, t), t);
  }
  return reference;
}

std::vector<dg::ErrorNorm> reference_errors(const Plan& plan, const dg::Operator& op,
                                            std::span<const dg::symbolic::Expr> reference, double t) {
  std::vector<dg::ErrorNorm> errors = dg::error_norms(op, reference, t);
  for (dg::ErrorNorm& error : errors) {
    const double factor = 1 / plan.scaling.field(error.name);
    error.l2 *= factor;
    error.linf *= factor;
  }
  return errors;
}

}  // namespace maxwell_dg
