// SPDX-License-Identifier: Apache-2.0
#include "hw/core/memory_config.h"

#include <string>

#include "hw/core/memory_path.h"

namespace toroid {

namespace {

bool is_power_of_two(std::uint32_t number) {
  return number != 0 && (number & (number - 1)) == 0;
}

void check_cache(const char* size, std::uint32_t bytes, std::uint32_t line, std::uint32_t ways) {
  require(is_power_of_two(bytes) && is_power_of_two(ways) && ways <= bytes / line, size,
          "is " + std::to_string(bytes) + " bytes in sets of " + std::to_string(ways) + " lines of " +
              std::to_string(line) + " bytes; size and ways must be powers of two, and a set must fit");
}

}  // namespace

void MemoryConfig::visit_parameters(ParameterVisitor& visitor) {
  constexpr std::uint64_t kKibibyte = 1u << 10;
  const ParameterVisitor::Range some{1, 128};
  const ParameterVisitor::Range latency{0, 10'000};
  const ParameterVisitor::Range size{1, 65'536};
  visitor.flag(modelled, "core.caches", "whether caches and memory take time; otherwise each access is a hit");
  visitor.count(l1_bytes, "cache.l1_size", "KiB", size, "first level, of data and of code each; a power of two",
                kKibibyte);
  visitor.count(l1_ways, "cache.l1_ways", "count", some, "of the first level; a power of two");
  visitor.choice(l1_writes, "cache.l1_writes", {"write_back", "write_through"},
                 "stores to the first level: write_back allocates a line at a miss, write_through does not");
  visitor.count(
      store_cycles, "cache.store_cycles", "cycles", latency,
      "with write_through: that a store occupies the way to memory; a block takes at least those of its stores");
  visitor.count(load_misses, "cache.load_misses", "count", some, "outstanding load misses of a core");
  visitor.count(line_fills, "cache.line_fills", "count", some, "outstanding line fills of a core");
  visitor.count(write_back_cycles, "cache.write_back_cycles", "cycles", latency,
                "that a line occupies the way to the third level");
  visitor.count(flush_line_cycles, "cache.flush_line_cycles", "cycles", latency, "a line, of a flush of a whole L1");
  visitor.count(l2_bytes, "cache.l2_size", "KiB", {0, size.maximum}, "prefetch buffer of a core; 0: there is none",
                kKibibyte);
  visitor.count(l2_latency, "cache.l2_latency", "cycles", latency, "of a load that the prefetch buffer answers");
  visitor.count(l2_streams, "cache.l2_streams", "count", some, "sequential streams that the buffer follows");
  visitor.count(l2_depth, "cache.l2_depth", "count", {0, 128}, "lines ahead of each stream");
  visitor.count(l2_line_cycles, "cache.l2_line_cycles", "cycles", latency, "between two lines of streams");
  visitor.count(l3_bytes, "cache.l3_size", "KiB", size, "third level, shared by the processes of a node", kKibibyte);
  visitor.count(l3_ways, "cache.l3_ways", "count", some, "of the third level; a power of two");
  visitor.count(l3_latency, "cache.l3_latency", "cycles", latency, "of a load that the third level answers");
  visitor.count(memory_latency, "cache.memory_latency", "cycles", latency, "of a load that memory answers");
}

void MemoryConfig::validate() const {
  check_ranges(*this);
  check_cache("cache.l1_size", l1_bytes, MemoryPath::kLineBytes, l1_ways);
  check_cache("cache.l3_size", l3_bytes, StreamBuffer::kLineBytes, l3_ways);
}

}  // namespace toroid
