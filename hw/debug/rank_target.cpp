// SPDX-License-Identifier: Apache-2.0
#include "hw/debug/rank_target.h"

#include <algorithm>
#include <cstring>

namespace toroid {
RankTarget::RankTarget(Process& process, std::vector<Core*> cores, DcrBus* dcr, const DeviceMonitor* devices,
                       std::string program)
    : process_(process),
      cores_(std::move(cores)),
      dcr_(dcr),
      devices_(devices),
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

std::uint64_t RankTarget::pc_of(unsigned thread) const {
  return standing_.known && standing_.thread == thread ? standing_.pc : core_of(thread).pc();
}

std::uint64_t RankTarget::read_register(unsigned thread, Register which) const {
  return which == isa().roles().pc ? pc_of(thread) : core_of(thread).engine().read(which);
}

bool RankTarget::write_register(unsigned thread, Register which, std::uint64_t value) {
  if (which == isa().roles().pc) {
    if (!standing_.known || standing_.thread != thread || standing_.faulted || value % isa().code_alignment() != 0)
      return false;
    standing_.pc = value;
  }
  core_of(thread).engine().write(which, value);
  return true;
}

std::optional<std::string> RankTarget::read_vector(unsigned thread, Register which) const {
  if (registers()[which].use == RegisterSet::Use::emulated) {
    const InstructionEmulator* const emulator = core_of(thread).emulator();
    return emulator == nullptr ? std::nullopt : emulator->read(which);
  }
  const std::optional<Engine::Vector> value = core_of(thread).engine().read_vector(which);
  if (!value) return std::nullopt;
  return std::string(value->begin(), value->begin() + registers()[which].bytes);
}

bool RankTarget::write_vector(unsigned thread, Register which, std::string_view bytes) {
  if (registers()[which].use == RegisterSet::Use::emulated) {
    InstructionEmulator* const emulator = core_of(thread).emulator();
    return emulator != nullptr && emulator->write(which, bytes);
  }
  Engine::Vector value{};
  if (bytes.size() != registers()[which].bytes) return false;
  std::copy(bytes.begin(), bytes.end(), value.begin());
  return core_of(thread).engine().write_vector(which, value);
}

std::string RankTarget::read_memory(unsigned thread, std::uint64_t address, std::uint64_t size) {
  const AddressSpace* const memory = process_.memory();
  std::string bytes;
  while (memory != nullptr && bytes.size() < size) {
    const std::uint64_t at = address + bytes.size();
    const std::uint64_t chunk = std::min(size - bytes.size(), kPageSize - at % kPageSize);  // allowed alike
    const std::uint8_t* const here = memory->readable(at, chunk);
    if (here == nullptr) break;
    bytes.append(reinterpret_cast<const char*>(here), chunk);
  }
  if (!bytes.empty() || size == 0) {
    process_.program().restore_code(address, bytes);
    return bytes;
  }
  std::string reason;
  std::vector<std::uint8_t> data(size);
  const unsigned done = core_of(thread).peek_device(address, data.data(), static_cast<unsigned>(size), reason);
  return {reinterpret_cast<const char*>(data.data()), done};
}

bool RankTarget::write_memory(unsigned, std::uint64_t address, std::string_view bytes) {
  AddressSpace* const memory = process_.memory();
  if (memory == nullptr) return false;
  std::uint8_t* const here = memory->writable(address, bytes.size());
  if (here == nullptr) return false;
  std::memcpy(here, bytes.data(), bytes.size());
  return true;
}

}  // namespace toroid
