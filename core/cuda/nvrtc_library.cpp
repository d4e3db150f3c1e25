#include "core/cuda/nvrtc_library.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include "core/cuda/driver.hpp"
#include "core/error.hpp"

namespace maxwell_dg::core::cuda {
namespace {

/// File names to try. A compiler of the driver's own major version comes first: an older driver does not load what a
/// newer compiler makes.
std::vector<std::string> candidates() {
  std::vector<std::string> names;
  if (const int version = driver_version(); version != 0) {
    names.push_back("libnvrtc.so." + std::to_string(version / 1000));
  }
  for (const char* name : {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"}) names.emplace_back(name);
  std::vector<std::string> folders{""};
  for (const char* variable : {"CUDA_PATH", "CUDA_HOME"}) {
    if (const char* value = std::getenv(variable); value != nullptr) folders.push_back(std::string(value) + "/lib64/");
  }
  folders.emplace_back("/usr/local/cuda/lib64/");
  // What started this process knows more: the package for Python those that pip installed.
  if (const char* more = std::getenv("MAXWELL_DG_NVRTC_FOLDERS"); more != nullptr) {
    std::istringstream list(more);
    for (std::string folder; std::getline(list, folder, ':');) {
      if (!folder.empty()) folders.push_back(folder + "/");
    }
  }
  std::vector<std::string> files;
  for (const std::string& name : names) {
    for (const std::string& folder : folders) files.push_back(folder + name);
  }
  return files;
}

std::string resolve(void* library, Nvrtc& table) {
  std::string missing;
  const auto find = [&](auto& entry, const char* symbol) {
    void* address = dlsym(library, symbol);
    if (address == nullptr) missing += std::string(missing.empty() ? "" : ", ") + symbol;
    entry = reinterpret_cast<std::remove_reference_t<decltype(entry)>>(address);
  };
#define MAXWELL_DG_RESOLVE(name) find(table.name, #name);
  MAXWELL_DG_NVRTC_CALLS(MAXWELL_DG_RESOLVE)
#undef MAXWELL_DG_RESOLVE
  return missing;
}

/// The GNU build id in a note segment: hexadecimal digits, or empty.
std::string build_id_in(const char* data, std::size_t size) {
  constexpr auto padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, data, sizeof note);
    const char* name = data + sizeof note;
    const char* description = name + padded(note.n_namesz);
    const std::size_t whole = sizeof note + padded(note.n_namesz) + padded(note.n_descsz);
    if (whole > size) break;
    if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
      std::string digits;
      for (std::size_t i = 0; i < note.n_descsz; ++i) {
        const auto byte = static_cast<unsigned char>(description[i]);
        digits += "0123456789abcdef"[byte >> 4];
        digits += "0123456789abcdef"[byte & 15];
      }
      return digits;
    }
    data += whole;
    size -= whole;
  }
  return {};
}

struct BuildIdSearch {
  std::uintptr_t base{};
  std::string found;
};

int visit_library(dl_phdr_info* info, std::size_t, void* data) {
  auto& search = *static_cast<BuildIdSearch*>(data);
  if (info->dlpi_addr != search.base) return 0;
  for (int i = 0; i < info->dlpi_phnum && search.found.empty(); ++i) {
    const auto& header = info->dlpi_phdr[i];
    if (header.p_type != PT_NOTE) continue;
    search.found = build_id_in(reinterpret_cast<const char*>(info->dlpi_addr + header.p_vaddr), header.p_memsz);
  }
  return 1;
}

/// Which build of a loaded library a function of it comes from. The version alone does not tell patch releases apart.
std::string build_id_of(void* function) {
  Dl_info where{};
  if (dladdr(function, &where) == 0) return "unknown";
  BuildIdSearch search{reinterpret_cast<std::uintptr_t>(where.dli_fbase), {}};
  dl_iterate_phdr(visit_library, &search);
  return search.found.empty() ? std::string(where.dli_fname) : search.found;
}

/// Asks a freshly loaded library what it is; an empty string, or why it cannot be used.
std::string describe(Nvrtc& table) {
  int major = 0;
  int minor = 0;
  int count = 0;
  if (table.nvrtcVersion(&major, &minor) != NVRTC_SUCCESS) return "nvrtcVersion fails";
  if (table.nvrtcGetNumSupportedArchs(&count) != NVRTC_SUCCESS) return "nvrtcGetNumSupportedArchs fails";
  table.architectures.resize(static_cast<std::size_t>(count));
  if (table.nvrtcGetSupportedArchs(table.architectures.data()) != NVRTC_SUCCESS) return "nvrtcGetSupportedArchs fails";
  if (count == 0) return "it supports no architecture";
  std::ranges::sort(table.architectures);
  table.version = std::to_string(major) + "." + std::to_string(minor);
  table.build_id = build_id_of(reinterpret_cast<void*>(table.nvrtcVersion));
  return {};
}

/// Loads the library of built-in functions that lies beside NVRTC. NVRTC opens it by its name alone at the first
/// compilation, which finds it only where the loader searches: not in the folders of NVIDIA's packages for Python.
void load_builtins(const Nvrtc& table) {
  Dl_info where{};
  if (dladdr(reinterpret_cast<void*>(table.nvrtcVersion), &where) == 0) return;
  const auto folder = std::filesystem::path(where.dli_fname).parent_path();
  // Where it is missing the first compilation says so.
  (void)dlopen((folder / ("libnvrtc-builtins.so." + table.version)).c_str(), RTLD_NOW | RTLD_LOCAL);
}

NvrtcState load_nvrtc() {
  std::string unusable;
  for (const std::string& file : candidates()) {
    void* library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    auto table = std::make_unique<Nvrtc>();
    std::string problem = resolve(library, *table);
    problem = problem.empty() ? describe(*table) : "it lacks " + problem;
    if (problem.empty()) {
      load_builtins(*table);
      return {table.release(), {}};
    }
    unusable += "; " + file + " cannot be used: " + problem;
    dlclose(library);
  }
  return {nullptr,
          "NVRTC, which compiles CUDA kernels, was not found (libnvrtc.so.13 or .12 on the library path, in "
          "$CUDA_PATH/lib64 or /usr/local/cuda/lib64)" +
              unusable + "; install the CUDA toolkit or its NVRTC package"};
}

}  // namespace

const NvrtcState& nvrtc_state() {
  static const NvrtcState* const state = new NvrtcState(load_nvrtc());  // as the driver: kept to the end
  return *state;
}

const Nvrtc& nvrtc() {
  const NvrtcState& state = nvrtc_state();
  if (state.nvrtc == nullptr) throw DeviceError("CUDA: " + state.absence);
  return *state.nvrtc;
}

void check(nvrtcResult code, const char* call, const std::string& remedy) {
  if (code == NVRTC_SUCCESS) return;
  throw DeviceError(std::string("NVRTC: ") + call + " failed with " + nvrtc().nvrtcGetErrorString(code) + " (" +
                    std::to_string(static_cast<int>(code)) + ")" + (remedy.empty() ? "" : "; " + remedy));
}

}  // namespace maxwell_dg::core::cuda
