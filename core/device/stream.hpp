#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>

#include "core/device/buffer.hpp"

namespace maxwell_dg::core {

class EventState;
class StreamState;

/// What an event is good for. Without timing it costs less to record.
enum class EventKind { timing, order };

/// A marker in a stream.
class Event {
 public:
  Event() = default;
  explicit Event(std::shared_ptr<EventState> state) : state_(std::move(state)) {}
  void synchronize() const;
  [[nodiscard]] bool is_done() const;
  /// Device seconds from `begin` to `end`; both are waited for. Throws DeviceError for events of kind `order`.
  [[nodiscard]] static double seconds_between(const Event& begin, const Event& end);
  [[nodiscard]] std::uintptr_t raw() const;  ///< CUevent or cl_event
  [[nodiscard]] EventState& state() const;   ///< throws DeviceError when the handle is empty

 private:
  std::shared_ptr<EventState> state_;
};

/// A box of bytes: rows of `width` bytes, `height` of them a slice, `depth` slices.
struct BoxExtent {
  std::size_t width{};
  std::size_t height{1};
  std::size_t depth{1};
};

/// Where a box lies in a piece of memory: byte x of row y of slice z is at
/// offset + x + y * row_pitch + z * slice_pitch. 0 means: without gaps. A slice pitch is a multiple of the row pitch.
struct BoxLayout {
  std::size_t offset{};
  std::size_t row_pitch{};
  std::size_t slice_pitch{};
};

/// How soon a stream's work is taken when several compete for the device.
enum class StreamPriority { low, normal, high };

struct StreamOptions {
  StreamPriority priority{StreamPriority::normal};
};

/// An in-order queue of work. Everything is asynchronous where host memory allows: host memory given to it must live,
/// and be left alone, until the stream has passed the operation (`synchronize`, or an Event recorded after it). Only
/// then is what was read there.
class Stream {
 public:
  Stream() = default;
  explicit Stream(std::shared_ptr<StreamState> state) : state_(std::move(state)) {}
  void synchronize() const;
  [[nodiscard]] Event record(EventKind kind = EventKind::timing) const;
  void wait(const Event& event) const;

  void write(const Buffer& to, std::size_t offset_bytes, std::span<const std::byte> from) const;
  void read(const Buffer& from, std::size_t offset_bytes, std::span<std::byte> to) const;
  void copy(const Buffer& from, std::size_t from_offset, const Buffer& to, std::size_t to_offset,
            std::size_t bytes) const;

  /// Boxes of two or three dimensions, e.g. a tile of a matrix, whose rows lie apart.
  void write_box(const Buffer& to, const BoxLayout& to_layout, std::span<const std::byte> from,
                 const BoxLayout& from_layout, const BoxExtent& extent) const;
  void read_box(const Buffer& from, const BoxLayout& from_layout, std::span<std::byte> to, const BoxLayout& to_layout,
                const BoxExtent& extent) const;
  void copy_box(const Buffer& from, const BoxLayout& from_layout, const Buffer& to, const BoxLayout& to_layout,
                const BoxExtent& extent) const;

  void fill_zero(const Buffer& buffer) const;
  /// Repeats a pattern of 1, 2, 4, 8 or 16 bytes over `bytes` bytes; offset and bytes are multiples of its size.
  void fill(const Buffer& buffer, std::size_t offset_bytes, std::size_t bytes,
            std::span<const std::byte> pattern) const;
  /// The same over the rows of a box, whose width and pitches are multiples of the pattern's size, too.
  void fill_box(const Buffer& buffer, const BoxLayout& layout, const BoxExtent& extent,
                std::span<const std::byte> pattern) const;
  /// All of the buffer as values of T.
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void fill(const Buffer& buffer, const T& value) const {
    fill(buffer, 0, buffer.size_bytes(), std::as_bytes(std::span(&value, 1)));
  }

  [[nodiscard]] std::uintptr_t raw() const;  ///< CUstream or cl_command_queue
  [[nodiscard]] StreamState& state() const;  ///< throws DeviceError when the handle is empty
  [[nodiscard]] const std::shared_ptr<StreamState>& shared_state() const;  ///< the same, to keep it

 private:
  std::shared_ptr<StreamState> state_;
};

}  // namespace maxwell_dg::core
