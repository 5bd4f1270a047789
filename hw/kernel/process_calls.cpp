// SPDX-License-Identifier: Apache-2.0
//
// System calls about the process itself.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "hw/kernel/process.h"
#include "hw/kernel/signals.h"
#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

constexpr unsigned kSignals = 64;
constexpr std::uint32_t kUnlimited = 0xFFFF'FFFF;
constexpr std::uint32_t kStackLimit = 3, kFileLimit = 7;  // RLIMIT_STACK, RLIMIT_NOFILE
constexpr std::uint32_t kMostRandomBytes = 33'554'431;    // of one call, as Linux has it

// futex operations, without the private and clock bits.
constexpr std::uint32_t kFutexWait = 0, kFutexWake = 1, kFutexWaitBitset = 9, kFutexWakeBitset = 10;
constexpr std::uint32_t kFutexClockRealtime = 256;
constexpr std::uint32_t kRealtime = 0, kMonotonic = 1;  // clocks

}  // namespace

Process::Result Process::do_exit(const Arguments& arguments) {
  // What the other core has under way with the I/O node comes to its end first: an answer to nobody would stop the
  // tree.
  Core& core = *caller_;
  if (second_ != nullptr && !io_.close(core)) return -EINTR;
  caller_ = &core;
  end(ProcessEnd::exited, static_cast<int>(arguments[0] & 0xFF));
  return 0;
}

Process::Result Process::do_end_job(const Arguments& arguments) {
  end(ProcessEnd::aborted, static_cast<int>(arguments[0] & 0xFF));
  return 0;
}

// A process is its own process, thread and rank: numbers from 1 on, because 0 has meanings of its own.
Process::Result Process::do_getpid(const Arguments&) {
  return rank_ + 1;
}
Process::Result Process::do_gettid(const Arguments&) {
  return rank_ + 1;
}
Process::Result Process::do_getppid(const Arguments&) {
  return 0;
}
Process::Result Process::do_zero(const Arguments&) {
  return 0;
}

Process::Result Process::do_without(const Arguments&) {
  return -ENOSYS;
}

Process::Result Process::do_uname(const Arguments& arguments) {
  constexpr std::uint32_t kField = 65;
  std::uint8_t* to = space_->writable(arguments[0], 6 * kField);
  if (to == nullptr) return -EFAULT;
  std::memset(to, 0, 6 * kField);
  const std::string node = "node" + std::to_string(rank_);
  // glibc refuses to start on a release older than the one it was built for (3.2).
  const char* fields[] = {"Linux", node.c_str(), "4.0.0-toroid", "Toroid compute-node kernel", "ppc", "(none)"};
  for (const char* field : fields) {
    std::strncpy(reinterpret_cast<char*>(to), field, kField - 1);
    to += kField;
  }
  return 0;
}

