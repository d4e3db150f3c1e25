#include "dg/observe/files/memory_sink.hpp"

#include <cstddef>
#include <utility>

#include "core/error.hpp"

namespace maxwell_dg::dg {
namespace {

class RowsInMemory final : public Rows {
 public:
  explicit RowsInMemory(Table& table) : table_(table) {}
  void add_row(std::span<const double> values) override { table_.add_row(values); }

 private:
  Table& table_;
};

class HandedOver final : public Snapshots {
 public:
  HandedOver(SnapshotSeries series, const MemorySink::OnSnapshot& on_snapshot)
      : series_(std::move(series)),
        points_(std::make_shared<const std::vector<Point>>(positions_of_all())),
        on_snapshot_(on_snapshot) {}

  void add(double at, std::span<const double> values) override {
    Snapshot snapshot{.series = series_.name, .at = at, .quantities = {}, .points = points_};
    for (const VtkWriter::PointData& data : series_.quantities) {
      Snapshot::Quantity& quantity = snapshot.quantities.emplace_back(Snapshot::Quantity{data.name, {}});
      for (std::size_t i = 0; i < data.fields.size(); ++i) {
        quantity.components.push_back(component(values, data, i));
      }
    }
    ++count_;
    on_snapshot_(snapshot);
  }
  void complete(const std::string& failure) override {
    if (!failure.empty()) throw OutputError(failure);
  }
  [[nodiscard]] std::size_t count() const override { return count_; }

 private:
  [[nodiscard]] std::vector<Point> positions_of_all() const {
    const std::vector<Point> of_part = series_.positions();
    std::vector<Point> all;
    for (const MirroredPart& part : series_.parts) {
      for (const Point& x : of_part) {
        all.push_back({part.position[0] * x[0], part.position[1] * x[1], part.position[2] * x[2]});
      }
    }
    return all;
  }

  [[nodiscard]] std::vector<double> component(std::span<const double> values, const VtkWriter::PointData& data,
                                              std::size_t i) const {
    const auto field = static_cast<std::size_t>(data.fields[i]);
    const auto stride = series_.block * static_cast<std::size_t>(series_.fields);
    std::vector<double> result;
    result.reserve(points_->size());
    for (std::size_t first = field * series_.block; first < values.size(); first += stride) {
      for (const double value : values.subspan(first, series_.block)) result.push_back(value * data.factors[i]);
    }
    std::vector<std::vector<double>> signs{{1.0}};
    for (std::size_t part = 1; part < data.signs.size(); ++part) signs.push_back({data.signs[part][i]});
    return in_all_parts(std::move(result), signs);
  }

  SnapshotSeries series_;
  std::shared_ptr<const std::vector<Point>> points_;
  const MemorySink::OnSnapshot& on_snapshot_;
  std::size_t count_ = 0;
};

}  // namespace

std::unique_ptr<Rows> MemorySink::begin_table(const std::string& name, std::vector<std::string> columns,
                                              const Archive* /*resumed*/) {
  Table& table = tables_.insert_or_assign(name, Table(name, std::move(columns))).first->second;
  return std::make_unique<RowsInMemory>(table);
}

Table MemorySink::table(const std::string& name) const {
  const auto found = tables_.find(name);
  if (found == tables_.end()) throw ConfigError("there is no table '" + name + "' among the results of this run");
  return found->second;
}

std::unique_ptr<Snapshots> MemorySink::begin_snapshots(SnapshotSeries series) {
  return std::make_unique<HandedOver>(std::move(series), on_snapshot_);
}

}  // namespace maxwell_dg::dg
