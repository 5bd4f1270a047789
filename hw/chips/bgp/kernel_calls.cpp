// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/kernel_calls.h"

#include <iterator>

#include "nic/bgp/kernel_services.h"

namespace toroid {
namespace {

constexpr SystemCall kCalls[] = {
    {BGP_SYS_GET_PERSONALITY, "get_personality", bgp_calls::get_personality},
    {BGP_SYS_PTHREAD_POOF, "pthread_poof", bgp_calls::poof},
    {BGP_SYS_GET_PROCESSOR_ID, "get_processor_id", bgp_calls::get_processor_id},
    {BGP_SYS_GET_PROCESSOR_VERSION, "get_processor_version", bgp_calls::get_processor_version},
    {BGP_SYS_ALLOC_COUNTER, "allocate_lockbox", bgp_calls::allocate_lockbox},
    {BGP_SYS_COORD2RANK, "coord2rank", bgp_calls::coord2rank},
    {BGP_SYS_RANK2COORD, "rank2coord", bgp_calls::rank2coord},
    {BGP_SYS_GETJOBID, "get_job_id", bgp_calls::get_job_id},
    {BGP_SYS_READDCR, "read_dcr", bgp_calls::read_dcr},
    {BGP_SYS_WRITEDCR, "write_dcr", bgp_calls::write_dcr},
    {BGP_SYS_COUNTERGRPALLOCATE, "counter_group_allocate", bgp_calls::counter_allocate},
    {BGP_SYS_COUNTERGRPFREE, "counter_group_free", bgp_calls::counter_free},
    {BGP_SYS_COUNTERGRPQUERYFREE, "counter_group_query_free", bgp_calls::counter_query_free},
    {BGP_SYS_INJFIFOGRPALLOCATE, "injection_fifo_group_allocate", bgp_calls::injection_allocate},
    {BGP_SYS_INJFIFOGRPFREE, "injection_fifo_group_free", bgp_calls::injection_free},
    {BGP_SYS_INJFIFOGRPQUERYFREE, "injection_fifo_group_query_free", bgp_calls::injection_query_free},
    {BGP_SYS_RECFIFOSETMAP, "reception_fifo_set_map", bgp_calls::reception_set_map},
    {BGP_SYS_RECFIFOGETMAP, "reception_fifo_get_map", bgp_calls::reception_get_map},
    {BGP_SYS_RECGETFIFOGROUP, "reception_get_fifo_group", bgp_calls::reception_get_group},
    {BGP_SYS_RECFIFOINITID, "reception_fifo_begin", bgp_calls::reception_begin},
    {BGP_SYS_INJFIFOINITID, "injection_fifo_begin", bgp_calls::injection_begin},
    {BGP_SYS_CHGDMACTRINTERRUPT, "change_dma_counter_interrupt", bgp_calls::change_counter_interrupt},
    {BGP_SYS_CLEARFULLRECPFIFO, "clear_full_reception_fifo", bgp_calls::clear_full_reception},
    {BGP_SYS_SETCOMMTHREADCONFIG, "set_comm_thread_config", bgp_calls::set_comm_thread_config},
    {BGP_SYS_GETCOMMTHREADCONFIG, "get_comm_thread_config", bgp_calls::get_comm_thread_config},
    {BGP_SYS_FLUSHINTSTATE, "flush_interrupt_state", bgp_calls::flush_interrupt_state},
    {BGP_SYS_DELIVERCOMMSIGNAL, "deliver_comm_signal", bgp_calls::deliver_comm_signal},
    {BGP_SYS_GETAPPSEGMENTMAPPING, "get_app_segment_mapping", bgp_calls::get_app_segment_mapping},
    {BGP_SYS_GETMEMSIZE, "get_memory_size", bgp_calls::get_memory_size},
    {BGP_SYS_SETPRWINDOW, "set_process_window", bgp_calls::set_process_window},
    {BGP_SYS_GETPRWINDOW, "get_process_window", bgp_calls::get_process_window},
    {BGP_SYS_GETPRWINDOWSLOTS, "get_process_window_slots", bgp_calls::get_process_window_slots},
    {BGP_SYS_ACTIVEPROCESSCOUNT, "active_process_count", bgp_calls::active_process_count},
    {BGP_SYS_RANKS2COORDS, "ranks2coords", bgp_calls::ranks2coords},
    {BGP_SYS_UPC, "performance_counters", bgp_calls::performance_counters},
};

}  // namespace

CallTable bgp_kernel_calls() {
  return {kCalls, std::size(kCalls)};
}

}  // namespace toroid
