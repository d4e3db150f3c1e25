#include "apps/maxwell_dg/inspect.hpp"

#include <vector>

#include "apps/config/load.hpp"
#include "apps/maxwell_dg/text.hpp"
#include "core/device/device.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "dg/mesh/mesh.hpp"
#include "rtcg/compile/cache.hpp"

namespace maxwell_dg {
namespace {

rtcg::KernelCache kernel_cache() {
  return rtcg::KernelCache(rtcg::default_cache_directory() / "kernels");
}

std::string entries_text(const rtcg::KernelCache::Size& size) {
  return std::to_string(size.entries) + (size.entries == 1 ? " entry, " : " entries, ") + bytes_text(size.bytes);
}

}  // namespace

std::string describe_devices() {
  std::string text;
  for (const core::DeviceInfo& device : core::list_devices()) {
    text += (device.backend == core::Backend::cuda ? "cuda:" : "opencl:") + std::to_string(device.index) + "  " +
            device.name + ", " + bytes_text(device.memory_bytes) + ", " + device.driver +
            (device.has_float64 ? "" : ", no double precision") + "\n";
  }
  return text.empty() ? "no device: install a CUDA driver, or pocl-opencl-icd to compute on the CPU\n" : text;
}

std::string schema() {
  return config::json_schema() + "\n";
}

void convert(const std::filesystem::path& mesh, const std::filesystem::path& hdf5) {
  if (hdf5.extension() != ".h5") {
    throw ConfigError("--convert: " + hdf5.string() +
                      ": the new mesh must be a .h5 file, which is how it will be read");
  }
  const dg::Mesh converted = dg::read_mesh(mesh);
  dg::write_mesh(converted, hdf5);
  log_info(hdf5.string() + ": " + std::to_string(converted.cells.size()) + " tetrahedra, " +
           std::to_string(converted.regions.size()) + " regions, " + std::to_string(converted.surfaces.size()) +
           " surfaces");
}

std::string describe_cache() {
  const rtcg::KernelCache cache = kernel_cache();
  return cache.directory().string() + ": " + entries_text(cache.size()) + "\n";
}

std::string clear_cache() {
  rtcg::KernelCache cache = kernel_cache();
  const rtcg::KernelCache::Size before = cache.size();
  cache.clear();
  return cache.directory().string() + ": removed " + entries_text(before) + "\n";
}

}  // namespace maxwell_dg
