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
/// device records the values on the faces while the run continues; a file is written when they have arrived. Of several
/// ranks each writes the faces of its own elements; `surface_fields.pvd` has a snapshot as FieldSeries says.
///
/// Of Maxwell's equations `J` is the current on a conductor, n x H with n out of the conductor, hence into the element
/// whose face it is [A/m]. Of a wall inside the mesh each side has its own.
class SurfaceSeries final : public Observer {
 public:
  static constexpr std::size_t batch = 1;  ///< snapshots that are copied to the host at a time
  struct Options {
    Sink& sink;
    std::vector<ElementFace> faces;
    std::vector<int> surface;               ///< [face] see SurfaceGrid
    std::vector<long> steps;                ///< after which steps, ascending
    std::vector<std::string> quantities{};  ///< E, H, J ...; empty: all fields
    FileScaling scaling{};
    const Archive* resumed{};  ///< of a resumed run: what `save` stored; only read by the constructor
  };

  /// The operator must outlive the observer. Throws ConfigError for a quantity that the system lacks.
  SurfaceSeries(const Operator& op, Options options);

  /// All of these throw OutputError; the series that was written before stays readable.
  void observe(Operator& op, const Moment& now) override;
  void finish(Operator& op, const Moment& now) override;
  void flush(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;

  [[nodiscard]] std::size_t snapshots() const { return series_->count(); }

 private:
  /// Faces with their numbers in a discretization, and their surfaces.
  struct Faces {
    std::vector<ElementFace> faces;
    std::vector<int> surface;
  };
  [[nodiscard]] static Faces faces_of(const Operator& op, const Options& options);
  /// Writes what is recorded, and waits until all ranks have.
  void finish_writing();
  void write(std::span<const double> records);  // [record][point][field]
  void add(std::span<const double> record);
  [[nodiscard]] int values_of_a_point() const;
  /// [point][field, then J]
  [[nodiscard]] std::vector<double> with_currents(std::span<const double> record) const;

  Options options_;
  bool is_alone_, adds_;  ///< is this the only rank? does it add snapshots?
  std::vector<VtkWriter::PointData> point_data_;
  SurfaceGrid grid_;
  std::unique_ptr<Recorder> recorder_;
  int field_count_;             ///< that are recorded
  std::vector<Point> normals_;  ///< [point] out of the elements; empty where no currents are written
  std::unique_ptr<Snapshots> series_;
  std::deque<double> times_;  ///< of records that were not written yet
};

}  // namespace maxwell_dg::dg
