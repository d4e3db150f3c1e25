#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rtcg/compile/compiler.hpp"
#include "rtcg/source/template.hpp"

namespace maxwell_dg::dg {

/// The text of a .kernel file, which is part of the library.
struct KernelText {
  std::string_view path;  ///< in the folder of the source: "dg/codegen/state.kernel"
  std::string_view text;
};

/// All of them.
[[nodiscard]] std::span<const KernelText> kernel_texts();

/// One of them. Throws std::logic_error where there is no such file.
[[nodiscard]] std::string_view kernel_text(std::string_view path);

/// The template (docs/templates.md) in a .kernel file, with those that it includes by their paths. Throws CompileError
/// where it is not well formed, std::logic_error where there is no such file.
[[nodiscard]] rtcg::Template kernel_template(std::string_view path);

/// What a template prints for these values, and where the lines come from.
[[nodiscard]] rtcg::KernelSource kernel_source(std::string name, const rtcg::Template& text,
                                               const rtcg::Record& values);

}  // namespace maxwell_dg::dg
