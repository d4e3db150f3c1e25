#include "dg/reference/mirror_sums.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

namespace maxwell_dg::dg {
namespace {

int kind_of(const MirrorSums& sums, int slot) {
  int kind = 0;
  while (kind + 1 < MirrorSums::kinds && slot >= sums.first_slot.at(static_cast<std::size_t>(kind) + 1)) ++kind;
  return kind;
}

/// The largest entry that takes a kind to another than `kind ^ turned`.
double largest_in_other_kinds(const Eigen::MatrixXd& matrix, const MirrorSums& rows, const MirrorSums& columns,
                              int turned) {
  double largest = 0;
  for (int i = 0; i < rows.points(); ++i) {
    for (int j = 0; j < columns.points(); ++j) {
      if (kind_of(rows, i) != (kind_of(columns, j) ^ turned)) largest = std::max(largest, std::abs(matrix(i, j)));
    }
  }
  return largest;
}

TEST(MirrorSums, every_point_has_a_slot_of_its_own) {
  for (int N = 1; N <= ReferenceElement::max_order; ++N) {
    const ReferenceElement reference = ReferenceElement::make(N);
    for (const MirrorSums& sums : {MirrorSums::of_nodes(reference), MirrorSums::of_face_nodes(reference)}) {
      std::vector<int> slots = sums.slot, all(slots.size());
      std::ranges::sort(slots);
      std::iota(all.begin(), all.end(), 0);
      EXPECT_EQ(slots, all);
      EXPECT_EQ(std::accumulate(sums.count.begin(), sums.count.end(), 0), sums.points());
    }
  }
}

TEST(MirrorSums, shares_add_up_to_the_numbers) {
  const ReferenceElement reference = ReferenceElement::make(4);
  const MirrorSums nodes = MirrorSums::of_nodes(reference);
  const Eigen::MatrixXd identity = Eigen::MatrixXd::Identity(reference.Np, reference.Np);
  EXPECT_LT((nodes.sums() * nodes.shares().transpose() - identity).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(MirrorSums, lift_and_derivatives_do_not_mix_kinds) {
  for (int N = 1; N <= ReferenceElement::max_order; ++N) {
    const ReferenceElement reference = ReferenceElement::make(N);
    const MirrorSums nodes = MirrorSums::of_nodes(reference), faces = MirrorSums::of_face_nodes(reference);
    const Eigen::MatrixXd LIFT = between_mirror_sums(reference.LIFT, nodes, faces);
    EXPECT_LT(largest_in_other_kinds(LIFT, nodes, faces, 0), 1e-12 * LIFT.cwiseAbs().maxCoeff()) << "order " << N;
    const std::array<Eigen::MatrixXd, 3> D = MirrorSums::derivatives(reference, nodes);
    for (int axis = 0; axis < 3; ++axis) {
      const Eigen::MatrixXd& along = D.at(static_cast<std::size_t>(axis));
      EXPECT_LT(largest_in_other_kinds(along, nodes, nodes, axis), 1e-12 * along.cwiseAbs().maxCoeff())
          << "order " << N << ", axis " << axis;
    }
  }
}

TEST(MirrorSums, their_axes_have_these_gradients) {
  const ReferenceElement reference = ReferenceElement::make(3);
  const MirrorSums nodes = MirrorSums::of_nodes(reference);
  // Along u, v and w the coordinate whose gradient is g = (g_r, g_s, g_t) grows by 1 along its own axis alone.
  const std::array<Eigen::MatrixXd, 3> D = MirrorSums::derivatives(reference, nodes);
  for (std::size_t a = 0; a < 3; ++a) {
    const auto& g = MirrorSums::gradients.at(a);
    const Eigen::VectorXd coordinate = g[0] * reference.r + g[1] * reference.s + g[2] * reference.t;
    for (std::size_t b = 0; b < 3; ++b) {
      const Eigen::VectorXd slope = nodes.sums().transpose() * (D.at(b) * (nodes.sums() * coordinate));
      EXPECT_LT((slope.array() - (a == b ? 1.0 : 0.0)).abs().maxCoeff(), 1e-12) << a << " along " << b;
    }
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
