// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/process.h"

#include <elf.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "hw/isa/ppc32/instruction.h"
#include "hw/kernel/printable.h"
#include "hw/kernel/signals.h"
#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

const std::string kUnknownCall = "unknown ";
constexpr std::uint32_t kSummaryOverflow = 0x1000'0000;       // CR0.SO: a system call has failed
constexpr std::uint32_t kHardwareCapabilities = 0x9000'0000;  // PPC_FEATURE_32 | PPC_FEATURE_HAS_ALTIVEC
constexpr std::uint32_t kProcessorVersion = 0x5202'1850;      // a PowerPC 440
constexpr std::uint32_t kCacheBlock = 32;
constexpr std::uint32_t kClockTicks = 100;

}  // namespace

Process::Process(std::shared_ptr<Program> program, std::shared_ptr<const MachineFacts> machine,
                 const KernelConfig& config, std::uint32_t rank, IoPort& io, DcrBus* dcr)
    : program_(std::move(program)),
      machine_(std::move(machine)),
      config_(config),
      rank_(rank),
      io_(io),
      dcr_(dcr),
      random_state_(config.seed * 0x9E37'79B9'7F4A'7C15 + rank) {}

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

// SplitMix64 (Steele, Lea, Flood 2014).
std::uint64_t Process::random_word() {
  std::uint64_t z = random_state_ += 0x9E37'79B9'7F4A'7C15;
  z = (z ^ z >> 30) * 0xBF58'476D'1CE4'E5B9;
  z = (z ^ z >> 27) * 0x94D0'49BB'1331'11EB;
  return z ^ z >> 31;
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

std::uint32_t Process::start(Core& core) {
  return &core == second_ ? start_second(core) : start_first(core);
}

std::uint32_t Process::start_first(Core& core) {
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
  const std::uint32_t stack = build_stack();
  if (stack == 0) {
    kill(128 + guest::kSigSegv, "arguments and environment do not fit on the stack");
    return 0;
  }
  core.engine().write(gpr(1), stack);
  return program_->image().entry();
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

// As Linux lays it out: strings at the top, then below them argc, argv, 0, environment, 0, auxiliary vector.
std::uint32_t Process::build_stack() {
  std::vector<std::uint32_t> words{static_cast<std::uint32_t>(config_.arguments.size())};
  std::uint32_t at = space_->stack_top() - 16;
  std::uint64_t room = config_.stack_size / 2;
  MemoryView memory = space_->view();
  bool fits = true;
  const auto push = [&](const void* bytes, std::size_t size) {
    if (size > room) {
      fits = false;
      return std::uint32_t{0};
    }
    room -= size;
    at -= static_cast<std::uint32_t>(size);
    std::memcpy(memory.host(at), bytes, size);
    return at;
  };
  for (const std::string& argument : config_.arguments) words.push_back(push(argument.c_str(), argument.size() + 1));
  words.push_back(0);
  for (const std::string& variable : config_.environment) words.push_back(push(variable.c_str(), variable.size() + 1));
  words.push_back(0);
  std::uint8_t random[16];
  store_be64(random, random_word());
  store_be64(random + 8, random_word());
  const std::uint32_t random_at = push(random, sizeof random);
  const std::uint32_t platform_at = push("ppc440", 7);

  const ElfImage& image = program_->image();
  const std::uint32_t auxiliary[][2] = {
      {AT_PHDR, image.program_headers()},
      {AT_PHENT, image.program_header_size()},
      {AT_PHNUM, image.program_header_count()},
      {AT_PAGESZ, kPageSize},
      {AT_ENTRY, image.entry()},
      {AT_HWCAP, kHardwareCapabilities},
      {AT_PLATFORM, platform_at},
      {AT_CLKTCK, kClockTicks},
      {AT_DCACHEBSIZE, kCacheBlock},
      {AT_ICACHEBSIZE, kCacheBlock},
      {AT_UCACHEBSIZE, 0},
      {AT_UID, 0},
      {AT_EUID, 0},
      {AT_GID, 0},
      {AT_EGID, 0},
      {AT_SECURE, 0},
      {AT_RANDOM, random_at},
      {AT_NULL, 0},
  };
  for (const auto& [type, value] : auxiliary) {
    words.push_back(type);
    words.push_back(value);
  }
  if (!fits || words.size() * 4 + 64 > room) return 0;
  at = (at - static_cast<std::uint32_t>(words.size() * 4)) & ~std::uint32_t{15};
  for (std::size_t i = 0; i < words.size(); ++i)
    store_be32(memory.host(at + static_cast<std::uint32_t>(4 * i)), words[i]);
  return at;
}

void Process::on_system_call(Core& core) {
  Engine& engine = core.engine();
  if (const std::uint32_t word = program_->special_read_at(engine.read(Register::pc) - 4)) {
    std::uint32_t value = kProcessorVersion;
    switch (special_register_read(word)) {
      case SpecialRegister::time_base_lower:
        value = static_cast<std::uint32_t>(core.now());
        break;
      case SpecialRegister::time_base_upper:
        value = static_cast<std::uint32_t>(core.now().count() >> 32);
        break;
      default:
        break;
    }
    engine.write(gpr(word >> 21 & 31), value);
    return;
  }
  core.count_system_call();
  core.spend(config_.cost_system_call);
  // Calls take effect in the order of simulated time, whatever the quantum.
  core.synchronise();
  if (end_ != ProcessEnd::running) return;  // another core's doing
  core.mark();

  const std::uint32_t number = engine.read(gpr(0));
  Arguments arguments;
  for (unsigned i = 0; i < arguments.size(); ++i) arguments[i] = engine.read(gpr(3 + i));
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
  const bool failed = result < 0 && result >= -4095;
  const std::uint32_t cr = engine.read(Register::cr);
  engine.write(gpr(3), static_cast<std::uint32_t>(failed ? -result : result));
  engine.write(Register::cr, failed ? cr | kSummaryOverflow : cr & ~kSummaryOverflow);
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

std::vector<std::uint32_t> Process::return_addresses(Core& core) const {
  constexpr unsigned kFrames = 16;
  std::vector<std::uint32_t> addresses{core.engine().read(Register::lr)};
  // A frame's first word points to its caller's frame, whose second word is where the callee returns to.
  std::uint32_t frame = core.engine().read(gpr(1));
  for (unsigned i = 0; i < kFrames && space_ != nullptr; ++i) {
    const std::uint8_t* here = space_->readable(frame, 4);
    if (here == nullptr) break;
    const std::uint32_t caller = load_be32(here);
    const std::uint8_t* above = space_->readable(caller, 8);
    if (caller <= frame || above == nullptr) break;
    const std::uint32_t back = load_be32(above + 4);
    if (back != 0) addresses.push_back(back);
    frame = caller;
  }
  return addresses;
}

std::string Process::callers() const {
  std::string text;
  for (const std::uint32_t back : return_addresses(*caller_)) {
    const std::string function = program_->symbols().function_and_line_at(back - 4);
    text += (text.empty() ? "" : ", ") + (function.empty() ? hex(back - 4) : function);
  }
  return text;
}

std::string Process::functions_to(Core& core) const {
  return functions_to(core, core.state() == CoreState::parked ? core.parked_pc() : core.engine().read(Register::pc));
}

std::string Process::functions_to(Core& core, std::uint32_t pc) const {
  Symboliser& symbols = program_->symbols();
  std::string latest = symbols.function_at(pc);
  std::string text;
  for (const std::uint32_t back : return_addresses(core)) {
    if (latest == "main") break;
    const std::string function = symbols.function_at(back - 4);
    if (function.rfind("__libc_start", 0) == 0) break;
    if (function.empty() || function == latest) continue;
    text += (text.empty() ? "" : ", ") + symbols.function_and_line_at(back - 4);
    latest = function;
  }
  return text;
}

std::string Process::activity() const {
  constexpr std::size_t kLongestActivity = 200;
  const std::uint32_t address = program_->image().address_of(TOROID_ACTIVITY_SYMBOL);
  if (address == 0 || space_ == nullptr) return "";
  const std::uint8_t* words = space_->readable(address, sizeof(toroid_activity));
  if (words == nullptr) return "";
  const std::uint32_t what = load_be32(words + offsetof(toroid_activity, what));
  const std::optional<std::string> format = what == 0 ? std::nullopt : space_->string_at(what, kLongestActivity);
  if (!format) return "";
  std::string text;
  unsigned used = 0;
  for (std::size_t at = 0; at < format->size(); ++at) {
    if ((*format)[at] != '%' || at + 1 == format->size() || used == TOROID_ACTIVITY_ARGUMENTS) {
      text += (*format)[at];
      continue;
    }
    const std::uint32_t value = load_be32(words + offsetof(toroid_activity, arguments) + 4 * used++);
    switch ((*format)[++at]) {
      case 'd':
        text += std::to_string(static_cast<std::int32_t>(value));
        break;
      case 'x':
        text += hex(value);
        break;
      case 's':
        text += space_->string_at(value, kLongestActivity).value_or("?");
        break;
      default:
        text += std::to_string(value);
        break;
    }
  }
  return printable(text);
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
