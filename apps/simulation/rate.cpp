#include "apps/simulation/rate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>
#include <vector>

#include <nlohmann/json.hpp>

#include "apps/config/transforms.hpp"
#include "apps/simulation/text.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/json_text.hpp"
#include "core/log.hpp"
#include "core/own_file.hpp"
#include "dg/lowering/lowering.hpp"
#include "dg/variants/variants.hpp"
#include "rtcg/tune/wisdom.hpp"

namespace maxwell_dg::simulation {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr double worth_noting = 0.5;  // seconds of a time loop
constexpr std::size_t most_runs = 200;
constexpr double alike = 1.3;   // as many elements, but for this factor: one entry stands for both
constexpr double far_away = 4;  // so many times more or fewer elements: a rate is a guess

// What stages cost is counted in elements that are straight and have no terms. Figures of docs/performance.md: "What a
// curved element costs", "Curved elements on a CPU" and "What an element of a PML costs".

/// A curved element at orders 1 to 9. On GPUs 2, 3, 4, 5, 7 and 9 were measured, on CPUs 1 to 6; others lie between, or
/// are as the last.
constexpr std::array<double, 9> curved_on_gpus{4.5, 4.5, 2.9, 2.35, 3.3, 4.6, 6, 8.1, 10.3};
constexpr std::array<double, 9> curved_on_cpus{1.8, 3.6, 3.5, 3.1, 2.9, 3.3, 3.3, 3.3, 3.3};
/// An auxiliary variable of a term, in the elements that have it: a PML has 6 to 12, and took 0.48 and 1.25 elements
/// more on an H200, 0.35 and 0.75 to 0.99 on a CPU.
constexpr double variable_on_gpus = 0.09, variable_on_cpus = 0.07;
/// A term in curved elements, where it has a kernel of its own: losses that vary within elements, at order 4 in single
/// precision on a CPU. On GPUs it was not measured, and is not counted.
constexpr double term_of_curved_on_cpus = 25;

/// A run that was done, as the file has it.
struct Run {
  std::string equations;  ///< "maxwell N4 float32"
  std::string with;       ///< terms and outputs that take time: "far_field, pml"
  std::string processor;
  int cores{};
  double elements{}, load{}, stage_seconds{}, prepare_seconds{};
};

std::string equations_of(const Plan& plan) {
  return plan.problem.system.name + " N" + std::to_string(plan.discretization->N()) + " " +
         std::string(name_of(plan.config.solver.precision));
}

std::string with_of(const Plan& plan) {
  std::set<std::string> names;
  const auto add_kind = [&](std::string name) {  // "dispersion_1"
    name.resize(name.find_last_not_of("0123456789_") + 1);
    names.insert(name);
  };
  for (const dg::ElementTerm& term : plan.problem.element_terms) add_kind(term.name);
  for (const dg::FaceTerm& term : plan.problem.face_terms) add_kind(term.name);
  const config::Outputs& outputs = plan.config.outputs;
  if (plan.ranks.size() > 1) names.insert("ranks");
  if (plan.wants_powers()) names.insert("balance");
  if (outputs.fields) names.insert("fields");
  for (const config::Transform& asked : config::transforms(plan.config)) {
    if (asked.sums_up) names.insert(asked.name);
  }
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

fs::path file_of(const core::DeviceInfo& device) {
  const rtcg::Wisdom wisdom(rtcg::default_wisdom_directory());
  return wisdom.directory() / ("runs_" + wisdom.file_of(device.name).stem().string() + ".json");
}

std::vector<Run> read_runs(const fs::path& file) {
  std::vector<Run> runs;
  const Json json = Json::parse(read_own_file(file).value_or(""), nullptr, false);
  if (!json.is_object() || !json.contains("runs") || !json["runs"].is_array()) return runs;
  for (const Json& one : json["runs"]) {
    try {
      Run run{.equations = one.at("equations").get<std::string>(),
              .with = one.at("with").get<std::string>(),
              .processor = one.at("processor").get<std::string>(),
              .cores = one.at("cores").get<int>(),
              .elements = one.at("elements").get<double>(),
              .load = one.at("load").get<double>(),
              .stage_seconds = one.at("stage_seconds").get<double>(),
              .prepare_seconds = one.at("prepare_seconds").get<double>()};
      if (run.elements > 0 && run.load > 0 && run.stage_seconds > 0 && run.prepare_seconds >= 0)
        runs.push_back(std::move(run));
    } catch (const Json::exception&) {
      continue;  // not of ours, or of another version
    }
  }
  return runs;
}

double factor_between(double a, double b) {
  return std::exp(std::abs(std::log(a / b)));
}

/// Of several ranks what the costliest part counts: it is what all wait for. What is exchanged meanwhile is not
/// counted.
double of_a_rank(const Plan& plan, double whole) {
  if (plan.is_part) return whole;
  return plan.partition ? whole / plan.ranks.size() * plan.partition->quality.imbalance : whole;
}

double elements_of(const Plan& plan) {
  return of_a_rank(plan, static_cast<double>(plan.discretization->own()));
}

/// What a rank computes in elements that are straight and have no terms, by what a stage of it costs.
double load_of(const Plan& plan) {
  const dg::Discretization& d = *plan.discretization;
  const bool is_cpu = plan.device.info().is_cpu;
  const double curved = (is_cpu ? curved_on_cpus : curved_on_gpus).at(dg::index(d.N() - 1));
  auto load = static_cast<double>(d.own());
  if (d.curved) load += (curved - 1) * static_cast<double>(d.mesh.curved.count());
  for (const dg::ElementTerm& term : plan.problem.element_terms) {
    const double variables = static_cast<double>(term.elements.size()) * static_cast<double>(term.auxiliary.size());
    load += (is_cpu ? variable_on_cpus : variable_on_gpus) * variables;
    if (!d.curved || !is_cpu) continue;
    const auto is_curved = [&](std::int32_t k) { return d.mesh.curved.is_curved(dg::index(k)); };
    load += term_of_curved_on_cpus * static_cast<double>(std::ranges::count_if(term.elements, is_curved));
  }
  return of_a_rank(plan, load);
}

/// Of runs on this device of the same equations: one with the same terms and outputs before others, then the nearest in
/// size, then the latest.
std::optional<Run> nearest_run(const Plan& plan) {
  const core::DeviceInfo& device = plan.device.info();
  const double elements = elements_of(plan), load = load_of(plan);
  std::optional<Run> best;
  const auto rank = [&](const Run& run) {
    const double unlike = factor_between(run.load / run.elements, load / elements);
    return std::pair(run.with != with_of(plan), factor_between(run.elements, elements) * unlike);
  };
  for (const Run& run : read_runs(file_of(device))) {
    const bool is_here = run.processor == device.processor && run.cores == device.compute_units;
    if (!is_here || run.equations != equations_of(plan)) continue;
    if (!best || rank(run) <= rank(*best)) best = run;
  }
  return best;
}

/// What tuning found: on this device, else on the one most like it.
std::optional<rtcg::WisdomEntry> nearest_answer(const Plan& plan) {
  const core::DeviceInfo& device = plan.device.info();
  const dg::LoweredSystem lowered = dg::lower(plan.problem.system);
  const std::string question = dg::question_of(lowered, plan.problem, plan.stages(), device).text();
  std::vector<rtcg::WisdomEntry> entries = rtcg::Wisdom(rtcg::default_wisdom_directory()).find(question);
  for (rtcg::WisdomEntry& entry : rtcg::parse_wisdom(dg::shipped_wisdom())) {
    if (entry.question == question) entries.push_back(std::move(entry));
  }
  std::erase_if(entries, [](const rtcg::WisdomEntry& e) {
    const auto found = e.shape.find("elements");
    return !(e.seconds > 0) || found == e.shape.end() || !found->second.is_number();
  });
  if (entries.empty()) return std::nullopt;
  return *std::ranges::min_element(
      entries, {}, [&](const rtcg::WisdomEntry& entry) { return rtcg::device_distance(entry, device); });
}

/// Before there was any run: to compile the kernels. On a CPU those of orders 1, 4, 5, 7 and 9 took 2.6, 4.8, 5.4, 6.0
/// and 6.7 s of processor time (AMD EPYC, Zen 5, two cores with other work; one core compiles), with a PML 5.3, 6.7
/// and 7.7 s at 4, 7 and 9; and on an H200 three kernels took 0.5 s.
double usual_prepare_seconds(const Plan& plan) {
  return plan.device.info().is_cpu ? 2.5 + 0.5 * plan.discretization->N() : 1;
}

Expected by_tuning(const Plan& plan, const rtcg::WisdomEntry& entry) {
  constexpr int cores_of_shipped_cpus = 2;  // docs/performance.md
  constexpr double of_the_best = 0.85;      // what warm devices and outputs leave of it
  const core::DeviceInfo& device = plan.device.info();
  const bool is_here = rtcg::is_same_device(entry, device);
  double seconds = entry.seconds * load_of(plan) / entry.shape.at("elements").number() / of_the_best;
  const bool is_shipped = entry.environment.empty();
  std::string source = is_here && !is_shipped
                           ? "tuning on this device"
                           : (is_here ? "measurements on another " : "measurements on ") + entry.device;
  if (device.is_cpu && rtcg::device_kind(device) == entry.kind && device.compute_units > 0) {
    if (is_shipped) seconds *= static_cast<double>(cores_of_shipped_cpus) / device.compute_units;
  }
  return {.stage_seconds = seconds,
          .prepare_seconds = usual_prepare_seconds(plan),
          .is_guess = true,
          .source = std::move(source)};
}

/// Without any run: what tuning found, or what devices like this one do.
Expected by_measurements(const Plan& plan) {
  if (const std::optional<rtcg::WisdomEntry> entry = nearest_answer(plan)) return by_tuning(plan, *entry);
  const core::DeviceInfo& device = plan.device.info();
  const bool is_double = plan.config.solver.precision == Dtype::float64;
  // Degrees of freedom a second in single precision. A core of the CPUs of docs/performance.md has 3.8e8 to 9.5e8 at
  // order 4; an H200 1.1e11, most other GPUs a fifth of its bandwidth or less.
  const double rate = device.is_cpu ? 4e8 * std::max(device.compute_units, 1) : 2e10;
  const double dofs = plan.dofs() / static_cast<double>(plan.whole.elements);  // of an element
  return {.stage_seconds = dofs * load_of(plan) / rate * (is_double ? 2 : 1),
          .prepare_seconds = usual_prepare_seconds(plan),
          .is_guess = true,
          .source = "a rule of thumb"};
}

}  // namespace

Expected expected(const Plan& plan) {
  const double elements = elements_of(plan), load = load_of(plan);
  if (const std::optional<Run> run = nearest_run(plan)) {
    const bool same = run->with == with_of(plan);
    const bool is_like = factor_between(run->load / run->elements, load / elements) < alike;
    return {.stage_seconds = run->stage_seconds * load / run->load,
            .prepare_seconds = run->prepare_seconds,
            .is_guess = !same || !is_like || factor_between(run->elements, elements) > far_away,
            .source = std::string(same && is_like ? "a run like this one" : "a run with other terms and outputs") +
                      ", of " + std::to_string(std::llround(run->elements)) + " elements, on this device"};
  }
  Expected rate = by_measurements(plan);
  if (plan.ranks.size() > 1) rate.source += "; what ranks exchange is not counted";
  return rate;
}

void note_rate(const Plan& plan, const Summary& summary) {
  const double stages = static_cast<double>(summary.made) * plan.method->stages();
  if (summary.loop_seconds < worth_noting || stages <= 0) return;
  const core::DeviceInfo& device = plan.device.info();
  double preparing = 0;
  for (const auto& [part, seconds] : plan.seconds) {
    if (part == "variant" || part == "operator" || part == "initial_state") preparing += seconds;
  }
  Run now{.equations = equations_of(plan),
          .with = with_of(plan),
          .processor = device.processor,
          .cores = device.compute_units,
          .elements = elements_of(plan),
          .load = load_of(plan),
          .stage_seconds = summary.loop_seconds / stages,
          .prepare_seconds = std::max(preparing - summary.compile.seconds, 0.0)};
  const fs::path file = file_of(device);
  std::vector<Run> runs = read_runs(file);
  std::erase_if(runs, [&](const Run& run) {
    const bool is_like = run.equations == now.equations && run.with == now.with && run.processor == now.processor &&
                         run.cores == now.cores && factor_between(run.elements, now.elements) < alike &&
                         factor_between(run.load, now.load) < alike;
    if (is_like) {  // the faster one: what else a machine does must not spoil the forecast for good
      now.stage_seconds = std::min(now.stage_seconds, run.stage_seconds * now.load / run.load);
      now.prepare_seconds = std::min(now.prepare_seconds, run.prepare_seconds);
    }
    return is_like;
  });
  runs.push_back(now);
  if (runs.size() > most_runs) runs.erase(runs.begin());
  Json json{{"device", device.name}, {"runs", Json::array()}};
  for (const Run& run : runs) {
    json["runs"].push_back({{"equations", run.equations},
                            {"with", run.with},
                            {"processor", run.processor},
                            {"cores", run.cores},
                            {"elements", run.elements},
                            {"load", run.load},
                            {"stage_seconds", run.stage_seconds},
                            {"prepare_seconds", run.prepare_seconds}});
  }
  try {
    std::error_code ignored;  // what goes wrong here shows when the file is written
    fs::create_directories(file.parent_path(), ignored);
    make_way_for_own_file(file);
    write_file_atomically(file, json_text(json, 1) + "\n");
  } catch (const OutputError& error) {
    log_info(std::string("how fast this run was is not kept for --check: ") + error.what());
  }
}

}  // namespace maxwell_dg::simulation
