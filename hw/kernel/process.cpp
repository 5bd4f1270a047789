// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/process.h"

#include <algorithm>

#include "hw/kernel/activity.h"
#include "hw/kernel/call_chain.h"
#include "hw/kernel/initial_stack.h"
#include "hw/kernel/printable.h"
#include "hw/kernel/signals.h"
#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

const std::string kUnknownCall = "unknown ";

}  // namespace

Process::Process(std::shared_ptr<Program> program, std::shared_ptr<const MachineFacts> machine,
                 const KernelConfig& config, std::uint32_t rank, IoPort& io, DcrBus* dcr)
    : program_(std::move(program)),
      machine_(std::move(machine)),
      config_(config),
      rank_(rank),
      io_(io),
      dcr_(dcr),
      random_(config.seed, rank) {}

std::string Process::who() const {
  const ProcessPlace& place = machine_->ranks[rank_];
  std::string text = "rank " + std::to_string(rank_) + " (node ";
  for (unsigned d = 0; d < machine_->dimensions; ++d)
    text += (d == 0 ? "" : ",") + std::to_string(place.coordinates[d]);
  return text + (machine_->processes_per_node > 1 ? ", process " + std::to_string(place.t) + ")" : ")");
}

std::uint64_t Process::nanoseconds() const {
  return static_cast<std::uint64_t>(caller_->time().value() / 1000);  // SystemC's resolution is 1 ps
}

/// The process's share of the node's memory. Its virtual addresses begin a little below the program's first segment:
/// at a whole megabyte, the size of page the real kernel would take. The last page of the address space stays unused:
/// no address behind something may be 2^32.
MemoryView Process::view_of(Core& core) const {
  constexpr std::uint32_t kBaseAlignment = 1 << 20;
  const std::uint32_t share = core.memory().size() / machine_->processes_per_node & ~(kPageSize - 1);
  const std::uint32_t base = program_->image().segments().front().address & ~(kBaseAlignment - 1);
  const std::uint64_t addresses = (std::uint64_t{1} << 32) - kPageSize - base;
  const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(share, addresses));
  return {core.memory(), base, machine_->ranks[rank_].t * share, size};
}

std::uint64_t Process::start(Core& core) {
  return &core == second_ ? start_second(core) : start_first(core);
}

std::uint64_t Process::start_first(Core& core) {
  first_ = caller_ = &core;
  const MemoryView view = view_of(core);
  space_ = std::make_unique<AddressSpace>(view);
  core.set_view(space_->view());
  space_->add_engine(core.engine());  // nothing is mapped yet
  if (const std::string device = core.device_in(view.base(), view.end()); !device.empty()) {
    kill(128 + guest::kSigSegv, "the memory of " + std::to_string(view.size()) + " bytes that begins at " +
                                    hex(view.base()) + ", with the program, reaches the device at " + device +
                                    "; link the program to lower addresses or make node.memory_size smaller");
    return 0;
  }
  if (!load()) {
    kill(128 + guest::kSigSegv, "the program needs " + std::to_string(program_->image().end() - view.base()) +
                                    " bytes of memory and a stack of " + std::to_string(config_.stack_size) +
                                    "; the process has " + std::to_string(view.size()));
    return 0;
  }
  const std::uint64_t stack = build_initial_stack(*space_, program_->image(), program_->isa(), config_, random_);
  if (stack == 0) {
    kill(128 + guest::kSigSegv, "arguments and environment do not fit on the stack");
    return 0;
  }
  return program_->isa().enter_program(core.engine(), view, program_->image().entry(), stack);
}

bool Process::load() {
  MemoryView view = space_->view();
  const ElfImage& image = program_->image();
  for (const ElfImage::Segment& segment : image.segments()) {
    const unsigned permissions = kReadable | (segment.executable ? kExecutable : segment.writable ? kWritable : 0);
    if (!space_->map(segment.address, segment.memory_size, permissions)) return false;
    std::copy(segment.bytes.begin(), segment.bytes.end(), view.host(segment.address));
  }
  return space_->place(image.end(), config_.stack_size);
}

