// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <tlm_utils/simple_target_socket.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "hw/memory/big_endian.h"
#include "nic/common/watched_device.h"

namespace toroid {

/// A device for tests: 64 KiB of windows with one behaviour each, and a log of what arrived.
///
///     +0x000  status word, changes at given times; pure
///     +0x010  second status word, changes at given times; pure
///     +0x020  status quad: both words, then zeros; pure
///     +0x100  bytes 0, 1, 2, ... for reads of any size; not pure
///     +0x200  takes writes of any size
///     +0x300  refuses everything but 16-byte accesses
///     +0x400  a status word that takes 10 ns to answer; pure
///     +0x600  throws std::runtime_error
///     others  TLM_ADDRESS_ERROR_RESPONSE
class ToyDevice : public sc_core::sc_module, public WatchedDevice {
 public:
  SC_HAS_PROCESS(ToyDevice);
  static constexpr std::uint32_t kBase = 0xB114'0000;
  static constexpr std::uint32_t kSize = 0x1'0000;

  struct Change {
    sc_core::sc_time at;
    unsigned word;  ///< 0 or 1
    std::uint32_t value;
  };

  tlm_utils::simple_target_socket<ToyDevice, 32> bus;

  /// `changes` by rising time. On the bus, its windows begin at `base`.
  ToyDevice(const sc_core::sc_module_name& name, std::vector<Change> changes, std::uint64_t base = kBase)
      : sc_module(name), bus("bus"), changes_(std::move(changes)), base_(base) {
    bus.register_b_transport(this, &ToyDevice::b_transport);
    SC_THREAD(run);
  }

  bool is_pure_read(std::uint64_t address) const override {
    const std::uint64_t offset = address - base_;
    return offset < 0x30 || (offset >= 0x400 && offset < 0x410);
  }
  const sc_core::sc_event& changed() const override { return changed_; }
  sc_core::sc_time last_change() const override { return last_change_; }

  /// "R 100 16 at 51000" lines: direction, offset, size, picoseconds; writes with their bytes.
  const std::string& log() const { return log_; }

 private:
  void run() {
    for (const Change& change : changes_) {
      if (change.at > sc_core::sc_time_stamp()) wait(change.at - sc_core::sc_time_stamp());
      words_[change.word] = change.value;
      last_change_ = sc_core::sc_time_stamp();
      changed_.notify(sc_core::SC_ZERO_TIME);
    }
  }

  void b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
    const auto offset = static_cast<std::uint32_t>(payload.get_address() - base_);
    const unsigned size = payload.get_data_length();
    std::uint8_t* data = payload.get_data_ptr();
    payload.set_response_status(tlm::TLM_OK_RESPONSE);
    if (is_pure_read(payload.get_address())) {
      wait(delay);
      // Whatever changes in this instant has changed before it is read.
      wait(sc_core::SC_ZERO_TIME);
      delay = sc_core::SC_ZERO_TIME;
      std::uint8_t quad[16] = {};
      store_be32(quad, words_[0]);
      store_be32(quad + 4, words_[1]);
      const unsigned from = offset == 0x10 ? 4 : 0;
      for (unsigned i = 0; i < size; ++i) data[i] = i + from < 16 ? quad[i + from] : 0;
      if (offset >= 0x400) delay += sc_core::sc_time(10, sc_core::SC_NS);
      return;
    }
    note(payload, offset, size, sc_core::sc_time_stamp() + delay);
    if (offset >= 0x600 && offset < 0x700) throw std::runtime_error("the toy is broken");
    if (offset >= 0x100 && offset < 0x200 && payload.is_read()) {
      for (unsigned i = 0; i < size; ++i) data[i] = static_cast<std::uint8_t>(offset - 0x100 + i);
    } else if (offset >= 0x300 && offset < 0x400) {
      if (size != 16) payload.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    } else if (offset < 0x200 || offset >= 0x300 || payload.is_read()) {
      payload.set_response_status(payload.is_read() && offset >= 0x200 && offset < 0x300
                                      ? tlm::TLM_COMMAND_ERROR_RESPONSE
                                      : tlm::TLM_ADDRESS_ERROR_RESPONSE);
    }
  }

  void note(const tlm::tlm_generic_payload& payload, std::uint32_t offset, unsigned size, const sc_core::sc_time& at) {
    char text[64];
    std::snprintf(text, sizeof text, "%c %x %u at %llu", payload.is_read() ? 'R' : 'W', offset, size,
                  static_cast<unsigned long long>(at.value()));
    log_ += text;
    if (payload.is_write()) {
      log_ += ' ';
      for (unsigned i = 0; i < size; ++i) {
        std::snprintf(text, sizeof text, "%02x", payload.get_data_ptr()[i]);
        log_ += text;
      }
    }
    log_ += '\n';
  }

  std::vector<Change> changes_;
  const std::uint64_t base_;
  std::uint32_t words_[2] = {0, 0};
  sc_core::sc_time last_change_;
  sc_core::sc_event changed_;
  std::string log_;
};

}  // namespace toroid
