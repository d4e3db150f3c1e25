#include "dg/observe/files/vtu_grid.hpp"

#include <bit>
#include <limits>
#include <numeric>
#include <ostream>
#include <sstream>
#include <utility>

#include "core/atomic_file.hpp"

namespace maxwell_dg::dg {
namespace {

constexpr const char* byte_order = std::endian::native == std::endian::little ? "LittleEndian" : "BigEndian";

template <class T>
void add_converted(VtuArrays& arrays, const std::string& name, std::size_t components,
                   const std::vector<double>& values) {
  const std::vector<T> converted(values.begin(), values.end());
  arrays.add<T>(name, components, converted);
}

void add_reals(VtuArrays& arrays, const std::string& name, std::size_t components, const std::vector<double>& values,
               Dtype precision) {
  if (precision == Dtype::float32) {
    add_converted<float>(arrays, name, components, values);
  } else {
    arrays.add<double>(name, components, values);
  }
}

/// Cells share no nodes: those of the first cell are 0 ... n-1, of the next one n ... 2n-1.
template <class Id>
void add_cells(VtuArrays& arrays, std::size_t cells_of_part, const VtuGrid::Content& content) {
  const std::size_t n = content.nodes_per_cell, cells = content.parts.size() * cells_of_part;
  std::vector<Id> connectivity(cells * n), ends(cells);
  std::iota(connectivity.begin(), connectivity.end(), Id{0});
  for (std::size_t k = 0; k < cells; ++k) {
    ends[k] = static_cast<Id>((k + 1) * n);
    if (!content.parts[k / cells_of_part].is_reflection()) continue;
    for (std::size_t i = 0; i < n; ++i) connectivity[k * n + i] = static_cast<Id>(k * n + content.reflected_order[i]);
  }
  arrays.add<Id>("connectivity", 1, connectivity);
  arrays.add<Id>("offsets", 1, ends);
  arrays.add<std::uint8_t>("types", 1, std::vector(cells, static_cast<std::uint8_t>(content.cell)));
}

/// The same data in all parts.
template <class T>
std::vector<T> repeated(const std::vector<T>& values, std::size_t parts) {
  return in_all_parts(values, std::vector<std::vector<double>>(parts, {1.0}));
}

}  // namespace

VtuGrid::VtuGrid(const Content& content, Dtype precision) : precision_(precision) {
  for (const IntegerCellData& data : content.integer_data) integer_data_.push_back(data.name);
  for (const CellData& data : content.data) data_.push_back(data.name);
  const std::size_t parts = content.parts.size(), nodes = parts * content.positions.size() / 3,
                    cells_of_part = nodes / parts / content.nodes_per_cell;
  std::ostringstream text;
  text << "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"" << byte_order
       << "\" header_type=\"" << VtuArrays::header_type << "\" compressor=\"" << VtuArrays::compressor
       << "\">\n  <UnstructuredGrid>\n    <Piece NumberOfPoints=\"" << nodes << "\" NumberOfCells=\""
       << parts * cells_of_part << "\">\n      <PointData>\n";
  before_ = std::move(text).str();
  text.str({});

  VtuArrays arrays(text, true);
  text << "      </PointData>\n      <CellData>\n";
  for (const IntegerCellData& data : content.integer_data) {
    arrays.add<std::int32_t>(data.name, 1, repeated(data.values, parts));
  }
  for (const CellData& data : content.data) {
    add_reals(arrays, data.name, 1, repeated(data.values, parts), precision);
  }
  text << "      </CellData>\n      <Points>\n";
  std::vector<std::vector<double>> signs;
  for (const MirroredPart& part : content.parts) signs.emplace_back(part.position.begin(), part.position.end());
  add_reals(arrays, "Points", 3, in_all_parts(content.positions, signs), precision);
  text << "      </Points>\n      <Cells>\n";
  if (nodes <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    add_cells<std::int32_t>(arrays, cells_of_part, content);
  } else {
    add_cells<std::int64_t>(arrays, cells_of_part, content);
  }
  text << "      </Cells>\n    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n";
  after_ = std::move(text).str();
}

void VtuGrid::write(const std::filesystem::path& file, const std::function<void(VtuArrays&)>& add_point_data) const {
  AtomicFile target(file);  // first: it throws if the file cannot be written
  target.stream() << before_;
  VtuArrays arrays(target.stream());
  add_point_data(arrays);
  target.stream() << after_;
  target.commit();
}

void VtuGrid::write_pieces(const std::filesystem::path& file, std::span<const PointArray> point_data,
                           std::span<const std::string> pieces) const {
  std::ostringstream text;
  const auto declare = [&](const std::string& name, std::size_t components) {
    text << "      ";
    if (precision_ == Dtype::float32) {
      VtuArrays::declare<float>(text, "PDataArray", name, components);
    } else {
      VtuArrays::declare<double>(text, "PDataArray", name, components);
    }
    text << "/>\n";
  };
  text << "<?xml version=\"1.0\"?>\n<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" byte_order=\"" << byte_order
       << "\" header_type=\"" << VtuArrays::header_type << "\" compressor=\"" << VtuArrays::compressor
       << "\">\n  <PUnstructuredGrid GhostLevel=\"0\">\n    <PPointData>\n";
  for (const PointArray& array : point_data) declare(array.name, array.components);
  text << "    </PPointData>\n    <PCellData>\n";
  for (const std::string& name : integer_data_) {
    text << "      ";
    VtuArrays::declare<std::int32_t>(text, "PDataArray", name, 1);
    text << "/>\n";
  }
  for (const std::string& name : data_) declare(name, 1);
  text << "    </PCellData>\n    <PPoints>\n";
  declare("Points", 3);
  text << "    </PPoints>\n";
  for (const std::string& piece : pieces) text << "    <Piece Source=\"" << piece << "\"/>\n";
  text << "  </PUnstructuredGrid>\n</VTKFile>\n";
  write_file_atomically(file, std::move(text).str());
}

}  // namespace maxwell_dg::dg
