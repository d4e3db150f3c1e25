#include "dg/observe/frequency_fields.hpp"

#include <complex>
#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "core/log.hpp"
#include "core/quantity.hpp"
#include "dg/observe/files/vtk_data.hpp"

namespace maxwell_dg::dg {
namespace {

/// The fields of these groups, one after the other: their transforms are computed.
std::vector<int> fields_of(const std::vector<VtkWriter::PointData>& groups) {
  std::vector<int> fields;
  for (const VtkWriter::PointData& group : groups) {
    fields.insert(fields.end(), group.fields.begin(), group.fields.end());
  }
  return fields;
}

/// The same groups as point data, once for real and once for imaginary parts. Fields are numbered by their position in
/// `fields_of`; imaginary parts follow all real ones.
std::vector<VtkWriter::PointData> real_and_imaginary(const std::vector<VtkWriter::PointData>& groups, double factor) {
  std::vector<VtkWriter::PointData> result;
  int next = 0;
  for (const char* part : {"_re", "_im"}) {
    for (VtkWriter::PointData group : groups) {
      group.name += part;
      for (int& field : group.fields) field = next++;
      for (double& f : group.factors) f *= factor;
      result.push_back(std::move(group));
    }
  }
  return result;
}

std::vector<VtkWriter::PointData> groups_of(const Operator& op, const FrequencyFields::Options& options) {
  return point_data(op.problem().system, options.quantities, options.scaling);
}

}  // namespace

FrequencyFields::FrequencyFields(const Operator& op, const Options& options)
    : point_data_(real_and_imaginary(groups_of(op, options), options.reference ? 1.0 : options.scaling.time)),
      writer_(op.part(), op.precision(), cell_data(op.problem_of_part(), options.scaling), options.scaling.parts),
      takes_pieces_(options.sink.takes_pieces()),
      snapshots_(options.sink.begin_snapshots(
          {.name = "frequency_fields",
           .over = SnapshotSeries::Over::frequency,
           .quantities = point_data_,
           .parts = options.scaling.parts,
           .fields = static_cast<int>(2 * fields_of(groups_of(op, options)).size()),
           .block = static_cast<std::size_t>(op.discretization().Np()),
           .positions = [&op] { return op.discretization().nodes(); },
           .cells = op.part().own(),
           .write_vtu = [this, fields = static_cast<int>(2 * fields_of(groups_of(op, options)).size())](
                            const std::filesystem::path& file,
                            std::span<const double> values) { writer_.write(file, values, fields, point_data_); },
           .write_pvtu =
               [this](const std::filesystem::path& file, std::span<const std::string> pieces) {
                 writer_.write_pieces(file, point_data_, pieces);
               }})),
      transform_(op, {.selection = {.frequencies = options.frequencies, .fields = fields_of(groups_of(op, options))},
                      .sampling = options.sampling,
                      .reference = options.reference}),
      frequency_factor_(options.frequency_factor) {
  if (options.resumed != nullptr) transform_.load("frequency_fields", *options.resumed);
}

void FrequencyFields::observe(Operator&, const Moment& now) {
  transform_.observe(now);
}

void FrequencyFields::save(Operator&, const Moment&, Archive& archive) {
  transform_.save("frequency_fields", archive);
}

void FrequencyFields::finish(Operator& op, const Moment&) {
  if (!transform_.is_complete()) {
    log_warning("frequency_fields: not written, because the run ended early");
    return;
  }
  const auto Np = static_cast<std::size_t>(op.discretization().Np());
  const std::size_t of_an_element = transform_.selection().fields.size() * Np;
  std::string failure;
  for (std::size_t j = 0; j < transform_.selection().frequencies.size(); ++j) {
    const std::vector<std::complex<double>> sums = takes_pieces_ ? transform_.get_own(j) : transform_.get(j);
    if (sums.empty() || !failure.empty()) continue;  // the first rank has them
    std::vector<double> values(2 * sums.size());     // [element][part][field][node]
    for (std::size_t i = 0; i < sums.size(); ++i) {
      const std::size_t at = i / of_an_element * 2 * of_an_element + i % of_an_element;
      values[at] = sums[i].real();
      values[at + of_an_element] = sums[i].imag();
    }
    try {
      snapshots_->add(core::rounded(transform_.selection().frequencies[j] * frequency_factor_), values);
    } catch (const OutputError& error) {
      failure = error.what();
    }
  }
  snapshots_->complete(failure);
}

}  // namespace maxwell_dg::dg
