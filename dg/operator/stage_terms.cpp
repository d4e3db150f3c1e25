#include "dg/operator/stage_terms.hpp"

#include <algorithm>
#include <cstdint>
#include <span>

#include "core/round_up.hpp"
#include "dg/operator/device_arrays.hpp"

namespace maxwell_dg::dg {

namespace {

bool computes(const Schedule& schedule, const LoweredTerm& lowered) {
  return (schedule.is<Schedule::Tiles>() || schedule.is<Schedule::Lanes>()) && !lowered.depends_on_time &&
         !lowered.depends_on_position;
}

/// Which elements of a term are straight: their numbers in its list, ascending.
std::vector<std::size_t> straight_elements(const Discretization* d, const ElementTerm& term) {
  std::vector<std::size_t> straight;
  for (std::size_t i = 0; i < term.elements.size(); ++i) {
    if (d == nullptr || !d->mesh.curved.is_curved(index(term.elements[i]))) straight.push_back(i);
  }
  return straight;
}

/// [element, or vector of elements] the number of its block, -1 where there is none; and how many blocks there are.
std::pair<std::vector<std::int32_t>, std::size_t> blocks_of(const ElementTerm& term,
                                                            const std::vector<std::size_t>& straight, std::size_t K,
                                                            std::size_t lanes) {
  std::vector<std::int32_t> blocks(ceil_divide(K, lanes), -1);
  std::int32_t count = 0;
  for (const std::size_t i : straight) {
    std::int32_t& block = blocks[index(term.elements[i]) / lanes];
    if (block < 0) block = count++;
  }
  return {std::move(blocks), static_cast<std::size_t>(count)};
}

}  // namespace

std::shared_ptr<const StageTerms> StageTerms::make(const StageSetting& setting) {
  auto terms = std::make_shared<const StageTerms>(setting);
  return terms->terms_.empty() ? nullptr : terms;
}

StageTerms::StageTerms(const StageSetting& setting)
    : device_(setting.device()), stream_(setting.stream), precision_(setting.precision) {
  const std::vector<ElementTerm>& all = setting.problem.element_terms;
  for (std::size_t number = 0; number < all.size(); ++number) {
    LoweredTerm lowered = lower(setting.problem.system, all[number]);
    std::vector<std::size_t> straight = straight_elements(&setting.discretization, all[number]);
    if (straight.empty() || !computes(setting.schedule, lowered)) continue;
    Term& term = terms_.emplace_back();
    term.element_term = number;
    term.of_stage = {.name = all[number].name,
                     .lowered = std::move(lowered),
                     .profiles = static_cast<int>(all[number].profiles.size())};
    term.straight = std::move(straight);
    place(setting, all[number], term);
    upload_constants(setting, all[number], term);
    upload_profiles(setting, all[number], term);
  }
}

std::vector<ElementTerm> StageTerms::examples(const Problem& problem, const Discretization& discretization,
                                              const Schedule& schedule) {
  constexpr std::size_t few = 8;
  const auto Np = static_cast<std::size_t>(discretization.Np());
  std::vector<ElementTerm> result;
  for (const ElementTerm& term : problem.element_terms) {
    const std::vector<std::size_t> straight = straight_elements(&discretization, term);
    if (straight.empty() || !computes(schedule, lower(problem.system, term))) continue;
    ElementTerm& example = result.emplace_back(ElementTerm{.name = term.name,
                                                           .auxiliary = term.auxiliary,
                                                           .added = term.added,
                                                           .rates = term.rates,
                                                           .fastest_rate = term.fastest_rate,
                                                           .elements = {}});
    example.parameters.resize(term.parameters.size());
    example.profiles.resize(term.profiles.size());
    for (std::size_t e = 0; e < std::min(few, straight.size()); ++e) {
      const std::size_t i = straight[e * straight.size() / std::min(few, straight.size())];
      example.elements.push_back(term.elements[i]);
      for (std::size_t p = 0; p < term.parameters.size(); ++p) {
        example.parameters[p].push_back(term.parameters[p][i]);
      }
      for (std::size_t p = 0; p < term.profiles.size(); ++p) {
        const std::span<const double> nodal = std::span(term.profiles[p]).subspan(i * Np, Np);
        example.profiles[p].insert(example.profiles[p].end(), nodal.begin(), nodal.end());
      }
    }
  }
  return result;
}

void StageTerms::place(const StageSetting& setting, const ElementTerm& term, Term& made) const {
  const std::size_t lanes = index(setting.schedule.lanes());
  made.layout = term_layout(setting.schedule.lanes(), setting.discretization.Np(), made.of_stage.auxiliary(),
                            size_of(precision_));
  const auto [blocks, count] = blocks_of(term, made.straight, setting.discretization.K(), lanes);
  for (const std::size_t i : made.straight) {
    const std::size_t k = index(term.elements[i]);
    made.places.emplace_back(index(blocks[k / lanes]), static_cast<int>(k % lanes));
  }
  made.blocks = setting.upload(blocks);
  made.block_count = count;
  for (core::Buffer* buffer : {&made.U, &made.RES_U}) {
    *buffer = device_.allocate(std::max<std::size_t>(made.values(), 1) * size_of(precision_));
    stream_.fill_zero(*buffer);
  }
}

/// [block][constant]; with several lanes [block][constant][lane], where the last one is 1 for elements of the term and
/// 0 for others, whose constants are those of an element of the block.
void StageTerms::upload_constants(const StageSetting& setting, const ElementTerm& term, Term& made) const {
  const std::vector<std::vector<double>> of_elements =
      made.of_stage.lowered.constants_at(setting.discretization, setting.problem, term);
  const std::size_t lanes = index(made.layout.lanes), count = made.of_stage.lowered.constants.size();
  const std::size_t row = (lanes == 1 ? count : count + 1) * lanes;
  std::vector<double> values(made.block_count * row);
  std::vector<bool> is_filled(made.block_count);
  for (std::size_t i = 0; i < made.places.size(); ++i) {
    const auto [block, lane] = made.places[i];
    for (std::size_t c = 0; c < count; ++c) {
      const auto of_lanes = values.begin() + static_cast<std::ptrdiff_t>(block * row + c * lanes);
      if (!is_filled[block]) std::fill_n(of_lanes, lanes, of_elements[made.straight[i]][c]);
      of_lanes[lane] = of_elements[made.straight[i]][c];
    }
    if (lanes > 1) values[block * row + count * lanes + index(lane)] = 1;
    is_filled[block] = true;
  }
  made.constants = setting.upload_reals(values);
}

void StageTerms::upload_profiles(const StageSetting& setting, const ElementTerm& term, Term& made) const {
  const int profiles = made.of_stage.profiles, Np = made.layout.Np;
  const TermLayout layout = term_layout(made.layout.lanes, Np, profiles, size_of(precision_));
  std::vector<double> values(made.block_count * index(layout.row));
  for (std::size_t i = 0; i < made.places.size(); ++i) {
    const auto [block, lane] = made.places[i];
    for (int p = 0; p < profiles; ++p) {
      const double* const nodal = &term.profiles[index(p)][made.straight[i] * index(Np)];
      for (int n = 0; n < Np; ++n) values[layout.offset(block, lane, p, profiles, n)] = nodal[n];
    }
  }
  made.profiles = setting.upload_reals(values);
}

const StageTerms::Term* StageTerms::find(std::size_t element_term) const {
  const auto found = std::ranges::find(terms_, element_term, &Term::element_term);
  return found == terms_.end() ? nullptr : &*found;
}

std::vector<TermOfStage> StageTerms::terms() const {
  std::vector<TermOfStage> list;
  for (const Term& term : terms_) list.push_back(term.of_stage);
  return list;
}

void StageTerms::append(std::vector<core::KernelArgument>& arguments) const {
  for (const Term& term : terms_) {
    arguments.insert(arguments.end(), {term.blocks, term.U, term.RES_U, term.constants, term.profiles});
  }
}

template <class Each>
std::size_t StageTerms::for_each_value(const Term& term, const Elements& elements, const Each& each) const {
  const int variables = term.of_stage.auxiliary();
  std::size_t i = 0;
  for (std::size_t element = elements.first; element < elements.first + elements.count; ++element) {
    const auto [block, lane] = term.places[element];
    for (int v = 0; v < variables; ++v) {
      for (int n = 0; n < term.layout.Np; ++n) each(i++, term.layout.offset(block, lane, v, variables, n));
    }
  }
  return i;
}

void StageTerms::set_auxiliary(std::size_t element_term, const Elements& elements,
                               std::span<const double>& values) const {
  const Term& term = *find(element_term);
  HostReals host(precision_, term.values());
  stream_.read(term.U, 0, host.bytes());
  stream_.synchronize();
  const std::size_t count =
      for_each_value(term, elements, [&](std::size_t i, std::size_t at) { host.set(at, values[i]); });
  stream_.write(term.U, 0, host.bytes());
  stream_.synchronize();
  values = values.subspan(count);
}

void StageTerms::get_auxiliary(std::size_t element_term, const Elements& elements, std::span<double>& values) const {
  read(element_term, elements, &Term::U, values);
}

void StageTerms::get_rates(std::size_t element_term, const Elements& elements, std::span<double>& values) const {
  read(element_term, elements, &Term::RES_U, values);
}

void StageTerms::read(std::size_t element_term, const Elements& elements, core::Buffer Term::*from,
                      std::span<double>& values) const {
  const Term& term = *find(element_term);
  HostReals host(precision_, term.values());
  stream_.read(term.*from, 0, host.bytes());
  stream_.synchronize();
  const std::size_t count =
      for_each_value(term, elements, [&](std::size_t i, std::size_t at) { values[i] = host.get(at); });
  values = values.subspan(count);
}

std::size_t StageTerms::forecast_more(const Problem& problem, const Discretization* discretization,
                                      const Schedule& schedule, Dtype precision, int Np, std::size_t K) {
  std::size_t bytes = 0;
  const std::size_t lanes = index(schedule.lanes()), real_bytes = size_of(precision);
  for (const ElementTerm& term : problem.element_terms) {
    const LoweredTerm lowered = lower(problem.system, term);
    const std::vector<std::size_t> straight = straight_elements(discretization, term);
    if (straight.empty() || !computes(schedule, lowered)) continue;
    const auto [blocks, count] = blocks_of(term, straight, K, lanes);
    const std::size_t absent = count * lanes - straight.size();
    bytes += blocks.size() * sizeof(std::int32_t) - straight.size() * sizeof(std::int32_t);
    bytes += absent * (2 * term.auxiliary.size() + term.profiles.size()) * index(Np) * real_bytes;
    bytes += (absent * lowered.constants.size() + (lanes > 1 ? count * lanes : 0)) * real_bytes;
  }
  return bytes;
}

}  // namespace maxwell_dg::dg
