#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rtcg/array/context.hpp"
#include "rtcg/tune/ceilings.hpp"

namespace maxwell_dg::bench {

/// One line of the report: the median time of one call.
struct Answer {
  std::string name;
  std::int64_t size{};  ///< elements, keys, entries or bytes
  double seconds{};
  double gb_per_second{};         ///< bytes that must move, counted once; 0 where they are not what counts
  double rate{};                  ///< elements a second
  std::optional<double> limit{};  ///< seconds that are allowed, or those of what it is compared with
  std::optional<double> peer{};   ///< seconds of a library for the device, which `remark` names
  std::optional<double> host{};   ///< seconds of the same on the host, by OpenMP or Eigen
  std::string remark{};
};

/// `bytes` move for each of the elements.
[[nodiscard]] inline Answer answer_of(std::string name, std::int64_t size, double seconds, double bytes) {
  const auto count = static_cast<double>(size);
  return {.name = std::move(name),
          .size = size,
          .seconds = seconds,
          .gb_per_second = bytes * count / seconds * 1e-9,
          .rate = count / seconds};
}

struct Setting {
  rtcg::Context context;
  rtcg::Ceilings ceilings{};
  std::int64_t elements{};  ///< of an array
  std::int64_t points{};    ///< along each axis of a stencil's grid
  std::int64_t rows{};      ///< of a dense matrix
  double tuning_seconds{};  ///< for its product
};

using Report = std::function<void(const Answer&)>;

/// Each tells one answer after the other.
void run_elementwise(const Setting& setting, const Report& report);
void run_algorithms(const Setting& setting, const Report& report);
void run_sparse(const Setting& setting, const Report& report);
void run_formats(const Setting& setting, const Report& report);  ///< of sparse matrices, each by itself
void run_products(const Setting& setting, const Report& report);
void run_overhead(const Setting& setting, const Report& report);

}  // namespace maxwell_dg::bench
