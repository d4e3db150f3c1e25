#include "dg/observe/files/rank_sink.hpp"

#include <utility>

#include "core/error.hpp"
#include "dg/observe/files/snapshot_files.hpp"

namespace maxwell_dg::dg {
namespace {

class DroppedRows final : public Rows {
 public:
  void add_row(std::span<const double> /*values*/) override {}
};

class DroppedSnapshots final : public Snapshots {
 public:
  void add(double /*at*/, std::span<const double> /*values*/) override {}
  void complete(const std::string& /*failure*/) override {}
  [[nodiscard]] std::size_t count() const override { return 0; }
};

}  // namespace

RankSink::RankSink(core::Communicator ranks, std::optional<std::filesystem::path> directory, bool wants_snapshots)
    : ranks_(std::move(ranks)), directory_(std::move(directory)), wants_snapshots_(wants_snapshots) {}

std::unique_ptr<Rows> RankSink::begin_table(const std::string& /*name*/, std::vector<std::string> /*columns*/,
                                            const Archive* /*resumed*/) {
  return std::make_unique<DroppedRows>();
}

Table RankSink::table(const std::string& name) const {
  throw ConfigError("rank " + std::to_string(ranks_.rank()) + " has no table '" + name +
                    "': the first rank alone has tables");
}

std::unique_ptr<Snapshots> RankSink::begin_snapshots(SnapshotSeries series) {
  if (!directory_) return std::make_unique<DroppedSnapshots>();
  return begin_snapshot_files(*directory_, std::move(series), ranks_);
}

}  // namespace maxwell_dg::dg
