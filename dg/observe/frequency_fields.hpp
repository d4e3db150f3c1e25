#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include "dg/observe/files/file_scaling.hpp"
#include "dg/observe/files/sink.hpp"
#include "dg/observe/files/vtk_writer.hpp"
#include "dg/observe/running_transform.hpp"
#include "dg/time/time_loop.hpp"

namespace maxwell_dg::dg {

/// Fields in the frequency domain on the whole mesh: at the end of a run `frequency_fields_000.vtu` ..., a file for
/// each frequency (of several ranks SnapshotFiles), with `E_re`, `E_im` ... for each quantity. Phasors belong to exp(+j
/// 2 pi f t). A run that ends early writes no file and logs a warning.
class FrequencyFields final : public Observer {
 public:
  struct Options {
    Sink& sink;
    std::vector<std::string> quantities{};  ///< E, H ...; empty: all
    std::vector<double> frequencies;
    double frequency_factor = 1;  ///< from the solver's unit to that of the config
    FourierSampling sampling;
    std::optional<symbolic::Expr> reference{};  ///< see RunningTransform
    FileScaling scaling{};                      ///< without a reference, values have its units of field times time
    const Archive* resumed{};                   ///< of a resumed run: what `save` stored; only read by the constructor
  };

  /// The operator must outlive the observer. Throws ConfigError for a quantity that the system lacks.
  FrequencyFields(const Operator& op, const Options& options);

  void observe(Operator& op, const Moment& now) override;
  /// Throws OutputError.
  /// Nothing would follow of what is transformed: the run ends early because the fields have died away.
  void complete() { transform_.complete(); }
  void finish(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;

  [[nodiscard]] std::size_t written() const { return snapshots_->count(); }

 private:
  std::vector<VtkWriter::PointData> point_data_;  ///< real parts, then imaginary ones
  VtkWriter writer_;
  bool takes_pieces_;  ///< does each rank write its own elements?
  std::unique_ptr<Snapshots> snapshots_;
  RunningTransform transform_;
  double frequency_factor_;
};

}  // namespace maxwell_dg::dg
