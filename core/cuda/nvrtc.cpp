#include "core/cuda/nvrtc.hpp"

#include <algorithm>
#include <charconv>
#include <mutex>
#include <set>
#include <string_view>

#include "core/cuda/nvrtc_library.hpp"
#include "core/error.hpp"
#include "core/log.hpp"

namespace maxwell_dg::core::cuda {
namespace {

/// Owns an nvrtcProgram.
class Program {
 public:
  explicit Program(const BuildRequest& request) {
    std::vector<const char*> names;
    std::vector<const char*> texts;
    for (const auto& [name, text] : request.headers) {
      names.push_back(name.c_str());
      texts.push_back(text.c_str());
    }
    check(nvrtc().nvrtcCreateProgram(&program_, request.text.c_str(), request.name.c_str(),
                                     static_cast<int>(names.size()), texts.data(), names.data()),
          "nvrtcCreateProgram", "kernel '" + request.name + "'");
    for (const std::string& expression : request.name_expressions) {
      check(nvrtc().nvrtcAddNameExpression(program_, expression.c_str()), "nvrtcAddNameExpression", expression);
    }
  }
  ~Program() { nvrtc().nvrtcDestroyProgram(&program_); }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  nvrtcResult compile(const std::vector<std::string>& options) {
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    return nvrtc().nvrtcCompileProgram(program_, static_cast<int>(pointers.size()), pointers.data());
  }

  [[nodiscard]] std::string log() const {
    std::size_t size = 0;
    check(nvrtc().nvrtcGetProgramLogSize(program_, &size), "nvrtcGetProgramLogSize");
    std::string text(size, '\0');
    if (size != 0) check(nvrtc().nvrtcGetProgramLog(program_, text.data()), "nvrtcGetProgramLog");
    return text.substr(0, text.find('\0'));
  }

  [[nodiscard]] std::vector<std::byte> cubin() const {
    std::size_t size = 0;
    check(nvrtc().nvrtcGetCUBINSize(program_, &size), "nvrtcGetCUBINSize");
    std::vector<std::byte> binary(size);
    check(nvrtc().nvrtcGetCUBIN(program_, reinterpret_cast<char*>(binary.data())), "nvrtcGetCUBIN");
    return binary;
  }

  [[nodiscard]] std::string lowered_name(const std::string& expression) const {
    const char* name = nullptr;
    check(nvrtc().nvrtcGetLoweredName(program_, expression.c_str(), &name), "nvrtcGetLoweredName", expression);
    return name;
  }

  /// With the NUL that ends it.
  [[nodiscard]] std::vector<std::byte> ptx() const {
    std::size_t size = 0;
    check(nvrtc().nvrtcGetPTXSize(program_, &size), "nvrtcGetPTXSize");
    std::vector<std::byte> text(size);
    check(nvrtc().nvrtcGetPTX(program_, reinterpret_cast<char*>(text.data())), "nvrtcGetPTX");
    return text;
  }

 private:
  nvrtcProgram program_{};
};

/// 90 for "sm_90" and for "sm_90a".
int number_of(const std::string& architecture) {
  int number = 0;
  const bool prefixed = architecture.starts_with("sm_");
  const char* first = architecture.data() + (prefixed ? 3 : 0);
  const char* last = architecture.data() + architecture.size();
  if (!prefixed || std::from_chars(first, last, number).ec != std::errc{}) {
    throw DeviceError("'" + architecture + "' is no CUDA architecture; it looks like sm_90");
  }
  return number;
}

/// What to compile for: the architecture itself, or the newest older one as PTX.
struct Target {
  std::string option;
  std::string remark{};
  bool is_ptx = false;
};

Target target_for(const std::string& architecture) {
  if (architecture.starts_with("compute_")) return {.option = "--gpu-architecture=" + architecture, .is_ptx = true};
  const std::vector<int>& known = nvrtc().architectures;
  const int wanted = number_of(architecture);
  if (std::ranges::binary_search(known, wanted)) return {"--gpu-architecture=" + architecture};
  const auto newer = std::ranges::upper_bound(known, wanted);
  if (newer == known.begin()) {
    throw DeviceError("NVRTC " + nvrtc().version + " no longer compiles for " + architecture + "; its oldest is sm_" +
                      std::to_string(known.front()) + "; install an older CUDA toolkit");
  }
  const std::string compute = "compute_" + std::to_string(*std::prev(newer));
  return {"--gpu-architecture=" + compute,
          "NVRTC " + nvrtc().version + " does not know " + architecture + " yet: compiled to PTX for " + compute +
              ", which the driver finishes; a newer CUDA toolkit may give faster code",
          true};
}

void warn_once(const std::string& remark) {
  static std::mutex mutex;
  static std::set<std::string> said;
  {
    const std::lock_guard lock(mutex);
    if (!said.insert(remark).second) return;
  }
  log_warning(remark);
}

bool names_standard(const std::string& option) {
  return option.starts_with("--std=") || option.starts_with("-std=");
}

}  // namespace

BuildResult compile(const BuildRequest& request, const std::string& architecture) {
  constexpr std::string_view own_architecture = "--gpu-architecture=";
  std::string wanted = architecture;
  std::vector<std::string> options;
  for (const std::string& option : request.options) {
    if (option.starts_with(own_architecture)) {
      wanted = option.substr(own_architecture.size());
    } else {
      options.push_back(option);
    }
  }
  const Target target = target_for(wanted);
  options.push_back(target.option);
  if (std::ranges::none_of(options, names_standard)) options.emplace_back("--std=c++17");
  Program program(request);
  const nvrtcResult code = program.compile(options);
  BuildResult result;
  result.log = program.log();
  if (code == NVRTC_SUCCESS) {
    result.ok = true;
    result.binary = target.is_ptx ? program.ptx() : program.cubin();
    for (const std::string& name : request.name_expressions) {
      result.lowered_names.emplace_back(name, program.lowered_name(name));
    }
    if (!target.remark.empty()) {
      result.log += target.remark + "\n";
      warn_once(target.remark);
    }
  } else if (code == NVRTC_ERROR_INVALID_OPTION) {
    result.log += "the compiler does not accept one of its options:";
    for (const std::string& option : options) result.log += " " + option;
    result.log += "\n";
  } else if (code != NVRTC_ERROR_COMPILATION) {
    check(code, "nvrtcCompileProgram", "kernel '" + request.name + "'");
  }
  return result;
}

std::vector<std::string> supported_architectures() {
  std::vector<std::string> names;
  if (nvrtc_state().nvrtc == nullptr) return names;
  for (const int number : nvrtc().architectures) names.push_back("sm_" + std::to_string(number));
  return names;
}

std::vector<std::string> nvrtc_fingerprint() {
  return {"NVRTC " + nvrtc().version, nvrtc().build_id};
}

}  // namespace maxwell_dg::core::cuda
