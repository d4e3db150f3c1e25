#include "rtcg/sparse/matrix_market.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <fstream>
#include <limits>
#include <optional>
#include <string_view>

#include "core/error.hpp"

namespace maxwell_dg::rtcg {

namespace {

enum class Field { real, integer, pattern, complex };
enum class Symmetry { general, symmetric, skew, hermitian };

template <class T>
inline constexpr bool is_complex_type = false;
template <class T>
inline constexpr bool is_complex_type<std::complex<T>> = true;

/// One file: its lines, and the place for errors.
class Reader {
 public:
  Reader(std::istream& stream, std::string name) : stream_(stream), name_(std::move(name)) {}

  template <class T>
  CsrMatrix<T> read() {
    read_header();
    if (field_ == Field::complex && !is_complex_type<T>) fail("complex entries for a matrix of real numbers");
    read_size();
    std::vector<Triplet<T>> triplets;
    // What the file claims is not believed before it is there: no memory for it in advance beyond this.
    triplets.reserve(static_cast<std::size_t>(std::min<std::int64_t>(entries_, 1 << 20)));
    for (std::int64_t k = 0; k < entries_; ++k) {
      if (!next_line()) {
        fail("the file ends after " + std::to_string(k) + " of " + std::to_string(entries_) + " entries");
      }
      add_entry(triplets);
    }
    if (next_line()) fail("more than the " + std::to_string(entries_) + " entries that the size line promises");
    return from_triplets<T>(extent_, triplets);
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw ConfigError(name_ + ":" + std::to_string(line_number_) + ": " + what);
  }

  // The next line that is neither blank nor a comment, in words.
  bool next_line() {
    while (std::getline(stream_, line_)) {
      ++line_number_;
      split();
      if (!words_.empty() && !words_[0].starts_with('%')) return true;
    }
    if (stream_.bad()) fail("the file cannot be read on");
    return false;
  }

  void split() {
    words_.clear();
    const std::string_view line = line_;
    constexpr const char* blanks = " \t\r\n";
    for (std::size_t at = line.find_first_not_of(blanks); at != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(blanks, at), line.size());
      words_.push_back(line.substr(at, end - at));
      at = line.find_first_not_of(blanks, end);
    }
  }

  void read_header() {
    line_number_ = 1;
    if (!std::getline(stream_, line_)) fail("the file is empty; expected '%%MatrixMarket matrix coordinate ...'");
    std::ranges::transform(line_, line_.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    split();
    if (words_.size() != 5 || words_[0] != "%%matrixmarket" || words_[1] != "matrix") {
      fail("no header of a matrix; expected '%%MatrixMarket matrix coordinate FIELD SYMMETRY'");
    }
    if (words_[2] != "coordinate") fail("format '" + std::string(words_[2]) + "'; only coordinate is sparse");
    field_ = one_of<Field>(3, "field", {"real", "integer", "pattern", "complex"});
    symmetry_ = one_of<Symmetry>(4, "symmetry", {"general", "symmetric", "skew-symmetric", "hermitian"});
    if (symmetry_ == Symmetry::hermitian && field_ != Field::complex) fail("hermitian is defined for complex alone");
    if (symmetry_ == Symmetry::skew && field_ == Field::pattern) fail("a pattern has no sign to be skew-symmetric by");
  }

  template <class E>
  E one_of(std::size_t word, const char* what, std::initializer_list<std::string_view> names) const {
    const auto found = std::ranges::find(names, words_[word]);
    if (found != names.end()) return static_cast<E>(found - names.begin());
    std::string expected;
    for (const std::string_view name : names) expected += (expected.empty() ? "" : ", ") + std::string(name);
    fail(std::string(what) + " '" + std::string(words_[word]) + "'; expected one of " + expected);
  }

  void read_size() {
    if (!next_line()) fail("the file ends before the size line 'ROWS COLUMNS ENTRIES'");
    if (words_.size() != 3) fail("'" + line_ + "'; expected the size line 'ROWS COLUMNS ENTRIES'");
    extent_ = {whole(0), whole(1)};
    entries_ = whole(2);
    if (extent_.rows < 0 || extent_.columns < 0 || entries_ < 0) fail("a size below 0");
    if (extent_.rows > std::numeric_limits<std::int32_t>::max() ||
        extent_.columns > std::numeric_limits<std::int32_t>::max()) {
      fail("more than 2^31 - 1 rows or columns");
    }
    if (symmetry_ != Symmetry::general && extent_.rows != extent_.columns) {
      fail("symmetry of a matrix that is not square");
    }
  }

  [[nodiscard]] std::int64_t whole(std::size_t word) const { return number<std::int64_t>(word, "an integer"); }

  template <class N>
  [[nodiscard]] N number(std::size_t word, const char* what) const {
    std::string_view text = words_[word];
    if (text.starts_with('+')) text.remove_prefix(1);
    N value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size()) {
      fail("'" + std::string(words_[word]) + "' is not " + what);
    }
    return value;
  }

