// SPDX-License-Identifier: Apache-2.0
#include "nic/torus/torus_dcr.h"

#include <algorithm>

#include "torus/torus/header_check.h"

namespace toroid {
namespace {

constexpr unsigned kLinks = 6;

// How a run of registers behaves.
enum class Access : std::uint8_t { stored, read_only, write_only, write_one_to_clear };

struct Run {
  unsigned first;
  unsigned count;
  Access access;
  std::uint32_t mask;   ///< bits that exist
  std::uint32_t reset;  ///< start value, if it does not depend on the machine
};

constexpr std::uint32_t kAll = 0xFFFFFFFFu;
constexpr std::uint32_t kCoordinates = TORUS_DCR_NODES_X_MASK | TORUS_DCR_NODES_Y_MASK | TORUS_DCR_NODES_Z_MASK;
constexpr std::uint32_t kHeaderErrors = TORUS_DCR_HEADER_ERROR_OPPOSITE_HINTS_MASK |
                                        TORUS_DCR_HEADER_ERROR_WRONG_HINTS_MASK | TORUS_DCR_HEADER_ERROR_CHANNEL_MASK |
                                        TORUS_DCR_HEADER_ERROR_DESTINATION_MASK | TORUS_DCR_HEADER_ERROR_DEPOSIT_MASK;

// clang-format off
constexpr Run kRuns[] = {
    {TORUS_DCR_RESET_OFFSET, 1, Access::stored, 0xFFFFC000u, TORUS_DCR_RESET_RESET},
    {TORUS_DCR_NODES_OFFSET, 6, Access::stored, kCoordinates, 0},
    {TORUS_DCR_VC_THRESHOLD_OFFSET, 1, Access::stored, 0x7F7F7F7Fu, TORUS_DCR_VC_THRESHOLD_RESET},
    {TORUS_DCR_RETRANSMIT_X_OFFSET, 3, Access::stored, kAll, 0},
    {TORUS_DCR_ARBITRATION_OFFSET, 1, Access::stored, 0xFFFFFFE0u, 0},
    {TORUS_DCR_CLOCK_RATIO_OFFSET, 1, Access::stored, TORUS_DCR_CLOCK_RATIO_CODE_MASK, TORUS_DCR_CLOCK_RATIO_RESET},
    {TORUS_DCR_WATERMARK_OFFSET, TORUS_DCR_WATERMARK_COUNT, Access::stored, 0xFFFFFFFCu, TORUS_DCR_WATERMARK_RESET},
    {TORUS_DCR_SRAM_DATA_OFFSET, 3, Access::stored, kAll, 0},
    {TORUS_DCR_LINK_CONTROL_OFFSET, 1, Access::stored, 0xFFF80000u, TORUS_DCR_LINK_CONTROL_RESET},
    {TORUS_DCR_FIFO_DIAGNOSTIC_OFFSET, 1, Access::stored, kAll, 0},
    {TORUS_DCR_INTERRUPT_ERROR_OFFSET, 1, Access::read_only, 0, 0},
    {TORUS_DCR_INTERRUPT_WATERMARK_OFFSET, 1, Access::read_only, 0, 0},
    {TORUS_DCR_THRESHOLD_OFFSET, TORUS_DCR_THRESHOLD_COUNT, Access::stored, kAll, 0},
    {TORUS_DCR_CLEAR_OFFSET, 1, Access::write_only, 0, 0},
    {TORUS_DCR_NON_RECOVERABLE_MASK_OFFSET, TORUS_DCR_NON_RECOVERABLE_MASK_COUNT, Access::stored, kAll, 0},
    {TORUS_DCR_RECOVERABLE_MASK_OFFSET, 1, Access::stored, TORUS_DCR_RECOVERABLE_MASK_MASK_MASK, 0},
    {TORUS_DCR_RECEIVER_CRC_OFFSET, TORUS_DCR_RECEIVER_CRC_COUNT, Access::read_only, 0, 0},
    {TORUS_DCR_RECEIVER_FULLNESS_OFFSET, TORUS_DCR_RECEIVER_FULLNESS_COUNT, Access::read_only, 0, 0},
    {TORUS_DCR_SENDER_TOKENS_OFFSET, TORUS_DCR_SENDER_TOKENS_COUNT, Access::read_only, 0, 0},
    {TORUS_DCR_SENDER_CRC_OFFSET, TORUS_DCR_SENDER_CRC_COUNT, Access::read_only, 0, 0},
    {TORUS_DCR_RESEND_POINTER_OFFSET, TORUS_DCR_RESEND_POINTER_COUNT, Access::read_only, 0, 0},
    {TORUS_DCR_CHECKSUM_OFFSET, TORUS_DCR_CHECKSUM_COUNT, Access::read_only, kAll, 0},
    {TORUS_DCR_SRAM_READ_OFFSET, TORUS_DCR_SRAM_READ_COUNT, Access::read_only, 0, 0},
    {TORUS_DCR_RECEIVER_ERROR_OFFSET, TORUS_DCR_RECEIVER_ERROR_COUNT, Access::write_one_to_clear, kAll, 0},
    {TORUS_DCR_HEADER_ERROR_OFFSET, 1, Access::write_one_to_clear, kHeaderErrors, 0},
    {TORUS_DCR_SENDER_ERROR_OFFSET, 1, Access::write_one_to_clear, kAll, 0},
    {TORUS_DCR_INJECTION_ERROR_OFFSET, TORUS_DCR_INJECTION_ERROR_COUNT, Access::write_one_to_clear, 0xF0000000u, 0},
    {TORUS_DCR_INJECTION_MEMORY_ERROR_OFFSET, 2, Access::write_one_to_clear, kAll, 0},
    {TORUS_DCR_ACCESS_ERROR_OFFSET, 1, Access::write_one_to_clear, 0xF8000000u, 0},
    {TORUS_DCR_RECOVERABLE_OFFSET, TORUS_DCR_RECOVERABLE_COUNT, Access::read_only, 0, 0},
};
// clang-format on

const Run* run_of(unsigned offset) {
  for (const Run& run : kRuns) {
    if (offset >= run.first && offset < run.first + run.count) return &run;
  }
  return nullptr;
}

bool within(unsigned offset, unsigned first, unsigned count) {
  return offset >= first && offset < first + count;
}

std::uint32_t pack(const Coordinates& coordinates) {
  return static_cast<std::uint32_t>(coordinates[0]) << TORUS_DCR_NODES_X_SHIFT |
         static_cast<std::uint32_t>(coordinates[1]) << TORUS_DCR_NODES_Y_SHIFT |
         static_cast<std::uint32_t>(coordinates[2]) << TORUS_DCR_NODES_Z_SHIFT;
}

Coordinates unpack(std::uint32_t value) {
  return {static_cast<std::uint8_t>(value >> TORUS_DCR_NODES_X_SHIFT),
          static_cast<std::uint8_t>(value >> TORUS_DCR_NODES_Y_SHIFT),
          static_cast<std::uint8_t>(value >> TORUS_DCR_NODES_Z_SHIFT)};
}

// The bit of `direction` in a field of six, X+ the most significant.
std::uint32_t link_bit(unsigned shift, unsigned direction) {
  return 1u << (shift + kLinks - 1 - direction);
}

}  // namespace

TorusDcr::TorusDcr(TorusNetwork& network, std::uint32_t node)
    : network_(network), node_(node), minimal_(network.cut_offs(node)) {
  reset();
}

bool TorusDcr::exists(unsigned offset) {
  return run_of(offset) != nullptr;
}

bool TorusDcr::writable(unsigned offset) {
  const Run* run = run_of(offset);
  return run != nullptr && run->access != Access::read_only;
}

void TorusDcr::reset() {
  for (const Run& run : kRuns) {
    for (unsigned i = 0; i < run.count; ++i) at(run.first + i) = run.reset;
  }
  const Topology& topology = network_.topology();
  const Coordinates own = topology.coordinates(node_);
  Coordinates largest{}, plus = own, minus = own;
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    largest[dimension] = static_cast<std::uint8_t>(topology.extent(dimension) - 1);
    const std::uint32_t above = topology.neighbour(node_, static_cast<Direction>(2 * dimension));
    const std::uint32_t below = topology.neighbour(node_, static_cast<Direction>(2 * dimension + 1));
    if (above != kNoNode) plus[dimension] = topology.coordinates(above)[dimension];
    if (below != kNoNode) minus[dimension] = topology.coordinates(below)[dimension];
  }
  at(TORUS_DCR_NODES_OFFSET) = pack(largest);
  at(TORUS_DCR_NODE_OFFSET) = pack(own);
  at(TORUS_DCR_PLUS_NEIGHBOUR_OFFSET) = pack(plus);
  at(TORUS_DCR_MINUS_NEIGHBOUR_OFFSET) = pack(minus);
  at(TORUS_DCR_CUTOFF_PLUS_OFFSET) = pack(minimal_.plus);
  at(TORUS_DCR_CUTOFF_MINUS_OFFSET) = pack(minimal_.minus);
  apply_cut_offs();

