#include "dg/reference/plane_wave_sums.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>

#include "core/in_parallel.hpp"

namespace maxwell_dg::dg {
namespace {

using Eigen::ArrayXd;
using Eigen::ArrayXXd;
using Eigen::Index;
using Eigen::MatrixXd;

/// Points that are looked at together: their tables stay in a processor's cache.
constexpr Index block = 128;

/// The first row of moments of m.
Index first_row(int order, int m) {
  return Index(m) * (order + 1) - Index(m) * (m - 1) / 2;
}

/// Normalized associated Legendre functions at points of the sphere, and cos(m phi), sin(m phi), for one m after the
/// other. With these Y_lm is of norm 1 on the sphere.
class Harmonics {
 public:
  /// directions: [3][point], of length 1.
  Harmonics(const Eigen::Matrix3Xd& directions, int order) : order_(order), z_(directions.row(2).transpose()) {
    const Index count = directions.cols();
    sine_ = directions.topRows(2).colwise().norm().transpose();
    cos_phi_ = ArrayXd::Ones(count);
    sin_phi_ = ArrayXd::Zero(count);
    for (Index p = 0; p < count; ++p) {
      if (sine_[p] == 0) continue;
      cos_phi_[p] = directions(0, p) / sine_[p];
      sin_phi_[p] = directions(1, p) / sine_[p];
    }
    cosine = ArrayXd::Ones(count);
    sine = ArrayXd::Zero(count);
    first_ = ArrayXd::Constant(count, std::sqrt(1 / (4 * std::numbers::pi)));
    fill();
  }
  /// The same of m + 1.
  void advance() {
    ++m_;
    const ArrayXd turned = cosine * cos_phi_ - sine * sin_phi_;
    sine = sine * cos_phi_ + cosine * sin_phi_;
    cosine = turned;
    first_ *= std::sqrt((m_ == 1 ? 2.0 : 1.0) * (2 * m_ + 1) / (2.0 * m_)) * sine_;  // real Y_lm: a factor sqrt(2)
    fill();
  }

  ArrayXd cosine, sine;
  MatrixXd legendre;  ///< [point][l - m]

 private:
  void fill() {
    legendre.resize(z_.size(), order_ - m_ + 1);
    legendre.col(0) = first_;
    for (int l = m_ + 1; l <= order_; ++l) {
      const double square = double(m_) * m_, before = double(l - 1) * (l - 1);
      const double a = std::sqrt((4.0 * l * l - 1) / (double(l) * l - square));
      auto here = legendre.col(l - m_).array();
      here = a * z_ * legendre.col(l - m_ - 1).array();
      if (l > m_ + 1) here -= a * std::sqrt((before - square) / (4 * before - 1)) * legendre.col(l - m_ - 2).array();
    }
  }

