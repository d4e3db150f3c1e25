#include "dg/maxwell/medium.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include <Eigen/Eigenvalues>

#include "dg/maxwell/maxwell.hpp"
#include "dg/symbolic/tensor.hpp"

namespace maxwell_dg::dg::maxwell {

using namespace symbolic;

namespace {

/// A symmetric tensor, a number of each component an element.
struct TensorField {
  ParameterField xx, yy, zz, yz, xz, xy;

  static TensorField add_to(System& system, const std::string& name) {
    const auto component = [&](const char* axes, double value) {
      return add_parameter(system, name + "_" + axes, value);
    };
    return {component("xx", 1), component("yy", 1), component("zz", 1),
            component("yz", 0), component("xz", 0), component("xy", 0)};
  }
};

/// The value of such a tensor in the element.
Tensor value_of(const TensorField& t) {
  return {inside(t.xx), inside(t.yy), inside(t.zz), inside(t.yz), inside(t.xz), inside(t.xy)};
}

/// Trace of the part of a tensor across a unit vector. `mean`: of its eigenvalues.
Expr trace_across(const Tensor& tensor, const Vector& n, const Expr& mean) {
  return 3.0 * mean - dot(n, tensor.times(n));
}

/// q . T q / 2 of a vector of unknowns.
System::Energy tensor_energy(const std::string& name, const VectorField& q, const Tensor& t) {
  const int x = q.first, y = x + 1, z = x + 2;
  System::Energy result{.name = name, .weights = {}, .couplings = {{y, z, t.yz}, {x, z, t.xz}, {x, y, t.xy}}};
  set(result.weights, q, Expr(0.5) * Vector(t.xx, t.yy, t.zz));
  return result;
}

System::Energy scalar_energy(const std::string& name, const VectorField& q, const Expr& constant) {
  System::Energy result{.name = name};
  set(result.weights, q, Expr(0.5) * constant * Vector(1.0, 1.0, 1.0));
  return result;
}

/// What a user gives of a medium.
struct Constants {
  ParameterField epsilon_r, mu_r, sigma;
};
Constants constants(System& system) {
  using Range = System::Meaning::Range;
  return {
      .epsilon_r = add_parameter(system, "epsilon_r", 1.0, {.doc = "relative permittivity"}),
      .mu_r = add_parameter(system, "mu_r", 1.0, {.doc = "relative permeability"}),
      .sigma = add_parameter(
          system, "sigma", 0.0,
          {.doc = "electric conductivity", .dimension = core::Dimension::conductivity, .range = Range::at_least_zero})};
}

}  // namespace

Medium isotropic(System& system) {
  const Constants given = constants(system);
  const ParameterField epsilon_r = given.epsilon_r, mu_r = given.mu_r, sigma = given.sigma;
  const Expr epsilon = inside(epsilon_r), mu = inside(mu_r);
  return {.over_epsilon = [=](const Vector& v, const Expr& divisor) { return v / (divisor * epsilon); },
          .over_mu = [=](const Vector& v, const Expr& divisor) { return v / (divisor * mu); },
          .epsilon = [=](Side side) { return epsilon_r.at(side); },
          .mu = [=](Side side) { return mu_r.at(side); },
          .impedance_along = [=](const Vector&) { return sqrt(mu / epsilon); },
          .sigma = sigma,
          .electric = scalar_energy("electric", E, epsilon),
          .magnetic = scalar_energy("magnetic", H, mu)};
}

Medium anisotropic(System& system) {
  const Constants given = constants(system);
  const ParameterField epsilon_r = given.epsilon_r, mu_r = given.mu_r, sigma = given.sigma;
  const Tensor epsilon = value_of(TensorField::add_to(system, "epsilon"));
  const Tensor mu = value_of(TensorField::add_to(system, "mu"));
  const ParameterField epsilon_min = add_parameter(system, "epsilon_min", 1.0);
  const ParameterField mu_min = add_parameter(system, "mu_min", 1.0);
  const Tensor inverse_epsilon = epsilon.inverse(), inverse_mu = mu.inverse();
  return {.over_epsilon = [=](const Vector& v, const Expr& divisor) { return inverse_epsilon.times(v / divisor); },
          .over_mu = [=](const Vector& v, const Expr& divisor) { return inverse_mu.times(v / divisor); },
          .epsilon = [=](Side side) { return epsilon_min.at(side); },
          .mu = [=](Side side) { return mu_min.at(side); },
          .impedance_along =
              [=](const Vector& n) {
                return sqrt(trace_across(mu, n, inside(mu_r)) / trace_across(epsilon, n, inside(epsilon_r)));
              },
          .sigma = sigma,
          .electric = tensor_energy("electric", E, epsilon),
          .magnetic = tensor_energy("magnetic", H, mu)};
}

Expr impedance(const System& system, Side side) {
  const auto parameter = [&](const std::string& name) {
    const auto found = std::ranges::find(system.parameters, name, &System::Parameter::name);
    return ParameterField{static_cast<int>(found - system.parameters.begin())}.at(side);
  };
  const bool has_tensors =
      std::ranges::find(system.parameters, "mu_min", &System::Parameter::name) != system.parameters.end();
  return sqrt(has_tensors ? parameter("mu_min") / parameter("epsilon_min")
                          : parameter("mu_r") / parameter("epsilon_r"));
}

double smallest_eigenvalue(const Eigen::Matrix3d& tensor) {
  return Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(tensor, Eigen::EigenvaluesOnly).eigenvalues()[0];
}

std::vector<double> anisotropic_parameters(const Eigen::Matrix3d& epsilon_r, const Eigen::Matrix3d& mu_r,
                                           double sigma) {
  std::vector<double> values{epsilon_r.trace() / 3, mu_r.trace() / 3, sigma}, smallest;
  for (const Eigen::Matrix3d* t : {&epsilon_r, &mu_r}) {
    if (!t->isApprox(t->transpose())) throw std::invalid_argument("the tensor of a medium is not symmetric");
    smallest.push_back(smallest_eigenvalue(*t));
    if (!(smallest.back() > 0)) throw std::invalid_argument("the tensor of a medium is not positive definite");
    for (const auto& [i, j] : {std::pair{0, 0}, {1, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}}) values.push_back((*t)(i, j));
  }
  values.insert(values.end(), smallest.begin(), smallest.end());
  return values;
}

}  // namespace maxwell_dg::dg::maxwell
