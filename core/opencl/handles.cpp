#include "core/opencl/handles.hpp"

namespace maxwell_dg::core::opencl {
namespace {

/// Asks an OpenCL query for its size, then for its text, which ends in a NUL that is dropped.
template <class Query>
std::string text_of(Query query) {
  std::size_t size = 0;
  query(0, nullptr, &size);
  std::string text(size, '\0');
  if (size != 0) query(size, text.data(), nullptr);
  while (!text.empty() && (text.back() == '\0' || text.back() == ' ')) text.pop_back();
  return text;
}

}  // namespace

std::string device_text(cl_device_id device, cl_device_info what) {
  return text_of([&](std::size_t size, void* data, std::size_t* needed) {
    check(clGetDeviceInfo(device, what, size, data, needed), "clGetDeviceInfo");
  });
}

std::string platform_text(cl_platform_id platform, cl_platform_info what) {
  return text_of([&](std::size_t size, void* data, std::size_t* needed) {
    check(clGetPlatformInfo(platform, what, size, data, needed), "clGetPlatformInfo");
  });
}

}  // namespace maxwell_dg::core::opencl
