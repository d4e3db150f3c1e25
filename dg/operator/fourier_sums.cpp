#include "dg/operator/fourier_sums.hpp"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

#include "core/error.hpp"
#include "core/round_up.hpp"
#include "dg/operator/device_arrays.hpp"

namespace maxwell_dg::dg {

namespace {

constexpr auto group_items = static_cast<std::size_t>(KernelGenerator::point_items);

/// Values of a row of sums, padded so that each row begins on a cache line of 128 bytes in either precision:
/// neighbouring work-items then read and write whole lines.
std::size_t row_of(std::size_t points) {
  constexpr std::size_t line = 32;
  return round_up(points, line);
}

std::vector<std::int32_t> codes(const std::vector<ElementFace>& faces) {
  std::vector<std::int32_t> result;
  for (const ElementFace& f : faces) result.push_back(static_cast<std::int32_t>(4 * f.element) + f.face);
  return result;
}

}  // namespace

FourierSums::FourierSums(const DeviceProblem& problem, const KernelGenerator& generator, FourierSelection selection)
    : problem_(problem), selection_(std::move(selection)) {
  const StageSetting& setting = problem.setting();
  const std::size_t of_volume = problem.layout().K * index(problem.layout().Np);
  const bool on_faces = selection_.faces.has_value();
  const std::size_t points = on_faces ? selection_.faces->size() * index(problem.discretization().Nfp()) : of_volume;
  points_ = static_cast<std::int64_t>(points);

  const core::Module module = rtcg::Compiler(setting.compiler).compile(generator.fourier(on_faces));
  weigh_ = module.kernel("fourier_weights");
  sum_ = module.kernel("fourier_sums");
  frequencies_ = setting.upload(selection_.frequencies);
  fields_ = setting.upload(std::vector<std::int32_t>(selection_.fields.begin(), selection_.fields.end()));
  faces_ = setting.upload(on_faces ? codes(*selection_.faces) : std::vector<std::int32_t>{});
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
  sum_.launch(problem_.stream(),
              {.groups = {ceil_divide(static_cast<std::size_t>(points_), group_items), selection_.fields.size(), 1},
               .group_size = {group_items, 1, 1}},
              {problem_.stages().cartesian_state(), fields_, faces_, face_nodes_, weights_, sums_, points_, row, fields,
               count});
}

std::size_t FourierSums::size() const {
  const Discretization& d = problem_.discretization();
  const std::size_t of_a_field = selection_.faces ? selection_.faces->size() * index(d.Nfp()) : d.K() * index(d.Np());
  return selection_.fields.size() * of_a_field;
}

void FourierSums::get(std::size_t frequency, std::span<std::complex<double>> sums) const {
  if (frequency >= selection_.frequencies.size() || sums.size() != size()) {
    throw std::invalid_argument(
        "FourierSums::get: a frequency that is summed and an array of size() numbers are needed");
  }
  const Layout at = layout();
  const std::size_t fields = selection_.fields.size();
  const Dtype precision = problem_.setting().precision;
  std::array<HostReals, 2> parts{HostReals(precision, at.row), HostReals(precision, at.row)};
  for (std::size_t i = 0; i < fields; ++i) {
    for (std::size_t part = 0; part < 2; ++part) {
      problem_.stream().read(sums_, ((2 * frequency + part) * fields + i) * at.row * size_of(precision),
                             parts.at(part).bytes());
    }
    problem_.stream().synchronize();
    for (std::size_t thing = 0; thing < at.things; ++thing) {
      for (std::size_t n = 0; n < at.nodes; ++n) {
        const std::size_t point = thing * at.nodes + n;
        sums[(thing * fields + i) * at.nodes + n] = {parts[0].get(point), parts[1].get(point)};
      }
    }
  }
}

FourierSums::Layout FourierSums::layout() const {
  const bool on_faces = selection_.faces.has_value();
  const StateLayout& state = problem_.layout();
  return {.rows = 2 * selection_.frequencies.size() * selection_.fields.size(),
          .row = row_of(static_cast<std::size_t>(points_)),
          .things = on_faces ? selection_.faces->size() : state.K,
          .nodes = index(on_faces ? problem_.discretization().Nfp() : state.Np)};
}

void FourierSums::save(const std::string& name, Archive& archive) const {
  const Layout at = layout();
  const Dtype precision = problem_.setting().precision;
  HostReals row(precision, at.row), all(precision, at.rows * at.things * at.nodes);
  for (std::size_t i = 0, to = 0; i < at.rows; ++i) {
    problem_.stream().read(sums_, i * at.row * size_of(precision), row.bytes());
    problem_.stream().synchronize();
    for (std::size_t point = 0; point < at.things * at.nodes; ++point) all.set(to++, row.get(point));
  }
  const auto bytes = all.bytes();
  archive.put(name,
              array_of(precision, {selection_.frequencies.size(), 2, selection_.fields.size(), at.things, at.nodes},
                       {bytes.begin(), bytes.end()}));
}

void FourierSums::load(const std::string& name, const Archive& archive) {
  const Layout at = layout();
  const std::vector<std::size_t> shape{selection_.frequencies.size(), 2, selection_.fields.size(), at.things, at.nodes};
  if (archive.array(name).shape != shape) {
    throw ConfigError("the checkpoint's running Fourier sums '" + name +
                      "' are of other frequencies, fields or order; resume as it was, or begin anew without --resume");
  }
  const std::vector<double> all = archive.reals(name);
  const Dtype precision = problem_.setting().precision;
  for (std::size_t i = 0, from = 0; i < at.rows; ++i) {
    HostReals row(precision, at.row);
    for (std::size_t point = 0; point < at.things * at.nodes; ++point) row.set(point, all[from++]);
    problem_.stream().write(sums_, i * at.row * size_of(precision), row.bytes());
    problem_.stream().synchronize();
  }
}

std::size_t FourierSums::forecast_bytes(std::size_t points, std::size_t fields, std::size_t frequencies,
                                        Dtype precision) {
  return 2 * frequencies * fields * row_of(points) * size_of(precision);
}

}  // namespace maxwell_dg::dg
