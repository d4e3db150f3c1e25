#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <memory>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/quantity.hpp"
#include "core/utf8.hpp"
#include "dg/mesh/cad_unit.hpp"
#include "dg/mesh/file_kind.hpp"
#include "dg/mesh/gmsh/child.hpp"
#include "dg/mesh/gmsh/meshing.hpp"
#include "dg/mesh/hdf5_file.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/mesh/mesh_rows.hpp"

namespace maxwell_dg::dg {
namespace {

void require_readable(const std::filesystem::path& file) {
  std::error_code ignored;
  const auto status = std::filesystem::status(file, ignored);
  if (!std::filesystem::exists(status)) {
    throw MeshError(file.string() + ": no such mesh file; a relative path counts from the directory of the config");
  }
  if (std::filesystem::is_directory(status)) {
    throw MeshError(file.string() + ": is a directory; name the mesh file in it");
  }
  if (!std::filesystem::is_regular_file(status)) {
    throw MeshError(file.string() + ": is no regular file; name the mesh file itself");
  }
  if (!std::ifstream(file)) throw MeshError(file.string() + ": cannot be opened for reading; check its permissions");
  if (std::filesystem::file_size(file, ignored) == 0) {
    throw MeshError(file.string() + ": is empty; write the mesh anew");
  }
}

/// The first line that is not in a section of comments, which may stand before all others.
std::string first_line(std::ifstream& in) {
  constexpr std::size_t longest = 1U << 16;  // of a file without ends of lines
  std::string line(longest, '\0');
  bool is_comment = false;
  while (in.getline(line.data(), longest)) {
    const std::string_view text(line.data());
    if (!is_comment && !text.starts_with("$Comments")) return std::string(text);
    is_comment = !text.starts_with("$EndComments");
  }
  return {};
}

/// Gmsh takes what it finds in a truncated file without a word, so both ends are looked at here.
void require_complete_msh(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!first_line(in).starts_with("$MeshFormat")) {
    throw MeshError(file.string() + ": does not start with $MeshFormat; save it in Gmsh as MSH version 4.1 or 2.2");
  }
  constexpr std::streamoff longest_tail = 64;
  in.clear();
  in.seekg(0, std::ios::end);
  const std::streamoff size = in.tellg();
  in.seekg(std::max<std::streamoff>(0, size - longest_tail));
  std::string tail((std::istreambuf_iterator<char>(in)), {});
  while (!tail.empty() && std::isspace(static_cast<unsigned char>(tail.back()))) tail.pop_back();
  const auto last_line = tail.rfind('\n');
  if (tail.compare(last_line == std::string::npos ? 0 : last_line + 1, 4, "$End") != 0) {
    throw MeshError(file.string() + ": ends within a section, so it is truncated; write or copy it anew");
  }
}

MeshFileKind require_known_kind(const std::filesystem::path& file) {
  const auto kind = kind_of_mesh_file(file);
  if (kind) return *kind;
  throw MeshError(file.string() + ": unknown kind of mesh '" + file.extension().string() +
                  "'; readable are .msh and .geo (Gmsh), .step, .stp, .iges, .igs and .brep (CAD), and .h5 (written by "
                  "maxwell_dg --convert)");
}

/// Metres per unit of the mesh that the reader gives. OpenCASCADE turns the lengths of STEP and IGES into millimetres.
double metres_per_unit(const std::filesystem::path& file, MeshFileKind kind, std::optional<double> scale) {
  if (kind != MeshFileKind::step && kind != MeshFileKind::iges) return scale.value_or(1);
  constexpr double millimetre = 1e-3;
  if (!scale) return millimetre;
  const std::set<double> units = length_units(file, kind);
  if (units.size() > 1) {
    throw MeshError(file.string() + ": its parts have lengths in several units, so no scale fits all; leave out " +
                    "mesh.scale, and each part has the size that the file says");
  }
  const double unit = units.empty() ? millimetre : *units.begin();
  if (std::abs(*scale - unit) > 1e-6 * unit) {
    log_info(file.string() + ": its unit is " + core::format_quantity(unit, core::Dimension::length, 6) +
             "; mesh.scale takes it as " + core::format_quantity(*scale, core::Dimension::length, 6));
  }
  return *scale * millimetre / unit;
}

Mesh read_by_kind(const std::filesystem::path& file, MeshFileKind kind, [[maybe_unused]] const GmshMeshing& meshing,
                  [[maybe_unused]] bool trust_geometry) {
  if (kind == MeshFileKind::hdf5) return read_hdf5_mesh(file);
  if (kind == MeshFileKind::msh) require_complete_msh(file);
#if MAXWELL_DG_HAVE_GMSH
  return read_by_gmsh({.file = file, .trust_geometry = trust_geometry, .meshing = meshing});
#else
  const std::string converted = file.stem().string() + ".h5";
  throw MeshError(file.string() + ": this build reads no Gmsh or CAD files; run `maxwell_dg --convert " +
                  file.string() + ' ' + converted + "` on a machine with Gmsh and use " + converted);
#endif
}

void require_fitting(MeshFileKind kind, const MeshReading& how) {
  if (how.scale && (!(*how.scale > 0) || !std::isfinite(*how.scale))) {
    throw std::invalid_argument("read_mesh: scale must be positive");
  }
  if ((how.order || how.size) && !is_geometry(kind)) {
    throw std::invalid_argument("read_mesh: order and size are for files that are meshed");
  }
  if (how.order && (*how.order < 1 || *how.order > CurvedCells::highest_order)) {
    throw std::invalid_argument("read_mesh: order " + std::to_string(*how.order) + " is not in 1 to 9");
  }
  if (how.size && (!(*how.size > 0) || !std::isfinite(*how.size))) {
    throw std::invalid_argument("read_mesh: size must be positive");
  }
}

/// Names of a mesh go into messages, and are compared with those in configs, which are UTF-8.
void check_names(std::vector<std::string>& names, const char* what, const std::string& file) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    names[i] = from_utf8_or_latin_1(names[i]);
    if (is_printable_line(names[i])) continue;
    throw MeshError(file + ": " + what + " number " + std::to_string(i + 1) + " of " + std::to_string(names.size()) +
                    " has a name with line breaks or other control characters; give it another name");
  }
}

}  // namespace

