#include "dg/observe/checkpoint_file.hpp"

#include <chrono>
#include <cstdint>
#include <fstream>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/atomic_file.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::dg {
namespace {

Archive example() {
  Archive archive;
  archive.put_integer("step", 123);
  archive.put_number("time", 0.1);
  archive.put_text("run.config", "a: 1\nb: \"\u00e4\"\n");
  archive.put_text("empty", "");
  archive.put("none", std::vector<double>{});
  // Rows that are made when they are asked for.
  archive.put("q",
              {.dtype = Dtype::float32, .shape = {50, 2, 3}, .rows = [](std::size_t first, std::span<std::byte> to) {
                 const std::span values(reinterpret_cast<float*>(to.data()), to.size() / sizeof(float));
                 for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.5F * static_cast<float>(6 * first + i);
               }});
  return archive;
}

TEST(CheckpointFile, holds_what_was_put_in) {
  const TemporaryDirectory directory;
  write_checkpoint(example(), directory / "checkpoint_000123.h5");
  const Archive archive = read_checkpoint(directory / "checkpoint_000123.h5");
  EXPECT_EQ(archive.integer("step"), 123);
  EXPECT_EQ(archive.number("time"), 0.1);
  EXPECT_EQ(archive.text("run.config"), "a: 1\nb: \"\u00e4\"\n");
  EXPECT_EQ(archive.text("empty"), "");
  EXPECT_TRUE(archive.reals("none").empty());
  EXPECT_EQ(archive.array("q").shape, (std::vector<std::size_t>{50, 2, 3}));
  const std::vector<double> q = archive.reals("q");
  ASSERT_EQ(q.size(), 300u);
  for (std::size_t i = 0; i < q.size(); ++i) EXPECT_EQ(q[i], 0.5 * static_cast<double>(i));
}

TEST(CheckpointFile, of_the_same_content_is_the_same_to_the_byte) {
  const TemporaryDirectory directory;
  write_checkpoint(example(), directory / "a.h5");
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));                            // HDF5 would note seconds
  write_file_atomically(directory / "b.h5", content_of(directory / "a.h5") + "and more");  // replaced, whatever it was
  write_checkpoint(example(), directory / "b.h5");
  EXPECT_EQ(content_of(directory / "a.h5"), content_of(directory / "b.h5"));
}

TEST(CheckpointFile, of_parts_is_the_same_to_the_byte_and_is_none_until_it_is_finished) {
  const TemporaryDirectory directory;
  write_checkpoint(example(), directory / "whole.h5");
  // Two writers, as two ranks have them: here both are of one process.
  const auto path = checkpoint_path(directory.path(), 123);
  const Archive whole = example();
  std::vector<Archive> archives(2);
  for (std::size_t rank = 0; rank < 2; ++rank) {
    for (const auto& [name, array] : whole.arrays()) {
      Archive::Array part = array;
      if (name == "q") {
        part.part = {.rows = 25, .number = [rank](std::size_t row) { return (2 * row + rank) % 50; }};
        part.rows = [array = array, rank](std::size_t first, std::span<std::byte> to) {
          const std::size_t row_bytes = 2 * 3 * sizeof(float);
          for (std::size_t i = 0; i < to.size() / row_bytes; ++i) {
            array.rows(2 * (first + i) + rank, to.subspan(i * row_bytes, row_bytes));
          }
        };
      }
      archives[rank].put(name, part);
    }
    for (const auto& [name, text] : whole.texts()) archives[rank].put_text(name, text);
  }
  CheckpointWriter first(archives[0], path);
  first.write_part();
  archives[0] = Archive();  // what the second rank has takes the place of what the first had
  for (const auto& [name, array] : archives[1].arrays()) archives[0].put(name, array);
  for (const auto& [name, text] : archives[1].texts()) archives[0].put_text(name, text);
  EXPECT_TRUE(checkpoints_in(directory.path()).empty());
  first.write_part();
  EXPECT_TRUE(checkpoints_in(directory.path()).empty());
  first.finish();
  EXPECT_EQ(content_of(path), content_of(directory / "whole.h5"));
}

TEST(CheckpointFile, a_part_that_was_not_written_is_no_checkpoint_of_the_whole) {
  const TemporaryDirectory directory;
  Archive archive;
  archive.put("q", {.dtype = Dtype::float32,
                    .shape = {4, 1},
                    .rows = [](std::size_t, std::span<std::byte>) {},
                    .part = Archive::Array::Part{.rows = 2, .number = [](std::size_t row) { return row; }}});
  CheckpointWriter writer(archive, directory / "checkpoint_000001.h5");
  EXPECT_THROW(writer.finish(), OutputError) << "nobody has written";
}

