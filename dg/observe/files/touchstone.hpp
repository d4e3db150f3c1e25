#pragma once

#include <string>
#include <vector>

#include <Eigen/Dense>

namespace maxwell_dg::dg {

/// Scattering parameters.
struct Network {
  std::vector<std::string> comments{};  ///< lines of comment; a line break begins a new one
  double reference_ohm = 50;            ///< reference impedance of all ports; meaningless if `comments` say so
  std::vector<double> frequencies{};    ///< in the config's units
  std::vector<Eigen::MatrixXcd> S{};    ///< [frequency] [port where the wave goes out, port where it comes in]
};

/// The text of a Touchstone file (Touchstone File Format Specification, version 1.1, EIA/IBIS Open Forum 2002):
/// comments first; frequencies in Hz; scattering parameters as real and imaginary parts, those of two ports in the
/// order S11 S21 S12 S22, others row by row with at most four complex numbers in a line.
[[nodiscard]] std::string touchstone(const Network& network);

}  // namespace maxwell_dg::dg
