#include "core/opencl/program_parts.hpp"

#include "core/opencl/of_opencl.hpp"

namespace maxwell_dg::core::opencl {

BuildResult link(const Device& device, std::span<const BuildRequest> units,
                 const std::vector<std::string>& link_options) {
  return of_opencl<OpenclDevice>(device.state(), "programs linked from texts (see cuda::link)")
      .link(units, link_options);
}

BuildResult build_spirv(const Device& device, std::span<const std::byte> words, const std::string& name,
                        const std::vector<std::string>& options) {
  return of_opencl<OpenclDevice>(device.state(), "programs of SPIR-V (PTX goes to Device::load)")
      .build_spirv(words, name, options);
}

}  // namespace maxwell_dg::core::opencl
