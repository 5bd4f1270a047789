// SPDX-License-Identifier: Apache-2.0
#include "nic/bgq/mu_fifos.h"

#include <cstdio>

namespace toroid {

const MuSubgroup MuFifos::kUnused;

// Injection. ----------------------------------------------------------------------------------------------------------

void MuFifos::write_injection(unsigned fifo, MuRing::Word word, std::uint64_t value) {
  MuInjectionFifo& is = injection(fifo);
  const std::uint64_t before = injection_free_bytes(fifo);
  is.ring.word(word) = value;
  if (word != MuRing::Word::tail) {
    ++is.generation;
    is.read = is.ring.head;
  }
  if (word == MuRing::Word::start) is.done = 0;
  if (word != MuRing::Word::head) is.gets.moved(is.ring.tail);
  refresh(fifo);
  injection_space_changed(fifo, before);
}

void MuFifos::enable(unsigned group, std::uint32_t bits) {
  enabled_[group] |= bits;
  for (; bits != 0; bits &= bits - 1) refresh(group * 32 + 31 - static_cast<unsigned>(__builtin_ctz(bits)));
}

void MuFifos::disable(unsigned group, std::uint32_t bits) {
  enabled_[group] &= ~bits;
  for (; bits != 0; bits &= bits - 1) refresh(group * 32 + 31 - static_cast<unsigned>(__builtin_ctz(bits)));
}

void MuFifos::refresh(unsigned fifo) {
  const MuInjectionFifo& is = static_cast<const MuFifos&>(*this).injection(fifo);
  unread_.set(fifo, is_enabled(fifo) && is.read != is.ring.tail);
}

std::uint64_t MuFifos::read_next(unsigned fifo) {
  MuInjectionFifo& is = injection(fifo);
  const std::uint64_t place = is.read;
  is.read = is.ring.behind(place, BGQ_DESCRIPTOR_BYTES);
  refresh(fifo);
  return place;
}

void MuFifos::reread_from(unsigned fifo, std::uint64_t place) {
  injection(fifo).read = place;
  refresh(fifo);
}

void MuFifos::done(unsigned fifo, std::uint64_t place) {
  MuInjectionFifo& is = injection(fifo);
  const std::uint64_t before = injection_free_bytes(fifo);
  is.ring.head = is.ring.behind(place, BGQ_DESCRIPTOR_BYTES);
  ++is.done;
  refresh(fifo);
  injection_space_changed(fifo, before);
}

std::uint64_t MuFifos::injection_free_bytes(unsigned fifo) const {
  const MuRing& ring = injection(fifo).ring;
  const std::uint64_t taken = ring.used_to(ring.tail) + BGQ_DESCRIPTOR_BYTES;
  return ring.size() > taken && ring.size() <= BGQ_ADDRESS_MASK + 1 ? ring.size() - taken : 0;
}

std::uint64_t MuFifos::free_space(unsigned fifo) const {
  return injection_free_bytes(fifo) / BGQ_DESCRIPTOR_BYTES;
}

/// FIFOs of software cross their threshold upwards, those of remote gets downwards.
void MuFifos::injection_space_changed(unsigned fifo, std::uint64_t before) {
  const std::uint64_t now = injection_free_bytes(fifo);
  bool crossed;
  if (dcr_.takes_gets(fifo)) {
    const std::uint64_t threshold = dcr_.at(bgq_mu_dcr::kRgetThreshold);
    crossed = before / BGQ_CHUNK_BYTES >= threshold && now / BGQ_CHUNK_BYTES < threshold;
  } else {
    const std::uint64_t threshold = dcr_.at(bgq_mu_dcr::kImuThreshold);
    crossed = before / BGQ_DESCRIPTOR_BYTES <= threshold && now / BGQ_DESCRIPTOR_BYTES > threshold;
  }
  if (crossed) set_status(fifo / kMuInjectionOfAGroup, std::uint64_t{mu_injection_bit(fifo)} << 32);
}

// Remote gets. --------------------------------------------------------------------------------------------------------

bool MuFifos::can_append_gets(unsigned fifo) const {
  const MuInjectionFifo& is = injection(fifo);
  return is.ring.well_formed(kInjectionUnit, kLeastGets) && is.ring.holds(is.gets.place) &&
         is.gets.place % kInjectionUnit == 0;
}

bool MuFifos::has_room_for_gets(unsigned fifo, std::uint64_t bytes) const {
  const MuInjectionFifo& is = injection(fifo);
  return is.ring.used_to(is.gets.place) + bytes + BGQ_DESCRIPTOR_BYTES <= is.ring.size();
}

void MuFifos::appended_gets(unsigned fifo, std::uint64_t bytes) {
  MuInjectionFifo& is = injection(fifo);
  const std::uint64_t before = injection_free_bytes(fifo);
  is.ring.tail = is.ring.behind(is.ring.tail, bytes);
  refresh(fifo);
  injection_space_changed(fifo, before);
}

// Reception. ----------------------------------------------------------------------------------------------------------

void MuFifos::write_reception(unsigned fifo, MuRing::Word word, std::uint64_t value) {
  MuReceptionFifo& is = reception(fifo);
  is.ring.word(word) = value;
  if (word != MuRing::Word::head) is.packets.moved(is.ring.tail);
}

bool MuFifos::can_append(unsigned fifo) const {
  const MuReceptionFifo& is = reception(fifo);
  return is.ring.well_formed(kReceptionUnit, kLeastReception) && is.ring.holds(is.packets.place) &&
         is.packets.place % kReceptionUnit == 0;
}

bool MuFifos::has_room(unsigned fifo, std::uint64_t bytes) const {
  const MuReceptionFifo& is = reception(fifo);
  return is.ring.used_to(is.packets.place) + bytes + BGQ_CHUNK_BYTES <= is.ring.size();
}

std::uint64_t MuFifos::reception_free_bytes(unsigned fifo) const {
  const MuRing& ring = reception(fifo).ring;
  return ring.size() - ring.used_to(ring.tail);
}

void MuFifos::appended(unsigned fifo, std::uint64_t bytes, bool interrupt) {
  MuReceptionFifo& is = reception(fifo);
  const unsigned group = fifo / kMuReceptionOfAGroup;
  if (interrupt) set_status(group, mu_reception_bit(fifo));
  const std::uint64_t threshold = dcr_.at(bgq_mu_dcr::kRmuThreshold);
  const std::uint64_t before = reception_free_bytes(fifo) / BGQ_CHUNK_BYTES;
  is.ring.tail = is.ring.behind(is.ring.tail, bytes);
  const std::uint64_t now = reception_free_bytes(fifo) / BGQ_CHUNK_BYTES;
  if (before >= threshold && now < threshold) set_status(group, std::uint64_t{mu_reception_bit(fifo)} << 16);
}

// Groups. -------------------------------------------------------------------------------------------------------------

std::uint64_t MuFifos::interrupts(unsigned group) const {
  using namespace bgq_mu_dcr;
  return status_[group] & (dcr_.at(kImfifoThresholdIntEnable, group) << 32 |
                           dcr_.at(kRmfifoThresholdIntEnable, group) << 16 | dcr_.at(kRmfifoPacketIntEnable, group));
}

void MuFifos::reset() {
  for (unsigned number = 0; number < kMuSubgroups; ++number) {
    if (!exists(number)) continue;
    MuSubgroup& subgroup = *subgroups_[number];
    for (MuInjectionFifo& fifo : subgroup.injection) {
      fifo.ring = {};
      fifo.done = fifo.read = 0;
      fifo.gets.moved(0);
      ++fifo.generation;
    }
    for (MuReceptionFifo& fifo : subgroup.reception) {
      fifo.ring = {};
      fifo.packets.moved(0);
    }
    subgroup.bases.fill(BGQ_PUT_OFFSET_MASK);
  }
  enabled_ = {};
  priority_ = {};
  status_ = {};
  unread_ = {};
}

// Words. --------------------------------------------------------------------------------------------------------------

std::string mu_injection_text(unsigned fifo) {
  return "injection FIFO " + std::to_string(fifo % kMuInjectionOfASubgroup) + " of subgroup " +
         std::to_string(fifo / kMuInjectionOfASubgroup);
}

std::string mu_reception_text(unsigned fifo) {
  return "reception FIFO " + std::to_string(fifo % kMuReceptionOfASubgroup) + " of subgroup " +
         std::to_string(fifo / kMuReceptionOfASubgroup);
}

std::string mu_base_text(unsigned base) {
  return "base address " + std::to_string(base % kMuBasesOfASubgroup) + " of subgroup " +
         std::to_string(base / kMuBasesOfASubgroup);
}

std::string mu_address_text(std::uint64_t address) {
  char text[24];
  std::snprintf(text, sizeof text, "0x%09llx", static_cast<unsigned long long>(address));
  return text;
}

std::string mu_ring_text(const MuRing& ring) {
  return "START " + mu_address_text(ring.start) + ", SIZE " + mu_address_text(ring.last) + ", HEAD " +
         mu_address_text(ring.head) + ", TAIL " + mu_address_text(ring.tail);
}

}  // namespace toroid
