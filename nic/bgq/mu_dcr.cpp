// SPDX-License-Identifier: Apache-2.0
#include "nic/bgq/mu_dcr.h"

#include <utility>

namespace toroid {

using namespace bgq_mu_dcr;

const MuDcr::Bank& MuDcr::bank() {
  static const Bank registers(
      kBlock, {"the control registers of the Messaging Unit", "a control register of the Messaging Unit", "", ""},
      {kImfifoThresholdIntEnable,
       kImfifoSystem,
       kImfifoRget,
       kImuThreshold,
       kRgetThreshold,
       kRmfifoEnable,
       kRmfifoThresholdIntEnable,
       kRmfifoPacketIntEnable,
       kRmfifoSystem,
       kRmuThreshold,
       kRputbaseSystem0,
       kRputbaseSystem1,
       kSysBarrier,
       kBarrierIntEnable,
       kUserRangeMin,
       kUserRangeMax,
       kSystemRangeMin,
       kSystemRangeMax,
       kUserInjectionOnly,
       kSystemInjectionOnly,
       kImeEnable,
       kRmeEnable,
       kRmeWaitFull,
       kRmeWaitTail,
       kGeaIntEnable07,
       kGeaIntEnable815,
       kGeaIntEnable16,
       kReset,
       kInjNdfifoAvailable,
       kMasterPort0State,
       kMasterPort0Force,
       kMasterPort0First,
       kMasterPort0MachineCheck,
       kMasterPort0Critical,
       kMasterPort0Noncritical,
       kXm0ErrorInfo,
       kMasterPort1State,
       kMasterPort1Force,
       kMasterPort1First,
       kMasterPort1MachineCheck,
       kMasterPort1Critical,
       kMasterPort1Noncritical,
       kXm1ErrorInfo,
       kMasterPort2State,
       kMasterPort2Force,
       kMasterPort2First,
       kMasterPort2MachineCheck,
       kMasterPort2Critical,
       kMasterPort2Noncritical,
       kXm2ErrorInfo,
       kSlavePortState,
       kSlavePortForce,
       kSlavePortFirst,
       kSlavePortMachineCheck,
       kSlavePortCritical,
       kSlavePortNoncritical,
       kMmregsState,
       kMmregsForce,
       kMmregsFirst,
       kMmregsMachineCheck,
       kMmregsCritical,
       kMmregsNoncritical,
       kMmregsProtectionIndex,
       kFifoState,
       kFifoForce,
       kFifoFirst,
       kFifoMachineCheck,
       kFifoCritical,
       kFifoNoncritical,
       kFifoFullId,
       kMcsramState,
       kMcsramForce,
       kMcsramFirst,
       kMcsramMachineCheck,
       kMcsramCritical,
       kMcsramNoncritical,
       kMcsramErrorId,
       kRcsramState,
       kRcsramForce,
       kRcsramFirst,
       kRcsramMachineCheck,
       kRcsramCritical,
       kRcsramNoncritical,
       kRmfifoAccessErrorId,
       kRputsramState,
       kRputsramForce,
       kRputsramFirst,
       kRputsramMachineCheck,
       kRputsramCritical,
       kRputsramNoncritical,
       kRme0State,
       kRme0Force,
       kRme0First,
       kRme0MachineCheck,
       kRme0Critical,
       kRme0Noncritical,
       kRme1State,
       kRme1Force,
       kRme1First,
       kRme1MachineCheck,
       kRme1Critical,
       kRme1Noncritical,
       kRmeError,
       kIcsramState,
       kIcsramForce,
       kIcsramFirst,
       kIcsramMachineCheck,
       kIcsramCritical,
       kIcsramNoncritical,
       kRgetFifoFullId,
       kMiscState,
       kMiscForce,
       kMiscFirst,
       kMiscMachineCheck,
       kMiscCritical,
       kMiscNoncritical,
       kImfifoAccessErrorId});
  return registers;
}

void MuDcr::reset() {
  bank().reset(values_.data());
}

bool MuDcr::write(std::uint64_t address, std::uint64_t value) {
  if (!bank().write(*this, values_.data(), address, value)) return false;
  constexpr const RegisterDescription* kStates[] = {
      &kMasterPort0State, &kMasterPort1State, &kMasterPort2State, &kSlavePortState, &kMmregsState,
      &kFifoState,        &kMcsramState,      &kRcsramState,      &kRputsramState,  &kRme0State,
      &kRme1State,        &kIcsramState,      &kMiscState};
  // The word behind a state sets its bits.
  for (const RegisterDescription* state : kStates) word(state->place) |= std::exchange(word(state->place + 1), 0);
  return true;
}

bool MuDcr::in_range(std::uint64_t mebibyte, bool system, bool to_write) const {
  const RegisterDescription& least = system ? kSystemRangeMin : kUserRangeMin;
  const RegisterDescription& greatest = system ? kSystemRangeMax : kUserRangeMax;
  const std::uint64_t injection_only = at(system ? kSystemInjectionOnly : kUserInjectionOnly);
  for (unsigned range = 0; range < least.count; ++range) {
    if (to_write && (injection_only >> (least.count - 1 - range) & 1) != 0) continue;
    if (mebibyte >= at(least, range) >> 20 && mebibyte <= at(greatest, range) >> 20) return true;
  }
  return false;
}

bool MuDcr::allows(std::uint64_t address, std::uint64_t bytes, bool system, bool to_write) const {
  if (bytes == 0) return true;
  for (std::uint64_t mebibyte = address >> 20; mebibyte <= (address + bytes - 1) >> 20; ++mebibyte) {
    if (!in_range(mebibyte, system, to_write)) return false;
  }
  return true;
}

}  // namespace toroid
