#include "dg/operator/term_arrays.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <vector>

#include <Eigen/Dense>

#include "core/round_up.hpp"
#include "dg/codegen/term_of_stage.hpp"

namespace maxwell_dg::dg {

namespace {

core::Buffer upload_rows(const StageSetting& setting, const std::vector<std::vector<double>>& rows) {
  const std::size_t width = rows.empty() ? 0 : rows.front().size();
  return setting.upload_reals(rows.size() * width, [&](std::size_t i) { return rows[i / width][i % width]; });
}

/// From [profile][element or face x nodes + node] to [element or face][profile][place]: of these values themselves, or
/// at places where a matrix [place, node] has them.
core::Buffer upload_profiles(const StageSetting& setting, const std::vector<std::vector<double>>& profiles, int nodes,
                             const Eigen::MatrixXd* at_places) {
  const std::size_t count = profiles.size(), rows = profiles.empty() ? 0 : profiles.front().size() / index(nodes);
  const std::size_t places = at_places == nullptr ? index(nodes) : static_cast<std::size_t>(at_places->rows());
  return setting.upload_reals(rows * count * places, [&](std::size_t i) {
    const std::size_t place = i % places, profile = i / places % count, row = i / places / count;
    const double* const nodal = profiles[profile].data() + row * index(nodes);
    if (at_places == nullptr) return nodal[place];
    return at_places->row(static_cast<Eigen::Index>(place)).dot(Eigen::Map<const Eigen::VectorXd>(nodal, nodes));
  });
}

/// value(element, number, place) for each of `elements`, in TermLayout; lanes behind the last element repeat it.
template <class ValueOf>
core::Buffer upload_in_lanes(const StageSetting& setting, std::size_t elements, int numbers, std::size_t places,
                             int lanes, const ValueOf& value) {
  const TermLayout layout = term_layout(lanes, static_cast<int>(places), numbers, size_of(setting.precision));
  const std::size_t blocks = ceil_divide(elements, index(lanes));
  std::vector<double> values(blocks * index(layout.row));
  for (std::size_t i = 0; i < blocks * index(lanes); ++i) {
    const std::size_t element = std::min(i, elements - 1);
    for (std::size_t place = 0; place < places; ++place) {
      for (int number = 0; number < numbers; ++number) {
        values[layout.offset(i / index(lanes), static_cast<int>(i % index(lanes)), number, numbers,
                             static_cast<int>(place))] = value(element, index(number), place);
      }
    }
  }
  return setting.upload_reals(values);
}

/// [element][constant], or where media vary within curved elements [element][constant][point].
core::Buffer upload_constants(const StageSetting& setting, const ElementTerm& term, const LoweredTerm& lowered,
                              bool is_curved) {
  const std::vector<std::vector<double>> of_elements =
      lowered.constants_at(setting.discretization, setting.problem, term);
  const VaryingParameters& varying = setting.problem.varying;
  if (!is_curved || !varying.any()) return upload_rows(setting, of_elements);
  return setting.upload_by_points(lowered.constants_at_points(setting.problem, term), varying.points);
}

using Positions = std::vector<double>;  ///< [element or face][axis][place]

void append(Positions& positions, std::size_t places, const std::function<Point(std::size_t)>& position) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < places; ++i) positions.push_back(position(i)[axis]);
  }
}

core::Buffer upload_positions(const StageSetting& setting, const ElementTerm& term, bool is_curved) {
  const Discretization& d = setting.discretization;
  Positions positions;
  for (const std::int32_t k : term.elements) {
    const std::size_t places = auxiliary_places(d, index(k));
    append(positions, places, [&](std::size_t i) {
      return is_curved ? d.curved->volume_positions[index(d.mesh.curved.number[index(k)]) * places + i]
                       : d.node(index(k), static_cast<int>(i));
    });
  }
  return setting.upload(positions);
}

/// [face of the term] the first of its points, of curved elements.
std::vector<std::size_t> first_points(const Discretization& d, const FaceTerm& term) {
  std::vector<std::size_t> first;
  for (const auto& [element, face] : term.faces) {
    first.push_back((4 * index(d.mesh.curved.number[index(element)]) + index(face)) *
                    index(d.curved->quadrature.face_points()));
  }
  return first;
}

core::Buffer upload_positions(const StageSetting& setting, const FaceTerm& term, bool is_curved) {
  const Discretization& d = setting.discretization;
  Positions positions;
  if (is_curved) {
    for (const std::size_t first : first_points(d, term)) {
      append(positions, index(d.curved->quadrature.face_points()),
             [&](std::size_t i) { return d.curved->at_face_points[first + i].x; });
    }
    return setting.upload(positions);
  }
  for (const auto& [element, face] : term.faces) {
    append(positions, index(d.Nfp()), [&, k = index(element), f = face](std::size_t i) {
      return d.node(k, d.reference.Fmask(static_cast<int>(i), f));
    });
  }
  return setting.upload(positions);
}

