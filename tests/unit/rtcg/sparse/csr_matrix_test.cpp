#include "rtcg/sparse/csr_matrix.hpp"

#include <gtest/gtest.h>

#include "rtcg/array/error.hpp"
#include "rtcg/sparse/eigen.hpp"
#include "rtcg/sparse/formats.hpp"
#include "tests/unit/rtcg/sparse/matrices.hpp"

namespace maxwell_dg::rtcg {
namespace {

TEST(CsrMatrixTest, triplets_are_sorted_and_added_up) {
  const std::vector<Triplet<double>> triplets{{2, 1, 5}, {0, 2, 1}, {0, 0, 2}, {2, 1, 0.5}};
  const CsrMatrix<double> matrix = from_triplets<double>({3, 4}, triplets);
  EXPECT_EQ(matrix.row_begin, (std::vector<std::int64_t>{0, 2, 2, 3}));
  EXPECT_EQ(matrix.column, (std::vector<std::int32_t>{0, 2, 1}));
  EXPECT_EQ(matrix.values, (std::vector<double>{2, 1, 5.5}));
  const std::vector<double> x{1, 10, 100, 1000};
  EXPECT_EQ(multiply<double>(matrix, x), (std::vector<double>{102, 0, 55}));
}

TEST(CsrMatrixTest, entries_outside_are_refused) {
  const std::vector<Triplet<float>> triplets{{0, 3, 1}};
  const auto message = [&](const MatrixExtent& extent) {
    try {
      (void)from_triplets<float>(extent, triplets);
    } catch (const ShapeError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message({3, 3}), "an entry at row 0, column 3 of a matrix of 3 rows and 3 columns");
  EXPECT_EQ(message({1, std::int64_t{1} << 31}),
            "a sparse matrix of 1 rows and 2147483648 columns; expected 0 or more, and at most 2^31 - 1 columns");
  SparsityPattern descending{.rows = 1, .columns = 3, .row_begin = {0, 2}, .column = {2, 1}};
  EXPECT_THROW(check_pattern(descending, 2), ShapeError);
  descending.column = {1, 2};
  EXPECT_NO_THROW(check_pattern(descending, 2));
  EXPECT_THROW(check_pattern(descending, 3), ShapeError);
}

TEST(CsrMatrixTest, goes_to_eigen_and_back) {
  const CsrMatrix<double> matrix = irregular<double>({40, 30}, 9);
  const Eigen::SparseMatrix<double, Eigen::RowMajor, std::int64_t> by_rows = to_eigen(matrix);
  const Eigen::SparseMatrix<double> by_columns = by_rows;
  for (const CsrMatrix<double>& back : {from_eigen(by_rows), from_eigen(by_columns)}) {
    EXPECT_EQ(back.row_begin, matrix.row_begin);
    EXPECT_EQ(back.column, matrix.column);
    EXPECT_EQ(back.values, matrix.values);
  }
}

TEST(SparseFormats, blocks_hold_whole_rows_and_no_more_than_they_may) {
  const CsrMatrix<float> matrix = irregular<float>({1000, 1000}, 90);
  const std::vector<std::int64_t> begin = row_blocks(matrix, 8, 80);
  ASSERT_EQ(begin.front(), 0);
  ASSERT_EQ(begin.back(), 1000);
  const auto entries = [&](std::int64_t from, std::int64_t to) {
    return matrix.row_begin[static_cast<std::size_t>(to)] - matrix.row_begin[static_cast<std::size_t>(from)];
  };
  for (std::size_t block = 0; block + 1 < begin.size(); ++block) {
    const std::int64_t from = begin[block], to = begin[block + 1];
    ASSERT_LT(from, to);
    EXPECT_TRUE(to == from + 1 || (to - from <= 8 && entries(from, to) <= 80)) << from << " to " << to;
    EXPECT_TRUE(to == 1000 || to - from == 8 || entries(from, to + 1) > 80) << "room is left from " << from;
  }
}

TEST(SparseFormats, sorted_slices_hold_every_entry_once_almost_without_padding) {
  const CsrMatrix<float> matrix = irregular<float>({1000, 1000}, 90);
  const SlicedEll ell = sliced_ell(matrix, 32, RowOrder::by_length);
  std::vector<std::int64_t> seen(matrix.values.size(), -1), expected(matrix.values.size());
  for (std::size_t place = 0; place < ell.source.size(); ++place) {
    if (ell.source[place] < 0) continue;
    std::size_t slice = 0;
    while (static_cast<std::size_t>(ell.slice_begin[slice + 1]) * 32 <= place) ++slice;
    seen[static_cast<std::size_t>(ell.source[place])] = ell.row_of[slice * 32 + place % 32];
    EXPECT_EQ(ell.column[place], matrix.column[static_cast<std::size_t>(ell.source[place])]);
  }
  for (std::size_t row = 0; row < 1000; ++row) {
    std::fill(expected.begin() + matrix.row_begin[row], expected.begin() + matrix.row_begin[row + 1], row);
  }
  EXPECT_EQ(seen, expected);
  EXPECT_LT(ell.source.size(), matrix.values.size() * 11 / 10);
}

TEST(SparseFormats, packets_hold_every_entry_once_and_most_of_a_stencil_near) {
  const CsrMatrix<float> matrix = poisson<float>(16);
  const Packets packets = packeted(matrix, 512, 32);
  std::vector<int> seen(matrix.values.size(), 0);
  std::int64_t near = 0;
  for (const std::int64_t source : packets.source) {
    if (source < 0) continue;
    ++near;
    ++seen[static_cast<std::size_t>(source)];
  }
  for (const std::int64_t source : packets.rest_source) ++seen[static_cast<std::size_t>(source)];
  EXPECT_EQ(seen, std::vector<int>(seen.size(), 1));
  EXPECT_GT(near, matrix.entries() * 3 / 4);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
