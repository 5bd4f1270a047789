// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "nic/common/violations.h"
#include "torus/base/time.h"

namespace toroid {

class MuDcr;

/// The rules of the Messaging Unit that software can violate. Each is a bit of a state register (docs/guide/bgq_mu.md
/// lists them); its name has a letter for the register and IBM's number of the bit.
enum class MuRule : std::uint8_t {
  // Descriptors: the FIFO is disabled, its HEAD stays at the descriptor. MU-M15 to MU-M31.
  get_atomic,        ///< the payload of a remote get has no atomic address
  packet_size,       ///< packets of at most 512 bytes payload
  packet_too_small,  ///< packets of puts have a payload, those of remote gets 64 bytes
  get_packet_size,   ///< packets of remote gets hold whole descriptors
  packet_empty,      ///< packets of a message that has bytes have a payload
  payload_crosses,   ///< the payload ends below the atomic addresses
  get_length,        ///< a remote get carries whole descriptors
  atomic_length,     ///< a payload with an atomic address has 8 bytes
  length_none,       ///< a put has bytes, a remote get at least 64
  system_channel,    ///< only FIFOs of the system use virtual channels of the system
  packet_type,       ///< memory FIFO, put or get
  system_engine,     ///< only FIFOs of the system use network FIFOs of the system
  no_engine,         ///< the FIFO map names a network FIFO
  no_channel,        ///< there is no virtual channel 7
  // The network's, of a descriptor. MU-N1, MU-N2.
  header,      ///< the header is one that routers accept
  local_fifo,  ///< the FIFO map names a network FIFO for such packets: local, torus or collective
  // Requests to memory. MU-X24, MU-X25: of a packet, which is dropped; of a descriptor or its payload.
  write_range,
  read_range,
  // Packets that have come: they are dropped. MU-R12, R14; MU-P8 to P13; MU-H60 to H62; MU-G3 to G5.
  fifo_system,      ///< packets of users go to reception FIFOs of users
  fifo_disabled,    ///< the reception FIFO is enabled
  payload_system,   ///< base addresses for puts of users are those of users
  counter_system,   ///< the same of the counter
  put_crosses,      ///< a put ends below the atomic addresses
  put_atomic_size,  ///< a put to an atomic address has 8 bytes
  counter_plain,    ///< the address of a counter is atomic
  header_id,        ///< a FIFO or base address that there is
  header_system,    ///< engines of the system receive packets of the system
  header_counter,   ///< a base address of a counter that there is
  get_system,       ///< packets of users bring descriptors to FIFOs of users
  get_fifo,         ///< the FIFO takes remote gets
  get_disabled,     ///< and is enabled
  // Rings. MU-I21, MU-I22, MU-R15: the write is refused. MU-I0, MU-R0: START, SIZE, HEAD and TAIL make a ring.
  ring_alignment,
  ring_range,
  reception_alignment,
  ring,
  reception_ring,
  // Accesses that are refused. MU-S25 to S27, MU-F16 to F18 and F14, F15.
  injection_access,
  reception_access,
  base_access,
  enable_access,
  clear_access,
  unused_bits,
  barrier_access,
  count
};

/// What is known of a violation.
struct MuFault {
  MuRule rule;
  unsigned subgroup;  ///< of the FIFO or the base address that it is about; kMuSubgroups: of none
  std::string text;   ///< one sentence without a full stop and without the node, which ends with the rule's name
};

/// Keeps which rules have been violated: the first violation of each for reports, all in the state registers.
class MuErrors {
 public:
  explicit MuErrors(MuDcr& dcr) : dcr_(dcr) {}

  /// "MU-M27".
  static std::string name(MuRule rule);

  /// Whether a violation's text will be used: it is the first of its rule, or interrupts.
  bool wants_text(MuRule rule, unsigned unit) const;
  /// Sets the rule's bit, in the register of `unit` where units have one each (master port, reception engine). Keeps
  /// the text of the first violation of the rule. Returns whether the bit is enabled to interrupt.
  bool report(const MuFault& fault, unsigned unit, sc_core::sc_time when);
  /// Sets the rule's bit, no more.
  void note(MuRule rule);
  /// Sets a bit (IBM's number) of a state register, which lies at `place` among the values. Returns whether it is
  /// enabled to interrupt.
  bool set(unsigned place, unsigned bit);

  std::vector<PendingWork> refused(const std::string& node) const { return violations_.refused(node); }
  std::uint64_t total() const { return violations_.total(); }

 private:
  static constexpr auto kRules = static_cast<std::size_t>(MuRule::count);
  bool interrupts(unsigned place, unsigned bit) const;

  MuDcr& dcr_;
  Violations violations_{kRules};
};

}  // namespace toroid
