// SPDX-License-Identifier: Apache-2.0
//
// Kernel calls about the node, the job and its ranks.
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <string>

#include "hw/chips/bgq/kernel_calls.h"
#include "hw/chips/bgq/node_kernel.h"
#include "hw/chips/bgq/personality.h"
#include "hw/kernel/guest_structure.h"
#include "hw/kernel/process.h"
#include "nic/bgq/kernel_services.h"

namespace toroid {
namespace {

/// Whether ranks have their places in this order of the letters A to E and T, of which the last counts fastest.
bool is_order(const MachineFacts& machine, const std::string& letters) {
  for (std::uint32_t rank = 0; rank < machine.ranks.size(); ++rank) {
    std::uint32_t left = rank;
    for (std::size_t i = letters.size(); i-- > 0;) {
      const bool process = letters[i] == 'T';
      const auto d = static_cast<std::size_t>(letters[i] - 'A');
      const std::uint32_t extent = process ? machine.processes_per_node : machine.shape[d];
      const ProcessPlace& place = machine.ranks[rank];
      if ((process ? place.t : place.coordinates[d]) != left % extent) return false;
      left /= extent;
    }
  }
  return true;
}

/// The first order of the alphabet that gives ranks the places they have; empty if none does.
std::string order_of_ranks(const MachineFacts& machine) {
  std::string letters = "ABCDET";
  do {
    if (is_order(machine, letters)) return letters;
  } while (std::next_permutation(letters.begin(), letters.end()));
  return {};
}

}  // namespace

CallResult bgq_calls::get_personality(const Call& call) {
  if (call[1] != BGQ_PERSONALITY_BYTES) return EINVAL;
  std::uint8_t* const to = call.process.memory()->writable(call[0], BGQ_PERSONALITY_BYTES);
  if (to == nullptr) return EFAULT;
  std::memcpy(to, personality_of(call.process).data(), BGQ_PERSONALITY_BYTES);
  return 0;
}

/// A job has the whole machine: its corner is the origin.
CallResult bgq_calls::ranks_to_coords(const Call& call) {
  constexpr unsigned kShifts[] = {BGQ_COORD_A_SHIFT, BGQ_COORD_B_SHIFT, BGQ_COORD_C_SHIFT, BGQ_COORD_D_SHIFT,
                                  BGQ_COORD_E_SHIFT};
  const MachineFacts& machine = call.process.machine();
  const std::uint64_t bytes = machine.ranks.size() * 4;
  if (!GuestStructure::is_there(call.process, call[2], 8)) return EFAULT;
  if (bytes > call[0]) return EINVAL;
  if (!GuestStructure::is_there(call.process, call[1], bytes)) return EFAULT;
  GuestStructure map(call.process, call[1], bytes);
  for (std::uint32_t rank = 0; rank < machine.ranks.size(); ++rank) {
    const ProcessPlace& place = machine.ranks[rank];
    std::uint32_t word = std::uint32_t{place.t} << BGQ_COORD_T_SHIFT;
    for (unsigned d = 0; d < std::size(kShifts); ++d) word |= std::uint32_t{place.coordinates[d]} << kShifts[d];
    map.set_word(rank * 4, word);
  }
  GuestStructure(call.process, call[2], 8).set_wide(0, machine.ranks.size());
  return 0;
}

CallResult bgq_calls::job_coords(const Call& call) {
  if (!GuestStructure::is_there(call.process, call[0], BGQ_JOB_BYTES)) return EFAULT;
  GuestStructure job(call.process, call[0], BGQ_JOB_BYTES);
  job.clear(BGQ_JOB_BYTES);
  const MachineFacts& machine = call.process.machine();
  for (unsigned d = 0; d < machine.dimensions; ++d) job.set_byte(BGQ_JOB_SHAPE_AT + d, machine.shape[d]);
  job.set_byte(BGQ_JOB_SHAPE_AT + machine.dimensions, BgqNodeKernel::kThreads / BgqNodeKernel::kThreadsOfACore);
  return 0;
}

CallResult bgq_calls::get_rank(const Call& call) {
  return call.process.rank();
}

/// A run has one job.
CallResult bgq_calls::get_job_id(const Call&) {
  return 1;
}

/// Threads run on hardware threads of their own process.
CallResult bgq_calls::is_guest_thread(const Call&) {
  return 0;
}

CallResult bgq_calls::get_mapping(const Call& call) {
  const std::string order = order_of_ranks(call.process.machine());
  const std::uint64_t bytes = std::min<std::uint64_t>(call[0], order.size() + 1);
  if (bytes == 0 || !GuestStructure::is_there(call.process, call[1], bytes)) return EFAULT;
  if (!GuestStructure::is_there(call.process, call[2], 4)) return EFAULT;
  std::memcpy(call.process.memory()->writable(call[1], bytes), order.c_str(), bytes);
  GuestStructure(call.process, call[2], 4).set_word(0, order.empty() ? 1 : 0);
  return 0;
}

/// Nothing speculates: the number is only kept.
CallResult bgq_calls::get_speculation_domains(const Call& call) {
  if (!GuestStructure::is_there(call.process, call[0], 4)) return EFAULT;
  const unsigned set = bgq_node_kernel(call.process).speculation_domains();
  unsigned told = set == 0 ? 0 : 1;
  while (told < set) told *= 2;
  GuestStructure(call.process, call[0], 4).set_word(0, told);
  return 0;
}

CallResult bgq_calls::set_speculation_domains(const Call& call) {
  constexpr unsigned kMost = 16;
  if (call.word(0) == 0 || call.word(0) > kMost) return EINVAL;
  bgq_node_kernel(call.process).set_speculation_domains(call.word(0));
  return 0;
}

/// The first version that has the call, without any of its corrections: what a kernel of that version finds in the name
/// of its directory.
CallResult bgq_calls::kernel_version(const Call& call) {
  constexpr std::uint64_t kVersion[] = {1, 2, 2, 0};  // V1R2M2
  constexpr std::uint64_t kBytes = 8;
  for (unsigned part = 0; part < std::size(kVersion); ++part) {
    if (!GuestStructure::is_there(call.process, call[part], kBytes)) return EFAULT;
  }
  for (unsigned part = 0; part < std::size(kVersion); ++part)
    GuestStructure(call.process, call[part], kBytes).set_wide(0, kVersion[part]);
  return 0;
}

CallResult bgq_calls::get_pvr(const Call& call) {
  if (!GuestStructure::is_there(call.process, call[0], 4)) return EFAULT;
  GuestStructure(call.process, call[0], 4).set_word(0, call.core.config().processor_version);
  return 0;
}

}  // namespace toroid
