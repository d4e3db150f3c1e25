#pragma once

#include <string>
#include <vector>

#include <Eigen/Dense>

namespace maxwell_dg::dg {

/// Scattering parameters.
struct Network {
  std::vector<std::string> comments{};  ///< for people; a line break in one begins another
  double reference_ohm = 50;            ///< of all ports; has no meaning where `comments` say so
  std::vector<double> frequencies{};    ///< in the config's units
  std::vector<Eigen::MatrixXcd> S{};    ///< [frequency], of one shape: out at the row's port, in at the column's
};

/// The text of a Touchstone file (Touchstone File Format Specification, version 1.1, EIA/IBIS Open Forum 2002):
/// frequencies in Hz, scattering parameters as real and imaginary parts, two ports in the order S11 S21 S12 S22, others
/// row by row with at most four numbers a line. Comments go first.
[[nodiscard]] std::string touchstone(const Network& network);

}  // namespace maxwell_dg::dg
