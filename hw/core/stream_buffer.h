// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "hw/core/core_counters.h"
#include "hw/core/last_level.h"
#include "hw/core/memory_config.h"
#include "hw/core/prefetch_control.h"
#include "hw/isa/line_size.h"
#include "torus/base/time.h"

namespace toroid {

/// A small prefetch buffer before a core's last level, which finds out about sequential streams and reads ahead of
/// them.
///
/// Two misses in lines that follow each other make a stream; from then on lines are fetched `prefetch_depth` ahead of
/// it, one every `prefetch_line_cycles`, all streams together: what the engine behind the buffer can do. With
/// Levels::l2_prefetch the last level prefetches from main memory likewise, so a stream pays main memory's latency at
/// its beginning only. Lines written back take their share of the same engine. A buffer of no bytes is none: the last
/// level answers. With victim levels the buffer has lines that were fetched ahead alone, and a line that is used leaves
/// it.
class StreamBuffer {
 public:
  StreamBuffer(const MemoryConfig& config, LastLevel& last, MemoryCounters& counters);

  /// A level before asks for the line at physical address `address` at cycle `at`. Returns when what it carries can be
  /// used.
  CoreCycle read(std::uint64_t address, CoreCycle at);
  /// Software has changed what streams do.
  void set_control(const PrefetchControl& control) { control_ = control; }
  /// A first level writes a line of its own back.
  void write(std::uint64_t address, CoreCycle at);

  /// Takes the lines of [address, address + bytes) out of the buffer. Returns whether there was one.
  bool invalidate(std::uint64_t address, std::uint64_t bytes);
  /// Whether the buffer has some of it.
  bool holds(std::uint64_t address, std::uint64_t bytes) const;

 private:
  struct Line {
    std::uint32_t number = kNone;
    CoreCycle ready = 0;
    bool streaming = false;  ///< fetched ahead; its first use moves the stream on
  };
  struct Stream {
    std::uint32_t next = kNone;  ///< the line to be fetched next
  };
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint32_t number_of(std::uint64_t address) const { return static_cast<std::uint32_t>(line_.number(address)); }
  Line* find(std::uint32_t number);
  Line& place(std::uint32_t number, CoreCycle ready, bool streaming);
  unsigned depth() const { return control_.depth.value_or(config_.prefetch_depth); }
  void fetch_ahead(Stream& stream, std::uint32_t up_to, CoreCycle at, bool begins);

  const MemoryConfig config_;
  const LineSize line_;
  PrefetchControl control_;
  MemoryCounters& counters_;
  LastLevel& last_;
  std::vector<Line> lines_;
  std::size_t next_line_ = 0;
  std::vector<Stream> streams_;
  std::size_t next_stream_ = 0;
  std::vector<std::uint32_t> recent_;  ///< lines that were asked for and not there
  std::size_t next_recent_ = 0;
  CoreCycle engine_free_ = 0;
};

}  // namespace toroid
