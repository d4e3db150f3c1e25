#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "dg/mesh/mesh.hpp"
#include "dg/observe/files/file_scaling.hpp"
#include "dg/observe/recorded_rows.hpp"

namespace maxwell_dg::dg {

/// A table of the fields at points after every step. Columns: `time`, then `NAME.FIELD` for each probe and each field
/// of the system.
class Probes final : public RecordedRows {
 public:
  struct Probe {
    std::string name;
    PointLocation location;
  };
  struct Options {
    Sink& sink;  ///< gets the table "probes"
    std::vector<Probe> probes;
    FileScaling scaling{};
    std::size_t batch = 256;   ///< steps whose records are copied to the host at a time
    const Archive* resumed{};  ///< of a resumed run: what `save` stored; only read by the constructor
  };

  /// The operator must outlive the observer. Throws OutputError.
  Probes(const Operator& op, const Options& options);

 private:
  std::vector<double> row_of(double time, std::span<const double> record) override;  // [point][field]

  double time_factor_;
  std::vector<double> factors_;  ///< [field]
};

}  // namespace maxwell_dg::dg
