#include "apps/dg_bench/bench.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>

#include "apps/kernel_files.hpp"
#include "core/error.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/mesh/curved/curved_mesh.hpp"
#include "dg/operator/fourier_sums.hpp"
#include "dg/operator/operator.hpp"
#include "dg/time/runge_kutta.hpp"
#include "dg/tuning/stage_tuner.hpp"
#include "dg/tuning/verification.hpp"
#include "dg/variants/slicings.hpp"
#include "dg/variants/variants.hpp"
#include "dg/variants/work.hpp"
#include "rtcg/tune/measure.hpp"

namespace maxwell_dg::bench {

namespace {

/// Cells a side of the standard box, orders 1 to 9 on a GPU: 6 n^3 elements, several times the last-level cache.
constexpr std::array standard_sides{56, 44, 36, 30, 24, 20, 18, 16, 14};

int sides(int order, std::size_t elements, bool cpu) {
  if (elements > 0) return std::max(1, static_cast<int>(std::lround(std::cbrt(static_cast<double>(elements) / 6))));
  const int standard = standard_sides.at(static_cast<std::size_t>(order) - 1);
  return cpu ? standard / 2 : standard;
}

/// Cells are distorted by so much of their width.
constexpr double distortion = 0.15;

/// Bends the upper layers of a unit cube's cells that are such a share of it, at least one of them, by maps of order 2:
/// nowhere by more than a fraction of a cell. The vertices between them and those below stay where they are.
void bend(dg::Mesh& mesh, double share, int sides) {
  const double largest = 0.05 / sides, layers = std::max(1.0, std::round(share * sides));
  const double first = (sides - layers + distortion) / sides;
  dg::curve(mesh, 2, [&](const dg::Point& x) {
    const double above = std::max(0.0, x[2] - first) / (1 - first);
    const double by = largest * above * above * std::cos(3 * x[0] + 2 * x[1]);
    return dg::Point{x[0] + by, x[1] - by, x[2] + by / 2};
  });
  dg::prepare(mesh, "bent box", dg::Orientation::any);
}

/// The largest relative error of a right-hand side of the systems measured here, at any order, that is rounding.
double allowed_error(Dtype precision) {
  return precision == Dtype::float64 ? 1e-13 : 2e-6;
}

/// A variant on the mesh that is measured on, and its error on a small one.
struct Trial {
  std::unique_ptr<dg::Operator> op;
  double error{};

  [[nodiscard]] rtcg::Work stages() const {
    return {op->stream(), [&op = *op] { op.stage(-0.5, 0.3, 1e-6, 0.0); }};
  }
};

Trial make_trial(rtcg::Compiler& compiler, const Question& question,
                 const std::shared_ptr<const dg::Discretization>& discretization, const dg::Problem& problem,
                 const dg::Schedule& schedule) {
  Trial trial;
  trial.error = verified_error(compiler, question, schedule, discretization->K());  // what is wrong need not be fast
  trial.op = std::make_unique<dg::Operator>(
      compiler, discretization, problem, dg::Operator::Options{.precision = question.precision, .schedule = schedule});
  set_random_state(*trial.op);
  return trial;
}

Answer answer(const rtcg::Ceilings& ceilings, const Question& question, const Trial& trial, double seconds) {
  const std::size_t elements = trial.op->discretization().K();
  const double stages = static_cast<double>(elements) / seconds;
  const dg::StageWork work = dg::stage_work(question.system, question.order, question.precision);
  const dg::RooflineFractions fractions = dg::roofline(work, stages, ceilings, question.precision);
  return {.system = question.system.name,
          .order = question.order,
          .precision = question.precision,
          .elements = elements,
          .curved = trial.op->discretization().mesh.curved.count(),
          .ns_per_element_stage = 1e9 / stages,
          .gdof_per_second = work.dofs * stages / 1e9,
          .gflops = work.flops * stages / 1e9,
          .gb_per_second = work.bytes * stages / 1e9,
          .bandwidth_fraction = fractions.bandwidth,
          .compute_fraction = fractions.compute,
          .roofline_fraction = fractions.larger(),
          .variant = trial.op->variant(),
          .max_relative_error = trial.error};
}

}  // namespace

std::shared_ptr<const dg::Discretization> Boxes::of_order(int order) {
  std::shared_ptr<const dg::Discretization>& box = made_[order];
  if (!box) {
    const int side = sides(order, elements_, is_cpu_);
    dg::Mesh mesh = dg::make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {side, side, side}});
    dg::distort(mesh, distortion / side);
    if (curved_ > 0) bend(mesh, curved_ / 100, side);
    box = std::make_shared<const dg::Discretization>(std::move(mesh), order);
  }
  return box;
}

