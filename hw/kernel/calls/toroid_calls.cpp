// SPDX-License-Identifier: Apache-2.0
#include <iterator>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/kernel_abi.h"

namespace toroid {
namespace {

const SystemCall kCalls[] = {
    {TOROID_SYS_GET_PERSONALITY, "get_personality", calls::get_personality},
    {TOROID_SYS_GET_MAP, "get_map", calls::get_map},
    {TOROID_SYS_DCR_READ, "dcr_read", calls::dcr_read},
    {TOROID_SYS_DCR_WRITE, "dcr_write", calls::dcr_write},
    {TOROID_SYS_START_CORE, "start_core", calls::start_core},
    {TOROID_SYS_STOP_CORE, "stop_core", calls::stop_core},
    {TOROID_SYS_FLUSH_L1, "flush_l1", calls::flush_l1},
    {TOROID_SYS_SET_INTERRUPT_HANDLER, "set_interrupt_handler", calls::set_interrupt_handler},
    {TOROID_SYS_INTERRUPT_RETURN, "interrupt_return", calls::interrupt_return},
    {TOROID_SYS_END_JOB, "end_job", calls::end_job},
    {TOROID_SYS_WATCH_MEMORY, "watch_memory", calls::watch_memory},
};

}  // namespace

CallTable toroid_calls() {
  return {kCalls, std::size(kCalls)};
}

}  // namespace toroid
