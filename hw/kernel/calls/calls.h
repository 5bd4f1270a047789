// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "hw/kernel/system_call.h"

namespace toroid {

/// System calls as every ABI can have them: arguments are registers, structures are words one after the other.
/// hw/kernel/abi/<abi> gives them numbers, and adds those whose arguments or structures are its own.
namespace calls {

// Common to several subjects.
CallResult zero(const Call& call);
/// What a C library asks for and does without: ENOSYS, but nothing to be reported.
CallResult without(const Call& call);

// descriptor_calls.cpp: open files.
CallResult read(const Call& call);
CallResult write(const Call& call);
CallResult readv(const Call& call);
CallResult writev(const Call& call);
CallResult close(const Call& call);
CallResult dup(const Call& call);
CallResult dup2(const Call& call);
CallResult dup3(const Call& call);
CallResult lseek(const Call& call);
CallResult getdents64(const Call& call);
CallResult ftruncate(const Call& call);
/// fsync() and fdatasync(): what has been written is with the I/O node.
CallResult fsync(const Call& call);
CallResult fstat(const Call& call);
CallResult ioctl(const Call& call);
CallResult fcntl(const Call& call);
// The same with offsets and sizes of 64 bits, which not every ABI has in one register.
CallResult read_at(const Call& call, std::int64_t offset);
CallResult write_at(const Call& call, std::int64_t offset);
CallResult truncate_to(const Call& call, std::int64_t size);
CallResult seek_to(const Call& call, std::int64_t offset, std::uint32_t whence);

// path_calls.cpp: names of files.
CallResult open(const Call& call);
CallResult openat(const Call& call);
CallResult creat(const Call& call);
CallResult stat(const Call& call);
CallResult lstat(const Call& call);
CallResult fstatat(const Call& call);
CallResult access(const Call& call);
CallResult faccessat(const Call& call);
CallResult unlink(const Call& call);
CallResult unlinkat(const Call& call);
CallResult rmdir(const Call& call);
CallResult mkdir(const Call& call);
CallResult mkdirat(const Call& call);
CallResult rename(const Call& call);
CallResult umask(const Call& call);
CallResult readlink(const Call& call);
CallResult readlinkat(const Call& call);
CallResult truncate(const Call& call);
CallResult chdir(const Call& call);
CallResult getcwd(const Call& call);
/// Of the path that the first argument points to.
CallResult truncate_path_to(const Call& call, std::int64_t size);

// memory_calls.cpp.
CallResult brk(const Call& call);
CallResult mmap(const Call& call);
/// The same with an offset of `offset` bytes, which an ABI may have in other units.
CallResult map_at(const Call& call, std::uint64_t offset);
CallResult munmap(const Call& call);
CallResult mremap(const Call& call);
CallResult madvise(const Call& call);
CallResult mprotect(const Call& call);
CallResult watch_memory(const Call& call);
/// What the kernel's calls that set up a structure for a device do with the pages of it. 0 or a negative errno.
CallResult watch(const Call& call, std::uint64_t address, std::uint64_t size);

// process_calls.cpp: the process, and what it may know of its node.
CallResult exit(const Call& call);
CallResult end_job(const Call& call);
CallResult getpid(const Call& call);
CallResult uname(const Call& call);
/// Where the C library looks before it sorts large arrays: how much memory there is.
CallResult sysinfo(const Call& call);
CallResult getrlimit(const Call& call);
CallResult prlimit64(const Call& call);
CallResult getrusage(const Call& call);
CallResult times(const Call& call);
CallResult getrandom(const Call& call);

// signal_calls.cpp.
/// kill(pid, signal) and tkill(tid, signal).
CallResult kill(const Call& call);
CallResult tgkill(const Call& call);
CallResult rt_sigaction(const Call& call);
CallResult rt_sigprocmask(const Call& call);
CallResult rt_sigreturn(const Call& call);
CallResult rt_sigpending(const Call& call);
CallResult rt_sigsuspend(const Call& call);
CallResult rt_sigtimedwait(const Call& call);
CallResult rt_sigtimedwait64(const Call& call);
CallResult pause(const Call& call);

// time_calls.cpp. A struct timespec of `bytes` a field is the ABI's own, or that of 64 bits.
CallResult time(const Call& call);
CallResult gettimeofday(const Call& call);
CallResult clock_gettime(const Call& call);
CallResult clock_getres(const Call& call);
CallResult nanosleep(const Call& call);
CallResult clock_nanosleep(const Call& call);
/// Waits for files: without one they sleep, and with some they are what a program does without.
CallResult poll(const Call& call);
CallResult ppoll(const Call& call);
CallResult select(const Call& call);
CallResult pselect6(const Call& call);
CallResult ppoll64(const Call& call);
CallResult pselect6_64(const Call& call);
/// SIGALRM's timer.
CallResult alarm(const Call& call);
CallResult getitimer(const Call& call);
CallResult setitimer(const Call& call);
CallResult clock_gettime64(const Call& call);
CallResult clock_getres64(const Call& call);
CallResult clock_nanosleep64(const Call& call);

// thread_calls.cpp.
/// Arguments of clone(), whose order is the ABI's own.
struct CloneArguments {
  std::uint64_t flags, stack, parent_id, child_id, thread_pointer;
};
CallResult clone(const Call& call, const CloneArguments& arguments);
/// Ends the thread that calls; the process if it is the last.
CallResult exit_thread(const Call& call);
CallResult gettid(const Call& call);
CallResult set_tid_address(const Call& call);
CallResult getcpu(const Call& call);
CallResult sched_getaffinity(const Call& call);
CallResult sched_setaffinity(const Call& call);

// futex_calls.cpp.
CallResult futex(const Call& call);
CallResult futex64(const Call& call);

// machine_calls.cpp: hw/kernel/kernel_abi.h.
CallResult get_personality(const Call& call);
CallResult get_map(const Call& call);
CallResult dcr_read(const Call& call);
CallResult dcr_write(const Call& call);

// core_calls.cpp: cores of a process beside its first, and caches.
CallResult start_core(const Call& call);
CallResult stop_core(const Call& call);
CallResult flush_l1(const Call& call);

// interrupt_calls.cpp.
CallResult set_interrupt_handler(const Call& call);
CallResult interrupt_return(const Call& call);

}  // namespace calls

/// Those of hw/kernel/kernel_abi.h, which have the same numbers in every ABI.
CallTable toroid_calls();

/// A further core of a process begins to run: returns its first program counter.
std::uint64_t start_further_core(Process& process, Core& core);

}  // namespace toroid