  const TorusConfig& config = network_.config();
  for (unsigned dimension = 0; dimension < 3; ++dimension) {
    at(TORUS_DCR_RETRANSMIT_X_OFFSET + dimension) = config.retransmit_timeout << TORUS_DCR_RETRANSMIT_X_PLUS_SHIFT |
                                                    config.retransmit_timeout << TORUS_DCR_RETRANSMIT_X_MINUS_SHIFT;
    apply_timeouts(dimension);
  }
  at(TORUS_DCR_ARBITRATION_OFFSET) =
      (config.fullness_cycles << TORUS_DCR_ARBITRATION_FULLNESS_SHIFT & TORUS_DCR_ARBITRATION_FULLNESS_MASK) |
      (config.random_cycles << TORUS_DCR_ARBITRATION_RANDOM_SHIFT & TORUS_DCR_ARBITRATION_RANDOM_MASK) |
      (config.priority_injection << TORUS_DCR_ARBITRATION_HIGH_INJECTION_SHIFT &
       TORUS_DCR_ARBITRATION_HIGH_INJECTION_MASK);
  apply_arbitration();
  network_.clear_link_crcs(node_);
  bad_headers_ = 0;
  for (unsigned i = 0; i < TORUS_DCR_RECOVERABLE_COUNT; ++i) counted_before_[i] = counted(i);
}

