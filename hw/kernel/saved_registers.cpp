// SPDX-License-Identifier: Apache-2.0
#include "hw/kernel/saved_registers.h"

namespace toroid {
namespace {

/// Calls the function for the registers of each kind: what the engine keeps, its vectors, what the emulator keeps.
template <typename Number, typename Vector, typename Emulated>
void each_register(const Core& core, Number number, Vector vector, Emulated emulated) {
  const Isa& isa = *core.config().isa;
  const RegisterSet& registers = isa.registers();
  for (std::size_t i = 0; i < registers.size(); ++i) {
    const auto which = static_cast<Register>(i);
    if (which == isa.roles().pc) continue;
    switch (registers[which].use) {
      case RegisterSet::Use::ordinary:
        number(which);
        break;
      case RegisterSet::Use::vector:
        vector(which);
        break;
      case RegisterSet::Use::emulated:
        emulated(which);
        break;
      case RegisterSet::Use::read_only:
      case RegisterSet::Use::unavailable:
        break;
    }
  }
}

}  // namespace

SavedRegisters::SavedRegisters(Core& core) {
  each_register(
      core, [&](Register which) { numbers_.push_back(core.engine().read(which)); },
      [&](Register which) { vectors_.push_back(core.engine().read_vector(which).value_or(Engine::Vector{})); },
      [&](Register which) {
        const InstructionEmulator* const emulator = core.emulator();
        emulated_.push_back(emulator == nullptr ? std::string() : emulator->read(which).value_or(std::string()));
      });
}

void SavedRegisters::restore(Core& core) const {
  auto number = numbers_.begin();
  auto vector = vectors_.begin();
  auto emulated = emulated_.begin();
  each_register(
      core, [&](Register which) { core.engine().write(which, *number++); },
      [&](Register which) { core.engine().write_vector(which, *vector++); },
      [&](Register which) {
        if (InstructionEmulator* const emulator = core.emulator()) emulator->write(which, *emulated);
        ++emulated;
      });
}

}  // namespace toroid
