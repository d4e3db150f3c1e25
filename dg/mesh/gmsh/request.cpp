#include "dg/mesh/gmsh/request.hpp"

#include <stdexcept>

#include <unistd.h>

namespace maxwell_dg::dg {
namespace {

constexpr const char* trusted = "trusted";
constexpr const char* guarded = "guarded";

}  // namespace

bool GmshRequest::is_script() const {
  const std::string extension = file.extension().string();
  return extension != ".msh" && extension != ".MSH";
}

Bounds GmshRequest::bounds() const {
  if (is_script()) {
    const auto pages = static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES));
    return {.memory_bytes = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)), .cpu_seconds = 0};
  }
  // Gmsh takes up to 30 bytes for one of a binary file, and reads more than 5 MB/s of text.
  constexpr std::size_t least_memory = std::size_t{1} << 30, bytes_a_byte = 100;
  constexpr std::size_t least_seconds = 10, bytes_a_second = 100000;
  std::error_code ignored;
  const std::size_t size = std::filesystem::file_size(file, ignored);
  if (ignored) return {.memory_bytes = least_memory, .cpu_seconds = least_seconds};
  return {.memory_bytes = least_memory + bytes_a_byte * size, .cpu_seconds = least_seconds + size / bytes_a_second};
}

std::vector<std::string> GmshRequest::command_line(const std::string& program) const {
  return {program, trust_geometry ? trusted : guarded, file.string()};
}

GmshRequest GmshRequest::from_command_line(const std::vector<std::string>& words) {
  if (words.size() != 3 || (words[1] != trusted && words[1] != guarded)) {
    throw std::invalid_argument("this program is started by maxwell_dg, to read Gmsh's files for it");
  }
  return {.file = words[2], .trust_geometry = words[1] == trusted};
}

}  // namespace maxwell_dg::dg
