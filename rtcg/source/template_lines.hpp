#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace maxwell_dg::rtcg {

/// A template of substitute(), and what it is called.
struct NamedTemplate {
  std::string_view name, text;
};

/// Where a line of a text comes from.
struct LineOrigin {
  const NamedTemplate* from{};  ///< null: of no template, and in no place of one
  int line{};                   ///< of the template, from 1
  /// Not empty: it is no line of the template, but of what stands for `${place}` in that line, or for one of the places
  /// in the lines behind it, where nothing tells them apart.
  std::vector<std::string_view> places{};
};

/// The origin of each line of a text that substitute() made of some templates, one put into places of another or one
/// behind the other. It is found by comparison: the lines of a template that follow one another stand in the text one
/// after the other, indented alike. A line that no template has is of the place that it stands in.
[[nodiscard]] std::vector<LineOrigin> line_origins(std::string_view text, std::span<const NamedTemplate> templates);

}  // namespace maxwell_dg::rtcg