dg::Problem box_problem(const dg::System& system, const dg::Discretization& discretization, Materials materials) {
  dg::Problem problem{.system = system};
  std::mt19937 random(6);
  std::uniform_real_distribution<double> contrast(1.0, 2.0);
  for (const auto& parameter : system.parameters) {
    auto& values = problem.parameters.emplace_back(discretization.K(), parameter.default_value);
    if (materials == Materials::uniform) continue;
    for (double& value : values) value *= contrast(random);
  }
  problem.boundary.assign(discretization.connectivity.boundary_faces.size(), 0);
  return problem;
}

dg::Schedule taken_schedule(const rtcg::Compiler& compiler,
                            const std::shared_ptr<const dg::Discretization>& discretization, const dg::Problem& problem,
                            Dtype precision) {
  return dg::StageTuner(compiler, discretization, problem, {.precision = precision}).choose(0, {.seconds = 0}).schedule;
}

void set_random_state(dg::Operator& op) {
  std::mt19937 random(7);
  std::uniform_real_distribution<float> value(-1.0F, 1.0F);
  op.set_state([&](std::size_t, std::span<double> q) {
    for (double& x : q) x = value(random);
  });
}

double verified_error(const rtcg::Compiler& compiler, const Question& question, const dg::Schedule& schedule,
                      std::size_t elements) {
  const auto shape = question.has_curved ? dg::ElementRange::Shape::curved : dg::ElementRange::Shape::affine;
  const dg::Verification verification(question.system, question.order, nullptr, shape);
  const double error = verification.error_of(compiler, schedule, question.precision, elements);
  const std::string wrong = dg::Verification::objection(error, allowed_error(question.precision));
  if (wrong.empty()) return error;
  throw DeviceError("variant " + schedule.name() + " computes wrong results: " + question.system.name + ", order " +
                    std::to_string(question.order) + ": " + wrong);
}

dg::Schedule parse_variant(const std::string& name) {
  try {
    return dg::Schedule::named(name);
  } catch (const std::invalid_argument& error) {
    throw ConfigError(std::string("--variants: ") + error.what());
  }
}

void check(const Question& question, const core::DeviceInfo& device) {
  const dg::LoweredSystem lowered = dg::lower(question.system);
  const std::string &system = question.system.name, at_order = ": order " + std::to_string(question.order) + ": ";
  for (const dg::Schedule& schedule : question.schedules) {
    if (question.has_curved && !schedule.is_fused()) {
      throw ConfigError("--variants: " + schedule.name() + " is none for --curved: a stage must be one kernel");
    }
    try {
      dg::require(dg::fits(schedule, {lowered, question.order, question.precision}, &device), schedule);
    } catch (const std::invalid_argument& error) {
      throw ConfigError("--variants" + at_order + error.what());
    }
  }
  if (question.slicing.empty()) return;
  try {
    (void)dg::variant_spaces(device, {lowered, system, question.order, question.precision}, question.slicing);
  } catch (const std::invalid_argument& error) {
    throw ConfigError("--slicing" + at_order + error.what());
  }
}

