#include "core/mpi/rank_warnings.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/log.hpp"

namespace maxwell_dg {
namespace {

class RankWarningsTest : public ::testing::Test {
 protected:
  /// What the first rank says for the others, told of these warnings.
  std::vector<std::string> said_of(RankWarnings& warnings, const std::vector<std::string>& mine) {
    std::vector<std::string> said;
    {
      const LogScope scope([&](LogLevel, std::string_view text) { said.emplace_back(text); });
      warnings.tell(mine);
    }
    return said;
  }
  [[nodiscard]] std::string others() const {
    std::string text = world_.size() == 2 ? "rank " : "ranks ";
    for (int rank = 1; rank < world_.size(); ++rank) text += (rank == 1 ? "" : ", ") + std::to_string(rank);
    return text;
  }
  const core::Communicator world_ = core::Communicator::world();
};

TEST_F(RankWarningsTest, of_other_ranks_are_said_once_with_their_numbers) {
  RankWarnings warnings(world_);
  std::vector<std::string> mine{"all\nsay this"};
  if (!world_.is_first()) mine.push_back("others say this");
  if (world_.rank() == world_.size() - 1) mine.insert(mine.end(), {"one says this", "one says this"});
  std::vector<std::string> said = said_of(warnings, mine);
  if (!world_.is_first() || world_.size() == 1) {
    EXPECT_TRUE(said.empty());
  } else {
    const std::string last = "rank " + std::to_string(world_.size() - 1);
    EXPECT_EQ(said, (std::vector<std::string>{others() + ": others say this", last + ": one says this"}));
  }
  mine.insert(mine.end(), said.begin(), said.end());
  if (!world_.is_first()) mine.insert(mine.end(), {"others say this", "news"});
  said = said_of(warnings, mine);
  if (world_.is_first() && world_.size() > 1) {
    EXPECT_EQ(said, std::vector<std::string>{others() + ": news"});
  }
  // A rank that fails tells all that it has warned of again.
  RankWarnings again(world_);
  mine.insert(mine.end(), said.begin(), said.end());
  EXPECT_TRUE(said_of(again, mine).empty());
}

}  // namespace
}  // namespace maxwell_dg
