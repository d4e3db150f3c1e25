#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

namespace maxwell_dg {

/// A test with a directory of its own, which is gone afterwards. Its name is `name` and the number of the process.
class OwnDirectory : public ::testing::Test {
 protected:
  explicit OwnDirectory(const std::string& name)
      : directory_(std::filesystem::temp_directory_path() / ("maxwell_dg_" + name + "_" + std::to_string(::getpid()))) {
    std::filesystem::create_directories(directory_);
  }
  ~OwnDirectory() override { std::filesystem::remove_all(directory_); }

  [[nodiscard]] std::filesystem::path write(const std::string& name, const std::string& content) const {
    std::ofstream(directory_ / name, std::ios::binary) << content;
    return directory_ / name;
  }

  const std::filesystem::path directory_;
};

}  // namespace maxwell_dg