  template <class T>
  [[nodiscard]] T value() const {
    if (field_ == Field::pattern) return T{1};
    const double re = field_ == Field::integer ? static_cast<double>(whole(2)) : number<double>(2, "a number");
    if constexpr (is_complex_type<T>) {
      using Real = typename T::value_type;
      return {static_cast<Real>(re), field_ == Field::complex ? static_cast<Real>(number<double>(3, "a number")) : 0};
    } else {
      return static_cast<T>(re);
    }
  }

  template <class T>
  void add_entry(std::vector<Triplet<T>>& triplets) const {
    const std::size_t expected = field_ == Field::pattern ? 2 : field_ == Field::complex ? 4 : 3;
    if (words_.size() != expected) {
      fail("an entry of " + std::to_string(words_.size()) + " numbers; expected " + std::to_string(expected));
    }
    const std::int64_t row = whole(0) - 1, column = whole(1) - 1;
    if (row < 0 || row >= extent_.rows || column < 0 || column >= extent_.columns) {
      fail("an entry at (" + std::to_string(row + 1) + ", " + std::to_string(column + 1) + ") of a matrix of " +
           std::to_string(extent_.rows) + " rows and " + std::to_string(extent_.columns) + " columns");
    }
    const T v = value<T>();
    triplets.push_back({row, column, v});
    if (symmetry_ == Symmetry::general) return;
    if (column > row) fail("an entry above the diagonal, of a matrix of which the file holds the lower triangle");
    if (column == row) {
      if (symmetry_ == Symmetry::skew && v != T{}) fail("a skew-symmetric matrix with an entry on the diagonal");
      return;
    }
    triplets.push_back({column, row, mirrored(v)});
  }

  template <class T>
  [[nodiscard]] T mirrored(T value) const {
    if (symmetry_ == Symmetry::skew) return -value;
    if constexpr (is_complex_type<T>) {
      if (symmetry_ == Symmetry::hermitian) return std::conj(value);
    }
    return value;
  }

  std::istream& stream_;
  std::string name_, line_;
  std::vector<std::string_view> words_;
  std::size_t line_number_ = 0;
  Field field_ = Field::real;
  Symmetry symmetry_ = Symmetry::general;
  MatrixExtent extent_;
  std::int64_t entries_ = 0;
};

}  // namespace

template <class T>
CsrMatrix<T> read_matrix_market(std::istream& stream, const std::string& name) {
  return Reader(stream, name).read<T>();
}

template <class T>
CsrMatrix<T> read_matrix_market(const std::filesystem::path& file) {
  std::ifstream stream(file);
  if (!stream) throw ConfigError(file.string() + ": the file cannot be opened");
  return read_matrix_market<T>(stream, file.string());
}

#define MAXWELL_DG_READ(T)                                                        \
  template CsrMatrix<T> read_matrix_market<T>(std::istream&, const std::string&); \
  template CsrMatrix<T> read_matrix_market<T>(const std::filesystem::path&);
MAXWELL_DG_READ(float)
MAXWELL_DG_READ(double)
MAXWELL_DG_READ(std::complex<float>)
MAXWELL_DG_READ(std::complex<double>)
#undef MAXWELL_DG_READ

}  // namespace maxwell_dg::rtcg
