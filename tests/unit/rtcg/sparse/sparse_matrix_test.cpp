#include "rtcg/sparse/sparse_matrix.hpp"

#include <filesystem>
#include <limits>

#include <unistd.h>

#include "rtcg/array/totals.hpp"
#include "rtcg/sparse/formats.hpp"
#include "rtcg/sparse/sparse_source.hpp"
#include "tests/unit/rtcg/array/array_fixture.hpp"
#include "tests/unit/rtcg/sparse/matrices.hpp"

namespace maxwell_dg::rtcg {
namespace {

const std::vector<SparseFormat> formats{SparseFormat::csr, SparseFormat::csr_stream, SparseFormat::sliced_ell,
                                        SparseFormat::sorted_ell, SparseFormat::packeted};

// Small whole numbers, so that products are exact in any order.
template <class T>
std::vector<T> small_numbers(std::int64_t n) {
  std::vector<T> values(static_cast<std::size_t>(n));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<T>(static_cast<float>(i * 7 % 17) - 8.0F);
  return values;
}

class SparseMatrixTest : public ArrayTest {
 protected:
  template <class T>
  void expect_products_of_the_host(const CsrMatrix<T>& matrix, SparseFormat format) const {
    const std::vector<T> x = small_numbers<T>(matrix.columns);
    const SparseMatrix on_device(context(), matrix, {.format = format});
    EXPECT_EQ(on_device(to_device(context(), x)).template to_vector<T>(), multiply<T>(matrix, x))
        << on_device.variant() << " " << name_of(dtype_of<T>) << " " << matrix.rows;
  }
};

TEST_F(SparseMatrixTest, products_are_those_of_the_host_in_every_format) {
  for (const SparseFormat format : formats) {
    for (const std::int64_t n : {1, 2, 13}) expect_products_of_the_host(poisson<float>(n), format);
    for (const std::int64_t n : {1, 31, 1025, 3000}) {
      expect_products_of_the_host(irregular<float>({n, n}, 5), format);
      expect_products_of_the_host(irregular<float>({n, n}, 200), format);
    }
    if (format == SparseFormat::csr_stream) continue;  // a second of compiling each; NVRTC's tests have every dtype
    expect_products_of_the_host(irregular<std::complex<float>>({700, 700}, 20), format);
    if (!has_float64()) continue;
    expect_products_of_the_host(irregular<double>({700, 700}, 20), format);
    expect_products_of_the_host(irregular<std::complex<double>>({700, 700}, 20), format);
  }
}

// A GPU's kernels on whatever device there is.
TEST_F(SparseMatrixTest, kernels_for_gpus_give_the_products_of_the_host) {
  const CsrMatrix<float> matrix = irregular<float>({1111, 900}, 90);
  const DeviceArray x = to_device(context(), small_numbers<float>(900)), y = empty(context(), {1111}, Dtype::float32);
  const auto run = [&](const KernelSource& source, const char* name, std::size_t items,
                       const std::vector<DeviceArray>& arrays) {
    std::vector<core::KernelArgument> arguments{matrix.rows};
    for (const DeviceArray& array : arrays) arguments.emplace_back(array.buffer());
    for (const DeviceArray& array : {x, y}) {
      arguments.emplace_back(array.buffer());
      arguments.emplace_back(array.offset());
    }
    const std::size_t groups = (items + sparse_group_size - 1) / sparse_group_size;
    context().compiler().compile(source).kernel(name).launch(
        context().stream(), {.groups = {groups, 1, 1}, .group_size = {sparse_group_size, 1, 1}}, arguments);
    EXPECT_EQ(y.to_vector<float>(), multiply<float>(matrix, small_numbers<float>(900))) << source.text;
  };
  const DeviceArray begin = to_device(context(), matrix.row_begin), column = to_device(context(), matrix.column),
                    values = to_device(context(), matrix.values);
  for (const std::size_t lanes : {1u, 4u, 32u}) {
    run(csr_source({.dtype = Dtype::float32, .has_long_offsets = true, .lanes = lanes}), "csr", 1111 * lanes,
        {begin, column, values});
  }
  const SlicedEll ell = sliced_ell(matrix, 32);
  std::vector<float> places;
  for (const std::int64_t source : ell.source) {
    places.push_back(source < 0 ? 0.0F : matrix.values[static_cast<std::size_t>(source)]);
  }
  run(sliced_ell_source({.dtype = Dtype::float32, .has_long_offsets = true}), "sliced_ell", 1111,
      {to_device(context(), ell.slice_begin), to_device(context(), ell.column), to_device(context(), places)});
  const SlicedEll sorted = sliced_ell(matrix, 32, RowOrder::by_length);
  places.clear();
  for (const std::int64_t source : sorted.source) {
    places.push_back(source < 0 ? 0.0F : matrix.values[static_cast<std::size_t>(source)]);
  }
  run(sliced_ell_source({.dtype = Dtype::float32, .has_long_offsets = true, .at_once = 4, .is_sorted = true}),
      "sliced_ell", 1111,
      {to_device(context(), sorted.row_of), to_device(context(), sorted.slice_begin),
       to_device(context(), sorted.column), to_device(context(), places)});
}

// Longer than a block of csr_stream; among rows without an entry, and enough short ones to fill blocks.
TEST_F(SparseMatrixTest, a_row_far_longer_than_the_others_has_its_product_too) {
  std::vector<Triplet<float>> triplets;
  for (std::int64_t column = 0; column < 3000; ++column)
    triplets.push_back({700, column, static_cast<float>(column % 5)});
  for (std::int64_t row = 0; row < 2000; row += 3) triplets.push_back({row, row, 2});
  const CsrMatrix<float> matrix = from_triplets<float>({3000, 3000}, triplets);
  for (const SparseFormat format : formats) expect_products_of_the_host(matrix, format);
}

TEST_F(SparseMatrixTest, rectangular_and_empty_ones_have_products_too) {
  for (const SparseFormat format : formats) {
    if (format == SparseFormat::packeted) continue;
    expect_products_of_the_host(irregular<float>({300, 5000}, 70), format);
    expect_products_of_the_host(irregular<float>({5000, 3}, 3), format);
    expect_products_of_the_host(irregular<float>({10, 10}, 0), format);
    expect_products_of_the_host(from_triplets<float>({0, 10}, std::vector<Triplet<float>>{}), format);
  }
}

TEST_F(SparseMatrixTest, rows_without_an_entry_do_not_see_what_is_not_finite) {
  const CsrMatrix<float> matrix = from_triplets<float>({40, 40}, std::vector<Triplet<float>>{{1, 1, 2}, {1, 2, 3}});
  std::vector<float> x(40, 1.0F), expected(40, 0.0F);
  x[0] = std::numeric_limits<float>::quiet_NaN();
  expected[1] = 5;
  for (const SparseFormat format : formats) {
    EXPECT_EQ(SparseMatrix(context(), matrix, {.format = format})(to_device(context(), x)).to_vector<float>(),
              expected);
  }
}

TEST_F(SparseMatrixTest, the_format_is_chosen_by_measurement_and_the_choice_is_kept) {
  const std::filesystem::path directory =
      std::filesystem::temp_directory_path() / ("sparse_wisdom_" + std::to_string(::getpid()));
  const CsrMatrix<float> matrix = poisson<float>(20);
  const SparseMatrix first(context(), matrix, {.wisdom_directory = directory, .tuning_seconds = 5});
  EXPECT_FALSE(std::filesystem::is_empty(directory));
  const SparseMatrix second(context(), matrix, {.wisdom_directory = directory, .tuning_seconds = 5});
  EXPECT_EQ(first.variant(), second.variant());
  const std::vector<float> x = small_numbers<float>(8000);
  EXPECT_EQ(first(to_device(context(), x)).to_vector<float>(), multiply<float>(matrix, x));
  std::filesystem::remove_all(directory);
}

TEST_F(SparseMatrixTest, takes_views_and_refuses_what_does_not_fit) {
  const SparseMatrix matrix(context(), poisson<float>(2), {.format = SparseFormat::csr});
  const DeviceArray x = ones(context(), {2, 8}, Dtype::float32);
  matrix.multiply(x(0), x(1));
  EXPECT_EQ(x(1).to_vector<float>(), std::vector<float>(8, 3.0F));
  EXPECT_EQ(message_of<ArrayError>([&] { matrix.multiply(x(0), x(0)); }), "sparse product: x and y share memory");
  EXPECT_EQ(message_of<ShapeError>([&] { (void)matrix(x); }),
            "sparse product: x has shape (2, 8), but the matrix has 8 rows and 8 columns");
  EXPECT_EQ(message_of<DtypeError>([&] { (void)matrix(ones(context(), {8}, Dtype::int32)); }),
            "sparse product: x is of int32, the matrix of float32");
  EXPECT_EQ(
      message_of<ShapeError>([&] { matrix.multiply(x(0), zeros(context(), {16}, Dtype::float32)(Slice{.step = 2})); }),
      "sparse product: y must be contiguous");
  EXPECT_THROW(SparseMatrix(context(), irregular<float>({4, 5}, 2), {.format = SparseFormat::packeted}), ShapeError);
  CsrMatrix<float> wrong = poisson<float>(2);
  wrong.column[0] = 8;
  EXPECT_THROW(SparseMatrix(context(), wrong, {.format = SparseFormat::csr}), ShapeError);
}

TEST_F(SparseMatrixTest, more_than_2_to_31_entries_are_multiplied) {
  const std::size_t needed = std::size_t{24} << 30U;
  const std::size_t on_host = static_cast<std::size_t>(sysconf(_SC_AVPHYS_PAGES)) * sysconf(_SC_PAGESIZE);
  if (context().device().info().is_cpu || context().device().free_bytes() < needed || on_host < needed) {
    GTEST_SKIP() << "needs a GPU, and 24 GiB of memory there and here";
  }
  CsrMatrix<float> full;  // each row all columns
  full.rows = 2049;
  full.columns = (std::int64_t{1} << 20) + 1;
  full.column.reserve(static_cast<std::size_t>(full.rows * full.columns));
  for (std::int64_t row = 0; row < full.rows; ++row) {
    for (std::int32_t column = 0; column < full.columns; ++column) full.column.push_back(column);
    full.row_begin.push_back(full.entries());
  }
  ASSERT_GT(full.entries(), std::int64_t{1} << 31);
  full.values.resize(full.column.size(), 0.0F);
  full.values.back() = 3;
  const SparseMatrix matrix(context(), full, {.format = SparseFormat::csr});
  const DeviceArray y = matrix(ones(context(), {full.columns}, Dtype::float32));
  EXPECT_EQ(y(full.rows - 1).item<float>(), 3.0F);
  EXPECT_EQ(sum(y).item<float>(), 3.0F);
}

TEST_F(SparseMatrixTest, knows_its_diagonal) {
  const std::vector<Triplet<float>> triplets{{0, 0, 2}, {1, 0, 1}, {2, 2, -3}};
  const SparseMatrix matrix(context(), from_triplets<float>({3, 3}, triplets), {.format = SparseFormat::csr});
  EXPECT_EQ(matrix.diagonal().to_vector<float>(), (std::vector<float>{2, 0, -3}));
  EXPECT_EQ(matrix.row_without_positive_diagonal(), 1);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
