#include <cmath>
#include <numeric>

#include "core/cuda/nvrtc.hpp"
#include "core/cuda/texture.hpp"
#include "tests/unit/core/cuda_fixture.hpp"

namespace maxwell_dg::core::test {
namespace {

constexpr const char* kSample = R"(
KERNEL void sample(float* out, cudaTextureObject_t image, float x0, float dx, float y) {
  out[ITEM] = tex2D<float>(image, x0 + dx * ITEM, y);
}
KERNEL void sample3(float* out, cudaTextureObject_t image, float z) {
  out[ITEM] = tex3D<float>(image, ITEM + 0.5f, 0.5f, z);
}
KERNEL void paint(cudaSurfaceObject_t image, int width) {
  surf2Dwrite((float)(ITEM * ITEM), image, 4 * (ITEM % width), ITEM / width);
}
)";

const std::string kDouble = std::string(cuda::fetch_double_text) + R"(
KERNEL void take(double* out, cudaTextureObject_t values) { out[ITEM] = fetch_double(values, ITEM); }
)";

class CudaTexture : public CudaTest {
 protected:
  /// Four columns, three rows: value = column + 10 * row.
  [[nodiscard]] cuda::Array image() const {
    std::vector<float> texels;
    for (int row = 0; row < 3; ++row) {
      for (int column = 0; column < 4; ++column) texels.push_back(static_cast<float>(column + 10 * row));
    }
    cuda::Array array(device, {.width = 4, .height = 3});
    array.write(stream, std::as_bytes(std::span(texels)));
    stream.synchronize();
    return array;
  }
  [[nodiscard]] std::vector<float> samples(const cuda::Texture& texture, float x0, float dx, float y) const {
    const Buffer out = device.allocate(4 * sizeof(float));
    build_module(device, kSample)
        .kernel("sample")
        .launch(stream, {.group_size = {4, 1, 1}}, {out, texture.argument(), x0, dx, y});
    return download<float>(stream, out, 4);
  }
};

TEST(CudaTextureText, compiles_without_a_device) {
  if (cuda::supported_architectures().empty()) GTEST_SKIP() << "no NVRTC on this machine";
  for (const std::string& text : {std::string(kSample), kDouble}) {
    const BuildResult result = cuda::compile(
        {.name = "texture.cu", .text = prologue(Backend::cuda) + text, .headers = {}, .options = {}}, "sm_90");
    EXPECT_TRUE(result.ok) << result.log;
  }
}

TEST_F(CudaTexture, the_nearest_texel_is_read_and_clamped) {
  const cuda::Texture texture(image(), {});
  EXPECT_EQ(samples(texture, 0.5F, 1.0F, 1.5F), (std::vector<float>{10, 11, 12, 13}));
  EXPECT_EQ(samples(texture, -5.0F, 3.0F, 9.0F), (std::vector<float>{20, 20, 21, 23}));
}

TEST_F(CudaTexture, hardware_interpolates_between_texels) {
  const cuda::Texture texture(image(), {.filter = cuda::FilterMode::linear});
  EXPECT_EQ(samples(texture, 1.0F, 0.5F, 1.0F), (std::vector<float>{5.5, 6, 6.5, 7}));
}

TEST_F(CudaTexture, a_border_is_zero_and_unit_coordinates_wrap) {
  const cuda::Texture border(image(), {.address = {cuda::AddressMode::border, cuda::AddressMode::border}});
  EXPECT_EQ(samples(border, -0.5F, 1.0F, 2.5F), (std::vector<float>{0, 20, 21, 22}));
  const cuda::Texture wrapped(
      image(), {.address = {cuda::AddressMode::wrap, cuda::AddressMode::wrap}, .coordinates = cuda::Coordinates::unit});
  EXPECT_EQ(samples(wrapped, 1.125F, 0.25F, 0.5F), (std::vector<float>{10, 11, 12, 13}));
}

TEST_F(CudaTexture, pitched_memory_is_a_texture_of_rows) {
  const PitchedBuffer rows = device.allocate_pitched({.width = 4 * sizeof(float), .height = 3});
  std::vector<float> texels(12);
  std::iota(texels.begin(), texels.end(), 0.0F);
  stream.write_box(rows.buffer, rows.layout, std::as_bytes(std::span(texels)), {},
                   {.width = 4 * sizeof(float), .height = 3});
  stream.synchronize();
  const cuda::Texture texture(rows, {.width = 4, .height = 3}, {});
  EXPECT_EQ(samples(texture, 0.5F, 1.0F, 2.5F), (std::vector<float>{8, 9, 10, 11}));
}

TEST_F(CudaTexture, doubles_are_fetched_as_two_integers) {
  const std::vector<double> values{1e-300, -0.1, 3.141592653589793, 1e300};
  const Buffer buffer = device.allocate(values.size() * sizeof(double));
  upload(stream, buffer, values);
  const cuda::Texture texture(buffer, cuda::TexelType::int32, 2);
  const Buffer out = device.allocate(values.size() * sizeof(double));
  build_module(device, kDouble).kernel("take").launch(stream, {.group_size = {4, 1, 1}}, {out, texture.argument()});
  EXPECT_EQ(download<double>(stream, out, 4), values);
}

TEST_F(CudaTexture, a_three_dimensional_array_takes_a_buffer_and_filters_along_its_depth) {
  std::vector<float> texels(4 * 2 * 3);
  std::iota(texels.begin(), texels.end(), 0.0F);
  const Buffer buffer = device.allocate(texels.size() * sizeof(float));
  upload(stream, buffer, texels);
  const cuda::Array array(device, {.width = 4, .height = 2, .depth = 3});
  array.copy_from(stream, buffer);
  const cuda::Texture texture(array, {.filter = cuda::FilterMode::linear});
  const Buffer out = device.allocate(4 * sizeof(float));
  build_module(device, kSample)
      .kernel("sample3")
      .launch(stream, {.group_size = {4, 1, 1}}, {out, texture.argument(), 1.0F});
  EXPECT_EQ(download<float>(stream, out, 4), (std::vector<float>{4, 5, 6, 7}));
  EXPECT_NE(message_of<DeviceError>([&] { array.copy_from(stream, device.allocate(95)); }).find("do not lie in"),
            std::string::npos);
}

TEST_F(CudaTexture, a_surface_is_written_and_read_back) {
  const cuda::Array array(device, {.width = 4, .height = 3});
  const cuda::Surface surface(array);
  build_module(device, kSample).kernel("paint").launch(stream, {.group_size = {12, 1, 1}}, {surface.argument(), 4});
  std::vector<float> back(12);
  array.read(stream, std::as_writable_bytes(std::span(back)));
  stream.synchronize();
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(back[i], static_cast<float>(i * i));
  EXPECT_NE(message_of<DeviceError>([&] {
              array.read(stream, std::as_writable_bytes(std::span(back).first(3)));
            }).find("12 bytes for an array of 48"),
            std::string::npos);
}

}  // namespace
}  // namespace maxwell_dg::core::test
