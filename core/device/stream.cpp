#include "core/device/stream.hpp"

#include <algorithm>
#include <string>

#include "core/device/backend.hpp"
#include "core/device/handles.hpp"
#include "core/device/trace.hpp"

namespace maxwell_dg::core {
namespace {

/// True when there is something to move. An empty Buffer has 0 bytes.
bool check_range(std::size_t size, std::size_t offset, std::size_t bytes, const char* call) {
  if (offset > size || bytes > size - offset) {
    throw DeviceError(std::string(call) + ": bytes " + std::to_string(offset) + " to " +
                      std::to_string(offset + bytes) + " do not lie in a buffer of " + std::to_string(size) + " bytes");
  }
  return bytes != 0;
}

[[noreturn]] void wrong_box(const char* call, const std::string& what) {
  throw DeviceError(std::string(call) + ": " + what);
}

/// The layout with its pitches filled in, checked against memory of `size` bytes that is not too small for it.
BoxLayout checked(const BoxLayout& layout, const BoxExtent& extent, std::size_t size, const char* call) {
  const auto overflow = [&] { wrong_box(call, "the box has more bytes than an address has"); };
  BoxLayout full = layout;
  if (full.row_pitch == 0) full.row_pitch = extent.width;
  std::size_t rows = 0;
  if (__builtin_mul_overflow(full.row_pitch, extent.height, &rows)) overflow();
  if (full.slice_pitch == 0 || extent.depth == 1) full.slice_pitch = rows;
  if (full.row_pitch < extent.width) {
    wrong_box(call, "rows of " + std::to_string(extent.width) + " bytes overlap at a pitch of " +
                        std::to_string(full.row_pitch));
  }
  if (full.slice_pitch < rows || full.slice_pitch % full.row_pitch != 0) {
    wrong_box(call, "a slice pitch of " + std::to_string(full.slice_pitch) + " is no multiple of the row pitch " +
                        std::to_string(full.row_pitch) + " that holds " + std::to_string(extent.height) + " rows");
  }
  std::size_t slices = 0;
  std::size_t end = 0;
  if (__builtin_mul_overflow(full.slice_pitch, extent.depth - 1, &slices) ||
      __builtin_add_overflow(slices, (extent.height - 1) * full.row_pitch, &end) ||
      __builtin_add_overflow(end, extent.width, &end)) {
    overflow();
  }
  (void)check_range(size, full.offset, end, call);
  return full;
}

bool is_empty(const BoxExtent& extent) {
  return extent.width == 0 || extent.height == 0 || extent.depth == 0;
}

void check_pattern(std::size_t pattern, const char* call) {
  constexpr std::array<std::size_t, 5> sizes{1, 2, 4, 8, 16};
  if (std::find(sizes.begin(), sizes.end(), pattern) == sizes.end()) {
    throw DeviceError(std::string(call) + ": a pattern of " + std::to_string(pattern) +
                      " bytes; it may have 1, 2, 4, 8 or 16");
  }
}

}  // namespace

EventState& Event::state() const {
  return used(state_, "Event");
}
StreamState& Stream::state() const {
  return used(state_, "Stream");
}
const std::shared_ptr<StreamState>& Stream::shared_state() const {
  (void)state();
  return state_;
}

void Event::synchronize() const {
  state().synchronize();
  if (trace::is_active()) trace::collect();
}
bool Event::is_done() const {
  return state().is_done();
}
double Event::seconds_between(const Event& begin, const Event& end) {
  EventState& first = begin.state();
  EventState& last = end.state();
  if (first.kind() != EventKind::timing || last.kind() != EventKind::timing) {
    throw DeviceError("Event::seconds_between: an event was recorded without timing; record it as EventKind::timing");
  }
  return last.seconds_since(first);
}
std::uintptr_t Event::raw() const {
  return state().raw();
}

void Stream::synchronize() const {
  state().synchronize();
  if (trace::is_active()) trace::collect();
}
Event Stream::record(EventKind kind) const {
  return Event(state().record(kind));
}
void Stream::wait(const Event& event) const {
  state().wait(event.state());
}

void Stream::write(const Buffer& to, std::size_t offset_bytes, std::span<const std::byte> from) const {
  StreamState& stream = state();
  if (check_range(to.size_bytes(), offset_bytes, from.size(), "Stream::write")) {
    stream.write(to.state(), offset_bytes, from);
  }
}

void Stream::read(const Buffer& from, std::size_t offset_bytes, std::span<std::byte> to) const {
  StreamState& stream = state();
  if (check_range(from.size_bytes(), offset_bytes, to.size(), "Stream::read")) {
    stream.read(from.state(), offset_bytes, to);
  }
}

void Stream::copy(const Buffer& from, std::size_t from_offset, const Buffer& to, std::size_t to_offset,
                  std::size_t bytes) const {
  StreamState& stream = state();
  const bool some = check_range(from.size_bytes(), from_offset, bytes, "Stream::copy, source");
  if (check_range(to.size_bytes(), to_offset, bytes, "Stream::copy, target") && some) {
    stream.copy(from.state(), from_offset, to.state(), to_offset, bytes);
  }
}

void Stream::write_box(const Buffer& to, const BoxLayout& to_layout, std::span<const std::byte> from,
                       const BoxLayout& from_layout, const BoxExtent& extent) const {
  StreamState& stream = state();
  if (is_empty(extent)) return;
  const BoxLayout source = checked(from_layout, extent, from.size(), "Stream::write_box, source");
  const BoxLayout target = checked(to_layout, extent, to.size_bytes(), "Stream::write_box, target");
  stream.write_box(to.state(), target, from.data(), source, extent);
}

void Stream::read_box(const Buffer& from, const BoxLayout& from_layout, std::span<std::byte> to,
                      const BoxLayout& to_layout, const BoxExtent& extent) const {
  StreamState& stream = state();
  if (is_empty(extent)) return;
  const BoxLayout source = checked(from_layout, extent, from.size_bytes(), "Stream::read_box, source");
  const BoxLayout target = checked(to_layout, extent, to.size(), "Stream::read_box, target");
  stream.read_box(from.state(), source, to.data(), target, extent);
}

void Stream::copy_box(const Buffer& from, const BoxLayout& from_layout, const Buffer& to, const BoxLayout& to_layout,
                      const BoxExtent& extent) const {
  StreamState& stream = state();
  if (is_empty(extent)) return;
  const BoxLayout source = checked(from_layout, extent, from.size_bytes(), "Stream::copy_box, source");
  const BoxLayout target = checked(to_layout, extent, to.size_bytes(), "Stream::copy_box, target");
  stream.copy_box(from.state(), source, to.state(), target, extent);
}

void Stream::fill_zero(const Buffer& buffer) const {
  constexpr std::byte zero{};
  fill(buffer, 0, buffer.size_bytes(), std::span(&zero, 1));
}

void Stream::fill(const Buffer& buffer, std::size_t offset_bytes, std::size_t bytes,
                  std::span<const std::byte> pattern) const {
  StreamState& stream = state();
  check_pattern(pattern.size(), "Stream::fill");
  if (offset_bytes % pattern.size() != 0 || bytes % pattern.size() != 0) {
    throw DeviceError("Stream::fill: " + std::to_string(bytes) + " bytes at " + std::to_string(offset_bytes) +
                      " are no whole number of patterns of " + std::to_string(pattern.size()) + " bytes");
  }
  if (check_range(buffer.size_bytes(), offset_bytes, bytes, "Stream::fill")) {
    stream.fill(buffer.state(), offset_bytes, bytes, pattern);
  }
}

void Stream::fill_box(const Buffer& buffer, const BoxLayout& layout, const BoxExtent& extent,
                      std::span<const std::byte> pattern) const {
  StreamState& stream = state();
  const char* const call = "Stream::fill_box";
  check_pattern(pattern.size(), call);
  if (is_empty(extent)) return;
  const BoxLayout full = checked(layout, extent, buffer.size_bytes(), call);
  for (const std::size_t bytes : {full.offset, full.row_pitch, extent.width}) {
    if (bytes % pattern.size() == 0) continue;
    wrong_box(call, "rows of " + std::to_string(extent.width) + " bytes at " + std::to_string(full.offset) +
                        " with a pitch of " + std::to_string(full.row_pitch) +
                        " do not begin and end with a pattern of " + std::to_string(pattern.size()) + " bytes");
  }
  stream.fill_box(buffer.state(), full, extent, pattern);
}

void StreamState::fill_box(BufferState& buffer, const BoxLayout& layout, const BoxExtent& extent,
                           std::span<const std::byte> pattern) {
  fill(buffer, layout.offset, extent.width, pattern);
  const auto repeat = [&](std::size_t count, std::size_t pitch, auto extent_of) {
    for (std::size_t done = 1; done < count; done *= 2) {
      BoxLayout next = layout;
      next.offset += done * pitch;
      copy_box(buffer, layout, buffer, next, extent_of(std::min(done, count - done)));
    }
  };
  repeat(extent.height, layout.row_pitch, [&](std::size_t rows) { return BoxExtent{extent.width, rows, 1}; });
  repeat(extent.depth, layout.slice_pitch, [&](std::size_t slices) {
    return BoxExtent{extent.width, extent.height, slices};
  });
}

std::uintptr_t Stream::raw() const {
  return state().raw();
}

}  // namespace maxwell_dg::core
