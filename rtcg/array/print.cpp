#include "rtcg/array/print.hpp"

#include <ostream>

#include "rtcg/array/indexing.hpp"
#include "rtcg/array/number_format.hpp"

namespace maxwell_dg::rtcg {

namespace {

/// Words in nested brackets. Along an axis that is cut, `edge` words stand before and behind the dots.
class Brackets {
 public:
  Brackets(std::vector<std::string> words, Shape shape, std::vector<bool> is_cut, const PrintOptions& options)
      : words_(std::move(words)), shape_(std::move(shape)), is_cut_(std::move(is_cut)), options_(options) {}

  [[nodiscard]] std::string text() const {
    if (shape_.empty()) return words_.front();
    return axis(0, 0, options_.line_width);
  }

 private:
  // Position `first` of the words is where this axis begins; its lines are `width` wide.
  [[nodiscard]] std::string axis(std::size_t d, std::size_t first, std::size_t width) const {
    std::size_t stride = 1;
    for (std::size_t k = d + 1; k < shape_.size(); ++k) stride *= static_cast<std::size_t>(shape_[k]);
    const std::string indent(d + 1, ' ');
    const bool is_last = d + 1 == shape_.size();
    const auto count = static_cast<std::size_t>(shape_[d]);
    std::vector<std::string> items;
    for (std::size_t i = 0; i < count; ++i) {
      if (is_cut_[d] && i == static_cast<std::size_t>(options_.edge_items)) items.emplace_back("...");
      items.push_back(is_last ? words_[first + i] : axis(d + 1, first + i * stride, width - 1));
    }
    return "[" + (is_last ? lines(items, indent, width - 1) : blocks(items, indent, shape_.size() - d - 1)) + "]";
  }

  // Words side by side, broken into lines that leave room for the bracket.
  static std::string lines(const std::vector<std::string>& items, const std::string& indent, std::size_t width) {
    std::string text, line = indent;
    for (const std::string& item : items) {
      if (line.size() + item.size() > width && line.size() > indent.size()) {
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + "\n";
        line = indent;
      }
      line += item + " ";
    }
    if (!items.empty()) line.pop_back();
    return (text + line).substr(indent.size());
  }

  static std::string blocks(const std::vector<std::string>& items, const std::string& indent, std::size_t newlines) {
    std::string text;
    for (const std::string& item : items) text += (text.empty() ? "" : std::string(newlines, '\n') + indent) + item;
    return text;
  }

  std::vector<std::string> words_;
  Shape shape_;
  std::vector<bool> is_cut_;
  const PrintOptions& options_;
};

template <Element T>
std::vector<std::string> words_of(const DeviceArray& array, int precision) {
  const auto count = static_cast<std::size_t>(array.size());
  const auto values = std::make_unique<T[]>(count);
  array.copy_to_host(std::span<T>(values.get(), count));
  return aligned_numbers(std::span<const T>(values.get(), count), precision);
}

}  // namespace

std::string to_string(const DeviceArray& array, const PrintOptions& options) {
  if (array.size() == 0) return "[]";
  DeviceArray shown = array;
  std::vector<bool> is_cut(array.rank(), false);
  if (array.size() > options.threshold) {
    for (std::size_t d = 0; d < array.rank(); ++d) {
      is_cut[d] = array.shape()[d] > 2 * options.edge_items;
      if (!is_cut[d]) continue;
      std::vector<Index> first(d, whole), last(d, whole);
      first.emplace_back(Slice{.stop = options.edge_items});
      last.emplace_back(Slice{.start = -options.edge_items});
      shown = concatenate({shown.at(first), shown.at(last)}, static_cast<std::int64_t>(d));
    }
  }
  std::vector<std::string> words =
      visit_dtype(array.dtype(), [&]<class T>(T) { return words_of<T>(shown, options.precision); });
  return Brackets(std::move(words), shown.shape(), std::move(is_cut), options).text();
}

std::ostream& operator<<(std::ostream& out, const DeviceArray& array) {
  return out << to_string(array);
}

}  // namespace maxwell_dg::rtcg
