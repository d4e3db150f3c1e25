#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace maxwell_dg::dg {

/// Points of a quadrature that are one another's images when the vertices of a triangle (3) or a tetrahedron (4) change
/// places: all distinct permutations of these barycentric coordinates. Equal coordinates are equal to the bit.
template <std::size_t vertices>
struct SymmetricOrbit {
  double share;  ///< weight of each of the points, of a total of 1
  std::array<double, vertices> barycentric;
};

/// Rules with few points, all inside, and positive weights, that are exact for polynomials of this total degree; none
/// above degree 18. Triangles: H. Xiao, Z. Gimbutas, Comput. Math. Appl. 59 (2010). Tetrahedra: J. Jaskowiec, N.
/// Sukumar, Int. J. Numer. Methods Eng. 122 (2021). The numbers are solutions of the moment equations, by Newton's
/// method from the published ones with 34 digits. Throw std::invalid_argument for a negative degree.
[[nodiscard]] std::span<const SymmetricOrbit<3>> triangle_orbits(int degree);
[[nodiscard]] std::span<const SymmetricOrbit<4>> tetrahedron_orbits(int degree);

/// Calls use(barycentric coordinates, share) for each point of the orbits.
template <std::size_t vertices, class Use>
void for_each_point(std::span<const SymmetricOrbit<vertices>> orbits, const Use& use) {
  for (const auto& [share, barycentric] : orbits) {
    auto point = barycentric;
    std::sort(point.begin(), point.end());
    do use(point, share);
    while (std::next_permutation(point.begin(), point.end()));
  }
}

}  // namespace maxwell_dg::dg
