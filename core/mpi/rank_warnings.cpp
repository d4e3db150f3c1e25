#include "core/mpi/rank_warnings.hpp"

#include <algorithm>
#include <utility>

#include "core/log.hpp"

namespace maxwell_dg {

namespace {

std::string numbers_of(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size(); ++i) text += (i == 0 ? "" : ", ") + std::to_string(ranks[i]);
  return text;
}

}  // namespace

void RankWarnings::tell(const std::vector<std::string>& mine) {
  if (ranks_.size() == 1) return;
  std::string texts;
  for (; !ranks_.is_first() && told_ < mine.size(); ++told_) texts += mine[told_] + '\0';
  std::vector<std::pair<std::string, std::vector<int>>> heard;  // in the order of the ranks that said it first
  const std::vector<std::string> of_ranks = ranks_.gather(texts);
  for (std::size_t rank = 1; rank < of_ranks.size(); ++rank) {
    for (std::size_t begin = 0, end = 0; begin < of_ranks[rank].size(); begin = end + 1) {
      end = of_ranks[rank].find('\0', begin);
      const std::string text = of_ranks[rank].substr(begin, end - begin);
      const auto is_it = [&](const std::string& said) {  // by the first rank, or by it for others
        return said == text || (said.starts_with("rank") && said.ends_with(": " + text));
      };
      if (said_.contains(text) || std::ranges::any_of(mine, is_it)) continue;
      auto known = std::ranges::find(heard, text, &std::pair<std::string, std::vector<int>>::first);
      if (known == heard.end()) known = heard.insert(heard.end(), {text, {}});
      if (known->second.empty() || known->second.back() != static_cast<int>(rank)) {
        known->second.push_back(static_cast<int>(rank));
      }
    }
  }
  for (const auto& [text, ranks] : heard) {
    said_.insert(text);
    log_warning(numbers_of(ranks) + ": " + text);
  }
}

}  // namespace maxwell_dg
