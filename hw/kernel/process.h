// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "hw/core/core.h"
#include "hw/io/io_port.h"
#include "hw/io/output_sink.h"
#include "hw/kernel/address_space.h"
#include "hw/kernel/dcr_bus.h"
#include "hw/kernel/held_output.h"
#include "hw/kernel/kernel_abi.h"
#include "hw/kernel/kernel_config.h"
#include "hw/kernel/machine_facts.h"
#include "hw/kernel/program.h"
#include "hw/kernel/random_stream.h"

namespace toroid {

enum class ProcessEnd : std::uint8_t {
  running,
  exited,
  killed,
  aborted,  ///< it has ended the job
  timed_out
};

/// One process, and the kernel that serves it: CNK's place on the machine.
///
/// It runs on one core, and may start a second one where it has been given that. Calls and faults come from either.
///
/// It loads the program, serves system calls (Linux numbers, and those of kernel_abi.h), and ends the process with a
/// report where it does what it must not. Nothing a program does ends the simulator. Calls about files and output go to
/// the I/O node, and their core waits for the answer; all others are served at once.
class Process : public Software {
 public:
  /// `machine.ranks[rank]` is this process's place. `dcr` may be null. Everything is kept by reference or shared.
  Process(std::shared_ptr<Program> program, std::shared_ptr<const MachineFacts> machine, const KernelConfig& config,
          std::uint32_t rank, IoPort& io, DcrBus* dcr);

  /// Before the simulation starts: gives the process a core beside the one that runs it.
  void set_second_core(Core& core) { second_ = &core; }
  /// nullptr if it has none.
  Core* second_core() const { return second_; }

  std::uint64_t start(Core& core) override;
  BlockTable& blocks() override { return program_->blocks(); }
  void on_system_call(Core& core) override;
  void on_fault(Core& core, const CoreFault& fault) override;
  std::optional<std::uint64_t> on_jump_to_data(Core& core, std::uint64_t address) override;
  void on_timeout(Core& core) override;
  void on_interrupt(Core& core, std::uint64_t pc) override;

  std::uint32_t rank() const { return rank_; }
  ProcessEnd how_ended() const { return end_; }
  /// exit()'s or end_job()'s status, 128 + signal where it was killed, 124 where the time was up; valid once it has
  /// ended.
  int exit_status() const { return exit_status_; }
  /// One line where the process was killed: "rank 3 (node 1,0,0): illegal instruction 0x00000000 at 0x10000520
  /// (main+0x20)".
  const std::string& report() const { return report_; }
  /// "rank 3 (node 1,0,0)".
  std::string who() const;
  const Program& program() const { return *program_; }
  /// The memory that the process may access; nullptr before it has started.
  AddressSpace* memory() { return space_.get(); }
  /// "0x10000520 (main+0x20)".
  std::string describe(std::uint32_t address) const { return program_->symbols().describe(address); }
  /// How often each system call was made, by name; those the kernel does not have as "unknown 123".
  const std::map<std::string, std::uint64_t>& system_calls() const { return calls_; }
  /// What its calls took to the I/O node and back.
  const IoTraffic& io_traffic() const { return io_traffic_; }
  /// The functions that led to where `core` stands, innermost first, without that itself: "bglml_barrier, main". Not
  /// what led to main(). Empty where they are not known.
  std::string functions_to(Core& core) const;
  /// What the program says it waits for (struct toroid_activity); empty where it says nothing.
  std::string activity() const;
  /// The call for whose answer `core` waits, or null.
  const char* awaited_call(const Core& core) const;
  /// At the end of the run: passes on what the program has printed and the I/O node has not: the rest of a write under
  /// way, and what the C and C++ libraries still hold. Nothing where the process has exited: by then it has flushed
  /// what it wanted to. `passed_on`: bytes of this process's standard output and error that have come to the sink.
  void flush_output(std::uint64_t passed_on, OutputSink& sink) const;
  /// Called when the process has ended, in the SystemC process of one of its cores.
  void on_end(std::function<void(Process&)> callback) { ended_ = std::move(callback); }

 private:
  using Arguments = std::array<std::uint32_t, 6>;
  /// A result, or a negative errno from -4095 to -1.
  using Result = std::int64_t;
  using Handler = Result (Process::*)(const Arguments&);
  struct SystemCall {
    unsigned number;
    const char* name;
    Handler handler;
  };
  static const SystemCall kSystemCalls[];
  static const SystemCall* find_call(unsigned number);
  void count_call(std::uint32_t number, const SystemCall* call);

