#include "dg/observe/files/csv_prefix.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <limits>
#include <system_error>

#include "core/digest.hpp"
#include "core/error.hpp"

namespace maxwell_dg::dg {
namespace {

/// The digest of the first bytes of a file, which must not be shorter.
std::string digest_of(const std::filesystem::path& file, std::size_t bytes) {
  std::ifstream stream(file, std::ios::binary);
  Sha256 digest;
  std::array<char, 1 << 16> piece{};
  while (bytes > 0 && stream) {
    stream.read(piece.data(), static_cast<std::streamsize>(std::min(bytes, piece.size())));
    digest.update(std::string_view(piece.data(), static_cast<std::size_t>(stream.gcount())));
    bytes -= static_cast<std::size_t>(stream.gcount());
  }
  return digest.hex();
}

}  // namespace

void CsvPrefix::save(const std::string& name, Archive& archive) const {
  archive.put_integer(name + ".bytes", static_cast<std::int64_t>(bytes));
  archive.put_text(name + ".sha256", sha256);
}

CsvPrefix CsvPrefix::saved(const std::string& name, const Archive& archive) {
  const std::int64_t bytes = archive.integer(name + ".bytes");
  if (bytes < 0) throw ConfigError("the checkpoint's '" + name + ".bytes' is negative: it was not written by a run");
  CsvPrefix prefix{.bytes = static_cast<std::size_t>(bytes)};
  if (archive.has(name + ".sha256")) prefix.sha256 = archive.text(name + ".sha256");
  return prefix;
}

std::string CsvPrefix::objection(const std::filesystem::path& file) const {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) return "";
  const std::size_t size = std::filesystem::exists(status) ? std::filesystem::file_size(file, error) : 0;
  if (size < bytes) {
    return "holds " + std::to_string(size) + " bytes, but " + std::to_string(bytes) +
           " when the checkpoint was written";
  }
  if (sha256.empty() || digest_of(file, bytes) == sha256) return "";
  return "does not begin with the rows that it had when the checkpoint was written";
}

}  // namespace maxwell_dg::dg
