// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/network_registers.h"

#include "hw/memory/big_endian.h"
#include "nic/bgq/kernel_services.h"
#include "nic/bgq/mu_layout.h"
#include "nic/common/debug_read.h"
#include "nic/common/fault_reason.h"
#include "nic/common/time_offset.h"

namespace toroid {
namespace {

constexpr unsigned kWord = 8;

/// Six bits each: of A+ to E+ in the upper half, A- to E- in the lower one.
std::uint64_t word_of(const CutOffs& cut_offs) {
  constexpr unsigned kBits = 6, kFirst = 24, kHalf = 32;
  std::uint64_t word = 0;
  for (unsigned d = 0; d < kMaxDimensions; ++d) {
    const unsigned place = kFirst - kBits * d;
    word |= std::uint64_t{cut_offs.plus[d]} << (place + kHalf) | std::uint64_t{cut_offs.minus[d]} << place;
  }
  return word;
}

}  // namespace

NetworkRegisters::NetworkRegisters(const sc_core::sc_module_name& name, const ClassRoutes& routes, const MuDevice& mu,
                                   const CutOffs& cut_offs)
    : sc_module(name), bus("bus"), routes_(routes), mu_(mu), cut_offs_(word_of(cut_offs)) {
  bus.register_b_transport(this, &NetworkRegisters::b_transport);
  bus.register_transport_dbg(this, &NetworkRegisters::transport_dbg);
}

std::optional<std::uint64_t> NetworkRegisters::read(std::uint64_t address) const {
  if (address == BGQ_ND_X2_BASE + BGQ_ND_RESET) return 0;
  if (address < BGQ_ND_500_BASE || address >= BGQ_ND_500_BASE + kBytes || address % kWord != 0) return std::nullopt;
  const std::uint64_t offset = address - BGQ_ND_500_BASE;
  if (offset == BGQ_ND_RESET) return 0;
  if (offset == BGQ_ND_500_CUTOFFS) return cut_offs_;
  constexpr std::uint64_t kRoutes = std::uint64_t{kClassRoutes} / 2 * kWord;
  const auto pair = [&](ClassRoutes::Of of, std::uint64_t first) {
    const auto number = static_cast<unsigned>((offset - first) / kWord * 2);
    return std::uint64_t{routes_.word(of, number)} << 32 | routes_.word(of, number + 1);
  };
  if (offset - BGQ_ND_500_GI_CLASSES < kRoutes) return pair(ClassRoutes::Of::interrupts, BGQ_ND_500_GI_CLASSES);
  if (offset - BGQ_ND_500_COLL_CLASSES < kRoutes) return pair(ClassRoutes::Of::collectives, BGQ_ND_500_COLL_CLASSES);
  if (offset - BGQ_ND_500_CHECKSUMS < kMuEngines * kWord)
    return mu_.injection_checksum(static_cast<unsigned>((offset - BGQ_ND_500_CHECKSUMS) / kWord));
  return std::nullopt;
}

void NetworkRegisters::b_transport(int, tlm::tlm_generic_payload& access, sc_core::sc_time& delay) {
  std::string reason;
  respond(access, perform_access(access, delay, reason), reason);
}

unsigned NetworkRegisters::transport_dbg(int, tlm::tlm_generic_payload& access) {
  return debug_read<kWord>(access, [this](std::uint64_t address, std::uint8_t* word, std::string& reason) {
    const std::optional<std::uint64_t> value = read(address);
    if (value) store_be64(word, *value);
    if (!value) reason = "there is no control register of the network there";
    return value.has_value();
  });
}

tlm::tlm_response_status NetworkRegisters::perform_access(tlm::tlm_generic_payload& access, sc_core::sc_time& delay,
                                                          std::string& reason) const {
  if (access.get_data_length() != kWord) {
    reason = "access of " + std::to_string(access.get_data_length()) +
             " bytes to a control register of the network, which has 8";
    return tlm::TLM_BURST_ERROR_RESPONSE;
  }
  if (access.is_write()) {
    reason = "write to a control register of the network, which only the kernel may make";
    return tlm::TLM_GENERIC_ERROR_RESPONSE;
  }
  // Routes and checksums are those of the access's own time.
  wait_out(delay);
  const std::optional<std::uint64_t> value = read(access.get_address());
  if (!value) {
    reason = "access to the control registers of the network where there is none that users may read";
    return tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }
  store_be64(access.get_data_ptr(), *value);
  return tlm::TLM_OK_RESPONSE;
}

}  // namespace toroid
