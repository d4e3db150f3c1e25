#pragma once

#include <algorithm>
#include <complex>

#include "dg/time/spectrum.hpp"

namespace maxwell_dg::dg::testing {

/// The largest real part of an eigenvalue, over the largest modulus.
inline double relative_growth(const Discretization& discretization, const Problem& problem) {
  double growth = -1e300, largest = 0;
  for (const std::complex<double>& value : all_eigenvalues(discretization, problem)) {
    growth = std::max(growth, value.real());
    largest = std::max(largest, std::abs(value));
  }
  return growth / largest;
}

}  // namespace maxwell_dg::dg::testing
