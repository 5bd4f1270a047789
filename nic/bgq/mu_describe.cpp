// SPDX-License-Identifier: Apache-2.0
//
// FIFOs, base addresses and counters of the Messaging Unit in words, for a person at a debugger.
#include <algorithm>

#include "nic/bgq/mu.h"
#include "nic/bgq/mu_descriptor_text.h"
#include "nic/bgq/mu_engine.h"
#include "nic/common/l2_atomics.h"

namespace toroid {
namespace {

constexpr unsigned kShown = 16;  // descriptors or packets of one FIFO

/// The number that a word is, below `limit`.
std::optional<unsigned> number_in(const std::string& word, unsigned limit) {
  if (word.empty() || word.size() > 3 || word.find_first_not_of("0123456789") != std::string::npos) return std::nullopt;
  const auto number = static_cast<unsigned>(std::stoul(word));
  if (number >= limit) return std::nullopt;
  return number;
}

const MuFifos& fifos_of(const MuEngine& engine) {
  return engine.state.fifos;
}

// Injection FIFOs. ----------------------------------------------------------------------------------------------------

std::uint64_t waiting(const MuInjectionFifo& is) {
  return is.ring.used_to(is.ring.tail) / BGQ_DESCRIPTOR_BYTES;
}

std::string injection_line(const MuEngine& engine, unsigned fifo) {
  const MuFifos& fifos = fifos_of(engine);
  const MuInjectionFifo& is = fifos.injection(fifo);
  std::string text = mu_injection_text(fifo) + ": " + mu_ring_text(is.ring);
  text += fifos.is_enabled(fifo) ? ", enabled" : ", not enabled";
  if (engine.state.dcr.injection_is_system(fifo)) {
    text += ", of the system";
  } else if (fifos.has_priority(fifo)) {
    text += ", with priority";
  }
  if (engine.state.dcr.takes_gets(fifo)) text += ", for remote gets";
  if (fifos.well_formed_injection(fifo)) text += ", " + counted(waiting(is), "descriptor") + " waiting";
  text += ", " + counted(is.done, "descriptor") + " done";
  if (is.current != nullptr)
    text += "; sends " + is.current->text() + ", " + std::to_string(is.current->issued) + " bytes of it so far";
  return text + "\n";
}

std::string describe_injection(const MuEngine& engine, unsigned fifo, const MuMemory& memory) {
  const MuInjectionFifo& is = fifos_of(engine).injection(fifo);
  std::string text = injection_line(engine, fifo);
  if (!fifos_of(engine).well_formed_injection(fifo)) return text;
  std::uint64_t place = is.ring.head;
  const std::uint64_t count = waiting(is);
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(count, kShown); ++i) {
    text += mu_descriptor_text(place, memory, "  ");
    place = is.ring.behind(place, BGQ_DESCRIPTOR_BYTES);
  }
  if (count > kShown) text += "  and " + std::to_string(count - kShown) + " more\n";
  return text;
}

// Reception FIFOs. ----------------------------------------------------------------------------------------------------

bool is_ring(const MuRing& ring) {
  return ring.well_formed(MuFifos::kReceptionUnit, MuFifos::kLeastReception);
}

std::string reception_line(const MuEngine& engine, unsigned fifo) {
  const MuRing& ring = fifos_of(engine).reception(fifo).ring;
  std::string text = mu_reception_text(fifo) + ": " + mu_ring_text(ring);
  text += engine.state.dcr.reception_enabled(fifo) ? ", enabled" : ", not enabled";
  if (engine.state.dcr.reception_is_system(fifo)) text += ", of the system";
  if (is_ring(ring)) text += ", " + counted(ring.used_to(ring.tail), "byte");
  return text + "\n";
}

/// Packets from HEAD to TAIL. One that goes on behind the ring's end has its header in one piece: rings, packets and
/// headers are multiples of 32 bytes.
std::string describe_reception(const MuEngine& engine, unsigned fifo, const MuMemory& memory) {
  const MuRing& ring = fifos_of(engine).reception(fifo).ring;
  std::string text = reception_line(engine, fifo);
  if (!is_ring(ring)) return text;
  std::uint64_t place = ring.head, left = ring.used_to(ring.tail);
  for (unsigned shown = 0; left != 0; ++shown) {
    if (shown == kShown) return text + "  and more in " + counted(left, "byte") + "\n";
    const std::uint8_t* const header = memory(place, BGQ_HEADER_BYTES);
    text += "  packet at " + mu_address_text(place) + ": ";
    if (header == nullptr) return text + "there is no memory\n";
    text += mu_packet_text(header) + "\n";
    const std::uint64_t bytes = BGQ_HEADER_BYTES + std::uint64_t{bgq_network_decode(header).chunks} * BGQ_CHUNK_BYTES;
    if (bytes > left) return text + "  which is longer than what there is: HEAD is not at a packet\n";
    place = ring.behind(place, bytes);
    left -= bytes;
  }
  return text;
}

// Base addresses. -----------------------------------------------------------------------------------------------------

const char* store_name(std::uint64_t operation) {
  switch (static_cast<L2Store>(operation & 7)) {
    case L2Store::store:
      return "store";
    case L2Store::twin:
      return "store to both if equal";
    case L2Store::add:
      return "add";
    case L2Store::add_coherence_on_zero:
      return "add, coherence on zero";
    case L2Store::bit_or:
      return "or";
    case L2Store::bit_xor:
      return "xor";
    case L2Store::max_unsigned:
      return "unsigned maximum";
    case L2Store::max_signed:
      return "signed maximum";
  }
  return "";
}

std::string describe_base(const MuEngine& engine, unsigned base, const MuMemory& memory) {
  const std::uint64_t value = fifos_of(engine).base(base);
  std::string text = mu_base_text(base) + ": ";
  if (engine.state.dcr.bases_are_system(base / kMuBasesOfASubgroup)) return text + "of the system\n";
  if (value == BGQ_PUT_OFFSET_MASK) return text + "free\n";
  if ((value & BGQ_ATOMIC_ADDRESS) == 0) return text + mu_address_text(value) + "\n";
  const std::uint64_t address = value & BGQ_ADDRESS_MASK & ~std::uint64_t{7};
  const std::uint8_t* const word = memory(address, 8);
  text += mu_address_text(address) + ", atomic (" + store_name(value) + "), ";
  if (word == nullptr) return text + "where there is no memory\n";
  return text + "the word there is " + std::to_string(static_cast<std::int64_t>(bgq_get(word, 8))) + "\n";
}

std::string describe_all(const MuEngine& engine, const MuMemory& memory) {
  const MuState& state = engine.state;
  const MuFifos& fifos = fifos_of(engine);
  std::string text = counted(engine.injector.messages(), "message") + " in work, " +
                     counted(engine.receiver.packets(), "packet") + " to write; " +
                     counted(state.counted.messages, "message") + " sent, " +
                     counted(state.counted.packets_injected, "packet") + " to the network, " +
                     counted(state.counted.packets_received, "packet") + " from it, " +
                     counted(state.counted.packets_local, "local packet") + "\n";
  for (unsigned fifo = 0; fifo < kMuInjectionFifos; ++fifo) {
    if (fifos.is_enabled(fifo) || fifos.injection(fifo).ring.start != 0) text += injection_line(engine, fifo);
  }
  for (unsigned fifo = 0; fifo < kMuReceptionFifos; ++fifo) {
    if (state.dcr.reception_enabled(fifo) || fifos.reception(fifo).ring.start != 0)
      text += reception_line(engine, fifo);
  }
  for (unsigned base = 0; base < kMuBases; ++base) {
    const bool system = state.dcr.bases_are_system(base / kMuBasesOfASubgroup);
    if (!system && fifos.base(base) != BGQ_PUT_OFFSET_MASK) text += describe_base(engine, base, memory);
  }
  return text;
}

}  // namespace

