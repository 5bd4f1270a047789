// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/kernel/system_call.h"

namespace toroid {

/// The calls of the Blue Gene/Q compute-node kernel beside Linux's, by their numbers (nic/bgq/kernel_services.h).
CallTable bgq_kernel_calls();

/// Their handlers, a file a subject. Results are 0 or a positive errno unless it says otherwise: callers look at the
/// result alone.
namespace bgq_calls {

// kernel_node_calls.cpp: the node, the job and its ranks.
CallResult get_personality(const Call& call);
CallResult ranks_to_coords(const Call& call);
CallResult job_coords(const Call& call);
CallResult get_rank(const Call& call);
CallResult get_job_id(const Call& call);
CallResult get_pvr(const Call& call);
CallResult kernel_version(const Call& call);
CallResult is_guest_thread(const Call& call);
CallResult get_mapping(const Call& call);
CallResult get_speculation_domains(const Call& call);
CallResult set_speculation_domains(const Call& call);

// kernel_thread_calls.cpp: where threads run, and before which others. Results are those of Linux's calls.
CallResult sched_set_parameters(const Call& call);
CallResult sched_get_parameters(const Call& call);
CallResult sched_set_scheduler(const Call& call);
CallResult sched_get_scheduler(const Call& call);
CallResult sched_highest_priority(const Call& call);
CallResult sched_lowest_priority(const Call& call);

// kernel_comm_calls.cpp: communication threads.
CallResult comm_poof(const Call& call);
CallResult comm_install_handler(const Call& call);
CallResult comm_enable_interrupts(const Call& call);
CallResult comm_disable_interrupts(const Call& call);

// kernel_memory_calls.cpp: memory and its physical addresses.
CallResult get_memory_region(const Call& call);
CallResult get_memory_size(const Call& call);
CallResult allocate_l2_atomic(const Call& call);

// kernel_mu_calls.cpp: FIFOs and base addresses of the Messaging Unit.
CallResult query_injection(const Call& call);
CallResult allocate_injection(const Call& call);
CallResult deallocate_injection(const Call& call);
CallResult configure_injection_interrupts(const Call& call);
CallResult configure_injection_thresholds(const Call& call);
CallResult query_reception(const Call& call);
CallResult allocate_reception(const Call& call);
CallResult deallocate_reception(const Call& call);
CallResult enable_reception(const Call& call);
CallResult configure_reception_interrupts(const Call& call);
CallResult configure_reception_threshold(const Call& call);
CallResult query_bases(const Call& call);
CallResult allocate_bases(const Call& call);
CallResult deallocate_bases(const Call& call);
CallResult configure_aggregation(const Call& call);
CallResult clear_injection_checksum(const Call& call);

// kernel_list_calls.cpp
CallResult set_list_addresses(const Call& call);
CallResult get_current_list_addresses(const Call& call);
CallResult set_current_list_addresses(const Call& call);

// kernel_route_calls.cpp: classes of collectives and of global interrupts.
CallResult query_collective_routes(const Call& call);
CallResult allocate_collective_route(const Call& call);
CallResult set_collective_route(const Call& call);
CallResult deallocate_collective_route(const Call& call);
CallResult query_interrupt_routes(const Call& call);
CallResult allocate_interrupt_route(const Call& call);
CallResult set_interrupt_route(const Call& call);
CallResult deallocate_interrupt_route(const Call& call);
CallResult configure_barrier_interrupts(const Call& call);

}  // namespace bgq_calls

}  // namespace toroid