void Process::on_system_call(Core& core) {
  Engine& engine = core.engine();
  const Isa& isa = program_->isa();
  if (const ReplacedInstruction* const replaced = program_->replaced_at(core.pc() - isa.system_call_bytes())) {
    isa.emulate(*replaced, engine, core.now().count());
    return;
  }
  core.count_system_call();
  core.spend(config_.cost_system_call);
  // Calls take effect in the order of simulated time, whatever the quantum.
  core.synchronise();
  if (end_ != ProcessEnd::running) return;  // another core's doing
  core.mark();

  const SystemCallRequest request = isa.system_call(engine);
  const auto number = static_cast<std::uint32_t>(request.number);
  Arguments arguments;
  std::transform(request.arguments.begin(), request.arguments.end(), arguments.begin(),
                 [](std::uint64_t value) { return static_cast<std::uint32_t>(value); });
  caller_ = &core;
  const SystemCall* call = find_call(number);
  count_call(number, call);
  call_name_ = call != nullptr ? call->name : "";
  const Result result = call != nullptr ? (this->*call->handler)(arguments) : -ENOSYS;
  if (end_ != ProcessEnd::running) return;
  if (space_->take_watched_written()) core.watched_memory()->announce(0, core.memory().size());
  if (call != nullptr && call->number == TOROID_SYS_INTERRUPT_RETURN && result == 0) {
    restore_interrupted(core);  // nothing of what the handler leaves in registers stays
    return;
  }
  isa.return_from_system_call(engine, result);
}

void Process::count_call(std::uint32_t number, const SystemCall* call) {
  constexpr std::size_t kMostUnknown = 200;  // that are told one by one
  if (call != nullptr) {
    ++calls_[call->name];
    return;
  }
  const std::string name = kUnknownCall + std::to_string(number);
  const auto found = calls_.find(name);
  if (found == calls_.end() && unknown_calls_ < kMostUnknown) {
    ++unknown_calls_;
    calls_[name] = 1;
  } else {
    ++(found == calls_.end() ? calls_[kUnknownCall + "others"] : found->second);
  }
}

const char* Process::awaited_call(const Core& core) const {
  const auto found = awaited_.find(&core);
  return found == awaited_.end() ? nullptr : found->second;
}

std::string Process::functions_to(Core& core) const {
  return functions_to(core, static_cast<std::uint32_t>(core.pc()));
}

std::string Process::functions_to(Core& core, std::uint32_t pc) const {
  return functions_leading_to(pc, core, space_.get(), program_->symbols());
}

std::string Process::callers() const {
  return callers_of(*caller_, space_.get(), program_->symbols());
}

std::string Process::activity() const {
  return space_ == nullptr ? "" : activity_of(program_->image(), *space_);
}

void Process::end(ProcessEnd how, int status) {
  end_ = how;
  exit_status_ = status;
  caller_->finish();
  for (Core* core : {first_, second_}) {
    if (core != nullptr && core != caller_) core->stop();
  }
  if (ended_) ended_(*this);
}

void Process::kill(int status, const std::string& what) {
  report_ = who() + (caller_ == second_ ? ", core " + std::to_string(second_->number()) : "") + ": " + what;
  if (CoreDebugger* const debugger = caller_->debugger()) {
    Core* const core = caller_;
    debugger->on_kill(*core, status - 128);
    if (end_ != ProcessEnd::running) return;  // another core's doing, while this one came up to its time
    caller_ = core;
  }
  end(ProcessEnd::killed, status);
}

void Process::on_timeout(Core& core) {
  if (end_ != ProcessEnd::running) return;
  caller_ = &core;
  report_ = who() + ": stopped at the time limit";
  end(ProcessEnd::timed_out, 124);
}

}  // namespace toroid
