#include "dg/maxwell/port.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <stdexcept>
#include <string>
#include <utility>

#include <Eigen/Dense>

#include "dg/maxwell/face_integrals.hpp"
#include "dg/maxwell/maxwell.hpp"
#include "dg/maxwell/round_guide.hpp"
#include "dg/maxwell/sheet.hpp"
#include "dg/maxwell/static_field.hpp"
#include "dg/mesh/face_map.hpp"
#include "dg/mesh/planar_patch.hpp"
#include "dg/symbolic/fields.hpp"
#include "dg/symbolic/incident.hpp"
#include "dg/symbolic/program.hpp"

namespace maxwell_dg::dg::maxwell {
namespace {

using std::numbers::pi;

/// `at(position)` at the nodes and points of faces.
template <class At>
FaceField field_on_faces(const Discretization& d, const std::vector<ElementFace>& faces, const At& at) {
  FaceField field;
  const auto set = [](Eigen::MatrixXd& values, Eigen::Index row, const Point& v) {
    values.row(row) << v[0], v[1], v[2];
  };
  for (const ElementFace& f : faces) {
    Eigen::MatrixXd values(d.Nfp(), 3);
    for (int i = 0; i < d.Nfp(); ++i) set(values, i, at(d.node(f.element, d.reference.Fmask(i, f.face))));
    field.at_nodes.push_back(std::move(values));
  }
  if (!d.curved) return field;
  const FaceMap map(d.mesh, d.curved->quadrature.face);
  for (const ElementFace& f : faces) {
    Eigen::MatrixXd values(d.curved->quadrature.face_points(), 3);
    Eigen::Index row = 0;
    for (const FaceMap::At& point : map.at(f)) set(values, row++, at(point.x));
    field.at_points.push_back(std::move(values));
  }
  return field;
}

std::string not_own_image(const SymmetryPlane& plane) {
  return "has a mode that is not its own mirror image in the plane " + name_of(plane) + ", where tangential " +
         (plane.kind == SymmetryPlane::Kind::electric ? "E" : "H") + " vanishes";
}

}  // namespace

PortMode mode_of_form(const Discretization& d, std::vector<ElementFace> faces, const HomogeneousMedium& filling,
                      const FaceField& form, double parts) {
  PortMode mode{.faces = std::move(faces), .e = {}, .weight = {}, .weight_of_H = {}, .filling = filling};
  const FaceIntegration integration(d);
  double square = 0, with_nodes = 0, with_interpolated = 0;
  const auto append = [](std::vector<std::array<double, 3>>& to, const Eigen::MatrixXd& rows) {
    for (Eigen::Index i = 0; i < rows.rows(); ++i) to.push_back({rows(i, 0), rows(i, 1), rows(i, 2)});
  };
  for (std::size_t f = 0; f < mode.faces.size(); ++f) {
    const FaceIntegrals integrals = integration.of(mode.faces[f], form, f, parts);
    square += integrals.square;
    with_nodes += form.at_nodes[f].cwiseProduct(integrals.with_E).sum();
    with_interpolated += integrals.with_interpolated;
    append(mode.e, form.at_nodes[f]);
    append(mode.weight, integrals.with_E);
    append(mode.weight_of_H, integrals.with_H);
  }
  const auto divide = [](std::vector<std::array<double, 3>>& vectors, double by) {
    for (auto& vector : vectors) {
      for (double& component : vector) component /= by;
    }
  };
  divide(mode.weight, std::sqrt(square));
  divide(mode.weight_of_H, std::sqrt(square));
  divide(mode.e, std::sqrt(square) * (with_nodes / square));
  mode.of_interpolated = with_interpolated / with_nodes;
  return mode;
}

double PortMode::cutoff_frequency() const {
  return cutoff_wavenumber / (2 * pi * filling.refractive_index());
}

double PortMode::impedance(double frequency) const {
  if (film) return film->resistance;
  const double ratio = cutoff_frequency() / frequency, root = std::sqrt(1 - ratio * ratio);
  return kind == ModeKind::te ? filling.impedance() / root : filling.impedance() * root;
}

double PortMode::reference_impedance(double frequency) const {
  return line_impedance ? *line_impedance : impedance(frequency);
}

double PortMode::propagation_constant(double frequency) const {
  const double k = 2 * pi * frequency * filling.refractive_index();
  return std::sqrt((k - cutoff_wavenumber) * (k + cutoff_wavenumber));
}

PortMode rectangular_mode(const Discretization& d, std::vector<ElementFace> faces, const HomogeneousMedium& filling,
                          ModeKind kind, int m, int n, std::span<const SymmetryPlane> symmetry) {
  std::ranges::sort(faces);
  Rectangle r = Rectangle::of(d.mesh, PlanarPatch::make(d.mesh, d.geometry, faces));
  std::vector<SymmetryPlane> cuts;
  for (const SymmetryPlane& plane : symmetry) {
    const Rectangle whole = r.with_mirror_image(plane.axis);
    if (whole.a * whole.b > 1.5 * r.a * r.b) cuts.push_back(plane);
    r = whole;
  }
  for (const SymmetryPlane& plane : cuts) {
    const int half_waves = r.u[plane.axis] > 1 - 1e-6 ? m : n;  // an odd number of them is even about the middle
    const bool is_electric = plane.kind == SymmetryPlane::Kind::electric;
    if ((half_waves % 2 == 0) != is_electric) throw std::domain_error(not_own_image(plane) + "; use the whole mesh");
  }
  if (m < 0 || n < 0 || m + n == 0) {
    throw std::domain_error("is a rectangle, whose TE modes have half waves along a side");
  }
  if (kind == ModeKind::tm && m * n == 0) {
    throw std::domain_error("is a rectangle: both numbers of its TM modes, tm11 and so on, are 1 or more");
  }
  const double k_u = m * pi / r.a, k_v = n * pi / r.b;
  const double along_u = kind == ModeKind::te ? -k_v : k_u, along_v = kind == ModeKind::te ? k_u : k_v;
  const FaceField form = field_on_faces(d, faces, [&](const Point& x) {
    const Point at = minus(x, r.corner);
    const double u = k_u * dot(at, r.u), v = k_v * dot(at, r.v);
    const double e_u = along_u * std::cos(u) * std::sin(v), e_v = along_v * std::sin(u) * std::cos(v);
    return Point{e_u * r.u[0] + e_v * r.v[0], e_u * r.u[1] + e_v * r.v[1], e_u * r.u[2] + e_v * r.v[2]};
  });
  PortMode mode = mode_of_form(d, std::move(faces), filling, form, parts_of_whole(symmetry));
  mode.kind = kind;
  mode.cutoff_wavenumber = std::hypot(k_u, k_v);
  return mode;
}

PortMode coaxial_mode(const Discretization& d, std::vector<ElementFace> faces, const HomogeneousMedium& filling,
                      std::span<const SymmetryPlane> symmetry) {
  std::ranges::sort(faces);
  (void)PlanarPatch::make(d.mesh, d.geometry, faces);  // throws where the faces do not lie in one plane
  const auto [form, square] = static_field(d, faces, symmetry);
  const double parts = parts_of_whole(symmetry);
  PortMode mode = mode_of_form(d, std::move(faces), filling, form, parts);
  mode.line_impedance = filling.impedance() / (parts * square);  // the square is the capacitance a length over epsilon
  return mode;
}

PortMode round_mode(const Discretization& d, std::vector<ElementFace> faces, const HomogeneousMedium& filling,
                    ModeKind kind, int m, int n, std::span<const SymmetryPlane> symmetry,
                    const std::optional<Point>& polarization) {
  std::ranges::sort(faces);
  const PlanarPatch patch = PlanarPatch::make(d.mesh, d.geometry, faces);
  const RoundMode found = round_mode_field(d, faces, patch, kind, m, n, symmetry, polarization);
  PortMode mode = mode_of_form(d, std::move(faces), filling, found.field, parts_of_whole(symmetry));
  mode.kind = kind;
  mode.cutoff_wavenumber = found.cutoff_wavenumber;
  return mode;
}

PortMode guide_mode(const Discretization& d, std::vector<ElementFace> faces, const HomogeneousMedium& filling,
                    ModeKind kind, int m, int n, std::span<const SymmetryPlane> symmetry,
                    const std::optional<Point>& polarization) {
  const PlanarPatch patch = PlanarPatch::make(d.mesh, d.geometry, faces);
  if (!edges_at_walls(d, faces).empty()) throw std::invalid_argument("is divided by metal that ends on it");
  if (Disc::find(d.mesh, patch, symmetry)) {
    return round_mode(d, std::move(faces), filling, kind, m, n, symmetry, polarization);
  }
  PortMode mode = rectangular_mode(d, std::move(faces), filling, kind, m, n, symmetry);
  if (polarization) throw std::domain_error("is a rectangle, whose modes have no other polarization; leave it out");
  return mode;
}

void require_symmetric(const Discretization& d, const PortMode& mode, std::span<const SymmetryPlane> symmetry) {
  const double tolerance = symmetry_tolerance(d.mesh);
  double largest = 0;
  for (const auto& e : mode.e) largest = std::max(largest, length(e));
  const auto Nfp = static_cast<std::size_t>(d.Nfp());
  for (const SymmetryPlane& plane : symmetry) {
    const std::array<double, 3> mirrored = mirror_images(std::span(&plane, 1)).back().E;
    int met = 0;
    double forbidden = 0, all = 0;  // squares of what must vanish in the plane, and of the field there
    for (std::size_t i = 0; i < mode.e.size(); ++i) {
      const ElementFace& face = mode.faces[i / Nfp];
      const Point x = d.node(face.element, d.reference.Fmask(static_cast<int>(i % Nfp), face.face));
      if (std::abs(x[plane.axis]) > tolerance) continue;
      ++met;
      for (std::size_t c = 0; c < 3; ++c) {
        const double square = mode.e[i].at(c) * mode.e[i].at(c);
        all += square;
        if (mirrored.at(c) < 0) forbidden += square;
      }
    }
    if (met == 0) {
      throw std::invalid_argument("does not meet the plane of symmetry " + name_of(plane) +
                                  ", so that the whole has it twice");
    }
    constexpr double part = 0.25, small = 1e-3;  // finite elements fulfil it in the mean, coarse ones nearly
    if (forbidden > part * all && forbidden > small * met * largest * largest) {
      throw std::invalid_argument(not_own_image(plane));
    }
  }
}

namespace {

/// sqrt(mu/epsilon) at a face.
double impedance_at(const PortMode& mode, std::size_t face) {
  return mode.film ? 1 / mode.film->admittances[face] : mode.filling.impedance();
}

/// Travelling to and fro as in free space of the filling, of the impedance Z: V + Z I comes in and V - Z I goes out.
/// What comes in, of what goes out and of the voltage that drives it.
double reflection(const Port& port, double Z) {
  return (port.impedance - Z) / (port.impedance + Z);
}
double transmission(const Port& port, double Z) {
  // V + Z I of a wave of voltage 1, V = impedance I, less what the surface makes of its V - Z I.
  return voltage_of_mode(port.mode) * 4 * Z / (port.impedance + Z);
}

bool is_film_inside(const Port& port) {
  return port.mode.film && port.mode.film->is_inside;
}

/// Ports of a higher rank have nothing to say unless they are driven.
bool adds_to_term(const Port& port, int rank) {
  return !is_film_inside(port) && port.rank == rank && (rank == 0 || port.driven_from);
}

/// The parameter of a term.
symbolic::Expr own(const System& system, int i) {
  return symbolic::Expr(symbolic::Symbol{.kind = symbolic::Symbol::Kind::parameter,
                                         .index = static_cast<int>(system.parameters.size()) + i});
}

/// An expression of time, from some time on.
symbolic::Expr since(const symbolic::Expr& begin, const symbolic::Expr& signal) {
  return symbolic::substitute(signal, [&](const symbolic::Symbol& s) {
    return s.kind == symbolic::Symbol::Kind::time ? symbolic::time() - begin : symbolic::Expr(s);
  });
}

/// A face of a port.
struct Place {
  FaceTerm::Face face;
  const Port* port;
  std::size_t of_mode;
};

/// Ascending.
template <class Chosen>
std::vector<Place> places_of(const std::vector<Port>& ports, const Chosen& chosen) {
  std::vector<Place> places;
  for (const Port& port : ports) {
    if (!chosen(port)) continue;
    for (std::size_t f = 0; f < port.mode.faces.size(); ++f) {
      const ElementFace& face = port.mode.faces[f];
      if (face.element == PointLocation::elsewhere) continue;
      places.push_back({{static_cast<std::int32_t>(face.element), face.face}, &port, f});
    }
  }
  std::ranges::sort(places, {}, &Place::face);
  return places;
}

/// Gives a term the next face, with these parameters and as profile the e that makes a wave of the mode.
void add_place(FaceTerm& term, const Place& place, std::span<const double> values) {
  term.faces.push_back(place.face);
  term.parameters.resize(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) term.parameters[i].push_back(values[i]);
  term.profiles.resize(3);
  const PortMode& mode = place.port->mode;
  const std::size_t Nfp = mode.e.size() / mode.faces.size();
  for (std::size_t node = place.of_mode * Nfp; node < (place.of_mode + 1) * Nfp; ++node) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      term.profiles[axis].push_back(mode.e[node][axis] / mode.of_interpolated);
    }
  }
}

