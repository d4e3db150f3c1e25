#pragma once

#include <span>
#include <string>
#include <string_view>

#include "rtcg/compile/compiler.hpp"
#include "rtcg/source/template.hpp"

namespace maxwell_dg::dg {

/// The text of a .kernel file. All .kernel files are embedded in the library.
struct KernelText {
  std::string_view path;  ///< in the source tree: "dg/codegen/state.kernel"
  std::string_view text;
};

/// The texts of all files.
[[nodiscard]] std::span<const KernelText> kernel_texts();

/// The text of one file. Throws std::logic_error if there is no such file.
[[nodiscard]] std::string_view kernel_text(std::string_view path);

/// The template (docs/templates.md) in a .kernel file, and in the files that it includes. Throws CompileError if it is
/// not well formed, std::logic_error if there is no such file.
[[nodiscard]] rtcg::Template kernel_template(std::string_view path);

/// The text that a template prints for these values, with the origin of each line.
[[nodiscard]] rtcg::KernelSource kernel_source(std::string name, const rtcg::Template& text,
                                               const rtcg::Record& values);

}  // namespace maxwell_dg::dg
