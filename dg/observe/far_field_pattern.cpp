#include "dg/observe/far_field_pattern.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <numbers>

#include "dg/observe/files/csv_file.hpp"

namespace maxwell_dg::dg {
namespace {

using std::numbers::pi;

/// VTK reads no infinities as text: of a field of zero so many dB.
constexpr double no_field_db = -200, linear_db = 200;

double decibels(double ratio) {
  return 10 * std::log10(ratio);
}

std::string array(const std::string& name, int components, const std::vector<double>& values) {
  std::string text = R"(<DataArray type="Float32" Name=")" + name + R"(" NumberOfComponents=")" +
                     std::to_string(components) + "\" format=\"ascii\">\n";
  for (const double value : values) text += shortest(static_cast<float>(value)) + "\n";
  return text + "</DataArray>\n";
}

std::string integers(const std::string& name, const std::vector<std::size_t>& values) {
  std::string text = R"(<DataArray type="Int32" Name=")" + name + "\" format=\"ascii\">\n";
  for (const std::size_t value : values) text += std::to_string(value) + "\n";
  return text + "</DataArray>\n";
}

}  // namespace

std::vector<std::string> FarFieldPattern::columns(const std::string& quantity) {
  std::vector<std::string> names{quantity + "_dbi"};
  for (const char* part : {"co", "cross", "right", "left"}) names.push_back(part + ("_" + quantity) + "_dbi");
  names.insert(names.end(), {"axial_ratio_db", "co_phase_deg", "cross_phase_deg"});
  return names;
}

std::vector<double> FarFieldPattern::values(const maxwell::FarField& field, const maxwell::Direction& direction) const {
  const maxwell::Polarizations parts = maxwell::polarizations(field, direction, reference);
  const auto over_power = [&](const std::complex<double>& E) {
    return decibels(4 * pi * surface.intensity({E, 0}) / power);
  };
  const auto degrees = [](const std::complex<double>& E) { return std::arg(E) * 180 / pi; };
  return {decibels(4 * pi * surface.intensity(field) / power),
          over_power(parts.co),
          over_power(parts.cross),
          over_power(parts.right),
          over_power(parts.left),
          2 * decibels(parts.axial_ratio),
          degrees(parts.co),
          degrees(parts.cross)};
}

std::string FarFieldPattern::vtp(double step_deg) const {
  const auto rows = static_cast<std::size_t>(std::ceil(180 / step_deg)), around = 2 * rows;
  std::vector<maxwell::Direction> directions;  // [theta][phi], the first meridian at the end again
  for (std::size_t i = 0; i <= rows; ++i) {
    for (std::size_t j = 0; j <= around; ++j) {
      directions.push_back({pi * static_cast<double>(i) / static_cast<double>(rows),
                            pi * static_cast<double>(j) / static_cast<double>(rows)});
    }
  }
  const std::vector<maxwell::FarField> fields = surface.far_field(directions);
  double largest = 0;
  for (const maxwell::FarField& field : fields) largest = std::max(largest, surface.intensity(field));
  std::vector<double> points;
  const std::vector<std::string> names = columns(quantity);
  std::vector<std::vector<double>> data(names.size());
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto [theta, phi] = directions[i];
    const double r = surface.radius() * surface.intensity(fields[i]) / largest;
    points.insert(points.end(),
                  {r * std::sin(theta) * std::cos(phi), r * std::sin(theta) * std::sin(phi), r * std::cos(theta)});
    const std::vector<double> here = values(fields[i], directions[i]);
    for (std::size_t c = 0; c < here.size(); ++c) {
      data[c].push_back(std::isnan(here[c]) ? no_field_db : std::clamp(here[c], no_field_db, linear_db));
    }
  }
  std::vector<std::size_t> corners, ends;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t j = 0; j < around; ++j) {
      const std::size_t here = i * (around + 1) + j, below = here + around + 1;
      corners.insert(corners.end(), {here, below, below + 1, here + 1});
      ends.push_back(corners.size());
    }
  }
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"0.1\" "
      "byte_order=\"LittleEndian\">\n<PolyData>\n<Piece NumberOfPoints=\"" +
      std::to_string(fields.size()) + "\" NumberOfPolys=\"" + std::to_string(ends.size()) + "\">\n<PointData>\n";
  for (std::size_t c = 0; c < data.size(); ++c) text += array(names[c], 1, data[c]);
  text += "</PointData>\n<Points>\n" + array("points", 3, points) + "</Points>\n<Polys>\n" +
          integers("connectivity", corners) + integers("offsets", ends) + "</Polys>\n";
  return text + "</Piece>\n</PolyData>\n</VTKFile>\n";
}

}  // namespace maxwell_dg::dg
