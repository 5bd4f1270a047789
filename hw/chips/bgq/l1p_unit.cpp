// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/l1p_unit.h"

#include <algorithm>
#include <utility>

#include "hw/memory/big_endian.h"
#include "nic/bgq/l1p_regs.h"
#include "nic/common/bus_master.h"
#include "nic/common/debug_read.h"
#include "nic/common/fault_reason.h"
#include "nic/common/time_offset.h"

namespace toroid {
namespace {

constexpr unsigned kWord = 8;
constexpr std::uint64_t kStreams = 0xFFFFFF, kControl = 0x7FF;  // bits of the registers, each of some field
constexpr std::uint64_t kFirstOfThread = BGQ_L1P_THREAD_CONTROL_OFFSET, kStride = BGQ_L1P_THREAD_CONTROL_STRIDE;

unsigned core_of(const tlm::tlm_generic_payload& access) {
  const auto* master = access.get_extension<BusMaster>();
  return (master == nullptr ? 0 : master->core) / L1pUnit::kThreadsOfACore;
}

PrefetchControl meaning(std::uint64_t streams) {
  PrefetchControl control;
  control.begins = (streams & BGQ_L1P_STREAMS_ESTABLISH_MASK) != 0;
  control.goes_on = (streams & BGQ_L1P_STREAMS_PREFETCH_MASK) != 0;
  control.optimistic = (streams & BGQ_L1P_STREAMS_OPTIMISTIC_MASK) != 0;
  control.depth = static_cast<unsigned>((streams & BGQ_L1P_STREAMS_DEPTH_MASK) >> BGQ_L1P_STREAMS_DEPTH_SHIFT) + 1;
  return control;
}

}  // namespace

L1pUnit::L1pUnit(const sc_core::sc_module_name& name, unsigned depth, Change change)
    : sc_module(name), bus("bus"), change_(std::move(change)) {
  bus.register_b_transport(this, &L1pUnit::b_transport);
  bus.register_transport_dbg(this, &L1pUnit::transport_dbg);
  // A machine of one's own may have what the register cannot say: it says the nearest.
  constexpr unsigned kMost = 1 << BGQ_L1P_STREAMS_DEPTH_WIDTH;
  const std::uint64_t field = std::clamp(depth, 1u, kMost) - 1;
  for (Unit& unit : units_)
    unit.streams = (BGQ_L1P_STREAMS_RESET & ~BGQ_L1P_STREAMS_DEPTH_MASK) | field << BGQ_L1P_STREAMS_DEPTH_SHIFT;
}

std::uint64_t* L1pUnit::register_at(unsigned core, std::uint64_t offset) {
  Unit& unit = units_[core];
  if (offset == BGQ_L1P_STREAMS_OFFSET) return &unit.streams;
  if (offset < kFirstOfThread || (offset - kFirstOfThread) / kStride >= kThreadsOfACore) return nullptr;
  List& list = unit.lists[(offset - kFirstOfThread) / kStride];
  switch ((offset - kFirstOfThread) % kStride + kFirstOfThread) {
    case BGQ_L1P_THREAD_CONTROL_OFFSET:
      return &list.control;
    case BGQ_L1P_THREAD_TOLERANCE_OFFSET:
      return &list.tolerance;
    case BGQ_L1P_THREAD_STATUS_OFFSET:
      return &list.status;
    default:
      return nullptr;
  }
}

void L1pUnit::write(unsigned core, std::uint64_t offset, std::uint64_t& target, std::uint64_t value) {
  if (offset == BGQ_L1P_STREAMS_OFFSET) {
    target = value & kStreams;
    return change_(core, meaning(target));
  }
  List& list = units_[core].lists[(offset - kFirstOfThread) / kStride];
  if (&target == &list.status) {
    target &= ~value;
  } else if (&target == &list.control) {
    const bool ends = (target & ~value & BGQ_L1P_THREAD_CONTROL_START_MASK) != 0;
    if (ends) list.status |= BGQ_L1P_THREAD_STATUS_FINISHED_MASK;
    target = value & kControl;
  } else {
    target = value;
  }
}

void L1pUnit::b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  std::string reason;
  const tlm::tlm_response_status response = serve(access, delay, reason);
  respond(access, response, reason);
}

tlm::tlm_response_status L1pUnit::serve(tlm::tlm_generic_payload& access, sc_core::sc_time& delay,
                                        std::string& reason) {
  if (access.get_data_length() != kWord || access.get_address() % kWord != 0) {
    reason = "access of " + std::to_string(access.get_data_length()) +
             " bytes to the L1 prefetcher, whose registers have 8 at multiples of 8";
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  const unsigned core = core_of(access);
  const std::uint64_t offset = access.get_address() - BGQ_L1P_BASE;
  std::uint64_t* const target = register_at(core, offset);
  if (target == nullptr) {
    reason =
        "the L1 prefetcher has no register there that programs may use; they have what streams do and the lists of "
        "threads 0 to 3";
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  wait_out(delay);
  if (access.is_read()) {
    store_be64(access.get_data_ptr(), *target);
  } else {
    write(core, offset, *target, load_be64(access.get_data_ptr()));
  }
  return tlm::TLM_OK_RESPONSE;
}

unsigned L1pUnit::transport_dbg(tlm::tlm_generic_payload& access) {
  const unsigned core = core_of(access);
  return debug_read<kWord>(access, [&](std::uint64_t address, std::uint8_t* to, std::string& reason) {
    const std::uint64_t* const value = register_at(core, address - BGQ_L1P_BASE);
    if (value == nullptr) reason = "the L1 prefetcher has no register there";
    if (value != nullptr) store_be64(to, *value);
    return value != nullptr;
  });
}

}  // namespace toroid
