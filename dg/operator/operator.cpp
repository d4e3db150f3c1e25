#include "dg/operator/operator.hpp"

#include <stdexcept>

#include "dg/operator/operator_impl.hpp"
#include "dg/variants/stage_generator.hpp"
#include "dg/variants/variants.hpp"

namespace maxwell_dg::dg {

Operator::Operator(const rtcg::Compiler& compiler, const std::shared_ptr<const Discretization>& discretization,
                   Problem problem, Options options) {
  const core::DeviceInfo& device = compiler.device().info();
  const LoweredSystem lowered = lower(problem.system);
  const StagesOfProblem stages{.N = discretization->N(),
                               .precision = options.precision,
                               .powers = options.powers,
                               .has_curved = discretization->curved.has_value()};
  const Schedule schedule =
      options.schedule.value_or(default_schedule(device, question_of(lowered, problem, stages, device)));
  if (schedule.in_basis_of_element() && has_additions(problem, options.powers)) {
    throw std::invalid_argument("schedule " + schedule.name() + ": terms and powers need components along x, y and z");
  }
  impl_ = std::make_unique<Impl>(compiler, discretization, std::move(problem), schedule, options);
}
Operator::~Operator() = default;
Operator::Operator(Operator&&) noexcept = default;
Operator& Operator::operator=(Operator&&) noexcept = default;

const Discretization& Operator::discretization() const {
  return impl_->problem.discretization();
}
const Problem& Operator::problem() const {
  return impl_->problem.problem();
}
Dtype Operator::precision() const {
  return impl_->setting().precision;
}
const Schedule& Operator::schedule() const {
  return impl_->setting().schedule;
}
std::string Operator::variant() const {
  return impl_->setting().schedule.name();
}
const core::Stream& Operator::stream() const {
  return impl_->stream();
}
std::size_t Operator::dofs() const {
  return impl_->problem.dofs();
}

void Operator::set_state(std::span<const double> q) {
  impl_->problem.set_state(q);
}

void Operator::set_stored_state(std::span<const double> q) {
  impl_->problem.set_stored_state(q);
}

void Operator::get_state(std::span<double> q) const {
  impl_->problem.read(impl_->stages().cartesian_state(), q);
}

void Operator::set_state(const FillElements& values) {
  impl_->problem.set_state(values);
}

void Operator::get_state(const TakeElements& take) const {
  impl_->problem.read(impl_->stages().cartesian_state(), take);
}

std::size_t Operator::auxiliary_count() const {
  return dg::auxiliary_count(problem(), discretization());
}

void Operator::set_auxiliary(std::span<const double> u) {
  impl_->terms.set_auxiliary(u);
}

void Operator::get_auxiliary(std::span<double> u) const {
  impl_->terms.get_auxiliary(u);
}

void Operator::evaluate_rhs(double t, std::span<double> rhs, std::span<double> rates) {
  impl_->problem.read(impl_->stages().evaluate(t), rhs);
  if (!rates.empty()) impl_->terms.get_rates(rates);
}

void Operator::stage(double a, double b, double dt, double t) {
  impl_->stages().advance(a, b, dt, t);
}

void Operator::stage_of_range(std::size_t range, double a, double b, double dt, double t) {
  impl_->stages().advance_range(range, a, b, dt, t);
}

void Operator::step(const Stages& stages, double dt, double t) {
  impl_->step.run(stages, dt, t);
}

}  // namespace maxwell_dg::dg
