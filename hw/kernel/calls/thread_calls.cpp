// SPDX-License-Identifier: Apache-2.0
//
// System calls about threads.
#include <cerrno>
#include <cstring>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/calls/stack_check.h"
#include "hw/kernel/process.h"

namespace toroid {
namespace {

// clone()'s flags.
constexpr std::uint64_t kSameMemory = 0x100, kSameHandlers = 0x800, kSameProcess = 0x1'0000;
constexpr std::uint64_t kThreadPointer = 0x8'0000, kTellParent = 0x10'0000, kClearInChild = 0x20'0000,
                        kTellChild = 0x100'0000;
/// CLONE_FS, _FILES, _SYSVSEM and _DETACHED: what is so among threads anyway.
constexpr std::uint64_t kNoDifference = 0x200 | 0x400 | 0x4'0000 | 0x40'0000;
constexpr std::uint64_t kThread = kSameMemory | kSameHandlers | kSameProcess;
constexpr std::uint64_t kKnown = kThread | kThreadPointer | kTellParent | kClearInChild | kTellChild | kNoDifference;

/// Processors that the process can use, which it knows by numbers of its own from 0 on.
unsigned processors(const Call& call) {
  const auto cores = static_cast<unsigned>(call.process.cores().size());
  return call.process.config().threads ? cores : 1;
}

bool is_own(const Call& call, std::uint32_t id) {
  return id == 0 || id == call.process.rank() + 1 || call.process.threads().find(id) != nullptr;
}

/// The number of a new thread: unique in the job. It is that of an earlier one on the same core, unless a thread that
/// has moved since has that.
std::uint32_t number_for(Process& process, const ProcessCore& own) {
  const auto ranks = static_cast<std::uint32_t>(process.machine().ranks.size());
  const auto cores = static_cast<std::uint32_t>(process.cores().size());
  auto place = static_cast<std::uint32_t>(&own - process.cores().data());
  while (process.threads().find(place * ranks + process.rank() + 1) != nullptr) place = (place + 1) % cores;
  return place * ranks + process.rank() + 1;
}

}  // namespace

CallResult calls::clone(const Call& call, const CloneArguments& arguments) {
  Process& process = call.process;
  if ((arguments.flags & kThread) != kThread) return -ENOSYS;  // another process: there is none
  if ((arguments.flags & ~kKnown) != 0 || !is_stack(process, arguments.stack)) return -EINVAL;
  if (NodeServices* const node = process.node()) {
    if (const std::optional<CallResult> result = node->create_thread(call, arguments)) return *result;
  }
  ProcessCore* const own = process.config().threads ? process.threads().free_core() : nullptr;
  if (own == nullptr) return -EAGAIN;
  const std::uint32_t id = number_for(process, *own);
  AddressSpace& space = *process.memory();
  const bool tell_parent = (arguments.flags & kTellParent) != 0, tell_child = (arguments.flags & kTellChild) != 0;
  std::uint8_t* const parent = tell_parent ? space.writable(arguments.parent_id, 4) : nullptr;
  std::uint8_t* const child = tell_child ? space.writable(arguments.child_id, 4) : nullptr;
  if ((tell_parent && parent == nullptr) || (tell_child && child == nullptr)) return -EFAULT;

  Engine& engine = call.core.engine();
  own->thread = {};
  own->thread.id = id;
  const Thread& creator = process.of(call.core).thread;
  own->thread.blocked = creator.blocked;
  own->thread.policy = creator.policy;
  own->thread.priority = creator.priority;
  if ((arguments.flags & kClearInChild) != 0) own->thread.cleared_at = arguments.child_id;
  // All of them: rounding and the like are in floating-point registers.
  own->start = {call.core.pc(), arguments.stack, 0, process.isa().thread_registers(engine), SavedRegisters(call.core)};
  if ((arguments.flags & kThreadPointer) != 0) own->start.thread[0] = arguments.thread_pointer;
  for (std::uint8_t* const word : {parent, child}) {
    if (word != nullptr) store_u32(word, id, process.words().order);
  }
  process.threads().start(*own, call.core);
  return id;
}

CallResult calls::exit_thread(const Call& call) {
  if (call.process.node() != nullptr && call.process.node()->end_thread(call)) return 0;
  ProcessCore& own = call.process.of(call.core);
  if (own.thread.id == 0 || call.process.threads().live() == 1) return exit(call);
  call.process.threads().finish(own);
  return 0;
}

CallResult calls::gettid(const Call& call) {
  const std::uint32_t id = call.process.of(call.core).thread.id;
  return id == 0 ? call.process.rank() + 1 : id;  // a core that was started without a thread
}

CallResult calls::set_tid_address(const Call& call) {
  call.process.of(call.core).thread.cleared_at = call[0];
  return gettid(call);
}

CallResult calls::getcpu(const Call& call) {
  const std::uint32_t numbers[2] = {call.core.number(), 0};  // and the number of its node
  for (unsigned i = 0; i < 2; ++i) {
    if (call[i] == 0) continue;
    std::uint8_t* const to = call.process.memory()->writable(call[i], 4);
    if (to == nullptr) return -EFAULT;
    store_u32(to, numbers[i], call.process.words().order);
  }
  return 0;
}

CallResult calls::sched_getaffinity(const Call& call) {
  if (NodeServices* const node = call.process.node()) {
    if (const std::optional<CallResult> result = node->get_affinity(call)) return *result;
  }
  const WordLayout words = call.process.words();
  const std::uint64_t bytes = call.word(1);
  const std::uint64_t size = (processors(call) + 8 * words.bytes - 1) / (8 * words.bytes) * words.bytes;
  if (bytes < size || bytes % words.bytes != 0) return -EINVAL;
  if (!is_own(call, call.word(0))) return -ESRCH;
  std::uint8_t* const to = call.process.memory()->writable(call[2], size);
  if (to == nullptr) return -EFAULT;
  for (unsigned word = 0; word < size / words.bytes; ++word) {
    const unsigned left = processors(call) - word * 8 * words.bytes;
    words.store(to, word, left >= 8 * words.bytes ? words.largest() : (std::uint64_t{1} << left) - 1);
  }
  return static_cast<CallResult>(size);
}

/// A thread stays on its core: a set of processors with that one is accepted.
CallResult calls::sched_setaffinity(const Call& call) {
  if (NodeServices* const node = call.process.node()) {
    if (const std::optional<CallResult> result = node->set_affinity(call)) return *result;
  }
  const WordLayout words = call.process.words();
  if (!is_own(call, call.word(0))) return -ESRCH;
  const ProcessCore* const other = call.process.threads().find(call.word(0));
  const ProcessCore& own = other != nullptr ? *other : call.process.of(call.core);
  const auto number = static_cast<unsigned>(&own - call.process.cores().data());
  const unsigned word = number / (8 * words.bytes);
  if (call.word(1) / words.bytes <= word) return -EINVAL;
  const std::uint8_t* const from = call.process.memory()->readable(call[2], (word + 1) * words.bytes);
  if (from == nullptr) return -EFAULT;
  return (words.load(from, word) >> number % (8 * words.bytes) & 1) != 0 ? 0 : -EINVAL;
}

}  // namespace toroid