core::Buffer upload_geometry(const StageSetting& setting, const FaceTerm& term, bool is_curved) {
  const Discretization& d = setting.discretization;
  if (is_curved) {
    const std::size_t points = index(d.curved->quadrature.face_points());
    std::vector<CurvedGeometry::Gradients> gradients;
    for (const std::size_t first : first_points(d, term)) {
      for (std::size_t i = first; i < first + points; ++i) {
        gradients.push_back(d.curved->at_face_points[i].gradients);
      }
    }
    return setting.upload_by_points(gradients, points);
  }
  std::vector<std::vector<double>> rows;
  for (const auto& [element, face] : term.faces) {
    const Geometry::Face& g = d.geometry.faces[index(element)][index(face)];
    rows.push_back({g.nx, g.ny, g.nz, g.Fscale});
  }
  return upload_rows(setting, rows);
}

}  // namespace

namespace {

TermArrays upload_in_lanes(const StageSetting& setting, const ElementTerm& term, const LoweredTerm& lowered,
                           int lanes) {
  const Discretization& d = setting.discretization;
  const std::size_t count = term.elements.size(), points = d.curved->quadrature.volume.size(), Np = index(d.Np());
  const auto gradients = [&](const auto& at_places, std::size_t places) {
    return upload_in_lanes(setting, count, 9, places, lanes,
                           [&](std::size_t element, std::size_t number, std::size_t place) {
                             const std::size_t k = index(term.elements[element]);
                             return at_places[index(d.mesh.curved.number[k]) * places + place][number];
                           });
  };
  const std::vector<std::vector<double>> constants = lowered.constants_at(d, setting.problem, term);
  const auto at_points = [&](const std::vector<double>& profile, std::size_t element, std::size_t point) {
    if (term.profiles_at_points) return profile[element * points + point];
    return d.curved->quadrature.at_volume.row(static_cast<Eigen::Index>(point))
        .dot(Eigen::Map<const Eigen::VectorXd>(profile.data() + element * Np, d.Np()));
  };
  const std::vector<std::int32_t> none;
  return {.ids = setting.upload(term.elements),
          .outside = setting.upload(none),
          .geometry = setting.upload(none),
          .constants = upload_in_lanes(setting, count, static_cast<int>(lowered.constants.size()), 1, lanes,
                                       [&](std::size_t element, std::size_t number, std::size_t /*place*/) {
                                         return constants[element][number];
                                       }),
          .profiles = upload_in_lanes(setting, count, static_cast<int>(term.profiles.size()), points, lanes,
                                      [&](std::size_t element, std::size_t number, std::size_t point) {
                                        return at_points(term.profiles[number], element, point);
                                      }),
          .positions = setting.upload(Positions()),
          .metric_at_nodes = gradients(d.curved->at_nodes, Np),
          .metric_at_points = gradients(d.curved->at_volume_points, points)};
}

}  // namespace

TermArrays upload_term_arrays(const StageSetting& setting, const ElementTerm& term, const LoweredTerm& lowered,
                              int lanes) {
  if (lanes > 1) return upload_in_lanes(setting, term, lowered, lanes);
  const Discretization& d = setting.discretization;
  const bool is_curved = !term.elements.empty() && d.mesh.curved.is_curved(index(term.elements.front()));
  const std::vector<std::int32_t> none;
  return {
      .ids = setting.upload(term.elements),
      .outside = setting.upload(none),
      .geometry = setting.upload(none),
      .constants = upload_constants(setting, term, lowered, is_curved),
      .profiles = upload_profiles(setting, term.profiles, static_cast<int>(profile_places(d, term)),
                                  is_curved && !term.profiles_at_points ? &d.curved->quadrature.at_volume : nullptr),
      .positions =
          lowered.depends_on_position ? upload_positions(setting, term, is_curved) : setting.upload(Positions())};
}

TermArrays upload_term_arrays(const StageSetting& setting, const FaceTerm& term, const LoweredTerm& lowered) {
  const Discretization& d = setting.discretization;
  const bool is_curved = !term.faces.empty() && d.mesh.curved.is_curved(index(term.faces.front().element));
  std::vector<std::int32_t> faces, outside;
  for (std::size_t i = 0; i < term.faces.size(); ++i) {
    faces.push_back(4 * term.faces[i].element + term.faces[i].face);
    outside.push_back(other_side(d, term, i));
  }
  return {
      .ids = setting.upload(faces),
      .outside = setting.upload(outside),
      .geometry = upload_geometry(setting, term, is_curved),
      .constants = upload_rows(setting, lowered.constants_at(d, setting.problem, term)),
      .profiles = upload_profiles(setting, term.profiles, d.Nfp(), is_curved ? &d.curved->quadrature.at_face : nullptr),
      .positions =
          lowered.depends_on_position ? upload_positions(setting, term, is_curved) : setting.upload(Positions())};
}

}  // namespace maxwell_dg::dg
