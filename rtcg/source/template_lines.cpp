#include "rtcg/source/template_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "rtcg/source/without_blanks.hpp"

namespace maxwell_dg::rtcg {

namespace {

using Lines = std::vector<std::string_view>;

Lines lines_of(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::size_t indentation_of(std::string_view line) {
  return line.size() - without_blanks(line).size();
}

/// The name, where a line is `${name}` and blanks before it.
std::string_view place_alone(std::string_view line) {
  const std::string_view rest = without_blanks(line);
  if (!rest.starts_with("${") || rest.find('}') != rest.size() - 1) return {};
  return rest.substr(2, rest.size() - 3);
}

/// Whether a text is a template's line with something in its places.
bool is_made_of(std::string_view text, std::string_view line) {
  bool is_first = true;
  while (true) {
    const std::size_t place = line.find("${");
    const std::string_view piece = line.substr(0, place);
    if (place == std::string_view::npos) return is_first ? text == piece : text.ends_with(piece);
    const std::size_t at = is_first ? (text.starts_with(piece) ? 0 : std::string_view::npos) : text.find(piece);
    if (at == std::string_view::npos) return false;
    text.remove_prefix(at + piece.size());
    line.remove_prefix(line.find('}', place) + 1);
    is_first = false;
  }
}

/// Lines of a template that stand together, between places that have lines of their own.
struct Chunk {
  std::size_t first{}, end{};
  std::vector<std::string_view> places_behind{};  ///< none at the end
  std::size_t letters{};  ///< without blanks, dollar signs and so on: how well it is told from others
};

struct Parsed {
  const NamedTemplate* from{};
  Lines lines;
  std::vector<Chunk> chunks;  ///< none of blank lines alone

  explicit Parsed(const NamedTemplate& named) : from(&named), lines(lines_of(named.text)) {
    Chunk chunk;
    for (std::size_t i = 0; i <= lines.size(); ++i) {
      const std::string_view place = i < lines.size() ? place_alone(lines[i]) : std::string_view{};
      if (i < lines.size() && place.empty()) {
        chunk.letters += static_cast<std::size_t>(std::ranges::count_if(lines[i], [](char c) { return c > ' '; }));
        continue;
      }
      chunk.end = i;
      if (chunk.letters > 0) chunks.push_back(chunk);
      if (!chunks.empty() && !place.empty()) chunks.back().places_behind.push_back(place);
      chunk = {.first = i + 1};
    }
  }
};

/// A template of which some lines have been found, and others may follow.
struct Open {
  const Parsed* of{};
  std::size_t next_chunk{};
  std::string_view indentation;

  [[nodiscard]] bool is_over() const {
    return next_chunk == of->chunks.size() && of->chunks.back().places_behind.empty();
  }
};

class Search {
 public:
  Search(std::string_view text, std::span<const NamedTemplate> templates) : lines_(lines_of(text)) {
    for (const NamedTemplate& one : templates) parsed_.emplace_back(one);
    std::erase_if(parsed_, [](const Parsed& p) { return p.chunks.empty(); });
  }

  [[nodiscard]] std::vector<LineOrigin> origins() {
    while (at_ < lines_.size()) {
      if (goes_on() || begins()) continue;
      origins_.push_back(origin_of_value());
      ++at_;
    }
    return std::move(origins_);
  }

 private:
  /// Where a chunk ends that begins at the line of now; nothing if it does not stand here.
  [[nodiscard]] std::optional<std::vector<std::size_t>> found(const Parsed& p, const Chunk& chunk,
                                                              std::string_view indentation) const {
    std::vector<std::size_t> taken;  // lines of the text, for each of the chunk
    std::size_t at = at_;
    for (std::size_t i = chunk.first; i < chunk.end; ++i) {
      const std::size_t count = lines_taken(p.lines[i], at, indentation);
      if (count == 0) return std::nullopt;
      taken.push_back(count);
      at += count;
    }
    return taken;
  }

  /// How many lines of the text, from one on, a template's line makes; 0: it does not stand there.
  [[nodiscard]] std::size_t lines_taken(std::string_view line, std::size_t at, std::string_view indentation) const {
    if (at >= lines_.size()) return 0;
    if (without_blanks(line).empty()) return without_blanks(lines_[at]).empty() ? 1 : 0;
    if (!lines_[at].starts_with(indentation)) return 0;
    constexpr std::size_t most = 8;  // of a value in the midst of a line; in front of one, it could be any lines
    const std::size_t place = without_blanks(line).find("${");
    const std::size_t tried = place == std::string_view::npos || place == 0 ? 1 : most;
    const char* begin = lines_[at].data() + indentation.size();
    for (std::size_t count = 1; count <= tried && at + count <= lines_.size(); ++count) {
      const std::string_view last = lines_[at + count - 1];
      if (is_made_of({begin, static_cast<std::size_t>(last.data() + last.size() - begin)}, line)) return count;
    }
    return 0;
  }

  void take(Open& open, const std::vector<std::size_t>& taken) {
    const Chunk& chunk = open.of->chunks[open.next_chunk++];
    for (std::size_t i = 0; i < taken.size(); ++i) {
      for (std::size_t n = 0; n < taken[i]; ++n) {
        origins_.push_back({.from = open.of->from, .line = static_cast<int>(chunk.first + i + 1)});
      }
      at_ += taken[i];
    }
  }

  /// With the next lines of a template that is open: the innermost that has them.
  bool goes_on() {
    for (std::size_t depth = open_.size(); depth-- > 0;) {
      Open& open = open_[depth];
      if (open.next_chunk == open.of->chunks.size()) continue;
      const auto taken = found(*open.of, open.of->chunks[open.next_chunk], open.indentation);
      if (!taken) continue;
      open_.resize(depth + 1);
      take(open_.back(), *taken);
      close();
      return true;
    }
    return false;
  }

  /// Another template: of those whose first lines stand here, the one with most of them.
  bool begins() {
    constexpr std::size_t enough = 12;  // letters, so that a brace alone is no template
    const Parsed* best = nullptr;
    std::string_view indentation;
    for (const Parsed& p : parsed_) {
      const Chunk& chunk = p.chunks.front();
      if (chunk.letters < enough || (best != nullptr && chunk.letters <= best->chunks.front().letters)) continue;
      const std::size_t here = indentation_of(lines_[at_]), there = indentation_of(p.lines[chunk.first]);
      if (here < there || !found(p, chunk, lines_[at_].substr(0, here - there))) continue;
      best = &p;
      indentation = lines_[at_].substr(0, here - there);
    }
    if (best == nullptr) return false;
    open_.push_back({.of = best, .indentation = indentation});
    take(open_.back(), *found(*best, best->chunks.front(), indentation));
    close();
    return true;
  }

  void close() {
    while (!open_.empty() && open_.back().is_over()) open_.pop_back();
  }

  /// Of a line that no template has.
  [[nodiscard]] LineOrigin origin_of_value() const {
    for (std::size_t depth = open_.size(); depth-- > 0;) {
      const Open& open = open_[depth];
      const Chunk& before = open.of->chunks[open.next_chunk - 1];
      if (before.places_behind.empty()) continue;
      return {.from = open.of->from, .line = static_cast<int>(before.end + 1), .places = before.places_behind};
    }
    return {};
  }

  Lines lines_;
  std::vector<Parsed> parsed_;
  std::vector<Open> open_;
  std::vector<LineOrigin> origins_;
  std::size_t at_ = 0;
};

}  // namespace

std::vector<LineOrigin> line_origins(std::string_view text, std::span<const NamedTemplate> templates) {
  return Search(text, templates).origins();
}

}  // namespace maxwell_dg::rtcg
