#include "dg/partition/partition.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/mesh/element_ranges.hpp"
#include "dg/partition/element_costs.hpp"
#include "dg/partition/metis.hpp"
#include "tests/support/curved_mesh.hpp"
#include "tests/support/random_problem.hpp"

/// Partitions are balanced, also by weight, and cut little more than cubes would.
namespace maxwell_dg::dg {
namespace {

std::vector<PartitionMethod> methods() {
  std::vector<PartitionMethod> all{PartitionMethod::curve, PartitionMethod::best};
  if (has_metis()) all.push_back(PartitionMethod::metis);
  return all;
}

std::vector<std::size_t> sizes(const Partition& partition, int parts) {
  std::vector<std::size_t> result(index(parts));
  for (const int rank : partition.rank_of_element) ++result.at(index(rank));
  return result;
}

TEST(Partition, is_balanced_and_cuts_little_more_than_cubes_would) {
  constexpr int cells = 12;
  const Discretization d(make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {cells, cells, cells}}), 1);
  // Cubes of a volume V have 3 V^(2/3) of surface each, shared by two, but for the surface of the whole; each square of
  // the grid is two triangles.
  const auto faces_between_cubes = [](int parts) { return 2 * cells * cells * 3 * (std::cbrt(parts) - 1); };
  for (const PartitionMethod method : methods()) {
    for (const int parts : {2, 3, 7, 8, 20}) {
      const Partition partition = dg::partition(d, parts, method);
      const PartitionQuality& quality = partition.quality;
      EXPECT_LE(quality.imbalance, partition.method == PartitionMethod::curve ? 1.01 : 1.03)
          << name_of(method) << ", " << parts;
      EXPECT_NE(partition.method, PartitionMethod::best);
      const auto [least, most] = std::ranges::minmax(sizes(partition, parts));
      EXPECT_GT(least, 0U);
      EXPECT_NEAR(static_cast<double>(most) * parts / static_cast<double>(d.K()), quality.imbalance, 1e-12);
      EXPECT_LT(quality.most_neighbours, index(parts));
      EXPECT_LE(quality.most_faces_cut, quality.faces_cut);
      const double bound = partition.method == PartitionMethod::curve ? 2.0 : 1.35;
      EXPECT_LT(static_cast<double>(quality.faces_cut), bound * faces_between_cubes(parts))
          << name_of(method) << ", " << parts;
    }
  }
}

TEST(Partition, into_parts_of_a_few_elements_leaves_none_empty) {
  const Discretization d(testing::random_mesh(40), 1);
  for (const PartitionMethod method : methods()) {
    for (const int parts : {1, 13, 27, 39, 40}) {
      EXPECT_GT(std::ranges::min(sizes(dg::partition(d, parts, method), parts)), 0U)
          << name_of(method) << ", " << parts;
    }
  }
}

TEST(Partition, honours_weights) {
  const Discretization d(make_box({.min = {0, 0, 0}, .max = {1, 1, 1}, .cells = {10, 10, 10}}), 1);
  std::vector<double> weights;
  for (std::size_t k = 0; k < d.K(); ++k) weights.push_back(centroid(d.mesh, d.mesh.cells[k])[0] < 0.2 ? 3.5 : 1.0);
  for (const PartitionMethod method : methods()) {
    const Partition partition = dg::partition(d, 5, method, weights);
    EXPECT_LE(partition.quality.imbalance, 1.03) << name_of(method);
    const std::vector<std::size_t> counts = sizes(partition, 5);
    EXPECT_GT(std::ranges::max(counts), 2 * std::ranges::min(counts)) << "all parts have about as many elements";
  }
  // One element as heavy as all others together, wherever it is on the curve.
  for (const std::size_t heavy : {0UL, 3000UL, 5999UL}) {
    weights.assign(d.K(), 1.0);
    weights[heavy] = 6000;
    for (const PartitionMethod method : methods()) {
      EXPECT_GT(std::ranges::min(sizes(dg::partition(d, 6, method, weights), 6)), 0U) << name_of(method);
    }
  }
}

TEST(Partition, by_the_curve_cuts_it_into_pieces_also_where_curved_elements_come_last) {
  Mesh mesh = testing::half_curved_random_mesh(300, 2);
  prepare(mesh, "half curved", Orientation::any);
  const Discretization d(std::move(mesh), 1);
  const Partition mixed = dg::partition(d, 4, PartitionMethod::curve);
  // Pieces of the order of elements would cut more: the curved ones are a mesh of their own in it.
  std::vector<int> in_order;
  for (std::size_t k = 0; k < d.K(); ++k) in_order.push_back(static_cast<int>(4 * k / d.K()));
  EXPECT_LT(mixed.quality.faces_cut, quality_of(d, in_order, 4).faces_cut);
}

