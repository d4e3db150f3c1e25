#include "rtcg/array/indexing.hpp"

#include "rtcg/array/exchange/eigen.hpp"
#include "rtcg/array/operators.hpp"
#include "rtcg/array/totals.hpp"
#include "tests/unit/rtcg/array/array_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

class IndexingTest : public ArrayTest {
 protected:
  [[nodiscard]] DeviceArray counted(const Shape& shape) const {
    return arange(context(), {.stop = element_count(shape)}, Dtype::int32).reshape(shape);
  }
  template <class T>
  [[nodiscard]] DeviceArray array(const std::vector<T>& values) const {
    return to_device(context(), values);
  }
};

TEST_F(IndexingTest, arange_stops_before_its_end) {
  EXPECT_EQ(arange(context(), {.start = 2, .stop = 9, .step = 3}, Dtype::int64).to_vector<std::int64_t>(),
            (std::vector<std::int64_t>{2, 5, 8}));
  EXPECT_EQ(arange(context(), {.start = 1, .stop = -1, .step = -0.5}, Dtype::float32).to_vector<float>(),
            (std::vector{1.0F, 0.5F, 0.0F, -0.5F}));
  EXPECT_EQ(arange(context(), {.start = 3, .stop = 1}, Dtype::int8).size(), 0);
  EXPECT_EQ(arange(context(), {.stop = 2}, Dtype::complex64)(1).item<std::complex<float>>(), 1.0F);
  EXPECT_EQ(message_of<ArrayError>([&] { (void)arange(context(), {.stop = 2, .step = 0}, Dtype::int8); }),
            "the step of arange is 0");
}

TEST_F(IndexingTest, linspace_ends_at_its_end) {
  EXPECT_EQ(linspace(context(), {.start = 1, .stop = 2, .count = 5}, Dtype::float32).to_vector<float>(),
            (std::vector{1.0F, 1.25F, 1.5F, 1.75F, 2.0F}));
  EXPECT_EQ(linspace(context(), {.start = 0.1, .stop = 0.7, .count = 1000}, Dtype::float64)(-1).item<double>(), 0.7);
  EXPECT_EQ(linspace(context(), {.start = 4, .stop = 5, .count = 1}, Dtype::float32).item<float>(), 4.0F);
  EXPECT_THROW((void)linspace(context(), {.count = 3}, Dtype::int32), DtypeError);
}

TEST_F(IndexingTest, take_gathers_along_an_axis) {
  const DeviceArray a = counted({3, 4});
  EXPECT_EQ(take(a.ravel(), array<int>({11, 0, -1})).to_vector<int>(), (std::vector{11, 0, 11}));
  const DeviceArray rows = take(a, array<std::uint8_t>({2, 0}));
  EXPECT_EQ(rows.shape(), (Shape{2, 4}));
  EXPECT_EQ(rows.to_vector<int>(), (std::vector{8, 9, 10, 11, 0, 1, 2, 3}));
  const DeviceArray columns = take(a.transpose(), array<int>({1, 2, 1, 0}).reshape({2, 2}), {.axis = -1});
  EXPECT_EQ(columns.shape(), (Shape{4, 2, 2}));
  EXPECT_EQ(columns(3).to_vector<int>(), (std::vector{7, 11, 7, 3}));
  EXPECT_EQ(take(array<Half>({Half(1), Half(2)}), array<int>({1})).item<Half>(), Half(2));
  EXPECT_EQ(take(a, array<int>({})).shape(), (Shape{0, 4}));
}

TEST_F(IndexingTest, take_says_which_index_is_outside) {
  const DeviceArray a = counted({5}), far = array<int>({2, 7, -6});
  EXPECT_EQ(message_of<IndexError>([&] {
              (void)take(a, array<int>({2, 7}));
            }),
            "index 7 is outside of an axis of extent 5");
  EXPECT_EQ(message_of<IndexError>([&] {
              (void)take(a, array<int>({2, -6}));
            }),
            "index -6 is outside of an axis of extent 5");
  EXPECT_EQ(take(a, far, {.out_of_range = OutOfRange::wrap}).to_vector<int>(), (std::vector{2, 2, 4}));
  EXPECT_EQ(take(a, far, {.out_of_range = OutOfRange::clip}).to_vector<int>(), (std::vector{2, 4, 0}));
  EXPECT_THROW((void)take(a, array<float>({1})), DtypeError);
  EXPECT_THROW((void)take(a, array<int>({0}), {.axis = 1}), IndexError);
  EXPECT_THROW((void)take(counted({0}), array<int>({0})), IndexError);
}

TEST_F(IndexingTest, put_scatters_and_converts) {
  const DeviceArray a = zeros(context(), {2, 3}, Dtype::float32);
  put(a, array<int>({4, -6, 1}), array<int>({7, 8, 9}));
  EXPECT_EQ(a.to_vector<float>(), (std::vector{8.0F, 9.0F, 0.0F, 0.0F, 7.0F, 0.0F}));
  put(a, array<int>({0, 5}), array<float>({-1}));
  EXPECT_EQ(a.to_vector<float>(), (std::vector{-1.0F, 9.0F, 0.0F, 0.0F, 7.0F, -1.0F}));
  EXPECT_THROW(put(a, array<int>({6}), array<float>({1})), IndexError);
  EXPECT_EQ(message_of<ShapeError>([&] { put(a.transpose(), array<int>({0}), array<float>({1})); }),
            "put needs a contiguous array, so that its elements have numbers");
}

TEST_F(IndexingTest, arrays_are_joined_along_old_and_new_axes) {
  const DeviceArray a = counted({2, 2}), b = counted({2, 1}).astype(Dtype::float32);
  const DeviceArray joined = concatenate({a, b}, 1);
  EXPECT_EQ(joined.dtype(), Dtype::float64);
  EXPECT_EQ(joined.to_vector<double>(), (std::vector<double>{0, 1, 0, 2, 3, 1}));
  EXPECT_EQ(stack({a, a}, -1).shape(), (Shape{2, 2, 2}));
  EXPECT_EQ(stack({a, a}, -1)(1).to_vector<int>(), (std::vector{2, 2, 3, 3}));
  EXPECT_EQ(message_of<ShapeError>([&] {
              (void)concatenate({a, b});
            }),
            "concatenate of shapes (2, 2) and (2, 1) along axis 0; all other extents must be equal");
  EXPECT_THROW((void)stack({a, b}), ShapeError);
  EXPECT_THROW((void)concatenate(std::span<const DeviceArray>{}), ArrayError);
}

TEST_F(IndexingTest, eigen_goes_out_and_in) {
  Eigen::Matrix<float, 2, 3> m;
  m << 1, 2, 3, 4, 5, 6;
  const DeviceArray a = to_device(context(), m);
  EXPECT_EQ(a.shape(), (Shape{2, 3}));
  EXPECT_EQ(a(1, 0).item<float>(), 4.0F);
  EXPECT_EQ(to_eigen<float>(a), m);
  EXPECT_EQ(to_eigen<float>(a.transpose()), m.transpose());
  EXPECT_EQ(to_device(context(), Eigen::VectorXf(m.row(0))).shape(), (Shape{3}));
  EXPECT_EQ(to_eigen<float>(a(1)), m.row(1).transpose());
  EXPECT_THROW((void)to_eigen<double>(a), DtypeError);
  EXPECT_THROW((void)to_eigen<float>(a(new_axis, new_axis)), ShapeError);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
