// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/abi/linux_x86_64/linux_x86_64.h"

#include <cerrno>
#include <iterator>

#include "hw/kernel/abi/linux_64.h"
#include "hw/kernel/abi/linux_x86_64/signal_frame.h"
#include "hw/kernel/calls/calls.h"
#include "hw/kernel/process.h"

namespace toroid {
namespace {

/// Numbers of open() that are others than those of the I/O node's requests, which are PowerPC's (hw/io/io_call.h).
std::uint64_t open_flags(std::uint64_t flags) {
  constexpr std::uint64_t kDirect = 040000, kLargeFile = 0100000, kDirectory = 0200000, kNoFollow = 0400000;
  constexpr std::uint64_t kDirectoryThere = 040000, kNoFollowThere = 0100000;
  const std::uint64_t same = flags & ~(kDirect | kLargeFile | kDirectory | kNoFollow);
  return same | ((flags & kDirectory) != 0 ? kDirectoryThere : 0) | ((flags & kNoFollow) != 0 ? kNoFollowThere : 0);
}
Call with_open_flags(const Call& call, unsigned number) {
  Call changed = call;
  changed.arguments[number] = open_flags(call[number]);
  return changed;
}

CallResult open(const Call& call) {
  return calls::open(with_open_flags(call, 1));
}
CallResult openat(const Call& call) {
  return calls::openat(with_open_flags(call, 2));
}
CallResult clone(const Call& call) {
  return calls::clone(call, {call[0], call[1], call[2], call[3], call[4]});
}

CallResult arch_prctl(const Call& call) {
  constexpr std::uint32_t kSetGs = 0x1001, kSetFs = 0x1002, kGetFs = 0x1003, kGetGs = 0x1004;
  constexpr std::uint64_t kAddresses = std::uint64_t{1} << 47;
  const Isa& isa = call.process.isa();
  Engine& engine = call.core.engine();
  Isa::ThreadRegisters registers = isa.thread_registers(engine);
  const std::uint32_t code = call.word(0);
  if (code == kGetFs || code == kGetGs) {
    std::uint8_t* const to = call.process.memory()->writable(call[1], 8);
    if (to == nullptr) return -EFAULT;
    store_u64(to, registers[code == kGetFs ? 0 : 1], ByteOrder::little);
    return 0;
  }
  if (code != kSetFs && code != kSetGs) return -EINVAL;
  if (call[1] >= kAddresses) return -EPERM;
  registers[code == kSetFs ? 0 : 1] = call[1];
  isa.set_thread_registers(engine, registers);
  return 0;
}

// As in linux_power.cpp; the numbers are those of Linux's arch/x86/entry/syscalls/syscall_64.tbl.
const SystemCall kCalls[] = {
    {0, "read", calls::read},
    {1, "write", calls::write},
    {2, "open", open},
    {3, "close", calls::close},
    {4, "stat", calls::stat},
    {5, "fstat", calls::fstat},
    {6, "lstat", calls::lstat},
    {7, "poll", calls::poll},
    {8, "lseek", calls::lseek},
    {9, "mmap", calls::mmap},
    {10, "mprotect", calls::mprotect},
    {11, "munmap", calls::munmap},
    {12, "brk", calls::brk},
    {13, "rt_sigaction", calls::rt_sigaction},
    {14, "rt_sigprocmask", calls::rt_sigprocmask},
    {15, "rt_sigreturn", calls::rt_sigreturn},
    {16, "ioctl", calls::ioctl},
    {17, "pread64", linux_64::pread64},
    {18, "pwrite64", linux_64::pwrite64},
    {19, "readv", calls::readv},
    {20, "writev", calls::writev},
    {21, "access", calls::access},
    {23, "select", calls::select},
    {24, "sched_yield", calls::zero},
    {25, "mremap", calls::mremap},
    {28, "madvise", calls::madvise},
    {32, "dup", calls::dup},
    {33, "dup2", calls::dup2},
    {34, "pause", calls::pause},
    {35, "nanosleep", calls::nanosleep},
    {36, "getitimer", calls::getitimer},
    {37, "alarm", calls::alarm},
    {38, "setitimer", calls::setitimer},
    {39, "getpid", calls::getpid},
    {56, "clone", clone},
    {60, "exit", calls::exit_thread},
    {62, "kill", calls::kill},
    {63, "uname", calls::uname},
    {72, "fcntl", calls::fcntl},
    {74, "fsync", calls::fsync},
    {75, "fdatasync", calls::fsync},
    {76, "truncate", calls::truncate},
    {77, "ftruncate", calls::ftruncate},
    {79, "getcwd", calls::getcwd},
    {80, "chdir", calls::chdir},
    {82, "rename", calls::rename},
    {83, "mkdir", calls::mkdir},
    {84, "rmdir", calls::rmdir},
    {85, "creat", calls::creat},
    {87, "unlink", calls::unlink},
    {89, "readlink", calls::readlink},
    {95, "umask", calls::umask},
    {96, "gettimeofday", calls::gettimeofday},
    {97, "getrlimit", calls::getrlimit},
    {98, "getrusage", calls::getrusage},
    {99, "sysinfo", calls::sysinfo},
    {100, "times", calls::times},
    {102, "getuid", calls::zero},
    {104, "getgid", calls::zero},
    {107, "geteuid", calls::zero},
    {108, "getegid", calls::zero},
    {110, "getppid", calls::zero},
    {127, "rt_sigpending", calls::rt_sigpending},
    {128, "rt_sigtimedwait", calls::rt_sigtimedwait},
    {130, "rt_sigsuspend", calls::rt_sigsuspend},
    {131, "sigaltstack", calls::zero},
    {158, "arch_prctl", arch_prctl},
    {162, "sync", calls::zero},
    {186, "gettid", calls::gettid},
    {200, "tkill", calls::kill},
    {201, "time", calls::time},
    {202, "futex", calls::futex},
    {203, "sched_setaffinity", calls::sched_setaffinity},
    {204, "sched_getaffinity", calls::sched_getaffinity},
    {217, "getdents64", calls::getdents64},
    {218, "set_tid_address", calls::set_tid_address},
    {228, "clock_gettime", calls::clock_gettime},
    {229, "clock_getres", calls::clock_getres},
    {230, "clock_nanosleep", calls::clock_nanosleep},
    {231, "exit_group", calls::exit},
    {234, "tgkill", calls::tgkill},
    {257, "openat", openat},
    {258, "mkdirat", calls::mkdirat},
    {262, "newfstatat", calls::fstatat},
    {263, "unlinkat", calls::unlinkat},
    {267, "readlinkat", calls::readlinkat},
    {269, "faccessat", calls::faccessat},
    {270, "pselect6", calls::pselect6},
    {271, "ppoll", calls::ppoll},
    {273, "set_robust_list", calls::zero},
    {292, "dup3", calls::dup3},
    {302, "prlimit64", calls::prlimit64},
    {309, "getcpu", calls::getcpu},
    {318, "getrandom", calls::getrandom},
    {332, "statx", calls::without},
    {334, "rseq", calls::without},
    {435, "clone3", calls::without},
};

}  // namespace

const Abi& linux_x86_64() {
  static const Abi kAbi{"linux_x86_64",
                        "x86_64",
                        {{kCalls, std::size(kCalls)}},
                        linux_64::kStatusBytes,
                        &linux_64::store_status,
                        linux_x86_64_signal_frame()};
  return kAbi;
}

}  // namespace toroid
