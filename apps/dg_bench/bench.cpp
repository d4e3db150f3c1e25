#include "apps/dg_bench/bench.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <random>

#include "dg/operator/operator.hpp"
#include "dg/operator/reference_operator.hpp"
#include "dg/operator/work.hpp"
#include "rtcg/tune/measure.hpp"

namespace maxwell_dg::bench {

namespace {

/// Cells a side of the standard box, orders 1 to 9 on a GPU: 6 n^3 elements, several times the last-level cache.
constexpr std::array standard_sides{56, 44, 36, 30, 24, 20, 18, 16, 14};

int sides(const Question& question, bool cpu) {
  if (question.elements > 0) {
    return std::max(1, static_cast<int>(std::lround(std::cbrt(static_cast<double>(question.elements) / 6))));
  }
  const int standard = standard_sides.at(static_cast<std::size_t>(question.order) - 1);
  return cpu ? standard / 2 : standard;
}

/// The unit cube, its vertices moved by up to 15 % of a cell.
dg::Mesh distorted_box(int side) {
  dg::Mesh mesh = dg::make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {side, side, side}});
  dg::distort(mesh, 0.15 / side);
  return mesh;
}

/// Random materials, the system's first boundary condition (a wall) everywhere.
dg::Problem box_problem(const dg::System& system, const dg::Discretization& discretization) {
  dg::Problem problem{.system = system};
  std::mt19937 random(6);
  std::uniform_real_distribution<double> contrast(1.0, 2.0);
  for (const auto& parameter : system.parameters) {
    auto& values = problem.parameters.emplace_back(discretization.K());
    for (double& value : values) value = parameter.default_value * contrast(random);
  }
  problem.boundary.assign(discretization.connectivity.boundary_faces.size(), 0);
  return problem;
}

std::vector<double> random_fields(std::size_t count) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> value(-1.0F, 1.0F);
  std::vector<double> q(count);
  for (double& x : q) x = value(random);
  return q;
}

double relative_error(rtcg::Compiler& compiler, const Question& question, const dg::Operator::Options& options) {
  const auto discretization = std::make_shared<dg::Discretization>(distorted_box(2), question.order);
  const dg::Problem problem = box_problem(question.system, *discretization);
  dg::Operator op(compiler, discretization, problem, options);
  const std::vector<double> q = random_fields(op.dofs());
  std::vector<double> found(op.dofs()), expected(op.dofs());
  op.set_state(q);
  op.evaluate_rhs(0.0, found);
  dg::ReferenceOperator(*discretization, problem).rhs(q, 0.0, expected);
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    difference += std::pow(found[i] - expected[i], 2);
    norm += std::pow(expected[i], 2);
  }
  return std::sqrt(difference / norm);
}

Answer measure(rtcg::Compiler& compiler, const rtcg::Ceilings& ceilings, const Question& question,
               const std::shared_ptr<const dg::Discretization>& discretization, const dg::Problem& problem,
               const std::vector<double>& fields, const dg::Operator::Options& options) {
  const double error = relative_error(compiler, question, options);  // first: what is wrong need not be fast
  dg::Operator op(compiler, discretization, problem, options);
  op.set_state(fields);
  const double seconds = rtcg::measure_seconds(op.stream(), [&] { op.stage(-0.5, 0.3, 1e-6, 0.0); });

  const auto K = static_cast<double>(discretization->K());
  const dg::StageWork work = dg::stage_work(question.system, question.order, question.precision);
  Answer answer{.system = question.system.name,
                .order = question.order,
                .precision = question.precision,
                .elements = discretization->K(),
                .ns_per_element_stage = seconds / K * 1e9,
                .gdof_per_second = work.dofs * K / seconds / 1e9,
                .gflops = work.flops * K / seconds / 1e9,
                .gb_per_second = work.bytes * K / seconds / 1e9,
                .variant = op.variant(),
                .max_relative_error = error};
  answer.bandwidth_fraction = answer.gb_per_second / ceilings.copy_gb_s;
  answer.compute_fraction = answer.gflops / ceilings.best_gflops(question.precision);
  answer.roofline_fraction = std::max(answer.bandwidth_fraction, answer.compute_fraction);
  return answer;
}

}  // namespace

std::vector<Answer> run(rtcg::Compiler& compiler, const rtcg::Ceilings& ceilings, const Question& question) {
  const int side = sides(question, compiler.device().info().is_cpu);
  const auto discretization = std::make_shared<dg::Discretization>(distorted_box(side), question.order);
  const dg::Problem problem = box_problem(question.system, *discretization);
  const std::vector<double> fields = random_fields(
      discretization->K() * static_cast<std::size_t>(question.system.field_count() * discretization->Np()));
  std::vector<Answer> answers;
  const auto add = [&](const dg::Operator::Options& options) {
    answers.push_back(measure(compiler, ceilings, question, discretization, problem, fields, options));
  };
  for (const dg::Schedule& schedule : question.schedules) {
    add({.precision = question.precision, .schedule = schedule});
  }
  if (question.schedules.empty()) add({.precision = question.precision});
  return answers;
}

}  // namespace maxwell_dg::bench
