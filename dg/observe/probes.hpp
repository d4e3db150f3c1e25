#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "dg/observe/csv_file.hpp"
#include "dg/observe/file_scaling.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// Fields at points after every step: `time`, then `NAME.FIELD` for every field of the system.
/// The device records by itself; rows are fetched and written a batch at a time.
class Probes final : public Observer {
 public:
  struct Probe {
    std::string name;
    PointLocation location;
  };
  struct Options {
    std::filesystem::path file;
    std::vector<Probe> probes;
    FileScaling scaling{};
    std::size_t batch = 1024;  ///< steps between two visits to the device
  };

  /// The operator must outlive the observer. Throws OutputError.
  Probes(const Operator& op, Options options);

  void observe(Operator& op, const Moment& now) override;
  void finish(Operator& op, const Moment& now) override;

 private:
  void write_pending();

  Options options_;
  std::vector<double> factors_;  ///< [field]
  std::unique_ptr<PointSampler> sampler_;
  std::vector<double> times_;  ///< of what was recorded and not yet taken
  CsvFile file_;
};

}  // namespace maxwell_dg::dg
