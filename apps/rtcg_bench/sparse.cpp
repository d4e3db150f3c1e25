#include <Eigen/IterativeLinearSolvers>

#include "apps/rtcg_bench/bench.hpp"
#include "apps/rtcg_bench/cusparse_peer.hpp"
#include "apps/rtcg_bench/host_loops.hpp"
#include "apps/rtcg_bench/matrices.hpp"
#include "apps/rtcg_bench/timing.hpp"
#include "rtcg/sparse/conjugate_gradients.hpp"
#include "rtcg/sparse/eigen.hpp"
#include "rtcg/sparse/sparse_variant.hpp"
#include "rtcg/tune/measure.hpp"

namespace maxwell_dg::bench {

namespace {

constexpr double giga = 1e9;

// What every way to store the matrix takes, of which a SparseMatrix picks one.
void time_formats(const Setting& setting, const std::string& name, const rtcg::CsrMatrix<float>& matrix,
                  const Report& report) {
  const rtcg::DeviceArray x = rtcg::ones(setting.context, {matrix.columns}, Dtype::float32);
  const rtcg::DeviceArray y = rtcg::empty(setting.context, {matrix.rows}, Dtype::float32);
  for (const std::string& format : rtcg::sparse_variants(setting.context)) {
    const std::string why_not = rtcg::objection(format, matrix);
    if (!why_not.empty()) {
      report({.name = "SpMV " + name, .size = matrix.entries(), .remark = format + ": " + why_not});
      continue;
    }
    rtcg::SparseVariant variant =
        rtcg::make_variant(format, setting.context, {matrix, Dtype::float32, std::as_bytes(std::span(matrix.values))});
    for (const rtcg::DeviceArray& array : {x, y}) {
      variant.arguments.emplace_back(array.buffer());
      variant.arguments.emplace_back(array.offset());
    }
    const core::Module module = setting.context.compiler().compile(variant.source);
    const core::Kernel kernel = module.kernel(variant.kernel);
    const double seconds = rtcg::measure_seconds(
        setting.context.stream(), [&] { kernel.launch(setting.context.stream(), variant.launch, variant.arguments); });
    report({.name = "SpMV " + name,
            .size = matrix.entries(),
            .seconds = seconds,
            .gb_per_second = static_cast<double>(variant.bytes) / seconds / giga,
            .rate = static_cast<double>(matrix.entries()) / seconds,
            .remark = format + ", " + std::to_string(kernel.attributes().registers) + " registers"});
  }
}

void time_product(const Setting& setting, const std::string& name, const rtcg::CsrMatrix<float>& matrix,
                  const Report& report) {
  const rtcg::SparseMatrix on_device(setting.context, matrix);
  const rtcg::DeviceArray x = rtcg::ones(setting.context, {matrix.columns}, Dtype::float32);
  const rtcg::DeviceArray y = rtcg::empty(setting.context, {matrix.rows}, Dtype::float32);
  const std::vector<float> from(static_cast<std::size_t>(matrix.columns), 1.0F);
  std::vector<float> to(static_cast<std::size_t>(matrix.rows));
  const auto [seconds, on_host] = seconds_in_turns(
      setting.context.stream(), [&] { on_device.multiply(x, y); },
      [&] { host::multiply(matrix.row_begin, matrix.column, matrix.values, from, to); });
  // As CSR with 32-bit indices has it, whatever the format: x and y once.
  const double bytes = 8.0 * static_cast<double>(matrix.entries()) + 4.0 * static_cast<double>(matrix.rows) * 2 +
                       4.0 * static_cast<double>(matrix.columns);
  const std::optional<double> peer = cusparse_seconds(setting.context, matrix);
  report({.name = "SpMV " + name,
          .size = matrix.entries(),
          .seconds = seconds,
          .gb_per_second = bytes / seconds / giga,
          .rate = static_cast<double>(matrix.entries()) / seconds,
          .limit = peer ? std::optional(*peer / 0.95) : std::nullopt,
          .peer = peer,
          .host = on_host,
          .remark = on_device.variant() + (peer ? ", peer: cuSPARSE" : "")});
}

void time_solver(const Setting& setting, const Report& report) {
  constexpr double tolerance = 1e-8;
  const rtcg::CsrMatrix<double> matrix = stencil_matrix<double>(setting.points, Stencil::seven);
  const rtcg::SparseMatrix on_device(setting.context, matrix);
  const rtcg::DeviceArray b = rtcg::ones(setting.context, {matrix.rows}, Dtype::float64);
  const rtcg::DeviceArray x = rtcg::zeros(setting.context, {matrix.rows}, Dtype::float64);
  rtcg::ConjugateGradientsResult result;
  const double seconds = median_seconds(
      [&] {
        x.fill(0);
        result = rtcg::conjugate_gradients(on_device, b, x, {.tolerance = tolerance});
      },
      3);
  using Matrix = Eigen::SparseMatrix<double, Eigen::RowMajor, std::int64_t>;
  const Matrix of_eigen = rtcg::to_eigen(matrix);
  const Eigen::VectorXd right = Eigen::VectorXd::Ones(matrix.rows);
  Eigen::setNbThreads(2);
  Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper> solver(of_eigen);
  solver.setTolerance(tolerance);
  double kept = 0;
  const double on_host = median_seconds([&] { kept += solver.solve(right).eval()[0]; }, 1);
  report({.name = "CG, 7-point, float64",
          .size = matrix.entries(),
          .seconds = seconds,
          .rate = static_cast<double>(matrix.rows) * static_cast<double>(result.iterations) / seconds,
          .host = on_host,
          .remark = std::to_string(result.iterations) + " iterations, Eigen " + std::to_string(solver.iterations()) +
                    (kept != 0 ? " on two threads" : "")});
}

}  // namespace

void run_formats(const Setting& setting, const Report& report) {
  time_formats(setting, "7-point", stencil_matrix<float>(setting.points, Stencil::seven), report);
  time_formats(setting, "27-point", stencil_matrix<float>(setting.points, Stencil::twenty_seven), report);
  time_formats(setting, "irregular", irregular_matrix(setting.points * setting.points * setting.points / 4), report);
}

void run_sparse(const Setting& setting, const Report& report) {
  time_product(setting, "7-point", stencil_matrix<float>(setting.points, Stencil::seven), report);
  time_product(setting, "27-point", stencil_matrix<float>(setting.points, Stencil::twenty_seven), report);
  time_product(setting, "irregular", irregular_matrix(setting.points * setting.points * setting.points / 4), report);
  if (setting.context.device().info().has_float64) time_solver(setting, report);
}

}  // namespace maxwell_dg::bench
