#include "dg/operator/operator.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>

#include "dg/operator/operator_impl.hpp"
#include "dg/partition/shared_partition.hpp"
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
  if (!discretization->whole_numbers.empty() && options.ranks.size() > 1) {
    impl_ = std::make_unique<Impl>(compiler, std::nullopt, discretization, std::move(problem),
                                   Schedule::named(options.ranks.broadcast(schedule.name())), options);
    return;
  }
  if (options.ranks.size() == 1) {
    impl_ = std::make_unique<Impl>(compiler, std::nullopt, discretization, std::move(problem), schedule, options);
    return;
  }
  if (options.rank_of_element.empty()) {
    options.rank_of_element = shared_partition(*discretization, problem, device.is_cpu, options.ranks).rank_of_element;
  }
  std::optional<Share> share(std::in_place, discretization, std::move(problem), options.ranks, options.rank_of_element);
  const std::shared_ptr<const Discretization> part = share->part();
  Problem of_part = share->take_problem_of_part();
  impl_ = std::make_unique<Impl>(compiler, std::move(share), part, std::move(of_part),
                                 Schedule::named(options.ranks.broadcast(schedule.name())), options);
}
Operator::~Operator() = default;
Operator::Operator(Operator&&) noexcept = default;
Operator& Operator::operator=(Operator&&) noexcept = default;

