#include "dg/operator/term_arrays.hpp"

namespace maxwell_dg::dg {

namespace {

core::Buffer upload_rows(const StageSetting& setting, const std::vector<std::vector<double>>& rows) {
  const std::size_t width = rows.empty() ? 0 : rows.front().size();
  return setting.upload_reals(rows.size() * width, [&](std::size_t i) { return rows[i / width][i % width]; });
}

/// From [profile][element or face x nodes + node] to [element or face][profile][node].
core::Buffer upload_profiles(const StageSetting& setting, const std::vector<std::vector<double>>& profiles, int nodes) {
  const std::size_t count = profiles.size(), size = profiles.empty() ? 0 : profiles.front().size();
  return setting.upload_reals(count * size, [&](std::size_t i) {
    const std::size_t node = i % index(nodes), row = i / index(nodes);
    return profiles[row % count][row / count * index(nodes) + node];
  });
}

}  // namespace

TermArrays upload_term_arrays(const StageSetting& setting, const ElementTerm& term, const LoweredTerm& lowered) {
  const Discretization& d = setting.discretization;
  std::vector<double> positions;
  for (std::size_t i = 0; lowered.depends_on_position && i < term.elements.size(); ++i) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      for (int n = 0; n < d.Np(); ++n) positions.push_back(d.node(index(term.elements[i]), n)[axis]);
    }
  }
  const std::vector<std::int32_t> none;
  return {.ids = setting.upload(term.elements),
          .outside = setting.upload(none),
          .geometry = setting.upload(none),
          .constants = upload_rows(setting, lowered.constants_at(d, setting.problem, term)),
          .profiles = upload_profiles(setting, term.profiles, d.Np()),
          .positions = setting.upload(positions)};
}

TermArrays upload_term_arrays(const StageSetting& setting, const FaceTerm& term, const LoweredTerm& lowered) {
  const Discretization& d = setting.discretization;
  std::vector<std::int32_t> faces, outside;
  std::vector<double> positions;
  std::vector<std::vector<double>> geometry;
  for (std::size_t i = 0; i < term.faces.size(); ++i) {
    const auto& [element, face] = term.faces[i];
    faces.push_back(4 * element + face);
    outside.push_back(other_side(d, term, i));
    const Geometry::Face& g = d.geometry.faces[index(element)][index(face)];
    geometry.push_back({g.nx, g.ny, g.nz, g.Fscale});
    for (std::size_t axis = 0; lowered.depends_on_position && axis < 3; ++axis) {
      for (int j = 0; j < d.Nfp(); ++j) {
        positions.push_back(d.node(index(element), d.reference.Fmask(j, face))[axis]);
      }
    }
  }
  return {.ids = setting.upload(faces),
          .outside = setting.upload(outside),
          .geometry = upload_rows(setting, geometry),
          .constants = upload_rows(setting, lowered.constants_at(d, setting.problem, term)),
          .profiles = upload_profiles(setting, term.profiles, d.Nfp()),
          .positions = setting.upload(positions)};
}

}  // namespace maxwell_dg::dg
