// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "nic/common/register_description.h"

namespace toroid {

/// An access to a register that the device serves itself. `data` has the size that the description gives the register.
struct RegisterTransfer {
  std::uint8_t* data;
  sc_core::sc_time& delay;  ///< how far the initiator is ahead of SystemC's time
  std::string& reason;      ///< of a refusal
};

/// Words on the bus are big-endian, as the cores are.
template <typename Word>
Word load_word(const std::uint8_t* bytes) {
  Word value = 0;
  for (std::size_t i = 0; i < sizeof(Word); ++i) value = value << 8 | bytes[i];
  return value;
}
template <typename Word>
void store_word(std::uint8_t* bytes, Word value) {
  for (std::size_t i = sizeof(Word); i-- > 0; value >>= 8) bytes[i] = static_cast<std::uint8_t>(value);
}

/// The registers of a device, as its datasheet lists them: where each lies, what it is after reset and which of its
/// bits software can change come from the generated description; beside it stands what the device does.
///
///     {kNodeAddress}                                           a value that is read and written, no more
///     Register(kChecksum).reads(&Device::sum)                  a read calls the device instead
///     Register(kVcConfiguration).writes(&Device::configure)    and so does a write, once the value is stored
///     Register(kPayload).transfers(&Device::take)              no value at all: the device serves the access itself
///
/// A bank describes all devices of its class. Their values lie in the devices, one Word for each register of the block,
/// at RegisterDescription::place. `index` counts the registers of an array, through all groups of the block.
template <typename Device, typename Word = std::uint32_t>
class DeviceRegisterBank {
 public:
  using Read = Word (Device::*)(unsigned index) const;
  using Written = void (Device::*)(unsigned index, Word value);
  using Transfer = bool (Device::*)(unsigned index, RegisterTransfer& transfer);

  class Register {
   public:
    /// Texts call it `label`, otherwise by its name.
    Register(const RegisterDescription& description, const char* label = nullptr)
        : is_(description), label_(label == nullptr ? description.name : label) {}
    /// The value that a read gives, in the place of the stored one.
    Register& reads(Read action) { return read_ = action, *this; }
    /// Is called with the value that a write has left.
    Register& writes(Written action) { return written_ = action, *this; }
    /// Serves accesses from the bus: returns false with a reason if it refuses.
    Register& transfers(Transfer action) { return transfer_ = action, *this; }

   private:
    friend class DeviceRegisterBank;
    RegisterDescription is_;
    const char* label_;
    Read read_ = nullptr;
    Written written_ = nullptr;
    Transfer transfer_ = nullptr;
  };

  /// How texts name the block ("the tree FIFO windows"), one of its registers ("a tree register"), a group ("VC"), and
  /// what a debugger is told to read instead of a register whose read has a side effect.
  struct Texts {
    const char* block;
    const char* one;
    const char* group;
    const char* instead;
  };

  DeviceRegisterBank(const RegisterBlock& block, const Texts& texts, std::vector<Register> registers)
      : block_(block), texts_(texts), registers_(std::move(registers)) {
    for (std::size_t number = 0; number < registers_.size(); ++number) {
      const RegisterDescription& is = registers_[number].is_;
      const std::uint32_t last = is.offset + (is.count - 1) * is.stride;
      if (last >= slots_.size()) slots_.resize(last + 1);
      for (std::uint32_t i = 0; i < is.count; ++i)
        slots_[is.offset + i * is.stride] = {static_cast<std::uint16_t>(number + 1), static_cast<std::uint16_t>(i)};
    }
  }

  /// Brings all values to what they are after a reset.
  void reset(Word* values) const {
    for (unsigned group = 0; group < block_.groups; ++group) {
      for (const Register& each : registers_) {
        Word* const first = values + group * block_.words + each.is_.place;
        std::fill(first, first + each.is_.count, static_cast<Word>(each.is_.reset));
      }
    }
  }

  // By address, or by number of a device control register.

  bool exists(std::uint64_t address) const { return find(address).what != nullptr; }
  /// A read has no side effect.
  bool is_pure(std::uint64_t address) const {
    const Place place = find(address);
    return place.what != nullptr && place.what->is_.readable && place.what->is_.pure;
  }
  /// Index of the register at `address` where that is one of those described by `which`.
  std::optional<unsigned> index_of(std::uint64_t address, const RegisterDescription& which) const {
    const Place place = find(address);
    if (place.what == nullptr || place.what->is_.offset != which.offset) return std::nullopt;
    return place.index;
  }

  /// The value of a register that can be read; nullopt where there is none. Changes nothing.
  std::optional<Word> read(const Device& device, const Word* values, std::uint64_t address) const {
    const Place place = find(address);
    if (place.what == nullptr || !place.what->is_.readable) return std::nullopt;
    return value(device, values, place);
  }

