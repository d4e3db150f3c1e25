#include "apps/maxwell_dg/inspect.hpp"

#include <cstdint>
#include <filesystem>
#include <system_error>
#include <vector>

#include "apps/config/load.hpp"
#include "apps/config/mesh_keys.hpp"
#include "apps/simulation/checks/mesh_lines.hpp"
#include "apps/simulation/text.hpp"
#include "core/counted.hpp"
#include "core/device/device.hpp"
#include "core/device/device_spec.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "core/quantity.hpp"
#include "dg/mesh/mesh.hpp"
#include "rtcg/compile/cache.hpp"
#include "rtcg/tune/wisdom.hpp"

namespace maxwell_dg {
namespace {

namespace fs = std::filesystem;

rtcg::KernelCache kernel_cache() {
  return rtcg::KernelCache(rtcg::default_cache_directory() / "kernels");
}

/// What lies in the folder of measurements; nothing where there is no folder.
std::vector<fs::path> wisdom_files() {
  std::vector<fs::path> files;
  std::error_code none;
  for (fs::directory_iterator at(rtcg::default_wisdom_directory(), none), end; !none && at != end; at.increment(none)) {
    if (at->is_regular_file(none)) files.push_back(at->path());
  }
  return files;
}

rtcg::KernelCache::Size size_of(const std::vector<fs::path>& files) {
  rtcg::KernelCache::Size size;
  for (const fs::path& file : files) {
    std::error_code gone;
    const std::uintmax_t bytes = fs::file_size(file, gone);
    if (gone || bytes == 0) continue;  // locks are empty
    ++size.entries;
    size.bytes += bytes;
  }
  return size;
}

std::string entries_text(const rtcg::KernelCache::Size& size) {
  return core::counted(size.entries, "entry", "entries") + ", " + simulation::bytes_text(size.bytes);
}

}  // namespace

std::string describe_devices() {
  std::string text;
  for (const core::DeviceInfo& device : core::list_devices()) {
    text += core::spec_of(device) + "  " + device.name + ", " + simulation::bytes_text(device.memory_bytes) + ", " +
            device.driver + (device.has_float64 ? "" : ", no double precision") + "\n";
  }
  return text.empty() ? "no device: install a CUDA driver, or pocl-opencl-icd to compute on the CPU\n" : text;
}

std::string schema() {
  return config::json_schema() + "\n";
}

void convert(const CommandLine& command) {
  const fs::path& hdf5 = command.converted;
  if (hdf5.extension() != ".h5") {
    throw ConfigError("--convert: " + hdf5.string() +
                      ": the new mesh must be a .h5 file, which is how it will be read");
  }
  dg::MeshReading how = config::mesh_reading(config::mesh_config(command.mesh, command.assignments));
  how.trust_geometry = command.trust_geometry;
  const dg::Mesh converted = dg::read_mesh(command.mesh, how);
  dg::write_mesh(converted, hdf5);
  const std::string curved =
      converted.curved.any() ? " (" + std::to_string(converted.curved.count()) + " curved)" : std::string();
  log_info(hdf5.string() + ": " + core::counted(converted.cells.size(), "tetrahedron", "tetrahedra") + curved + ", " +
           core::counted(converted.regions.size(), "region", "regions") + ", " +
           core::counted(converted.surfaces.size(), "surface", "surfaces"));
  log_info("tetrahedra by region: " + simulation::elements_by_region(converted, converted.cells.size()));
  log_info("faces by surface: " + simulation::faces_by_surface(simulation::named_faces(converted), converted.surfaces,
                                                               dg::bounding_box(converted.vertices),
                                                               [](double length) { return core::brief(length); }));
}

std::string describe_cache() {
  const rtcg::KernelCache kernels = kernel_cache();
  return kernels.directory().string() + ": " + entries_text(kernels.size()) + "\n" +
         rtcg::default_wisdom_directory().string() + ": " + entries_text(size_of(wisdom_files())) + "\n";
}

std::string clear_cache() {
  rtcg::KernelCache kernels = kernel_cache();
  const rtcg::KernelCache::Size before = kernels.size();
  kernels.clear();
  const std::vector<fs::path> wisdom = wisdom_files();
  const rtcg::KernelCache::Size wisdom_before = size_of(wisdom);
  for (const fs::path& file : wisdom) {
    std::error_code error;
    fs::remove(file, error);
    if (error) throw OutputError(file.string() + ": cannot be removed: " + error.message());
  }
  return kernels.directory().string() + ": removed " + entries_text(before) + "\n" +
         rtcg::default_wisdom_directory().string() + ": removed " + entries_text(wisdom_before) + "\n";
}

}  // namespace maxwell_dg
