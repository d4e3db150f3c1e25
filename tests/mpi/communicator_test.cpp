#include "core/mpi/communicator.hpp"

#include <cmath>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

namespace maxwell_dg::core {
namespace {

TEST(CommunicatorTest, ranks_count_from_zero_and_all_of_one_host_are_here) {
  const Communicator world = Communicator::world(), here = world.on_this_host();
  EXPECT_GE(world.rank(), 0);
  EXPECT_LT(world.rank(), world.size());
  EXPECT_EQ(here.size(), world.size());
  EXPECT_EQ(here.rank(), world.rank());
}

TEST(CommunicatorTest, what_ranks_have_comes_in_the_order_of_the_ranks_whatever_its_size) {
  const Communicator world = Communicator::world();
  const std::vector<int> mine(static_cast<std::size_t>(world.rank()), world.rank());  // of rank 0 nothing
  const auto check = [&](const std::vector<std::vector<std::byte>>& all) {
    ASSERT_EQ(all.size(), static_cast<std::size_t>(world.size()));
    for (std::size_t r = 0; r < all.size(); ++r) {
      EXPECT_EQ(values_of<int>(all[r]), std::vector<int>(r, static_cast<int>(r)));
    }
  };
  check(world.gather_to_all(std::as_bytes(std::span(mine))));
  const int last = world.size() - 1;
  const auto at_last = world.gather(std::as_bytes(std::span(mine)), last);
  if (world.rank() == last) {
    check(at_last);
  } else {
    EXPECT_TRUE(at_last.empty());
  }
}

TEST(CommunicatorTest, a_broadcast_gives_everyone_what_one_has) {
  const Communicator world = Communicator::world();
  const std::vector<int> mine(static_cast<std::size_t>(3 + world.rank()), world.rank());
  const int last = world.size() - 1;
  const std::vector<int> all = values_of<int>(world.broadcast(std::as_bytes(std::span(mine)), last));
  EXPECT_EQ(all, std::vector<int>(static_cast<std::size_t>(3 + last), last));
}

TEST(CommunicatorTest, sums_are_made_in_the_order_of_the_ranks) {
  const Communicator world = Communicator::world();
  const auto term = [](int rank) { return std::sin(rank + 1.0) * std::pow(10.0, rank % 5); };
  std::vector<double> values{term(world.rank()), static_cast<double>(world.rank())};
  double expected = term(0);
  for (int r = 1; r < world.size(); ++r) expected += term(r);
  std::vector<double> sums = values, largest = values, least = values;
  world.sum(sums);
  world.max(largest);
  world.min(least);
  EXPECT_EQ(sums[0], expected);  // to the bit
  EXPECT_EQ(sums[1], world.size() * (world.size() - 1) / 2.0);
  EXPECT_EQ(largest[1], world.size() - 1.0);
  EXPECT_EQ(least[1], 0.0);
}

TEST(CommunicatorTest, messages_of_one_tag_arrive_in_the_order_in_which_they_were_sent) {
  const Communicator world = Communicator::world();
  if (world.size() == 1) {
    EXPECT_THROW((void)world.send({}, 0, 0), std::logic_error);
    return;
  }
  const int next = (world.rank() + 1) % world.size(), before = (world.rank() + world.size() - 1) % world.size();
  std::vector<double> sent(1000, world.rank()), sent_later(10, -world.rank()), first(1000), second(10);
  std::vector<Message> messages;
  messages.push_back(world.receive(std::as_writable_bytes(std::span(first)), before, 7));
  messages.push_back(world.receive(std::as_writable_bytes(std::span(second)), before, 7));
  messages.push_back(world.send(std::as_bytes(std::span(sent)), next, 7));
  messages.push_back(world.send(std::as_bytes(std::span(sent_later)), next, 7));
  world.wait_for(messages);
  EXPECT_EQ(first, std::vector<double>(1000, before));
  EXPECT_EQ(second, std::vector<double>(10, -before));
}

}  // namespace
}  // namespace maxwell_dg::core
