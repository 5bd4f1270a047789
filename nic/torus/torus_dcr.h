// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "nic/torus/dcr_regs.h"
#include "torus/torus/families/blue_gene_lp_network.h"

namespace toroid {

/// The torus block of device control registers of one node: stored registers, registers that are read from the network
/// or act on it, and the error bits.
///
/// Registers that act on the network: hint cut-offs, sender stops and arbitration, retransmission time-outs. Read from
/// the network: VC fullness, tokens, resend pointers, link CRCs, link error counts. All others only store their value;
/// the generated table (docs/reference) describes each register.
class TorusDcr {
 public:
  static constexpr unsigned kRegisters = TORUS_DCR_RECOVERABLE_OFFSET + TORUS_DCR_RECOVERABLE_COUNT;

  TorusDcr(TorusNetwork& network, std::uint32_t node);

  /// Whether there is a register, or a writable register, at `offset` from the block's base.
  static bool exists(unsigned offset);
  static bool writable(unsigned offset);

  /// The register must exist. The bits of the two interrupt registers that depend on FIFOs read as 0 here: see
  /// watermark_interrupts.
  std::uint32_t read(unsigned offset) const;
  void write(unsigned offset, std::uint32_t value);
  /// Resets all registers to their start values.
  void reset();

  // Errors found by the device.
  /// `errors`: HeaderError bits of a packet; sets the header check bits of the links it would have taken.
  void header_error(std::uint32_t errors, const Packet& packet);
  void write_full(unsigned group, unsigned fifo);
  void read_empty();
  void bad_access();
  void unknown_dcr();

  void add_checksum(unsigned injection_fifo, std::uint32_t sum);

  // Watermarks of a group, chunks.
  unsigned reception_watermark(unsigned group, bool priority) const;
  unsigned injection_watermark(unsigned group, unsigned fifo) const;

 private:
  std::uint32_t& at(unsigned offset) { return values_[offset]; }
  std::uint64_t counted(unsigned number) const;
  std::uint32_t recoverable(unsigned number) const;
  std::uint32_t error_interrupts() const;
  std::uint32_t per_channel(bool receiver, Direction direction) const;
  void apply_cut_offs();
  void apply_arbitration();
  void apply_timeouts(unsigned dimension);

  TorusNetwork& network_;
  std::uint32_t node_;
  CutOffs minimal_;  ///< cut-offs at the start
  std::array<std::uint32_t, kRegisters> values_{};
  std::uint32_t bad_headers_ = 0;
  std::array<std::uint64_t, TORUS_DCR_RECOVERABLE_COUNT> counted_before_{};  ///< counted by the network up to the reset
};

}  // namespace toroid
