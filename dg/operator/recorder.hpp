#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/device/device.hpp"
#include "core/dtype.hpp"
#include "core/mpi/communicator.hpp"

namespace maxwell_dg::dg {

/// Records numbers of the state on the device at some steps and copies them to the host in batches, without waiting:
/// while one batch fills, the other is copied. The host is therefore never more than two batches ahead of the device.
class Recorder {
 public:
  struct Source {
    core::Device device;
    core::Stream stream;
    Dtype dtype{};          ///< of a number: float32 or float64
    std::size_t width{};    ///< numbers a record
    std::size_t batch = 1;  ///< records
    /// Those that record at the same steps; what is handed out is the sum of theirs, on all of them or on the first one
    /// alone: then others are handed out what they have. `take` and `take_arrived` are collective.
    core::Communicator ranks{};
    enum class Receiver { all, first } receiver = Receiver::all;
    /// [number of a record] whether it is this rank's, among several; others' count as zero here, whatever is written.
    /// Empty: all are sums of all ranks.
    std::vector<bool> is_own{};
    /// Enqueues the kernels that write a record into a row of `rows`, [batch][width].
    std::function<void(const core::Buffer& rows, std::int32_t row)> write_record;
  };

  static constexpr std::size_t batches = 2;

  explicit Recorder(Source source);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// Records the current state. Asynchronous.
  void record();
  /// The records that have arrived on the host since the last call, oldest first, [record][number]. Does not wait. With
  /// several ranks only those that have made room for later ones: these have arrived on all of them.
  [[nodiscard]] std::vector<double> take_arrived();
  /// All records since the last call. Waits for the device.
  [[nodiscard]] std::vector<double> take();
  /// Records that were not taken yet.
  [[nodiscard]] std::size_t recorded() const { return recorded_; }

 private:
  struct Batch {
    core::Buffer rows;
    core::HostBuffer host;
    std::size_t records{};
    core::Event arrived{};
    bool on_its_way{};
  };
  void send(Batch& batch);
  void collect(Batch& batch);  // waits for it
  [[nodiscard]] std::vector<double> hand_out();

  Source source_;
  std::array<Batch, batches> batches_;
  std::size_t filling_{0};
  std::size_t recorded_{0};
  std::vector<double> on_host_;
};

}  // namespace maxwell_dg::dg
