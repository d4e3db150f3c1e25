#include "rtcg/array/device_array.hpp"

#include <numeric>

#include "tests/unit/rtcg/array/array_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

class DeviceArrayTest : public ArrayTest {
 protected:
  // 0, 1, 2 ... in the given shape.
  [[nodiscard]] DeviceArray counted(const Shape& shape) const {
    std::vector<int> values(static_cast<std::size_t>(element_count(shape)));
    std::iota(values.begin(), values.end(), 0);
    return to_device(context(), values, shape);
  }
};

TEST_F(DeviceArrayTest, of_every_dtype_comes_back_as_it_was_sent) {
  for (const Dtype dtype : all_dtypes) {
    if (size_of(real_part_of(dtype)) == 8 && is_real(real_part_of(dtype)) && !has_float64()) continue;
    visit_dtype(dtype, [&]<class T>(T) {
      if constexpr (!std::same_as<T, bool>) {
        const std::vector<T> values{T(1), T(0), T(3)}, odd{T(1), T(3)};
        const DeviceArray a = to_device(context(), values);
        EXPECT_EQ(a.to_vector<T>(), values) << name_of(dtype);
        const DeviceArray through_a_kernel = a(Slice{.step = 2});
        EXPECT_EQ(through_a_kernel.to_vector<T>(), odd) << name_of(dtype);
      }
      EXPECT_EQ(ones(context(), {2, 2}, dtype).to_vector<T>(), std::vector<T>(4, T(1))) << name_of(dtype);
      EXPECT_EQ(zeros(context(), {3}, dtype).to_vector<T>(), std::vector<T>(3, T(0))) << name_of(dtype);
    });
  }
}

TEST_F(DeviceArrayTest, views_share_memory) {
  const DeviceArray a = counted({3, 4});
  a(1).fill(-1);
  a(whole, Slice{.start = 3}).fill(9);
  EXPECT_EQ(a.to_vector<int>(), (std::vector{0, 1, 2, 9, -1, -1, -1, 9, 8, 9, 10, 9}));
  EXPECT_EQ(a(1, 3).item<int>(), 9);
  EXPECT_EQ(a(-1, Slice{.step = -2}).to_vector<int>(), (std::vector{9, 9}));
}

TEST_F(DeviceArrayTest, transposed_and_permuted_views_come_back_in_their_own_order) {
  const DeviceArray a = counted({2, 3});
  EXPECT_EQ(a.transpose().shape(), (Shape{3, 2}));
  EXPECT_EQ(a.transpose().to_vector<int>(), (std::vector{0, 3, 1, 4, 2, 5}));
  const DeviceArray b = counted({2, 3, 4}).permute({2, 0, 1});
  EXPECT_EQ(b.shape(), (Shape{4, 2, 3}));
  EXPECT_EQ(b(1).to_vector<int>(), (std::vector{1, 5, 9, 13, 17, 21}));
}

TEST_F(DeviceArrayTest, reshape_is_a_view_where_it_can_be) {
  const DeviceArray a = counted({2, 6});
  a.reshape({3, -1})(2, 0).fill(-5);
  EXPECT_EQ(a(1, 2).item<int>(), -5);
  const DeviceArray copied = a.transpose().ravel();
  copied.fill(0);
  EXPECT_EQ(a(0, 1).item<int>(), 1);
}

TEST_F(DeviceArrayTest, bytes_are_seen_as_another_dtype) {
  const DeviceArray numbers = to_device(context(), std::vector<float>{1, 2, 3, 4});
  EXPECT_EQ(numbers.view_as(Dtype::uint32).to_vector<std::uint32_t>(),
            (std::vector<std::uint32_t>{0x3f800000, 0x40000000, 0x40400000, 0x40800000}));
  const DeviceArray pairs = numbers.view_as(Dtype::complex64);
  EXPECT_EQ(pairs.to_vector<std::complex<float>>(), (std::vector<std::complex<float>>{{1, 2}, {3, 4}}));
  pairs.view_as(Dtype::float32).reshape({2, 2})(whole, 1).fill(7);  // all imaginary parts
  EXPECT_EQ(numbers.to_vector<float>(), (std::vector<float>{1, 7, 3, 7}));
  EXPECT_EQ(message_of<ShapeError>([&] {
              (void)numbers(Slice{0, 3}).view_as(Dtype::complex64);
            }),
            "elements of 4 bytes of an array of shape (3,) seen as elements of 8 bytes: its last extent is no whole "
            "number of these");
}

TEST_F(DeviceArrayTest, others_of_the_same_shape_and_dtype) {
  const DeviceArray a = counted({2, 1, 3});
  EXPECT_EQ(empty_like(a).shape(), a.shape());
  EXPECT_EQ(zeros_like(a).to_vector<int>(), std::vector<int>(6, 0));
  EXPECT_EQ(ones_like(a).to_vector<int>(), std::vector<int>(6, 1));
  EXPECT_EQ(full_like(a, 5).to_vector<int>(), std::vector<int>(6, 5));
  EXPECT_EQ(a.squeeze().shape(), (Shape{2, 3}));
  a.squeeze()(1).fill(9);
  EXPECT_EQ(a.to_vector<int>(), (std::vector<int>{0, 1, 2, 9, 9, 9}));
}

