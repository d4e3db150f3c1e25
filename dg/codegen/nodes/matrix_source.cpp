#include "dg/codegen/nodes/matrix_source.hpp"

#include "dg/codegen/kernel_values.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/schedule/choice.hpp"

namespace maxwell_dg::dg {

std::vector<double> derivatives_by_columns(const ReferenceElement& reference) {
  std::vector<double> values;
  for (int m = 0; m < reference.Np; ++m) {
    for (const Eigen::MatrixXd* const derivative : {&reference.Dr, &reference.Ds, &reference.Dt}) {
      for (int n = 0; n < reference.Np; ++n) values.push_back((*derivative)(n, m));
    }
  }
  return values;
}

std::vector<double> lift_by_columns(const ReferenceElement& reference) {
  std::vector<double> values;
  for (int j = 0; j < 4 * reference.Nfp; ++j) {
    for (int n = 0; n < reference.Np; ++n) values.push_back(reference.LIFT(n, j));
  }
  return values;
}

rtcg::Record MatrixSource::values(const std::function<std::vector<double>()>& entries, Dtype precision) const {
  const bool has_table = operators == Schedule::Operators::constant;
  return {{"name", name},
          {"operators", std::string(word_of(operators))},
          {"columns", columns},
          {"values_before", values_before},
          {"table", has_table ? values_of(entries()) : rtcg::Value::List{}},
          {"type", precision}};
}

}  // namespace maxwell_dg::dg