/// Of the lumped ports inside the mesh; none where there are none.
std::optional<FaceTerm> film_term(const System& system, const std::vector<Port>& ports, const symbolic::Expr& voltage) {
  if (std::ranges::none_of(ports, is_film_inside)) return std::nullopt;
  const symbolic::Vector e(symbolic::profile(0), symbolic::profile(1), symbolic::profile(2));
  const symbolic::Expr in_turn = since(own(system, 2), voltage);
  FaceTerm term{.name = "lumped", .flux = film_flux(system, own(system, 0), own(system, 1) * in_turn * e), .faces = {}};
  for (const Place& place : places_of(ports, is_film_inside)) {
    const Port& port = *place.port;
    add_place(term, place,
              std::array{1 / port.mode.film->resistance, port.driven_from ? 2 * voltage_of_mode(port.mode) : 0.0,
                         port.driven_from.value_or(0.0)});
  }
  return term;
}

/// Y_m / (Y_m + Y_p + Y_s) at a face of a film.
double share_of_film(const LumpedFilm& film, std::size_t face, double Y_m) {
  return Y_m / (Y_m + film.beyond[face] + 1 / film.resistance);
}

/// What of the source's voltage its port would have in front of an open end: the part of its film in what fields meet.
double share_of_source(const PortMode& mode) {
  const std::size_t Nfp = mode.e.size() / mode.faces.size();
  double sum = 0;
  for (std::size_t i = 0; i < mode.e.size(); ++i) {
    const double Y_m = mode.film->admittances[i / Nfp], Y_s = 1 / mode.film->resistance;
    sum += dot(mode.e[i], mode.weight[i]) * Y_s / (Y_m + mode.film->beyond[i / Nfp] + Y_s);
  }
  return mode.film->is_inside ? sum / 2 : sum;
}

