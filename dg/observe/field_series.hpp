#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "dg/observe/file_scaling.hpp"
#include "dg/observe/vtk_writer.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// Snapshots for ParaView: `fields_000000.vtu` ... and `fields.pvd`, which ties them to times. The series file is
/// replaced atomically after each snapshot: whenever a run is killed, what is there opens.
class FieldSeries final : public Observer {
 public:
  struct Options {
    std::filesystem::path directory;
    std::vector<long> steps;                ///< ascending: after which steps
    std::vector<std::string> quantities{};  ///< E, H ...; empty: all
    FileScaling scaling{};
  };

  /// Throws ConfigError for a quantity that the system lacks and in a build without VTK.
  FieldSeries(const Operator& op, Options options);

  /// Throws OutputError; the series written so far stays readable.
  void observe(Operator& op, const Moment& now) override;
  void finish(Operator&, const Moment&) override {}

  [[nodiscard]] std::size_t snapshots() const { return entries_.size(); }

 private:
  struct Entry {
    double time;  ///< in file units
    std::string file;
  };
  void write_series() const;

  Options options_;
  std::vector<VtkWriter::PointData> point_data_;
  VtkWriter writer_;
  std::vector<Entry> entries_;
  std::size_t next_ = 0;  ///< in options_.steps
};

/// The steps nearest to the multiples of `interval` from 0 to `end`, each once.
[[nodiscard]] std::vector<long> steps_every(double interval, double end, long steps);
/// Step 0 and `count` more, evenly spread up to the last.
[[nodiscard]] std::vector<long> steps_evenly(long count, long steps);

}  // namespace maxwell_dg::dg
