#include "core/opencl/drivers.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <dlfcn.h>
#include <sys/resource.h>

namespace maxwell_dg::core::opencl {
namespace {

namespace fs = std::filesystem;

constexpr const char* vendors_folder = "/etc/OpenCL/vendors";

/// The library that an .icd file names in its first line; none where it cannot be read.
void add_library_of(const fs::path& icd, std::vector<std::string>& libraries) {
  std::error_code none;
  std::string line;
  if (!fs::is_regular_file(icd, none)) return;
  std::ifstream file(icd);
  if (std::getline(file, line) && !line.empty()) libraries.push_back(line);
}

/// "; `ulimit -v` leaves this process N MB", where there is such a limit.
std::string limit_of_addresses() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return "";
  return "; `ulimit -v` (RLIMIT_AS) allows this process " + std::to_string(limit.rlim_cur >> 20) + " MB";
}

}  // namespace

std::vector<std::string> installed_drivers() {
  const char* named = std::getenv("OCL_ICD_VENDORS");
  if (named == nullptr || *named == '\0') named = std::getenv("OPENCL_VENDOR_PATH");
  const fs::path place = named == nullptr || *named == '\0' ? vendors_folder : named;
  std::vector<std::string> libraries;
  std::error_code none;
  if (fs::is_directory(place, none)) {
    for (const auto& entry : fs::directory_iterator(place, none)) {
      if (entry.path().extension() == ".icd") add_library_of(entry.path(), libraries);
    }
  } else if (place.extension() == ".icd") {
    add_library_of(place.is_absolute() ? place : vendors_folder / place, libraries);
  } else if (named != nullptr) {
    libraries.push_back(place.string());
  }
  std::ranges::sort(libraries);
  return libraries;
}

bool has_pocl() {
  return std::ranges::any_of(installed_drivers(),
                             [](const std::string& library) { return library.find("pocl") != std::string::npos; });
}

Absence why_no_devices() {
  const std::vector<std::string> libraries = installed_drivers();
  if (libraries.empty()) return {"no OpenCL driver is installed", ""};
  for (const std::string& library : libraries) {
    if (dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL) != nullptr) continue;  // stays loaded, as the loader keeps it
    const char* why = dlerror();
    const std::string limit = limit_of_addresses();
    return {"the OpenCL driver " + library +
                " is installed and cannot be loaded: " + (why == nullptr ? "no reason is given" : why) + limit,
            limit.empty() ? "install it again, with all that it depends on" : "raise that limit (ulimit -v unlimited)"};
  }
  std::string all;
  for (const std::string& library : libraries) all += (all.empty() ? "" : ", ") + library;
  const std::string limit = limit_of_addresses();
  return {"the installed OpenCL drivers (" + all + ") offer no device" + limit,
          limit.empty() ? "see whether clinfo lists one" : "raise that limit (ulimit -v unlimited)"};
}

}  // namespace maxwell_dg::core::opencl
