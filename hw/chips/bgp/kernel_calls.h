// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "hw/kernel/system_call.h"

namespace toroid {

/// The calls of the Blue Gene/P compute-node kernel beside Linux's, by their numbers (nic/bgp/kernel_services.h).
CallTable bgp_kernel_calls();

/// Their handlers, a file a subject. Results are 0 or a negative errno unless it says otherwise.
namespace bgp_calls {

// kernel_node_calls.cpp: the node, the job and its ranks.
CallResult get_personality(const Call& call);
CallResult get_processor_id(const Call& call);
CallResult get_processor_version(const Call& call);
CallResult coord2rank(const Call& call);
CallResult rank2coord(const Call& call);
CallResult ranks2coords(const Call& call);
CallResult get_job_id(const Call& call);
CallResult read_dcr(const Call& call);
CallResult write_dcr(const Call& call);
CallResult get_app_segment_mapping(const Call& call);
CallResult get_memory_size(const Call& call);
CallResult active_process_count(const Call& call);

// kernel_window_calls.cpp: windows to memory of the node's other processes.
CallResult set_process_window(const Call& call);
CallResult get_process_window(const Call& call);
CallResult get_process_window_slots(const Call& call);

// kernel_counter_calls.cpp: the DMA's counters.
CallResult counter_query_free(const Call& call);
CallResult counter_allocate(const Call& call);
CallResult counter_free(const Call& call);
CallResult change_counter_interrupt(const Call& call);

// kernel_fifo_calls.cpp: the DMA's FIFOs.
CallResult injection_query_free(const Call& call);
CallResult injection_allocate(const Call& call);
CallResult injection_free(const Call& call);
CallResult injection_begin(const Call& call);
CallResult reception_set_map(const Call& call);
CallResult reception_get_map(const Call& call);
CallResult reception_get_group(const Call& call);
CallResult reception_begin(const Call& call);
CallResult clear_full_reception(const Call& call);

// kernel_thread_calls.cpp: communication threads and interrupts.
CallResult poof(const Call& call);
CallResult set_comm_thread_config(const Call& call);
CallResult get_comm_thread_config(const Call& call);
CallResult flush_interrupt_state(const Call& call);
CallResult deliver_comm_signal(const Call& call);

// kernel_lockbox_calls.cpp.
CallResult allocate_lockbox(const Call& call);

// kernel_performance_calls.cpp: the performance counter unit.
CallResult performance_counters(const Call& call);

}  // namespace bgp_calls

}  // namespace toroid
