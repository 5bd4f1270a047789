// SPDX-License-Identifier: Apache-2.0
#include "hw/debug/rank_target.h"

#include <algorithm>
#include <cstring>

#include "hw/debug/target_description.h"
#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

/// The register's name in the engine; nullopt for the floating-point registers.
std::optional<Register> engine_register(unsigned number) {
  switch (number) {
    case gdb_register::kPc:
      return Register::pc;
    case gdb_register::kMsr:
      return Register::msr;
    case gdb_register::kCr:
      return Register::cr;
    case gdb_register::kLr:
      return Register::lr;
    case gdb_register::kCtr:
      return Register::ctr;
    case gdb_register::kXer:
      return Register::xer;
    case gdb_register::kFpscr:
      return Register::fpscr;
    default:
      return number < gdb_register::kFloat ? std::optional(gpr(number)) : std::nullopt;
  }
}

}  // namespace

RankTarget::RankTarget(Process& process, std::vector<Core*> cores, DcrBus* dcr, std::string program)
    : process_(process),
      cores_(std::move(cores)),
      dcr_(dcr),
      path_(std::move(program)),
      packet_breaks_(cores_.front()->number(), static_cast<unsigned>(cores_.size())) {}

unsigned RankTarget::thread_of(const Core& core) const {
  return static_cast<unsigned>(std::find(cores_.begin(), cores_.end(), &core) - cores_.begin()) + 1;
}

std::vector<unsigned> RankTarget::threads() const {
  std::vector<unsigned> threads{1};
  for (unsigned thread = 2; thread <= cores_.size(); ++thread) {
    if (core_of(thread).state() != CoreState::idle) threads.push_back(thread);
  }
  return threads;
}

std::string RankTarget::describe_thread(unsigned thread) const {
  const Core& core = core_of(thread);
  return "core " + std::to_string(core.number()) + ", " + name_of(core.state());
}

std::uint32_t RankTarget::pc_of(unsigned thread) const {
  Core& core = core_of(thread);
  if (standing_.known && standing_.thread == thread) return standing_.pc;
  return core.state() == CoreState::parked ? core.parked_pc() : core.engine().read(Register::pc);
}

std::uint64_t RankTarget::read_register(unsigned thread, unsigned number) const {
  const Engine& engine = core_of(thread).engine();
  if (number == gdb_register::kPc) return pc_of(thread);
  if (const std::optional<Register> which = engine_register(number)) return engine.read(*which);
  return engine.read_float(number - gdb_register::kFloat);
}

bool RankTarget::write_register(unsigned thread, unsigned number, std::uint64_t value) {
  Engine& engine = core_of(thread).engine();
  if (number == gdb_register::kMsr) return false;
  if (number == gdb_register::kPc) {
    if (!standing_.known || standing_.thread != thread || standing_.faulted || value % 4 != 0) return false;
    standing_.pc = static_cast<std::uint32_t>(value);
    engine.write(Register::pc, standing_.pc);
    return true;
  }
  if (const std::optional<Register> which = engine_register(number)) {
    engine.write(*which, static_cast<std::uint32_t>(value));
  } else {
    engine.write_float(number - gdb_register::kFloat, value);
  }
  return true;
}

std::optional<std::string> RankTarget::read_vector(unsigned thread, unsigned number) const {
  const std::optional<Engine::Vector> value = core_of(thread).engine().read_vector(number);
  if (!value) return std::nullopt;
  return std::string(value->begin(), value->end());
}

bool RankTarget::write_vector(unsigned thread, unsigned number, std::string_view bytes) {
  Engine::Vector value{};
  if (bytes.size() != value.size()) return false;
  std::copy(bytes.begin(), bytes.end(), value.begin());
  return core_of(thread).engine().write_vector(number, value);
}

std::string RankTarget::read_memory(unsigned thread, std::uint32_t address, std::uint32_t size) {
  const AddressSpace* const memory = process_.memory();
  std::string bytes;
  while (memory != nullptr && bytes.size() < size) {
    const std::uint32_t at = address + static_cast<std::uint32_t>(bytes.size());
    const std::uint32_t chunk =
        std::min(size - static_cast<std::uint32_t>(bytes.size()), kPageSize - at % kPageSize);  // allowed alike
    const std::uint8_t* const here = memory->readable(at, chunk);
    if (here == nullptr) break;
    bytes.append(reinterpret_cast<const char*>(here), chunk);
  }
  if (!bytes.empty() || size == 0) {
    restore_code(address, bytes);
    return bytes;
  }
  std::string reason;
  std::vector<std::uint8_t> data(size);
  const unsigned done = core_of(thread).peek_device(address, data.data(), size, reason);
  return {reinterpret_cast<const char*>(data.data()), done};
}

void RankTarget::restore_code(std::uint32_t address, std::string& bytes) const {
  for (std::uint32_t at = address & ~3u; at - address + 4 <= bytes.size() + 4; at += 4) {
    if (at >= address + bytes.size() && at >= address) break;
    const std::uint32_t word = process_.program().special_read_at(at);
    if (word == 0) continue;
    std::uint8_t original[4];
    store_be32(original, word);
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (at + i >= address && at + i - address < bytes.size())
        bytes[at + i - address] = static_cast<char>(original[i]);
    }
  }
}

bool RankTarget::write_memory(unsigned, std::uint32_t address, std::string_view bytes) {
  AddressSpace* const memory = process_.memory();
  if (memory == nullptr) return false;
  std::uint8_t* const here = memory->writable(address, static_cast<std::uint32_t>(bytes.size()));
  if (here == nullptr) return false;
  std::memcpy(here, bytes.data(), bytes.size());
  return true;
}

}  // namespace toroid
