#include "dg/observe/files/snapshot_files.hpp"

#include <array>
#include <cstdio>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/mpi/file_of_rank.hpp"
#include "dg/observe/files/pvd_file.hpp"

namespace maxwell_dg::dg {

namespace fs = std::filesystem;

SnapshotFiles::SnapshotFiles(fs::path directory, SnapshotSeries series, core::Communicator ranks)
    : directory_(std::move(directory)), series_(std::move(series)), ranks_(std::move(ranks)) {
  const std::vector<std::string> theirs = ranks_.gather(series_.cells > 0 ? "has cells" : "");
  for (std::size_t rank = 0; rank < theirs.size(); ++rank) {
    if (!theirs[rank].empty()) ranks_with_cells_.push_back(static_cast<int>(rank));
  }
}

std::string SnapshotFiles::extension() const {
  return ranks_.size() == 1 ? ".vtu" : ".pvtu";
}

fs::path SnapshotFiles::piece(const std::string& stem, int rank) const {
  return core::file_of_rank(directory_ / (stem + ".vtu"), rank);
}

void SnapshotFiles::write(const std::string& stem, std::span<const double> values) const {
  if (ranks_.size() == 1) {
    series_.write_vtu(directory_ / (stem + extension()), values);
  } else if (series_.cells > 0) {
    series_.write_vtu(piece(stem, ranks_.rank()), values);
  }
}

void SnapshotFiles::write_whole(const std::string& stem) const {
  if (ranks_.size() == 1) return;
  std::vector<std::string> pieces;
  for (const int rank : ranks_with_cells_) pieces.push_back(piece(stem, rank).filename().string());
  series_.write_pvtu(directory_ / (stem + extension()), pieces);
}

void SnapshotFiles::remove_those_of_other_ranks(const std::string& stem) const {
  std::error_code none;
  fs::remove(directory_ / (stem + (ranks_.size() == 1 ? ".pvtu" : ".vtu")), none);
  for (int rank = ranks_.size() == 1 ? 0 : ranks_.size(); fs::remove(piece(stem, rank), none); ++rank) {
  }
}

namespace {

/// With their times in NAME.pvd.
class TimedFiles final : public Snapshots {
 public:
  TimedFiles(const fs::path& directory, SnapshotSeries series, const core::Communicator& ranks)
      : files_(directory, series, ranks),
        pvd_(directory, series.name, files_.extension(), series.resumed),
        ranks_(ranks),
        may_find_others_(series.resumed != nullptr) {}

  void add(double at, std::span<const double> values) override {
    files_.write(pvd_.stem(pvd_.size() + added_.size()), values);
    added_.push_back(at);
    if (ranks_.size() == 1) list();
  }
  void complete(const std::string& failure) override {
    throw_on_all(ranks_, failure);
    if (!added_.empty()) list();
  }
  [[nodiscard]] std::size_t count() const override { return pvd_.size(); }
  void save(Archive& archive) const override { pvd_.save(archive); }

 private:
  void list() {
    for (const double at : added_) {
      const std::string stem = pvd_.stem(pvd_.size());
      pvd_.add(at);
      if (!ranks_.is_first()) continue;
      files_.write_whole(stem);
      if (may_find_others_) files_.remove_those_of_other_ranks(stem);
    }
    added_.clear();
    if (ranks_.is_first()) pvd_.write();
  }

  SnapshotFiles files_;
  PvdFile pvd_;
  core::Communicator ranks_;
  bool may_find_others_;
  std::vector<double> added_;  ///< that are not listed yet
};

/// Numbered from 0 on.
class NumberedFiles final : public Snapshots {
 public:
  NumberedFiles(const fs::path& directory, SnapshotSeries series, const core::Communicator& ranks)
      : name_(series.name), files_(directory, std::move(series), ranks), ranks_(ranks) {}

  void add(double /*at*/, std::span<const double> values) override { files_.write(stem(added_++), values); }
  void complete(const std::string& failure) override {
    throw_on_all(ranks_, failure);
    for (; count_ < added_; ++count_) {
      if (ranks_.is_first()) files_.write_whole(stem(count_));
    }
  }
  [[nodiscard]] std::size_t count() const override { return count_; }

 private:
  [[nodiscard]] std::string stem(std::size_t number) const {
    std::array<char, 24> suffix{};
    std::snprintf(suffix.data(), suffix.size(), "_%03zu", number);
    return name_ + suffix.data();
  }

  std::string name_;
  SnapshotFiles files_;
  core::Communicator ranks_;
  std::size_t added_ = 0, count_ = 0;
};

}  // namespace

std::unique_ptr<Snapshots> begin_snapshot_files(const fs::path& directory, SnapshotSeries series,
                                                const core::Communicator& ranks) {
  if (series.over == SnapshotSeries::Over::time) {
    return std::make_unique<TimedFiles>(directory, std::move(series), ranks);
  }
  return std::make_unique<NumberedFiles>(directory, std::move(series), ranks);
}

void throw_on_all(const core::Communicator& ranks, const std::string& failure) {
  if (ranks.size() == 1) {
    if (!failure.empty()) throw OutputError(failure);
    return;
  }
  const std::string reason = ranks.first_reason(
      failure.empty() ? "" : "rank " + std::to_string(ranks.rank()) + " on " + core::host_name() + ": " + failure);
  if (!reason.empty()) throw OutputError(reason);
}

}  // namespace maxwell_dg::dg