TEST(CheckpointFile, an_array_that_comes_late_is_named) {
  const TemporaryDirectory directory;
  Archive archive;
  archive.put_number("time", 2);
  CheckpointWriter writer(archive, directory / "checkpoint_000001.h5");
  archive.put_number("late", 1);
  try {
    writer.finish();
    FAIL() << "the file has no room for it";
  } catch (const std::logic_error& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("checkpoint_000001.h5 has no place for 'late', only for 1 other"));
  }
  EXPECT_TRUE(checkpoints_in(directory.path()).empty());
}

TEST(CheckpointFile, rows_are_read_where_they_are_wanted) {
  const TemporaryDirectory directory;
  write_checkpoint(example(), directory / "checkpoint_000123.h5");
  const Archive archive = read_checkpoint(directory / "checkpoint_000123.h5");
  const std::vector<std::size_t> rows{49, 3, 4, 6, 0};
  const std::vector<double> found =
      archive.reals("q", {.rows = rows.size(), .number = [&](std::size_t row) { return rows[row]; }});
  ASSERT_EQ(found.size(), 6 * rows.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_EQ(found[i], 0.5 * static_cast<double>(6 * rows[i / 6] + i % 6));
  }
  EXPECT_THROW((void)archive.reals("q", {.rows = 1, .number = [](std::size_t) { return 50; }}), ConfigError);
}

TEST(CheckpointFile, what_it_lacks_is_asked_for_in_vain) {
  EXPECT_FALSE(example().has("pml.psi"));
  EXPECT_THROW((void)example().number("pml.psi"), ConfigError);
  EXPECT_THROW((void)example().number("step"), ConfigError) << "an integer is no number with a fraction";
}

TEST(CheckpointFile, changed_anywhere_is_damaged_or_still_says_the_same) {
  const TemporaryDirectory directory;
  const auto path = directory / "checkpoint_000001.h5";
  write_checkpoint(example(), path);
  const std::string whole = content_of(path);
  std::mt19937 random(5);
  int damaged = 0;
  for (int i = 0; i < 60; ++i) {
    std::string changed = whole;
    changed[random() % changed.size()] ^= static_cast<char>(1U << random() % 8);
    write_file_atomically(path, changed);
    try {
      EXPECT_EQ(read_checkpoint(path).reals("q"), example().reals("q"));  // the bit was in a place that nobody uses
    } catch (const DamagedCheckpoint&) {
      ++damaged;
    }
  }
  EXPECT_GT(damaged, 10);
}

TEST(CheckpointFile, with_another_value_has_another_checksum) {
  const TemporaryDirectory directory;
  const auto path = directory / "checkpoint_000001.h5";
  write_checkpoint(example(), path);
  std::string changed = content_of(path);
  const float value = 0.5F * 77, other = 38.25F;
  const auto bytes = [](const float& number) { return std::string(reinterpret_cast<const char*>(&number), 4); };
  changed.replace(changed.find(bytes(value)), 4, bytes(other));
  write_file_atomically(path, changed);
  try {
    (void)read_checkpoint(path);
    FAIL() << "no error";
  } catch (const DamagedCheckpoint& damaged) {
    EXPECT_STREQ(damaged.what(), "its content has another checksum");
  }
}

TEST(CheckpointFile, the_newest_whole_one_is_found_and_damaged_ones_are_warnings) {
  const TemporaryDirectory directory;
  EXPECT_FALSE(newest_checkpoint(directory.path()));
  EXPECT_FALSE(newest_checkpoint(directory / "nowhere"));
  for (const long step : {5L, 10L, 1000000L}) write_checkpoint(example(), checkpoint_path(directory.path(), step));
  write_file_atomically(directory / "checkpoint_000011.h5", std::string("no HDF5"));
  write_file_atomically(directory / "checkpoint_x.h5", std::string("of somebody else"));
  const std::string whole = content_of(directory / "checkpoint_1000000.h5");
  write_file_atomically(directory / "checkpoint_1000000.h5", whole.substr(0, whole.size() / 2));
  const WarningCollector collector;
  const auto found = newest_checkpoint(directory.path());
  ASSERT_TRUE(found);
  EXPECT_EQ(found->name.step, 10);
  const std::vector<std::string> warnings = collector.warnings();
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].find("checkpoint_1000000.h5: skipped, it is damaged, truncated or no checkpoint: "),
            std::string::npos)
      << warnings[0];
  EXPECT_NE(warnings[1].find("checkpoint_000011.h5: skipped"), std::string::npos) << warnings[1];
}

}  // namespace
}  // namespace maxwell_dg::dg
