#include "rtcg/array/exchange/npy.hpp"

#include <fstream>
#include <sstream>

#include "rtcg/array/operators.hpp"
#include "rtcg/array/totals.hpp"
#include "tests/unit/rtcg/array/array_fixture.hpp"

namespace maxwell_dg::rtcg {
namespace {

using namespace std::string_literals;

class NpyTest : public ArrayTest {
 protected:
  [[nodiscard]] DeviceArray read(const std::string& bytes) const {
    std::istringstream in(bytes);
    return read_npy(context(), in, "a.npy");
  }
  [[nodiscard]] static std::string written(const DeviceArray& array) {
    std::ostringstream out;
    write_npy(out, array);
    return out.str();
  }
  // A file of version 1 or 2 with this header, as any program may write it.
  [[nodiscard]] static std::string file(const std::string& header, const std::string& data, char version = 1) {
    std::string text = "\x93NUMPY"s + version + '\0' + static_cast<char>(header.size()) + '\0';
    if (version > 1) text += "\0\0"s;
    return text + header + data;
  }
};

TEST_F(NpyTest, arrays_of_every_dtype_and_shape_come_back) {
  for (const Dtype dtype : all_dtypes) {
    if (real_part_of(dtype) == Dtype::float64 && !has_float64()) continue;
    for (const Shape& shape : {Shape{}, Shape{7}, Shape{2, 3}, Shape{0, 4}}) {
      const DeviceArray a = arange(context(), {.stop = element_count(shape)}, dtype).reshape(shape);
      const DeviceArray b = read(written(a));
      EXPECT_EQ(b.dtype(), dtype);
      EXPECT_EQ(b.shape(), shape);
      EXPECT_EQ(written(b), written(a)) << name_of(dtype) << to_string(shape);
    }
  }
}

TEST_F(NpyTest, a_file_is_the_one_numpy_writes) {
  const DeviceArray a = to_device(context(), std::vector<std::int16_t>{1, -2});
  std::string header = "{'descr': '<i2', 'fortran_order': False, 'shape': (2,), }";
  header.resize(117, ' ');
  EXPECT_EQ(written(a), "\x93NUMPY\x01\0v\0"s + header + "\n\x01\0\xfe\xff"s);
}

TEST_F(NpyTest, views_are_written_in_their_order) {
  const DeviceArray a = arange(context(), {.stop = 6}, Dtype::int32).reshape({2, 3}).transpose();
  const DeviceArray b = read(written(a));
  EXPECT_EQ(b.to_vector<int>(), (std::vector{0, 3, 1, 4, 2, 5}));
}

TEST_F(NpyTest, other_orders_are_understood) {
  const std::string columns = file("{\"shape\": (2, 3), \"descr\": \"|u1\", 'fortran_order': True}\n", "\1\2\3\4\5\6");
  EXPECT_EQ(read(columns).to_vector<std::uint8_t>(), (std::vector<std::uint8_t>{1, 3, 5, 2, 4, 6}));
  const std::string turned = file("{'descr': '>i4', 'fortran_order': False, 'shape': (1,), }", "\0\0\1\2"s, 2);
  EXPECT_EQ(read(turned).item<int>(), 258);
  const std::string turned_complex =
      file("{'descr': '>c8', 'fortran_order': False, 'shape': ()}", "\x3f\x80\0\0\x40\0\0\0"s);
  EXPECT_EQ(read(turned_complex).item<std::complex<float>>(), std::complex<float>(1, 2));
}

TEST_F(NpyTest, files_that_are_wrong_are_named_with_what_is_wrong) {
  const auto message = [&](const std::string& bytes) { return message_of<ArrayError>([&] { (void)read(bytes); }); };
  const std::string good = written(arange(context(), {.stop = 6}, Dtype::float32).reshape({2, 3}));
  EXPECT_EQ(message(good.substr(0, good.size() - 5)),
            "a.npy: the file is truncated: 19 of 24 bytes of its array of shape (2, 3) are there");
  EXPECT_EQ(message(good.substr(0, 50)), "a.npy: the file is truncated: 40 of 118 bytes of its header are there");
  EXPECT_EQ(message("PK\3\4----"), "a.npy: this is no .npy file: it does not begin with \\x93NUMPY");
  EXPECT_EQ(message(""), "a.npy: the file is truncated: 0 of 8 bytes of its magic number are there");
  EXPECT_EQ(message(file("{'descr': '<f4', 'shape': (1,)}", "")),
            "a.npy: the .npy header is wrong at character 31: descr, fortran_order or shape is missing");
  EXPECT_NE(message(file("{'descr': '<U3', ", "")).find("arrays have no dtype '<U3'"), std::string::npos);
  EXPECT_NE(message(file("{'descr': [('a', '<f4')], ", "")).find("plain dtype"), std::string::npos);
  EXPECT_NE(message(file("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387904, 9)}", ""))
                .find("exceeds 2^63 - 1"),
            std::string::npos);
  EXPECT_NE(
      message(file("{'descr': '<f8', 'fortran_order': False, 'shape': (4611686018427387,)}", "")).find("truncated"),
      std::string::npos);
  EXPECT_NE(message(file("{}", "", 9)).find("version 9"), std::string::npos);
  EXPECT_NE(message(file("{}", "", static_cast<char>(200))).find("version 200"), std::string::npos);
}

TEST_F(NpyTest, files_are_saved_and_loaded) {
  const std::filesystem::path path = std::filesystem::path(testing::TempDir()) / "rtcg_npy_test.npy";
  save_npy(path, arange(context(), {.stop = 3}, Dtype::int64));
  EXPECT_EQ(load_npy(context(), path).to_vector<std::int64_t>(), (std::vector<std::int64_t>{0, 1, 2}));
  std::filesystem::remove(path);
  EXPECT_EQ(message_of<ArrayError>([&] { (void)load_npy(context(), path); }),
            path.string() + ": the file cannot be opened");
  EXPECT_THROW(save_npy("/nowhere/at/all.npy", zeros(context(), {1}, Dtype::int8)), OutputError);
}

}  // namespace
}  // namespace maxwell_dg::rtcg
