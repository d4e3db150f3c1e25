#include "dg/reference/derivative_nodes.hpp"

#include <array>

#include <gtest/gtest.h>

#include "dg/reference/mirror_sums.hpp"

namespace maxwell_dg::dg {
namespace {

void expect_exact(const std::array<Eigen::MatrixXd, 3>& derivatives, const DerivativeNodes& nodes) {
  for (const Eigen::MatrixXd& D : derivatives) {
    const Eigen::MatrixXd interpolated = nodes.interpolation * D(nodes.multiplied, Eigen::all);
    const Eigen::MatrixXd difference = interpolated - D(nodes.interpolated, Eigen::all);
    EXPECT_LT(difference.norm(), 1e-12);
  }
}

TEST(DerivativeNodes, interpolation_from_them_is_exact) {
  for (const int N : {1, 2, 3}) {
    const ReferenceElement reference = ReferenceElement::make(N);
    const DerivativeNodes nodes = DerivativeNodes::sparse(reference);
    EXPECT_EQ(nodes.multiplied.size(), static_cast<std::size_t>(node_count(N - 1)));
    EXPECT_EQ(nodes.multiplied.size() + nodes.interpolated.size(), static_cast<std::size_t>(reference.Np));
    expect_exact({reference.Dr, reference.Ds, reference.Dt}, nodes);
  }
}

TEST(DerivativeNodes, interpolation_between_mirror_sums_is_exact) {
  for (const int N : {1, 2, 3, 5, 9}) {
    const ReferenceElement reference = ReferenceElement::make(N);
    std::size_t multiplied = 0, all = 0;
    for (const DerivativeNodes& nodes : DerivativeNodes::of_mirror_sums(reference)) {
      expect_exact(MirrorSums::derivatives(reference, MirrorSums::of_nodes(reference)), nodes);
      multiplied += nodes.multiplied.size();
      all += nodes.multiplied.size() + nodes.interpolated.size();
    }
    EXPECT_EQ(multiplied, static_cast<std::size_t>(node_count(N - 1))) << "order " << N;
    EXPECT_EQ(all, static_cast<std::size_t>(reference.Np));
  }
}

TEST(DerivativeNodes, sparse_ones_of_order_2_are_the_vertices) {
  const ReferenceElement reference = ReferenceElement::make(2);
  const DerivativeNodes nodes = DerivativeNodes::sparse(reference);
  const Eigen::MatrixXd D = reference.Dr(nodes.multiplied, Eigen::all);
  EXPECT_EQ((D.array().abs() > 1e-12).count(), 14);  // of 40
  EXPECT_NEAR(nodes.interpolation.cwiseAbs().maxCoeff(), 0.5, 1e-13);
}

}  // namespace
}  // namespace maxwell_dg::dg
