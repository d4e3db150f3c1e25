#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/observe/files/sink.hpp"

namespace maxwell_dg::dg {

/// What a rank behind the first does with its results. Tables and texts are the first one's: here they are dropped. Of
/// snapshots it writes its own cells, where the first one writes files.
class RankSink final : public Sink {
 public:
  /// `directory`: that of the first rank's files, if it writes any; `wants_snapshots`: whether it takes snapshots.
  RankSink(core::Communicator ranks, std::optional<std::filesystem::path> directory, bool wants_snapshots);

  [[nodiscard]] const std::filesystem::path* directory() const override { return directory_ ? &*directory_ : nullptr; }
  [[nodiscard]] std::unique_ptr<Rows> begin_table(const std::string& name, std::vector<std::string> columns,
                                                  const Archive* resumed) override;
  [[nodiscard]] Table table(const std::string& name) const override;  ///< throws ConfigError: it is not here
  void put_table(const std::string& /*name*/, const Table& /*table*/) override {}
  void put_text(const std::string& /*file*/, const std::string& /*text*/) override {}
  [[nodiscard]] bool takes_pieces() const override { return directory_.has_value(); }
  [[nodiscard]] bool takes_snapshots() const override { return wants_snapshots_; }
  [[nodiscard]] bool takes_them_meanwhile() const override { return takes_pieces(); }
  [[nodiscard]] std::unique_ptr<Snapshots> begin_snapshots(SnapshotSeries series) override;

 private:
  core::Communicator ranks_;
  std::optional<std::filesystem::path> directory_;
  bool wants_snapshots_;
};

}  // namespace maxwell_dg::dg
