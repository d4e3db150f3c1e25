#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "dg/maxwell/lumped_element.hpp"
#include "dg/observe/files/sink.hpp"
#include "dg/observe/recorded_rows.hpp"

namespace maxwell_dg::dg {

/// A table of the voltage across lumped elements and the current through them, every few steps: columns `time`, then
/// NAME.V and NAME.I for each. They are those of the fields beside the film: the integral of e . E, of both sides the
/// mean, and that of the jump of n x H, over the film (docs/theory.md, Lumped elements).
class ElementSignals final : public RecordedRows {
 public:
  static constexpr std::size_t batch = 64;  ///< records that are copied to the host at a time
  struct Element {
    std::string name;
    maxwell::PortMode mode;
  };
  struct Options {
    Sink& sink;  ///< gets the table "elements"
    std::vector<Element> elements;
    long every{};              ///< steps
    double time_factor{1};     ///< from times inside to those of the table
    double current_factor{1};  ///< the same of currents
    const Archive* resumed{};  ///< of a resumed run: what `save` stored; only read by the constructor
  };

  /// For Maxwell's equations. The operator must outlive the observer. Throws OutputError.
  ElementSignals(const Operator& op, const Options& options);

 private:
  std::vector<double> row_of(double time, std::span<const double> record) override;  // [face][face node][field]

  double time_factor_;
  /// [element] for each number of a record what it adds to the voltage, and to the current in the table's unit.
  std::vector<std::vector<double>> of_voltage_, of_current_;
};

}  // namespace maxwell_dg::dg