  MemoryView view_of(Core& core) const;
  std::uint64_t start_first(Core& core);
  bool load();
  void kill(int status, const std::string& what);
  // faults.cpp
  struct Stack {
    std::uint32_t low = 0, top = 0;
    std::string name;
  };
  Stack stack_of(const Core& core) const;
  std::string stack_overflow(Core& core, const CoreFault& fault) const;
  /// The functions that led to a system call, innermost first, by the stack's back chain: "raise, abort, main
  /// (crash.c:4)".
  std::string callers() const;
  std::string functions_to(Core& core, std::uint32_t pc) const;
  void end(ProcessEnd how, int status);
  std::uint64_t nanoseconds() const;

  // process_calls.cpp
  Result do_exit(const Arguments&);
  Result do_end_job(const Arguments&);
  Result do_getpid(const Arguments&);
  Result do_gettid(const Arguments&);
  Result do_getppid(const Arguments&);
  Result do_zero(const Arguments&);
  /// What a C library asks for and does without: ENOSYS, but nothing to be reported.
  Result do_without(const Arguments&);
  Result do_uname(const Arguments&);
  /// Where the C library looks before it sorts large arrays: how much memory there is.
  Result do_sysinfo(const Arguments&);
  Result do_getrlimit(const Arguments&);
  Result do_prlimit64(const Arguments&);
  Result do_getrusage(const Arguments&);
  Result do_times(const Arguments&);
  Result do_kill(const Arguments&);
  Result do_tgkill(const Arguments&);
  Result do_rt_sigaction(const Arguments&);
  Result do_rt_sigprocmask(const Arguments&);
  Result do_futex(const Arguments&);
  Result do_futex_time64(const Arguments&);
  Result do_getrandom(const Arguments&);
  // memory_calls.cpp
  Result do_brk(const Arguments&);
  Result do_mmap(const Arguments&);
  Result do_munmap(const Arguments&);
  Result do_mprotect(const Arguments&);
  Result do_watch_memory(const Arguments&);
  /// What the kernel's calls that set up a structure for a device do with the pages of it. 0 or a negative errno.
  Result watch(std::uint32_t address, std::uint32_t size);
  // time_calls.cpp
  Result do_time(const Arguments&);
  Result do_gettimeofday(const Arguments&);
  Result do_clock_gettime(const Arguments&);
  Result do_clock_gettime64(const Arguments&);
  Result do_clock_getres(const Arguments&);
  Result do_clock_getres64(const Arguments&);
  Result do_nanosleep(const Arguments&);
  Result do_clock_nanosleep(const Arguments&);
  Result do_clock_nanosleep64(const Arguments&);
  // file_calls.cpp
  Result do_read(const Arguments&);
  Result do_write(const Arguments&);
  Result do_readv(const Arguments&);
  Result do_writev(const Arguments&);
  Result do_pread64(const Arguments&);
  Result do_pwrite64(const Arguments&);
  Result do_open(const Arguments&);
  Result do_openat(const Arguments&);
  Result do_creat(const Arguments&);
  Result do_close(const Arguments&);
  Result do_dup(const Arguments&);
  Result do_dup2(const Arguments&);
  Result do_dup3(const Arguments&);
  Result do_lseek(const Arguments&);
  Result do_llseek(const Arguments&);
  Result do_getdents64(const Arguments&);
  Result do_ftruncate(const Arguments&);
  Result do_ftruncate64(const Arguments&);
  Result do_fstat64(const Arguments&);
  Result do_stat64(const Arguments&);
  Result do_lstat64(const Arguments&);
  Result do_fstatat64(const Arguments&);
  Result do_access(const Arguments&);
  Result do_faccessat(const Arguments&);
  Result do_unlink(const Arguments&);
  Result do_unlinkat(const Arguments&);
  Result do_rmdir(const Arguments&);
  Result do_mkdir(const Arguments&);
  Result do_mkdirat(const Arguments&);
  Result do_rename(const Arguments&);
  Result do_readlink(const Arguments&);
  Result do_readlinkat(const Arguments&);
  Result do_getcwd(const Arguments&);
  Result do_ioctl(const Arguments&);
  Result do_fcntl(const Arguments&);
  // machine_calls.cpp
  Result do_get_personality(const Arguments&);
  Result do_get_map(const Arguments&);
  Result do_dcr_read(const Arguments&);
  Result do_dcr_write(const Arguments&);
  // core_calls.cpp
  Result do_start_core(const Arguments&);
  Result do_stop_core(const Arguments&);
  Result do_flush_l1(const Arguments&);
  std::uint64_t start_second(Core& core);
  // interrupt_calls.cpp
  Result do_set_interrupt_handler(const Arguments&);
  Result do_interrupt_return(const Arguments&);
  void restore_interrupted(Core& core);