std::uint32_t TorusDcr::read(unsigned offset) const {
  if (within(offset, TORUS_DCR_RECEIVER_FULLNESS_OFFSET, kLinks)) {
    return per_channel(true, static_cast<Direction>(offset - TORUS_DCR_RECEIVER_FULLNESS_OFFSET));
  }
  if (within(offset, TORUS_DCR_SENDER_TOKENS_OFFSET, kLinks)) {
    return per_channel(false, static_cast<Direction>(offset - TORUS_DCR_SENDER_TOKENS_OFFSET));
  }
  if (within(offset, TORUS_DCR_RECEIVER_CRC_OFFSET, kLinks)) {
    return network_.receiver_crc(node_, static_cast<Direction>(offset - TORUS_DCR_RECEIVER_CRC_OFFSET));
  }
  if (within(offset, TORUS_DCR_SENDER_CRC_OFFSET, kLinks)) {
    return network_.sender_crc(node_, static_cast<Direction>(offset - TORUS_DCR_SENDER_CRC_OFFSET));
  }
  if (within(offset, TORUS_DCR_RESEND_POINTER_OFFSET, 3)) {
    const auto plus = static_cast<Direction>(2 * (offset - TORUS_DCR_RESEND_POINTER_OFFSET));
    const auto minus = static_cast<Direction>(plus + 1);
    return static_cast<std::uint32_t>(network_.resend_begin(node_, plus)) << 24 |
           static_cast<std::uint32_t>(network_.resend_end(node_, plus)) << 16 |
           static_cast<std::uint32_t>(network_.resend_begin(node_, minus)) << 8 | network_.resend_end(node_, minus);
  }
  if (within(offset, TORUS_DCR_RECOVERABLE_OFFSET, TORUS_DCR_RECOVERABLE_COUNT)) {
    return recoverable(offset - TORUS_DCR_RECOVERABLE_OFFSET);
  }
  if (offset == TORUS_DCR_INTERRUPT_ERROR_OFFSET) return error_interrupts();
  return values_[offset];
}

void TorusDcr::write(unsigned offset, std::uint32_t value) {
  const Run& run = *run_of(offset);
  if (run.access == Access::write_one_to_clear) {
    at(offset) &= ~value;
    return;
  }
  if (offset == TORUS_DCR_CLEAR_OFFSET) {
    if (value & TORUS_DCR_CLEAR_LINK_CRC_MASK) network_.clear_link_crcs(node_);
    if (value & TORUS_DCR_CLEAR_CHECKSUM_MASK) {
      for (unsigned i = 0; i < TORUS_DCR_CHECKSUM_COUNT; ++i) at(TORUS_DCR_CHECKSUM_OFFSET + i) = 0;
    }
    return;
  }
  at(offset) = value & run.mask;
  if (offset == TORUS_DCR_CUTOFF_PLUS_OFFSET || offset == TORUS_DCR_CUTOFF_MINUS_OFFSET) apply_cut_offs();
  if (offset == TORUS_DCR_ARBITRATION_OFFSET) apply_arbitration();
  if (within(offset, TORUS_DCR_RETRANSMIT_X_OFFSET, 3)) apply_timeouts(offset - TORUS_DCR_RETRANSMIT_X_OFFSET);
}

