#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dg/observe/files/sink.hpp"

namespace maxwell_dg::dg {

/// Fields at points, at one time or one frequency, in the config's units.
struct Snapshot {
  std::string series;  ///< "fields", "surface_fields", "frequency_fields"
  double at{};         ///< the time or the frequency
  struct Quantity {
    std::string name;                             ///< "E"; for frequencies "E_re" and "E_im"
    std::vector<std::vector<double>> components;  ///< [component][point]
  };
  std::vector<Quantity> quantities;
  std::shared_ptr<const std::vector<Point>> points;  ///< the same points in all snapshots of a series
};

/// Keeps results in memory and writes no file. Snapshots are passed to a function and not kept. For the first rank;
/// others have a RankSink.
class MemorySink final : public Sink {
 public:
  using OnSnapshot = std::function<void(const Snapshot&)>;
  /// `on_snapshot` is called by the thread that steps; if it is empty, no snapshots are made.
  explicit MemorySink(OnSnapshot on_snapshot = {}) : on_snapshot_(std::move(on_snapshot)) {}

  [[nodiscard]] std::unique_ptr<Rows> begin_table(const std::string& name, std::vector<std::string> columns,
                                                  const Archive* resumed) override;
  [[nodiscard]] Table table(const std::string& name) const override;
  void put_table(const std::string& name, const Table& table) override { tables_.insert_or_assign(name, table); }
  void put_text(const std::string& file, const std::string& text) override { texts_[file] = text; }
  [[nodiscard]] bool takes_pieces() const override { return false; }
  [[nodiscard]] bool takes_snapshots() const override { return static_cast<bool>(on_snapshot_); }
  [[nodiscard]] bool takes_them_meanwhile() const override { return false; }
  [[nodiscard]] std::unique_ptr<Snapshots> begin_snapshots(SnapshotSeries series) override;

  /// The texts, by the names that their files would have.
  [[nodiscard]] const std::map<std::string, std::string>& texts() const { return texts_; }

 private:
  OnSnapshot on_snapshot_;
  std::map<std::string, Table> tables_;
  std::map<std::string, std::string> texts_;
};

}  // namespace maxwell_dg::dg
