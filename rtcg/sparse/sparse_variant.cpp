#include "rtcg/sparse/sparse_variant.hpp"

#include <algorithm>
#include <cstring>
#include <functional>
#include <limits>

#include "core/round_up.hpp"
#include "rtcg/sparse/formats.hpp"
#include "rtcg/sparse/sparse_source.hpp"

namespace maxwell_dg::rtcg {

namespace {

/// Puts the arrays of one variant on the device.
class Builder {
 public:
  Builder(const Context& context, const SparseData& data) : context_(context), data_(data) {
    const core::DeviceInfo& device = context.device().info();
    shape_.dtype = data.dtype;
    shape_.is_cpu = context.prefers_long_runs();
    // A CPU's widest vectors, a GPU's warps.
    if (shape_.is_cpu) {
      const auto vector_bytes = static_cast<std::size_t>(std::max(device.vector_bytes, 16));
      shape_.slice_rows = std::max<std::size_t>(4, vector_bytes / size_of(data.dtype));
    }
    variant_.arguments.emplace_back(data.pattern.rows);
  }

  SparseVariant csr(std::size_t lanes) {
    const SparsityPattern& p = data_.pattern;
    shape_.lanes = lanes;
    set_offsets(p.row_begin.back());
    add_offsets(p.row_begin);
    add(std::as_bytes(std::span(p.column)));
    add(data_.values);
    finish("csr", csr_source(shape_), shape_.is_cpu ? groups_of_runs() : groups_of(rows() * lanes));
    variant_.name = "csr, " + std::to_string(lanes) + (lanes == 1 ? " lane" : " lanes");
    return std::move(variant_);
  }

  // A group for each block, on a CPU as well.
  SparseVariant csr_stream(std::size_t lanes, std::size_t at_once) {
    const SparsityPattern& p = data_.pattern;
    shape_.is_cpu = false;
    shape_.lanes = lanes;
    shape_.at_once = at_once;
    const auto most = [](std::size_t count) { return static_cast<std::int64_t>(count); };
    const std::vector<std::int64_t> blocks = row_blocks(p, most(block_rows(shape_)), most(block_entries(shape_)));
    set_offsets(std::max(p.row_begin.back(), p.rows));
    add_offsets(blocks);
    add_offsets(p.row_begin);
    add(std::as_bytes(std::span(p.column)));
    add(data_.values);
    finish("csr_stream", csr_stream_source(shape_), blocks.size() - 1);
    variant_.name = "csr_stream, " + std::to_string(at_once) + " at once";
    return std::move(variant_);
  }

  SparseVariant sliced(RowOrder order, std::size_t at_once) {
    const SlicedEll ell = sliced_ell(data_.pattern, shape_.slice_rows, order);
    shape_.is_sorted = order == RowOrder::by_length;
    shape_.at_once = at_once;
    set_offsets(ell.slice_begin.back());
    if (shape_.is_sorted) add(std::as_bytes(std::span(ell.row_of)));
    add_offsets(ell.slice_begin);
    add(std::as_bytes(std::span(ell.column)));
    add(gathered(ell.source));
    finish("sliced_ell", sliced_ell_source(shape_), shape_.is_cpu ? groups_of_runs() : groups_of(rows()));
    if (shape_.is_sorted) variant_.name = "sorted_ell, " + std::to_string(at_once) + " at once";
    return std::move(variant_);
  }

  SparseVariant packets() {
    const Packets packets = packeted(data_.pattern, shape_.packet_rows, shape_.slice_rows);
    set_offsets(std::max(packets.slice_begin.back(), packets.rest_begin.back()));
    add(std::as_bytes(std::span(packets.row_of)));
    add_offsets(packets.slice_begin);
    add(std::as_bytes(std::span(packets.near)));
    add(gathered(packets.source));
    add_offsets(packets.rest_begin);
    add(std::as_bytes(std::span(packets.rest_column)));
    add(gathered(packets.rest_source));
    finish("packeted", packeted_source(shape_), packets.row_of.size() / shape_.packet_rows);
    return std::move(variant_);
  }

 private:
  [[nodiscard]] std::size_t rows() const { return static_cast<std::size_t>(data_.pattern.rows); }
  [[nodiscard]] static std::size_t groups_of(std::size_t items) { return ceil_divide(items, sparse_group_size); }
  [[nodiscard]] std::size_t groups_of_runs() const { return ceil_divide(rows(), sparse_run); }

  void set_offsets(std::int64_t largest) {
    shape_.has_long_offsets = largest > std::numeric_limits<std::int32_t>::max() - 64;
  }

