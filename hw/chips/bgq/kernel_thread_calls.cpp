// SPDX-License-Identifier: Apache-2.0
//
// Linux's calls about where threads run and before which others, as the machine's kernel serves them. A thread has a
// hardware thread to itself, so priorities are kept and told, and nothing follows from them.
#include <algorithm>
#include <cerrno>
#include <optional>
#include <vector>

#include "hw/chips/bgq/kernel_calls.h"
#include "hw/chips/bgq/node_kernel.h"
#include "hw/kernel/guest_structure.h"
#include "hw/kernel/process.h"
#include "nic/bgq/kernel_services.h"

namespace toroid {
namespace {

constexpr std::uint64_t kWordBits = 64, kWordBytes = 8;

/// That of the number that the call names first, 0 being the caller's; nullptr if there is none.
ProcessCore* thread_of(const Call& call) {
  const std::uint32_t id = call.word(0);
  return id == 0 ? &call.process.of(call.core) : call.process.threads().find(id);
}

struct Priorities {
  unsigned lowest, highest;
  bool contains(unsigned priority) const { return priority >= lowest && priority <= highest; }
};

std::optional<Priorities> priorities_of(unsigned policy) {
  if (policy == BGQ_SCHED_FIFO) return Priorities{BGQ_FIFO_PRIORITY_MIN, BGQ_FIFO_PRIORITY_MAX};
  if (policy == BGQ_SCHED_COMM) return Priorities{BGQ_COMM_PRIORITY_MIN, BGQ_COMM_PRIORITY_MAX};
  return std::nullopt;
}

/// A thread begins with what its creator has; the first one with these.
unsigned policy_of(const ProcessCore& own) {
  return own.thread.policy == 0 ? BGQ_SCHED_FIFO : own.thread.policy;
}
unsigned priority_of(const ProcessCore& own) {
  return own.thread.priority == 0 ? BGQ_FIFO_PRIORITY_MIN : own.thread.priority;
}

}  // namespace

// The lowest processor of the set counts. The first thread of a process stays where it is.
std::optional<CallResult> BgqNodeKernel::set_affinity(const Call& call) {
  Process& process = call.process;
  ProcessCore* const own = thread_of(call);
  if (own == nullptr) return -ESRCH;
  if (own == &process.cores().front()) return -EINVAL;
  const std::uint64_t bytes = std::min<std::uint64_t>(call[1], kThreads / 8);
  if (bytes < kWordBytes) return -EINVAL;
  const std::uint8_t* const from = process.memory()->readable(call[2], bytes);
  if (from == nullptr) return -EFAULT;
  const std::uint64_t set = process.words().load(from, 0);
  if (set == 0) return -EINVAL;
  const auto wanted = static_cast<unsigned>(__builtin_ctzll(set));
  std::vector<ProcessCore>& cores = process.cores();
  const auto to = std::find_if(cores.begin(), cores.end(),
                               [wanted](const ProcessCore& each) { return each.core->number() == wanted; });
  if (to == cores.end() || !process.threads().move(*own, *to, process.of(call.core))) return -EINVAL;
  return 0;
}

// The first thread is told all that its process has, from which GCC's OpenMP takes the number of its threads; the
// machine's tells it its own one, and has another OpenMP.
std::optional<CallResult> BgqNodeKernel::get_affinity(const Call& call) {
  Process& process = call.process;
  const ProcessCore* const own = thread_of(call);
  if (own == nullptr) return -ESRCH;
  constexpr std::uint64_t kMost = 128;  // of C libraries
  const std::uint64_t bytes = std::min<std::uint64_t>(call[1], kMost) / kWordBytes * kWordBytes;
  if (bytes == 0) return -EINVAL;
  std::uint8_t* const to = process.memory()->writable(call[2], bytes);
  if (to == nullptr) return -EFAULT;
  std::uint64_t set = 0;
  const bool first = own == &process.cores().front();
  for (const ProcessCore& each : process.cores()) {
    if (first || &each == &Threads::place_of(*own)) set |= std::uint64_t{1} << each.core->number() % kWordBits;
  }
  for (std::uint64_t word = 0; word < bytes / kWordBytes; ++word) process.words().store(to, word, word == 0 ? set : 0);
  return static_cast<CallResult>(bytes);
}

CallResult bgq_calls::sched_set_scheduler(const Call& call) {
  ProcessCore* const own = thread_of(call);
  if (own == nullptr) return -ESRCH;
  const std::uint8_t* const from = call.process.memory()->readable(call[2], 4);
  if (from == nullptr) return -EFAULT;
  unsigned policy = call.word(1), priority = load_be32(from);
  if (policy == BGQ_SCHED_OTHER) {
    policy = BGQ_SCHED_FIFO;
    if (priority == 0) priority = BGQ_FIFO_PRIORITY_MIN;
  }
  const std::optional<Priorities> possible = priorities_of(policy);
  const bool allowed = policy == policy_of(*own) || policy == BGQ_SCHED_COMM;
  if (!possible || !possible->contains(priority) || !allowed) return -EINVAL;
  own->thread.policy = policy;
  own->thread.priority = priority;
  return 0;
}

CallResult bgq_calls::sched_get_scheduler(const Call& call) {
  const ProcessCore* const own = thread_of(call);
  return own == nullptr ? -ESRCH : static_cast<CallResult>(policy_of(*own));
}

CallResult bgq_calls::sched_set_parameters(const Call& call) {
  ProcessCore* const own = thread_of(call);
  if (call[1] == 0) return -EINVAL;
  if (own == nullptr) return -ESRCH;
  const std::uint8_t* const from = call.process.memory()->readable(call[1], 4);
  if (from == nullptr) return -EFAULT;
  const unsigned priority = load_be32(from);
  if (!priorities_of(policy_of(*own))->contains(priority)) return -EINVAL;
  own->thread.priority = priority;
  return 0;
}

CallResult bgq_calls::sched_get_parameters(const Call& call) {
  const ProcessCore* const own = thread_of(call);
  if (own == nullptr) return -ESRCH;
  if (call[1] == 0) return -EINVAL;
  if (!GuestStructure::is_there(call.process, call[1], 4)) return -EFAULT;
  GuestStructure(call.process, call[1], 4).set_word(0, priority_of(*own));
  return 0;
}

CallResult bgq_calls::sched_highest_priority(const Call& call) {
  const std::optional<Priorities> possible = priorities_of(call.word(0));
  return possible ? static_cast<CallResult>(possible->highest) : -EINVAL;
}

CallResult bgq_calls::sched_lowest_priority(const Call& call) {
  const std::optional<Priorities> possible = priorities_of(call.word(0));
  return possible ? static_cast<CallResult>(possible->lowest) : -EINVAL;
}

}  // namespace toroid
