// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/dma_registers.h"

#include <utility>

#include "nic/bgp/dma_bank.h"

namespace toroid {

using namespace bgp_dma;
using Word = DmaRing::Word;

DmaRegisters::DmaRegisters(DmaEngine& engine, std::function<void(sc_core::sc_time& delay)> synchronise,
                           std::function<void(unsigned fifo)> tail_written)
    : engine_(engine),
      synchronise_(std::move(synchronise)),
      tail_written_(std::move(tail_written)),
      values_(std::size_t{kBlock.groups} * kBlock.words) {
  bank().reset(values_.data());
}

const DmaRegisters::Bank& DmaRegisters::bank() {
  static const Bank all(kBlock, {"the DMA's registers", "a DMA register", "group ", ""}, registers());
  return all;
}

std::vector<DmaRegisters::Bank::Register> DmaRegisters::registers() {
  std::vector<Bank::Register> all;
  add_fifos(all);
  add_counters(all);
  all.push_back(Bank::Register(kStorage).writes(&DmaRegisters::set_storage));
  return all;
}

void DmaRegisters::add_fifos(std::vector<Bank::Register>& all) {
  using Register = Bank::Register;
  using Self = DmaRegisters;
  const auto injection = [&all](const RegisterDescription& is, Bank::Read read, Bank::Written write) {
    all.push_back(Register(is).reads(read).writes(write));
  };
  injection(kInjFifoStart, &Self::injection<Word::start>, &Self::set_injection<Word::start>);
  injection(kInjFifoEnd, &Self::injection<Word::end>, &Self::set_injection<Word::end>);
  injection(kInjFifoHead, &Self::injection<Word::head>, &Self::set_injection<Word::head>);
  injection(kInjFifoTail, &Self::injection<Word::tail>, &Self::set_injection<Word::tail>);
  all.push_back(Register(kInjNotEmpty).reads(&Self::injection_not_empty));
  all.push_back(Register(kInjAvailable).reads(&Self::injection_available));
  all.push_back(Register(kInjThresholdCrossed).reads(&Self::injection_threshold));
  all.push_back(Register(kInjClearThresholdCrossed).writes(&Self::clear_injection_threshold));
  all.push_back(Register(kInjActivated).reads(&Self::activated));
  all.push_back(Register(kInjActivate).writes(&Self::activate));
  all.push_back(Register(kInjDeactivate).writes(&Self::deactivate));
  const auto& reception = injection;
  reception(kRecFifoStart, &Self::reception<Word::start>, &Self::set_reception<Word::start>);
  reception(kRecFifoEnd, &Self::reception<Word::end>, &Self::set_reception<Word::end>);
  reception(kRecFifoHead, &Self::reception<Word::head>, &Self::set_reception<Word::head>);
  reception(kRecFifoTail, &Self::reception<Word::tail>, &Self::set_reception<Word::tail>);
  reception(kRecHeaderFifoStart, &Self::header_fifo<Word::start>, &Self::set_header_fifo<Word::start>);
  reception(kRecHeaderFifoEnd, &Self::header_fifo<Word::end>, &Self::set_header_fifo<Word::end>);
  reception(kRecHeaderFifoHead, &Self::header_fifo<Word::head>, &Self::set_header_fifo<Word::head>);
  reception(kRecHeaderFifoTail, &Self::header_fifo<Word::tail>, &Self::set_header_fifo<Word::tail>);
  all.push_back(Register(kRecNotEmpty).reads(&Self::reception_not_empty));
  all.push_back(Register(kRecAvailable).reads(&Self::reception_available));
  all.push_back(Register(kRecThresholdCrossed).reads(&Self::reception_threshold));
  all.push_back(Register(kRecClearThresholdCrossed).writes(&Self::clear_reception_threshold));
}

void DmaRegisters::add_counters(std::vector<Bank::Register>& all) {
  using Register = Bank::Register;
  using Self = DmaRegisters;
  constexpr Counters kInjection = &DmaState::injection_counters;
  constexpr Counters kReception = &DmaState::reception_counters;
  all.push_back(Register(kInjCounterEnabled).reads(&Self::enabled<kInjection>));
  all.push_back(Register(kInjCounterEnable).writes(&Self::enable<kInjection>));
  all.push_back(Register(kInjCounterDisable).writes(&Self::disable<kInjection>));
  all.push_back(Register(kInjCounterHitZero).reads(&Self::hit_zero<kInjection>));
  all.push_back(Register(kInjCounterClearHitZero).writes(&Self::clear_hit_zero<kInjection>));
  all.push_back(Register(kInjCounterGroupStatus).reads(&Self::group_status<kInjection>));
  all.push_back(Register(kInjCounterValue).reads(&Self::value<kInjection>).writes(&Self::set_value<kInjection>));
  all.push_back(Register(kInjCounterIncrement).reads(&Self::value<kInjection>).writes(&Self::increment<kInjection>));
  all.push_back(Register(kInjCounterBase).reads(&Self::base<kInjection>).writes(&Self::set_base<kInjection>));
  all.push_back(Register(kInjCounterUnused).reads(&Self::maximum<kInjection>).writes(&Self::set_maximum<kInjection>));
  all.push_back(Register(kRecCounterEnabled).reads(&Self::enabled<kReception>));
  all.push_back(Register(kRecCounterEnable).writes(&Self::enable<kReception>));
  all.push_back(Register(kRecCounterDisable).writes(&Self::disable<kReception>));
  all.push_back(Register(kRecCounterHitZero).reads(&Self::hit_zero<kReception>));
  all.push_back(Register(kRecCounterClearHitZero).writes(&Self::clear_hit_zero<kReception>));
  all.push_back(Register(kRecCounterGroupStatus).reads(&Self::group_status<kReception>));
  all.push_back(Register(kRecCounterValue).reads(&Self::value<kReception>).writes(&Self::set_value<kReception>));
  all.push_back(Register(kRecCounterIncrement).reads(&Self::value<kReception>).writes(&Self::increment<kReception>));
  all.push_back(Register(kRecCounterBase).reads(&Self::base<kReception>).writes(&Self::set_base<kReception>));
  all.push_back(Register(kRecCounterMax).reads(&Self::maximum<kReception>).writes(&Self::set_maximum<kReception>));
}

std::uint32_t DmaRegisters::read(std::uint64_t address) const {
  return bank().read(*this, values_.data(), address).value();
}

void DmaRegisters::write(std::uint64_t address, std::uint32_t value) {
  bank().write(*this, values_.data(), address, value);
}

void DmaRegisters::touched(unsigned group) {
  state().changed(group);
  state().outside.wake(state().now() + 1);
}

void DmaRegisters::set_storage(unsigned index, std::uint32_t) {
  state().changed(index / kStorage.count);
}

// Injection FIFOs. ----------------------------------------------------------------------------------------------------

template <Word word>
std::uint32_t DmaRegisters::injection(unsigned fifo) const {
  return state().injection_rings.ring(fifo).word(word);
}

template <Word word>
void DmaRegisters::set_injection(unsigned fifo, std::uint32_t value) {
  if (word != Word::tail) engine_.injector.drop(fifo);
  state().injection_rings.write(fifo, word, value);
  state().fifo_changed(DmaObserver::Side::injection, fifo);
  engine_.receiver.injection_ring_moved();
  touched(fifo / 32);
  if (word == Word::tail) tail_written_(fifo);
}

std::uint32_t DmaRegisters::injection_not_empty(unsigned group) const {
  return state().injection_rings.not_empty(group);
}
std::uint32_t DmaRegisters::injection_available(unsigned group) const {
  return state().injection_rings.available(group);
}
std::uint32_t DmaRegisters::injection_threshold(unsigned group) const {
  return state().injection_rings.threshold_crossed(group);
}
void DmaRegisters::clear_injection_threshold(unsigned group, std::uint32_t bits) {
  state().injection_rings.clear_threshold(group, bits);
  touched(group);
}
std::uint32_t DmaRegisters::activated(unsigned group) const {
  return state().injection_rings.activated(group);
}
void DmaRegisters::activate(unsigned group, std::uint32_t bits) {
  state().injection_rings.activate(group, bits);
  touched(group);
}
void DmaRegisters::deactivate(unsigned group, std::uint32_t bits) {
  state().injection_rings.deactivate(group, bits);
  for (unsigned bit = 0; bit < 32; ++bit) {
    if ((bits & ibm_bit(bit)) != 0) engine_.injector.rewind(group * 32 + bit);
  }
  touched(group);
}

// Reception FIFOs. ----------------------------------------------------------------------------------------------------

template <Word word>
std::uint32_t DmaRegisters::reception(unsigned fifo) const {
  return state().reception_rings.ring(fifo).word(word);
}

template <Word word>
void DmaRegisters::set_reception(unsigned fifo, std::uint32_t value) {
  state().reception_rings.write(fifo, word, value);
  state().fifo_changed(DmaObserver::Side::reception, fifo);
  engine_.receiver.reception_ring_moved();
  touched(fifo < ReceptionRings::kNormal ? fifo / 8 : fifo - ReceptionRings::kNormal);
}

template <Word word>
std::uint32_t DmaRegisters::header_fifo(unsigned group) const {
  return reception<word>(ReceptionRings::kNormal + group);
}

template <Word word>
void DmaRegisters::set_header_fifo(unsigned group, std::uint32_t value) {
  set_reception<word>(ReceptionRings::kNormal + group, value);
}

namespace {

/// The bits of a group in a word of the reception FIFOs' status.
std::uint32_t bits_of(unsigned group, unsigned word) {
  return word == 0 ? 0xFF000000u >> 8 * group : DmaDcr::reception_bit(ReceptionRings::kNormal + group);
}

}  // namespace

std::uint32_t DmaRegisters::reception_not_empty(unsigned index) const {
  return state().reception_rings.not_empty(index % 2) & bits_of(index / 2, index % 2);
}
std::uint32_t DmaRegisters::reception_available(unsigned index) const {
  return state().reception_rings.available(index % 2) & bits_of(index / 2, index % 2);
}
std::uint32_t DmaRegisters::reception_threshold(unsigned index) const {
  return state().reception_rings.threshold_crossed(index % 2) & bits_of(index / 2, index % 2);
}
void DmaRegisters::clear_reception_threshold(unsigned index, std::uint32_t bits) {
  const unsigned group = index / 2;
  std::uint32_t mine = state().dcr.at(bgp_dma_dcr::kRecClearMask, group);
  if (index % 2 == 1) {
    const std::uint32_t headers = state().dcr.at(bgp_dma_dcr::kRecHeaderClearMask) >> (24 - 8 * group);
    mine = 0;
    for (unsigned each = 0; each < 4; ++each) {
      if ((headers & 8u >> each) != 0) mine |= DmaDcr::reception_bit(ReceptionRings::kNormal + each);
    }
  }
  state().reception_rings.clear_threshold(index % 2, bits & mine);
  state().changed_everywhere();
}

// Counters. -----------------------------------------------------------------------------------------------------------

template <DmaRegisters::Counters side>
std::uint32_t DmaRegisters::value(unsigned counter) const {
  return (state().*side).value(counter);
}
template <DmaRegisters::Counters side>
void DmaRegisters::set_value(unsigned counter, std::uint32_t value) {
  (state().*side).set_value(counter, value);
  state().changed(counter / 64);
}

template <DmaRegisters::Counters side>
void DmaRegisters::increment(unsigned counter, std::uint32_t by) {
  constexpr bool kInjection = side == &DmaState::injection_counters;
  state().changed(counter / 64);
  if ((state().*side).increment(counter, by)) return;
  ++state().counted.counter_errors;
  state().dcr.at(bgp_dma_dcr::kBadCounter) = counter + (kInjection ? 0 : ByteCounters::kCounters);
  state().violated(kInjection ? DmaRule::injection_overflow : DmaRule::reception_overflow, counter / 64, [&] {
    return std::string("DMA ") + (kInjection ? "injection" : "reception") + " counter " + std::to_string(counter % 64) +
           " of group " + std::to_string(counter / 64) + " was given " + std::to_string(by) +
           " bytes more and went above 2^32 - 1";
  });
}

template <DmaRegisters::Counters side>
std::uint32_t DmaRegisters::base(unsigned counter) const {
  return (state().*side).base(counter);
}
template <DmaRegisters::Counters side>
void DmaRegisters::set_base(unsigned counter, std::uint32_t base) {
  (state().*side).set_base(counter, base);
  state().changed(counter / 64);
}
template <DmaRegisters::Counters side>
std::uint32_t DmaRegisters::maximum(unsigned counter) const {
  return (state().*side).maximum(counter);
}
template <DmaRegisters::Counters side>
void DmaRegisters::set_maximum(unsigned counter, std::uint32_t maximum) {
  (state().*side).set_maximum(counter, maximum);
  state().changed(counter / 64);
}

// Enabling and clearing show in the status of all groups, which every page has.
template <DmaRegisters::Counters side>
std::uint32_t DmaRegisters::enabled(unsigned word) const {
  return (state().*side).enabled(word);
}
template <DmaRegisters::Counters side>
void DmaRegisters::enable(unsigned word, std::uint32_t bits) {
  (state().*side).enable(word, bits);
  state().changed_everywhere();
}
template <DmaRegisters::Counters side>
void DmaRegisters::disable(unsigned word, std::uint32_t bits) {
  (state().*side).disable(word, bits);
  state().changed_everywhere();
}
template <DmaRegisters::Counters side>
std::uint32_t DmaRegisters::hit_zero(unsigned word) const {
  return (state().*side).hit_zero(word);
}
template <DmaRegisters::Counters side>
void DmaRegisters::clear_hit_zero(unsigned word, std::uint32_t bits) {
  (state().*side).clear_hit_zero(word, bits);
  state().changed_everywhere();
}
template <DmaRegisters::Counters side>
std::uint32_t DmaRegisters::group_status(unsigned) const {
  return (state().*side).group_status();
}

}  // namespace toroid
