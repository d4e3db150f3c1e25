#pragma once

#include <filesystem>
#include <optional>
#include <string>

/// Files that the program keeps for itself in a folder (a cache), where something else may lie under their names: a
/// link, a pipe, a folder, another user's file. That is never followed, waited for or believed, and gives way to a new
/// file.
namespace maxwell_dg {

/// Whether a regular file of this user lies there.
[[nodiscard]] bool is_own_file(const std::filesystem::path& path);

/// Its content; none where there is no own file or it cannot be read.
[[nodiscard]] std::optional<std::string> read_own_file(const std::filesystem::path& path);

/// Removes what lies there, whole folders too, unless it is an own file that has no other name. What a link points to
/// stays. What cannot be removed stays as well, and shows when the file is written.
void make_way_for_own_file(const std::filesystem::path& path);

}  // namespace maxwell_dg
