// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/l2_window.h"

#include "hw/kernel/printable.h"
#include "hw/memory/big_endian.h"
#include "nic/bgq/kernel_services.h"
#include "nic/common/bus_master.h"
#include "nic/common/fault_reason.h"
#include "nic/common/l2_atomics.h"
#include "nic/common/time_offset.h"

namespace toroid {
namespace {

constexpr unsigned kWord = 8;

}  // namespace

L2Window::L2Window(const sc_core::sc_module_name& name, WatchedMemory& watched, const AtomicAliases& aliases)
    : sc_module(name), bus("bus"), watched_(watched), aliases_(aliases) {
  bus.register_b_transport(this, &L2Window::b_transport);
}

void L2Window::b_transport(tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  std::string reason;
  const tlm::tlm_response_status response = perform_access(access, delay, reason);
  respond(access, response, reason);
}

tlm::tlm_response_status L2Window::perform_access(tlm::tlm_generic_payload& access, sc_core::sc_time& delay,
                                                  std::string& reason) {
  if (access.get_data_length() != kWord) {
    reason = "access of " + std::to_string(access.get_data_length()) +
             " bytes to the window of the L2's atomic operations, which take 8";
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  const auto* master = access.get_extension<BusMaster>();
  const std::uint64_t alias = access.get_address() - BGQ_VA_L2_ATOMICS;
  const std::uint64_t va = (alias & ~BGQ_L2_ATOMICS_LOW) >> BGQ_L2_ATOMICS_ADDRESS_SHIFT;
  const auto number = static_cast<unsigned>(alias >> BGQ_L2_ATOMICS_OPERATION_SHIFT & 7);
  const std::optional<std::uint64_t> word = aliases_.aliased(master == nullptr ? 0 : master->core, va);
  if (!word) {
    reason = "atomic operation of the L2 on the word at " + hex(va) +
             ", for which the kernel has made no alias: Kernel_L2AtomicsAllocate() does";
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  const std::uint64_t operand = access.is_write() ? load_be64(access.get_data_ptr()) : 0;
  const MemoryOperation operation = access.is_write() ? l2_store(number, operand) : l2_load(number);
  if (!is_aligned(operation, *word)) {
    reason = "atomic operation of the L2 on the word at " + hex(va) +
             ", whose bound lies in another line of 32 bytes: both must lie in one";
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  // Only now is everything done that another core or a bus master does before this access.
  wait_out(delay);
  watched_.settle();
  const std::uint64_t given = watched_.apply(operation, *word, ByteOrder::big);
  if (access.is_read()) store_be64(access.get_data_ptr(), given);
  if (operation.kind != MemoryOperation::Kind::load && given != kBoundReached) {
    for (MemoryWriteObserver* observer : observers_) observer->on_memory_write(*word, kWord);
  }
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace toroid
