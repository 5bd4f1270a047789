// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "nic/bgq/mu_dcr.h"
#include "nic/bgq/mu_layout.h"
#include "nic/bgq/mu_packet.h"
#include "nic/bgq/mu_ring.h"

namespace toroid {

struct MuMessage;

struct MuInjectionFifo {
  MuRing ring;
  std::uint64_t done = 0;        ///< descriptors
  std::uint64_t read = 0;        ///< where the next descriptor to read is
  MuReservations gets;           ///< descriptors that remote gets bring
  MuMessage* current = nullptr;  ///< is being sent
  MuMessage* next = nullptr;     ///< is being read, or waits
  /// Changes when software moves the ring or its head: what was read before then does not move the head.
  std::uint32_t generation = 0;
};

struct MuReceptionFifo {
  MuRing ring;
  MuReservations packets;
};

struct MuSubgroup {
  std::array<MuInjectionFifo, kMuInjectionOfASubgroup> injection{};
  std::array<MuReceptionFifo, kMuReceptionOfASubgroup> reception{};
  std::array<std::uint64_t, kMuBasesOfASubgroup> bases;
  MuSubgroup() { bases.fill(BGQ_PUT_OFFSET_MASK); }  // free, as the kernel understands it
};

/// A bit for each injection FIFO.
class MuFifoSet {
 public:
  void set(unsigned fifo, bool value) {
    const std::uint64_t bit = std::uint64_t{1} << fifo % 64;
    std::uint64_t& word = words_[fifo / 64];
    word = value ? word | bit : word & ~bit;
    const std::uint32_t used = 1u << fifo / 64;
    used_ = word != 0 ? used_ | used : used_ & ~used;
  }
  bool has(unsigned fifo) const { return (words_[fifo / 64] >> fifo % 64 & 1) != 0; }
  bool any() const { return used_ != 0; }
  /// Calls `each(fifo)` for those that the set has, in order. `each` may change the set.
  template <typename Each>
  void for_each(Each each) const {
    for (std::uint32_t words = used_; words != 0; words &= words - 1) {
      const auto index = static_cast<unsigned>(__builtin_ctz(words));
      for (std::uint64_t bits = words_[index]; bits != 0; bits &= bits - 1) each(fifo_at(index, bits));
    }
  }
  /// The first from `first` on, all the way round, for which `good(fifo)`; or kMuInjectionFifos.
  template <typename Good>
  unsigned first_from(unsigned first, Good good) const {
    const unsigned begin = first / 64;
    const std::uint64_t before = (std::uint64_t{1} << first % 64) - 1;  // bits of the first word before `first`
    if (const unsigned found = first_in(begin, words_[begin] & ~before, good); found != kMuInjectionFifos) return found;
    const std::uint32_t behind = ~std::uint32_t{0} << begin << 1;
    for (const std::uint32_t side : {used_ & behind, used_ & ~behind}) {
      for (std::uint32_t words = side; words != 0; words &= words - 1) {
        const auto index = static_cast<unsigned>(__builtin_ctz(words));
        const std::uint64_t bits = index == begin ? words_[index] & before : words_[index];
        if (const unsigned found = first_in(index, bits, good); found != kMuInjectionFifos) return found;
      }
    }
    return kMuInjectionFifos;
  }

 private:
  static unsigned fifo_at(unsigned index, std::uint64_t bits) {
    return index * 64 + static_cast<unsigned>(__builtin_ctzll(bits));
  }
  template <typename Good>
  static unsigned first_in(unsigned index, std::uint64_t bits, Good& good) {
    for (; bits != 0; bits &= bits - 1) {
      const unsigned fifo = fifo_at(index, bits);
      if (good(fifo)) return fifo;
    }
    return kMuInjectionFifos;
  }

  std::array<std::uint64_t, (kMuInjectionFifos + 63) / 64> words_{};
  std::uint32_t used_ = 0;  ///< words that are not zero
};

/// All FIFOs and base addresses, and the status registers of the groups. A subgroup takes host memory when software
/// first writes one of its registers.
class MuFifos {
 public:
  static constexpr std::uint64_t kInjectionUnit = BGQ_DESCRIPTOR_BYTES;
  static constexpr std::uint64_t kReceptionUnit = BGQ_CHUNK_BYTES;
  static constexpr std::uint64_t kLeastInjection = 2 * BGQ_DESCRIPTOR_BYTES;
  static constexpr std::uint64_t kLeastGets = BGQ_PAYLOAD_BYTES + BGQ_DESCRIPTOR_BYTES;
  static constexpr std::uint64_t kLeastReception = BGQ_PACKET_BYTES + BGQ_CHUNK_BYTES;

  explicit MuFifos(const MuDcr& dcr) : dcr_(dcr) {}

