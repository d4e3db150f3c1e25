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

/// Fields in the frequency domain, everywhere: at the end of a run `frequency_fields_000.vtu` ..., one a frequency,
/// with `E_re`, `E_im` ... for each quantity. Phasors belong to exp(+j 2 pi f t). A run that ends early writes none,
/// with a warning.
class FrequencyFields final : public Observer {
 public:
  struct Options {
    Sink& sink;
    std::vector<std::string> quantities{};  ///< E, H ...; empty: all
    std::vector<double> frequencies;
    double frequency_factor = 1;  ///< to the unit of the config
    FourierSampling sampling;
    std::optional<symbolic::Expr> reference{};  ///< see RunningTransform
    FileScaling scaling{};                      ///< without a reference, values are in its units of field times time
    const Archive* resumed{};                   ///< what was saved, of a run that goes on; read at once
  };

  /// The operator must outlive the observer. Throws ConfigError for a quantity that the system lacks.
  FrequencyFields(const Operator& op, const Options& options);

  void observe(Operator& op, const Moment& now) override;
  /// Throws OutputError.
  void finish(Operator& op, const Moment& now) override;
  void save(Operator& op, const Moment& now, Archive& archive) override;

  [[nodiscard]] std::size_t written() const { return snapshots_->count(); }

 private:
  std::vector<VtkWriter::PointData> point_data_;  ///< real parts, then imaginary ones
  VtkWriter writer_;
  std::unique_ptr<Snapshots> snapshots_;
  RunningTransform transform_;
  double frequency_factor_;
};

}  // namespace maxwell_dg::dg