Process::Result Process::do_sysinfo(const Arguments& arguments) {
  constexpr std::uint32_t kSize = 64, kTotal = 16, kFree = 20, kProcesses = 40, kUnit = 52;
  std::uint8_t* to = space_->writable(arguments[0], kSize);
  if (to == nullptr) return -EFAULT;
  std::memset(to, 0, kSize);
  store_be32(to, static_cast<std::uint32_t>(nanoseconds() / 1'000'000'000));
  store_be32(to + kTotal, space_->view().size());
  store_be32(to + kFree, space_->view().size() - program_->image().end() + space_->view().base());
  store_be32(to + kProcesses, machine_->processes_per_node << 16);
  store_be32(to + kUnit, 1);
  return 0;
}

Process::Result Process::do_getrlimit(const Arguments& arguments) {
  std::uint8_t* to = space_->writable(arguments[1], 8);
  if (to == nullptr) return -EFAULT;
  const std::uint32_t limit = arguments[0] == kStackLimit  ? config_.stack_size
                              : arguments[0] == kFileLimit ? kMostDescriptors
                                                           : kUnlimited;
  store_be32(to, limit);
  store_be32(to + 4, limit);
  return 0;
}

Process::Result Process::do_prlimit64(const Arguments& arguments) {
  if (arguments[3] == 0) return 0;
  std::uint8_t* to = space_->writable(arguments[3], 16);
  if (to == nullptr) return -EFAULT;
  const std::uint64_t limit = arguments[1] == kStackLimit  ? config_.stack_size
                              : arguments[1] == kFileLimit ? kMostDescriptors
                                                           : ~std::uint64_t{0};
  store_be64(to, limit);
  store_be64(to + 8, limit);
  return 0;
}

Process::Result Process::do_getrusage(const Arguments& arguments) {
  constexpr std::uint32_t kSize = 72;
  std::uint8_t* to = space_->writable(arguments[1], kSize);
  if (to == nullptr) return -EFAULT;
  std::memset(to, 0, kSize);
  store_be32(to, static_cast<std::uint32_t>(nanoseconds() / 1'000'000'000));
  store_be32(to + 4, static_cast<std::uint32_t>(nanoseconds() % 1'000'000'000 / 1000));
  return 0;
}

Process::Result Process::do_times(const Arguments& arguments) {
  const auto ticks = static_cast<std::uint32_t>(nanoseconds() / 10'000'000);
  if (arguments[0] != 0) {
    std::uint8_t* to = space_->writable(arguments[0], 16);
    if (to == nullptr) return -EFAULT;
    std::memset(to, 0, 16);
    store_be32(to, ticks);
  }
  return ticks & 0x7FFF'FFFF;
}

/// kill(pid, signal) and tkill(tid, signal). There is nobody else to send a signal to.
Process::Result Process::do_kill(const Arguments& arguments) {
  if (arguments[0] != rank_ + 1 && arguments[0] != 0) return -ESRCH;
  if (arguments[1] > kSignals) return -EINVAL;
  if (arguments[1] == 0) return 0;
  const int signal = static_cast<int>(arguments[1]);
  kill(128 + signal, (signal == guest::kSigAbrt ? "aborted" : "killed itself with signal " + std::to_string(signal)) +
                         ", called by " + callers());
  return 0;
}

Process::Result Process::do_tgkill(const Arguments& arguments) {
  return do_kill({arguments[1], arguments[2]});
}

/// Accepted; there are no signals, so no handler is ever called.
Process::Result Process::do_rt_sigaction(const Arguments& arguments) {
  constexpr std::uint32_t kSize = 20;  // handler, flags, restorer, mask of 64 bits
  if (arguments[0] == 0 || arguments[0] > kSignals) return -EINVAL;
  if (arguments[1] != 0 && space_->readable(arguments[1], kSize) == nullptr) return -EFAULT;
  if (arguments[2] != 0) {
    std::uint8_t* to = space_->writable(arguments[2], kSize);
    if (to == nullptr) return -EFAULT;
    std::memset(to, 0, kSize);
  }
  return 0;
}

Process::Result Process::do_rt_sigprocmask(const Arguments& arguments) {
  if (arguments[3] != 8) return -EINVAL;
  if (arguments[1] != 0 && space_->readable(arguments[1], 8) == nullptr) return -EFAULT;
  if (arguments[2] != 0) {
    std::uint8_t* to = space_->writable(arguments[2], 8);
    if (to == nullptr) return -EFAULT;
    std::memset(to, 0, 8);
  }
  return 0;
}

/// One thread: nobody waits, and whoever would wait is woken by time alone. The time of FUTEX_WAIT is how long to wait,
/// that of FUTEX_WAIT_BITSET until when (futex(2)).
Process::Result Process::wait_on_futex(const Arguments& arguments, bool time64) {
  const std::uint32_t operation = arguments[1] & 0x7F;
  if (operation == kFutexWake || operation == kFutexWakeBitset) return 0;
  if (operation != kFutexWait && operation != kFutexWaitBitset) return -ENOSYS;
  const std::uint8_t* word = space_->readable(arguments[0], 4);
  if (word == nullptr) return -EFAULT;
  if (load_be32(word) != arguments[2]) return -EAGAIN;
  if (arguments[3] == 0) {
    kill(128 + guest::kSigAbrt, "waits for ever for another thread (futex), and has none, called by " + callers());
    return 0;
  }
  const std::uint8_t* time = space_->readable(arguments[3], time64 ? 16 : 8);
  if (time == nullptr) return -EFAULT;
  const auto seconds = time64 ? static_cast<std::int64_t>(load_be64(time)) : static_cast<std::int32_t>(load_be32(time));
  const std::uint32_t rest = load_be32(time + (time64 ? 12 : 4));
  const std::uint32_t clock = (arguments[1] & kFutexClockRealtime) != 0 ? kRealtime : kMonotonic;
  const Result slept = operation == kFutexWait ? sleep_for(seconds, rest) : sleep_until(clock, seconds, rest);
  return slept < 0 ? slept : -ETIMEDOUT;
}

Process::Result Process::do_futex(const Arguments& arguments) {
  return wait_on_futex(arguments, false);
}
Process::Result Process::do_futex_time64(const Arguments& arguments) {
  return wait_on_futex(arguments, true);
}

Process::Result Process::do_getrandom(const Arguments& arguments) {
  const std::uint32_t size = std::min(arguments[1], kMostRandomBytes);
  std::uint8_t* to = space_->writable(arguments[0], size);
  if (to == nullptr && size != 0) return -EFAULT;
  for (std::uint32_t done = 0; done < size; done += 8) {
    std::uint8_t word[8];
    store_be64(word, random_.word());
    std::memcpy(to + done, word, std::min<std::uint32_t>(8, size - done));
  }
  return size;
}

}  // namespace toroid