std::vector<Answer> run(rtcg::Compiler& compiler, const rtcg::Ceilings& ceilings, Boxes& boxes,
                        const Question& question) {
  const std::shared_ptr<const dg::Discretization> discretization = boxes.of_order(question.order);
  const dg::Problem problem = box_problem(question.system, *discretization, question.materials);
  std::vector<dg::Schedule> schedules = question.schedules;
  if (schedules.empty()) schedules.push_back(taken_schedule(compiler, discretization, problem, question.precision));
  const auto trial_of = [&](const dg::Schedule& schedule) {
    return make_trial(compiler, question, discretization, problem, schedule);
  };
  std::vector<Answer> answers;
  if (question.turns <= 0) {
    for (const dg::Schedule& schedule : schedules) {
      const Trial trial = trial_of(schedule);  // goes before the next takes as much memory
      const rtcg::Work stages = trial.stages();
      const double seconds =
          rtcg::measure_seconds(stages.stream, stages.enqueue, {.warm_up_seconds = question.sustained});
      answers.push_back(answer(ceilings, question, trial, seconds));
    }
    return answers;
  }
  std::vector<Trial> trials;
  std::vector<rtcg::Work> works;
  for (const dg::Schedule& schedule : schedules) {
    trials.push_back(trial_of(schedule));
    works.push_back(trials.back().stages());
  }
  const std::vector<rtcg::CeilingWork> ceiling_works = rtcg::ceiling_works(compiler, question.precision);
  for (const rtcg::CeilingWork& c : ceiling_works) works.push_back(c.work);
  const std::vector<double> seconds = rtcg::measure_in_turns(works, question.turns);
  rtcg::Ceilings in_turns;
  for (std::size_t i = 0; i < ceiling_works.size(); ++i) {
    in_turns.*ceiling_works[i].ceiling = ceiling_works[i].amount / seconds[trials.size() + i];
  }
  for (std::size_t i = 0; i < trials.size(); ++i) {
    answers.push_back(answer(in_turns, question, trials[i], seconds[i]));
  }
  return answers;
}

void list_kernels(rtcg::Compiler& compiler, KernelFiles& files, Boxes& boxes, const Question& question) {
  const std::shared_ptr<const dg::Discretization> discretization = boxes.of_order(question.order);
  const dg::Problem problem = box_problem(question.system, *discretization, question.materials);
  std::vector<dg::Schedule> schedules = question.schedules;
  if (schedules.empty()) {
    dg::StageTuner tuner(compiler, discretization, problem, {.precision = question.precision});
    schedules.push_back(tuner.expect(0, {.seconds = 0}).variant.schedule);
  }
  for (const dg::Schedule& schedule : schedules) {
    files.set_purpose({.system = question.system.name,
                       .N = question.order,
                       .precision = question.precision,
                       .schedule = schedule,
                       .device = compiler.device().info()});
    const dg::Operator op(compiler, discretization, problem, {.precision = question.precision, .schedule = schedule});
  }
}

SumsAnswer run_sums(rtcg::Compiler& compiler, const rtcg::Ceilings& ceilings, Boxes& boxes, const Question& question,
                    std::size_t frequencies) {
  const std::shared_ptr<const dg::Discretization> discretization = boxes.of_order(question.order);
  const dg::Problem problem = box_problem(question.system, *discretization, question.materials);
  const std::size_t points = discretization->K() * static_cast<std::size_t>(discretization->Np());
  const auto field_count = static_cast<std::size_t>(question.system.field_count());
  dg::Operator op(compiler, discretization, problem,
                  {.precision = question.precision,
                   .schedule = taken_schedule(compiler, discretization, problem, question.precision)});
  set_random_state(op);
  dg::FourierSelection selection{.frequencies = std::vector<double>(frequencies),
                                 .fields = std::vector<int>(field_count)};
  std::iota(selection.frequencies.begin(), selection.frequencies.end(), 1.0);
  std::iota(selection.fields.begin(), selection.fields.end(), 0);
  const auto sums = op.sum_fourier(selection);

  const dg::RungeKutta& method = dg::lsrk54();
  const auto step = [&] { op.step({.a = method.a, .b = method.b, .c = method.c}, 1e-6, 0.0); };
  const double alone = rtcg::measure_seconds(op.stream(), step);
  const double sampled = rtcg::measure_seconds(op.stream(), [&] {
    step();
    sums->add(0.3, 1e-6);
  });
  const std::size_t real = size_of(question.precision);
  const auto bytes =
      static_cast<double>(points * field_count * real +
                          2 * dg::FourierSums::forecast_bytes(points, field_count, frequencies, question.precision));
  return {.system = question.system.name,
          .order = question.order,
          .precision = question.precision,
          .elements = discretization->K(),
          .frequencies = frequencies,
          .step_ms = 1e3 * alone,
          .sample_ms = 1e3 * (sampled - alone),
          .gb = bytes / 1e9,
          .over_least_time = (sampled - alone) * ceilings.copy_gb_s * 1e9 / bytes};
}

}  // namespace maxwell_dg::bench
