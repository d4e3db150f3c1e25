#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/mpi/communicator.hpp"
#include "dg/observe/files/sink.hpp"

namespace maxwell_dg::dg {

/// Writes results as files of a directory: tables as NAME.csv; texts atomically; snapshots as NAME_000000.vtu ... with
/// their times in NAME.pvd, or for frequencies as NAME_000.vtu ...; of several ranks as SnapshotFiles says. For the
/// first rank; others have a RankSink.
class FileSink final : public Sink {
 public:
  explicit FileSink(std::filesystem::path directory, core::Communicator ranks = {})
      : directory_(std::move(directory)), ranks_(std::move(ranks)) {}

  [[nodiscard]] const std::filesystem::path* directory() const override { return &directory_; }
  [[nodiscard]] std::unique_ptr<Rows> begin_table(const std::string& name, std::vector<std::string> columns,
                                                  const Archive* resumed) override;
  [[nodiscard]] Table table(const std::string& name) const override;
  void put_table(const std::string& name, const Table& table) override;
  void put_text(const std::string& file, const std::string& text) override;
  [[nodiscard]] bool takes_pieces() const override { return true; }
  [[nodiscard]] bool takes_snapshots() const override { return true; }
  [[nodiscard]] bool takes_them_meanwhile() const override { return true; }
  [[nodiscard]] std::unique_ptr<Snapshots> begin_snapshots(SnapshotSeries series) override;

 private:
  std::filesystem::path directory_;
  core::Communicator ranks_;
};

}  // namespace maxwell_dg::dg
