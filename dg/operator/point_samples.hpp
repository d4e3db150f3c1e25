#pragma once

#include <functional>
#include <vector>

#include "core/device/device.hpp"
#include "dg/mesh/geometry.hpp"
#include "dg/operator/operator.hpp"
#include "dg/reference/reference_element.hpp"

namespace maxwell_dg::dg {

/// PointSampler on a device buffer of some hundred records; when it is full, it is read back by itself.
class PointSamples : public PointSampler {
 public:
  struct Source {
    core::Device device;
    core::Stream stream;
    core::Kernel kernel;
    std::function<core::Buffer()> state;  ///< where it is now
    const ReferenceElement& reference;
    int fields{};
    Dtype precision{};
  };

  PointSamples(Source source, const std::vector<PointLocation>& points);
  void record() override;
  [[nodiscard]] std::vector<double> take() override;
  [[nodiscard]] std::size_t recorded() const override;

 private:
  void drain();  // device records to the host

  Source source_;
  std::size_t points_;
  std::size_t on_device_{0};
  std::vector<double> on_host_;
  core::Buffer elements_, weights_, samples_;
};

}  // namespace maxwell_dg::dg
