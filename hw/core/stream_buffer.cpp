// SPDX-License-Identifier: Apache-2.0
#include "hw/core/stream_buffer.h"

#include <algorithm>

namespace toroid {

StreamBuffer::StreamBuffer(const MemoryConfig& config, LastLevel& last, MemoryCounters& counters)
    : config_(config),
      line_(config.line_behind()),
      counters_(counters),
      last_(last),
      lines_(config.prefetch_bytes / config.line_behind()),
      streams_(config.prefetch_streams),
      recent_(config.prefetch_streams, kNone) {}

StreamBuffer::Line* StreamBuffer::find(std::uint32_t number) {
  for (Line& line : lines_) {
    if (line.number == number) return &line;
  }
  return nullptr;
}

StreamBuffer::Line& StreamBuffer::place(std::uint32_t number, CoreCycle ready, bool streaming) {
  Line& line = lines_[next_line_];
  next_line_ = next_line_ + 1 == lines_.size() ? 0 : next_line_ + 1;
  line = {number, ready, streaming};
  return line;
}

void StreamBuffer::fetch_ahead(Stream& stream, std::uint32_t up_to, CoreCycle at, bool begins) {
  for (; stream.next <= up_to; ++stream.next) {
    if (find(stream.next) != nullptr) continue;
    CoreCycle latency = last_.read(stream.next, at);
    // Behind the beginning of a stream this last level has read ahead as well.
    if (!begins && config_.levels == MemoryConfig::Levels::l2_prefetch) latency = CoreCycle{config_.last_latency};
    engine_free_ = std::max(engine_free_, at) + config_.prefetch_line_cycles;
    place(stream.next, std::max(at + latency, engine_free_), true);
    ++counters_.prefetches;
  }
}

CoreCycle StreamBuffer::read(std::uint64_t address, CoreCycle at) {
  const std::uint32_t number = number_of(address);
  if (Line* line = find(number)) {
    ++counters_.prefetch_hits;
    const CoreCycle ready = std::max(at + config_.prefetch_latency, line->ready);
    if (line->streaming) {
      line->streaming = false;
      if (config_.is_exclusive()) *line = {};
      for (Stream& stream : streams_) {
        if (control_.goes_on && stream.next > number && stream.next - number <= depth() + 1)
          fetch_ahead(stream, number + depth(), at, false);
      }
    }
    return ready;
  }
  const CoreCycle ready = at + last_.read(number, at);
  if (lines_.empty()) return ready;
  if (!config_.is_exclusive()) place(number, ready, false);
  if (!control_.begins) return ready;
  if (control_.optimistic || std::find(recent_.begin(), recent_.end(), number - 1) != recent_.end()) {
    Stream& stream = streams_[next_stream_];
    next_stream_ = next_stream_ + 1 == streams_.size() ? 0 : next_stream_ + 1;
    stream.next = number + 1;
    ++counters_.prefetch_streams;
    fetch_ahead(stream, number + depth(), at, true);
  } else {
    recent_[next_recent_] = number;
    next_recent_ = next_recent_ + 1 == recent_.size() ? 0 : next_recent_ + 1;
  }
  return ready;
}

bool StreamBuffer::invalidate(std::uint64_t address, std::uint64_t bytes) {
  if (!holds(address, bytes)) return false;
  const std::uint32_t first = number_of(address), last = number_of(address + (bytes - 1));
  for (Line& line : lines_) {
    if (line.number >= first && line.number <= last) line = {};
  }
  return true;
}

bool StreamBuffer::holds(std::uint64_t address, std::uint64_t bytes) const {
  const std::uint32_t first = number_of(address), last = number_of(address + (bytes - 1));
  return std::any_of(lines_.begin(), lines_.end(),
                     [first, last](const Line& line) { return line.number >= first && line.number <= last; });
}

void StreamBuffer::write(std::uint64_t address, CoreCycle at) {
  const std::uint32_t number = number_of(address);
  engine_free_ = std::max(engine_free_, at) + config_.write_back_cycles;
  ++counters_.write_backs;
  last_.put(number, true, at);
}

}  // namespace toroid
