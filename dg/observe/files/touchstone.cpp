#include "dg/observe/files/touchstone.hpp"

#include <cstddef>
#include <sstream>
#include <stdexcept>

#include "core/utf8.hpp"
#include "dg/observe/files/csv_file.hpp"

namespace maxwell_dg::dg {

std::string touchstone(const Network& network) {
  const auto& [comments, reference_ohm, frequencies, S] = network;
  if (S.size() != frequencies.size()) throw std::invalid_argument("touchstone: one matrix a frequency is needed");
  std::string text;
  for (const std::string& comment : comments) {
    std::istringstream lines(as_utf8(comment));
    for (std::string line; std::getline(lines, line);) text += "! " + line + "\n";
  }
  text += "# Hz S RI R " + shortest(reference_ohm) + "\n";
  for (std::size_t f = 0; f < S.size(); ++f) {
    text += shortest(frequencies[f]);
    const Eigen::Index ports = S[f].rows();
    for (Eigen::Index i = 0; i < ports; ++i) {
      for (Eigen::Index j = 0; j < ports; ++j) {
        const bool new_line = ports > 2 && j % 4 == 0 && i + j > 0;
        const std::complex<double> value = ports == 2 ? S[f](j, i) : S[f](i, j);
        text += (new_line ? "\n" : "") + (" " + shortest(value.real())) + " " + shortest(value.imag());
      }
    }
    text += "\n";
  }
  return text;
}

}  // namespace maxwell_dg::dg
