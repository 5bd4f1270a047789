// SPDX-License-Identifier: Apache-2.0
#include "hw/core/stream_buffer.h"

#include <algorithm>

namespace toroid {

StreamBuffer::StreamBuffer(const MemoryConfig& config, MemoryCounters& counters)
    : config_(config),
      counters_(counters),
      third_(config.l3_bytes / kLineBytes, config.l3_ways),
      lines_(config.l2_bytes / kLineBytes),
      streams_(config.l2_streams),
      recent_(config.l2_streams, kNone) {}

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

unsigned StreamBuffer::fetch(std::uint32_t number) {
  if (third_.contains(number)) {
    ++counters_.l3_hits;
    return config_.l3_latency;
  }
  ++counters_.memory_reads;
  if (third_.fill(number, false).dirty) ++counters_.memory_writes;
  return config_.memory_latency;
}

void StreamBuffer::fetch_ahead(Stream& stream, std::uint32_t up_to, CoreCycle at, bool begins) {
  for (; stream.next <= up_to; ++stream.next) {
    if (find(stream.next) != nullptr) continue;
    const unsigned latency = fetch(stream.next);
    engine_free_ = std::max(engine_free_, at) + config_.l2_line_cycles;
    // Behind the beginning of a stream the third level has read ahead as well.
    place(stream.next, std::max(at + (begins ? latency : config_.l3_latency), engine_free_), true);
    ++counters_.l2_prefetches;
  }
}

CoreCycle StreamBuffer::read(std::uint64_t address, CoreCycle at) {
  const std::uint32_t number = address / kLineBytes;
  if (Line* line = find(number)) {
    ++counters_.l2_hits;
    const CoreCycle ready = std::max(at + config_.l2_latency, line->ready);
    if (line->streaming) {
      line->streaming = false;
      for (Stream& stream : streams_) {
        if (stream.next > number && stream.next - number <= config_.l2_depth + 1)
          fetch_ahead(stream, number + config_.l2_depth, at, false);
      }
    }
    return ready;
  }
  const CoreCycle ready = at + fetch(number);
  if (lines_.empty()) return ready;
  place(number, ready, false);
  if (std::find(recent_.begin(), recent_.end(), number - 1) != recent_.end()) {
    Stream& stream = streams_[next_stream_];
    next_stream_ = next_stream_ + 1 == streams_.size() ? 0 : next_stream_ + 1;
    stream.next = number + 1;
    ++counters_.l2_streams;
    fetch_ahead(stream, number + config_.l2_depth, at, true);
  } else {
    recent_[next_recent_] = number;
    next_recent_ = next_recent_ + 1 == recent_.size() ? 0 : next_recent_ + 1;
  }
  return ready;
}

bool StreamBuffer::invalidate(std::uint32_t address, std::uint32_t bytes) {
  if (!holds(address, bytes)) return false;
  const std::uint32_t first = address / kLineBytes, last = (address + (bytes - 1)) / kLineBytes;
  for (Line& line : lines_) {
    if (line.number >= first && line.number <= last) line = {};
  }
  return true;
}

bool StreamBuffer::holds(std::uint32_t address, std::uint32_t bytes) const {
  const std::uint32_t first = address / kLineBytes, last = (address + (bytes - 1)) / kLineBytes;
  return std::any_of(lines_.begin(), lines_.end(),
                     [first, last](const Line& line) { return line.number >= first && line.number <= last; });
}

void StreamBuffer::write(std::uint64_t address, CoreCycle at) {
  const std::uint32_t number = address / kLineBytes;
  engine_free_ = std::max(engine_free_, at) + config_.write_back_cycles;
  ++counters_.write_backs;
  if (third_.contains(number)) {
    third_.mark(number, true);
  } else if (third_.fill(number, true).dirty) {
    ++counters_.memory_writes;
  }
}

}  // namespace toroid