void TorusDcr::apply_arbitration() {
  const std::uint32_t value = at(TORUS_DCR_ARBITRATION_OFFSET);
  for (unsigned direction = 0; direction < kLinks; ++direction) {
    const bool stop = value & link_bit(TORUS_DCR_ARBITRATION_STOP_SHIFT, direction);
    if (stop != network_.stopped(node_, static_cast<Direction>(direction))) {
      network_.set_stopped(node_, static_cast<Direction>(direction), stop);
    }
  }
  const auto field = [value](std::uint32_t mask, unsigned shift) {
    return static_cast<std::uint8_t>((value & mask) >> shift);
  };
  ArbitrationPhases phases = network_.arbitration(node_);
  const std::uint8_t fullness = field(TORUS_DCR_ARBITRATION_FULLNESS_MASK, TORUS_DCR_ARBITRATION_FULLNESS_SHIFT);
  const std::uint8_t random = field(TORUS_DCR_ARBITRATION_RANDOM_MASK, TORUS_DCR_ARBITRATION_RANDOM_SHIFT);
  // Both 0 name no way to choose: the lengths in force stay.
  if (fullness != 0 || random != 0) {
    phases.fullness_cycles = fullness;
    phases.random_cycles = random;
  }
  phases.priority_injection =
      field(TORUS_DCR_ARBITRATION_HIGH_INJECTION_MASK, TORUS_DCR_ARBITRATION_HIGH_INJECTION_SHIFT);
  network_.set_arbitration(node_, phases);
}

void TorusDcr::apply_timeouts(unsigned dimension) {
  const std::uint32_t value = at(TORUS_DCR_RETRANSMIT_X_OFFSET + dimension);
  const auto plus = static_cast<Direction>(2 * dimension);
  network_.set_retransmit_timeout(node_, plus,
                                  (value & TORUS_DCR_RETRANSMIT_X_PLUS_MASK) >> TORUS_DCR_RETRANSMIT_X_PLUS_SHIFT);
  network_.set_retransmit_timeout(node_, opposite(plus),
                                  (value & TORUS_DCR_RETRANSMIT_X_MINUS_MASK) >> TORUS_DCR_RETRANSMIT_X_MINUS_SHIFT);
}

void TorusDcr::apply_cut_offs() {
  network_.set_cut_offs(node_,
                        CutOffs{unpack(at(TORUS_DCR_CUTOFF_PLUS_OFFSET)), unpack(at(TORUS_DCR_CUTOFF_MINUS_OFFSET))});
}

std::uint32_t TorusDcr::per_channel(bool receiver, Direction direction) const {
  std::uint32_t value = 0;
  for (unsigned channel = 0; channel < Router::kVcs; ++channel) {
    const unsigned chunks = receiver
                                ? network_.receiver_fullness(node_, direction, static_cast<VirtualChannel>(channel))
                                : network_.sender_tokens(node_, direction, static_cast<VirtualChannel>(channel));
    value = value << 8 | std::min(chunks, 0xFFu);
  }
  return value;
}

/// What the network has counted since the start, and the device since its latest reset.
std::uint64_t TorusDcr::counted(unsigned number) const {
  constexpr unsigned kInputPipe = 0, kSendRetry = 8, kBadHeader = 17;
  std::uint64_t count = 0;
  if (within(number, kInputPipe, kLinks)) {
    const auto direction = static_cast<Direction>(number - kInputPipe);
    const std::uint32_t sender = network_.topology().neighbour(node_, direction);
    if (sender != kNoNode) count = network_.link(sender, opposite(direction)).crc_errors;
  } else if (within(number, kSendRetry, kLinks)) {
    count = network_.link(node_, static_cast<Direction>(number - kSendRetry)).retransmissions;
  } else if (number == kBadHeader) {
    count = bad_headers_;
  }
  return count;
}

std::uint32_t TorusDcr::recoverable(unsigned number) const {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(counted(number) - counted_before_[number], kAll));
}

