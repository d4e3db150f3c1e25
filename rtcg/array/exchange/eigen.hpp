#pragma once

#include <Eigen/Core>

#include "rtcg/array/device_array.hpp"
#include "rtcg/array/error.hpp"

/// Eigen's matrices to devices and back. Programs that include this link Eigen themselves.
namespace maxwell_dg::rtcg {

/// A copy of a matrix or expression: shape (rows, columns), of a vector (size,).
template <class Derived>
[[nodiscard]] DeviceArray to_device(const Context& context, const Eigen::DenseBase<Derived>& matrix) {
  using T = typename Derived::Scalar;
  const Eigen::Array<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor> in_order = matrix.derived().array();
  const std::span<const T> values(in_order.data(), static_cast<std::size_t>(in_order.size()));
  if constexpr (Derived::IsVectorAtCompileTime) {
    return to_device(context, values, {in_order.size()});
  } else {
    return to_device(context, values, {in_order.rows(), in_order.cols()});
  }
}

/// The numbers of an array of two axes as a matrix, of one axis as a column. Throws DtypeError when T is not the dtype,
/// ShapeError for more axes.
template <Element T>
[[nodiscard]] Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> to_eigen(const DeviceArray& array) {
  if (array.rank() > 2) throw ShapeError("no Eigen matrix has the shape " + to_string(array.shape()));
  const Eigen::Index rows = array.rank() > 0 ? array.shape()[0] : 1, columns = array.rank() > 1 ? array.shape()[1] : 1;
  Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic> matrix(rows, columns);
  // Eigen's matrix runs down its columns, as the transposed array does along its rows.
  const DeviceArray by_columns = array.rank() > 1 ? array.transpose() : array;
  by_columns.copy_to_host(std::span<T>(matrix.data(), static_cast<std::size_t>(matrix.size())));
  return matrix;
}

}  // namespace maxwell_dg::rtcg
