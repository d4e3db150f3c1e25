#include "dg/maxwell/loss_tangent.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>

#include <Eigen/QR>

namespace maxwell_dg::dg::maxwell {
namespace {

using Array = Eigen::ArrayXd;

/// Frequencies in equal ratios.
Array geometric(double from, double to, Eigen::Index count) {
  return Array::LinSpaced(count, std::log(from), std::log(to)).exp();
}

/// Poles of given relaxation frequencies at the frequencies of a band: [frequency][pole], at strength 1.
struct Poles {
  Poles(const Array& frequencies, const Array& relaxation)
      : real(frequencies.size(), relaxation.size()), imaginary(frequencies.size(), relaxation.size()) {
    for (Eigen::Index k = 0; k < relaxation.size(); ++k) {
      const Array x = frequencies / relaxation(k);
      real.col(k) = (1 / (1 + x.square())).matrix();
      imaginary.col(k) = (x / (1 + x.square())).matrix();
    }
  }
  Eigen::MatrixXd real, imaginary;
};

/// Strengths over epsilon at infinite frequency, none below 0: poles whose strength would be are left out one by one.
Eigen::VectorXd strengths_for(double value, const Poles& poles) {
  const Eigen::Index count = poles.real.cols();
  const Eigen::MatrixXd equations = poles.imaginary / value - poles.real;
  std::vector<Eigen::Index> kept(static_cast<std::size_t>(count));
  for (Eigen::Index k = 0; k < count; ++k) kept[static_cast<std::size_t>(k)] = k;
  Eigen::VectorXd strengths = Eigen::VectorXd::Zero(count), weights = Eigen::VectorXd::Ones(equations.rows());
  constexpr int repetitions = 30;
  for (int i = 0; i < repetitions && !kept.empty(); ++i) {
    const Eigen::VectorXd solution =
        (weights.asDiagonal() * equations(Eigen::all, kept)).colPivHouseholderQr().solve(weights);
    Eigen::Index least{};
    if (solution.minCoeff(&least) < 0) {
      kept.erase(kept.begin() + least);
      continue;
    }
    strengths.setZero();
    strengths(kept) = solution;
    const Eigen::VectorXd next = (1 / (1 + (poles.real * strengths).array())).matrix();
    if (next.isApprox(weights, 1e-12)) return strengths;
    weights = next;
  }
  return strengths;
}

}  // namespace

double LossyMedium::real_part(double frequency) const {
  double sum = at_infinity;
  for (const Pole& pole : poles) sum += pole.strength / (1 + std::pow(2 * M_PI * frequency / pole.rate, 2));
  return sum;
}

LossyMedium with_loss_tangent(const LossTangent& wanted) {
  constexpr Eigen::Index most_poles = 12, frequencies = 61;
  constexpr double most_beyond = 20;  // times the ends of the band, where relaxation frequencies may begin and end
  const Array band = geometric(wanted.from, wanted.to, frequencies);
  for (Eigen::Index count = 1; count <= most_poles; ++count) {
    LossyMedium best{.at_infinity = 0, .poles = {}, .error = loss_tangent_error};
    for (const double beyond : geometric(1 / most_beyond, most_beyond, frequencies)) {
      // The middles of `count` equal parts of the band and what is beyond, by logarithms.
      const double low = std::log(wanted.from / beyond), part = std::log(wanted.to * beyond) - low;
      const Array relaxation = (low + (Array::LinSpaced(count, 0, static_cast<double>(count - 1)) + 0.5) *
                                          (part / static_cast<double>(count)))
                                   .exp();
      const Poles poles(band, relaxation);
      const Eigen::VectorXd strengths = strengths_for(wanted.value, poles);
      const Array tangent = (poles.imaginary * strengths).array() / (1 + (poles.real * strengths).array());
      const double error = (tangent / wanted.value - 1).abs().maxCoeff();
      if (!(error < best.error)) continue;
      best = {.at_infinity = 1, .poles = {}, .error = error};
      for (Eigen::Index k = 0; k < count; ++k) {
        if (strengths(k) == 0) continue;
        best.poles.push_back({.model = Pole::Model::debye, .strength = strengths(k), .rate = 2 * M_PI * relaxation(k)});
      }
      const double scale = best.real_part(wanted.at);
      best.at_infinity /= scale;
      for (Pole& pole : best.poles) pole.strength /= scale;
    }
    if (!best.poles.empty()) return best;
  }
  throw std::invalid_argument("no 12 Debye poles have this loss tangent in all of the band; narrow it");
}

}  // namespace maxwell_dg::dg::maxwell
