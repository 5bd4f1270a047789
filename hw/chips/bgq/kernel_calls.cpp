// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/kernel_calls.h"

#include <iterator>

#include "nic/bgq/kernel_services.h"

namespace toroid {
namespace {

constexpr SystemCall kCalls[] = {
    {154, "sched_setparam", bgq_calls::sched_set_parameters},
    {155, "sched_getparam", bgq_calls::sched_get_parameters},
    {156, "sched_setscheduler", bgq_calls::sched_set_scheduler},
    {157, "sched_getscheduler", bgq_calls::sched_get_scheduler},
    {159, "sched_get_priority_max", bgq_calls::sched_highest_priority},
    {160, "sched_get_priority_min", bgq_calls::sched_lowest_priority},
    {BGQ_SYS_GET_MEMORY_REGION, "get_memory_region", bgq_calls::get_memory_region},
    {BGQ_SYS_GET_PERSONALITY, "get_personality", bgq_calls::get_personality},
    {BGQ_SYS_ALLOCATE_INJ_FIFOS, "allocate_injection_fifos", bgq_calls::allocate_injection},
    {BGQ_SYS_QUERY_INJ_FIFOS, "query_injection_fifos", bgq_calls::query_injection},
    {BGQ_SYS_QUERY_REC_FIFOS, "query_reception_fifos", bgq_calls::query_reception},
    {BGQ_SYS_QUERY_BASE_ADDRESS_TABLE, "query_base_address_table", bgq_calls::query_bases},
    {BGQ_SYS_ALLOCATE_REC_FIFOS, "allocate_reception_fifos", bgq_calls::allocate_reception},
    {BGQ_SYS_ALLOCATE_BASE_ADDRESS_TABLE, "allocate_base_address_table", bgq_calls::allocate_bases},
    {BGQ_SYS_REC_FIFO_ENABLE, "reception_fifo_enable", bgq_calls::enable_reception},
    {BGQ_SYS_CONFIGURE_INJ_INTERRUPTS, "configure_injection_interrupts", bgq_calls::configure_injection_interrupts},
    {BGQ_SYS_CONFIGURE_REC_INTERRUPTS, "configure_reception_interrupts", bgq_calls::configure_reception_interrupts},
    {BGQ_SYS_CONFIGURE_INJ_THRESHOLDS, "configure_injection_thresholds", bgq_calls::configure_injection_thresholds},
    {BGQ_SYS_CONFIGURE_REC_THRESHOLD, "configure_reception_threshold", bgq_calls::configure_reception_threshold},
    {BGQ_SYS_DEALLOCATE_INJ_FIFOS, "deallocate_injection_fifos", bgq_calls::deallocate_injection},
    {BGQ_SYS_DEALLOCATE_REC_FIFOS, "deallocate_reception_fifos", bgq_calls::deallocate_reception},
    {BGQ_SYS_DEALLOCATE_BASE_ADDRESS_TABLE, "deallocate_base_address_table", bgq_calls::deallocate_bases},
    {BGQ_SYS_CONFIGURE_MU_GEA, "configure_mu_gea", bgq_calls::configure_aggregation},
    {BGQ_SYS_SET_LIST_ADDRESSES, "set_list_addresses", bgq_calls::set_list_addresses},
    {BGQ_SYS_GET_CURRENT_LIST, "get_current_list_addresses", bgq_calls::get_current_list_addresses},
    {BGQ_SYS_SET_CURRENT_LIST, "set_current_list_addresses", bgq_calls::set_current_list_addresses},
    {BGQ_SYS_COMM_POOF, "comm_thread_poof", bgq_calls::comm_poof},
    {BGQ_SYS_COMM_INSTALL_HANDLER, "comm_thread_install_handler", bgq_calls::comm_install_handler},
    {BGQ_SYS_COMM_ENABLE_INTERRUPTS, "comm_thread_enable_interrupts", bgq_calls::comm_enable_interrupts},
    {BGQ_SYS_COMM_DISABLE_INTERRUPTS, "comm_thread_disable_interrupts", bgq_calls::comm_disable_interrupts},
    {BGQ_SYS_RANKS_TO_COORDS, "ranks_to_coords", bgq_calls::ranks_to_coords},
    {BGQ_SYS_JOB_COORDS, "job_coords", bgq_calls::job_coords},
    {BGQ_SYS_ALLOCATE_L2_ATOMIC, "allocate_l2_atomic", bgq_calls::allocate_l2_atomic},
    {BGQ_SYS_QUERY_COLLECTIVE_ROUTES, "query_collective_routes", bgq_calls::query_collective_routes},
    {BGQ_SYS_ALLOCATE_COLLECTIVE_ROUTE, "allocate_collective_route", bgq_calls::allocate_collective_route},
    {BGQ_SYS_SET_COLLECTIVE_ROUTE, "set_collective_route", bgq_calls::set_collective_route},
    {BGQ_SYS_DEALLOCATE_COLLECTIVE_ROUTE, "deallocate_collective_route", bgq_calls::deallocate_collective_route},
    {BGQ_SYS_QUERY_INTERRUPT_ROUTES, "query_interrupt_routes", bgq_calls::query_interrupt_routes},
    {BGQ_SYS_ALLOCATE_INTERRUPT_ROUTE, "allocate_interrupt_route", bgq_calls::allocate_interrupt_route},
    {BGQ_SYS_SET_INTERRUPT_ROUTE, "set_interrupt_route", bgq_calls::set_interrupt_route},
    {BGQ_SYS_DEALLOCATE_INTERRUPT_ROUTE, "deallocate_interrupt_route", bgq_calls::deallocate_interrupt_route},
    {BGQ_SYS_CONFIGURE_BARRIER_INTERRUPTS, "configure_barrier_interrupts", bgq_calls::configure_barrier_interrupts},
    {BGQ_SYS_GET_SPEC_DOMAINS, "get_speculation_domains", bgq_calls::get_speculation_domains},
    {BGQ_SYS_SET_SPEC_DOMAINS, "set_speculation_domains", bgq_calls::set_speculation_domains},
    {BGQ_SYS_GET_RANK, "get_rank", bgq_calls::get_rank},
    {BGQ_SYS_GET_MEMORY_SIZE, "get_memory_size", bgq_calls::get_memory_size},
    {BGQ_SYS_CLEAR_INJECTION_CHECKSUM, "clear_injection_checksum", bgq_calls::clear_injection_checksum},
    {BGQ_SYS_GET_JOB_ID, "get_job_id", bgq_calls::get_job_id},
    {BGQ_SYS_GET_PVR, "get_pvr", bgq_calls::get_pvr},
    {BGQ_SYS_IS_GUEST_THREAD, "is_guest_thread", bgq_calls::is_guest_thread},
    {BGQ_SYS_GET_MAPPING, "get_mapping", bgq_calls::get_mapping},
    {BGQ_SYS_KERNEL_VERSION, "kernel_version", bgq_calls::kernel_version},
};

}  // namespace

CallTable bgq_kernel_calls() {
  return {kCalls, std::size(kCalls)};
}

}  // namespace toroid
