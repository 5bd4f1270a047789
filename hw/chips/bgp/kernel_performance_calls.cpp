// SPDX-License-Identifier: Apache-2.0
//
// The performance counter unit, for the functions of spi/UPC.h.
#include <array>
#include <cerrno>

#include "hw/chips/bgp/kernel_calls.h"
#include "hw/chips/bgp/node_kernel.h"
#include "hw/core/core.h"
#include "hw/kernel/process.h"
#include "hw/memory/big_endian.h"
#include "nic/bgp/kernel_services.h"

namespace toroid {
namespace {

static_assert(PerformanceCounters::kCounters == BGP_UPC_COUNTERS);

template <std::size_t words>
CallResult put(const Call& call, const std::array<std::int64_t, words>& answer) {
  std::uint8_t* to = call.process.memory()->writable(call[4], words * 8);
  if (to == nullptr) return -EFAULT;
  for (const std::int64_t each : answer) {
    store_be64(to, static_cast<std::uint64_t>(each));
    to += 8;
  }
  return 0;
}

CallResult put_state(const Call& call, const PerformanceCounters& unit) {
  std::array<std::int64_t, BGP_UPC_STATE_WORDS> state{};
  state[BGP_UPC_STATE_ACTIVE] = unit.active() ? 1 : 0;
  state[BGP_UPC_STATE_COUNTER_MODE] = unit.counter_mode();
  state[BGP_UPC_STATE_USER_MODE] = unit.user_mode();
  state[BGP_UPC_STATE_GENERATION] = unit.generation();
  state[BGP_UPC_STATE_STARTS] = unit.starts();
  state[BGP_UPC_STATE_RANK] = call.process.rank();
  state[BGP_UPC_STATE_NODE] = node_kernel(call.process).facts().node;
  state[BGP_UPC_STATE_PROCESSES] = call.process.machine().processes_per_node;
  return put(call, state);
}

CallResult put_all(const Call& call, PerformanceCounters& unit, std::uint64_t now) {
  std::array<std::uint64_t, PerformanceCounters::kCounters> values{};
  std::array<std::int64_t, PerformanceCounters::kCounters + 1> answer{};
  answer.back() = unit.read_all(call.word(1), now, values);
  for (std::size_t i = 0; i < values.size(); ++i) answer[i] = static_cast<std::int64_t>(values[i]);
  return put(call, answer);
}

}  // namespace

CallResult bgp_calls::performance_counters(const Call& call) {
  PerformanceCounters& unit = node_kernel(call.process).performance();
  const std::uint64_t now = call.core.cycles().count();
  const std::uint32_t event = call.word(1), argument = call.word(3);
  const auto answer = [&call](std::int64_t value) { return put(call, std::array{value}); };
  switch (call.word(0)) {
    case BGP_UPC_OP_STATE:
      return put_state(call, unit);
    case BGP_UPC_OP_CONFIGURE:
      return answer(unit.configure(call.integer(1), argument));
    case BGP_UPC_OP_MONITOR:
      return answer(unit.monitor(event, argument));
    case BGP_UPC_OP_START:
      return answer(unit.start(event != 0, now));
    case BGP_UPC_OP_STOP:
      return answer(unit.stop(now));
    case BGP_UPC_OP_READ:
      return answer(unit.read(event, argument, now));
    case BGP_UPC_OP_READ_ALL:
      return put_all(call, unit, now);
    case BGP_UPC_OP_SET:
      return answer(unit.set(event, static_cast<std::int64_t>(std::uint64_t{call.word(2)} << 32 | argument)));
    case BGP_UPC_OP_ZERO:
      return answer(unit.zero(event, now));
    case BGP_UPC_OP_ZERO_ALL:
      return answer(unit.zero_all(now));
    case BGP_UPC_OP_EDGE:
      return answer(unit.edge(event));
    case BGP_UPC_OP_COUNTS:
      return answer(unit.counts(event) ? 1 : 0);
    default:
      return -EINVAL;
  }
}

}  // namespace toroid