  bool exists(unsigned subgroup) const { return subgroups_[subgroup] != nullptr; }
  const MuSubgroup& subgroup(unsigned number) const { return exists(number) ? *subgroups_[number] : kUnused; }
  MuSubgroup& make(unsigned number) {
    if (!exists(number)) subgroups_[number] = std::make_unique<MuSubgroup>();
    return *subgroups_[number];
  }
  const MuInjectionFifo& injection(unsigned fifo) const {
    return subgroup(fifo / kMuInjectionOfASubgroup).injection[fifo % kMuInjectionOfASubgroup];
  }
  MuInjectionFifo& injection(unsigned fifo) {
    return make(fifo / kMuInjectionOfASubgroup).injection[fifo % kMuInjectionOfASubgroup];
  }
  const MuReceptionFifo& reception(unsigned fifo) const {
    return subgroup(fifo / kMuReceptionOfASubgroup).reception[fifo % kMuReceptionOfASubgroup];
  }
  MuReceptionFifo& reception(unsigned fifo) {
    return make(fifo / kMuReceptionOfASubgroup).reception[fifo % kMuReceptionOfASubgroup];
  }
  std::uint64_t base(unsigned number) const {
    return subgroup(number / kMuBasesOfASubgroup).bases[number % kMuBasesOfASubgroup];
  }

  // Software writes registers.
  void write_injection(unsigned fifo, MuRing::Word word, std::uint64_t value);
  void write_reception(unsigned fifo, MuRing::Word word, std::uint64_t value);
  void set_base(unsigned number, std::uint64_t value) {
    make(number / kMuBasesOfASubgroup).bases[number % kMuBasesOfASubgroup] = value & BGQ_PUT_OFFSET_MASK;
  }
  void enable(unsigned group, std::uint32_t bits);
  void disable(unsigned group, std::uint32_t bits);

  // Registers of the groups.
  std::uint32_t enabled(unsigned group) const { return enabled_[group]; }
  bool is_enabled(unsigned fifo) const { return (enabled_[fifo / kMuInjectionOfAGroup] & mu_injection_bit(fifo)) != 0; }
  std::uint32_t priority(unsigned group) const { return priority_[group]; }
  void set_priority(unsigned group, std::uint32_t bits) { priority_[group] = bits; }
  bool has_priority(unsigned fifo) const {
    return dcr_.injection_is_system(fifo) || (priority_[fifo / kMuInjectionOfAGroup] & mu_injection_bit(fifo)) != 0;
  }
  std::uint64_t status(unsigned group) const { return status_[group]; }
  void clear_status(unsigned group, std::uint64_t bits) { status_[group] &= ~bits; }
  /// Whether the unit has set bits of a status since this was last asked.
  bool take_status_change() { return std::exchange(status_changed_, false); }
  /// Bits of the status that raise the interrupt of their subgroup.
  std::uint64_t interrupts(unsigned group) const;

  // Descriptors. The unit reads them ahead of HEAD, which it moves behind what is done.
  /// FIFOs at work that hold a descriptor that has not been read.
  const MuFifoSet& unread() const { return unread_; }
  bool well_formed_injection(unsigned fifo) const {
    return injection(fifo).ring.well_formed(kInjectionUnit, kLeastInjection);
  }
  /// Where the next descriptor is; it is read now.
  std::uint64_t read_next(unsigned fifo);
  void reread_from(unsigned fifo, std::uint64_t place);
  /// The descriptor at `place` is done: it counts, and the head is behind it.
  void done(unsigned fifo, std::uint64_t place);
  /// Descriptors that there is room for.
  std::uint64_t free_space(unsigned fifo) const;

  // Descriptors that remote gets bring.
  bool can_append_gets(unsigned fifo) const;
  bool has_room_for_gets(unsigned fifo, std::uint64_t bytes) const;
  /// `bytes` at the tail are in memory.
  void appended_gets(unsigned fifo, std::uint64_t bytes);

  // Packets.
  bool can_append(unsigned fifo) const;
  bool has_room(unsigned fifo, std::uint64_t bytes) const;
  /// `bytes` at the tail are in memory; the last packet has the interrupt bit.
  void appended(unsigned fifo, std::uint64_t bytes, bool interrupt);

  /// No FIFO is set up. What is under way finds that its ring has moved.
  void reset();

 private:
  static const MuSubgroup kUnused;

  void set_status(unsigned group, std::uint64_t bit) {
    status_[group] |= bit;
    status_changed_ = true;
  }
  void refresh(unsigned fifo);
  /// Units of free space have become more or less.
  void injection_space_changed(unsigned fifo, std::uint64_t before);
  std::uint64_t injection_free_bytes(unsigned fifo) const;
  std::uint64_t reception_free_bytes(unsigned fifo) const;

  const MuDcr& dcr_;
  std::array<std::unique_ptr<MuSubgroup>, kMuSubgroups> subgroups_;
  std::array<std::uint32_t, kMuGroups> enabled_{};
  std::array<std::uint32_t, kMuGroups> priority_{};
  std::array<std::uint64_t, kMuGroups> status_{};
  MuFifoSet unread_;
  bool status_changed_ = false;
};

/// "FIFO 3 of subgroup 12".
std::string mu_injection_text(unsigned fifo);
std::string mu_reception_text(unsigned fifo);
std::string mu_base_text(unsigned base);
std::string mu_address_text(std::uint64_t address);
/// "START 0x1000, 1024 bytes, HEAD 0x1000, TAIL 0x1040".
std::string mu_ring_text(const MuRing& ring);

}  // namespace toroid
