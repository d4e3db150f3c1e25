#include "dg/operator/fourier_sums.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"
#include "core/mpi/of_all.hpp"
#include "core/round_up.hpp"
#include "dg/operator/device_arrays.hpp"
#include "rtcg/compile/compile_together.hpp"

namespace maxwell_dg::dg {

namespace {

constexpr auto group_items = static_cast<std::size_t>(KernelGenerator::point_items);

/// Values of a row of sums, padded so that each row begins on a cache line of 128 bytes in either precision:
/// neighbouring work-items then read and write whole lines.
std::size_t row_of(std::size_t points) {
  constexpr std::size_t line = 32;
  return round_up(points, line);
}

}  // namespace

FourierSums::FourierSums(const DeviceProblem& problem, const KernelGenerator& generator, FourierSelection selection,
                         core::Communicator ranks, const Share* share)
    : problem_(problem), selection_(std::move(selection)), ranks_(std::move(ranks)) {
  things_ = selection_.faces ? selection_.faces->size() : problem.layout().K;
  if (share != nullptr) {
    if (!selection_.faces) things_ = share->whole().K();
    take_own_things([&](std::size_t element) { return share->own_number(element); });
  } else if (ranks_.size() > 1 && selection_.lists_all) {
    const std::size_t own = problem.discretization().own();
    take_own_things([&](std::size_t element) { return element < own ? static_cast<std::ptrdiff_t>(element) : -1; });
  } else if (ranks_.size() > 1) {
    number_own_things();
  }
  const StageSetting& setting = problem.setting();
  const std::size_t of_volume = problem.layout().K * index(problem.layout().Np);
  const bool on_faces = selection_.faces.has_value();
  const std::size_t points = on_faces ? selection_.faces->size() * index(problem.discretization().Nfp()) : of_volume;
  points_ = static_cast<std::int64_t>(points);

  const rtcg::KernelSource source = generator.fourier(on_faces);
  const core::Module module = rtcg::compile_together(setting.compiler, std::span(&source, 1), ranks_).front();
  weigh_ = module.kernel("fourier_weights");
  sum_ = module.kernel("fourier_sums");
  frequencies_ = setting.upload(selection_.frequencies);
  fields_ = setting.upload(std::vector<std::int32_t>(selection_.fields.begin(), selection_.fields.end()));
  faces_ = setting.upload(on_faces ? face_numbers(*selection_.faces) : std::vector<std::int32_t>{});
  face_nodes_ = setting.upload(problem.discretization().reference.face_nodes());
  const std::size_t count = selection_.frequencies.size();
  weights_ = setting.upload_reals(2 * count, [](std::size_t) { return 0.0; });
  sums_ = setting.device().allocate(
      std::max<std::size_t>(1, forecast_bytes(points, selection_.fields.size(), count, setting.precision)));
  setting.stream.fill_zero(sums_);
}

void FourierSums::add(double t, double weight) {
  const auto count = static_cast<std::int32_t>(selection_.frequencies.size());
  const auto fields = static_cast<std::int32_t>(selection_.fields.size());
  const auto row = static_cast<std::int64_t>(layout().row);
  weigh_.launch(
      problem_.stream(),
      {.groups = {ceil_divide(selection_.frequencies.size(), group_items), 1, 1}, .group_size = {group_items, 1, 1}},
      {frequencies_, weights_, t, weight, count});
  if (points_ == 0) return;  // other ranks have the faces
  sum_.launch(problem_.stream(),
              {.groups = {ceil_divide(static_cast<std::size_t>(points_), group_items), selection_.fields.size(), 1},
               .group_size = {group_items, 1, 1}},
              {problem_.stages().cartesian_state(), fields_, faces_, face_nodes_, weights_, sums_, points_, row, fields,
               count});
}

/// Keeps the faces of own elements in the selection, with their numbers in the part.
void FourierSums::take_own_things(const std::function<std::ptrdiff_t(std::size_t)>& own_number) {
  if (!selection_.faces) return number_own_elements();
  std::vector<ElementFace> own;
  for (std::size_t i = 0; i < selection_.faces->size(); ++i) {
    const auto& [element, face] = (*selection_.faces)[i];
    const std::ptrdiff_t number = own_number(element);
    if (number < 0) continue;
    own.push_back({static_cast<std::size_t>(number), face});
    numbers_.push_back(static_cast<std::int64_t>(i));
  }
  selection_.faces = std::move(own);
}

void FourierSums::number_own_elements() {
  const Discretization& part = problem_.discretization();
  numbers_.assign(part.whole_numbers.begin(), part.whole_numbers.begin() + static_cast<std::ptrdiff_t>(part.own()));
}

/// In a part of a mesh: faces as the whole would have them, ascending.
void FourierSums::number_own_things() {
  const Discretization& part = problem_.discretization();
  things_ = static_cast<std::size_t>(core::sum_of(ranks_, static_cast<double>(part.own())));
  number_own_elements();
  if (!selection_.faces) return;
  std::vector<std::int64_t> mine;
  for (const auto& [element, face] : *selection_.faces) mine.push_back(4 * numbers_[element] + face);
  std::vector<std::int64_t> all = core::all_of(ranks_, mine);
  std::ranges::sort(all);
  things_ = all.size();
  numbers_.clear();
  for (const std::int64_t face : mine) numbers_.push_back(std::ranges::lower_bound(all, face) - all.begin());
}

std::size_t FourierSums::own_things() const {
  return ranks_.size() == 1 ? layout().things : numbers_.size();
}

std::vector<double> FourierSums::read_row(std::size_t row) const {
  const Layout at = layout();
  HostReals padded(problem_.setting().precision, at.row);
  problem_.stream().read(sums_, row * at.row * size_of(problem_.setting().precision), padded.bytes());
  problem_.stream().synchronize();
  std::vector<double> values(own_things() * at.nodes);
  for (std::size_t point = 0; point < values.size(); ++point) values[point] = padded.get(point);
  return values;
}

std::vector<std::complex<double>> FourierSums::get_own(std::size_t frequency) const {
  if (frequency >= selection_.frequencies.size()) {
    throw std::out_of_range("FourierSums: there are " + std::to_string(selection_.frequencies.size()) + " frequencies");
  }
  const std::size_t fields = selection_.fields.size(), nodes = layout().nodes;
  std::vector<std::complex<double>> sums(own_things() * fields * nodes);
  for (std::size_t i = 0; i < fields; ++i) {
    const std::vector<double> real = read_row(2 * frequency * fields + i);
    const std::vector<double> imaginary = read_row((2 * frequency + 1) * fields + i);
    for (std::size_t thing = 0; thing < own_things(); ++thing) {
      for (std::size_t n = 0; n < nodes; ++n) {
        const std::size_t point = thing * nodes + n;
        sums[(thing * fields + i) * nodes + n] = {real[point], imaginary[point]};
      }
    }
  }
  return sums;
}

std::vector<std::complex<double>> FourierSums::get(std::size_t frequency) const {
  const std::vector<std::complex<double>> own = get_own(frequency);
  if (ranks_.size() == 1) return own;
  std::vector<double> parts;
  parts.reserve(2 * own.size());
  for (const std::complex<double>& sum : own) parts.insert(parts.end(), {sum.real(), sum.imag()});
  const std::size_t width = 2 * selection_.fields.size() * layout().nodes;
  const std::vector<double> all = joined_rows(ranks_, numbers_, parts, width, things_, Share::Receiver::first);
  std::vector<std::complex<double>> sums;
  sums.reserve(all.size() / 2);
  for (std::size_t i = 0; i < all.size(); i += 2) sums.emplace_back(all[i], all[i + 1]);
  return sums;
}

FourierSums::Layout FourierSums::layout() const {
  const bool on_faces = selection_.faces.has_value();
  const StateLayout& state = problem_.layout();
  return {.rows = 2 * selection_.frequencies.size() * selection_.fields.size(),
          .row = row_of(static_cast<std::size_t>(points_)),
          .things = on_faces ? selection_.faces->size() : state.K,
          .nodes = index(on_faces ? problem_.discretization().Nfp() : state.Np)};
}

/// Of a frequency, real or imaginary part, and field: the sums of an element or face.
Archive::Array::Part FourierSums::own_rows() const {
  const std::size_t own = own_things();
  return {.rows = layout().rows * own, .number = [this, own](std::size_t row) {
            const std::size_t thing = row % own;
            return row / own * things_ + (ranks_.size() == 1 ? thing : static_cast<std::size_t>(numbers_[thing]));
          }};
}

void FourierSums::save(const std::string& name, Archive& archive) const {
  const Layout at = layout();
  const Dtype precision = problem_.setting().precision;
  HostReals all(precision, at.rows * own_things() * at.nodes);
  std::size_t to = 0;
  for (std::size_t row = 0; row < at.rows; ++row) {
    for (const double value : read_row(row)) all.set(to++, value);
  }
  const auto bytes = all.bytes();
  Archive::Array array{.dtype = precision,
                       .shape = {selection_.frequencies.size(), 2, selection_.fields.size(), things_, at.nodes},
                       .rows =
                           [row_bytes = at.nodes * size_of(precision), own = std::vector(bytes.begin(), bytes.end())](
                               std::size_t first, std::span<std::byte> rows) {
                             std::copy_n(own.begin() + static_cast<std::ptrdiff_t>(first * row_bytes), rows.size(),
                                         rows.begin());
                           },
                       .row_axes = 4};
  if (ranks_.size() > 1) array.part = own_rows();
  archive.put(name, std::move(array));
}

void FourierSums::load(const std::string& name, const Archive& archive) {
  const Layout at = layout();
  const std::vector<std::size_t> shape{selection_.frequencies.size(), 2, selection_.fields.size(), things_, at.nodes};
  if (archive.array(name).shape != shape) {
    throw ConfigError("the checkpoint's running Fourier sums '" + name +
                      "' are of other frequencies, fields or order; resume as it was, or begin anew without --resume");
  }
  const std::vector<double> own = archive.reals(name, own_rows(), 4);
  const Dtype precision = problem_.setting().precision;
  const std::size_t values = own_things() * at.nodes;
  for (std::size_t i = 0; i < at.rows; ++i) {
    HostReals row(precision, at.row);
    for (std::size_t point = 0; point < values; ++point) row.set(point, own[i * values + point]);
    problem_.stream().write(sums_, i * at.row * size_of(precision), row.bytes());
    problem_.stream().synchronize();
  }
}

std::size_t FourierSums::forecast_bytes(std::size_t points, std::size_t fields, std::size_t frequencies,
                                        Dtype precision) {
  return 2 * frequencies * fields * row_of(points) * size_of(precision);
}

}  // namespace maxwell_dg::dg
