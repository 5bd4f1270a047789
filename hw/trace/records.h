// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <type_traits>

namespace toroid::trace {

// The records of a trace file: docs/reference/trace_file.md describes every field. They are written as they lie in
// memory: without padding, in the host's order, which must be little-endian.
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "trace files are little-endian");

inline constexpr char kMagic[9] = "TOROIDTR";
inline constexpr std::uint32_t kVersion = 1;

/// Times are picoseconds of simulated time. A packet of the torus: source node << 32 | its number at its source.
struct End {
  static constexpr std::uint16_t kKind = 0;
  std::uint64_t time;
};

struct TorusWritten {
  static constexpr std::uint16_t kKind = 1;
  static constexpr std::uint8_t kDynamic = 1, kDeposit = 2;
  std::uint64_t time, packet;
  std::uint32_t node, destination;
  std::uint8_t core, fifo, chunks, flags;
  std::uint8_t channel, reserved[3];
  std::uint8_t header[16];
};

struct TorusSent {
  static constexpr std::uint16_t kKind = 2;
  static constexpr std::uint8_t kDamaged = 1;
  std::uint64_t time, packet, asked, end;
  std::uint32_t node;
  std::uint8_t direction, channel, chunks, flags;
};

struct TorusReceived {
  static constexpr std::uint16_t kKind = 3;
  static constexpr std::uint8_t kCopy = 1;
  std::uint64_t time, packet, asked, begin;
  std::uint32_t node;
  std::uint8_t fifo, chunks, flags, reserved;
};

struct TorusRead {
  static constexpr std::uint16_t kKind = 4;
  std::uint64_t time, packet;
  std::uint32_t node;
  std::uint8_t core, fifo, reserved[2];
};

struct TorusContents {
  static constexpr std::uint16_t kKind = 5;
  std::uint64_t packet;
  std::uint8_t bytes[256];
};

/// Of packets that are longer.
struct TorusLongContents {
  static constexpr std::uint16_t kKind = 6;
  std::uint64_t packet;
  std::uint8_t bytes[544];
};

struct TreeInjected {
  static constexpr std::uint16_t kKind = 16;
  static constexpr std::uint8_t kPointToPoint = 1;
  std::uint64_t time, packet;
  std::uint32_t node, header, target;
  std::uint8_t vc, route_class, opcode, operand_words;
  std::uint8_t flags, reserved[7];
};

struct TreeCombined {
  static constexpr std::uint16_t kKind = 17;
  std::uint64_t time, into, absorbed;
  std::uint32_t node;
  std::uint8_t vc, reserved[3];
};

struct TreeSent {
  static constexpr std::uint16_t kKind = 18;
  std::uint64_t time, packet, end;
  std::uint32_t node;
  std::uint8_t port, vc, route_class, reserved;
};

struct TreeContents {
  static constexpr std::uint16_t kKind = 19;
  std::uint64_t time, packet;
  std::uint32_t node, header;
  std::uint8_t port, vc, reserved[6];
  std::uint8_t bytes[256];
};

struct Call {
  static constexpr std::uint16_t kKind = 32;
  static constexpr std::uint8_t kUnfinished = 1;
  std::uint64_t time, end;
  std::uint32_t rank, function;
  std::uint8_t core, flags;
  std::uint16_t depth;
  std::uint32_t result;
  std::uint32_t arguments[6];
  std::uint32_t stack, caller;
};

struct Wait {
  static constexpr std::uint16_t kKind = 33;
  static constexpr std::uint8_t kUnfinished = 1;
  static constexpr std::uint8_t kParked = 1, kWaiting = 2, kSleeping = 3;
  std::uint64_t time, end;
  std::uint32_t node, rank, pc;
  std::uint8_t core, state, flags, reserved;
};

/// From a core's first block to where it has nothing more to execute; waits lie within.
struct Run {
  static constexpr std::uint16_t kKind = 35;
  static constexpr std::uint8_t kUnfinished = 1;
  std::uint64_t time, end;
  std::uint32_t node, rank;
  std::uint8_t core, flags, reserved[6];
};

struct IoCall {
  static constexpr std::uint16_t kKind = 34;
  std::uint64_t time, end;
  std::uint32_t rank;
  std::uint16_t operation;
  std::uint8_t core, reserved;
  std::int32_t descriptor;
  std::uint32_t bytes;
  std::int64_t result;
};

// Of DMA engines. A message: node << 32 | its number there. FIFOs and counters are counted over all groups of a node.
struct DmaDescriptor {
  static constexpr std::uint16_t kKind = 48;
  static constexpr std::uint8_t kMemoryFifo = 0, kPut = 1, kRemoteGet = 2, kPrefetch = 3;
  static constexpr std::uint8_t kLocal = 1;
  std::uint64_t time, message;
  std::uint32_t node;
  std::uint8_t fifo, kind, flags, reserved;
  std::uint32_t words[8];
};

struct DmaMessageRead {
  static constexpr std::uint16_t kKind = 49;
  std::uint64_t time, message;
};

struct DmaPacket {
  static constexpr std::uint16_t kKind = 50;
  std::uint64_t time, packet, message;
};

struct DmaCounter {
  static constexpr std::uint16_t kKind = 51;
  static constexpr std::uint8_t kInjection = 0, kReception = 1;
  static constexpr std::uint8_t kHitZero = 1, kBelowZero = 2;
  std::uint64_t time;
  std::uint32_t node, value;
  std::uint16_t counter;
  std::uint8_t side, flags;
  std::uint32_t reserved;
};

struct DmaFifo {
  static constexpr std::uint16_t kKind = 52;
  static constexpr std::uint8_t kInjection = 0, kReception = 1;
  std::uint64_t time;
  std::uint32_t node, bytes;
  std::uint16_t fifo;
  std::uint8_t side, reserved[5];
};

// Of Messaging Units, with the records of DMA engines for what both have: descriptors of 64 bytes, FIFOs over all
// subgroups of a node, and puts at their physical addresses.
struct MuDescriptor {
  static constexpr std::uint16_t kKind = 53;
  std::uint64_t time, message;
  std::uint32_t node;
  std::uint16_t fifo;
  std::uint8_t kind, flags;  ///< as DmaDescriptor's
  std::uint8_t bytes[64];
};

struct MuPut {
  static constexpr std::uint16_t kKind = 54;
  std::uint64_t time, address;
  std::uint32_t node, bytes;
};

template <typename... Records>
constexpr bool as_they_lie() {
  return ((sizeof(Records) % 8 == 0 && std::has_unique_object_representations_v<Records>)&&...);
}
static_assert(as_they_lie<End, TorusWritten, TorusSent, TorusReceived, TorusRead, TorusContents, TreeInjected,
                          TreeCombined, TreeSent, TreeContents, Call, Wait, Run, IoCall, DmaDescriptor, DmaMessageRead,
                          DmaPacket, DmaCounter, DmaFifo, MuDescriptor, MuPut, TorusLongContents>());

}  // namespace toroid::trace
