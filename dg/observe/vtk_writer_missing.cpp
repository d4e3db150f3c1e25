#include "core/error.hpp"
#include "dg/observe/vtk_writer.hpp"

namespace maxwell_dg::dg {

struct VtkWriter::Impl {};

std::string VtkWriter::why_unavailable() {
  return "this build has no VTK and writes no field files; install VTK 9.1 and configure with -DMAXWELL_DG_VTK=ON";
}

VtkWriter::VtkWriter(const Discretization&, Dtype, std::span<const CellData>) {
  throw ConfigError(why_unavailable());
}

VtkWriter::~VtkWriter() = default;
VtkWriter::VtkWriter(VtkWriter&&) noexcept = default;
VtkWriter& VtkWriter::operator=(VtkWriter&&) noexcept = default;

void VtkWriter::write(const std::filesystem::path&, std::span<const double>, int, std::span<const PointData>) {}

}  // namespace maxwell_dg::dg
