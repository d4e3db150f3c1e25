#include <algorithm>
#include <charconv>
#include <iterator>
#include <string>

#include "core/device/backends.hpp"
#include "core/device/device_spec.hpp"
#include "core/error.hpp"

/// From a SPEC of the command line or a config to a device.
namespace maxwell_dg::core {
namespace {

/// "found: cuda:0 (...), opencl:0 (...)", or that there is nothing.
std::string inventory() {
  std::string text;
  for (const DeviceInfo& info : list_devices())
    text += (text.empty() ? "found: " : ", ") + spec_of(info) + " (" + info.name + ")";
  return text.empty() ? "no device was found" : text;
}

[[noreturn]] void absent(std::string_view spec, const std::string& why, std::string_view remedy) {
  throw DeviceError("device '" + std::string(spec) + "' is not there: " + why + "; " + inventory() + "; " +
                    std::string(remedy));
}

[[noreturn]] void malformed(std::string_view spec) {
  throw ConfigError("device '" + std::string(spec) +
                    "' is not understood; use auto, cuda, cuda:N, opencl, opencl:N or cpu, N counting from 0");
}

/// The N of "cuda:N"; 0 for "cuda".
std::size_t index_of(std::string_view spec, std::string_view prefix) {
  std::string_view digits = spec.substr(prefix.size());
  if (digits.empty()) return 0;
  digits.remove_prefix(1);
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (digits.empty() || error != std::errc{} || end != digits.data() + digits.size()) malformed(spec);
  return index;
}

DeviceChoice choose_first() {
  std::string passed_over, remedy = "install the NVIDIA driver, or for the CPU: apt install pocl-opencl-icd";
  for (const BackendEntry& entry : backends()) {
    const DeviceList list = list_devices(entry);
    const std::string name(name_of(entry.backend));
    if (!list.devices.empty()) return {list.devices.front(), "the first " + name + " device" + passed_over};
    passed_over += "; no " + name + " device: " + list.absence;
    if (!list.remedy.empty()) remedy = list.remedy;
  }
  throw DeviceError("no device was found" + passed_over + "; " + remedy);
}

DeviceChoice choose_cpu() {
  const BackendEntry& opencl = backends().back();
  const DeviceList list = list_devices(opencl);
  const auto cpu = std::ranges::find_if(list.devices, &DeviceInfo::is_cpu);
  if (cpu != list.devices.end()) return {*cpu, "the first OpenCL CPU device, as asked for"};
  const std::string remedy = list.remedy.empty() ? "apt install pocl-opencl-icd" : list.remedy;
  absent("cpu", list.devices.empty() ? list.absence : "no OpenCL device here is a CPU", remedy);
}

DeviceChoice choose_by_name(const BackendEntry& entry, std::string_view spec) {
  const std::size_t index = index_of(spec, entry.prefix);
  const DeviceList list = list_devices(entry);
  if (list.devices.empty())
    absent(spec, list.absence, list.remedy.empty() ? entry.remedy : std::string_view(list.remedy));
  if (index >= list.devices.size()) {
    absent(spec,
           "the last " + std::string(name_of(entry.backend)) + " device has number " +
               std::to_string(list.devices.size() - 1),
           "choose one of these");
  }
  return {list.devices[index], "asked for by name"};
}

}  // namespace

std::string spec_of(const DeviceInfo& info) {
  return (info.backend == Backend::cuda ? "cuda:" : "opencl:") + std::to_string(info.index);
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> all;
  for (const BackendEntry& entry : backends()) std::ranges::move(list_devices(entry).devices, std::back_inserter(all));
  return all;
}

DeviceChoice choose_device(std::string_view spec) {
  if (spec == "auto") return choose_first();
  if (spec == "cpu") return choose_cpu();
  for (const BackendEntry& entry : backends()) {
    if (spec == entry.prefix || spec.starts_with(std::string(entry.prefix) + ":")) return choose_by_name(entry, spec);
  }
  malformed(spec);
}

}  // namespace maxwell_dg::core
