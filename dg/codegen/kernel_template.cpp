#include "dg/codegen/kernel_template.hpp"

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <utility>

namespace maxwell_dg::dg {

namespace {

std::optional<std::string_view> find_text(std::string_view path) {
  const auto found = std::ranges::find(kernel_texts(), path, &KernelText::path);
  return found == kernel_texts().end() ? std::nullopt : std::optional(found->text);
}

}  // namespace

std::string_view kernel_text(std::string_view path) {
  const std::optional<std::string_view> text = find_text(path);
  if (!text) throw std::logic_error("there is no kernel text " + std::string(path));
  return *text;
}

rtcg::Template kernel_template(std::string_view path) {
  return rtcg::Template(std::string(path), kernel_text(path), find_text);
}

rtcg::KernelSource kernel_source(std::string name, const rtcg::Template& text, const rtcg::Record& values) {
  rtcg::Template::Rendered rendered = text.render_with_lines(values);
  rtcg::KernelSource source{.name = std::move(name), .text = std::move(rendered.text)};
  source.lines = std::move(rendered.lines);
  return source;
}

}  // namespace maxwell_dg::dg
