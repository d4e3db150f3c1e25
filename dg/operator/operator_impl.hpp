#pragma once

#include <algorithm>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/mpi/of_all.hpp"
#include "dg/operator/device_problem.hpp"
#include "dg/operator/exchange/halo_exchange.hpp"
#include "dg/operator/operator.hpp"
#include "dg/operator/power_kernels.hpp"
#include "dg/operator/repeated_step.hpp"
#include "dg/operator/share.hpp"
#include "dg/operator/state_energies.hpp"
#include "dg/operator/term_kernels.hpp"
#include "rtcg/compile/compile_together.hpp"

namespace maxwell_dg::dg {

/// The parts of an Operator. All their kernels are compiled together, when it is constructed.
struct Operator::Impl {
  std::optional<Share> share;  ///< of several ranks' mesh; `problem` and all behind it are of the part then
  DeviceProblem problem;
  KernelGenerator generator;
  StateEnergies energies;
  TermKernels terms;
  std::optional<PowerKernels> powers;
  core::Communicator ranks;
  std::size_t elements_of_all;
  std::optional<HaloExchange> exchange;
  RepeatedStep step;

  Impl(const rtcg::Compiler& compiler, std::optional<Share> share_in, const std::shared_ptr<const Discretization>& d,
       Problem p, const Schedule& schedule, const Options& options)
      : share(std::move(share_in)),
        problem(compiler, stream_of(compiler.device(), options), d, std::move(p), options.precision, schedule, {},
                options.curved, !options.powers),
        generator(problem.lowered(), {problem.problem().system.name, d->N(), options.precision, schedule}),
        energies(problem, generator),
        terms(problem.setting(), generator),
        ranks(options.ranks),
        elements_of_all(share ? share->whole().K()
                              : static_cast<std::size_t>(core::sum_of(ranks, static_cast<double>(d->own())))),
        step(problem.stages(), problem.stream(), problem.lowered().boundaries_vary || terms.depends_on_time()) {
    if (options.powers) {
      powers.emplace(problem.setting(), generator, terms, names_of_powers());
    }
    std::vector<rtcg::KernelSource> sources{problem.stages().source()};
    const std::optional<rtcg::KernelSource> curved = problem.stages().curved_source();
    if (curved) sources.push_back(*curved);
    const std::size_t first_of_energies = sources.size();
    std::ranges::copy(energies.sources(generator), std::back_inserter(sources));
    const std::size_t exchanging = sources.size();
    if (ranks.size() > 1) sources.push_back(generator.exchange());
    const std::size_t first_of_terms = sources.size();
    std::ranges::copy(terms.sources(), std::back_inserter(sources));
    const std::size_t first_of_powers = sources.size();
    if (powers) std::ranges::copy(powers->sources(), std::back_inserter(sources));
    const std::vector<core::Module> modules = rtcg::compile_together(compiler, sources, ranks);
    if (curved) problem.stages().load_curved(modules[1]);
    problem.stages().load(modules[0]);
    energies.load(std::span(modules).subspan(first_of_energies, exchanging - first_of_energies));
    if (ranks.size() > 1) {
      exchange.emplace(problem.setting(), modules[exchanging], ranks, options.transport,
                       problem.stages().stored_state());
      problem.stages().exchange_by(*exchange);
    }
    terms.load(std::span(modules).subspan(first_of_terms, first_of_powers - first_of_terms));
    if (powers) {
      powers->load(std::span(modules).subspan(first_of_powers));
      problem.stages().extend(*powers);
    }
    problem.stages().extend(terms);
  }

  /// Of all ranks, where there are several; else empty.
  [[nodiscard]] std::vector<std::string> names_of_powers() const {
    if (share) return share->power_names();
    if (ranks.size() == 1) return {};
    return dg::power_names(problem.discretization(), problem.problem(), ranks);
  }
  /// With other ranks its work, what these wait for, comes before that of other streams.
  static core::Stream stream_of(const core::Device& device, const Options& options) {
    const bool has_priorities = device.info().backend == core::Backend::cuda;
    const bool others_wait = options.ranks.size() > 1;
    return device.create_stream(
        {.priority = has_priorities && others_wait ? core::StreamPriority::high : core::StreamPriority::normal});
  }
  /// What callers see: the whole mesh, also where this is one of several ranks' operators.
  [[nodiscard]] const Discretization& whole() const { return share ? share->whole() : problem.discretization(); }
  [[nodiscard]] const Problem& problem_of_whole() const {
    return share ? share->problem_of_whole() : problem.problem();
  }
  [[nodiscard]] std::size_t values_of_element() const { return index(layout().fields() * layout().Np); }
  /// Throws std::invalid_argument for a caller's array of another size; `size`: the function that tells it.
  static void require(std::size_t values, std::size_t wanted, const std::string& size) {
    if (values != wanted) throw std::invalid_argument("Operator: an array of " + size + "() values is needed");
  }
  /// Values in the layout of the state as [element][field][node] of the whole.
  void read(const core::Buffer& values, std::span<double> to) const {
    if (!share) {
      problem.read(values, to);
      return;
    }
    require(to.size(), whole().K() * values_of_element(), "dofs");
    std::vector<double> of_part(problem.dofs());
    problem.read(values, of_part);
    std::ranges::copy(share->of_whole(of_part, values_of_element()), to.begin());
  }
  void get_auxiliary(void (TermKernels::*get)(std::span<double>) const, std::span<double> to) const {
    if (!share) {
      (terms.*get)(to);
      return;
    }
    require(to.size(), dg::auxiliary_count(problem_of_whole(), whole()), "auxiliary_count");
    std::vector<double> of_part(dg::auxiliary_count(problem.problem(), problem.discretization()));
    (terms.*get)(of_part);
    std::ranges::copy(share->auxiliary_of_whole(of_part), to.begin());
  }
  /// After the state was set, where ranks have parts.
  void update_ghosts() const {
    if (exchange) stages().update_ghosts();
  }
  [[nodiscard]] const StageSetting& setting() const { return problem.setting(); }
  [[nodiscard]] const core::Device& device() const { return setting().device(); }
  [[nodiscard]] const core::Stream& stream() const { return setting().stream; }
  [[nodiscard]] const StateLayout& layout() const { return setting().layout; }
  [[nodiscard]] StageKernels& stages() const { return problem.stages(); }
};

}  // namespace maxwell_dg::dg
