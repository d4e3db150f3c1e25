// dg_bench: how fast the generated kernels are on a device, beside what the device can do.

#include <cstddef>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "apps/dg_bench/bench.hpp"
#include "apps/dg_bench/command_line.hpp"
#include "apps/dg_bench/on_ranks.hpp"
#include "apps/dg_bench/report.hpp"
#include "apps/dg_bench/tune.hpp"
#include "apps/help.hpp"
#include "apps/kernel_files.hpp"
#include "apps/ranks.hpp"
#include "apps/run_program.hpp"
#include "apps/simulation/rank_device.hpp"
#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/mpi/first_error.hpp"

using namespace maxwell_dg;

namespace {

/// In the order in which they are reported.
std::vector<bench::Question> questions_of(const bench::Arguments& arguments) {
  std::vector<bench::Question> all;
  for (const dg::System& system : bench::systems(arguments)) {
    for (const Dtype precision : bench::precisions(arguments)) {
      std::vector<dg::Schedule> schedules;
      for (const std::string& name : arguments.variants) schedules.push_back(bench::parse_variant(name));
      for (const int order : bench::orders(arguments)) {
        all.push_back({system, order, precision, schedules, bench::materials(arguments), arguments.slicing,
                       arguments.turns, arguments.sustained, arguments.curved > 0});
      }
    }
  }
  return all;
}

std::vector<bench::Answer> measure(rtcg::Compiler& compiler, const rtcg::Ceilings& ceilings, bench::Boxes& boxes,
                                   const std::vector<bench::Question>& questions) {
  bench::print_header();
  std::vector<bench::Answer> answers;
  for (const bench::Question& question : questions) {
    for (const bench::Answer& answer : bench::run(compiler, ceilings, boxes, question)) {
      answers.push_back(answer);
      bench::print(answer);
    }
  }
  return answers;
}

void measure_sums(rtcg::Compiler& compiler, const rtcg::Ceilings& ceilings, bench::Boxes& boxes,
                  const std::vector<bench::Question>& questions, std::size_t frequencies) {
  bench::print_sums_header();
  for (const bench::Question& question : questions) {
    bench::print(bench::run_sums(compiler, ceilings, boxes, question, frequencies));
  }
}

/// The kernels of every question, to be read; nothing is run.
void write_kernels(const core::Device& device, bench::Boxes& boxes, const std::vector<bench::Question>& questions,
                   const std::string& directory) {
  KernelFiles files(directory);
  rtcg::Compiler compiler = files.compiler_for(device);
  for (const bench::Question& question : questions) bench::list_kernels(compiler, files, boxes, question);
  std::fputs(files.finish().c_str(), stdout);
}

/// 0: the standard number of the order.
std::size_t elements_of_all(const bench::Arguments& arguments, const core::Communicator& ranks) {
  const auto count = static_cast<std::size_t>(ranks.size());
  return arguments.elements_a_rank > 0 ? arguments.elements_a_rank * count : arguments.elements;
}

/// Figures are compared with what the device can do in the same run; to tune, what it could do once is good enough.
rtcg::Ceilings ceilings_of(rtcg::Compiler& compiler, bool known_are_enough) {
  const std::filesystem::path wisdom = rtcg::default_wisdom_directory();
  if (known_are_enough) return rtcg::known_ceilings(compiler, wisdom);
  const rtcg::Ceilings ceilings = rtcg::measure_ceilings(compiler);
  rtcg::keep_ceilings(compiler.device(), ceilings, wisdom);
  return ceilings;
}

/// Of ranks, each with a device of its own, the first one says what they reach together. One is measured as several
/// are, to be compared with them.
void run_on_ranks(const bench::Arguments& arguments, const core::Communicator& ranks) {
  bench::check_for_ranks(arguments);
  warn_of_too_few_cores(ranks);
  std::optional<AtomicFile> json;
  core::on_all_ranks<OutputError>(ranks, [&] {
    if (!arguments.json.empty() && ranks.is_first()) json.emplace(arguments.json);
  });
  const core::DeviceChoice choice = simulation::device_of_rank(arguments.device, ranks.on_this_host());
  rtcg::Compiler compiler(core::Device::open(choice.info));
  const std::vector<bench::Question> questions = questions_of(arguments);
  for (const bench::Question& question : questions) bench::check(question, choice.info);
  bench::Boxes boxes(choice.info, elements_of_all(arguments, ranks), arguments.curved);
  if (ranks.is_first()) bench::print_header_of_ranks(choice.info);
  std::vector<bench::AnswerOfRanks> answers;
  for (const bench::Question& question : questions) {
    for (const bench::AnswerOfRanks& answer : bench::run_on_ranks(compiler, boxes, question, ranks)) {
      answers.push_back(answer);
      if (ranks.is_first()) bench::print(answer);
    }
  }
  if (json) bench::write_json(*json, choice.info, answers);
}

void run(const bench::Arguments& arguments, const core::Communicator& ranks) {
  bench::check(arguments);
  if (ranks.size() > 1 || arguments.elements_a_rank > 0) return run_on_ranks(arguments, ranks);
  std::optional<AtomicFile> json;  // from the start: where it cannot be written, nothing need be measured
  if (!arguments.json.empty()) json.emplace(arguments.json);
  if (!arguments.wisdom.empty()) bench::require_folder(arguments.wisdom);
  rtcg::Compiler compiler(core::Device::open(arguments.device));
  const core::DeviceInfo& device = compiler.device().info();
  const std::vector<bench::Question> questions = questions_of(arguments);
  for (const bench::Question& question : questions) bench::check(question, device);
  if (!arguments.kernels.empty()) {
    bench::Boxes boxes(device, elements_of_all(arguments, ranks), arguments.curved);
    return write_kernels(compiler.device(), boxes, questions, arguments.kernels);
  }
  const rtcg::Ceilings ceilings = ceilings_of(compiler, arguments.tune.has_value());
  bench::print_ceilings(device, ceilings);
  bench::Boxes boxes(device, elements_of_all(arguments, ranks), arguments.curved);
  if (arguments.fourier > 0) return measure_sums(compiler, ceilings, boxes, questions, arguments.fourier);
  std::vector<bench::Answer> answers;
  std::vector<bench::TuningGain> gains;
  if (arguments.tune) {
    gains = bench::tune(compiler, ceilings, boxes,
                        {.systems = bench::systems(arguments),
                         .precisions = bench::precisions(arguments),
                         .orders = bench::orders(arguments),
                         .materials = bench::materials(arguments),
                         .seconds = *arguments.tune,
                         .wisdom = arguments.wisdom,
                         .variants = arguments.variants,
                         .slicing = arguments.slicing});
  } else {
    answers = measure(compiler, ceilings, boxes, questions);
  }
  if (json) bench::write_json(*json, device, ceilings, answers, gains);
}

}  // namespace

int main(int argc, char** argv) {
  bench::Arguments arguments;
  core::Communicator ranks;
  CLI::App app("Measures the generated discontinuous Galerkin kernels on one device, or of several ranks on theirs.");
  set_help(app, "usage: dg_bench [--device SPEC] [--orders 1-8] [--precision both] [--json FILE] ...");
  bench::add_options(app, arguments);
  const auto begin_and_run = [&] {
    ranks = begin_ranks();
    run(arguments, ranks);
  };
  return run_program(app, argc, argv, begin_and_run, [&] { return report_failure_of(ranks); });
}