Mesh read_mesh(const std::filesystem::path& file, const MeshReading& how) {
  require_readable(file);
  const MeshFileKind kind = require_known_kind(file);
  require_fitting(kind, how);
  const double scale = metres_per_unit(file, kind, how.scale);
  GmshMeshing meshing{.order = how.order.value_or(is_cad(kind) ? 1 : 0), .size = how.size.value_or(0) / scale};
  Mesh mesh = read_by_kind(file, kind, meshing, how.trust_geometry);
  check_names(mesh.regions, "region", file.string());
  check_names(mesh.surfaces, "surface", file.string());
  for (auto* points : {&mesh.vertices, &mesh.curved.nodes}) {
    for (Point& p : *points) {
      for (double& x : p) x *= scale;
    }
  }
  prepare(mesh, file.string(), kind == MeshFileKind::hdf5 ? Orientation::any : Orientation::right_handed,
          is_geometry(kind) ? std::optional(meshing.order) : std::nullopt);
  return mesh;
}

std::unique_ptr<const MeshRows> open_mesh(const std::filesystem::path& file, double scale) {
  require_readable(file);
  if (require_known_kind(file) != MeshFileKind::hdf5) {
    throw std::invalid_argument("open_mesh: " + file.string() + " is not HDF5, which can be read by pieces");
  }
  require_fitting(MeshFileKind::hdf5, {.scale = scale});
  std::unique_ptr<MeshRows> rows = open_hdf5_mesh(file, scale);
  check_names(rows->content.regions, "region", file.string());
  check_names(rows->content.surfaces, "surface", file.string());
  return rows;
}

void write_mesh(const Mesh& mesh, const std::filesystem::path& file) {
  write_hdf5_mesh(mesh, file);
}

}  // namespace maxwell_dg::dg
