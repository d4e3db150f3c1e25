#include "rtcg/sparse/sparse_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rtcg/array/error.hpp"
#include "rtcg/array/random/philox.hpp"
#include "rtcg/sparse/sparse_variant.hpp"
#include "rtcg/tune/tuner.hpp"

namespace maxwell_dg::rtcg {

struct SparseMatrix::State {
  Context context;
  Dtype dtype{};
  std::int64_t rows = 0, columns = 0, entries = 0, bad_diagonal = -1;
  SparseVariant variant{};
  core::Kernel kernel{};
  DeviceArray diagonal{};
};

namespace {

template <class T>
using RealOf = decltype(std::abs(T{}));

/// Finds the fastest variant by trying them on a vector of random numbers.
template <class T>
class Choice {
 public:
  Choice(const Context& context, const CsrMatrix<T>& matrix, const SparseData& data)
      : context_(context), matrix_(matrix), data_(data) {}

  [[nodiscard]] std::string variant(const SparseMatrix::Options& options) {
    prepare_vectors();
    std::vector<Value> names;
    for (std::string& name : sparse_variants(context_)) names.emplace_back(std::move(name));
    TuningProblem problem{.question = "sparse product " + std::string(name_of(data_.dtype)), .code = "3"};
    problem.shape = shape();
    problem.space.add("variant", names);
    problem.candidate = [this](const Configuration& c) { return candidate(c.at("variant").text()); };
    problem.verify = [this](const core::Stream& stream) { return verified(stream); };
    problem.first = {{{"variant", likely_csr_variant(context_, matrix_)}}};
    Tuner tuner(context_.compiler(), options.wisdom_directory);
    return tuner.tune(problem, {.seconds = options.tuning_seconds}).best.at("variant").text();
  }

 private:
  // What the best variant depends on: sizes, and how unlike in length rows are.
  [[nodiscard]] Record shape() const {
    std::int64_t longest = 0, furthest = 0;
    for (std::size_t r = 0; r < static_cast<std::size_t>(matrix_.rows); ++r) {
      const std::int64_t begin = matrix_.row_begin[r], end = matrix_.row_begin[r + 1];
      longest = std::max(longest, end - begin);
      if (begin == end) continue;
      const std::int64_t row = static_cast<std::int64_t>(r);
      furthest = std::max({furthest, row - matrix_.column[static_cast<std::size_t>(begin)],
                           matrix_.column[static_cast<std::size_t>(end) - 1] - row});
    }
    return {{"rows", matrix_.rows},
            {"columns", matrix_.columns},
            {"entries", matrix_.entries()},
            {"longest_row", longest},
            {"bandwidth", furthest}};
  }

  void prepare_vectors() {
    std::vector<RealOf<T>> parts(static_cast<std::size_t>(matrix_.columns) * sizeof(T) / sizeof(RealOf<T>));
    uniform_on_host({.seed = 1}, std::span<RealOf<T>>(parts));
    const std::span<const T> x(reinterpret_cast<const T*>(parts.data()), static_cast<std::size_t>(matrix_.columns));
    expected_ = multiply(matrix_, x);
    x_ = to_device(context_, x, {matrix_.columns});
    y_ = empty(context_, {matrix_.rows}, dtype_of<T>);
  }

  [[nodiscard]] Candidate candidate(const std::string& name) {
    if (const std::string why = objection(name, matrix_); !why.empty()) return {.refusal = why};
    SparseVariant variant = make_variant(name, context_, data_);
    for (const DeviceArray& array : {x_, y_}) {
      variant.arguments.emplace_back(array.buffer());
      variant.arguments.emplace_back(array.offset());
    }
    return {.source = std::move(variant.source),
            .kernel = std::move(variant.kernel),
            .shape = variant.launch,
            .arguments = std::move(variant.arguments)};
  }

  // Sums of numbers in [0, 1) times entries, in another order.
  [[nodiscard]] std::string verified(const core::Stream& stream) const {
    std::vector<T> y(expected_.size());
    stream.read(y_.buffer(), 0, std::as_writable_bytes(std::span(y)));
    stream.synchronize();
    for (std::size_t r = 0; r < y.size(); ++r) {
      RealOf<T> size = 0;
      const auto end = static_cast<std::size_t>(matrix_.row_begin[r + 1]);
      for (auto k = static_cast<std::size_t>(matrix_.row_begin[r]); k < end; ++k) size += std::abs(matrix_.values[k]);
      const RealOf<T> bound = 64 * std::numeric_limits<RealOf<T>>::epsilon() * size;
      if (!(std::abs(y[r] - expected_[r]) <= bound) && std::isfinite(std::abs(expected_[r]))) {
        return "row " + std::to_string(r) + " is off by " + std::to_string(std::abs(y[r] - expected_[r]));
      }
    }
    return "";
  }

