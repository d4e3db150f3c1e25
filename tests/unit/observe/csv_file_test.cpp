#include "dg/observe/files/csv_file.hpp"

#include <array>
#include <cmath>
#include <csignal>
#include <fstream>
#include <limits>
#include <random>
#include <sstream>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "core/digest.hpp"
#include "core/error.hpp"
#include "tests/unit/observe/temporary_directory.hpp"

namespace maxwell_dg::dg {
namespace {

const std::vector<std::string> columns{"time", "p1.Ex"};

/// While it lives, no file may grow beyond `bytes`: a full disk for everybody.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) : before_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &limit_);
    const rlimit small{bytes, limit_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~SmallDisk() {
    setrlimit(RLIMIT_FSIZE, &limit_);
    std::signal(SIGXFSZ, before_);
  }
  SmallDisk(const SmallDisk&) = delete;
  SmallDisk& operator=(const SmallDisk&) = delete;

 private:
  rlimit limit_{};
  void (*before_)(int);
};

TEST(csv_file, numbers_read_back_to_the_same_value) {
  const TemporaryDirectory directory;
  std::mt19937_64 random(7);
  std::vector<double> values{
      0.1, -0.0, 1.0 / 3, std::numeric_limits<double>::denorm_min(), 1e300, -1e-300, std::numeric_limits<double>::max(),
      5e22};
  for (int i = 0; i < 1000; ++i) {
    const double value = std::bit_cast<double>(random());
    if (std::isfinite(value)) values.push_back(value);
  }
  {
    CsvFile file(directory / "a.csv", columns);
    for (const double value : values) file.add_row(std::array{value, -value});
    file.flush();
  }
  std::istringstream text(content_of(directory / "a.csv"));
  std::string line;
  std::getline(text, line);
  EXPECT_EQ(line, "time,p1.Ex");
  for (const double value : values) {
    ASSERT_TRUE(std::getline(text, line));
    const std::size_t comma = line.find(',');
    EXPECT_EQ(std::strtod(line.substr(0, comma).c_str(), nullptr), value) << line;
    EXPECT_EQ(std::strtod(line.substr(comma + 1).c_str(), nullptr), -value) << line;
  }
  EXPECT_FALSE(std::getline(text, line));
}

TEST(csv_file, unflushed_rows_do_not_reach_the_file_by_halves) {
  const TemporaryDirectory directory;
  CsvFile file(directory / "a.csv", columns);
  file.add_row(std::array{1.0, 2.0});
  EXPECT_EQ(content_of(directory / "a.csv"), "time,p1.Ex\n");
  file.flush();
  EXPECT_EQ(content_of(directory / "a.csv"), "time,p1.Ex\n1,2\n");
}

TEST(csv_file, a_full_disk_leaves_whole_rows_and_says_so) {
  const TemporaryDirectory directory;
  CsvFile file(directory / "a.csv", columns);
  file.add_row(std::array{1.0, 2.0});
  file.flush();
  for (int i = 0; i < 100; ++i) file.add_row(std::array{3.0, 4.0});
  std::string message;
  {
    const SmallDisk disk(50);
    try {
      file.flush();
    } catch (const OutputError& error) {
      message = error.what();
    }
  }
  EXPECT_EQ(message, (directory / "a.csv").string() + ": cannot write: File too large");
  EXPECT_EQ(content_of(directory / "a.csv"), "time,p1.Ex\n1,2\n");
}

/// A file with two rows, the first of them secured.
CsvPrefix first_row_of_two(const std::filesystem::path& path) {
  CsvFile file(path, columns);
  file.add_row(std::array{1.0, 2.0});
  CsvPrefix prefix = file.secure();
  file.add_row(std::array{3.0, 4.0});
  file.flush();
  return prefix;
}

TEST(csv_file, goes_on_behind_the_rows_that_it_had_and_knows_them) {
  const TemporaryDirectory directory;
  const auto path = directory / "a.csv";
  const CsvPrefix first = first_row_of_two(path);
  EXPECT_EQ(first.bytes, std::string("time,p1.Ex\n1,2\n").size());
  EXPECT_EQ(first.sha256, sha256_hex("time,p1.Ex\n1,2\n"));
  CsvFile resumed(path, columns, first);
  resumed.add_row(std::array{5.0, 6.0});
  EXPECT_EQ(resumed.secure().sha256, sha256_hex("time,p1.Ex\n1,2\n5,6\n"));
  EXPECT_EQ(content_of(path), "time,p1.Ex\n1,2\n5,6\n");
}

TEST(csv_file, reads_back_for_a_checkpoint_what_was_written_since_the_one_before) {
  const TemporaryDirectory directory;
  const auto path = directory / "a.csv";
  CsvFile file(path, columns);
  file.add_row(std::array{1.0, 2.0});
  (void)file.secure();
  std::fstream(path, std::ios::in | std::ios::out) << "TIME";  // would show if it were read again
  file.add_row(std::array{3.0, 4.0});
  EXPECT_EQ(file.secure().sha256, sha256_hex("time,p1.Ex\n1,2\n3,4\n"));
}

TEST(csv_file, does_not_go_on_behind_rows_of_another_run) {
  const TemporaryDirectory directory;
  const auto path = directory / "a.csv";
  const auto error_of = [&](const CsvPrefix& prefix) {
    try {
      const CsvFile file(path, columns, prefix);
      return std::string();
    } catch (const OutputError& error) {
      return std::string(error.what());
    }
  };
  CsvPrefix first = first_row_of_two(path);
  std::ofstream(path) << "time,p1.Ex\n1,3\n3,4\n";
  EXPECT_EQ(error_of(first), path.string() +
                                 ": does not begin with the rows that it had when the checkpoint was written; put the "
                                 "file back, or begin anew without --resume");
  EXPECT_EQ(content_of(path), "time,p1.Ex\n1,3\n3,4\n") << "nothing is lost";
  std::ofstream(path) << "time,p1.Ex\n";
  EXPECT_EQ(error_of(first), path.string() +
                                 ": holds 11 bytes, but 15 when the checkpoint was written; put the file "
                                 "back, or begin anew without --resume");
  first.sha256.clear();  // a checkpoint of an old program
  std::ofstream(path) << "time,p1.Ex\n1,3\n3,4\n";
  EXPECT_EQ(error_of(first), "");
}

TEST(csv_file, dev_full_is_an_output_error) {
  try {
    const CsvFile file("/dev/full", columns);
    FAIL() << "no error";
  } catch (const OutputError& error) {
    EXPECT_STREQ(error.what(), "/dev/full: cannot write: No space left on device");
    EXPECT_EQ(error.code(), ExitCode::output);
  }
}

TEST(csv_file, a_missing_directory_is_an_output_error) {
  const TemporaryDirectory directory;
  try {
    const CsvFile file(directory / "missing/a.csv", columns);
    FAIL() << "no error";
  } catch (const OutputError& error) {
    EXPECT_EQ(error.what(), (directory / "missing/a.csv").string() + ": cannot write: No such file or directory");
  }
}

}  // namespace
}  // namespace maxwell_dg::dg
