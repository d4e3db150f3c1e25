#include "dg/codegen/matrix_place.hpp"

#include "dg/codegen/kernel_code.hpp"
#include "dg/mesh/mesh.hpp"

namespace maxwell_dg::dg {

using namespace rtcg::syntax;

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

int MatrixPlace::values_on_chip(int Np) const {
  return operators == Schedule::Operators::shared ? columns * Np : 0;
}

std::size_t MatrixPlace::bytes_of_table(int Np, Dtype precision) const {
  return operators == Schedule::Operators::constant ? index(columns * Np) * size_of(precision) : 0;
}

std::string MatrixPlace::table(const std::function<std::vector<double>()>& values, Dtype precision) const {
  if (operators != Schedule::Operators::constant) return "";
  return constant_table(name + "_table", values(), precision);
}

Block MatrixPlace::keep() const {
  if (operators == Schedule::Operators::shared) {
    return {Declare("SHARED_PART real* const", "kept", on_chip),
            For("i", "item", number(columns) + " * NP", {Assign("kept[i]", name + "[i]")}, For::Unrolling::as_compiled,
                items)};
  }
  if (operators == Schedule::Operators::registers) {
    return {Declare("real", "kept[" + number(columns) + "]"),
            For("i", "0", number(columns), {Assign("kept[i]", name + "[i * NP + n]")}, For::Unrolling::full)};
  }
  return {};
}

std::string MatrixPlace::at(const std::string& column) const {
  switch (operators) {
    case Schedule::Operators::streamed: return name + "[(" + column + ") * NP + n]";
    case Schedule::Operators::shared: return "kept[(" + column + ") * NP + n]";
    case Schedule::Operators::constant: return name + "_table[(" + column + ") * NP + n]";
    case Schedule::Operators::registers: break;
  }
  return "kept[" + column + "]";
}

std::string MatrixPlace::unroll() const {
  return operators == Schedule::Operators::registers ? "UNROLL" : "";
}

}  // namespace maxwell_dg::dg
