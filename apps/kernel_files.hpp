#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/device/device.hpp"
#include "core/directory_lock.hpp"
#include "dg/variants/kernel_listing.hpp"

namespace maxwell_dg {

/// The directory of --kernels DIR: listings of kernels, the dialect's preamble as `dialect.h`, and `kernels.txt`, a
/// line for each listing. It fills with what a compiler that compiles nothing is asked for.
class KernelFiles {
 public:
  /// Makes the directory where it is missing, locks it, and removes what an earlier --kernels wrote there. Throws
  /// OutputError for a directory with other files in it, which might be lost, and one that cannot be written.
  explicit KernelFiles(std::filesystem::path directory);

  /// A compiler for an idle device like this one: each text that it is asked for is written here, once, as a listing
  /// for the purpose that was set last. Not to outlive this object.
  [[nodiscard]] rtcg::Compiler compiler_for(const core::Device& device);
  void set_purpose(dg::KernelPurpose purpose) { purpose_ = std::move(purpose); }

  /// Writes `dialect.h` and `kernels.txt`, whose text is returned. Throws OutputError.
  std::string finish();

  [[nodiscard]] const std::filesystem::path& directory() const { return directory_; }

 private:
  void remove_earlier() const;
  void write(const rtcg::KernelSource& source);

  std::filesystem::path directory_;
  DirectoryLock lock_;
  dg::KernelPurpose purpose_;
  std::map<std::string, std::vector<std::string>> written_;  ///< texts by the names that they were asked for by
  std::string index_;
};

}  // namespace maxwell_dg
