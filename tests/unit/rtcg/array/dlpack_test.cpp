#include "rtcg/array/exchange/dlpack.hpp"

#include "rtcg/array/operators.hpp"
#include "tests/unit/rtcg/array/array_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

using dlpack::DeviceType;
using dlpack::TypeCode;

class DlpackTest : public ArrayTest {
 protected:
  [[nodiscard]] DeviceArray counted(const Shape& shape) const {
    return arange(context(), {.stop = element_count(shape)}, Dtype::int32).reshape(shape);
  }
};

TEST_F(DlpackTest, an_exported_view_says_where_its_elements_are) {
  const DeviceArray a = counted({3, 4})(Slice{.start = 1}, Slice{.step = 2});
  dlpack::VersionedTensor* const managed = to_dlpack(a);
  const dlpack::Tensor& tensor = managed->tensor;
  EXPECT_EQ(managed->version.major, 1u);
  const bool is_cuda = context().device().info().backend == core::Backend::cuda;
  EXPECT_EQ(tensor.device.type, is_cuda ? DeviceType::cuda : DeviceType::opencl);
  EXPECT_EQ(tensor.device.index, context().device().info().index);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(tensor.data), a.buffer().raw());
  EXPECT_EQ(tensor.byte_offset, 16u);
  EXPECT_EQ(tensor.dtype.code, TypeCode::signed_integer);
  EXPECT_EQ(tensor.dtype.bits, 32);
  EXPECT_EQ(tensor.dtype.lanes, 1);
  EXPECT_EQ(Shape(tensor.shape, tensor.shape + tensor.rank), (Shape{2, 2}));
  EXPECT_EQ(Shape(tensor.strides, tensor.strides + tensor.rank), (Shape{4, 2}));
  managed->deleter(managed);
}

TEST_F(DlpackTest, memory_lives_until_the_receiver_lets_go) {
  const std::size_t blocks = context().pool().statistics().active_blocks;
  dlpack::ManagedTensor* managed = nullptr;
  {
    const DeviceArray a = counted({5});
    managed = to_dlpack_unversioned(a);
  }
  EXPECT_EQ(context().pool().statistics().active_blocks, blocks + 1);
  {
    const DeviceArray back = from_dlpack(context(), managed);
    back += 1;
    const DeviceArray view = back(Slice{.start = 3});
    EXPECT_EQ(view.to_vector<int>(), (std::vector{4, 5}));
  }
  EXPECT_EQ(context().pool().statistics().active_blocks, blocks);
}

TEST_F(DlpackTest, a_round_trip_shares_memory) {
  const DeviceArray a = counted({4, 5}), view = a.transpose()(Slice{.start = 1, .step = 2});
  const DeviceArray back = from_dlpack(context(), to_dlpack(view));
  EXPECT_EQ(back.shape(), view.shape());
  EXPECT_EQ(back.to_vector<int>(), view.to_vector<int>());
  back.fill(-1);
  EXPECT_EQ(a(0).to_vector<int>(), (std::vector{0, -1, 2, -1, 4}));
}

TEST_F(DlpackTest, every_dtype_has_its_code) {
  for (const Dtype dtype : all_dtypes) {
    if (real_part_of(dtype) == Dtype::float64 && !has_float64()) continue;
    EXPECT_EQ(from_dlpack(context(), to_dlpack(zeros(context(), {2}, dtype))).dtype(), dtype);
    EXPECT_EQ(from_dlpack(context(), to_dlpack(zeros(context(), {2, 0}, dtype))).shape(), (Shape{2, 0}));
  }
}

/// A tensor of host memory that remembers whether it was let go.
struct HostTensor {
  std::vector<float> values{0, 1, 2, 3, 4, 5};
  Shape shape{2, 3};
  std::vector<std::int64_t> strides{3, 1};
  int deleted = 0;
  dlpack::VersionedTensor managed{};

  HostTensor() {
    managed.version = {1, 1};
    managed.owner = this;
    managed.deleter = [](dlpack::VersionedTensor* self) { ++static_cast<HostTensor*>(self->owner)->deleted; };
    managed.tensor = {.data = values.data(),
                      .device = {DeviceType::cpu, 0},
                      .rank = 2,
                      .dtype = {TypeCode::real, 32, 1},
                      .shape = shape.data(),
                      .strides = strides.data(),
                      .byte_offset = 0};
  }
};

TEST_F(DlpackTest, host_memory_is_copied_and_let_go) {
  HostTensor host;
  const DeviceArray a = from_dlpack(context(), &host.managed);
  EXPECT_EQ(host.deleted, 1);
  EXPECT_EQ(a.to_vector<float>(), host.values);
  HostTensor backwards;
  backwards.strides = {-3, 1};
  backwards.managed.tensor.byte_offset = 12;
  EXPECT_EQ(from_dlpack(context(), &backwards.managed).to_vector<float>(), (std::vector<float>{3, 4, 5, 0, 1, 2}));
  HostTensor in_rows;
  in_rows.managed.tensor.strides = nullptr;
  in_rows.managed.flags = dlpack::read_only_flag;
  EXPECT_EQ(from_dlpack(context(), &in_rows.managed).to_vector<float>(), in_rows.values);
}

TEST_F(DlpackTest, what_cannot_be_taken_stays_the_callers) {
  HostTensor host;
  host.managed.tensor.dtype = {static_cast<TypeCode>(4), 16, 1};  // bfloat16
  EXPECT_EQ(message_of<DtypeError>([&] { (void)from_dlpack(context(), &host.managed); }),
            "a DLPack tensor of type code 4, 16 bits, 1 lanes; arrays have no such elements");
  host.managed.tensor.dtype = {TypeCode::real, 32, 4};
  EXPECT_THROW((void)from_dlpack(context(), &host.managed), DtypeError);
  host.managed.tensor.dtype = {TypeCode::real, 32, 1};
  host.managed.tensor.device = {static_cast<DeviceType>(10), 0};  // ROCm
  EXPECT_NE(message_of<ArrayError>([&] { (void)from_dlpack(context(), &host.managed); }).find("is not on"),
            std::string::npos);
  host.managed.version = {2, 0};
  EXPECT_EQ(message_of<ArrayError>([&] { (void)from_dlpack(context(), &host.managed); }),
            "a DLPack tensor of version 2; known is 1");
  EXPECT_EQ(host.deleted, 0);
  dlpack::VersionedTensor* const read_only = to_dlpack(counted({2}));
  read_only->flags = dlpack::read_only_flag;
  EXPECT_THROW((void)from_dlpack(context(), read_only), ArrayError);
  read_only->deleter(read_only);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