const Discretization& Operator::discretization() const {
  return impl_->whole();
}
const Problem& Operator::problem() const {
  return impl_->problem_of_whole();
}
const Discretization& Operator::part() const {
  return impl_->problem.discretization();
}
const Problem& Operator::problem_of_part() const {
  return impl_->problem.problem();
}
std::optional<std::size_t> Operator::number_in_part(std::size_t element) const {
  const std::ptrdiff_t here = element < part().own() ? static_cast<std::ptrdiff_t>(element) : -1;
  const std::ptrdiff_t number = impl_->share ? impl_->share->own_number(element) : here;
  if (number < 0) return std::nullopt;
  return static_cast<std::size_t>(number);
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
const core::Communicator& Operator::ranks() const {
  return impl_->ranks;
}
std::optional<Transport> Operator::transport() const {
  if (!impl_->exchange) return std::nullopt;
  return impl_->exchange->transport();
}
std::size_t Operator::dofs() const {
  return impl_->whole().K() * impl_->values_of_element();
}

std::size_t Operator::elements_of_all() const {
  return impl_->elements_of_all;
}

void Operator::set_state(std::span<const double> q) {
  set_state(filled_from(q));
}

void Operator::set_stored_state(std::span<const double> q) {
  if (impl_->share) {
    impl_->problem.set_stored_state(impl_->share->of_part(filled_from(q), impl_->values_of_element()));
    impl_->stages().update_ghosts();
    return;
  }
  impl_->problem.set_stored_state(q);
  impl_->update_ghosts();
}

void Operator::get_state(std::span<double> q) const {
  impl_->read(impl_->stages().cartesian_state(), q);
}

void Operator::set_state(const FillElements& values) {
  if (impl_->share) {
    impl_->problem.set_state(impl_->share->of_part(values, impl_->values_of_element()));
    impl_->stages().update_ghosts();
    return;
  }
  impl_->problem.set_state(values);
  impl_->update_ghosts();
}

void Operator::get_state(const TakeElements& take) const {
  if (impl_->share) {
    std::vector<double> q(dofs());
    get_state(q);
    take(0, q);
    return;
  }
  impl_->problem.read(impl_->stages().cartesian_state(), take);
}

std::vector<double> Operator::own_state() const {
  std::vector<double> q(part().own() * impl_->values_of_element());
  own_state([&](std::size_t first, std::span<const double> piece) {
    std::ranges::copy(piece, q.begin() + static_cast<std::ptrdiff_t>(first * impl_->values_of_element()));
  });
  return q;
}

void Operator::own_state(const TakeElements& take) const {
  impl_->problem.read(impl_->stages().cartesian_state(), [&](std::size_t first, std::span<const double> q) {
    if (first >= part().own()) return;  // ghosts
    take(first, q.first(std::min(q.size(), (part().own() - first) * impl_->values_of_element())));
  });
}

void Operator::set_own_state(std::span<const double> q) {
  impl_->problem.set_state(with_ghosts(q));
  impl_->update_ghosts();
}

void Operator::set_own_stored_state(std::span<const double> q) {
  impl_->problem.set_stored_state(with_ghosts(q));
  impl_->update_ghosts();
}

/// Values of own elements, and zeros behind them.
std::vector<double> Operator::with_ghosts(std::span<const double> own) const {
  Impl::require(own.size(), part().own() * impl_->values_of_element(), "own_state");
  std::vector<double> q(own.begin(), own.end());
  q.resize(impl_->problem.dofs());
  return q;
}

std::vector<double> Operator::own_values(const FillElements& whole, std::size_t values_of_element) const {
  std::vector<double> values;
  if (impl_->share) {
    values = impl_->share->of_part(whole, values_of_element);
    values.resize(part().own() * values_of_element);
  } else {
    values.resize(part().own() * values_of_element);
    whole(0, values);
  }
  return values;
}

std::vector<double> Operator::gathered(std::span<const double> own, std::size_t values_of_element) const {
  Impl::require(own.size(), part().own() * values_of_element, "part().own() * values_of_element");
  if (!impl_->share) return {own.begin(), own.end()};
  return impl_->share->of_whole(own, values_of_element, Share::Receiver::first);
}

FillElements Operator::filled_from(std::span<const double> q) const {
  Impl::require(q.size(), dofs(), "dofs");
  return pieces_of(q, impl_->values_of_element());
}

void Operator::set_parameters(std::vector<std::vector<double>> parameters) {
  if (ranks().size() > 1 || problem().varying.any() || impl_->powers) {
    throw std::logic_error("Operator::set_parameters: not with several ranks, varying parameters or powers");
  }
  Impl::require(parameters.size(), problem().parameters.size(), "problem().parameters");
  for (const std::vector<double>& values : parameters)
    Impl::require(values.size(), discretization().K(), "discretization().K");
  impl_->problem.set_parameters(std::move(parameters));
  impl_->step.forget();
}

std::size_t Operator::auxiliary_count() const {
  return dg::auxiliary_count(problem(), discretization());
}

void Operator::set_auxiliary(std::span<const double> u) {
  Impl::require(u.size(), auxiliary_count(), "auxiliary_count");
  impl_->terms.set_auxiliary(impl_->share ? impl_->share->auxiliary_of_part(u) : u);
}

void Operator::get_auxiliary(std::span<double> u) const {
  impl_->get_auxiliary(&TermKernels::get_auxiliary, u);
}

std::vector<double> Operator::own_auxiliary() const {
  std::vector<double> u(dg::auxiliary_count(problem_of_part(), part()));
  impl_->terms.get_auxiliary(u);
  return u;
}

void Operator::set_own_auxiliary(std::span<const double> u) {
  Impl::require(u.size(), dg::auxiliary_count(problem_of_part(), part()), "own_auxiliary");
  impl_->terms.set_auxiliary(u);
}

void Operator::evaluate_rhs(double t, std::span<double> rhs, std::span<double> rates) {
  impl_->read(impl_->stages().evaluate(t), rhs);
  if (!rates.empty()) impl_->get_auxiliary(&TermKernels::get_rates, rates);
}

void Operator::stage(double a, double b, double dt, double t) {
  impl_->stages().advance(a, b, dt, t);
}

void Operator::stage_of_range(std::size_t range, double a, double b, double dt, double t) {
  if (ranks().size() > 1) throw std::logic_error("Operator::stage_of_range: not with several ranks, whose stages meet");
  impl_->stages().advance_range(range, a, b, dt, t);
}

void Operator::step(const Stages& stages, double dt, double t) {
  impl_->step.run(stages, dt, t);
}

}  // namespace maxwell_dg::dg