/// Of the ports of one rank, no two of which share a face.
FaceTerm port_term(const System& system, const std::vector<Port>& ports, int rank, const symbolic::Expr& voltage) {
  using namespace symbolic;
  const Expr Z = own(system, 0), reflected = own(system, 1), sent = own(system, 2) * since(own(system, 3), voltage);
  const Vector n = normal(), e(profile(0), profile(1), profile(2));
  const Vector going_out = inside(E) - Z * cross(n, inside(H));
  const Vector coming_in = reflected * going_out + sent * e;
  const double share = 1 / (1 + system.alpha.value_or(1.0));  // as `absorbing` has it
  std::vector<Expr> more;
  set(more, E, share * coming_in);
  set(more, H, -share / Z * cross(n, coming_in));
  FaceTerm term = outside_term(system, "port", more, {});
  for (const Place& place : places_of(ports, [rank](const Port& port) { return adds_to_term(port, rank); })) {
    const Port& port = *place.port;
    const double Z = impedance_at(port.mode, place.of_mode);
    add_place(term, place,
              std::array{Z, rank == 0 ? reflection(port, Z) / port.mode.of_interpolated : 0.0,
                         port.driven_from ? transmission(port, Z) : 0.0, port.driven_from.value_or(0.0)});
  }
  return term;
}

}  // namespace

