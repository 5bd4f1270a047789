// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "nic/bgp/dma_bank.h"
#include "nic/common/register_bank.h"

namespace toroid {

/// Bit n of a register in IBM's numbering, by which the DMA numbers FIFOs, counters and groups.
constexpr std::uint32_t ibm_bit(unsigned n) {
  return 0x80000000u >> n;
}

/// The values of the DMA's block of device control registers. What a write starts is the engine's (DmaEngine).
class DmaDcr {
 public:
  using Bank = DeviceRegisterBank<DmaDcr>;
  static constexpr unsigned kNumbers = 0xB3;  ///< of the block, with those between its registers

  DmaDcr() { reset(); }
  void reset();

  /// By the machine's number. Numbers of the block that have no register read 0.
  static bool exists(unsigned number);
  std::optional<std::uint32_t> read(unsigned number) const;
  /// Returns false if there is no writable register.
  bool write(unsigned number, std::uint32_t value);

  std::uint32_t at(const RegisterDescription& is, unsigned index = 0) const { return values_[is.place + index]; }
  std::uint32_t& at(const RegisterDescription& is, unsigned index = 0) { return values_[is.place + index]; }

  // What the engine asks for at every step.
  bool has(const RegisterField& field) const { return field.of(at(bgp_dma_dcr::kBaseControl)) != 0; }
  bool injects() const { return has_all(kInjects); }
  bool receives() const { return has_all(kReceives); }
  /// The torus FIFOs of an injection FIFO (over all groups), FIFO 0 the most significant of 8 bits.
  std::uint8_t torus_map(unsigned fifo) const {
    return static_cast<std::uint8_t>(at(bgp_dma_dcr::kInjFifoMap, fifo / 4) >> (24 - 8 * (fifo % 4)));
  }
  bool is_local(unsigned fifo) const { return (at(bgp_dma_dcr::kInjFifoLocal, fifo / 32) & ibm_bit(fifo % 32)) != 0; }
  /// The reception FIFO of a packet for row `pid` that comes from `column` (six links, high priority, own node).
  std::uint8_t reception_map(unsigned pid, unsigned column) const {
    return static_cast<std::uint8_t>(at(bgp_dma_dcr::kRecFifoMap, 2 * pid + column / 4) >> (24 - 8 * (column % 4)));
  }
  /// Quads that a torus injection FIFO may hold when it gets a packet.
  unsigned torus_watermark(unsigned fifo) const {
    return at(bgp_dma_dcr::kTorusInjectionWatermark, fifo / 4) >> (24 - 8 * (fifo % 4)) & 0x3F;
  }
  /// Bit of a reception FIFO (0 to 31, then the four header FIFOs) in word 0 or 1 of a pair.
  static std::uint32_t reception_bit(unsigned fifo) { return fifo < 32 ? ibm_bit(fifo) : ibm_bit(8 * (fifo - 32) + 7); }
  bool reception_enabled(unsigned fifo) const {
    return (at(fifo < 32 ? bgp_dma_dcr::kRecFifoEnable : bgp_dma_dcr::kRecHeaderFifoEnable) & reception_bit(fifo)) != 0;
  }

 private:
  static constexpr std::uint32_t kInjects =
      bgp_dma_dcr::base_control::kUseDma.at(1) | bgp_dma_dcr::base_control::kInjectionArbiter.at(1);
  static constexpr std::uint32_t kReceives =
      bgp_dma_dcr::base_control::kUseDma.at(1) | bgp_dma_dcr::base_control::kReceptionArbiter.at(1);

  static const Bank& bank();
  bool has_all(std::uint32_t bits) const { return (at(bgp_dma_dcr::kBaseControl) & bits) == bits; }

  std::array<std::uint32_t, bgp_dma_dcr::kBlock.words> values_;
};

}  // namespace toroid
