// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/kernel_calls.h"

#include <iterator>

#include "nic/bgp/kernel_services.h"

namespace toroid {
namespace {

constexpr SystemCall kCalls[] = {
    {BGP_SYS_GET_PERSONALITY, "get_personality", bgp_calls::get_personality},
    {BGP_SYS_GET_PROCESSOR_ID, "get_processor_id", bgp_calls::get_processor_id},
    {BGP_SYS_GET_PROCESSOR_VERSION, "get_processor_version", bgp_calls::get_processor_version},
    {BGP_SYS_COORD2RANK, "coord2rank", bgp_calls::coord2rank},
    {BGP_SYS_RANK2COORD, "rank2coord", bgp_calls::rank2coord},
    {BGP_SYS_GETJOBID, "get_job_id", bgp_calls::get_job_id},
    {BGP_SYS_READDCR, "read_dcr", bgp_calls::read_dcr},
    {BGP_SYS_WRITEDCR, "write_dcr", bgp_calls::write_dcr},
    {BGP_SYS_GETAPPSEGMENTMAPPING, "get_app_segment_mapping", bgp_calls::get_app_segment_mapping},
    {BGP_SYS_GETMEMSIZE, "get_memory_size", bgp_calls::get_memory_size},
    {BGP_SYS_ACTIVEPROCESSCOUNT, "active_process_count", bgp_calls::active_process_count},
    {BGP_SYS_RANKS2COORDS, "ranks2coords", bgp_calls::ranks2coords},
};

}  // namespace

CallTable bgp_kernel_calls() {
  return {kCalls, std::size(kCalls)};
}

}  // namespace toroid
