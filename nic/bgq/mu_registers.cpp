// SPDX-License-Identifier: Apache-2.0
#include "nic/bgq/mu_registers.h"

#include "nic/bgq/mu_bank.h"

namespace toroid {

using namespace bgq_mu;
using Word = MuRing::Word;

namespace {

constexpr std::uint64_t kPageBytes = kBlock.stride;
constexpr std::uint64_t kGroupBytes = 0x10000;
constexpr std::uint64_t kLowWord = 0xFFFFFFFF;

bool is(const MuPlace& place, const RegisterDescription& which) {
  const std::uint64_t within = place.offset - which.offset;
  return which.count == 1 ? within == 0
                          : within < std::uint64_t{which.count} * which.stride && within % which.stride == 0;
}

/// Index among the `of_a_subgroup` of all subgroups, for registers that repeat at intervals of `stride` from `first`
/// on.
unsigned index_of(const MuPlace& place, const RegisterDescription& first, unsigned of_a_subgroup) {
  return place.subgroup * of_a_subgroup + static_cast<unsigned>((place.offset - first.offset) / first.stride);
}

}  // namespace

class MuRegisters::Group {
 public:
  Group(MuRegisters& registers, unsigned group) : registers_(registers), group_(group) {}

  void synchronise(sc_core::sc_time& delay) { registers_.synchronise_(delay); }

  // Of injection FIFOs.
  template <Word word>
  std::uint64_t injection(unsigned index) const {
    return fifos().injection(injection_fifo(index)).ring.word(word);
  }
  template <Word word>
  void set_injection(unsigned index, std::uint64_t value) {
    const unsigned fifo = injection_fifo(index);
    const MuInjectionFifo& is = fifos().injection(fifo);
    if (word != Word::tail) {
      engine().injector.drop(fifo);
    } else if (is.ring.used_to(value) < is.ring.used_to(is.read)) {
      engine().injector.rewind(fifo);
    }
    state().fifos.write_injection(fifo, word, value);
    state().injection_changed(fifo);
    engine().receiver.ring_moved();
    touched();
    if (word == Word::tail) registers_.tail_written_(fifo);
  }
  std::uint64_t done(unsigned index) const { return fifos().injection(injection_fifo(index)).done; }
  void set_done(unsigned index, std::uint64_t value) {
    state().fifos.injection(injection_fifo(index)).done = value;
    state().injection_changed(injection_fifo(index));
    touched();
  }
  std::uint64_t free_space(unsigned index) const { return fifos().free_space(injection_fifo(index)); }

  // Of reception FIFOs.
  template <Word word>
  std::uint64_t reception(unsigned index) const {
    return fifos().reception(reception_fifo(index)).ring.word(word);
  }
  template <Word word>
  void set_reception(unsigned index, std::uint64_t value) {
    state().fifos.write_reception(reception_fifo(index), word, value);
    state().reception_changed(reception_fifo(index));
    engine().receiver.ring_moved();
    touched();
  }

  // Of the group.
  std::uint64_t enabled(unsigned) const { return fifos().enabled(group_); }
  void enable(unsigned, std::uint64_t value) {
    state().fifos.enable(group_, static_cast<std::uint32_t>(value));
    state().group_changed(group_);
    touched();
  }
  void disable(unsigned, std::uint64_t value) {
    const auto bits = static_cast<std::uint32_t>(value) & fifos().enabled(group_);
    for (unsigned i = 0; i < kMuInjectionOfAGroup; ++i) {
      if ((bits & mu_injection_bit(i)) != 0) engine().injector.rewind(group_ * kMuInjectionOfAGroup + i);
    }
    state().fifos.disable(group_, bits);
    state().group_changed(group_);
    touched();
  }
  std::uint64_t priority(unsigned) const { return fifos().priority(group_); }
  void set_priority(unsigned, std::uint64_t value) {
    state().fifos.set_priority(group_, static_cast<std::uint32_t>(value));
    state().group_changed(group_);
    touched();
  }
  std::uint64_t status(unsigned) const { return fifos().status(group_); }
  void clear_status(unsigned, std::uint64_t bits) {
    state().fifos.clear_status(group_, bits);
    state().group_changed(group_);
    touched();
  }

  // Base addresses, global interrupts.
  std::uint64_t base(unsigned index) const { return fifos().base(group_ * kMuInjectionOfAGroup + index); }
  void set_base(unsigned index, std::uint64_t value) {
    state().fifos.set_base(group_ * kMuInjectionOfAGroup + index, value);
    state().page_changed(group_ * kMuSubgroupsOfAGroup + index / kMuBasesOfASubgroup);
  }
  std::uint64_t barrier_control(unsigned index) const {
    const unsigned number = index % kMuClasses;
    return registers_.barriers_ != nullptr ? registers_.barriers_->control(number)
                                           : registers_.barrier_control_[number];
  }
  void set_barrier_control(unsigned index, std::uint64_t value) {
    const unsigned number = index % kMuClasses;
    const auto bits = static_cast<std::uint8_t>(value & 7);
    registers_.barrier_control_[number] = bits;
    if (registers_.barriers_ != nullptr) registers_.barriers_->set_control(number, bits);
    state().everything_changed();
  }
  std::uint64_t barrier_status(unsigned index) const {
    const unsigned number = index % kMuClasses;
    return registers_.barriers_ != nullptr ? registers_.barriers_->status(number) : registers_.barrier_control_[number];
  }

