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

/// A table that grows while a run goes on.
class Rows {
 public:
  virtual ~Rows() = default;
  virtual void add_row(std::span<const double> values) = 0;
  /// Who reads the table sees all rows so far. Throws OutputError.
  virtual void flush() {}
  /// The same, where enough rows have gathered to be worth it.
  virtual void flush_if_many() {}
  /// Flushes, and puts in what Sink::begin_table needs to go on behind the rows so far, under names that begin with the
  /// table's. Throws OutputError.
  virtual void save(Archive& /*archive*/) {}
};

/// Fields at the same points, again and again: at moments, or for frequencies.
struct SnapshotSeries {
  std::string name;  ///< "fields": files are called after it
  enum class Over { time, frequency } over = Over::time;
  std::vector<VtkWriter::PointData> quantities{};
  int fields{};                                     ///< values are [block of nodes][field][node of the block]
  std::size_t block{1};                             ///< nodes
  std::function<std::vector<Point>()> positions{};  ///< [node] where they are, in the mesh's units
  /// Writes the values as a .vtu file.
  std::function<void(const std::filesystem::path&, std::span<const double>)> write_vtu{};
  const Archive* resumed{};  ///< what was saved, of a run that goes on; read at once
};

/// Takes such fields.
class Snapshots {
 public:
  virtual ~Snapshots() = default;
  /// `at`: the time or the frequency, in the config's units. Throws OutputError.
  virtual void add(double at, std::span<const double> values) = 0;
  /// So far; after a resumed run, of the whole one.
  [[nodiscard]] virtual std::size_t count() const = 0;
  virtual void save(Archive& /*archive*/) const {}
};

/// Where the observers of a run leave their results: files (FileSink) or memory (MemorySink). It outlives them.
class Sink {
 public:
  virtual ~Sink() = default;

  /// Where the files are; null of a sink without.
  [[nodiscard]] virtual const std::filesystem::path* directory() const { return nullptr; }

  /// Begins a table. With what a resumed run had saved of it, goes on behind those rows. Throws OutputError.
  [[nodiscard]] virtual std::unique_ptr<Rows> begin_table(const std::string& name, std::vector<std::string> columns,
                                                          const Archive* resumed) = 0;
  /// All rows of a table that were flushed. Throws ConfigError where there is no such table.
  [[nodiscard]] virtual Table table(const std::string& name) const = 0;

  /// Keeps a whole table, or a whole text under the name of a file: all of it or nothing. Throws OutputError.
  virtual void put_table(const std::string& name, const Table& table) = 0;
  virtual void put_text(const std::string& file, const std::string& text) = 0;

  /// Does anybody want snapshots? Else nobody needs to make any.
  [[nodiscard]] virtual bool takes_snapshots() const = 0;
  /// May a thread of its own add them, while the run goes on?
  [[nodiscard]] virtual bool takes_them_meanwhile() const = 0;
  [[nodiscard]] virtual std::unique_ptr<Snapshots> begin_snapshots(SnapshotSeries series) = 0;
};

}  // namespace maxwell_dg::dg
