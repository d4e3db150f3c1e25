#include "dg/codegen/curved/curved_generator.hpp"

#include <algorithm>
#include <utility>

#include "dg/codegen/kernel_code.hpp"
#include "dg/codegen/kernel_values.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg {

using symbolic::Expr;

CurvedGenerator::CurvedGenerator(const CurvedProblem& problem, Axes axes, const MediaApart& apart)
    : problem_(problem),
      system_(CurvedSystem::of(problem.lowered, problem.options.system, axes, apart)),
      generator_(problem.lowered, problem.options) {}

int CurvedGenerator::media_numbers() const {
  const auto& [of_element, of_face] = system_.at_points;
  return static_cast<int>(system_.contracted.element_invariants.size()) - of_element +
         ReferenceElement::Nfaces * (static_cast<int>(system_.contracted.face_invariants.size()) - of_face);
}

int CurvedGenerator::flux_values() const {
  std::size_t most = 0;
  for (const std::vector<Expr>& values : system_.lifting.values) most = std::max(most, values.size());
  return static_cast<int>(most);
}

rtcg::KernelSource CurvedGenerator::source(const rtcg::Template& text, rtcg::Record values) const {
  return generator_.source("curved_stage", text, std::move(values));
}

rtcg::Record CurvedGenerator::printed(const std::vector<Expr>& expressions) const {
  const symbolic::Program program(expressions);
  return values_by_kind(program, print_reals(program, options().precision));
}

rtcg::Value::List CurvedGenerator::values_of_traces(const std::vector<CurvedSystem::Trace>& traces) {
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

std::vector<double> CurvedGenerator::columns(const Eigen::MatrixXd& matrix) {
  return {matrix.data(), matrix.data() + matrix.size()};
}

}  // namespace maxwell_dg::dg
