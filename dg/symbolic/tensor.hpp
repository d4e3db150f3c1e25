#pragma once

#include <utility>

#include "dg/symbolic/expression.hpp"
#include "dg/symbolic/vector.hpp"

namespace maxwell_dg::dg::symbolic {

/// Six expressions: a symmetric tensor in space.
struct Tensor {
  Expr xx, yy, zz, yz, xz, xy;

  Tensor(Expr a, Expr b, Expr c, Expr d, Expr e, Expr f)
      : xx(std::move(a)), yy(std::move(b)), zz(std::move(c)), yz(std::move(d)), xz(std::move(e)), xy(std::move(f)) {}

  [[nodiscard]] Vector times(const Vector& v) const {
    return {xx * v[0] + xy * v[1] + xz * v[2], xy * v[0] + yy * v[1] + yz * v[2], xz * v[0] + yz * v[1] + zz * v[2]};
  }
  /// Cofactors over the determinant.
  [[nodiscard]] Tensor inverse() const {
    const Expr c_xx = yy * zz - yz * yz, c_xy = xz * yz - xy * zz, c_xz = xy * yz - xz * yy;
    const Expr determinant = xx * c_xx + xy * c_xy + xz * c_xz;
    return {c_xx / determinant,
            (xx * zz - xz * xz) / determinant,
            (xx * yy - xy * xy) / determinant,
            (xy * xz - xx * yz) / determinant,
            c_xz / determinant,
            c_xy / determinant};
  }
};

}  // namespace maxwell_dg::dg::symbolic
