#pragma once

#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "core/device/device.hpp"
#include "dg/codegen/curved/curved_generator.hpp"
#include "dg/schedule/curved_variant.hpp"

namespace maxwell_dg::dg {

/// A way to compute a stage of curved elements. Each has a folder below dg/codegen/curved, with its generator, its
/// kernel and a function that returns this; the list of all is in curved_kinds.cpp.
struct CurvedKind {
  std::string_view name;
  /// Its variants that fit the problem and are worth a trial on the device, all with the same names of choices; the
  /// first is the default. None if the kind is not made for the device, or for how the state is stored.
  std::vector<CurvedVariant> (*variants)(const CurvedProblem& problem, const core::DeviceInfo& device);
  /// Throws std::invalid_argument for a variant that does not fit, ConfigError as CurvedSystem::of does.
  std::unique_ptr<CurvedGenerator> (*make)(const CurvedProblem& problem, const CurvedVariant& variant);
};

/// All kinds; the first that has variants is the default.
[[nodiscard]] std::span<const CurvedKind> curved_kinds();

/// The variants of the default kind; the first is the default. Throws std::logic_error if no kind has any.
[[nodiscard]] std::vector<CurvedVariant> variants_of_default_kind(const CurvedProblem& problem,
                                                                  const core::DeviceInfo& device);
[[nodiscard]] inline CurvedVariant default_curved_variant(const CurvedProblem& problem,
                                                          const core::DeviceInfo& device) {
  return variants_of_default_kind(problem, device).front();
}

/// Throws std::invalid_argument for a kind that is not there, or as CurvedKind::make does.
[[nodiscard]] std::unique_ptr<CurvedGenerator> make_curved_generator(const CurvedProblem& problem,
                                                                     const CurvedVariant& variant);

}  // namespace maxwell_dg::dg
