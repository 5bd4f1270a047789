// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/dma_dcr.h"

namespace toroid {

using namespace bgp_dma_dcr;

const DmaDcr::Bank& DmaDcr::bank() {
  static const Bank registers(kBlock, {"the DMA control registers", "a DMA control register", "", ""},
                              {kReset,
                               kBaseControl,
                               kInjRangeMin,
                               kInjRangeMax,
                               kInjRangeAttributes,
                               kRecRangeAttributes,
                               kRecRangeMin,
                               kRecRangeMax,
                               kTorusInjectionWatermark,
                               kLocalInjectionService,
                               kTorusReceptionWatermark,
                               kLocalReceptionService,
                               kInjFifoEnable,
                               kRecFifoEnable,
                               kRecHeaderFifoEnable,
                               kInjFifoPriority,
                               kInjFifoThreshold,
                               kServiceQuanta,
                               kRecFifoType,
                               kRecHeaderFifoType,
                               kRecFifoThreshold,
                               kInjFifoMap,
                               kInjFifoLocal,
                               kRecFifoMap,
                               kRecClearMask,
                               kRecHeaderClearMask,
                               kInjThresholdInterrupt,
                               kRecThresholdInterrupt,
                               kRecHeaderThresholdInterrupt,
                               kInjCounterInterrupt,
                               kRecCounterInterrupt,
                               kFatalEnableInjection,
                               kFatalEnableReception,
                               kFatalEnableCounters,
                               kFatalEnableMemory,
                               kEccThreshold,
                               kEccCount,
                               kFatalInjection,
                               kFatalReception,
                               kFatalCounters,
                               kFatalMemory,
                               kBadReadAddress,
                               kBadWriteAddress,
                               kBadFifo,
                               kBadDescriptor,
                               kBadCounter,
                               kBadSource,
                               kUnitError,
                               kDebugState,
                               kWarnings,
                               kFatalClear,
                               kFatalClearLink});
  return registers;
}

void DmaDcr::reset() {
  bank().reset(values_.data());
  for (unsigned group = 0; group < 4; ++group) at(kRecClearMask, group) = 0xFF000000u >> 8 * group;
}

bool DmaDcr::exists(unsigned number) {
  return number >= kBlock.base && number < kBlock.base + kNumbers;
}

std::optional<std::uint32_t> DmaDcr::read(unsigned number) const {
  if (!exists(number)) return std::nullopt;
  if (!bank().exists(number)) return 0;
  return bank().read(*this, values_.data(), number);
}

bool DmaDcr::write(unsigned number, std::uint32_t value) {
  return bank().write(*this, values_.data(), number, value);
}

}  // namespace toroid
