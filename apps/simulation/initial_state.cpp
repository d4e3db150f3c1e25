#include "apps/simulation/initial_state.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "apps/config/resolve.hpp"
#include "apps/simulation/blame.hpp"
#include "apps/simulation/text.hpp"
#include "dg/observe/files/field_groups.hpp"

namespace maxwell_dg::simulation {
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

/// `values`: [element][field][node], of elements from `first` on.
void require_finite(const Plan& plan, const std::string& section, std::size_t first, std::span<const double> values,
                    double t) {
  const auto bad = std::find_if(values.begin(), values.end(), [](double value) { return !std::isfinite(value); });
  if (bad == values.end()) return;
  const dg::Discretization& d = *plan.discretization;
  const auto at = static_cast<std::size_t>(bad - values.begin());
  const auto Np = static_cast<std::size_t>(d.Np());
  const auto fields = static_cast<std::size_t>(plan.problem.system.field_count());
  const dg::Point x = d.node(first + at / Np / fields, static_cast<int>(at % Np));
  const std::string key = key_of(section, plan.problem.system, static_cast<int>(at / Np % fields));
  refuse(plan.config, key,
         "is not a finite number at (" + brief(x[0]) + ", " + brief(x[1]) + ", " + brief(x[2]) + ")" +
             ", t = " + brief(t * plan.file_scaling.time) +
             "; look for a division by zero, a root or logarithm of a negative number, or an overflow");
}

/// Of elements from `first` on; of complex fields the imaginary parts behind the real ones.
void finite_values(const Plan& plan, const dg::Operator& op, const std::string& section, const Formulas& formulas,
                   double t, std::size_t first, std::span<double> values) {
  const std::size_t an_element = op.dofs() / plan.discretization->K();
  const std::size_t places = plan.discretization->complex_view.places();
  const std::size_t real_values = an_element * (places - std::min(first, places));
  const std::span<double> real = values.first(std::min(real_values, values.size()));
  const std::span<double> imaginary = values.subspan(real.size());
  const auto fill = [&](const auto& expressions, const std::string& key, std::size_t from, std::span<double> to) {
    if (to.empty()) return;
    op.nodal_values(expressions, t, from, to);
    require_finite(plan, key, from, to, t);
  };
  fill(formulas.real, section, first, real);
  if (formulas.imaginary.empty()) {
    std::ranges::fill(imaginary, 0.0);
  } else {
    fill(formulas.imaginary, "imaginary." + section, first + real.size() / an_element, imaginary);
  }
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
  op.set_state(
      [&](std::size_t first, std::span<double> q) { finite_values(plan, op, "initial_fields", fields, 0, first, q); });
}

std::optional<Formulas> reference_solution(const Plan& plan, const dg::Operator& op) {
  const config::Config& config = plan.config;
  if (!config.reference_solution) return std::nullopt;
  Formulas reference{.real = config::expressions(config, *config.reference_solution, plan.problem.system)};
  if (config.imaginary && config.imaginary->reference_solution) {
    reference.imaginary = config::expressions(config, *config.imaginary->reference_solution, plan.problem.system);
  }
  const std::size_t K = plan.discretization->K(), an_element = op.dofs() / K;
  constexpr std::size_t a_piece = 10'000;
  std::vector<double> values;
  for (const double t : {0.0, plan.end()}) {
    for (std::size_t first = 0; first < K; first += a_piece) {
      values.resize(an_element * std::min(a_piece, K - first));
      finite_values(plan, op, "reference_solution", reference, t, first, values);
    }
  }
  return reference;
}

std::vector<dg::ErrorNorm> reference_errors(const Plan& plan, const dg::Operator& op, const Formulas& reference,
                                            double t) {
  std::vector<dg::ErrorNorm> errors = dg::error_norms(op, [&](std::size_t first, std::span<double> exact) {
    finite_values(plan, op, "reference_solution", reference, t, first, exact);
  });
  for (dg::ErrorNorm& error : errors) {
    const double factor = 1 / plan.scaling.field(error.name);
    error.l2 *= factor;
    error.linf *= factor;
  }
  return errors;
}

}  // namespace maxwell_dg::simulation
