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

/// [element][field][node]; of complex fields the imaginary part in the second half of the elements.
std::vector<double> finite_values(const Plan& plan, const dg::Operator& op, const std::string& section,
                                  const Formulas& formulas, double t) {
  std::vector<double> values = op.nodal_values(formulas.real, t);
  require_finite(plan, section, values, t);
  if (!plan.discretization->mesh.is_twice) return values;
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  if (formulas.imaginary.empty()) {
    std::fill(half, values.end(), 0.0);
  } else {
    const std::vector<double> imaginary = op.nodal_values(formulas.imaginary, t);
    require_finite(plan, "imaginary." + section, imaginary, t);
    std::copy(imaginary.begin() + (half - values.begin()), imaginary.end(), half);
  }
  return values;
}

}  // namespace

void set_initial_state(const Plan& plan, dg::Operator& op) {
  const config::Config& config = plan.config;
  Formulas fields{.real = config::expressions(config, config.initial_fields, plan.problem.system)};
  if (config.imaginary) {
    fields.imaginary = config::expressions(config, config.imaginary->initial_fields, plan.problem.system);
  }
  const auto is_zero = [](const auto& f) { return f.is_constant(0); };
  if (std::ranges::all_of(fields.real, is_zero) && std::ranges::all_of(fields.imaginary, is_zero)) return;
  op.set_state(finite_values(plan, op, "initial_fields", fields, 0));
}

std::optional<Formulas> reference_solution(const Plan& plan, const dg::Operator& op) {
  const config::Config& config = plan.config;
  if (!config.reference_solution) return std::nullopt;
  Formulas reference{.real = config::expressions(config, *config.reference_solution, plan.problem.system)};
  if (config.imaginary && config.imaginary->reference_solution) {
    reference.imaginary = config::expressions(config, *config.imaginary->reference_solution, plan.problem.system);
  }
  for (const double t : {0.0, plan.end()}) (void)finite_values(plan, op, "reference_solution", reference, t);
  return reference;
}

std::vector<dg::ErrorNorm> reference_errors(const Plan& plan, const dg::Operator& op, const Formulas& reference,
                                            double t) {
  std::vector<double> q(op.dofs());
  op.get_state(q);
  std::vector<dg::ErrorNorm> errors = dg::error_norms(*plan.discretization, plan.problem.system.fields, q,
                                                      finite_values(plan, op, "reference_solution", reference, t));
  for (dg::ErrorNorm& error : errors) {
    const double factor = 1 / plan.scaling.field(error.name);
    error.l2 *= factor;
    error.linf *= factor;
  }
  return errors;
}

}  // namespace maxwell_dg
