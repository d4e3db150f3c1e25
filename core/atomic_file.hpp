#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <span>
#include <string_view>

namespace maxwell_dg {

/// A file that appears whole or not at all: content goes to a unique temporary name in the same directory;
/// `commit` syncs it, renames it over the target and syncs the directory. Without a commit the old file stays
/// as it was and the temporary one is removed. A symbolic link is followed; a target that is no regular file
/// (a pipe, /dev/full) is written to directly, because replacing it would destroy it.
/// Throws OutputError with the path and the system's reason.
class AtomicFile {
 public:
  explicit AtomicFile(const std::filesystem::path& target);
  ~AtomicFile();
  AtomicFile(AtomicFile&&) noexcept;
  AtomicFile& operator=(AtomicFile&&) noexcept;

  /// Write here. A failed write sets the stream's bad bit; `commit` then throws with the reason.
  [[nodiscard]] std::ostream& stream();
  /// For libraries that write by name (HDF5): let them write and close this file, then commit.
  [[nodiscard]] const std::filesystem::path& temporary_path() const;
  void commit();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Removes what killed programs left of atomic files in a directory, those of targets whose names begin with `target`.
/// What somebody is writing stays, and so does what cannot be removed; on a file system without locks, everything.
void remove_abandoned_files(const std::filesystem::path& directory, std::string_view target = {});

/// The whole content at once.
void write_file_atomically(const std::filesystem::path& target, std::span<const std::byte> content);
void write_file_atomically(const std::filesystem::path& target, std::string_view content);

}  // namespace maxwell_dg
