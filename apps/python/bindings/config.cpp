#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "apps/config/load.hpp"
#include "apps/python/bindings/bindings.hpp"
#include "apps/python/bindings/mesh.hpp"
#include "apps/python/bindings/system.hpp"
#include "apps/python/bindings/values.hpp"
#include "core/device/device_spec.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace maxwell_dg::python {
namespace {

nb::dict device_of(const core::DeviceInfo& info) {
  nb::dict device;
  device["spec"] = core::spec_of(info);
  device["name"] = info.name;
  device["driver"] = info.driver;
  device["architecture"] = info.architecture;
  device["memory_bytes"] = info.memory_bytes;
  device["is_cpu"] = info.is_cpu;
  device["has_double"] = info.has_float64;
  return device;
}

}  // namespace

void bind_config(nb::module_& m) {
  nb::class_<config::Config>(m, "Config", "A config that was read and checked.")
      .def_prop_ro("directory", [](const config::Config& config) { return config.outputs.directory; })
      .def_prop_ro("is_sweep", [](const config::Config& config) { return config.sweep.has_value(); })
      .def(
          "use_mesh", [](config::Config& config, const MeshInMemory& mesh) { config.mesh.in_memory = mesh.mesh; },
          "mesh"_a, "Takes it in place of the mesh that the keys name.")
      .def("yaml", &config::resolved_yaml, "It as YAML, with every default filled in.");
  m.def(
      "load_config",
      [](const std::filesystem::path& file, const std::vector<std::string>& changes) {
        return config::load_config(file, changes);
      },
      nb::arg("file"), nb::arg("changes"), "The config of a YAML file; changes are as --set takes them.");
  m.def(
      "make_config",
      [](nb::handle document, const std::string& name, const OwnSystem* own) {
        return config::config_of(value_of(document), name,
                                 own == nullptr ? config::known_systems() : systems_with(*own));
      },
      "document"_a, "name"_a, "system"_a.none() = nb::none(),
      "The config of a dict, with a system of its own or without; messages call it by the name.");
  m.def(
      "devices",
      [] {
        nb::list devices;
        for (const core::DeviceInfo& info : core::list_devices()) devices.append(device_of(info));
        return devices;
      },
      "What can compute here: a dict each.");
}

}  // namespace maxwell_dg::python
