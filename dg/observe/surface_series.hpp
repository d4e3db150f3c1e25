#pragma once

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dg/observe/files/file_scaling.hpp"
#include "dg/observe/files/sink.hpp"
#include "dg/observe/files/surface_grid.hpp"
#include "dg/operator/recorder.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// Snapshots of the fields on some faces for ParaView: `surface_fields_000000.vtu` ... and `surface_fields.pvd`. The
/// device notes the values on the faces and goes on; a file is written when they have arrived.
class SurfaceSeries final : public Observer {
 public:
  static constexpr std::size_t batch = 1;  ///< snapshots that the device sends at a time
  struct Options {
    Sink& sink;
    std::vector<ElementFace> faces;
    std::vector<int> surface;               ///< [face] see SurfaceGrid
    std::vector<long> steps;                ///< ascending: after which steps
    std::vector<std::string> quantities{};  ///< E, H ...; empty: all
    FileScaling scaling{};
    const Archive* resumed{};  ///< what was saved, of a run that goes on; read at once
  };

  /// The operator must outlive the observer. Throws ConfigError for a quantity that the system lacks.
  SurfaceSeries(const Operator& op, Options options);

  /// These throw OutputError; the series written so far stays readable.
  void observe(Operator& op, const Moment& now) override;
  void finish(Operator& op, const Moment& now) override;
  void flush(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;

  [[nodiscard]] std::size_t snapshots() const { return series_->count(); }

 private:
  void write(std::span<const double> records);  // [record][point][field]

  Options options_;
  std::vector<VtkWriter::PointData> point_data_;
  SurfaceGrid grid_;
  std::unique_ptr<Recorder> recorder_;
  int field_count_;
  std::unique_ptr<Snapshots> series_;
  std::deque<double> times_;  ///< of what was recorded and not yet written
};

}  // namespace maxwell_dg::dg
