#pragma once

#include <initializer_list>
#include <string>

#include <dlfcn.h>

#include "core/error.hpp"

namespace maxwell_dg::bench {

/// A library of the device's maker while it is needed: loaded when it is there, so that the program runs without it.
/// Its functions return 0 when all is well.
class ForeignLibrary {
 public:
  ForeignLibrary(std::string title, std::initializer_list<const char*> files) : title_(std::move(title)) {
    for (const char* file : files) {
      if (handle_ == nullptr) handle_ = dlopen(file, RTLD_NOW);
    }
  }
  ForeignLibrary(const ForeignLibrary&) = delete;
  ForeignLibrary& operator=(const ForeignLibrary&) = delete;
  ~ForeignLibrary() {
    if (handle_ != nullptr) dlclose(handle_);
  }
  [[nodiscard]] explicit operator bool() const { return handle_ != nullptr; }

  /// Throws DeviceError when there is no such function, or when it fails.
  template <class... Parameters>
  void call(const char* name, Parameters... parameters) const {
    const auto function = reinterpret_cast<int (*)(Parameters...)>(dlsym(handle_, name));
    if (function == nullptr) throw DeviceError(title_ + " has no " + name);
    const int code = function(parameters...);
    if (code != 0) throw DeviceError(std::string(name) + " of " + title_ + " failed with code " + std::to_string(code));
  }

 private:
  std::string title_;
  void* handle_ = nullptr;
};

/// As such functions take it.
[[nodiscard]] inline void* pointer(std::uintptr_t raw) {
  return reinterpret_cast<void*>(raw);
}

}  // namespace maxwell_dg::bench
