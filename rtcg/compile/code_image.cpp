#include "rtcg/compile/code_image.hpp"

#include <charconv>
#include <string_view>

#include "core/error.hpp"

namespace maxwell_dg::rtcg {

namespace {

// "maxwell_dg code 1 N\n", N times "EXPRESSION\nNAME\n", the binary. A name expression has no newline.
constexpr std::string_view code_magic = "maxwell_dg code 1 ";

std::optional<std::string_view> take_line(std::string_view& text) {
  const std::size_t length = text.find('\n');
  if (length == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, length);
  text.remove_prefix(length + 1);
  return line;
}

}  // namespace

const std::string& CodeImage::lowered_name(const std::string& expression) const {
  std::string known;
  for (const auto& [name, lowered] : lowered_names) {
    if (name == expression) return lowered;
    known += (known.empty() ? "" : ", ") + name;
  }
  throw DeviceError("no name expression '" + expression +
                    "' was compiled; there are: " + (known.empty() ? "none" : known));
}

std::vector<std::byte> CodeImage::to_bytes() const {
  std::string head = std::string(code_magic) + std::to_string(lowered_names.size()) + "\n";
  for (const auto& [name, lowered] : lowered_names) head += name + "\n" + lowered + "\n";
  const auto head_bytes = std::as_bytes(std::span(head));
  std::vector<std::byte> bytes(head_bytes.begin(), head_bytes.end());
  bytes.insert(bytes.end(), binary.begin(), binary.end());
  return bytes;
}

std::optional<CodeImage> CodeImage::from_bytes(std::span<const std::byte> bytes) {
  std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (!text.starts_with(code_magic)) return std::nullopt;
  text.remove_prefix(code_magic.size());
  const auto count_line = take_line(text);
  std::size_t count = 0;
  if (!count_line ||
      std::from_chars(count_line->data(), count_line->data() + count_line->size(), count).ec != std::errc{}) {
    return std::nullopt;
  }
  CodeImage image;
  for (std::size_t i = 0; i < count; ++i) {
    const auto name = take_line(text);
    const auto lowered = name ? take_line(text) : std::nullopt;
    if (!lowered) return std::nullopt;
    image.lowered_names.emplace_back(*name, *lowered);
  }
  const auto rest = std::as_bytes(std::span(text));
  image.binary.assign(rest.begin(), rest.end());
  return image;
}

}  // namespace maxwell_dg::rtcg
