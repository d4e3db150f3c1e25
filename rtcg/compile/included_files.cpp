#include "rtcg/compile/included_files.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>
#include <string_view>

#include "rtcg/source/without_blanks.hpp"

namespace maxwell_dg::rtcg {

namespace fs = std::filesystem;

namespace {

struct Include {
  std::string name;
  bool quoted{};
};

std::optional<Include> read_include(std::string_view line) {
  line = without_blanks(line);
  if (!line.starts_with('#')) return std::nullopt;
  line = without_blanks(line.substr(1));
  if (!line.starts_with("include")) return std::nullopt;
  line = without_blanks(line.substr(7));
  if (line.empty() || (line.front() != '"' && line.front() != '<')) return std::nullopt;
  const bool quoted = line.front() == '"';
  const std::size_t end = line.find(quoted ? '"' : '>', 1);
  if (end == std::string_view::npos) return std::nullopt;
  return Include{std::string(line.substr(1, end - 1)), quoted};
}

class Collector {
 public:
  Collector(std::span<const fs::path> directories, std::span<const std::pair<std::string, std::string>> in_memory)
      : directories_(directories), in_memory_(in_memory) {}

  void read(const std::string& text, const fs::path& folder) {
    for (std::string_view rest = text; !rest.empty();) {
      const std::size_t length = rest.find('\n');
      if (const auto include = read_include(rest.substr(0, length))) follow(*include, folder);
      rest.remove_prefix(length == std::string_view::npos ? rest.size() : length + 1);
    }
  }

  std::vector<std::pair<fs::path, std::string>> found;

 private:
  void follow(const Include& include, const fs::path& folder) {
    const auto is_it = [&](const auto& header) { return header.first == include.name; };
    if (std::ranges::any_of(in_memory_, is_it)) return;
    if (include.quoted && !folder.empty() && open(folder / include.name)) return;
    for (const fs::path& directory : directories_) {
      if (open(directory / include.name)) return;
    }
  }

  bool open(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return false;
    const fs::path plain = path.lexically_normal();
    if (!seen_.insert(plain).second) return true;
    std::ifstream file(plain, std::ios::binary);
    found.emplace_back(plain, std::string(std::istreambuf_iterator<char>(file), {}));
    const std::string text = found.back().second;  // a copy: `found` grows below
    read(text, plain.parent_path());
    return true;
  }

  std::span<const fs::path> directories_;
  std::span<const std::pair<std::string, std::string>> in_memory_;
  std::set<fs::path> seen_;
};

}  // namespace

std::vector<std::pair<fs::path, std::string>> included_files(
    const std::string& text, std::span<const fs::path> directories,
    std::span<const std::pair<std::string, std::string>> in_memory) {
  Collector collector(directories, in_memory);
  collector.read(text, {});
  for (const auto& [name, header] : in_memory) collector.read(header, {});
  return std::move(collector.found);
}

}  // namespace maxwell_dg::rtcg