TEST(Partition, of_complex_fields_keeps_both_copies_together) {
  const Discretization real(testing::random_mesh(100), 1);
  const Discretization d(testing::random_mesh(100), 1, FieldNumbers::complex);
  for (const PartitionMethod method : methods()) {
    const Partition partition = dg::partition(d, 3, method), of_real = dg::partition(real, 3, method);
    ASSERT_EQ(partition.rank_of_element.size(), 200U);
    for (std::size_t k = 0; k < 100; ++k) EXPECT_EQ(partition.rank_of_element[k], partition.rank_of_element[k + 100]);
    EXPECT_EQ(partition.quality.faces_cut, of_real.quality.faces_cut);
    EXPECT_EQ(partition.quality.imbalance, of_real.quality.imbalance);
  }
}

TEST(Partition, is_the_same_each_time_and_the_best_has_fewest_faces_cut_of_a_part) {
  const Discretization d(make_box({.min = {0, 0, 0}, .max = {2, 1, 1}, .cells = {12, 7, 6}}), 1);
  const auto ranks = [&](PartitionMethod method) { return dg::partition(d, 6, method).rank_of_element; };
  std::size_t fewest = d.K() * 4;
  for (const PartitionMethod method : methods()) {
    EXPECT_EQ(ranks(method), ranks(method));
    fewest = std::min(fewest, dg::partition(d, 6, method).quality.most_faces_cut);
  }
  EXPECT_EQ(dg::partition(d, 6).quality.most_faces_cut, fewest);
}

TEST(Partition, that_cannot_be_is_refused) {
  const Discretization d(testing::random_mesh(5), 1);
  const auto message = [&](int parts, const std::vector<double>& weights = {}) -> std::string {
    try {
      (void)partition(d, parts, PartitionMethod::best, weights);
      return "nothing";
    } catch (const ConfigError& e) {
      return e.what();
    } catch (const std::invalid_argument& e) {
      return e.what();
    }
  };
  EXPECT_EQ(message(5), "nothing");
  EXPECT_EQ(message(6), "a mesh of 5 elements for 6 processes: start at most as many processes as there are elements");
  EXPECT_EQ(message(0), "partition: at least one part is needed");
  EXPECT_EQ(message(2, {1, 1}), "partition: one weight for each element is needed");
  EXPECT_EQ(message(2, {1, 1, 0, 1, 1}), "partition: weights above 0 are needed");
  if (has_metis()) return;
  EXPECT_THROW((void)partition(d, 2, PartitionMethod::metis), ConfigError);
}

TEST(ElementCosts, grow_with_curvature_auxiliary_variables_and_the_rate) {
  const Discretization d(testing::half_curved_random_mesh(30, 2), 1);
  const auto is_curved = [&](std::size_t k) { return d.mesh.curved.is_curved(k); };
  Problem problem = testing::random_problem(maxwell::system(), d);
  problem.element_terms.push_back({.name = "slab", .auxiliary = std::vector<std::string>(6, "u"), .elements = {0, 2}});
  problem.element_terms.push_back({.name = "edge", .auxiliary = std::vector<std::string>(12, "v"), .elements = {2, 3}});
  ASSERT_FALSE(is_curved(0) || is_curved(1) || is_curved(2) || is_curved(3));
  const std::vector<double> on_gpu = element_costs(d, problem, false), on_cpu = element_costs(d, problem, true);
  EXPECT_EQ(on_gpu[1], 1);
  EXPECT_NEAR(on_gpu[0], 1.5, 0.15);
  EXPECT_NEAR(on_gpu[3], 2.2, 0.1);
  EXPECT_NEAR(on_gpu[2], 2.8, 0.1);
  EXPECT_LT(on_cpu[0], on_gpu[0]);
  for (std::size_t k = 4; k < d.K(); ++k) {
    EXPECT_EQ(on_gpu[k], is_curved(k) ? 2.35 : 1);
    EXPECT_EQ(on_cpu[k], is_curved(k) ? 3.1 : 1);
  }
  const Discretization two_rates(testing::random_mesh(20), 1,
                                 {{.begin = 0, .end = 12}, {.begin = 12, .end = 20, .rate = 1}});
  const std::vector<double> costs =
      element_costs(two_rates, testing::random_problem(maxwell::system(), two_rates), false);
  EXPECT_EQ(costs[11], 1);
  EXPECT_EQ(costs[12], 2);
}

}  // namespace
}  // namespace maxwell_dg::dg
