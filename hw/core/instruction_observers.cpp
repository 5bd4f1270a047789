// SPDX-License-Identifier: Apache-2.0
#include "hw/core/instruction_observers.h"

#include <optional>

#include "hw/core/core.h"

namespace toroid {

Observation InstructionObservers::wanted() const {
  if (accesses_ != nullptr) return Observation::accesses;
  return debugger_ != nullptr ? Observation::instructions : Observation::none;
}

void InstructionObservers::on_instruction(Core& core, const BlockDecoder& code, std::uint64_t pc, bool stopping) {
  if (debugger_ != nullptr && !stopping) debugger_->on_instruction(core, pc);
  if (accesses_ == nullptr) return;
  pc_ = pc;
  const std::optional<UpcomingAccess> access = code.upcoming_access(pc, core.engine());
  told_ = access && access->hidden;
  if (!told_ || core.is_stopping()) return;
  if (is_cache_instruction(access->kind)) {
    accesses_->on_cache_instruction(core, pc, access->address, access->kind);
  } else if (access->size != 0) {
    accesses_->on_access(core, pc, access->address, access->size, access->kind == AccessKind::store);
  }
}

}  // namespace toroid
