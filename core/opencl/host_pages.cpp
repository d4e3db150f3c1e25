#include "core/opencl/host_pages.hpp"

#include <cstdlib>
#include <memory>

#include <sys/mman.h>

#include "core/round_up.hpp"

namespace maxwell_dg::core::opencl {
namespace {

constexpr std::size_t large_page = std::size_t{2} << 20;

struct Free {
  void operator()(void* pages) const { std::free(pages); }
};

}  // namespace

Owned<cl_mem> create_in_large_pages(cl_context context, std::size_t bytes, cl_int& code) {
  const std::size_t whole_pages = round_up(bytes, large_page);
  std::unique_ptr<void, Free> pages(std::aligned_alloc(large_page, whole_pages));
  if (pages == nullptr) {
    code = CL_OUT_OF_HOST_MEMORY;
    return {};
  }
#ifdef MADV_HUGEPAGE
  // Where the system has no such pages, nothing is lost: its small ones serve as well.
  static_cast<void>(madvise(pages.get(), whole_pages, MADV_HUGEPAGE));
#endif
  Owned<cl_mem> memory(clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes, pages.get(), &code));
  if (code != CL_SUCCESS) return {};
  // Commands that were given the buffer may outlast its last handle: the pages go when OpenCL has done with it.
  const auto release = [](cl_mem, void* its_pages) { std::free(its_pages); };
  code = clSetMemObjectDestructorCallback(memory.get(), release, pages.get());
  if (code != CL_SUCCESS) return {};
  static_cast<void>(pages.release());
  return memory;
}

}  // namespace maxwell_dg::core::opencl
