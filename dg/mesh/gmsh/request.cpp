#include "dg/mesh/gmsh/request.hpp"

#include <array>
#include <charconv>
#include <stdexcept>

#include <unistd.h>

namespace maxwell_dg::dg {
namespace {

constexpr const char* trusted = "trusted";
constexpr const char* guarded = "guarded";

std::string text_of(double number) {
  std::array<char, 32> text{};
  return {text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr};
}

template <class Number>
Number number_of(const std::string& text) {
  Number number{};
  const char* end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && at == end ? number : Number(-1);
}

}  // namespace

MeshFileKind GmshRequest::kind() const {
  const auto known = kind_of_mesh_file(file);
  if (!known || *known == MeshFileKind::hdf5) throw std::invalid_argument(file.string() + ": Gmsh does not read it");
  return *known;
}

Bounds GmshRequest::bounds() const {
  if (is_geometry(kind())) {
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
  return {program, trust_geometry ? trusted : guarded, file.string(), std::to_string(meshing.order),
          text_of(meshing.size)};
}

GmshRequest GmshRequest::from_command_line(const std::vector<std::string>& words) {
  const bool complete = words.size() == 5 && (words[1] == trusted || words[1] == guarded);
  const GmshMeshing meshing =
      complete ? GmshMeshing{number_of<int>(words[3]), number_of<double>(words[4])} : GmshMeshing{.order = -1};
  if (meshing.order < 0 || meshing.size < 0) {
    throw std::invalid_argument("this program is started by maxwell_dg, to read Gmsh's files for it");
  }
  return {.file = words[2], .trust_geometry = words[1] == trusted, .meshing = meshing};
}

}  // namespace maxwell_dg::dg
