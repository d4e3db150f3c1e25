#include "dg/operator/derivative_nodes.hpp"

#include <gtest/gtest.h>

namespace maxwell_dg::dg {
namespace {

void expect_exact(const ReferenceElement& reference, const DerivativeNodes& nodes) {
  const int N = reference.N;
  EXPECT_EQ(nodes.multiplied.size(), static_cast<std::size_t>(N * (N + 1) * (N + 2) / 6));
  EXPECT_EQ(nodes.multiplied.size() + nodes.interpolated.size(), static_cast<std::size_t>(reference.Np));
  for (const Eigen::MatrixXd* D : {&reference.Dr, &reference.Ds, &reference.Dt}) {
    const Eigen::MatrixXd interpolated = nodes.interpolation * (*D)(nodes.multiplied, Eigen::all);
    EXPECT_LT((interpolated - (*D)(nodes.interpolated, Eigen::all)).cwiseAbs().maxCoeff(), 1e-12) << "order " << N;
  }
}

TEST(DerivativeNodes, interpolation_from_them_is_exact) {
  for (const int N : {1, 2, 3, 5, 9}) {
    const ReferenceElement reference = ReferenceElement::make(N);
    expect_exact(reference, DerivativeNodes::well_conditioned(reference));
    if (N <= 3) expect_exact(reference, DerivativeNodes::sparse(reference));
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