  // An empty list becomes a null pointer, which no kernel reads.
  void add(std::span<const std::byte> bytes) {
    core::Buffer buffer;
    if (!bytes.empty()) {
      buffer = context_.allocate(bytes.size());
      context_.stream().write(buffer, 0, bytes);
      context_.stream().synchronize();
    }
    variant_.bytes += bytes.size();
    variant_.arguments.emplace_back(std::move(buffer));
  }

  void add_offsets(const std::vector<std::int64_t>& offsets) {
    if (shape_.has_long_offsets) {
      add(std::as_bytes(std::span(offsets)));
      return;
    }
    const std::vector<std::int32_t> narrow(offsets.begin(), offsets.end());
    add(std::as_bytes(std::span(narrow)));
  }

  [[nodiscard]] std::vector<std::byte> gathered(const std::vector<std::int64_t>& source) const {
    const std::size_t size = size_of(data_.dtype);
    std::vector<std::byte> values(source.size() * size);
    for (std::size_t k = 0; k < source.size(); ++k) {
      if (source[k] < 0) continue;
      std::memcpy(&values[k * size], &data_.values[static_cast<std::size_t>(source[k]) * size], size);
    }
    return values;
  }

  void finish(const char* kernel, KernelSource source, std::size_t groups) {
    variant_.name = kernel;
    variant_.kernel = kernel;
    variant_.source = std::move(source);
    variant_.launch = {.groups = {groups, 1, 1}, .group_size = {shape_.is_cpu ? 1 : sparse_group_size, 1, 1}};
  }

  const Context& context_;
  const SparseData& data_;
  SparseShape shape_;
  SparseVariant variant_;
};

// Work-items to share a row: a power of 2 below half of its mean length.
std::size_t likely_lanes(const SparsityPattern& pattern, std::size_t most) {
  const auto rows = static_cast<double>(std::max<std::int64_t>(pattern.rows, 1));
  std::size_t lanes = 1;
  while (lanes < most && static_cast<double>(2 * lanes) < static_cast<double>(pattern.entries()) / rows) lanes *= 2;
  return lanes;
}

// Places in slices of so many rows, padding included.
double places_in_slices(const SparsityPattern& p, RowOrder order) {
  constexpr std::size_t slice = 32;
  std::vector<std::int64_t> lengths(static_cast<std::size_t>(p.rows));
  for (std::size_t r = 0; r < lengths.size(); ++r) lengths[r] = p.row_begin[r + 1] - p.row_begin[r];
  if (order == RowOrder::by_length) std::ranges::sort(lengths, std::ranges::greater{});
  double places = 0;
  for (std::size_t first = 0; first < lengths.size(); first += slice) {
    const std::size_t end = std::min(first + slice, lengths.size());
    places += static_cast<double>(std::ranges::max(std::span(lengths).subspan(first, end - first)) * slice);
  }
  return places;
}

}  // namespace

std::vector<std::string> sparse_variants(const Context& context) {
  if (context.prefers_long_runs()) {
    return {"csr_1", "csr_2", "csr_4", "csr_8", "sliced_ell", "packeted"};
  }
  return {"csr_1",        "csr_2",         "csr_4",      "csr_8",        "csr_16",       "csr_32",       "csr_stream_4",
          "csr_stream_8", "csr_stream_16", "sliced_ell", "sorted_ell_1", "sorted_ell_2", "sorted_ell_4", "packeted"};
}

std::string likely_csr_variant(const Context& context, const SparsityPattern& pattern) {
  return "csr_" + std::to_string(likely_lanes(pattern, context.prefers_long_runs() ? 4 : 32));
}

std::string objection(const std::string& variant, const SparsityPattern& p) {
  if (variant == "packeted" && p.rows != p.columns) return "packets need a square matrix";
  const bool is_sorted = variant.starts_with("sorted_ell");
  if (is_sorted && p.rows > std::numeric_limits<std::int32_t>::max()) return "more than 2^31 - 1 rows";
  if (is_sorted || variant == "sliced_ell") {
    // Padding beyond this costs more than any order of access brings.
    const double places = places_in_slices(p, is_sorted ? RowOrder::by_length : RowOrder::given);
    if (places > 3 * static_cast<double>(p.entries()) + 4096) return "rows differ too much in length";
  }
  return "";
}

SparseVariant make_variant(const std::string& name, const Context& context, const SparseData& data) {
  Builder builder(context, data);
  if (name == "sliced_ell") return builder.sliced(RowOrder::given, 1);
  if (name == "packeted") return builder.packets();
  const std::size_t number = std::stoul(name.substr(name.rfind('_') + 1));
  if (name.starts_with("sorted_ell")) return builder.sliced(RowOrder::by_length, number);
  if (name.starts_with("csr_stream")) return builder.csr_stream(likely_lanes(data.pattern, 32), number);
  return builder.csr(number);
}

}  // namespace maxwell_dg::rtcg
