#include "core/suggest.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <vector>

namespace maxwell_dg::core {
namespace {

// Words longer than any key are nobody's typing error; the bound keeps hostile input cheap.
constexpr std::size_t longest_word = 64;

std::string lower(std::string_view word) {
  std::string result(word);
  std::transform(result.begin(), result.end(), result.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

// Optimal string alignment distance, three rows at a time.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), previous(b.size() + 1), current(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({previous[j] + 1, current[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        current[j] = std::min(current[j], before[j - 2] + 1);
      }
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, std::span<const std::string> known) {
  if (word.empty() || word.size() > longest_word) return {};
  const std::string* best = nullptr;
  std::size_t least = 0;
  for (const std::string& candidate : known) {
    const std::size_t d = distance(lower(word), lower(candidate));
    // A third of the letters may be wrong; a single letter only in case.
    if (d > std::max(word.size(), candidate.size()) / 3) continue;
    if (best == nullptr || d < least) {
      best = &candidate;
      least = d;
    }
  }
  return best == nullptr ? std::string{} : *best;
}

std::string did_you_mean(std::string_view word, std::span<const std::string> known) {
  const std::string best = nearest(word, known);
  return best.empty() ? std::string{} : "; did you mean '" + best + "'?";
}

}  // namespace maxwell_dg::core
