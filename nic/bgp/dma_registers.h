// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "nic/bgp/dma_engine.h"
#include "nic/common/register_bank.h"

namespace toroid {

/// The registers of the four groups: what software reads there and what its writes start.
class DmaRegisters {
 public:
  using Bank = DeviceRegisterBank<DmaRegisters>;

  /// `synchronise` runs the network up to the time of an access; `tail_written` is called for each write of a TAIL of
  /// an injection FIFO.
  DmaRegisters(DmaEngine& engine, std::function<void(sc_core::sc_time& delay)> synchronise,
               std::function<void(unsigned fifo)> tail_written);

  static const Bank& bank();

  tlm::tlm_response_status serve(tlm::tlm_generic_payload& access, sc_core::sc_time& delay, std::string& reason) {
    return bank().serve(*this, values_.data(), access, delay, reason);
  }
  bool peek(std::uint64_t address, std::uint8_t* bytes, std::string& reason) const {
    return bank().peek(*this, values_.data(), address, bytes, reason);
  }
  std::uint32_t read(std::uint64_t address) const;
  void write(std::uint64_t address, std::uint32_t value);

  void synchronise(sc_core::sc_time& delay) { synchronise_(delay); }

 private:
  using Word = DmaRing::Word;

  static std::vector<Bank::Register> registers();
  static void add_fifos(std::vector<Bank::Register>& all);
  static void add_counters(std::vector<Bank::Register>& all);

  // Of injection FIFOs.
  template <Word word>
  std::uint32_t injection(unsigned fifo) const;
  template <Word word>
  void set_injection(unsigned fifo, std::uint32_t value);
  std::uint32_t injection_not_empty(unsigned group) const;
  std::uint32_t injection_available(unsigned group) const;
  std::uint32_t injection_threshold(unsigned group) const;
  void clear_injection_threshold(unsigned group, std::uint32_t bits);
  std::uint32_t activated(unsigned group) const;
  void activate(unsigned group, std::uint32_t bits);
  void deactivate(unsigned group, std::uint32_t bits);
  // Of reception FIFOs; `index` of words is group x 2 + word.
  template <Word word>
  std::uint32_t reception(unsigned fifo) const;
  template <Word word>
  void set_reception(unsigned fifo, std::uint32_t value);
  template <Word word>
  std::uint32_t header_fifo(unsigned group) const;
  template <Word word>
  void set_header_fifo(unsigned group, std::uint32_t value);
  std::uint32_t reception_not_empty(unsigned index) const;
  std::uint32_t reception_available(unsigned index) const;
  std::uint32_t reception_threshold(unsigned index) const;
  void clear_reception_threshold(unsigned index, std::uint32_t bits);
  // Of counters, of either side.
  using Counters = ByteCounters DmaState::*;
  template <Counters side>
  std::uint32_t value(unsigned counter) const;
  template <Counters side>
  void set_value(unsigned counter, std::uint32_t value);
  template <Counters side>
  void increment(unsigned counter, std::uint32_t by);
  template <Counters side>
  std::uint32_t base(unsigned counter) const;
  template <Counters side>
  void set_base(unsigned counter, std::uint32_t base);
  template <Counters side>
  std::uint32_t maximum(unsigned counter) const;
  template <Counters side>
  void set_maximum(unsigned counter, std::uint32_t maximum);
  template <Counters side>
  std::uint32_t enabled(unsigned word) const;
  template <Counters side>
  void enable(unsigned word, std::uint32_t bits);
  template <Counters side>
  void disable(unsigned word, std::uint32_t bits);
  template <Counters side>
  std::uint32_t hit_zero(unsigned word) const;
  template <Counters side>
  void clear_hit_zero(unsigned word, std::uint32_t bits);
  template <Counters side>
  std::uint32_t group_status(unsigned group) const;
  void set_storage(unsigned index, std::uint32_t value);

  DmaState& state() { return engine_.state; }
  const DmaState& state() const { return engine_.state; }
  /// Something in the page of `group` has changed, and the engine looks for what it can do in the next cycle.
  void touched(unsigned group);

  DmaEngine& engine_;
  std::function<void(sc_core::sc_time& delay)> synchronise_;
  std::function<void(unsigned fifo)> tail_written_;
  std::vector<std::uint32_t> values_;
};

}  // namespace toroid