PortMode on_part(PortMode mode, const ComplexView& view, FieldPart part) {
  for (ElementFace& face : mode.faces) {
    if (face.element != PointLocation::elsewhere) face.element = view.element(face.element, part);
  }
  return mode;
}

double voltage_of_mode(const PortMode& mode) {
  return mode.film ? std::sqrt(mode.film->squares) : 1.0;
}

double overlap(const PortMode& a, const PortMode& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.e.size(); ++i) sum += dot(a.e[i], b.weight[i]);
  return sum;
}

std::vector<FaceTerm> port_terms(const System& system, const std::vector<Port>& ports, const symbolic::Expr& voltage) {
  std::vector<FaceTerm> terms;
  if (auto films = film_term(system, ports, voltage)) terms.push_back(std::move(*films));
  for (int rank = 0;; ++rank) {
    const bool any = std::ranges::any_of(ports, [&](const Port& port) { return adds_to_term(port, rank); });
    if (any) terms.push_back(port_term(system, ports, rank, voltage));
    if (std::ranges::none_of(ports, [&](const Port& port) { return port.rank > rank; })) return terms;
  }
}

std::vector<double> outgoing_weights(const Discretization& d, const PortMode& mode) {
  const auto Nfp = static_cast<std::size_t>(d.Nfp());
  std::vector<double> weights(mode.faces.size() * 6 * Nfp);
  for (std::size_t f = 0; f < mode.faces.size(); ++f) {
    const double Z = impedance_at(mode, f), share = mode.film ? share_of_film(*mode.film, f, 1 / Z) : 1.0;
    for (std::size_t i = 0; i < Nfp; ++i) {
      const auto &of_E = mode.weight[f * Nfp + i], &of_H = mode.weight_of_H[f * Nfp + i];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        weights[(f * 6 + axis) * Nfp + i] = share * of_E[axis];
        weights[(f * 6 + 3 + axis) * Nfp + i] = share * -Z * of_H[axis];
      }
    }
  }
  return weights;
}

ModalAmplitudes modal_amplitudes(const Port& port, bool driven, std::span<const std::complex<double>> traces) {
  if (traces.size() != port.outgoing.size()) {
    throw std::invalid_argument("modal_amplitudes: six fields at every node of every face are needed");
  }
  std::complex<double> going_out = 0;
  for (std::size_t i = 0; i < traces.size(); ++i) going_out += port.outgoing[i] * traces[i];
  if (port.mode.film) {
    const double source = driven ? 2 * voltage_of_mode(port.mode) : 0.0;
    const std::complex<double> V = going_out + share_of_source(port.mode) * source;
    return {.V = V, .I = (source - V) / port.mode.film->resistance};
  }
  const double Z = port.mode.filling.impedance();
  const std::complex<double> coming_in = reflection(port, Z) * going_out + (driven ? transmission(port, Z) : 0.0);
  return {.V = (coming_in + going_out) / 2.0, .I = (coming_in - going_out) / (2 * Z)};
}

}  // namespace maxwell_dg::dg::maxwell
