#include "dg/codegen/curved/groups/group_generator.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_template.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/codegen/outside_state.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

using namespace symbolic;

std::size_t GroupGenerator::shared_values() const {
  const std::size_t fields = lowered().volume.size();
  const std::size_t nodes = fields * index(problem().reference.Np);
  const std::size_t traces = system().traces(0).size() * 4 * index(problem().reference.Nfp);
  const std::size_t fluxes = index(flux_values()) * 4 * index(face_points());
  return 2 * nodes + std::max(2 * traces + fluxes, fields * index(volume_points()));
}

std::size_t GroupGenerator::shared_bytes() const {
  return shared_values() * size_of(options().precision);
}

std::vector<std::vector<double>> GroupGenerator::matrices() const {
  const ReferenceElement& reference = problem().reference;
  const ElementQuadrature& quadrature = problem().quadrature;
  Eigen::MatrixXd D(reference.Np, 3 * reference.Np);
  D << reference.Dr, reference.Ds, reference.Dt;
  return {columns(D), columns(quadrature.at_volume), columns(quadrature.from_volume), columns(quadrature.at_face),
          columns(quadrature.lift)};
}

rtcg::Record GroupGenerator::values() const {
  const ContractedSystem& contracted = system().contracted;
  const Lifting& lifting = system().lifting;
  rtcg::Value::List faces, contractions, lifted;
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    faces.emplace_back(rtcg::Record{{"number", face},
                                    {"traces", values_of_traces(system().traces(face))},
                                    {"flux", printed(lifting.values.at(index(face)))}});
  }
  for (const Contraction& contraction : contracted.contractions) {
    rtcg::Value::List terms;
    for (const Contraction::Term& term : contraction.terms) {
      terms.emplace_back(rtcg::Record{{"axis", term.axis}, {"operand", term.operand}, {"negative", term.negative}});
    }
    contractions.emplace_back(rtcg::Record{{"terms", std::move(terms)}});
  }
  for (std::size_t s = 0; s < lifting.sums.size(); ++s) {
    rtcg::Value::List terms;
    for (const Lifting::Term& term : lifting.sums[s]) {
      terms.emplace_back(rtcg::Record{{"face", term.face}, {"value", term.value}, {"negative", term.negative}});
    }
    lifted.emplace_back(rtcg::Record{{"number", contracted.contractions.size() + s}, {"terms", std::move(terms)}});
  }
  std::vector<int> summed, own, traces;
  for (const LoweredSymbol& s : symbols_of(contracted.equations, LoweredSymbol::Kind::contraction)) {
    summed.push_back(s.number);
  }
  for (const Symbol& s : symbols_of(contracted.equations, Symbol::Kind::field)) own.push_back(s.index);
  for (const CurvedSystem::Trace& trace : system().traces(0)) traces.push_back(trace.number);
  return {{"volume_points", volume_points()},
          {"face_points", face_points()},
          {"items", items},
          {"in_basis", in_basis()},
          {"shared_values", shared_values()},
          {"point_invariants", contracted.element_invariants.size()},
          {"face_invariants", contracted.face_invariants.size()},
          {"flux_values", flux_values()},
          {"traces", values_of(traces)},
          {"faces", std::move(faces)},
          {"stored", printed(system().basis.stored)},
          {"cartesian", printed(system().basis.cartesian)},
          {"outside_fields", values_of(lowered().outside_fields)},
          {"operands", printed(contracted.operands)},
          {"contractions", std::move(contractions)},
          {"lifted", std::move(lifted)},
          {"sums", printed(system().sums)},
          {"summed_fields", values_of(summed)},
          {"own_fields", values_of(own)},
          {"equations", printed(contracted.equations)}};
}

rtcg::KernelSource GroupGenerator::stage() const {
  static const rtcg::Template text = kernel_template("dg/codegen/curved/groups/stage_groups.kernel");
  return source(text, {{"curved", values()}, {"outside", outside_state_values(lowered(), options().precision)}});
}

CurvedKind curved_groups() {
  return {
      .name = "groups",
      .variants =
          [](const CurvedProblem& /*problem*/, const core::DeviceInfo& /*device*/) {
            return std::vector{CurvedVariant{{"kind", "groups"}}};
          },
      .make = [](const CurvedProblem& problem, const CurvedVariant& /*variant*/) -> std::unique_ptr<CurvedGenerator> {
        return std::make_unique<GroupGenerator>(problem);
      }};
}

}  // namespace maxwell_dg::dg
