#include "dg/reference/reference_element.hpp"

#include <array>
#include <cstddef>
#include <mutex>
#include <stdexcept>
#include <string>

#include "dg/reference/orthonormal_basis.hpp"
#include "dg/reference/warp_blend.hpp"

namespace maxwell_dg::dg {
namespace {

Eigen::MatrixXi nodes_on_faces(const std::vector<Barycentric>& nodes, int Nfp) {
  Eigen::MatrixXi Fmask(Nfp, ReferenceElement::Nfaces);
  for (int face = 0; face < ReferenceElement::Nfaces; ++face) {
    int k = 0;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      const bool is_on_face = nodes[i][ReferenceElement::opposite_vertex[face]] == 0;
      if (is_on_face) Fmask(k++, face) = static_cast<int>(i);
    }
  }
  return Fmask;
}

/// Mass matrix of a face in its own coordinates (area 2), the same on every face: [Nfp, Nfp].
Eigen::MatrixXd face_mass_matrix(int N, const Eigen::VectorXd& r, const Eigen::VectorXd& s,
                                 const Eigen::MatrixXi& Fmask) {
  const Eigen::Index Nfp = Fmask.rows();
  Eigen::MatrixXd V(Nfp, Nfp);
  for (Eigen::Index k = 0; k < Nfp; ++k) V.row(k) = triangle_modes(N, r(Fmask(k, 0)), s(Fmask(k, 0))).transpose();
  return (V * V.transpose()).inverse();
}

ReferenceElement computed(int N) {
  constexpr int Nfaces = ReferenceElement::Nfaces;
  ReferenceElement e;
  e.N = N;
  e.Np = node_count(N);
  e.Nfp = face_node_count(N);

  const std::vector<Barycentric> nodes = warp_blend_nodes(N);
  e.r.resize(e.Np);
  e.s.resize(e.Np);
  e.t.resize(e.Np);
  e.V.resize(e.Np, e.Np);
  Eigen::MatrixXd Vr(e.Np, e.Np), Vs(e.Np, e.Np), Vt(e.Np, e.Np);
  for (int i = 0; i < e.Np; ++i) {
    const Barycentric& lambda = nodes[static_cast<std::size_t>(i)];
    e.r(i) = 2 * lambda[1] - 1;
    e.s(i) = 2 * lambda[2] - 1;
    e.t(i) = 2 * lambda[3] - 1;
    const ModalValues modes = tetrahedron_modes(N, e.r(i), e.s(i), e.t(i));
    e.V.row(i) = modes.value.transpose();
    Vr.row(i) = modes.gradient.col(0).transpose();
    Vs.row(i) = modes.gradient.col(1).transpose();
    Vt.row(i) = modes.gradient.col(2).transpose();
  }
  e.invV = e.V.inverse();
  e.Dr = Vr * e.invV;
  e.Ds = Vs * e.invV;
  e.Dt = Vt * e.invV;
  e.M = e.invV.transpose() * e.invV;

  e.Fmask = nodes_on_faces(nodes, e.Nfp);
  const Eigen::MatrixXd face_mass = face_mass_matrix(N, e.r, e.s, e.Fmask);
  Eigen::MatrixXd scattered = Eigen::MatrixXd::Zero(e.Np, Nfaces * e.Nfp);
  for (int face = 0; face < Nfaces; ++face) {
    for (int k = 0; k < e.Nfp; ++k) scattered.row(e.Fmask(k, face)).segment(face * e.Nfp, e.Nfp) = face_mass.row(k);
  }
  e.LIFT = e.V * (e.V.transpose() * scattered);
  return e;
}

}  // namespace

ReferenceElement ReferenceElement::make(int N) {
  if (N < 1 || N > max_order) {
    throw std::invalid_argument("order " + std::to_string(N) + ": reference elements have order 1 to " +
                                std::to_string(max_order));
  }
  // Each is computed once: at order 9 that takes longer than what most ask of it.
  static std::array<std::once_flag, max_order> is_known;
  static std::array<ReferenceElement, max_order> known;
  const auto i = static_cast<std::size_t>(N - 1);
  std::call_once(is_known.at(i), [&] { known.at(i) = computed(N); });
  return known.at(i);
}

Eigen::VectorXd ReferenceElement::lagrange(double at_r, double at_s, double at_t) const {
  return invV.transpose() * tetrahedron_modes(N, at_r, at_s, at_t).value;
}

std::vector<std::int32_t> ReferenceElement::face_nodes() const {
  return {Fmask.data(), Fmask.data() + Fmask.size()};  // stored column by column, a face each
}

}  // namespace maxwell_dg::dg
