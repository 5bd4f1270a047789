// SPDX-License-Identifier: Apache-2.0
//
// System calls about the process itself, and what it may know of its node.
#include <algorithm>
#include <cerrno>
#include <cstring>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/calls/clock.h"
#include "hw/kernel/process.h"

namespace toroid {
namespace {

constexpr std::uint32_t kStackLimit = 3, kFileLimit = 7;  // RLIMIT_STACK, RLIMIT_NOFILE
constexpr std::uint32_t kMostRandomBytes = 33'554'431;    // of one call, as Linux has it

/// `unlimited` if there is none.
std::uint64_t limit_of(const Process& process, std::uint32_t resource, std::uint64_t unlimited) {
  return resource == kStackLimit ? process.config().stack_size : resource == kFileLimit ? kMostDescriptors : unlimited;
}

}  // namespace

CallResult calls::zero(const Call&) {
  return 0;
}
CallResult calls::without(const Call&) {
  return -ENOSYS;
}

CallResult calls::exit(const Call& call) {
  // Other cores' exchanges with the I/O node end first: an answer that no core reads would block the tree.
  Process& process = call.process;
  const bool others = process.cores().size() > 1;
  if (others && !process.shipped().close(call.core)) return -EINTR;
  process.end(call.core, ProcessEnd::exited, static_cast<int>(call[0] & 0xFF));
  if (others) process.shipped().open();
  return 0;
}

CallResult calls::end_job(const Call& call) {
  call.process.end(call.core, ProcessEnd::aborted, static_cast<int>(call[0] & 0xFF));
  return 0;
}

// A process is its rank: numbers from 1 on, because 0 has meanings of its own.
CallResult calls::getpid(const Call& call) {
  return call.process.rank() + 1;
}
CallResult calls::uname(const Call& call) {
  constexpr std::uint64_t kField = 65;
  std::uint8_t* to = call.process.memory()->writable(call[0], 6 * kField);
  if (to == nullptr) return -EFAULT;
  std::memset(to, 0, 6 * kField);
  const std::string node = "node" + std::to_string(call.process.rank());
  const KernelConfig& config = call.process.config();
  const char* const machine = config.machine_name.empty() ? call.process.abi().machine : config.machine_name.c_str();
  // glibc refuses to start on a release older than the one it was built for (3.2), whatever the system's name.
  const char* fields[] = {config.system_name.c_str(),   node.c_str(), "4.0.0-toroid",
                          "Toroid compute-node kernel", machine,      "(none)"};
  for (const char* field : fields) {
    std::strncpy(reinterpret_cast<char*>(to), field, kField - 1);
    to += kField;
  }
  return 0;
}

CallResult calls::sysinfo(const Call& call) {
  const WordLayout words = call.process.words();
  // struct sysinfo by words: uptime, three loads, ten numbers of memory with two 16-bit ones between them.
  constexpr unsigned kTotal = 4, kFree = 5, kProcesses = 10, kUnit = 13;
  const unsigned size = words.bytes == 8 ? 112 : 64;
  AddressSpace& space = *call.process.memory();
  std::uint8_t* to = space.writable(call[0], size);
  if (to == nullptr) return -EFAULT;
  std::memset(to, 0, size);
  const MemoryView& view = space.view();
  words.store(to, 0, nanoseconds(call.core) / kNanosecondsPerSecond);
  words.store(to, kTotal, view.size());
  words.store(to, kFree, view.size() - call.process.program().image().end() + view.base());
  store_u16(to + kProcesses * words.bytes, static_cast<std::uint16_t>(call.process.machine().processes_per_node),
            words.order);
  store_u32(to + kUnit * words.bytes, 1, words.order);
  return 0;
}

CallResult calls::getrlimit(const Call& call) {
  const WordLayout words = call.process.words();
  std::uint8_t* to = call.process.memory()->writable(call[1], 2 * words.bytes);
  if (to == nullptr) return -EFAULT;
  const std::uint64_t limit = limit_of(call.process, call.word(0), words.largest());
  words.store(to, 0, limit);
  words.store(to, 1, limit);
  return 0;
}

CallResult calls::prlimit64(const Call& call) {
  if (call[3] == 0) return 0;
  std::uint8_t* to = call.process.memory()->writable(call[3], 16);
  if (to == nullptr) return -EFAULT;
  const std::uint64_t limit = limit_of(call.process, call.word(1), ~std::uint64_t{0});
  store_u64(to, limit, call.process.words().order);
  store_u64(to + 8, limit, call.process.words().order);
  return 0;
}

CallResult calls::getrusage(const Call& call) {
  constexpr unsigned kWords = 18;  // two struct timeval, and fourteen numbers
  const WordLayout words = call.process.words();
  std::uint8_t* to = call.process.memory()->writable(call[1], kWords * words.bytes);
  if (to == nullptr) return -EFAULT;
  std::memset(to, 0, kWords * words.bytes);
  words.store(to, 0, nanoseconds(call.core) / kNanosecondsPerSecond);
  words.store(to, 1, nanoseconds(call.core) % kNanosecondsPerSecond / 1000);
  return 0;
}

CallResult calls::times(const Call& call) {
  constexpr unsigned kWords = 4;
  const WordLayout words = call.process.words();
  const std::uint64_t ticks = nanoseconds(call.core) / 10'000'000;
  if (call[0] != 0) {
    std::uint8_t* to = call.process.memory()->writable(call[0], kWords * words.bytes);
    if (to == nullptr) return -EFAULT;
    std::memset(to, 0, kWords * words.bytes);
    words.store(to, 0, ticks);
  }
  return static_cast<CallResult>(ticks & 0x7FFF'FFFF);
}

CallResult calls::getrandom(const Call& call) {
  const std::uint64_t size = std::min<std::uint64_t>(call[1], kMostRandomBytes);
  std::uint8_t* to = call.process.memory()->writable(call[0], size);
  if (to == nullptr && size != 0) return -EFAULT;
  for (std::uint64_t done = 0; done < size; done += 8) {
    std::uint8_t word[8];
    store_u64(word, call.process.random().word(), call.process.words().order);
    std::memcpy(to + done, word, std::min<std::uint64_t>(8, size - done));
  }
  return static_cast<CallResult>(size);
}

}  // namespace toroid
