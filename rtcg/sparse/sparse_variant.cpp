#include "rtcg/sparse/sparse_variant.hpp"

#include <algorithm>
#include <cstring>
#include <limits>

#include "rtcg/array/ceil_divide.hpp"
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

  SparseVariant sliced() {
    const SlicedEll ell = sliced_ell(data_.pattern, shape_.slice_rows);
    set_offsets(ell.slice_begin.back());
    add_offsets(ell.slice_begin);
    add(std::as_bytes(std::span(ell.column)));
    add(gathered(ell.source));
    finish("sliced_ell", sliced_ell_source(shape_), shape_.is_cpu ? groups_of_runs() : groups_of(rows()));
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

double mean_row(const SparsityPattern& pattern) {
  return static_cast<double>(pattern.entries()) / static_cast<double>(std::max<std::int64_t>(pattern.rows, 1));
}

}  // namespace

std::vector<std::string> sparse_variants(const Context& context) {
  if (context.prefers_long_runs()) return {"csr_1", "csr_2", "csr_4", "csr_8", "sliced_ell", "packeted"};
  return {"csr_1", "csr_2", "csr_4", "csr_8", "csr_16", "csr_32", "sliced_ell", "packeted"};
}

std::string likely_csr_variant(const Context& context, const SparsityPattern& pattern) {
  int lanes = 1;
  while (lanes < (context.prefers_long_runs() ? 4 : 32) && 2 * lanes < mean_row(pattern)) lanes *= 2;
  return "csr_" + std::to_string(lanes);
}

std::string objection(const std::string& variant, const SparsityPattern& p) {
  if (variant == "packeted" && p.rows != p.columns) return "packets need a square matrix";
  if (variant == "sliced_ell") {
    // Padding beyond this costs more than any order of access brings.
    constexpr std::size_t slice = 32;
    double places = 0;
    for (std::size_t first = 0; first < static_cast<std::size_t>(p.rows); first += slice) {
      std::int64_t width = 0;
      for (std::size_t r = first; r < std::min(first + slice, static_cast<std::size_t>(p.rows)); ++r) {
        width = std::max(width, p.row_begin[r + 1] - p.row_begin[r]);
      }
      places += static_cast<double>(width) * slice;
    }
    if (places > 3 * static_cast<double>(p.entries()) + 4096) return "rows differ too much in length";
  }
  return "";
}

SparseVariant make_variant(const std::string& name, const Context& context, const SparseData& data) {
  Builder builder(context, data);
  if (name == "sliced_ell") return builder.sliced();
  if (name == "packeted") return builder.packets();
  return builder.csr(std::stoul(name.substr(name.find('_') + 1)));
}

}  // namespace maxwell_dg::rtcg
