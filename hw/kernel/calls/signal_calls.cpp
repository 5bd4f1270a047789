// SPDX-License-Identifier: Apache-2.0
//
// System calls about signals. There are none to catch: a signal that a process sends itself ends it.
#include <cerrno>
#include <cstring>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/process.h"
#include "hw/kernel/signals.h"

namespace toroid {
namespace {

constexpr unsigned kSignals = 64;
constexpr unsigned kMaskBytes = 8;

/// There is no other process to send a signal to, and what ends one thread ends all.
CallResult send(const Call& call, std::uint32_t to, std::uint32_t signal) {
  if (to != call.process.rank() + 1 && to != 0 && call.process.threads().find(to) == nullptr) return -ESRCH;
  if (signal > kSignals) return -EINVAL;
  if (signal == 0) return 0;
  const int number = static_cast<int>(signal);
  call.process.kill(call.core, 128 + number,
                    (number == guest::kSigAbrt ? "aborted" : "killed itself with signal " + std::to_string(number)) +
                        ", called by " + call.process.callers(call.core));
  return 0;
}

}  // namespace

CallResult calls::kill(const Call& call) {
  return send(call, call.word(0), call.word(1));
}

CallResult calls::tgkill(const Call& call) {
  return send(call, call.word(1), call.word(2));
}

/// Accepted; no handler is ever called.
CallResult calls::rt_sigaction(const Call& call) {
  const unsigned size = 3 * call.process.words().bytes + kMaskBytes;  // handler, flags, restorer, mask
  if (call.word(0) == 0 || call.word(0) > kSignals) return -EINVAL;
  AddressSpace& space = *call.process.memory();
  if (call[1] != 0 && space.readable(call[1], size) == nullptr) return -EFAULT;
  if (call[2] != 0) {
    std::uint8_t* to = space.writable(call[2], size);
    if (to == nullptr) return -EFAULT;
    std::memset(to, 0, size);
  }
  return 0;
}

CallResult calls::rt_sigprocmask(const Call& call) {
  if (call[3] != kMaskBytes) return -EINVAL;
  AddressSpace& space = *call.process.memory();
  if (call[1] != 0 && space.readable(call[1], kMaskBytes) == nullptr) return -EFAULT;
  if (call[2] != 0) {
    std::uint8_t* to = space.writable(call[2], kMaskBytes);
    if (to == nullptr) return -EFAULT;
    std::memset(to, 0, kMaskBytes);
  }
  return 0;
}

}  // namespace toroid
