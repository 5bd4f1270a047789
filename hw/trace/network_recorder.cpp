// SPDX-License-Identifier: Apache-2.0
#include "hw/trace/network_recorder.h"

#include <cstring>

#include "torus/base/clock.h"

namespace toroid::trace {
namespace {

template <typename AnyPacket>
std::uint64_t number_of(const AnyPacket& packet) {
  return std::uint64_t{packet.source} << 32 | packet.serial;
}

template <typename Number>
std::uint8_t byte(Number number) {
  return static_cast<std::uint8_t>(number);
}

}  // namespace

// Torus. --------------------------------------------------------------------------------------------------------------

std::uint64_t TorusRecorder::time(Cycle cycle) const {
  return time_of(cycle, clock_mhz_).value();
}

void TorusRecorder::on_written(std::uint32_t node, unsigned core, unsigned fifo, const Packet& packet,
                               sc_core::sc_time at) {
  TorusWritten record{};
  record.time = at.value();
  record.packet = number_of(packet);
  record.node = node;
  record.destination = topology_.node(packet.destination);
  record.core = byte(core);
  record.fifo = byte(fifo);
  record.chunks = packet.chunks;
  record.channel = byte(packet.channel);
  record.flags = byte((packet.dynamic ? TorusWritten::kDynamic : 0) | (packet.deposit ? TorusWritten::kDeposit : 0));
  std::memcpy(record.header, packet.data, sizeof record.header);
  writer_.add(record);
  if (!contents_) return;
  const std::size_t bytes = std::size_t{packet.chunks} * chunk_bytes_;
  bytes <= sizeof TorusContents::bytes ? add_contents<TorusContents>(packet, bytes)
                                       : add_contents<TorusLongContents>(packet, bytes);
}

template <typename Contents>
void TorusRecorder::add_contents(const Packet& packet, std::size_t bytes) {
  Contents contents{};
  contents.packet = number_of(packet);
  std::memcpy(contents.bytes, packet.data, bytes);
  writer_.add(contents);
}

void TorusRecorder::on_asks(std::uint32_t, const Packet& packet, Cycle now) {
  if (packet.index >= asked_.size()) asked_.resize(packet.index + 1);
  asked_[packet.index] = now;
}

void TorusRecorder::on_sent(std::uint32_t node, Direction direction, const Packet& packet, Cycle begin, Cycle tail_left,
                            bool damaged) {
  TorusSent record{};
  record.time = time(begin);
  record.packet = number_of(packet);
  record.asked = time(asked_[packet.index]);
  record.end = time(tail_left);
  record.node = node;
  record.direction = direction;
  record.channel = byte(packet.channel);
  record.chunks = packet.chunks;
  record.flags = damaged ? TorusSent::kDamaged : 0;
  writer_.add(record);
}

void TorusRecorder::on_received(std::uint32_t node, unsigned fifo, const Packet& packet, Cycle begin, Cycle at,
                                bool copy) {
  TorusReceived record{};
  record.time = time(at);
  record.packet = number_of(packet);
  record.asked = time(copy ? begin : asked_[packet.index]);  // where the packet itself waited, its way on tells it
  record.begin = time(begin);
  record.node = node;
  record.fifo = byte(fifo);
  record.chunks = packet.chunks;
  record.flags = copy ? TorusReceived::kCopy : 0;
  writer_.add(record);
}

void TorusRecorder::on_read(std::uint32_t node, unsigned core, unsigned fifo, const Packet& packet,
                            sc_core::sc_time at) {
  TorusRead record{};
  record.time = at.value();
  record.packet = number_of(packet);
  record.node = node;
  record.core = byte(core);
  record.fifo = byte(fifo);
  writer_.add(record);
}

// Tree. ---------------------------------------------------------------------------------------------------------------

std::uint64_t TreeRecorder::time(Cycle cycle) const {
  return time_of(cycle, clock_mhz_).value();
}

void TreeRecorder::on_injected(std::uint32_t node, unsigned vc, const TreePacket& packet, Cycle at) {
  TreeInjected record{};
  record.time = time(at);
  record.packet = number_of(packet);
  record.node = node;
  record.header = packet.header;
  record.target = packet.target;
  record.vc = byte(vc);
  record.route_class = packet.route_class;
  record.opcode = byte(packet.opcode);
  record.operand_words = packet.operand_words;
  record.flags = packet.point_to_point ? TreeInjected::kPointToPoint : 0;
  writer_.add(record);
}

void TreeRecorder::on_combined(std::uint32_t node, unsigned vc, const TreePacket& into, const TreePacket& absorbed,
                               Cycle now) {
  TreeCombined record{};
  record.time = time(now);
  record.into = number_of(into);
  record.absorbed = number_of(absorbed);
  record.node = node;
  record.vc = byte(vc);
  writer_.add(record);
}

void TreeRecorder::on_sent(std::uint32_t node, unsigned vc, unsigned port, const TreePacket& packet, Cycle begin,
                           Cycle tail_left) {
  TreeSent record{};
  record.time = time(begin);
  record.packet = number_of(packet);
  record.end = time(tail_left);
  record.node = node;
  record.port = byte(port);
  record.vc = byte(vc);
  record.route_class = packet.route_class;
  writer_.add(record);
  if (!contents_) return;
  TreeContents contents{};
  contents.time = record.time;
  contents.packet = record.packet;
  contents.node = node;
  contents.header = packet.header;
  contents.port = record.port;
  contents.vc = record.vc;
  std::memcpy(contents.bytes, packet.data->bytes.data(), sizeof contents.bytes);
  writer_.add(contents);
}

}  // namespace toroid::trace
