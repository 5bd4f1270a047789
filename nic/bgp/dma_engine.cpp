// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/dma_engine.h"

#include "nic/bgp/addresses.h"
#include "nic/bgp/dma_descriptor.h"

namespace toroid {

DmaEngine::DmaEngine(const DmaConfig& config, TorusNetwork& network, std::uint32_t node, NetworkClock& clock,
                     DmaOutside& outside)
    : state(config, network, node, clock, outside),
      torus_injection(state),
      local(state),
      receiver(state, local),
      injector(state, torus_injection, local, receiver) {}

// Time. ---------------------------------------------------------------------------------------------------------------

void DmaEngine::Answers::memory_done(const MemoryAnswer&) {
  Wheel& wheel = engine_.state.network.wheel();
  engine_.state.clock.sync_to(sc_core::sc_time_stamp());
  wheel.post(wheel.now() + 1, engine_, event_, 0);
}

void DmaEngine::injection_taken(unsigned fifo, unsigned chunks, Cycle at) {
  taken_chunks_[fifo] = static_cast<std::uint16_t>(chunks);
  state.network.wheel().post(at, *this, kTaken, fifo);
}

void DmaEngine::on_event(std::uint32_t what, std::uint32_t arg) {
  if (what == kTaken) taken_ |= 1u << arg;
  if (what == kRead) injector.answered(1);
  if (what == kWritten) receiver.answered(1);
  if (settles_ == state.now()) return;
  settles_ = state.now();
  state.network.wheel().settle(*this);
}

void DmaEngine::settle() {
  while (taken_ != 0) {
    const auto fifo = static_cast<unsigned>(__builtin_ctz(taken_));
    taken_ &= taken_ - 1;
    torus_injection.taken(fifo, taken_chunks_[fifo]);
    state.changed_lines = true;
  }
  receiver.settle();
  injector.settle();
  state.outside.settled();
}

// Control registers. --------------------------------------------------------------------------------------------------

std::optional<std::uint32_t> DmaEngine::read_dcr(unsigned number) const {
  using namespace bgp_dma_dcr;
  if (const unsigned offset = number - BGP_TORUS_DCR_BASE; TorusDcr::exists(offset))
    return offset == TORUS_DCR_INTERRUPT_WATERMARK_OFFSET ? torus_watermarks() : state.torus_dcr.read(offset);
  const unsigned debug = number - static_cast<unsigned>(kBlock.base) - kDebugState.offset;
  if (debug == 0) return static_cast<std::uint32_t>(injector.messages());
  if (debug == 1) return torus_injection.waiting();
  if (debug == 2) return static_cast<std::uint32_t>(receiver.packets());
  return state.dcr.read(number);
}

bool DmaEngine::write_dcr(unsigned number, std::uint32_t value) {
  using namespace bgp_dma_dcr;
  if (const unsigned offset = number - BGP_TORUS_DCR_BASE; TorusDcr::exists(offset)) {
    if (!TorusDcr::writable(offset)) return false;
    if (offset == TORUS_DCR_RESET_OFFSET && (value & TORUS_DCR_RESET_REGISTERS_MASK) != 0) state.torus_dcr.reset();
    state.torus_dcr.write(offset, value);
    state.changed_lines = true;
    return true;
  }
  if (!state.dcr.write(number, value)) return false;
  const unsigned offset = number - static_cast<unsigned>(kBlock.base);
  if (offset == kReset.offset && reset::kAll.of(value) != 0) reset();
  if (offset == kFatalClear.offset) {
    state.errors.clear(value, 0);
    if (fatal_clear::kReception.of(value) != 0) receiver.go_on();
  }
  if (offset == kFatalClearLink.offset) state.errors.clear(0, value);
  state.injection_rings.refresh();
  state.reception_rings.refresh();
  state.changed_everywhere();
  state.outside.wake(state.now() + 1);
  return true;
}

void DmaEngine::reset() {
  injector.reset();
  receiver.reset();
  state.dcr.reset();
  state.injection_rings.reset();
  state.reception_rings.reset();
  state.injection_counters = {};
  state.reception_counters = {};
}

// Interrupts. ---------------------------------------------------------------------------------------------------------

std::uint32_t DmaEngine::interrupts(unsigned bic_group) const {
  std::uint32_t lines = state.errors.interrupts(bic_group);
  if (bic_group == BGP_DMA_IRQ_FATAL / 32) lines |= state.torus_dcr.read(TORUS_DCR_INTERRUPT_ERROR_OFFSET);
  if (bic_group == BGP_DMA_IRQ_INJ_THRESHOLD / 32) lines |= threshold_lines() | torus_watermarks();
  if (bic_group == BGP_DMA_IRQ_INJ_ZERO / 32) lines |= counter_lines();
  return lines;
}

/// The watermark register's own bits: interrupts 0x40 to 0x55.
std::uint32_t DmaEngine::torus_watermarks() const {
  constexpr unsigned kInjection[] = {0, 3}, kInjectionHigh[] = {6, 7};
  constexpr unsigned kReception[] = {8, 14}, kReceptionHigh[] = {20, 21};
  std::uint32_t lines = 0;
  for (unsigned group = 0; group < 2; ++group) {
    for (unsigned fifo = 0; fifo < 4; ++fifo) {
      if (torus_injection.chunks(group * 4 + fifo) < state.torus_dcr.injection_watermark(group, fifo))
        lines |= ibm_bit(fifo == 3 ? kInjectionHigh[group] : kInjection[group] + fifo);
    }
    for (unsigned fifo = 0; fifo < 7; ++fifo) {
      if (receiver.chunks(group * 7 + fifo) > state.torus_dcr.reception_watermark(group, fifo == 6))
        lines |= ibm_bit(fifo == 6 ? kReceptionHigh[group] : kReception[group] + fifo);
    }
  }
  return lines;
}

std::uint32_t DmaEngine::threshold_lines() const {
  using namespace bgp_dma_dcr;
  std::uint32_t lines = 0;
  for (unsigned n = 0; n < 4; ++n) {
    if ((state.injection_rings.threshold_crossed(n) & state.dcr.at(kInjThresholdInterrupt, n)) != 0)
      lines |= ibm_bit(BGP_DMA_IRQ_INJ_THRESHOLD % 32 + n);
    bool reception = (state.reception_rings.threshold_crossed(0) & state.dcr.at(kRecThresholdInterrupt, n)) != 0;
    const std::uint32_t headers = state.dcr.at(kRecHeaderThresholdInterrupt) >> (24 - 8 * n);
    for (unsigned group = 0; group < 4; ++group) {
      const std::uint32_t bit = DmaDcr::reception_bit(ReceptionRings::kNormal + group);
      if ((headers & 8u >> group) != 0 && (state.reception_rings.threshold_crossed(1) & bit) != 0) reception = true;
    }
    if (reception) lines |= ibm_bit(BGP_DMA_IRQ_REC_THRESHOLD % 32 + n);
  }
  return lines;
}

std::uint32_t DmaEngine::counter_lines() const {
  using namespace bgp_dma_dcr;
  std::uint32_t lines = 0;
  const std::uint32_t injection = state.injection_counters.group_status();
  const std::uint32_t reception = state.reception_counters.group_status();
  for (unsigned n = 0; n < 4; ++n) {
    if ((injection & state.dcr.at(kInjCounterInterrupt, n)) != 0) lines |= ibm_bit(BGP_DMA_IRQ_INJ_ZERO % 32 + n);
    if ((reception & state.dcr.at(kRecCounterInterrupt, n)) != 0) lines |= ibm_bit(BGP_DMA_IRQ_REC_ZERO % 32 + n);
  }
  if (receiver.waits_for_fifo()) lines |= ibm_bit(BGP_DMA_IRQ_REC_FULL % 32);
  if (receiver.waits_for_get()) lines |= ibm_bit(BGP_DMA_IRQ_REMOTE_GET_FULL % 32);
  return lines;
}

}  // namespace toroid
