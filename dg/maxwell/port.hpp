#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <Eigen/Dense>

#include "dg/maxwell/face_elements.hpp"
#include "dg/maxwell/homogeneous_medium.hpp"
#include "dg/maxwell/symmetry.hpp"
#include "dg/mesh/discretization.hpp"
#include "dg/mesh/enclosing_surface.hpp"
#include "dg/symbolic/system.hpp"

/// Ends of uniform guides: one mode of the guide enters, is absorbed and is measured there (docs/theory.md, Ports).
namespace maxwell_dg::dg::maxwell {

/// What a mode has no component of along the guide: E (TE) or H (TM).
enum class ModeKind : std::uint8_t { te, tm };

/// Where integrals over a film are taken, each of its faces once.
struct FilmQuadrature {
  Eigen::MatrixXd at_points;                      ///< [point, Nfp] interpolates along x, y, z, as terms do
  std::vector<std::array<std::size_t, 2>> sides;  ///< [face] its sides among PortMode::faces; outside twice the one
  std::vector<double> weights;                    ///< [face][point] they sum up to the area of the whole film
  std::vector<std::array<double, 3>> normals;     ///< [face][point] out of the first side's element
};

/// What a lumped port is: a film between two conductors, with which its source is in series.
struct LumpedFilm {
  double resistance{};              ///< of a square of it, relative to Z_0
  double squares{};                 ///< the port's resistance is that of a square over this; 1 if it is as wide as long
  bool is_inside{};                 ///< between elements; then faces are both sides of it
  std::vector<double> admittances;  ///< [face] sqrt(epsilon/mu) of its element
  std::vector<double> beyond;       ///< [face] the same of the element on its other side; 0 on the outside of the mesh
  FilmQuadrature quadrature;
};

/// A mode on the faces at the end of a guide: E_t = V e, H_t = I h with h = -n x e, n pointing out of the mesh, so that
/// V and I of a wave that comes in have the ratio of the mode's impedance. The integral of e.e over the port is 1. Of a
/// port that planes of symmetry cut, `faces` are the part in the mesh; the integral, V and I are those of the whole.
/// Of a lumped port the same, with e from the first conductor to the other and V and I of a film (lumped_port.hpp).
struct PortMode {
  /// Ascending. Of a mesh that ranks have in parts all of them on each rank, those of others' elements as
  /// PointLocation::elsewhere.
  std::vector<ElementFace> faces;
  std::vector<std::array<double, 3>> e;  ///< [face x Nfp + node] 1/m
  /// [face x Nfp + node] V = sum of weight . E, I = sum of weight_of_H . H, of the fields along the faces as they are
  /// between nodes; V of e itself is 1.
  std::vector<std::array<double, 3>> weight, weight_of_H;
  /// V of what a term makes of e, which it interpolates along x, y, z: 1 where no face is curved.
  double of_interpolated = 1;
  HomogeneousMedium filling{};
  ModeKind kind{};
  double cutoff_wavenumber{};              ///< k_c, 1/m; 0 of TEM
  std::optional<double> line_impedance{};  ///< of TEM, lumped: voltage between conductors over current, relative to Z_0
  std::optional<LumpedFilm> film{};        ///< of lumped ports alone

