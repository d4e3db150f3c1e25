#pragma once

#include <string_view>

namespace maxwell_dg::dg::kernels {

/// A whole stage, an element a work-item.
extern const std::string_view stage_elements;

}  // namespace maxwell_dg::dg::kernels
