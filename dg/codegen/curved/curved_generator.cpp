#include "dg/codegen/curved/curved_generator.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_template.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/codegen/outside_state.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;

namespace {

rtcg::Value::List values_of_traces(const std::vector<CurvedSystem::Trace>& traces) {
  rtcg::Value::List list;
  for (const auto& [number, through, terms] : traces) {
    rtcg::Value::List of_trace;
    for (const auto& [field, negative] : terms) {
      of_trace.emplace_back(rtcg::Record{{"field", field}, {"negative", negative}});
    }
    list.emplace_back(rtcg::Record{{"number", number}, {"through", through}, {"terms", std::move(of_trace)}});
  }
  return list;
}

std::vector<int> numbers_of(const std::vector<CurvedSystem::Trace>& traces) {
  std::vector<int> numbers;
  for (const CurvedSystem::Trace& trace : traces) numbers.push_back(trace.number);
  return numbers;
}

int most_values(const Lifting& lifting) {
  std::size_t most = 0;
  for (const std::vector<Expr>& values : lifting.values) most = std::max(most, values.size());
  return static_cast<int>(most);
}

}  // namespace

CurvedGenerator::CurvedGenerator(const LoweredSystem& lowered, const CurvedSystem& system,
                                 const ElementQuadrature& quadrature, KernelGenerator::Options options)
    : lowered_(lowered),
      system_(system),
      generator_(lowered, std::move(options)),
      volume_points_(quadrature.volume_points()),
      face_points_(quadrature.face_points()) {}

std::size_t CurvedGenerator::shared_values() const {
  const auto fields = index(generator_.fields());
  const std::size_t nodes = fields * index(node_count(generator_.options().N));
  const std::size_t traces = system_.traces(0).size() * 4 * index(face_node_count(generator_.options().N));
  const std::size_t fluxes = index(most_values(system_.lifting)) * 4 * index(face_points_);
  return 2 * nodes + std::max(2 * traces + fluxes, fields * index(volume_points_));
}

std::size_t CurvedGenerator::shared_bytes() const {
  return shared_values() * size_of(generator_.options().precision);
}

rtcg::Record CurvedGenerator::printed(const std::vector<Expr>& expressions) const {
  const Program program(expressions);
  return values_by_kind(program, print_reals(program, generator_.options().precision));
}

rtcg::Record CurvedGenerator::values() const {
  const ContractedSystem& contracted = system_.contracted;
  rtcg::Value::List faces, contractions, lifted;
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    faces.emplace_back(rtcg::Record{{"number", face},
                                    {"traces", values_of_traces(system_.traces(face))},
                                    {"flux", printed(system_.lifting.values.at(index(face)))}});
  }
  for (const Contraction& contraction : contracted.contractions) {
    rtcg::Value::List terms;
    for (const Contraction::Term& term : contraction.terms) {
      terms.emplace_back(rtcg::Record{{"axis", term.axis}, {"operand", term.operand}, {"negative", term.negative}});
    }
    contractions.emplace_back(rtcg::Record{{"terms", std::move(terms)}});
  }
  for (std::size_t s = 0; s < system_.lifting.sums.size(); ++s) {
    rtcg::Value::List terms;
    for (const Lifting::Term& term : system_.lifting.sums[s]) {
      terms.emplace_back(rtcg::Record{{"face", term.face}, {"value", term.value}, {"negative", term.negative}});
    }
    lifted.emplace_back(rtcg::Record{{"number", contracted.contractions.size() + s}, {"terms", std::move(terms)}});
  }
  std::vector<int> summed, own;
  for (const LoweredSymbol& s : symbols_of(contracted.equations, LoweredSymbol::Kind::contraction)) {
    summed.push_back(s.number);
  }
  for (const Symbol& s : symbols_of(contracted.equations, Symbol::Kind::field)) own.push_back(s.index);
  return {{"volume_points", volume_points_},
          {"face_points", face_points_},
          {"items", group_items},
          {"shared_values", shared_values()},
          {"point_invariants", contracted.element_invariants.size()},
          {"face_invariants", contracted.face_invariants.size()},
          {"flux_values", most_values(system_.lifting)},
          {"traces", values_of(numbers_of(system_.traces(0)))},
          {"faces", std::move(faces)},
          {"stored", printed(system_.basis.stored)},
          {"cartesian", printed(system_.basis.cartesian)},
          {"outside_fields", values_of(lowered_.outside_fields)},
          {"operands", printed(contracted.operands)},
          {"contractions", std::move(contractions)},
          {"lifted", std::move(lifted)},
          {"sums", printed(system_.sums)},
          {"summed_fields", values_of(summed)},
          {"own_fields", values_of(own)},
          {"equations", printed(contracted.equations)}};
}

rtcg::KernelSource CurvedGenerator::stage() const {
  static const rtcg::Template text = kernel_template("dg/codegen/curved/groups/stage_groups.kernel");
  return generator_.source(
      "curved_stage", text,
      {{"curved", values()}, {"outside", outside_state_values(lowered_, generator_.options().precision)}});
}

rtcg::KernelSource CurvedGenerator::energy() const {
  static const rtcg::Template text = kernel_template("dg/codegen/curved/energy_curved.kernel");
  rtcg::Record values = generator_.energy_values();
  values["curved"] = rtcg::Record{{"volume_points", volume_points_},
                                  {"items", group_items},
                                  {"stored", printed(system_.basis.stored)},
                                  {"cartesian", printed(system_.basis.cartesian)}};
  return generator_.source("curved_energy", text, std::move(values));
}

}  // namespace maxwell_dg::dg