TEST_F(DeviceArrayTest, broadcast_repeats_without_memory) {
  const DeviceArray a = counted({3}).broadcast_to({2, 3});
  EXPECT_EQ(a.to_vector<int>(), (std::vector{0, 1, 2, 0, 1, 2}));
  EXPECT_NE(message_of<ShapeError>([&] { a.fill(1); }).find("repeats elements"), std::string::npos);
}

TEST_F(DeviceArrayTest, astype_converts_as_c_does) {
  const DeviceArray a = to_device(context(), std::vector<float>{-1.75F, 0.0F, 2.5F});
  EXPECT_EQ(a.astype(Dtype::int32).to_vector<int>(), (std::vector{-1, 0, 2}));
  EXPECT_EQ(a.astype(Dtype::int8).to_vector<std::int8_t>(), (std::vector<std::int8_t>{-1, 0, 2}));
  EXPECT_EQ(a.astype(Dtype::boolean).to_vector<bool>(), (std::vector<bool>{true, false, true}));
  EXPECT_EQ(a.astype(Dtype::float16).to_vector<Half>(), (std::vector{Half(-1.75F), Half(0), Half(2.5F)}));
  EXPECT_EQ(a.astype(Dtype::complex64).astype(Dtype::float32).to_vector<float>(), a.to_vector<float>());
}

TEST_F(DeviceArrayTest, assign_broadcasts_and_converts) {
  const DeviceArray a = zeros(context(), {2, 3}, Dtype::float32);
  a.assign(counted({3}));
  EXPECT_EQ(a.to_vector<float>(), (std::vector{0.0F, 1.0F, 2.0F, 0.0F, 1.0F, 2.0F}));
  a(0).assign_from_host(std::span<const float>(std::vector{5.0F, 6.0F, 7.0F}));
  a.transpose()(1).assign_from_host(std::span<const float>(std::vector{-1.0F, -2.0F}));
  EXPECT_EQ(a.to_vector<float>(), (std::vector{5.0F, -1.0F, 7.0F, 0.0F, -2.0F, 2.0F}));
}

TEST_F(DeviceArrayTest, without_elements_is_no_work) {
  const DeviceArray a = zeros(context(), {3, 0}, Dtype::float32);
  a.fill(1);
  EXPECT_EQ(a.astype(Dtype::int32).to_vector<int>(), std::vector<int>{});
  EXPECT_EQ(counted({4})(Slice{.start = 4}).to_vector<int>(), std::vector<int>{});
}

TEST_F(DeviceArrayTest, refuses_what_does_not_fit) {
  const DeviceArray a = counted({2, 3});
  EXPECT_EQ(message_of<DtypeError>([&] { (void)a.to_vector<float>(); }),
            "an array of int32 was read as float32; convert with astype");
  EXPECT_EQ(message_of<ShapeError>([&] { (void)a.item<int>(); }), "an array of shape (2, 3) was read as 1 numbers");
  EXPECT_EQ(message_of<ShapeError>([&] {
              a.assign_from_host(std::span<const int>(std::vector{1, 2}));
            }),
            "2 host numbers for an array of shape (2, 3)");
  EXPECT_EQ(message_of<DtypeError>([&] { a.assign_from_host(std::span<const float>(std::vector<float>(6))); }),
            "host numbers of type float32 for an array of int32; convert with astype");
  EXPECT_EQ(message_of<ShapeError>([&] { a.assign(counted({4})); }),
            "an array of shape (4,) does not broadcast to (2, 3)");
  EXPECT_THROW(a.fill(0.5), DtypeError);
  EXPECT_THROW((void)a(2), IndexError);
  EXPECT_THROW((void)a.permute({0, 0}), IndexError);
  EXPECT_THROW((void)a.permute({0}), IndexError);
  EXPECT_THROW((void)a.broadcast_to({3, 3}), ShapeError);
  EXPECT_THROW((void)empty(context(), {-1}, Dtype::int8), ShapeError);
  EXPECT_EQ(message_of<ShapeError>([&] {
              (void)empty(context(), {1L << 62, 4}, Dtype::int8);
            }),
            "shape (4611686018427387904, 4): the number of elements or bytes exceeds 2^63 - 1");
  EXPECT_NE(message_of<OutOfDeviceMemory>([&] {
              (void)empty(context(), {1L << 50}, Dtype::float64);
            }).find("out of device memory"),
            std::string::npos);
  EXPECT_THROW(DeviceArray(context(), a.buffer(), Dtype::int32, Layout{{5000}, {1}, 0}), ShapeError);
  EXPECT_THROW((void)DeviceArray().copy(), ArrayError);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