std::optional<std::string> MuDevice::describe(const std::vector<std::string>& words, const MuMemory& memory) const {
  clock_.sync_to(sc_core::sc_time_stamp());
  if (words.empty()) return describe_all(*engine_, memory);
  const bool base = words.size() == 3 && words[0] == "base";
  const bool fifo = words.size() == 4 && words[0] == "fifo" && (words[1] == "inj" || words[1] == "rec");
  if (!base && !fifo) return std::nullopt;
  const bool reception = fifo && words[1] == "rec";
  const unsigned of_a_subgroup = reception ? kMuReceptionOfASubgroup : kMuInjectionOfASubgroup;  // of base addresses 8
  const std::string what = base ? "base address" : reception ? "reception FIFO" : "injection FIFO";
  const std::optional<unsigned> subgroup = number_in(words[words.size() - 2], kMuSubgroups);
  const std::optional<unsigned> number = number_in(words.back(), of_a_subgroup);
  if (!subgroup || !number) {
    return "there is no " + what + " " + words.back() + " of subgroup " + words[words.size() - 2] +
           ": subgroups are 0 to " + std::to_string(kMuSubgroups - 1) + ", and the numbers of each 0 to " +
           std::to_string(of_a_subgroup - 1) + "\n";
  }
  const unsigned place = *subgroup * of_a_subgroup + *number;
  if (base) return describe_base(*engine_, place, memory);
  return reception ? describe_reception(*engine_, place, memory) : describe_injection(*engine_, place, memory);
}

}  // namespace toroid
