#pragma once

#include <span>
#include <vector>

#include <Eigen/Dense>

namespace maxwell_dg::dg {

/// Sums over points x of complex values v(x) times the plane wave exp(j r.x), as functions of its direction r on the
/// unit sphere. The wave is a sum of spherical ones,
///
///   exp(j r.x) = 4 pi * sum over l and m of j^l j_l(|x|) Y_lm(x / |x|) Y_lm(r)
///
/// (NIST Handbook of Mathematical Functions, 2010, 10.60.7 and 14.30.9), so the sums over points do not depend on r and
/// are taken once. Functions j_l beyond `order` are below 1e-16 of the largest. With real Y_lm the operations are about
/// 12 order^2 products for each point and pair of complex values, and as many for each direction. Works on all
/// processors; the result does not depend on their number.
class PlaneWaveSums {
 public:
  /// Of points within a radius.
  [[nodiscard]] static int order_within(double radius);
  /// x: [3][point]. values: [point][value], all real parts, then all imaginary parts.
  PlaneWaveSums(const Eigen::Matrix3Xd& x, const Eigen::MatrixXd& values, int order);

  /// What is kept of the points: those of several sets, added up, are those of all points.
  [[nodiscard]] std::span<double> moments() { return {moments_.data(), static_cast<std::size_t>(moments_.size())}; }
  /// r: [3][direction], of length 1. Returns [direction][value], ordered as the values are.
  [[nodiscard]] Eigen::MatrixXd towards(const Eigen::Matrix3Xd& r) const;

 private:
  int order_;
  /// [m][l - m][value times cosine, then value times sine of m phi]
  Eigen::MatrixXd moments_;
};

}  // namespace maxwell_dg::dg
