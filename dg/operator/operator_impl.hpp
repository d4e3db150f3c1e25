#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dg/operator/device_problem.hpp"
#include "dg/operator/operator.hpp"
#include "dg/operator/power_kernels.hpp"
#include "dg/operator/repeated_step.hpp"
#include "dg/operator/state_energies.hpp"
#include "dg/operator/term_kernels.hpp"

namespace maxwell_dg::dg {

/// The parts of an Operator. All their kernels are compiled together, when it is constructed.
struct Operator::Impl {
  DeviceProblem problem;
  KernelGenerator generator;
  StateEnergies energies;
  TermKernels terms;
  std::optional<PowerKernels> powers;
  RepeatedStep step;

  Impl(const rtcg::Compiler& compiler, const std::shared_ptr<const Discretization>& d, Problem p,
       const Schedule& schedule, const Options& options)
      : problem(compiler, compiler.device().create_stream(), d, std::move(p), options.precision, schedule, {},
                options.curved, !options.powers),
        generator(problem.lowered(), {problem.problem().system.name, d->N(), options.precision, schedule}),
        energies(problem, generator),
        terms(problem.setting(), generator),
        step(problem.stages(), problem.stream(), problem.lowered().boundaries_vary || terms.depends_on_time()) {
    if (options.powers) powers.emplace(problem.setting(), generator, terms);
    std::vector<rtcg::KernelSource> sources{problem.stages().source(), generator.energy()};
    std::ranges::copy(terms.sources(), std::back_inserter(sources));
    const std::size_t first_of_powers = sources.size();
    if (powers) std::ranges::copy(powers->sources(), std::back_inserter(sources));
    const std::vector<core::Module> modules = rtcg::Compiler(compiler).compile(sources);
    problem.stages().load(modules[0]);
    energies.load(modules[1]);
    terms.load(std::span(modules).subspan(2, first_of_powers - 2));
    if (powers) {
      powers->load(std::span(modules).subspan(first_of_powers));
      problem.stages().extend(*powers);
    }
    problem.stages().extend(terms);
  }

  [[nodiscard]] const StageSetting& setting() const { return problem.setting(); }
  [[nodiscard]] const core::Device& device() const { return setting().device(); }
  [[nodiscard]] const core::Stream& stream() const { return setting().stream; }
  [[nodiscard]] const StateLayout& layout() const { return setting().layout; }
  [[nodiscard]] StageKernels& stages() const { return problem.stages(); }
};

}  // namespace maxwell_dg::dg
