#pragma once

#include <string>
#include <vector>

#include <Eigen/Dense>

namespace maxwell_dg::dg {

/// The text of a Touchstone file (Touchstone File Format Specification, version 1.1, EIA/IBIS Open Forum 2002):
/// frequencies in Hz, scattering parameters as real and imaginary parts, two ports in the order S11 S21 S12 S22, others
/// row by row with at most four numbers a line. `S` is [frequency], of one shape; `comments` go first, a line
/// break in one begins another.
[[nodiscard]] std::string touchstone(const std::vector<std::string>& comments, double reference_ohm,
                                     const std::vector<double>& frequencies, const std::vector<Eigen::MatrixXcd>& S);

}  // namespace maxwell_dg::dg
