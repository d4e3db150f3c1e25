#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "core/device/device.hpp"
#include "rtcg/tune/search_space.hpp"

namespace maxwell_dg::rtcg {

/// What devices have in common that a good answer depends on: "sm_90", "CPU with vectors of 64 bytes".
[[nodiscard]] std::string device_kind(const core::DeviceInfo& device);

/// `wisdom/` in default_cache_directory().
[[nodiscard]] std::filesystem::path default_wisdom_directory();

/// What was found once. Which of the fields are the question, same_question says.
struct WisdomEntry {
  std::string question;     ///< "matmul float32"
  Record shape;             ///< the problem's sizes: {n: 4096}
  std::string device;       ///< "NVIDIA H200"
  std::string kind;         ///< as device_kind says
  std::string processor;    ///< of a CPU, as DeviceInfo says; "": not known, or another device
  std::string environment;  ///< digest of driver and compiler
  std::string code;         ///< digest of what generates the candidates, and of their space
  std::string source;       ///< digest of the winner's text
  Configuration configuration;
  double seconds{};
  std::size_t candidates{};  ///< how many were tried

  /// Of the same question, shape, device, processor, environment and code.
  [[nodiscard]] bool same_question(const WisdomEntry& other) const;
};

/// CPUs of one name and of different generations are different devices.
[[nodiscard]] bool is_same_device(const WisdomEntry& entry, const core::DeviceInfo& device);
/// How unlike the device of an entry a device is, the smaller the better: another device, another kind, another
/// generation, another maker.
using DeviceDistance = std::tuple<bool, bool, bool, bool>;
[[nodiscard]] DeviceDistance device_distance(const WisdomEntry& entry, const core::DeviceInfo& device);

/// The entries in the text of a wisdom file. A line that is none, or from another version, is skipped.
[[nodiscard]] std::vector<WisdomEntry> parse_wisdom(std::string_view text);

/// Answers of tuners, kept in a directory: one readable file per device, one JSON record a line.
///
/// A line that parse_wisdom skips stays in the file if it is a JSON record, perhaps of a newer version; garbage goes
/// when the file is next written. Files are replaced whole, under a lock, so that processes that tune at once lose
/// nothing of each other's.
class Wisdom {
 public:
  explicit Wisdom(std::filesystem::path directory) : directory_(std::move(directory)) {}

  /// All that is known of a question, on any device.
  [[nodiscard]] std::vector<WisdomEntry> find(const std::string& question) const;
  /// Takes the place of an entry of the same question. Throws OutputError when it cannot be written, or when what is
  /// there already cannot be read and would be lost.
  void store(const WisdomEntry& entry) const;

  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }
  [[nodiscard]] std::filesystem::path file_of(const std::string& device) const;

 private:
  std::filesystem::path directory_;
};

}  // namespace maxwell_dg::rtcg