  [[nodiscard]] double cutoff_frequency() const;  ///< in 1/m
  /// E over H of a travelling wave, relative to Z_0: of TE sqrt(mu/epsilon) / sqrt(1 - (f_c/f)^2), of TM
  /// sqrt(mu/epsilon) times that root. Above cut-off only. Of a lumped port the film's resistance.
  [[nodiscard]] double impedance(double frequency) const;
  /// The reference of its scattering parameters, relative to Z_0: line_impedance where there is one, else impedance().
  [[nodiscard]] double reference_impedance(double frequency) const;
  /// Radians a metre of a travelling wave: sqrt(k^2 - k_c^2), k = 2 pi f times the refractive index. Above cut-off
  /// only.
  [[nodiscard]] double propagation_constant(double frequency) const;
};

/// TE_mn or TM_mn of a rectangular guide, m half waves along its longer side a (Pozar, Microwave Engineering, 4th ed.,
/// section 3.3): with (u, v) from a corner as Rectangle has it, and k_c^2 = (m pi/a)^2 + (n pi/b)^2,
///
///   TE: e ~ (-(n/b) cos(m pi u/a) sin(n pi v/b), (m/a) sin(m pi u/a) cos(n pi v/b))
///   TM: e ~ ( (m/a) cos(m pi u/a) sin(n pi v/b), (n/b) sin(m pi u/a) cos(n pi v/b))
///
/// Throws std::invalid_argument for faces that do not make a rectangle, std::domain_error for m = n = 0 and, of TM,
/// for m or n = 0.
[[nodiscard]] PortMode rectangular_mode(const Discretization& discretization, std::vector<ElementFace> faces,
                                        const HomogeneousMedium& filling, ModeKind kind, int m, int n,
                                        std::span<const SymmetryPlane> symmetry = {});

/// TEM of a line of two conductors, a coaxial one or a strip of metal without thickness in a shield: e is an
/// electrostatic field between what conducts at the faces, as the mesh has it (see static_field), and points from the
/// inner to the outer conductor. Throws std::invalid_argument for faces that do not lie in a plane, or do not have two.
[[nodiscard]] PortMode coaxial_mode(const Discretization& discretization, std::vector<ElementFace> faces,
                                    const HomogeneousMedium& filling, std::span<const SymmetryPlane> symmetry = {});

/// TE_mn or TM_mn of a round guide, m periods around its axis and the n-th of these (RoundMode, by finite elements on
/// the faces, which may be curved). Throws std::invalid_argument for faces that do not make a disc, and as
/// round_mode_field does.
[[nodiscard]] PortMode round_mode(const Discretization& discretization, std::vector<ElementFace> faces,
                                  const HomogeneousMedium& filling, ModeKind kind, int m, int n,
                                  std::span<const SymmetryPlane> symmetry = {},
                                  const std::optional<Point>& polarization = {});

/// TE_mn or TM_mn of the guide that the faces are the end of: round or rectangular. A polarization is for round ones
/// alone: otherwise std::domain_error. Throws std::invalid_argument where metal ends within the faces.
[[nodiscard]] PortMode guide_mode(const Discretization& discretization, std::vector<ElementFace> faces,
                                  const HomogeneousMedium& filling, ModeKind kind, int m, int n,
                                  std::span<const SymmetryPlane> symmetry = {},
                                  const std::optional<Point>& polarization = {});

/// The mode whose transverse field has this form, of any size; the faces are one of so many equal parts of the port.
[[nodiscard]] PortMode mode_of_form(const Discretization& discretization, std::vector<ElementFace> faces,
                                    const HomogeneousMedium& filling, const FaceField& form, double parts);

/// The same mode on the elements that hold a part of the fields; the one that is given is on those of the real part.
[[nodiscard]] PortMode on_part(PortMode mode, const ComplexView& view, FieldPart part);

/// Throws std::invalid_argument for a mode that is not its own mirror image in one of the planes.
void require_symmetric(const Discretization& discretization, const PortMode& mode,
                       std::span<const SymmetryPlane> symmetry);

/// A port as the mesh sees it: a surface of this impedance (relative to Z_0), which absorbs a mode of that impedance.
/// Of a driven port, a wave of the mode comes in, beginning at that time.
struct Port {
  PortMode mode;
  double impedance{};
  std::optional<double> driven_from{};
  int rank{};                      ///< among the ports on the same faces, whose impedance is one
  std::vector<double> outgoing{};  ///< outgoing_weights of the mode, for modal_amplitudes
};

/// V of the mode over the voltage that drives a port: between its conductors if it is lumped, else of the mode.
[[nodiscard]] double voltage_of_mode(const PortMode& mode);

/// The integral of e.e of two modes on the same faces.
[[nodiscard]] double overlap(const PortMode& a, const PortMode& b);

/// Make of the condition `absorbing`, which must hold at the ports' faces, that of the ports. The first term has each
/// face once; ports that share faces with an earlier one add the waves that they send in further terms; lumped ports
/// inside the mesh have a term of their own. The voltage, an expression of time, is that of the incoming wave at the
/// frequency where the mode has the port's impedance; of a lumped port that between its conductors, half of its
/// source's.
[[nodiscard]] std::vector<FaceTerm> port_terms(const System& system, const std::vector<Port>& ports,
                                               const symbolic::Expr& voltage);

/// With the fields inside, [face][field][face node], these numbers sum up to V - Z I of what goes out, Z =
/// sqrt(mu/epsilon); of a lumped port to its voltage, were its source a short.
[[nodiscard]] std::vector<double> outgoing_weights(const Discretization& discretization, const PortMode& mode);

/// V and I at a port, over the voltage that drives the ports, `driven` saying whether it drives this one. From the
/// fields inside, [face][field][face node], only what goes out is taken: the condition says what comes in, which the
/// fields follow with the discretization's error.
struct ModalAmplitudes {
  std::complex<double> V, I;
};
[[nodiscard]] ModalAmplitudes modal_amplitudes(const Port& port, bool driven,
                                               std::span<const std::complex<double>> traces);

}  // namespace maxwell_dg::dg::maxwell