 private:
  MuEngine& engine() { return registers_.engine_; }
  MuState& state() { return registers_.engine_.state; }
  const MuFifos& fifos() const { return registers_.engine_.state.fifos; }
  unsigned injection_fifo(unsigned index) const { return group_ * kMuInjectionOfAGroup + index; }
  unsigned reception_fifo(unsigned index) const { return group_ * kMuReceptionOfAGroup + index; }
  /// The unit looks for what it can do in the next cycle.
  void touched() { state().outside.wake(state().now() + 1); }

  MuRegisters& registers_;
  const unsigned group_;
};

const MuRegisters::Bank& MuRegisters::bank() {
  using Register = Bank::Register;
  const auto entry = [](const RegisterDescription& is, Bank::Read read, Bank::Written write) {
    Register made(is);
    if (read != nullptr) made.reads(read);
    if (write != nullptr) made.writes(write);
    return made;
  };
  static const Bank all(kBlock,
                        {"the registers of the Messaging Unit", "a register of the Messaging Unit", "subgroup ", ""},
                        {entry(kInjFifoStart, &Group::injection<Word::start>, &Group::set_injection<Word::start>),
                         entry(kInjFifoSize, &Group::injection<Word::size>, &Group::set_injection<Word::size>),
                         entry(kInjFifoHead, &Group::injection<Word::head>, &Group::set_injection<Word::head>),
                         entry(kInjFifoTail, &Group::injection<Word::tail>, &Group::set_injection<Word::tail>),
                         entry(kInjFifoDescCount, &Group::done, &Group::set_done),
                         entry(kInjFifoFreeSpace, &Group::free_space, nullptr),
                         entry(kRecFifoStart, &Group::reception<Word::start>, &Group::set_reception<Word::start>),
                         entry(kRecFifoSize, &Group::reception<Word::size>, &Group::set_reception<Word::size>),
                         entry(kRecFifoHead, &Group::reception<Word::head>, &Group::set_reception<Word::head>),
                         entry(kRecFifoTail, &Group::reception<Word::tail>, &Group::set_reception<Word::tail>),
                         entry(kInjIsEnabled, &Group::enabled, nullptr),
                         entry(kInjEnable, nullptr, &Group::enable),
                         entry(kInjDisable, nullptr, &Group::disable),
                         entry(kInjPriority, &Group::priority, &Group::set_priority),
                         entry(kIntStatus, &Group::status, nullptr),
                         entry(kIntClear, nullptr, &Group::clear_status),
                         entry(kL1pFlush, nullptr, nullptr),
                         entry(kBaseAddress, &Group::base, &Group::set_base),
                         entry(kBarrierControl, &Group::barrier_control, &Group::set_barrier_control),
                         entry(kBarrierStatus, &Group::barrier_status, nullptr)});
  return all;
}

namespace {

/// The bank stores what is written before it calls the group, which keeps everything elsewhere.
std::array<std::uint64_t, kBlock.groups * kBlock.words> unused;

}  // namespace

std::optional<MuPlace> MuRegisters::place_of(std::uint64_t address) {
  const bool privileged = address >= kBlock.base + kPrivileged;
  const std::uint64_t from_base = address - kBlock.base - (privileged ? kPrivileged : 0);
  const std::uint64_t group = from_base / kGroupBytes, within = from_base % kGroupBytes;
  if (group >= kMuGroups || within >= kMuSubgroupsOfAGroup * kPageBytes) return std::nullopt;
  return MuPlace{within % kPageBytes, static_cast<unsigned>(group * kMuSubgroupsOfAGroup + within / kPageBytes),
                 privileged};
}

std::uint64_t MuRegisters::address_of(const MuPlace& place) {
  return kBlock.base + place.subgroup % kMuSubgroupsOfAGroup * kPageBytes + place.offset;
}

bool MuRegisters::is_pure(const MuPlace& place) {
  return bank().is_pure(address_of(place));
}

tlm::tlm_response_status MuRegisters::serve(const MuPlace& place, tlm::tlm_generic_payload& access,
                                            sc_core::sc_time& delay, std::string& reason) {
  const std::uint64_t asked = access.get_address();
  access.set_address(address_of(place));
  tlm::tlm_response_status response = tlm::TLM_GENERIC_ERROR_RESPONSE;
  std::optional<Refusal> refused;
  if (access.get_data_length() == 8 && bank().exists(address_of(place)))
    refused = refusal(place, access.is_write(), load_word<std::uint64_t>(access.get_data_ptr()));
  if (refused) {
    reason = refused->text + " (" + MuErrors::name(refused->rule) + ")";
    state().errors.note(refused->rule);
    state().changed_lines = true;
  } else {
    Group group(*this, place.subgroup / kMuSubgroupsOfAGroup);
    response = bank().serve(group, unused.data(), access, delay, reason);
  }
  access.set_address(asked);
  return response;
}

bool MuRegisters::peek(const MuPlace& place, std::uint8_t* bytes, std::string& reason) const {
  const Group group(const_cast<MuRegisters&>(*this), place.subgroup / kMuSubgroupsOfAGroup);
  return bank().peek(group, unused.data(), address_of(place), bytes, reason);
}

std::uint64_t MuRegisters::read(const MuPlace& place) const {
  const Group group(const_cast<MuRegisters&>(*this), place.subgroup / kMuSubgroupsOfAGroup);
  return bank().read(group, unused.data(), address_of(place)).value();
}

void MuRegisters::write(const MuPlace& place, std::uint64_t value) {
  Group group(*this, place.subgroup / kMuSubgroupsOfAGroup);
  bank().write(group, unused.data(), address_of(place), value);
}

// Rights. -------------------------------------------------------------------------------------------------------------

std::optional<MuRegisters::Refusal> MuRegisters::refusal(const MuPlace& place, bool write, std::uint64_t value) const {
  const MuDcr& dcr = state().dcr;
  const std::uint64_t offset = place.offset;
  if (!place.privileged) {
    if (offset < kRecFifoStart.offset) {
      const unsigned fifo = index_of(place, kInjFifoStart, kMuInjectionOfASubgroup);
      if (dcr.injection_is_system(fifo))
        return Refusal{MuRule::injection_access,
                       mu_injection_text(fifo) + " is the system's: a process has to allocate it"};
    } else if (offset < kInjIsEnabled.offset) {
      const unsigned fifo = index_of(place, kRecFifoStart, kMuReceptionOfASubgroup);
      if (dcr.reception_is_system(fifo))
        return Refusal{MuRule::reception_access,
                       mu_reception_text(fifo) + " is the system's: a process has to allocate it"};
    } else if (is(place, kBaseAddress) && dcr.bases_are_system(place.subgroup)) {
      return Refusal{MuRule::base_access, "the base addresses of subgroup " + std::to_string(place.subgroup) +
                                              " are the system's: a process has to allocate them"};
    }
  }
  return write ? refused_write(place, value) : std::nullopt;
}

std::optional<MuRegisters::Refusal> MuRegisters::refused_write(const MuPlace& place, std::uint64_t value) const {
  const MuDcr& dcr = state().dcr;
  const unsigned group = place.subgroup / kMuSubgroupsOfAGroup;
  if (place.offset < kInjIsEnabled.offset) {
    const bool injection = place.offset < kRecFifoStart.offset;
    const std::uint64_t word = place.offset % kInjFifoStart.stride / 8;
    if (word > 3) return std::nullopt;  // the count
    const std::uint64_t unit = injection ? MuFifos::kInjectionUnit : MuFifos::kReceptionUnit;
    const std::uint64_t end = word == 1 ? value + 1 : value;
    if (value > BGQ_ADDRESS_MASK) {
      return Refusal{injection ? MuRule::ring_range : MuRule::reception_alignment,
                     "registers of FIFOs hold physical addresses of 36 bits, not " + mu_address_text(value)};
    }
    if (end % unit != 0) {
      return Refusal{injection ? MuRule::ring_alignment : MuRule::reception_alignment,
                     std::string("START, HEAD, TAIL and SIZE + 1 of ") + (injection ? "an injection" : "a reception") +
                         " FIFO are multiples of " + std::to_string(unit) + ", not " + mu_address_text(end)};
    }
    return std::nullopt;
  }
  if (is(place, kInjEnable) || is(place, kInjDisable) || is(place, kInjPriority)) {
    if (value > kLowWord) return Refusal{MuRule::unused_bits, "a group has 32 injection FIFOs, in the lower 32 bits"};
    if (!place.privileged && (value & dcr.at(bgq_mu_dcr::kImfifoSystem, group)) != 0 && !is(place, kInjPriority))
      return Refusal{MuRule::enable_access, "one of these injection FIFOs is the system's"};
  }
  if (is(place, kIntClear) && !place.privileged) {
    const std::uint64_t injection = dcr.at(bgq_mu_dcr::kImfifoSystem, group) << 32;
    const std::uint64_t reception = dcr.at(bgq_mu_dcr::kRmfifoSystem, group);
    if ((value & (injection | reception << 16 | reception)) != 0)
      return Refusal{MuRule::clear_access, "one of these FIFOs is the system's"};
  }
  if (is(place, kBarrierControl)) {
    if (value > 7) return Refusal{MuRule::unused_bits, "a class of global interrupts has 3 bits"};
    const auto number = static_cast<unsigned>((place.offset - kBarrierControl.offset) / kBarrierControl.stride);
    if (!place.privileged && dcr.class_is_system(number))
      return Refusal{MuRule::barrier_access,
                     "class " + std::to_string(number) + " of global interrupts is the system's"};
  }
  return std::nullopt;
}

}  // namespace toroid
