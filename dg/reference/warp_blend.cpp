// Warburton, "An explicit construction of interpolation nodes on the simplex", J. Eng. Math. 56 (2006);
// Hesthaven & Warburton (2008), chapter 10.1. The construction is written in barycentric coordinates: a shift by d
// along the edge from b to c of an equilateral simplex with edges of length 2 adds d/2 to lambda_c and takes it from
// lambda_b. No Cartesian frame is needed, and the symmetry can be read off.
#include "dg/reference/warp_blend.hpp"

#include <cmath>
#include <numbers>

namespace maxwell_dg::dg {
namespace {

/// [order] the blending parameter with a small Lebesgue constant (Hesthaven & Warburton 2008, chapter 10.1).
constexpr std::array<double, 16> optimised_alpha{0,      0,      0,       0,      0.1002, 1.1332, 1.5608, 1.3413,
                                                 1.2577, 1.1603, 1.10153, 0.6080, 0.4523, 0.8856, 0.8717, 0.9655};

/// Legendre-Gauss-Lobatto points on [-1, 1], ascending: the ends and the zeros of P_N', by Newton's method.
std::vector<double> gauss_lobatto(int N) {
  std::vector<double> x(N + 1);
  for (int i = 0; i <= N; ++i) {
    x[i] = -std::cos(std::numbers::pi * i / N);
    if (i == 0 || i == N) continue;
    for (int iteration = 0; iteration < 20; ++iteration) {
      double p0 = 1, p1 = x[i];  // P_{n-1}, P_n
      for (int n = 1; n < N; ++n) {
        const double p2 = ((2 * n + 1) * x[i] * p1 - n * p0) / (n + 1);
        p0 = p1;
        p1 = p2;
      }
      // (1 - x^2) P_N' = N (P_{N-1} - x P_N); its derivative is -N (N + 1) P_N.
      x[i] += (p0 - x[i] * p1) / ((N + 1) * p1);
    }
  }
  return x;
}

/// The warp function: the displacement of x under the polynomial map from equidistant to Gauss-Lobatto points, divided
/// by 1 - x^2.
double warp_factor(int N, const std::vector<double>& lobatto, double x) {
  const auto equidistant = [N](int i) { return -1.0 + 2.0 * i / N; };
  double shift = 0;
  for (int i = 1; i < N; ++i) {  // the ends have no displacement, so every other term has the factor 1 - x^2
    double lagrange = (lobatto[i] - equidistant(i)) / (1 - equidistant(i) * equidistant(i));
    for (int j = 1; j < N; ++j) {
      if (j != i) lagrange *= (x - equidistant(j)) / (equidistant(i) - equidistant(j));
    }
    shift += lagrange;
  }
  return shift;
}

constexpr std::array<std::array<int, 3>, 4> opposite_faces{{{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}}};

/// The shift of a node within the plane of the face opposite to vertex a, times `weight`.
void add_face_shift(Barycentric& shift, const Barycentric& lambda, int a, double weight, int N, double alpha,
                    const std::vector<double>& lobatto) {
  for (int edge = 0; edge < 3; ++edge) {
    const int b = opposite_faces[a][edge];
    const int c = opposite_faces[a][(edge + 1) % 3];
    const int d = opposite_faces[a][(edge + 2) % 3];
    const double along = 4 * lambda[b] * lambda[c] * warp_factor(N, lobatto, lambda[c] - lambda[b]);
    const double blend = 1 + alpha * alpha * lambda[d] * lambda[d];
    shift[c] += 0.5 * weight * blend * along;
    shift[b] -= 0.5 * weight * blend * along;
  }
}

Barycentric node_shift(const Barycentric& lambda, int N, double alpha, const std::vector<double>& lobatto) {
  Barycentric shift{};
  int zeros = 0;
  for (const double weight : lambda) zeros += weight == 0 ? 1 : 0;
  for (int a = 0; a < 4; ++a) {
    const auto [b, c, d] = opposite_faces[a];
    if (zeros >= 2) {
      // Both faces at an edge yield the same shift of its nodes: it is taken once, from the first of them.
      if (lambda[a] != 0) continue;
      add_face_shift(shift, lambda, a, 1.0, N, alpha, lobatto);
      break;
    }
    const double half = 0.5 * lambda[a];
    const double blend = (lambda[b] / (lambda[b] + half)) * (lambda[c] / (lambda[c] + half)) *
                         (lambda[d] / (lambda[d] + half)) * (1 + alpha * alpha * lambda[a] * lambda[a]);
    add_face_shift(shift, lambda, a, blend, N, alpha, lobatto);
  }
  return shift;
}

}  // namespace

std::vector<Barycentric> warp_blend_nodes(int N) {
  const std::vector<double> lobatto = gauss_lobatto(N);
  const double alpha = N < static_cast<int>(optimised_alpha.size()) ? optimised_alpha[N] : 1.0;
  std::vector<Barycentric> nodes;
  for (int k = 0; k <= N; ++k) {
    for (int j = 0; j <= N - k; ++j) {
      for (int i = 0; i <= N - j - k; ++i) {
        Barycentric lambda{static_cast<double>(N - i - j - k) / N, static_cast<double>(i) / N,
                           static_cast<double>(j) / N, static_cast<double>(k) / N};
        const Barycentric shift = node_shift(lambda, N, alpha, lobatto);
        for (int a = 0; a < 4; ++a) {
          if (lambda[a] != 0) lambda[a] += shift[a];
        }
        nodes.push_back(lambda);
      }
    }
  }
  return nodes;
}

}  // namespace maxwell_dg::dg
