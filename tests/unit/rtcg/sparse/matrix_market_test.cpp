#include "rtcg/sparse/matrix_market.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "core/error.hpp"

namespace maxwell_dg::rtcg {
namespace {

template <class T>
CsrMatrix<T> read(const std::string& text) {
  std::istringstream stream(text);
  return read_matrix_market<T>(stream, "a.mtx");
}

// All entries, row by row, of a small matrix.
template <class T>
std::vector<T> dense(const CsrMatrix<T>& matrix) {
  std::vector<T> entries;
  for (std::int64_t c = 0; c < matrix.rows; ++c) {
    for (std::int64_t k = 0; k < matrix.columns; ++k) {
      std::vector<T> unit(static_cast<std::size_t>(matrix.columns));
      unit[static_cast<std::size_t>(k)] = 1;
      entries.push_back(multiply<T>(matrix, unit)[static_cast<std::size_t>(c)]);
    }
  }
  return entries;
}

std::string header(const std::string& qualifiers) {
  return "%%MatrixMarket matrix coordinate " + qualifiers + "\n% a comment\n\n";
}

TEST(MatrixMarket, every_field_and_symmetry_is_read) {
  using Real = std::vector<double>;
  EXPECT_EQ(dense(read<double>(header("real general") + "2 3 3\n1 1 1.5\n2 3 -2e1\n1 2 +4\n")),
            (Real{1.5, 4, 0, 0, 0, -20}));
  EXPECT_EQ(dense(read<double>(header("integer general") + "1 2 1\n 1   2  7 \n")), (Real{0, 7}));
  EXPECT_EQ(dense(read<double>(header("pattern symmetric") + "2 2 2\n1 1\n2 1\n")), (Real{1, 1, 1, 0}));
  EXPECT_EQ(dense(read<double>(header("real symmetric") + "2 2 2\n2 1 3\n2 2 4\n")), (Real{0, 3, 3, 4}));
  EXPECT_EQ(dense(read<double>(header("real skew-symmetric") + "2 2 1\n2 1 3\n")), (Real{0, -3, 3, 0}));
  using Complex = std::complex<double>;
  EXPECT_EQ(dense(read<Complex>(header("complex hermitian") + "2 2 2\n1 1 5 0\n2 1 3 4\n")),
            (std::vector<Complex>{{5, 0}, {3, -4}, {3, 4}, {0, 0}}));
  EXPECT_EQ(dense(read<Complex>(header("complex symmetric") + "2 2 1\n2 1 3 4\n")),
            (std::vector<Complex>{{0, 0}, {3, 4}, {3, 4}, {0, 0}}));
  EXPECT_EQ(dense(read<Complex>(header("complex skew-symmetric") + "2 2 1\n2 1 3 4\n")),
            (std::vector<Complex>{{0, 0}, {-3, -4}, {3, 4}, {0, 0}}));
  EXPECT_EQ(dense(read<Complex>(header("real general") + "1 1 1\n1 1 2\n")), (std::vector<Complex>{{2, 0}}));
  EXPECT_EQ(dense(read<double>("%%matrixmarket MATRIX Coordinate Real General\r\n1 1 1\r\n1 1 2\r\n")), (Real{2}));
}

TEST(MatrixMarket, bad_files_are_errors_with_their_line) {
  const auto message = [](const std::string& text) -> std::string {
    try {
      (void)read<double>(text);
    } catch (const ConfigError& error) {
      return error.what();
    }
    return "no error";
  };
  const std::string real = header("real general");
  EXPECT_EQ(message(real + "2 2 3\n1 1 1\n2 2 1\n"), "a.mtx:6: the file ends after 2 of 3 entries");
  EXPECT_EQ(message(real), "a.mtx:3: the file ends before the size line 'ROWS COLUMNS ENTRIES'");
  EXPECT_EQ(message(""), "a.mtx:1: the file is empty; expected '%%MatrixMarket matrix coordinate ...'");
  EXPECT_EQ(message("1 1 1\n"),
            "a.mtx:1: no header of a matrix; expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
  EXPECT_EQ(message(real + "2 2 1\n1 3 1\n"), "a.mtx:5: an entry at (1, 3) of a matrix of 2 rows and 2 columns");
  EXPECT_EQ(message(real + "2 2 1\n0 1 1\n"), "a.mtx:5: an entry at (0, 1) of a matrix of 2 rows and 2 columns");
  EXPECT_EQ(message(real + "2 2 1\n1 1 x\n"), "a.mtx:5: 'x' is not a number");
  EXPECT_EQ(message(real + "2 2 1\n1 1.5 1\n"), "a.mtx:5: '1.5' is not an integer");
  EXPECT_EQ(message(real + "2 2 1\n1 1\n"), "a.mtx:5: an entry of 2 numbers; expected 3");
  EXPECT_EQ(message(real + "2 2 1\n1 1 1\n1 2 1\n"), "a.mtx:6: more than the 1 entries that the size line promises");
  EXPECT_EQ(message(real + "2 -2 1\n"), "a.mtx:4: a size below 0");
  EXPECT_EQ(message(real + "3000000000 2 1\n"), "a.mtx:4: more than 2^31 - 1 rows or columns");
  EXPECT_EQ(message(real + "2 2 99999999999999999999\n"), "a.mtx:4: '99999999999999999999' is not an integer");
  EXPECT_EQ(message(header("real symmetric") + "2 3 0\n"), "a.mtx:4: symmetry of a matrix that is not square");
  EXPECT_EQ(message(header("real symmetric") + "2 2 1\n1 2 1\n"),
            "a.mtx:5: an entry above the diagonal, of a matrix of which the file holds the lower triangle");
  EXPECT_EQ(message(header("real skew-symmetric") + "2 2 1\n1 1 1\n"),
            "a.mtx:5: a skew-symmetric matrix with an entry on the diagonal");
  EXPECT_EQ(message(header("rael general")), "a.mtx:1: field 'rael'; expected one of real, integer, pattern, complex");
  EXPECT_EQ(message(header("real hermitian")), "a.mtx:1: hermitian is defined for complex alone");
  EXPECT_EQ(message("%%MatrixMarket matrix array real general\n"),
            "a.mtx:1: format 'array'; only coordinate is sparse");
  EXPECT_EQ(message(header("complex general")), "a.mtx:1: complex entries for a matrix of real numbers");
  EXPECT_THROW((void)read_matrix_market<double>(std::filesystem::path("does_not_exist.mtx")), ConfigError);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
