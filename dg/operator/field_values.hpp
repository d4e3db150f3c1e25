#pragma once

#include <cstddef>
#include <vector>

#include "core/device/device.hpp"
#include "dg/codegen/kernel_generator.hpp"
#include "dg/operator/device_problem.hpp"

namespace maxwell_dg::dg {

/// What FieldValues holds: fields by their numbers in System::fields, and what each is multiplied with.
struct FieldsByFactors {
  std::vector<int> fields;
  std::vector<double> factors;  ///< [of `fields`]
};

/// Physical nodal values of some fields, [field][element][node] in the state's precision, in memory of the device that
/// stays where it is and that others may read in place. On a CPU that is memory of the host, too. All but `update`
/// works when the problem is gone, and the memory may outlive both.
class FieldValues {
 public:
  /// The values are zero until the first update. Throws UnsupportedFeature for an OpenCL device that is no CPU, or does
  /// not share memory with the host.
  FieldValues(const DeviceProblem& problem, const KernelGenerator& generator, FieldsByFactors fields);

  /// Replaces the values by those of the current state: by one kernel, before which another one converts the state
  /// where it is stored in the basis of each element and was not converted since the latest stage. Asynchronous.
  void update() const;

  [[nodiscard]] const core::Stream& stream() const { return stream_; }
  [[nodiscard]] Dtype dtype() const { return dtype_; }
  [[nodiscard]] const core::Device& device() const { return device_; }
  [[nodiscard]] const core::Buffer& buffer() const { return values_; }
  /// The same memory as the host sees it, once the stream has passed an update; an empty handle unless the device is a
  /// CPU.
  [[nodiscard]] const core::HostBuffer& host() const { return host_; }

 private:
  const DeviceProblem& problem_;
  core::Stream stream_;
  core::Device device_;
  Dtype dtype_;
  std::size_t points_;  ///< values of a field
  std::size_t count_;   ///< of fields
  core::Buffer fields_, factors_, values_;
  core::HostBuffer host_;
  core::Kernel kernel_;
};

}  // namespace maxwell_dg::dg