std::uint32_t TorusDcr::error_interrupts() const {
  std::uint32_t value = 0;
  for (unsigned i = 0; i < TORUS_DCR_NON_RECOVERABLE_MASK_COUNT; ++i) {
    const std::uint32_t errors = values_[TORUS_DCR_RECEIVER_ERROR_OFFSET + i];
    if (errors & ~values_[TORUS_DCR_NON_RECOVERABLE_MASK_OFFSET + i]) {
      value |= TORUS_DCR_INTERRUPT_ERROR_NON_RECOVERABLE_MASK;
    }
  }
  for (unsigned i = 0; i < TORUS_DCR_RECOVERABLE_COUNT; ++i) {
    const std::uint32_t line = 1u << (30 - i);
    if (recoverable(i) > 0 && !(values_[TORUS_DCR_RECOVERABLE_MASK_OFFSET] & line)) value |= line;
  }
  return value;
}

void TorusDcr::header_error(std::uint32_t errors, const Packet& packet) {
  // The links that the packet requested, or all if it requested none.
  std::uint32_t links = 0;
  for (unsigned direction = 0; direction < kLinks; ++direction) {
    if (packet.hints == 0 || packet.hints >> direction & 1) links |= link_bit(0, direction);
  }
  const auto set = [&](std::uint32_t which, unsigned shift) {
    if (errors & which) at(TORUS_DCR_HEADER_ERROR_OFFSET) |= links << shift;
  };
  set(kHintsConflict, TORUS_DCR_HEADER_ERROR_OPPOSITE_HINTS_SHIFT);
  set(kHintsMissing | kHintsPointless, TORUS_DCR_HEADER_ERROR_WRONG_HINTS_SHIFT);
  set(kChannelMismatch, TORUS_DCR_HEADER_ERROR_CHANNEL_SHIFT);
  set(kDestinationOutside, TORUS_DCR_HEADER_ERROR_DESTINATION_SHIFT);
  set(kDepositOffLine, TORUS_DCR_HEADER_ERROR_DEPOSIT_SHIFT);
  ++bad_headers_;
}

void TorusDcr::write_full(unsigned group, unsigned fifo) {
  at(TORUS_DCR_INJECTION_ERROR_OFFSET + group) |= TORUS_DCR_INJECTION_ERROR_FULL_I0_MASK >> fifo;
  at(TORUS_DCR_ACCESS_ERROR_OFFSET) |= TORUS_DCR_ACCESS_ERROR_WRITE_FULL_MASK;
  ++bad_headers_;  // one counter for bad headers and full FIFOs
}

void TorusDcr::read_empty() {
  at(TORUS_DCR_ACCESS_ERROR_OFFSET) |= TORUS_DCR_ACCESS_ERROR_READ_EMPTY_P0_MASK;
}
void TorusDcr::bad_access() {
  at(TORUS_DCR_ACCESS_ERROR_OFFSET) |= TORUS_DCR_ACCESS_ERROR_ACCESS_MASK;
}
void TorusDcr::unknown_dcr() {
  at(TORUS_DCR_ACCESS_ERROR_OFFSET) |= TORUS_DCR_ACCESS_ERROR_DCR_MASK;
}

void TorusDcr::add_checksum(unsigned injection_fifo, std::uint32_t sum) {
  // N0..N5, then P0, P1: injection FIFOs count I0, I1, I2, IH in each group.
  const unsigned group = injection_fifo / 4, fifo = injection_fifo % 4;
  at(TORUS_DCR_CHECKSUM_OFFSET + (fifo == 3 ? 6 + group : 3 * group + fifo)) += sum;
}

unsigned TorusDcr::reception_watermark(unsigned group, bool priority) const {
  const std::uint32_t value = values_[TORUS_DCR_WATERMARK_OFFSET + group];
  const unsigned shift = priority ? TORUS_DCR_WATERMARK_RECEPTION_HIGH_SHIFT : TORUS_DCR_WATERMARK_RECEPTION_SHIFT;
  return value >> shift & 0x1F;
}

unsigned TorusDcr::injection_watermark(unsigned group, unsigned fifo) const {
  constexpr unsigned kBits = TORUS_DCR_WATERMARK_I0_WIDTH;
  return values_[TORUS_DCR_WATERMARK_OFFSET + group] >> (TORUS_DCR_WATERMARK_I0_SHIFT - kBits * fifo) & 0x1F;
}

}  // namespace toroid