  Result sleep_for(std::int64_t seconds, std::uint64_t nanoseconds);
  Result sleep_until(std::uint32_t clock, std::int64_t seconds, std::uint32_t nanoseconds);
  Result wait_on_futex(const Arguments& arguments, bool time64);
  Result clock_time(std::uint32_t clock, std::uint64_t& now) const;
  Result read_clock(const Arguments& arguments, bool resolution, bool time64);
  Result sleep_on_clock(const Arguments& arguments, bool time64);
  /// Ships a call to the I/O node and waits for the answer, whose data goes to `to`, if it fits there.
  Result ship(IoRequest request, std::uint8_t* to = nullptr, std::uint32_t room = 0);
  /// The same for a call about a path.
  struct Path {
    std::int32_t directory = -1;  ///< IoRequest::descriptor
    std::string text;
  };
  Result path_at(std::uint32_t directory, std::uint32_t address, Path& path) const;
  Result ship_path(IoOperation operation, std::uint32_t directory, std::uint32_t address, std::int64_t first = 0,
                   std::int64_t second = 0);
  Result ship_status(IoRequest request, std::uint32_t to);
  /// A write, from when it begins.
  struct Write {
    int stream = 0;  ///< 1: standard output, 2: error, 0: a file
    std::vector<Span> spans;
    std::uint64_t done = 0;               ///< bytes of them that the I/O node has answered for
    std::optional<CoreCycle> finished{};  ///< when the call returned
  };
  Result read_bytes(IoOperation operation, std::uint32_t descriptor, std::uint32_t address, std::uint32_t size,
                    std::int64_t offset = 0);
  Result write_spans(IoOperation operation, std::uint32_t descriptor, std::vector<Span> spans, std::int64_t offset = 0);
  Result write_pieces(IoOperation operation, std::uint32_t descriptor, Write& write, std::int64_t offset);
  Result spans_at(std::uint32_t address, std::uint32_t count, std::vector<Span>& spans) const;
  std::optional<Result> unreadable(std::uint32_t descriptor) const;
  /// What a descriptor stands for: standard input (the job's for rank 0, at its end for
  /// others), output or error; or a file.
  enum class Stream : std::uint8_t { input, output, error, file };
  bool is_open(std::uint32_t descriptor) const { return open_.count(static_cast<std::int32_t>(descriptor)) != 0; }
  bool is_file(std::uint32_t descriptor) const;
  bool is_standard(std::uint32_t descriptor) const { return is_open(descriptor) && !is_file(descriptor); }
  /// Of an open descriptor.
  Stream stream(std::uint32_t descriptor) const { return open_.at(static_cast<std::int32_t>(descriptor)); }
  /// Keeps a new descriptor, unless it is an error.
  Result opened(Result descriptor, Stream stream);
  /// A second descriptor for an open one: of number `number` or the least free above.
  Result duplicate(IoOperation operation, std::uint32_t descriptor, std::uint32_t number);
  Result standard_status(std::uint32_t to);

  std::shared_ptr<Program> program_;
  std::shared_ptr<const MachineFacts> machine_;
  const KernelConfig& config_;
  std::uint32_t rank_;
  IoPort& io_;
  DcrBus* dcr_;

  Core* first_ = nullptr;   ///< runs from the start
  Core* second_ = nullptr;  ///< may be started by it
  /// What the second core was started with.
  struct Start {
    std::uint32_t entry = 0, stack = 0, argument = 0;
    Isa::ThreadRegisters thread{};
  };
  Start start_of_second_;
  /// A core's interrupt handler, and where it has interrupted.
  struct InterruptHandler {
    std::uint32_t entry = 0, stack = 0;  ///< entry 0: none
    bool running = false;
    std::uint64_t pc = 0;
    RegisterSnapshot registers;
  };
  std::array<InterruptHandler, 2> handlers_;  ///< by core of the process
  bool second_has_memory_ = false;            ///< its engine is part of the address space
  Core* caller_ = nullptr;  ///< whose call or fault is served; another's may come while a handler waits
  std::unique_ptr<AddressSpace> space_;
  std::map<std::int32_t, Stream> open_{{0, Stream::input}, {1, Stream::output}, {2, Stream::error}};
  IoTraffic io_traffic_;
  std::list<Write> writes_;         ///< under way, in the order of their calls, and the last one before them
  std::uint64_t acknowledged_ = 0;  ///< bytes of standard output and error that the I/O node has answered for
  std::map<const Core*, const char*> awaited_;  ///< the call that each core waits for
  const char* call_name_ = "";                  ///< being served
  RandomStream random_;
  ProcessEnd end_ = ProcessEnd::running;
  int exit_status_ = 0;
  std::string report_;
  std::map<std::string, std::uint64_t> calls_;
  std::size_t unknown_calls_ = 0;  ///< how many different ones
  std::function<void(Process&)> ended_;
};

}  // namespace toroid
