// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/process.h"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <utility>

#include "hw/kernel/activity.h"
#include "hw/kernel/call_chain.h"
#include "hw/kernel/calls/calls.h"
#include "hw/kernel/faults.h"
#include "hw/kernel/initial_stack.h"
#include "hw/kernel/interrupts.h"
#include "hw/kernel/libraries.h"
#include "hw/kernel/printable.h"
#include "hw/kernel/signals.h"

namespace toroid {

Process::Process(std::shared_ptr<Program> program, std::shared_ptr<const MachineFacts> machine,
                 const KernelConfig& config, std::uint32_t rank, IoPort& io, DcrBus* dcr, NodeServices* node)
    : program_(std::move(program)),
      machine_(std::move(machine)),
      config_(config),
      rank_(rank),
      dcr_(dcr),
      node_(node),
      shipped_(io, rank),
      random_(config.seed, rank) {
  if (config.abi == nullptr) throw std::invalid_argument("a process needs its kernel's binary interface");
}

void Process::set_cores(const std::vector<Core*>& cores) {
  for (Core* core : cores) {
    ProcessCore& own = cores_.emplace_back();
    own.core = core;
    own.identity.number = core->number();
    own.identity.version = core->config().processor_version;
  }
}

ProcessCore& Process::of(const Core& core) {
  return *std::find_if(cores_.begin(), cores_.end(), [&core](const ProcessCore& each) { return each.core == &core; });
}

std::string Process::thread_text(const ProcessCore& own) const {
  const std::string core = "core " + std::to_string(own.core->number());
  return own.thread.id == 0 ? core : "thread " + std::to_string(own.thread.id) + " on " + core;
}

std::string Process::who() const {
  std::string text = "rank " + std::to_string(rank_) + " (node ";
  for (unsigned d = 0; d < machine_->dimensions; ++d)
    text += (d == 0 ? "" : ",") + std::to_string(place().coordinates[d]);
  return text + (machine_->processes_per_node > 1 ? ", process " + std::to_string(place().t) + ")" : ")");
}

/// The process's share of the node's memory. Its virtual addresses begin a little below the program's first segment:
/// at a whole megabyte, the size of page the real kernel would take. The last page of a 32-bit address space stays
/// unused: no address behind something may be 2^32.
MemoryView Process::view_of(Core& core) {
  constexpr std::uint64_t kBaseAlignment = 1 << 20;
  constexpr unsigned kWideAddressBits = 47;  // of user programs with 64-bit addresses
  const std::uint64_t shared = config_.shared_memory, memory = core.memory().size();
  const std::uint64_t share = (memory - shared) / machine_->processes_per_node & ~(kBaseAlignment - 1);
  const std::uint64_t base = program_->image().segments().front().address & ~(kBaseAlignment - 1);
  const unsigned bits = isa().word_bytes() == 8 ? kWideAddressBits : 32;
  const std::uint64_t addresses = (std::uint64_t{1} << bits) - kPageSize - base;
  MemoryView view(core.memory(), base, place().t * share, std::min(share, addresses));
  if (shared != 0) {
    // Behind that of all processes; at addresses equal to the physical ones, if the process's own leave these free.
    const std::uint64_t physical = memory - shared;
    const std::uint64_t elsewhere = std::max<std::uint64_t>(0xC000'0000, view.end());
    shared_base_ = physical >= view.end() || physical + shared <= view.base() ? physical : elsewhere;
    view.add({shared_base_, physical, shared});
  }
  if (node_ != nullptr) node_->add_memory(*this, memory, view);
  return view;
}

std::uint64_t Process::start(Core& core) {
  if (cores_.empty()) set_cores({&core});
  const std::uint64_t pc = space_ == nullptr ? start_first(core) : start_further_core(*this, core);
  if (node_ != nullptr && end_ == ProcessEnd::running) node_->begin(*this, of(core));
  return pc;
}

std::uint64_t Process::start_first(Core& core) {
  const MemoryView view = view_of(core);
  space_ = std::make_unique<AddressSpace>(view);
  core.set_view(space_->view());
  space_->add_engine(core.engine());  // nothing is mapped yet
  cores_.front().has_memory = true;
  threads_.begin(cores_.front(), rank_ + 1);
  if (const std::string device = core.device_in(view.base(), view.end()); !device.empty()) {
    kill(core, 128 + guest::kSigSegv,
         "the memory of " + std::to_string(view.size()) + " bytes that begins at " + hex(view.base()) +
             ", with the program, reaches the device at " + device +
             "; link the program to lower addresses or make node.memory_size smaller");
    return 0;
  }
  if (const std::string why = load(); !why.empty()) {
    kill(core, 128 + guest::kSigSegv, why);
    return 0;
  }
  const std::uint64_t stack =
      build_initial_stack(*space_, program_->image(), isa(), program_->blocks().code_line(), config_, random_);
  if (stack == 0) {
    kill(core, 128 + guest::kSigSegv, "arguments and environment do not fit on the stack");
    return 0;
  }
  isa().reset_control(core.engine());
  return isa().enter_program(core.engine(), view, program_->image().entry(), stack);
}

std::string Process::load() {
  MemoryView view = space_->view();
  const ElfImage& image = program_->image();
  const std::string too_large = "the program needs " + std::to_string(image.end() - view.base()) +
                                " bytes of memory and a stack of " + std::to_string(config_.stack_size) +
                                "; the process has " + std::to_string(view.size());
  for (std::size_t i = 0; i < image.segments().size(); ++i) {
    const ElfImage::Segment& segment = image.segments()[i];
    const unsigned permissions = kReadable | (segment.executable ? kExecutable : segment.writable ? kWritable : 0);
    if (!view.contains(segment.address, segment.memory_size)) return too_large;
    view.place(segment.address, program_->file_of(i));
    if (space_->map(segment.address, segment.memory_size, permissions)) continue;
    return "the segment of the program at " + hex(segment.address) +
           " cannot be mapped: it shares a page with another one, or the simulator's instruction-set engine has no "
           "room for the code of another program";
  }
  return space_->place(image.end(), config_.stack_size) ? std::string() : too_large;
}

void Process::on_system_call(Core& core) {
  Engine& engine = core.engine();
  if (const ReplacedInstruction* const replaced = program_->replaced_at(core.pc() - isa().system_call_bytes())) {
    isa().emulate(*replaced, engine, core.now().count(), of(core).identity);
    return;
  }
  core.count_system_call();
  core.spend(config_.cost_system_call);
  // Calls take effect in the order of simulated time, whatever the quantum.
  core.synchronise();
  if (end_ != ProcessEnd::running) return;  // another core's doing
  core.mark();

  const SystemCallRequest request = isa().system_call(engine);
  const SystemCall* const call = find_call(request.number);
  counts_.count(request.number, call);
  const CallResult result = call != nullptr ? call->handler({*this, core, call->name, request.arguments}) : -ENOSYS;
  if (end_ != ProcessEnd::running) return;
  if (space_->take_watched_written()) core.watched_memory()->announce(0, core.memory().size());
  ProcessCore& own = of(core);
  if (std::exchange(own.resumed, false)) return;
  return_from_call(own, result);
  if (end_ == ProcessEnd::running && own.thread.moves_to != nullptr)
    threads_.leave_core(own, engine.read(isa().roles().pc));
}

void Process::return_from_call(ProcessCore& own, CallResult result) {
  Engine& engine = own.core->engine();
  const bool interrupted = result == kMadeAgain;
  if (!signals_.is_due(own)) {
    isa().return_from_system_call(engine, interrupted ? -EINTR : result);
    return;
  }
  const std::uint64_t behind = own.core->pc();
  if (interrupted && signals_.restarts(own)) return signals_.deliver(own, behind - isa().system_call_bytes());
  isa().return_from_system_call(engine, interrupted ? -EINTR : result);
  signals_.deliver(own, behind);
}

void Process::on_machine_instruction(Core& core, std::uint64_t pc, const InstructionBytes& instruction) {
  ReplacedInstruction given{pc, 0, {}};
  given.size = static_cast<std::uint8_t>(given.original.size());
  std::copy_n(instruction.begin(), given.original.size(), given.original.begin());
  isa().emulate(given, core.engine(), core.now().count(), of(core).identity);
}

const SystemCall* Process::find_call(std::uint64_t number) const {
  for (const CallTable& table : abi().calls) {
    if (const SystemCall* const call = table.find(number)) return call;
  }
  const SystemCall* const call = toroid_calls().find(number);
  return call != nullptr ? call : config_.machine_calls.find(number);
}

void Process::on_fault(Core& core, const CoreFault& fault) {
  if (end_ != ProcessEnd::running) return;
  const FaultReport report = fault_report(*this, core, fault);
  kill(core, 128 + report.signal, circumstances(core, report));
}

Software::FaultHandler Process::handler_of(Core& core, const CoreFault& fault) {
  if (end_ != ProcessEnd::running) return {};
  const FaultReport report = fault_report(*this, core, fault);
  if (!signals_.can_handle_fault(of(core), static_cast<unsigned>(report.signal))) return {};
  return [this, &core, fault, report]() -> std::optional<std::uint64_t> {
    if (end_ != ProcessEnd::running) return std::nullopt;
    signals_.handle_fault(of(core),
                          {static_cast<unsigned>(report.signal), report.code, report.address, fault.exact,
                           circumstances(core, report), fault.kind},
                          fault.pc);
    if (end_ != ProcessEnd::running) return std::nullopt;
    return core.engine().read(isa().roles().pc);
  };
}

std::string Process::circumstances(Core& core, const FaultReport& report) const {
  std::string what = report.what;
  if (const std::string functions = functions_to(core, report.from); !functions.empty())
    what += ", called by " + functions;
  if (const std::string doing = activity(); !doing.empty()) what += ", in " + doing;
  if (const std::string wrong = misuse(core, report.from); !wrong.empty()) what += ": " + wrong;
  return what;
}

std::uint8_t* Process::memory_for(std::uint64_t address, std::uint64_t size, bool store) {
  if (store) return space_->writable(address, size);
  MemoryView view = space_->view();
  return space_->readable(address, size) == nullptr ? nullptr : view.host(address);
}

/// Memory that can be written is not executed here; the kernel does instead what a trampoline's code would do.
std::optional<std::uint64_t> Process::on_jump_to_data(Core& core, std::uint64_t address) {
  if (end_ != ProcessEnd::running) return std::nullopt;
  if (const auto there = signals_.returned(of(core), address)) return there;
  if (end_ != ProcessEnd::running) return std::nullopt;
  if (node_ != nullptr) {
    if (const auto there = node_->returned(*this, of(core), address)) return there;
  }
  if (!program_->image().executable_stack()) return std::nullopt;
  const std::uint64_t bytes = isa().trampoline_bytes();
  const std::uint8_t* const code =
      bytes == 0 || address % isa().code_alignment() != 0 ? nullptr : space_->readable(address, bytes);
  const std::optional<Trampoline> trampoline = code == nullptr ? std::nullopt : isa().trampoline(code);
  if (!trampoline || !space_->is_executable(trampoline->function, isa().code_alignment())) return std::nullopt;
  isa().enter_by(*trampoline, core.engine());
  core.spend(CoreCycle{trampoline->instructions});
  return trampoline->function;
}

bool Process::on_call(Core& core, std::uint64_t pc) {
  if (end_ != ProcessEnd::running) return false;
  ProcessCore& own = of(core);
  signals_.called(own);
  if (end_ == ProcessEnd::running && threads_.leave_core(own, pc)) return true;
  if (!signals_.is_due(own)) return false;
  signals_.deliver(own, pc);
  return true;
}

bool Process::on_interrupt(Core& core, std::uint64_t pc) {
  if (end_ != ProcessEnd::running) return false;
  ProcessCore& own = of(core);
  if (node_ == nullptr || !node_->interrupt(*this, own, pc)) enter_interrupt_handler(*this, own, pc);
  return own.handler.running;
}

void Process::on_timeout(Core& core) {
  if (end_ != ProcessEnd::running) return;
  report_ = who() + ": stopped at the time limit";
  end(core, ProcessEnd::timed_out, 124);
}

std::string Process::functions_to(Core& core, std::uint64_t pc) const {
  return functions_leading_to(pc, core, space_.get(), program_->symbols());
}

std::string Process::callers(Core& core) const {
  return callers_of(core, space_.get(), program_->symbols());
}

std::string Process::activity() const {
  return space_ == nullptr ? "" : activity_of(program_->image(), *space_, isa().byte_order());
}

std::string Process::waits() const {
  return space_ == nullptr ? "" : waits_of(program_->image(), *space_, isa().byte_order());
}

std::string Process::misuse(Core& core, std::uint64_t pc) const {
  if (space_ == nullptr) return "";
  const std::vector<std::string> functions = names_leading_to(pc, core, space_.get(), program_->symbols());
  return misuse_of(program_->image(), *space_, isa().byte_order(), functions);
}

void Process::flush_output(std::uint64_t passed_on, OutputSink& sink) const {
  if (space_ == nullptr || end_ == ProcessEnd::exited) return;
  output_.flush(rank_, passed_on, cores_.front().core->cycles(), files_, program_->image(), *space_, words(), sink);
}

void Process::end(Core* caller, ProcessEnd how, int status) {
  end_ = how;
  exit_status_ = status;
  if (caller != nullptr) caller->finish();
  for (const ProcessCore& each : cores_) {
    if (each.core != caller) each.core->stop();
  }
  if (ended_) ended_(*this);
}

void Process::kill(Core& caller, int status, const std::string& what) {
  const bool alone = &caller == cores_.front().core && threads_.live() <= 1;
  report_ = who() + (alone ? "" : ", " + thread_text(of(caller))) + ": " + what;
  if (CoreDebugger* const debugger = caller.debugger()) {
    debugger->on_kill(caller, status - 128);
    if (end_ != ProcessEnd::running) return;  // another core's doing, while this one came up to its time
  }
  end(caller, ProcessEnd::killed, status);
}

void Process::kill_by_device(const std::string& what) {
  if (end_ != ProcessEnd::running) return;
  report_ = who() + ": " + what;
  end(nullptr, ProcessEnd::killed, 128 + guest::kSigBus);
}

}  // namespace toroid
