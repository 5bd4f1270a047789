// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/abi/linux_power.h"

#include <cerrno>
#include <iterator>

#include "hw/kernel/calls/calls.h"
#include "hw/kernel/process.h"

namespace toroid {
namespace {

CallResult clone(const Call& call) {
  return calls::clone(call, {call[0], call[1], call[2], call[4], call[3]});
}

/// The C library of 64 bits makes it as well, with an offset in two words.
CallResult llseek(const Call& call) {
  const FileTable& files = call.process.files();
  if (files.is_standard(call.integer(0))) return -ESPIPE;
  std::uint8_t* to = call.process.memory()->writable(call[3], 8);
  if (to == nullptr) return -EFAULT;
  if (!files.is_file(call.integer(0))) return -EBADF;
  const std::uint64_t offset = std::uint64_t{call.word(1)} << 32 | call.word(2);
  const CallResult at = calls::seek_to(call, static_cast<std::int64_t>(offset), call.word(4));
  if (at < 0) return at;
  store_u64(to, static_cast<std::uint64_t>(at), ByteOrder::big);
  return 0;
}

// By rising number. Calls that glibc makes at start and is content to see fail are listed with calls::zero where they
// may succeed without effect; those left out fail with ENOSYS and are counted.
const SystemCall kCalls[] = {
    {1, "exit", calls::exit_thread},
    {3, "read", calls::read},
    {4, "write", calls::write},
    {5, "open", calls::open},
    {6, "close", calls::close},
    {8, "creat", calls::creat},
    {10, "unlink", calls::unlink},
    {12, "chdir", calls::chdir},
    {13, "time", calls::time},
    {19, "lseek", calls::lseek},
    {20, "getpid", calls::getpid},
    {24, "getuid", calls::zero},
    {27, "alarm", calls::alarm},
    {29, "pause", calls::pause},
    {33, "access", calls::access},
    {36, "sync", calls::zero},
    {37, "kill", calls::kill},
    {38, "rename", calls::rename},
    {39, "mkdir", calls::mkdir},
    {40, "rmdir", calls::rmdir},
    {41, "dup", calls::dup},
    {43, "times", calls::times},
    {45, "brk", calls::brk},
    {47, "getgid", calls::zero},
    {49, "geteuid", calls::zero},
    {50, "getegid", calls::zero},
    {54, "ioctl", calls::ioctl},
    {55, "fcntl", calls::fcntl},
    {60, "umask", calls::umask},
    {63, "dup2", calls::dup2},
    {64, "getppid", calls::zero},
    {76, "getrlimit", calls::getrlimit},
    {77, "getrusage", calls::getrusage},
    {78, "gettimeofday", calls::gettimeofday},
    {85, "readlink", calls::readlink},
    {90, "mmap", calls::mmap},
    {91, "munmap", calls::munmap},
    {92, "truncate", calls::truncate},
    {93, "ftruncate", calls::ftruncate},
    {104, "setitimer", calls::setitimer},
    {105, "getitimer", calls::getitimer},
    {116, "sysinfo", calls::sysinfo},
    {118, "fsync", calls::fsync},
    {120, "clone", clone},
    {122, "uname", calls::uname},
    {125, "mprotect", calls::mprotect},
    {140, "_llseek", llseek},
    {142, "_newselect", calls::select},
    {145, "readv", calls::readv},
    {146, "writev", calls::writev},
    {148, "fdatasync", calls::fsync},
    {158, "sched_yield", calls::zero},
    {162, "nanosleep", calls::nanosleep},
    {163, "mremap", calls::mremap},
    {167, "poll", calls::poll},
    {173, "rt_sigaction", calls::rt_sigaction},
    {174, "rt_sigprocmask", calls::rt_sigprocmask},
    {175, "rt_sigpending", calls::rt_sigpending},
    {176, "rt_sigtimedwait", calls::rt_sigtimedwait},
    {178, "rt_sigsuspend", calls::rt_sigsuspend},
    {182, "getcwd", calls::getcwd},
    {185, "sigaltstack", calls::zero},
    {190, "ugetrlimit", calls::getrlimit},
    {202, "getdents64", calls::getdents64},
    {205, "madvise", calls::madvise},
    {207, "gettid", calls::gettid},
    {208, "tkill", calls::kill},
    {221, "futex", calls::futex},
    {222, "sched_setaffinity", calls::sched_setaffinity},
    {223, "sched_getaffinity", calls::sched_getaffinity},
    {232, "set_tid_address", calls::set_tid_address},
    {234, "exit_group", calls::exit},
    {246, "clock_gettime", calls::clock_gettime},
    {247, "clock_getres", calls::clock_getres},
    {248, "clock_nanosleep", calls::clock_nanosleep},
    {250, "tgkill", calls::tgkill},
    {280, "pselect6", calls::pselect6},
    {281, "ppoll", calls::ppoll},
    {286, "openat", calls::openat},
    {287, "mkdirat", calls::mkdirat},
    {292, "unlinkat", calls::unlinkat},
    {296, "readlinkat", calls::readlinkat},
    {298, "faccessat", calls::faccessat},
    {300, "set_robust_list", calls::zero},
    {302, "getcpu", calls::getcpu},
    {316, "dup3", calls::dup3},
    {325, "prlimit64", calls::prlimit64},
    {359, "getrandom", calls::getrandom},
    {383, "statx", calls::without},
    {387, "rseq", calls::without},
};

}  // namespace

CallTable linux_power_calls() {
  return {kCalls, std::size(kCalls)};
}

}  // namespace toroid
