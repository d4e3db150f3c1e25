#include "dg/codegen/fused_generator.hpp"

#include <algorithm>
#include <optional>
#include <set>

#include "core/round_up.hpp"
#include "dg/codegen/fit.hpp"
#include "dg/codegen/kernel_code.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;
using Lowered = LoweredSymbol::Kind;

int row_apart(int values) {
  return round_up(values - 4, 8) + 4;
}

int count_of(std::span<const Expr> list) {
  return std::max(1, static_cast<int>(list.size()));
}

namespace {

/// Where an item has whole faces: at each node it would cost more than reading the numbers. Complements save nothing
/// where the numbers of a face are padded.
ComputedOnFaces computed_on_faces(const Schedule& schedule) {
  using Fluxes = slicings::Traits::Fluxes;
  const Fluxes fluxes = schedule.traits().fluxes;
  return {.edges = fluxes != Fluxes::at_nodes, .complements = fluxes == Fluxes::of_elements};
}

std::optional<ElementBasis> basis_of(const LoweredSystem& lowered, const Schedule& schedule) {
  if (!schedule.in_basis_of_element()) return std::nullopt;
  std::optional<ElementBasis> basis = element_basis(lowered);
  require(basis_fits(schedule, basis), schedule);
  return basis;
}

}  // namespace

ContractedSystem contract_for(const Schedule& schedule, const LoweredSystem& lowered,
                              const std::optional<ElementBasis>& basis, bool metric_is_at_hand) {
  if (!basis) return contract(lowered, metric_is_at_hand);
  return contract(lowered, *basis, computed_on_faces(schedule),
                  schedule.traits().has_mirror_sums ? Axes::mirror : Axes::reference);
}

FusedGenerator::FusedGenerator(const LoweredSystem& lowered, Options options, bool metric_is_at_hand)
    : lowered_(lowered),
      options_(std::move(options)),
      basis_(basis_of(lowered, options_.schedule)),
      contracted_(contract_for(options_.schedule, lowered, basis_, metric_is_at_hand)),
      Np_(node_count(options_.N)),
      Nfp_(face_node_count(options_.N)),
      fields_(static_cast<int>(lowered.volume.size())),
      layout_(options_.schedule, options_.precision, 1, fields_, Np_),
      element_size_(layout_.block_values / layout_.block_elements),
      traces_(lowered, basis_, layout_, options_.precision) {
  if (options_.schedule.parts() == Schedule::Parts::apart) return;
  for (std::size_t p = 1; p < contracted_.parts.size(); ++p) {
    contracted_.parts[0].insert(contracted_.parts[0].end(), contracted_.parts[p].begin(), contracted_.parts[p].end());
  }
  contracted_.parts.resize(1);
  std::ranges::sort(contracted_.parts[0]);
}

std::string FusedGenerator::name() const {
  return "stage_" + options_.system + "_N" + std::to_string(options_.N) + "_" +
         std::string(name_of(options_.precision)) + "_" + options_.schedule.name() + ".kernel";
}

PrintedCode FusedGenerator::print(std::span<const Expr> outputs,
                                  std::function<std::string(const AnySymbol&)> name_of) const {
  return print_reals(Program(outputs), options_.precision, std::move(name_of));
}

std::vector<Expr> FusedGenerator::of_contractions(const Part& part) const {
  std::vector<Expr> volume;
  for (const int f : part.fields) volume.push_back(without_fields(contracted_.volume[index(f)]));
  return volume;
}

std::vector<Expr> FusedGenerator::of_node() const {
  std::vector<Expr> volume;
  for (const Expr& e : basis_ ? contracted_.equations : contracted_.volume) {
    volume.push_back(without_contractions(e));
  }
  return volume;
}

int FusedGenerator::most_fields_of_a_part() const {
  return static_cast<int>(std::ranges::max(contracted_.parts, {}, &std::vector<int>::size).size());
}

std::vector<std::int32_t> FusedGenerator::node_words(const ReferenceElement& reference) const {
  return reference.face_nodes();
}

FusedGenerator::Part FusedGenerator::part(std::size_t number) const {
  Part part{.fields = contracted_.parts[number]};
  std::set<int> contractions, operands;
  for (const int f : part.fields) {
    part.volume.push_back(contracted_.volume[static_cast<std::size_t>(f)]);
  }
  for (const LoweredSymbol& s : symbols_of(part.volume, Lowered::contraction)) contractions.insert(s.number);
  part.contractions.assign(contractions.begin(), contractions.end());
  for (const int c : part.contractions) {
    for (const Contraction::Term& t : contracted_.contractions[static_cast<std::size_t>(c)].terms) {
      operands.insert(t.operand);
    }
  }
  part.operands.assign(operands.begin(), operands.end());
  return part;
}

}  // namespace maxwell_dg::dg
