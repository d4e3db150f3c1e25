#include "apps/python/bindings/cpp_runtime.hpp"

#include <locale>
#include <stdexcept>
#include <string>
#include <typeinfo>
#include <vector>

#include <dlfcn.h>
#include <link.h>

namespace maxwell_dg::python {
namespace {

/// Is the facet of this kind one of this kind?
template <class Facet>
bool is_sound() {
  try {
    const auto& facet = std::use_facet<Facet>(std::locale::classic());
    return typeid(facet) == typeid(Facet);
  } catch (const std::bad_cast&) {
    return false;
  }
}

/// The files of all libraries of this process.
std::vector<std::string> libraries() {
  std::vector<std::string> files;
  const auto add = [](dl_phdr_info* info, std::size_t /*size*/, void* list) {
    static_cast<std::vector<std::string>*>(list)->emplace_back(info->dlpi_name);
    return 0;
  };
  dl_iterate_phdr(add, &files);
  std::erase(files, "");  // the program
  return files;
}

/// Does a library export a runtime of its own?
bool carries_runtime(const std::string& file) {
  if (file.find("/libstdc++.so") != std::string::npos) return false;
  void* const library = dlopen(file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return false;
  void* const function = dlsym(library, "_ZNSt6locale7classicEv");  // std::locale::classic(), its own or a dependency's
  Dl_info where{};
  const bool carries = function != nullptr && dladdr(function, &where) != 0 && where.dli_fname == file;
  dlclose(library);
  return carries;
}

}  // namespace

void require_sound_runtime() {
  if (is_sound<std::num_get<char>>() && is_sound<std::num_put<char>>() && is_sound<std::numpunct<char>>() &&
      is_sound<std::ctype<char>>()) {
    return;
  }
  std::string carriers;
  for (const std::string& file : libraries()) {
    if (carries_runtime(file)) carriers += (carriers.empty() ? "" : ", ") + file;
  }
  throw std::runtime_error(
      (carriers.empty() ? "another library" : carriers) +
      ": loaded before maxwell_dg, with a C++ runtime of its own, it has damaged the one of this process; import "
      "maxwell_dg before it, or start Python with LD_PRELOAD=libstdc++.so.6");
}

}  // namespace maxwell_dg::python
