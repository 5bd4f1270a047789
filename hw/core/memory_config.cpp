// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory_config.h"

#include <algorithm>
#include <cstddef>
#include <string>

#include "hw/isa/line_size.h"

namespace toroid {

namespace {

bool is_power_of_two(std::uint32_t number) {
  return number != 0 && (number & (number - 1)) == 0;
}

void check_line(const char* name, std::uint32_t bytes) {
  require(is_power_of_two(bytes), name, "is " + std::to_string(bytes) + "; it must be 32, 64 or 128 bytes");
}

/// By Levels.
struct Names {
  const char* prefetch_size;
  const char* prefetch_latency;
  const char* prefetch_streams;
  const char* prefetch_depth;
  const char* prefetch_line_cycles;
  const char* last_size;
  const char* last_ways;
  const char* last_latency;
};
constexpr Names kNames[] = {
    {"cache.l2_size", "cache.l2_latency", "cache.l2_streams", "cache.l2_depth", "cache.l2_line_cycles", "cache.l3_size",
     "cache.l3_ways", "cache.l3_latency"},
    {"cache.l1p_size", "cache.l1p_latency", "cache.l1p_streams", "cache.l1p_depth", "cache.l1p_line_cycles",
     "cache.l2_size", "cache.l2_ways", "cache.l2_latency"},
    {"cache.prefetch_size", "cache.prefetch_latency", "cache.prefetch_streams", "cache.prefetch_depth",
     "cache.prefetch_line_cycles", "cache.l3_size", "cache.l3_ways", "cache.l3_latency"},
};

void check_cache(const char* size, std::uint32_t bytes, std::uint32_t line, std::uint32_t ways) {
  require(is_power_of_two(bytes) && is_power_of_two(ways) && ways <= bytes / line, size,
          "is " + std::to_string(bytes) + " bytes in sets of " + std::to_string(ways) + " lines of " +
              std::to_string(line) + " bytes; size and ways must be powers of two, and a set must fit");
}

}  // namespace

void MemoryConfig::visit_parameters(ParameterVisitor& visitor) {
  constexpr std::uint64_t kKibibyte = 1u << 10;
  const ParameterVisitor::Range some{1, 128};
  const ParameterVisitor::Range line{LineSize::kLeast, LineSize::kMost};
  const ParameterVisitor::Range latency{0, 10'000};
  const ParameterVisitor::Range size{1, 65'536};
  const Names& names = kNames[static_cast<std::size_t>(levels)];
  visitor.flag(modelled, "core.caches", "whether caches and memory take time; otherwise each access is a hit");
  visitor.count(l1_bytes, "cache.l1_size", "KiB", size, "first level, of data and of code each; a power of two",
                kKibibyte);
  visitor.count(l1_line, "cache.l1_line", "bytes", line, "a line of the first level: 32, 64 or 128");
  visitor.count(l1_ways, "cache.l1_ways", "count", some, "of the first level of data; a power of two");
  visitor.count(l1_code_ways, "cache.l1_code_ways", "count", some, "of the first level of code; a power of two");
  visitor.choice(l1_writes, "cache.l1_writes", {"write_back", "write_through"},
                 "stores to the first level: write_back allocates a line at a miss, write_through does not");
  visitor.count(
      store_cycles, "cache.store_cycles", "cycles", latency,
      "with write_through: that a store occupies the way to memory; a block takes at least those of its stores");
  visitor.count(load_misses, "cache.load_misses", "count", some, "outstanding load misses of a core");
  visitor.count(line_fills, "cache.line_fills", "count", some, "outstanding line fills of a core");
  visitor.count(write_back_cycles, "cache.write_back_cycles", "cycles", latency,
                is_exclusive() ? "that a line occupies memory when it is written"
                               : "that a line occupies the way to the last level");
  visitor.count(flush_line_cycles, "cache.flush_line_cycles", "cycles", latency, "a line, of a flush of a whole L1");
  visitor.count(prefetch_bytes, names.prefetch_size, "KiB", {0, size.maximum},
                "prefetch buffer of a core; 0: there is none", kKibibyte);
  if (is_exclusive()) {
    visitor.count(second_bytes, "cache.l2_size", "KiB", size,
                  "second level of a core, for lines that the first has replaced; a power of two", kKibibyte);
    visitor.count(second_ways, "cache.l2_ways", "count", some, "of the second level; a power of two");
    visitor.count(second_latency, "cache.l2_latency", "cycles", latency, "of a load that the second level answers");
  } else {
    visitor.count(outer_line, "cache.l2_line", "bytes", line,
                  "a line of the prefetch buffer and of the last level: l1_line or longer, at most 128");
  }
  visitor.count(prefetch_latency, names.prefetch_latency, "cycles", latency,
                "of a load that the prefetch buffer answers");
  visitor.count(prefetch_streams, names.prefetch_streams, "count", some, "sequential streams that the buffer follows");
  visitor.count(prefetch_depth, names.prefetch_depth, "count", {0, 128}, "lines ahead of each stream");
  visitor.count(prefetch_line_cycles, names.prefetch_line_cycles, "cycles", latency, "between two lines of streams");
  visitor.count(last_bytes, names.last_size, "KiB", size, "last level, shared by the processes of a node", kKibibyte);
  visitor.count(last_ways, names.last_ways, "count", some,
                is_exclusive() ? "of the last level, the probe filter's with it" : "of the last level; a power of two");
  visitor.count(last_latency, names.last_latency, "cycles", latency, "of a load that the last level answers");
  if (is_exclusive())
    visitor.count(probe_filter_bytes, "cache.probe_filter", "KiB", {0, size.maximum},
                  "of the last level, that the probe filter takes; whole ways", kKibibyte);
  visitor.count(memory_latency, "cache.memory_latency", "cycles", latency, "of a load that memory answers");
  if (levels != Levels::l2_prefetch)
    visitor.number(memory_line_cycles, "cache.memory_line_cycles", "cycles", latency,
                   "between two lines from or to memory, shared by the processes of a node; in sixteenths");
}

std::uint32_t MemoryConfig::last_usable_ways() const {
  if (!is_exclusive()) return last_ways;
  const std::uint32_t way = last_bytes / last_ways;
  return std::max((last_bytes - probe_filter_bytes) / way / sharers, 1u);
}

void MemoryConfig::share(unsigned processes) {
  memory_line_cycles *= processes;
  if (is_exclusive()) {
    sharers = processes;
  } else {
    last_bytes /= processes;
  }
}

void MemoryConfig::validate() const {
  check_ranges(*this);
  const Names& names = kNames[static_cast<std::size_t>(levels)];
  check_line("cache.l1_line", l1_line);
  check_cache("cache.l1_size", l1_bytes, l1_line, l1_ways);
  check_cache("cache.l1_size", l1_bytes, l1_line, l1_code_ways);
  if (!is_exclusive()) {
    check_line("cache.l2_line", outer_line);
    require(outer_line >= l1_line, "cache.l2_line",
            "is " + std::to_string(outer_line) + " bytes, less than cache.l1_line of " + std::to_string(l1_line));
    check_cache(names.last_size, last_bytes, outer_line, last_ways);
    return;
  }
  check_cache("cache.l2_size", second_bytes, l1_line, second_ways);
  const std::uint32_t way = last_bytes / last_ways;
  require(last_bytes % last_ways == 0 && is_power_of_two(way) && way >= l1_line, names.last_size,
          "is " + std::to_string(last_bytes) + " bytes in " + std::to_string(last_ways) +
              " ways; a way must be a power of two, and have a line");
  require(probe_filter_bytes % way == 0 && probe_filter_bytes < last_bytes, "cache.probe_filter",
          "is " + std::to_string(probe_filter_bytes) + " bytes; it must be whole ways of " + std::to_string(way) +
              " bytes, and leave some");
}

}  // namespace toroid
