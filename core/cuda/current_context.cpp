#include "core/cuda/current_context.hpp"

#include "core/cuda/of_cuda.hpp"

namespace maxwell_dg::core::cuda {

CurrentContext::CurrentContext(Device device)
    : device_(std::move(device)),
      scope_(std::make_unique<ScopedContext>(cuda_device(device_, "context that is current")->context())) {
  scope_->required();
}
CurrentContext::~CurrentContext() = default;

}  // namespace maxwell_dg::core::cuda