  /// Returns false where there is no register that can be written.
  bool write(Device& device, Word* values, std::uint64_t address, Word written) const {
    const Place place = find(address);
    if (place.what == nullptr || !place.what->is_.writable) return false;
    change(device, values, place, written);
    return true;
  }

  /// Serves an access from the bus: of a register's own size, in a direction that it has. A register without
  /// transfers() is read or written at the access's own time: the device's synchronise(delay) waits for it. `base` is
  /// where this device's block lies on the bus, if the description leaves that to the machine.
  tlm::tlm_response_status serve(Device& device, Word* values, tlm::tlm_generic_payload& access,
                                 sc_core::sc_time& delay, std::string& reason, std::uint64_t base = 0) const {
    const Place place = find(access.get_address() - base);
    if (place.what == nullptr) {
      reason = std::string("access to ") + texts_.block + " where there is no register";
      return tlm::TLM_ADDRESS_ERROR_RESPONSE;
    }
    const RegisterDescription& is = place.what->is_;
    if (access.get_data_length() != is.bytes || access.get_byte_enable_ptr() != nullptr ||
        access.get_streaming_width() < is.bytes) {
      reason = "access of " + std::to_string(access.get_data_length()) + " bytes to " + texts_.one + ", which takes " +
               (is.bytes == 16 ? "whole quads of " : "words of ") + std::to_string(is.bytes) + " bytes only";
      return tlm::TLM_BURST_ERROR_RESPONSE;
    }
    if (access.is_write() ? !is.writable : !(access.is_read() && is.readable)) {
      reason = (is.readable ? "write to the " : "read of the ") + name(place) + ", which can only be " +
               (is.readable ? "read" : "written");
      return tlm::TLM_COMMAND_ERROR_RESPONSE;
    }
    RegisterTransfer transfer{access.get_data_ptr(), delay, reason};
    if (place.what->transfer_ != nullptr) {
      return (device.*place.what->transfer_)(place.index, transfer) ? tlm::TLM_OK_RESPONSE
                                                                    : tlm::TLM_GENERIC_ERROR_RESPONSE;
    }
    device.synchronise(delay);
    if (access.is_read()) {
      store_word<Word>(transfer.data, value(device, values, place));
    } else {
      change(device, values, place, load_word<Word>(transfer.data));
    }
    return tlm::TLM_OK_RESPONSE;
  }

  /// For debuggers: the bytes of a word-sized register whose read has no side effect. Returns false with a reason.
  bool peek(const Device& device, const Word* values, std::uint64_t address, std::uint8_t* bytes,
            std::string& reason) const {
    const Place place = find(address);
    if (place.what == nullptr) {
      reason = std::string("there is no register there in ") + texts_.block;
    } else if (!place.what->is_.readable) {
      reason = "the " + name(place) + " can only be written; " + texts_.instead;
    } else if (!place.what->is_.pure) {
      reason = "a read of the " + name(place) + " takes data out of it; " + texts_.instead;
    } else {
      store_word<Word>(bytes, value(device, values, place));
      return true;
    }
    return false;
  }

 private:
  struct Slot {
    std::uint16_t number;  ///< of the register, plus one
    std::uint16_t index;
  };
  struct Place {
    const Register* what = nullptr;
    unsigned index = 0;
    std::uint32_t word = 0;  ///< among the device's values
    unsigned group = 0;
  };

  Place find(std::uint64_t address) const {
    std::uint64_t offset = address - block_.base;
    unsigned group = 0;
    for (; group + 1 < block_.groups && offset >= block_.stride; ++group) offset -= block_.stride;
    if (offset >= slots_.size() || slots_[offset].number == 0) return {};
    const Slot slot = slots_[offset];
    const Register& what = registers_[slot.number - 1u];
    return {&what, group * what.is_.count + slot.index, group * block_.words + what.is_.place + slot.index, group};
  }

  std::string name(const Place& place) const {
    if (block_.groups == 1) return place.what->label_;
    return std::string(place.what->label_) + " of " + texts_.group + std::to_string(place.group);
  }

  Word value(const Device& device, const Word* values, const Place& place) const {
    return place.what->read_ != nullptr ? (device.*place.what->read_)(place.index) : values[place.word];
  }

  void change(Device& device, Word* values, const Place& place, Word written) const {
    Word& held = values[place.word];
    const auto stored = static_cast<Word>(place.what->is_.stored);
    const auto cleared = static_cast<Word>(place.what->is_.cleared);
    held = (held & ~stored & ~(written & cleared)) | (written & stored);
    if (place.what->written_ != nullptr) (device.*place.what->written_)(place.index, held);
  }

  const RegisterBlock block_;
  const Texts texts_;
  const std::vector<Register> registers_;
  std::vector<Slot> slots_;  ///< by offset in a group
};

}  // namespace toroid