  const Context& context_;
  const CsrMatrix<T>& matrix_;
  const SparseData& data_;
  std::vector<T> expected_;
  DeviceArray x_, y_;
};

template <class T>
std::vector<T> diagonal_of(const CsrMatrix<T>& matrix, std::int64_t& bad) {
  std::vector<T> diagonal(static_cast<std::size_t>(matrix.rows));
  for (std::size_t r = 0; r < diagonal.size(); ++r) {
    const auto begin = matrix.column.begin() + matrix.row_begin[r],
               end = matrix.column.begin() + matrix.row_begin[r + 1];
    const auto found = std::lower_bound(begin, end, static_cast<std::int32_t>(r));
    if (found != end && *found == static_cast<std::int32_t>(r)) {
      diagonal[r] = matrix.values[static_cast<std::size_t>(found - matrix.column.begin())];
    }
    const std::complex<double> value(diagonal[r]);
    if (bad < 0 && !(value.real() > 0 && value.imag() == 0)) bad = static_cast<std::int64_t>(r);
  }
  return diagonal;
}

std::string name_of_variant(SparseFormat format, const Context& context, const SparsityPattern& pattern) {
  switch (format) {
    case SparseFormat::csr_stream: return "csr_stream_4";
    case SparseFormat::sliced_ell: return "sliced_ell";
    case SparseFormat::sorted_ell: return "sorted_ell_1";
    case SparseFormat::packeted: return "packeted";
    default: return likely_csr_variant(context, pattern);
  }
}

}  // namespace

template <class T>
SparseMatrix::SparseMatrix(const Context& context, const CsrMatrix<T>& matrix, const Options& options) {
  check_pattern(matrix, matrix.values.size());
  const SparseData data{matrix, dtype_of<T>, std::as_bytes(std::span(matrix.values))};
  const auto state = std::make_shared<State>(State{.context = context,
                                                   .dtype = data.dtype,
                                                   .rows = matrix.rows,
                                                   .columns = matrix.columns,
                                                   .entries = matrix.entries()});
  if (options.format == SparseFormat::packeted && matrix.rows != matrix.columns) {
    throw ShapeError("packets of a matrix of " + std::to_string(matrix.rows) + " rows and " +
                     std::to_string(matrix.columns) + " columns; they need a square one");
  }
  if (options.format == SparseFormat::sorted_ell && matrix.rows > std::numeric_limits<std::int32_t>::max()) {
    throw ShapeError("slices of " + std::to_string(matrix.rows) + " sorted rows; expected at most 2^31 - 1");
  }
  // Nothing to measure where there is nothing to do.
  const bool is_chosen = options.format == SparseFormat::automatic && matrix.entries() > 0;
  const SparseFormat format = options.format == SparseFormat::automatic ? SparseFormat::csr : options.format;
  const std::string name =
      is_chosen ? Choice<T>(context, matrix, data).variant(options) : name_of_variant(format, context, matrix);
  state->variant = make_variant(name, context, data);
  const std::vector<core::Kernel> kernels = context.kernels("sparse|" + state->variant.source.text, [&] {
    return std::vector{context.compiler().compile(state->variant.source).kernel(state->variant.kernel)};
  });
  state->kernel = kernels.front();
  if (matrix.rows == matrix.columns) state->diagonal = to_device(context, diagonal_of(matrix, state->bad_diagonal));
  state_ = state;
}

const Context& SparseMatrix::context() const {
  return state_->context;
}
std::int64_t SparseMatrix::rows() const {
  return state_->rows;
}
std::int64_t SparseMatrix::columns() const {
  return state_->columns;
}
std::int64_t SparseMatrix::entries() const {
  return state_->entries;
}
Dtype SparseMatrix::dtype() const {
  return state_->dtype;
}
std::string SparseMatrix::variant() const {
  return state_->variant.name;
}
std::size_t SparseMatrix::matrix_bytes() const {
  return state_->variant.bytes;
}
std::int64_t SparseMatrix::row_without_positive_diagonal() const {
  return state_->bad_diagonal;
}

const DeviceArray& SparseMatrix::diagonal() const {
  if (rows() != columns()) {
    throw ShapeError("the diagonal of a matrix of " + std::to_string(rows()) + " rows and " +
                     std::to_string(columns()) + " columns");
  }
  return state_->diagonal;
}

void SparseMatrix::multiply(const DeviceArray& x, const DeviceArray& y) const {
  const auto check = [&](const DeviceArray& array, const char* name, std::int64_t size) {
    const std::string where = std::string("sparse product: ") + name;
    if (array.dtype() != dtype()) {
      throw DtypeError(where + " is of " + std::string(name_of(array.dtype())) + ", the matrix of " +
                       std::string(name_of(dtype())));
    }
    if (array.shape() != Shape{size}) {
      throw ShapeError(where + " has shape " + to_string(array.shape()) + ", but the matrix has " +
                       std::to_string(rows()) + " rows and " + std::to_string(columns()) + " columns");
    }
    if (!(array.context() == context())) throw ArrayError(where + " lives in another context than the matrix");
  };
  check(x, "x", columns());
  check(y, "y", rows());
  if (!y.is_contiguous()) throw ShapeError("sparse product: y must be contiguous");
  const Extent read = extent_of(x.layout()), written = extent_of(y.layout());
  if (rows() == 0) return;
  if (x.size() > 0 && x.buffer().raw() == y.buffer().raw() && read.begin < written.end && written.begin < read.end) {
    throw ArrayError("sparse product: x and y share memory");
  }
  const DeviceArray in_order = x.contiguous();
  std::vector<core::KernelArgument> arguments = state_->variant.arguments;
  arguments.emplace_back(in_order.buffer());
  arguments.emplace_back(in_order.offset());
  arguments.emplace_back(y.buffer());
  arguments.emplace_back(y.offset());
  state_->kernel.launch(context().stream(), state_->variant.launch, arguments);
}

DeviceArray SparseMatrix::operator()(const DeviceArray& x) const {
  DeviceArray y = empty(context(), {rows()}, dtype());
  multiply(x, y);
  return y;
}

template SparseMatrix::SparseMatrix(const Context&, const CsrMatrix<float>&, const Options&);
template SparseMatrix::SparseMatrix(const Context&, const CsrMatrix<double>&, const Options&);
template SparseMatrix::SparseMatrix(const Context&, const CsrMatrix<std::complex<float>>&, const Options&);
template SparseMatrix::SparseMatrix(const Context&, const CsrMatrix<std::complex<double>>&, const Options&);

}  // namespace maxwell_dg::rtcg
