#include <array>
#include <cstdint>

#include <dlfcn.h>

#include "core/cuda/gl_buffer.hpp"
#include "tests/unit/core/cuda_fixture.hpp"

namespace maxwell_dg::core::test {
namespace {

// The few words of EGL and OpenGL that a context without a window needs; their headers are no part of this project.
using EglInt = std::int32_t;
constexpr EglInt egl_none = 0x3038;
constexpr unsigned egl_platform_device = 0x313F;
constexpr unsigned egl_opengl_api = 0x30A2;
constexpr EglInt egl_surface_type = 0x3033;
constexpr EglInt egl_pbuffer = 0x0001;
constexpr EglInt egl_renderable_type = 0x3040;
constexpr EglInt egl_opengl_bit = 0x0008;
constexpr EglInt egl_cuda_device = 0x323A;
constexpr unsigned gl_array_buffer = 0x8892;
constexpr unsigned gl_dynamic_draw = 0x88E8;

/// An OpenGL context that draws on the GPU of a CUDA device, current on this thread.
class HeadlessContext {
 public:
  /// What is missing, or empty when the context is there.
  std::string start(int cuda_index) {
    library_ = dlopen("libEGL.so.1", RTLD_NOW | RTLD_LOCAL);
    if (library_ == nullptr) return "no EGL on this machine (libEGL.so.1)";
    find_ = reinterpret_cast<Find>(dlsym(library_, "eglGetProcAddress"));
    if (find_ == nullptr) return "this EGL has no eglGetProcAddress";
    const auto query_devices = get<unsigned(EglInt, void**, EglInt*)>("eglQueryDevicesEXT");
    const auto query_device = get<unsigned(void*, EglInt, std::intptr_t*)>("eglQueryDeviceAttribEXT");
    const auto platform_display = get<void*(unsigned, void*, const EglInt*)>("eglGetPlatformDisplayEXT");
    if (query_devices == nullptr || query_device == nullptr || platform_display == nullptr) {
      return "this EGL cannot list devices (EGL_EXT_device_enumeration)";
    }
    std::array<void*, 32> devices{};
    EglInt count = 0;
    if (query_devices(static_cast<EglInt>(devices.size()), devices.data(), &count) == 0) return "EGL lists no device";
    for (EglInt i = 0; i < count; ++i) {
      std::intptr_t number = -1;
      if (query_device(devices[static_cast<std::size_t>(i)], egl_cuda_device, &number) == 0 || number != cuda_index) {
        continue;
      }
      display_ = platform_display(egl_platform_device, devices[static_cast<std::size_t>(i)], nullptr);
    }
    if (display_ == nullptr) return "EGL does not know the CUDA device";
    return make_current();
  }

  template <class Signature>
  Signature* get(const char* name) const {
    auto* direct = reinterpret_cast<Signature*>(dlsym(library_, name));
    return direct != nullptr ? direct : reinterpret_cast<Signature*>(find_(name));
  }

 private:
  using Find = void* (*)(const char*);

  std::string make_current() {
    EglInt major = 0;
    EglInt minor = 0;
    if (get<unsigned(void*, EglInt*, EglInt*)>("eglInitialize")(display_, &major, &minor) == 0) {
      return "EGL does not start on the CUDA device";
    }
    if (get<unsigned(unsigned)>("eglBindAPI")(egl_opengl_api) == 0) return "this EGL has no OpenGL";
    const std::array<EglInt, 5> wanted{egl_surface_type, egl_pbuffer, egl_renderable_type, egl_opengl_bit, egl_none};
    void* config = nullptr;
    EglInt configs = 0;
    get<unsigned(void*, const EglInt*, void**, EglInt, EglInt*)>("eglChooseConfig")(display_, wanted.data(), &config, 1,
                                                                                    &configs);
    if (configs == 0) return "EGL has no configuration for OpenGL without a window";
    void* context =
        get<void*(void*, void*, void*, const EglInt*)>("eglCreateContext")(display_, config, nullptr, nullptr);
    if (context == nullptr) return "EGL makes no OpenGL context";
    if (get<unsigned(void*, void*, void*, void*)>("eglMakeCurrent")(display_, nullptr, nullptr, context) == 0) {
      return "EGL cannot make a context current without a window";
    }
    return {};
  }

  void* library_{};  // left open, as drivers want it
  Find find_{};
  void* display_{};
};

class CudaGl : public CudaTest {};

TEST_F(CudaGl, kernels_write_to_a_buffer_of_opengl) {
  HeadlessContext context;
  if (const std::string missing = context.start(infos.front().index); !missing.empty()) GTEST_SKIP() << missing;
  const auto generate = context.get<void(int, unsigned*)>("glGenBuffers");
  const auto bind = context.get<void(unsigned, unsigned)>("glBindBuffer");
  const auto fill = context.get<void(unsigned, std::ptrdiff_t, const void*, unsigned)>("glBufferData");
  const auto read = context.get<void(unsigned, std::ptrdiff_t, std::ptrdiff_t, void*)>("glGetBufferSubData");
  const auto finish = context.get<void()>("glFinish");
  ASSERT_TRUE(generate && bind && fill && read && finish);
  unsigned name = 0;
  generate(1, &name);
  bind(gl_array_buffer, name);
  std::vector<int> values{1, 2, 3, 4};
  fill(gl_array_buffer, 16, values.data(), gl_dynamic_draw);
  finish();

  cuda::GlBuffer buffer(device, name);
  {
    const Buffer mapped = buffer.map(stream);
    EXPECT_EQ(mapped.size_bytes(), 16U);
    build_module(device, "KERNEL void k(int* x) { x[ITEM] *= 10; }")
        .kernel("k")
        .launch(stream, {.group_size = {4, 1, 1}}, {mapped});
  }
  buffer.unmap(stream);
  stream.synchronize();
  read(gl_array_buffer, 0, 16, values.data());
  EXPECT_EQ(values, (std::vector{10, 20, 30, 40}));
}

}  // namespace
}  // namespace maxwell_dg::core::test
