#include "rtcg/tune/search_space.hpp"

#include <limits>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "rtcg/tune/json_value.hpp"
#include "rtcg/tune/search.hpp"

namespace maxwell_dg::rtcg {
namespace {

SearchSpace small_space() {
  SearchSpace space;
  space.add("block", {32, 64, 128}).add("kind", {"a", "b"}).constant("limit", 64);
  return space.require("block <= limit or kind == 'b'");
}

TEST(SearchSpace, requirements_rule_points_out) {
  const auto points = small_space().points();
  std::string all;
  for (std::size_t i = 0; i < points.size(); ++i) all += written(points[i]) + "; ";
  EXPECT_EQ(all, "block=32 kind=a; block=32 kind=b; block=64 kind=a; block=64 kind=b; block=128 kind=b; ");
}

TEST(SearchSpace, conditions_are_asked_once_what_they_need_is_chosen) {
  SearchSpace space = small_space();
  std::vector<std::string> asked;
  space.add("warps", {1, 2}).only_if("blocks are small", {"block"}, [&](const Configuration& chosen) {
    asked.push_back(written(chosen));
    return chosen.at("block").integer() < 64;
  });
  EXPECT_EQ(space.points().size(), 4u);
  EXPECT_EQ(asked, (std::vector<std::string>{"block=32", "block=64", "block=128"}));
  EXPECT_TRUE(space.contains({{"block", 32}, {"kind", "a"}, {"warps", 2}}));
  EXPECT_FALSE(space.contains({{"block", 64}, {"kind", "a"}, {"warps", 2}}));
  EXPECT_THROW(space.only_if("it is there", {"blok"}, [](const Configuration&) { return true; }),
               std::invalid_argument);
}

TEST(SearchSpace, it_knows_its_points) {
  EXPECT_TRUE(small_space().contains({{"block", 64}, {"kind", "a"}}));
  EXPECT_FALSE(small_space().contains({{"block", 128}, {"kind", "a"}}));  // ruled out
  EXPECT_FALSE(small_space().contains({{"block", 48}, {"kind", "a"}}));   // no such value
  EXPECT_FALSE(small_space().contains({{"block", 64}}));
  EXPECT_FALSE(small_space().contains({{"block", 64}, {"kind", "a"}, {"more", 1}}));
}

TEST(SearchPoints, points_are_found_and_know_their_neighbours) {
  const SearchPoints points = small_space().points();
  EXPECT_EQ(points.find({{"block", 64}, {"kind", "a"}}), 2u);
  EXPECT_EQ(points.find({{"block", 128}, {"kind", "a"}}), std::nullopt);
  EXPECT_EQ(points.find({{"block", 64}}), std::nullopt);
  EXPECT_TRUE(points.are_neighbours(0, 1));
  EXPECT_FALSE(points.are_neighbours(0, 3));
  EXPECT_FALSE(points.are_neighbours(0, 0));
  EXPECT_EQ(SearchSpace().points().size(), 1u);  // nothing to choose is one choice
}

TEST(SearchSpace, whatever_changes_it_changes_its_digest) {
  const std::string digest = small_space().digest();
  EXPECT_EQ(small_space().digest(), digest);
  EXPECT_NE(small_space().add("more", {1}).digest(), digest);
  EXPECT_NE(small_space().constant("limit", 65).digest(), digest);
  EXPECT_NE(small_space().require("block > 1").digest(), digest);
  const auto holds = [](const Configuration&) { return true; };
  EXPECT_NE(small_space().only_if("it fits", {"block"}, holds).digest(), digest);
  EXPECT_NE(small_space().only_if("it fits", {"block"}, holds).digest(),
            small_space().only_if("it is worth a trial", {"block"}, holds).digest());
}

TEST(SearchSpace, operations_change_its_digest_and_without_any_it_is_as_it_was_before_there_were_any) {
  EXPECT_EQ(small_space().digest(), "a7fc26ca18fa18684ac2d060ceecea4c5ad1be177346939e2c8894c77651f6c2");
  const std::string digest = small_space().operation("first", {"block"}).digest();
  EXPECT_NE(digest, small_space().digest());
  EXPECT_NE(digest, small_space().operation("second", {"block"}).digest());
  EXPECT_NE(digest, small_space().operation("first", {"kind"}).digest());
  EXPECT_NE(digest, small_space().operation("first", {"block"}).operation("second", {"kind"}).digest());
}

TEST(SearchSpace, a_parameter_is_of_one_operation_at_most) {
  SearchSpace space = small_space();
  space.operation("first", {"block"});
  EXPECT_THROW(space.operation("second", {"blok"}), std::invalid_argument);
  EXPECT_THROW(space.operation("second", {"limit"}), std::invalid_argument);  // a constant
  EXPECT_THROW(space.operation("second", {"kind", "block"}), std::invalid_argument);
  EXPECT_THROW(space.operation("first", {"kind"}), std::invalid_argument);
  ASSERT_EQ(space.operations().size(), 1u);  // what is refused leaves no trace
  EXPECT_EQ(space.operation("second", {"kind"}).operations().size(), 2u);
}

TEST(SearchSpace, restricted_only_some_of_its_parameters_vary_and_requirements_hold) {
  const auto written_points = [](const char* kind, std::vector<std::string> varying) {
    const auto points = small_space().restricted({{"block", 64}, {"kind", kind}}, varying).points();
    std::string all;
    for (std::size_t i = 0; i < points.size(); ++i) all += written(points[i]) + "; ";
    return all;
  };
  EXPECT_EQ(written_points("a", {"block"}), "block=32 kind=a; block=64 kind=a; ");
  EXPECT_EQ(written_points("b", {"block"}), "block=32 kind=b; block=64 kind=b; block=128 kind=b; ");
  EXPECT_EQ(written_points("b", {"kind"}), "block=64 kind=a; block=64 kind=b; ");
  EXPECT_EQ(written_points("b", {}), "block=64 kind=b; ");
  const std::vector<std::string> block{"block"};
  const std::vector<std::string> unknown{"blok"};
  EXPECT_THROW((void)small_space().restricted({{"block", 64}}, block), std::invalid_argument);
  EXPECT_THROW((void)small_space().restricted({{"block", 64}, {"kind", "c"}}, block), std::invalid_argument);
  EXPECT_THROW((void)small_space().restricted({{"block", 64}, {"kind", "a"}}, unknown), std::invalid_argument);
}

TEST(SearchSpace, mistakes_in_it_are_errors) {
  SearchSpace space = small_space();
  EXPECT_THROW(space.add("block", {1}), std::invalid_argument);
  EXPECT_THROW(space.add("empty", {}), std::invalid_argument);
  try {
    space.require("blok > 1");
    FAIL() << "accepted";
  } catch (const CompileError& error) {
    EXPECT_STREQ(error.what(), "requirement 'blok > 1':1:6: no parameter or constant 'blok' in this search space");
  }
  EXPECT_THROW(space.require("block >"), CompileError);
  EXPECT_THROW((void)small_space().require("block").points(), CompileError);  // not a bool
}

TEST(SearchSpace, early_requirements_keep_a_huge_product_small) {
  SearchSpace space;
  std::vector<Value> many;
  for (int i = 0; i < 1000; ++i) many.emplace_back(i);
  space.add("a", many).require("a == 3").add("b", many).require("b == a").add("c", many).require("c == b");
  EXPECT_EQ(space.points().size(), 1u);
}

SearchPoints grid() {
  SearchSpace space;
  std::vector<Value> values;
  for (int i = 0; i < 30; ++i) values.emplace_back(i);
  return space.add("x", values).add("y", values).points();
}

TEST(Search, every_kind_gives_each_point_once) {
  for (const SearchKind kind : {SearchKind::exhaustive, SearchKind::random, SearchKind::local}) {
    Search search(kind, grid(), 1);
    std::set<std::size_t> seen;
    for (auto batch = search.next(7); !batch.empty(); batch = search.next(7)) {
      for (const std::size_t point : batch) {
        EXPECT_TRUE(seen.insert(point).second);
        search.report(point, 1.0 + static_cast<double>(point));
      }
    }
    EXPECT_EQ(seen.size(), 900u);
  }
}

TEST(Search, a_local_search_finds_the_bottom_of_a_bowl_in_few_steps) {
  Search search(SearchKind::local, grid(), 1);
  std::size_t tried = 0;
  for (auto batch = search.next(8); !batch.empty(); batch = search.next(8)) {
    bool found = false;
    for (const std::size_t point : batch) {
      const double x = search.points()[point].at("x").number() - 11;
      const double y = search.points()[point].at("y").number() - 23;
      found = found || (x == 0 && y == 0);
      search.report(point, 1 + x * x + y * y);
      ++tried;
    }
    if (found) break;
  }
  EXPECT_LT(tried, 250u);  // of 900
}

TEST(Search, a_seed_means_one_order) {
  Search first(SearchKind::random, grid(), 5);
  Search second(SearchKind::random, grid(), 5);
  Search other(SearchKind::random, grid(), 6);
  const auto order = first.next(900);
  EXPECT_EQ(order, second.next(900));
  EXPECT_NE(order, other.next(900));
}

TEST(Search, what_was_taken_is_not_given_again) {
  Search search(SearchKind::exhaustive, grid(), 1);
  EXPECT_EQ(search.take({{"x", 0}, {"y", 1}}), 1u);
  EXPECT_FALSE(search.take({{"x", 0}, {"y", 1}}));
  EXPECT_FALSE(search.take({{"x", 99}, {"y", 1}}));
  EXPECT_EQ(search.next(3), (std::vector<std::size_t>{0, 2, 3}));
}

TEST(JsonValue, values_survive) {
  const Value value = Record{{"a", Value::List{1, 2.0, 0.1, "x", true}},
                             {"b", Record{{"c", std::numeric_limits<std::int64_t>::min()}}}};
  const auto again = from_json(to_json(value));
  ASSERT_TRUE(again);
  EXPECT_EQ(*again, value);
  EXPECT_TRUE(again->record().at("a").list()[1].is_real());
  EXPECT_FALSE(from_json("{\"a\": null}"));
  EXPECT_FALSE(from_json("{\"a\": 1"));
  EXPECT_FALSE(from_json("18446744073709551615"));
}

}  // namespace
}  // namespace maxwell_dg::rtcg
