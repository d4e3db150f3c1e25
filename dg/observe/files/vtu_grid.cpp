#include "dg/observe/files/vtu_grid.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
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

/// visit(first, count) for so many cells at a time that their nodes take a few megabytes.
template <class Visit>
void for_each_piece(std::size_t cells, std::size_t nodes_per_cell, const Visit& visit) {
  constexpr std::size_t nodes_of_piece = std::size_t{1} << 18;
  const std::size_t piece = std::max<std::size_t>(1, nodes_of_piece / nodes_per_cell);
  for (std::size_t first = 0; first < cells; first += piece) visit(first, std::min(piece, cells - first));
}

/// The same data in all parts.
template <class T>
std::vector<T> repeated(const std::vector<T>& values, std::size_t parts) {
  return in_all_parts(values, std::vector<std::vector<double>>(parts, {1.0}));
}

}  // namespace

VtuGrid::VtuGrid(Content content, Dtype precision) : content_(std::move(content)), precision_(precision) {}

void VtuGrid::write_before(std::ostream& stream) const {
  stream << "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"" << byte_order
         << "\" header_type=\"" << VtuArrays::header_type << "\" compressor=\"" << VtuArrays::compressor
         << "\">\n  <UnstructuredGrid>\n    <Piece NumberOfPoints=\"" << cells() * content_.nodes_per_cell
         << "\" NumberOfCells=\"" << cells() << "\">\n      <PointData>\n";
}

void VtuGrid::write_after(std::ostream& stream) const {
  const std::size_t parts = content_.parts.size();
  VtuArrays arrays(stream, true);
  stream << "      </PointData>\n      <CellData>\n";
  for (const IntegerCellData& data : content_.integer_data) {
    arrays.add<std::int32_t>(data.name, 1, repeated(data.values, parts));
  }
  for (const CellData& data : content_.data) {
    add_reals(arrays, data.name, 1, repeated(data.values, parts), precision_);
  }
  stream << "      </CellData>\n      <Points>\n";
  add_positions(arrays);
  stream << "      </Points>\n      <Cells>\n";
  if (cells() * content_.nodes_per_cell <= static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
    add_cells<std::int32_t>(arrays);
  } else {
    add_cells<std::int64_t>(arrays);
  }
  stream << "      </Cells>\n    </Piece>\n  </UnstructuredGrid>\n</VTKFile>\n";
}

void VtuGrid::add_positions(VtuArrays& arrays) const {
  const auto add = [&]<class T>() {
    arrays.add_pieces<T>("Points", 3, [&](const VtuArrays::Take<T>& take) {
      for (const MirroredPart& part : content_.parts) {
        for_each_piece(content_.cells, content_.nodes_per_cell, [&](std::size_t first, std::size_t count) {
          const std::vector<double> positions = with_signs(content_.positions(first, count), part.position);
          take(std::vector<T>(positions.begin(), positions.end()));
        });
      }
    });
  };
  if (precision_ == Dtype::float32) {
    add.operator()<float>();
  } else {
    add.operator()<double>();
  }
}

/// Cells share no nodes: those of the first cell are 0 ... n-1, of the next one n ... 2n-1.
template <class Id>
void VtuGrid::add_cells(VtuArrays& arrays) const {
  const std::size_t n = content_.nodes_per_cell;
  arrays.add_pieces<Id>("connectivity", 1, [&](const VtuArrays::Take<Id>& take) {
    for_each_piece(cells(), n, [&](std::size_t first, std::size_t count) {
      std::vector<Id> nodes(count * n);
      std::iota(nodes.begin(), nodes.end(), static_cast<Id>(first * n));
      for (std::size_t k = first; k < first + count; ++k) {
        if (!content_.parts[k / content_.cells].is_reflection()) continue;
        for (std::size_t i = 0; i < n; ++i) {
          nodes[(k - first) * n + i] = static_cast<Id>(k * n + content_.reflected_order[i]);
        }
      }
      take(nodes);
    });
  });
  arrays.add_pieces<Id>("offsets", 1, [&](const VtuArrays::Take<Id>& take) {
    for_each_piece(cells(), 1, [&](std::size_t first, std::size_t count) {
      std::vector<Id> ends(count);
      for (std::size_t k = 0; k < count; ++k) ends[k] = static_cast<Id>((first + k + 1) * n);
      take(ends);
    });
  });
  arrays.add<std::uint8_t>("types", 1, std::vector(cells(), static_cast<std::uint8_t>(content_.cell)));
}

void VtuGrid::write(const std::filesystem::path& file, const std::function<void(VtuArrays&)>& add_point_data) {
  AtomicFile target(file);  // first: it throws if the file cannot be written
  if (!after_) {
    std::ostringstream text;
    write_after(text);
    after_ = std::move(text).str();
  }
  write_before(target.stream());
  VtuArrays arrays(target.stream());
  add_point_data(arrays);
  target.stream() << *after_;
  target.commit();
}

void VtuGrid::write_once(const std::filesystem::path& file,
                         const std::function<void(VtuArrays&)>& add_point_data) const {
  AtomicFile target(file);
  write_before(target.stream());
  VtuArrays arrays(target.stream());
  add_point_data(arrays);
  write_after(target.stream());
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
  for (const IntegerCellData& data : content_.integer_data) {
    text << "      ";
    VtuArrays::declare<std::int32_t>(text, "PDataArray", data.name, 1);
    text << "/>\n";
  }
  for (const CellData& data : content_.data) declare(data.name, 1);
  text << "    </PCellData>\n    <PPoints>\n";
  declare("Points", 3);
  text << "    </PPoints>\n";
  for (const std::string& piece : pieces) text << "    <Piece Source=\"" << piece << "\"/>\n";
  text << "  </PUnstructuredGrid>\n</VTKFile>\n";
  write_file_atomically(file, std::move(text).str());
}

}  // namespace maxwell_dg::dg
