#include "core/mpi/file_of_rank.hpp"

#include <array>
#include <cstdio>

namespace maxwell_dg::core {

std::filesystem::path file_of_rank(const std::filesystem::path& file, int rank) {
  std::array<char, 24> suffix{};
  std::snprintf(suffix.data(), suffix.size(), "_r%04d", rank);
  return file.parent_path() / (file.stem().string() + suffix.data() + file.extension().string());
}

}  // namespace maxwell_dg::core