  int order_, m_ = 0;
  ArrayXd z_, sine_, cos_phi_, sin_phi_, first_;
};

/// [l] j_l(x): upwards as far as that is stable, beyond by ratios of neighbours.
ArrayXd spherical_bessel(double x, int order) {
  ArrayXd ratio = ArrayXd::Zero(order + 2);  // j_l / j_(l-1)
  for (int l = order + 1; l > 0 && l > x; --l) ratio[l] = x / (2 * l + 1 - (l <= order ? x * ratio[l + 1] : 0.0));
  ArrayXd j(order + 1);
  j[0] = x > 0 ? std::sin(x) / x : 1;
  for (int l = 1; l <= order; ++l) {
    if (l > x) {
      j[l] = ratio[l] * j[l - 1];
    } else {
      j[l] = l == 1 ? (j[0] - std::cos(x)) / x : (2 * l - 1) / x * j[l - 1] - j[l - 2];
    }
  }
  return j;
}

/// Adds those of some points.
void add_moments(const Eigen::Matrix3Xd& x, const MatrixXd& values, int order, MatrixXd& moments) {
  const Index count = x.cols(), width = values.cols();
  Eigen::Matrix3Xd directions(3, count);
  MatrixXd bessel(count, order + 1);
  for (Index p = 0; p < count; ++p) {
    const double r = x.col(p).norm();
    directions.col(p) = r > 0 ? Eigen::Vector3d(x.col(p) / r) : Eigen::Vector3d(0, 0, 1);
    bessel.row(p) = spherical_bessel(r, order).matrix().transpose();
  }
  Harmonics harmonics(directions, order);
  MatrixXd turned(count, 2 * width);
  for (int m = 0; m <= order; ++m) {
    if (m > 0) harmonics.advance();
    turned << (values.array().colwise() * harmonics.cosine).matrix(),
        (values.array().colwise() * harmonics.sine).matrix();
    harmonics.legendre.array() *= bessel.rightCols(order + 1 - m).array();
    moments.middleRows(first_row(order, m), order + 1 - m).noalias() += harmonics.legendre.transpose() * turned;
  }
}

/// Sums are taken in so many parts, whatever the number of processors.
Index parts_of(Index blocks, Index moments) {
  constexpr Index most_parts = 16, most_numbers = Index(1) << 25;
  return std::clamp<Index>(std::min(blocks, most_numbers / std::max<Index>(moments, 1)), 1, most_parts);
}

}  // namespace

/// (2l + 1) j_l(x) <= x^l / (2l - 1)!!.
int PlaneWaveSums::order_within(double radius) {
  int order = 0;
  for (double bound = 1; bound > 1e-16 || order < radius; bound *= radius / (2 * order + 1)) ++order;
  return order;
}

PlaneWaveSums::PlaneWaveSums(const Eigen::Matrix3Xd& x, const MatrixXd& values, int order)
    : order_(order), moments_(MatrixXd::Zero(first_row(order, order + 1), 2 * values.cols())) {
  const Index blocks = (x.cols() + block - 1) / block, parts = parts_of(blocks, moments_.size());
  std::vector<MatrixXd> of_parts(static_cast<std::size_t>(parts), moments_);
  for_each_in_parallel(of_parts.size(), [&](std::size_t part) {
    for (Index b = static_cast<Index>(part); b < blocks; b += parts) {
      const Index begin = b * block, count = std::min(block, x.cols() - begin);
      add_moments(x.middleCols(begin, count), values.middleRows(begin, count), order, of_parts[part]);
    }
  });
  for (const MatrixXd& of_part : of_parts) moments_ += of_part;
  const Index half = values.cols() / 2;
  for (int m = 0; m <= order; ++m) {
    for (int l = m; l <= order; ++l) {  // times 4 pi j^l
      auto row = moments_.row(first_row(order, m) + l - m);
      row *= (l % 4 < 2 ? 4 : -4) * std::numbers::pi;
      if (l % 2 == 0) continue;
      for (Index first = 0; first < row.size(); first += 2 * half) {
        const Eigen::RowVectorXd real = row.segment(first, half);
        row.segment(first, half) = -row.segment(first + half, half);
        row.segment(first + half, half) = real;
      }
    }
  }
}

MatrixXd PlaneWaveSums::towards(const Eigen::Matrix3Xd& r) const {
  const Index width = moments_.cols() / 2;
  MatrixXd result(r.cols(), width);
  for_each_in_parallel(static_cast<std::size_t>((r.cols() + block - 1) / block), [&](std::size_t b) {
    const Index begin = static_cast<Index>(b) * block, count = std::min(block, r.cols() - begin);
    Harmonics harmonics(r.middleCols(begin, count), order_);
    MatrixXd sums = MatrixXd::Zero(count, width), turned(count, 2 * width);
    for (int m = 0; m <= order_; ++m) {
      if (m > 0) harmonics.advance();
      turned.noalias() = harmonics.legendre * moments_.middleRows(first_row(order_, m), order_ + 1 - m);
      sums.array() += turned.leftCols(width).array().colwise() * harmonics.cosine +
                      turned.rightCols(width).array().colwise() * harmonics.sine;
    }
    result.middleRows(begin, count) = sums;
  });
  return result;
}

}  // namespace maxwell_dg::dg
