#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace maxwell_dg::rtcg {

/// Compiled code as it is kept and sent: the driver's binary, and what it calls the templates' instances.
struct CodeImage {
  std::vector<std::byte> binary;
  std::vector<std::pair<std::string, std::string>> lowered_names{};  ///< name expression, name in the binary

  /// Throws DeviceError where there is no such name expression.
  [[nodiscard]] const std::string& lowered_name(const std::string& expression) const;
  [[nodiscard]] std::vector<std::byte> to_bytes() const;
  /// Nothing where the bytes are not of `to_bytes`.
  [[nodiscard]] static std::optional<CodeImage> from_bytes(std::span<const std::byte> bytes);
};

}  // namespace maxwell_dg::rtcg
