// SPDX-License-Identifier: Apache-2.0
#include "nic/bgq/mu_engine.h"

namespace toroid {

MuEngine::MuEngine(const MuConfig& config, AnyTorusNetwork& torus, std::uint32_t node, NetworkClock& clock,
                   MuOutside& outside)
    : state(config, torus, node, clock, outside), receiver(state), network(state), injector(state, network, receiver) {}

// Time. ---------------------------------------------------------------------------------------------------------------

void MuEngine::Answers::memory_done(const MemoryAnswer& answer) {
  MuState& state = engine_.state;
  const auto number = static_cast<std::uint32_t>(answer.tag);
  state.requests[number].value = answer.before;
  Wheel& wheel = state.network.wheel();
  state.clock.sync_to(sc_core::sc_time_stamp());
  wheel.post(wheel.now() + 1, engine_, kAnswered, number);
}

void MuEngine::injection_taken(unsigned fifo, unsigned chunks, Cycle at) {
  taken_chunks_[fifo] = static_cast<std::uint16_t>(chunks);
  state.network.wheel().post(at, *this, kTaken, fifo);
}

void MuEngine::on_event(std::uint32_t what, std::uint32_t arg) {
  if (what == kTaken) taken_ |= 1u << arg;
  if (what == kAnswered) state.requests.answered(arg);
  if (settles_ == state.now()) return;
  settles_ = state.now();
  state.network.wheel().settle(*this);
}

void MuEngine::settle() {
  while (taken_ != 0) {
    const auto fifo = static_cast<unsigned>(__builtin_ctz(taken_));
    taken_ &= taken_ - 1;
    network.taken(fifo, taken_chunks_[fifo]);
  }
  for (const std::uint32_t number : state.requests.take_complete()) {
    switch (state.requests[number].kind) {
      case MuRequest::Kind::descriptor: {
        MuMessage& message = *state.requests[number].message;
        state.requests.remove(number);
        injector.descriptor_read(message);
        break;
      }
      case MuRequest::Kind::packet:
        injector.packet_read(number);
        break;
      default:
        receiver.written(number);
    }
  }
  receiver.settle();
  injector.settle();
  state.outside.settled();
}

// Control registers. --------------------------------------------------------------------------------------------------

std::optional<std::uint64_t> MuEngine::read_dcr(std::uint64_t address) const {
  using namespace bgq_mu_dcr;
  if (address == kBlock.base + kInjNdfifoAvailable.offset) return network.available();
  return state.dcr.read(address);
}

bool MuEngine::write_dcr(std::uint64_t address, std::uint64_t value) {
  using namespace bgq_mu_dcr;
  if (!state.dcr.write(address, value)) return false;
  if (address == kBlock.base + kReset.offset) reset(value);
  receiver.ring_moved();
  state.everything_changed();
  state.outside.wake(state.now() + 1);
  return true;
}

/// Parts that RESET holds lose what they have. RESET itself stays.
void MuEngine::reset(std::uint64_t parts) {
  using namespace bgq_mu_dcr::reset;
  if ((parts & (kTop.mask | kMcsram.mask | kIcsram.mask)) != 0) injector.reset();
  if ((parts & kTop.mask) != 0 || kRme.of(parts) == kRme.of(kRme.mask)) receiver.reset();
  if ((parts & (kTop.mask | kIcsram.mask | kRcsram.mask | kRputsram.mask | kMmregs.mask)) != 0) state.fifos.reset();
  if ((parts & kDcrs.mask) != 0) {
    state.dcr.reset();
    state.dcr.at(bgq_mu_dcr::kReset) = parts;
  }
}

// Interrupts. ---------------------------------------------------------------------------------------------------------

std::uint8_t MuEngine::interrupts(unsigned group) const {
  const std::uint64_t status = state.fifos.interrupts(group);
  std::uint8_t lines = 0;
  for (unsigned s = 0; s < kMuSubgroupsOfAGroup; ++s) {
    const std::uint64_t injection = std::uint64_t{0xFF000000u >> 8 * s} << 32;
    const std::uint64_t reception = 0xF000F000u >> 4 * s;
    if ((status & (injection | reception)) != 0) lines |= static_cast<std::uint8_t>(1u << s);
  }
  return lines;
}

std::uint8_t MuEngine::aggregated(unsigned group) const {
  using namespace bgq_mu_dcr;
  const std::uint64_t word = group < 8    ? state.dcr.at(kGeaIntEnable07)
                             : group < 16 ? state.dcr.at(kGeaIntEnable815)
                                          : state.dcr.at(kGeaIntEnable16);
  const unsigned last = group < 16 ? 31 : 3;
  const std::uint8_t lines = interrupts(group);
  std::uint8_t enabled = 0;
  for (unsigned s = 0; s < kMuSubgroupsOfAGroup; ++s) {
    if ((word >> (last - (group % 8 * 4 + s)) & 1) != 0) enabled |= static_cast<std::uint8_t>(1u << s);
  }
  return lines & enabled;
}

bool MuEngine::has_error() const {
  using namespace bgq_mu_dcr;
  for (const RegisterDescription* is :
       {&kMasterPort0State, &kMasterPort1State, &kMasterPort2State, &kSlavePortState, &kMmregsState, &kFifoState,
        &kMcsramState, &kRcsramState, &kRputsramState, &kRme0State, &kRme1State, &kIcsramState, &kMiscState}) {
    const std::uint64_t enabled =
        state.dcr.word(is->place + 3) | state.dcr.word(is->place + 4) | state.dcr.word(is->place + 5);
    if ((state.dcr.at(*is) & enabled) != 0) return true;
  }
  return false;
}

}  // namespace toroid
