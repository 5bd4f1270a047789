// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "nic/common/violations.h"
#include "torus/base/time.h"

namespace toroid {

class DmaDcr;

/// The rules of the DMA, in the order of their bits in the control registers FATAL_: docs/guide/bgp_dma.md lists them.
enum class DmaRule : std::uint8_t {
  // Injection, DMA-I1 to DMA-I9: the FIFO is deactivated, its HEAD stays at the descriptor.
  ring,                ///< START, END, HEAD and TAIL make an injection FIFO
  descriptor_address,  ///< descriptors lie in memory that the injection side may read
  local_flag,          ///< a FIFO for local messages holds those alone, another none
  torus_map,           ///< a FIFO of torus messages has at least one torus FIFO
  injection_counter,   ///< the injection counter is enabled
  message_address,     ///< the message lies in memory that the injection side may read
  packet_header,       ///< the header is one that routers accept
  remote_get,          ///< a remote get carries whole descriptors, in one packet
  prefetch,            ///< prefetch_only comes with local_memcopy
  // Reception, DMA-R1 to DMA-R9: the packet is dropped.
  reception_counter,  ///< the reception counter is enabled
  beyond_maximum,     ///< a put ends at the counter's maximum
  write_address,      ///< packets are written to memory that the reception side may write
  reception_fifo,     ///< the packet's reception FIFO is enabled
  reception_ring,     ///< START, END, HEAD and TAIL make a reception FIFO
  payload_bytes,      ///< Payload_Bytes are in the packet
  get_fifo,           ///< a remote get names an injection FIFO that is enabled
  get_ring,           ///< and that START, END, HEAD and TAIL make one
  get_descriptors,    ///< a remote get carries whole descriptors
  // Counters, DMA-C1 to DMA-C4: the counter goes on modulo 2^32.
  injection_underflow,
  injection_overflow,
  reception_underflow,
  reception_overflow,
  count
};

/// What is known of a violation.
struct DmaFault {
  DmaRule rule;
  unsigned group;    ///< of the FIFO or the counter that it is about
  std::string text;  ///< one sentence without a full stop and without the node, which ends with the rule's number
};

/// Keeps which rules have been violated: the first violation of each for reports, all in the control registers.
class DmaErrors {
 public:
  explicit DmaErrors(DmaDcr& dcr) : dcr_(dcr) {}

  /// "DMA-I7".
  static std::string name(DmaRule rule);

  /// Whether a violation's text will be used: it is the first of its rule, or fatal.
  bool wants_text(DmaRule rule) const;
  /// Sets the rule's bit in the control registers. Keeps the text of the first violation of the rule. Returns whether
  /// the rule's fatal enable is set.
  bool report(const DmaFault& fault, sc_core::sc_time when);
  /// FATAL_CLEAR and FATAL_CLEAR_LINK were written.
  void clear(std::uint32_t bits, std::uint32_t link);

  /// Interrupt lines of BIC group 1 to 3 that violations raise.
  std::uint32_t interrupts(unsigned bic_group) const;

  std::vector<PendingWork> refused(const std::string& node) const { return violations_.refused(node); }
  std::uint64_t total() const { return violations_.total(); }

 private:
  static constexpr auto kRules = static_cast<std::size_t>(DmaRule::count);

  DmaDcr& dcr_;
  Violations violations_{kRules};
};

}  // namespace toroid
