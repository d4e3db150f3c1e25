#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dg/checkpoint/archive.hpp"
#include "dg/mesh/mesh.hpp"
#include "dg/observe/files/table.hpp"
#include "dg/observe/files/vtk_writer.hpp"

namespace maxwell_dg::dg {

/// A table that gets rows during a run.
class Rows {
 public:
  virtual ~Rows() = default;
  virtual void add_row(std::span<const double> values) = 0;
  /// Makes all rows so far visible to readers of the table. Throws OutputError.
  virtual void flush() {}
  /// The same, but only if many rows are pending.
  virtual void flush_if_many() {}
  /// Flushes, and stores what Sink::begin_table needs to continue after the rows so far, under names that begin with
  /// the table's. Throws OutputError.
  virtual void save(Archive& /*archive*/) {}
};

/// Describes a series of snapshots: fields at the same points, for several times or frequencies.
struct SnapshotSeries {
  std::string name;  ///< "fields"; prefix of the files' names
  enum class Over { time, frequency } over = Over::time;
  std::vector<VtkWriter::PointData> quantities{};
  std::vector<MirroredPart> parts{{}};  ///< of the whole, for which the quantities have signs
  int fields{};                         ///< of a snapshot's values, [block of nodes][field][node of the block]
  std::size_t block{1};                 ///< nodes of a block
  std::function<std::vector<Point>()> positions{};  ///< [node] the positions of the first part, in the mesh's units
  std::size_t cells{1};                             ///< that this rank has
  /// Writes values of this rank's cells as a .vtu file.
  std::function<void(const std::filesystem::path&, std::span<const double>)> write_vtu{};
  /// Writes a .pvtu file, which stands for the cells of all ranks: the names of their .vtu files beside it.
  std::function<void(const std::filesystem::path&, std::span<const std::string>)> write_pvtu{};
  const Archive* resumed{};  ///< of a resumed run: what `save` stored; only read by Sink::begin_snapshots
};

/// Takes the snapshots of a series.
class Snapshots {
 public:
  virtual ~Snapshots() = default;
  /// `at`: the time or the frequency, in the config's units. `values`: of this rank's cells, or, where the sink takes
  /// no pieces, of all cells; then the first rank alone adds. Throws OutputError.
  virtual void add(double at, std::span<const double> values) = 0;
  /// Makes readers see what all ranks have added so far, as many snapshots on each of them. `failure`: why this rank
  /// could not add what it has; empty if it could. Throws OutputError on all ranks where one of them has failed.
  /// Collective.
  virtual void complete(const std::string& failure) = 0;
  /// How many there are so far; in a resumed run, including those before it was resumed.
  [[nodiscard]] virtual std::size_t count() const = 0;
  virtual void save(Archive& /*archive*/) const {}
};

/// Where the observers of a run put their results: files (FileSink) or memory (MemorySink). It must outlive them.
class Sink {
 public:
  virtual ~Sink() = default;

  /// The directory of the files; null if there are no files.
  [[nodiscard]] virtual const std::filesystem::path* directory() const { return nullptr; }

  /// Begins a table; or, if `resumed` has what Rows::save stored of it, continues after those rows. Throws OutputError.
  [[nodiscard]] virtual std::unique_ptr<Rows> begin_table(const std::string& name, std::vector<std::string> columns,
                                                          const Archive* resumed) = 0;
  /// All flushed rows of a table. Throws ConfigError if there is no such table.
  [[nodiscard]] virtual Table table(const std::string& name) const = 0;

  /// Stores a complete table, or a text with the name of a file, atomically. Throws OutputError.
  virtual void put_table(const std::string& name, const Table& table) = 0;
  virtual void put_text(const std::string& file, const std::string& text) = 0;

  /// Whether each rank adds the values of its own cells; otherwise the first one adds those of all.
  [[nodiscard]] virtual bool takes_pieces() const = 0;
  /// Whether snapshots are wanted; otherwise observers make none.
  [[nodiscard]] virtual bool takes_snapshots() const = 0;
  /// Whether another thread may add them while the run continues.
  [[nodiscard]] virtual bool takes_them_meanwhile() const = 0;
  /// Collective.
  [[nodiscard]] virtual std::unique_ptr<Snapshots> begin_snapshots(SnapshotSeries series) = 0;
};

}  // namespace maxwell_dg::dg
