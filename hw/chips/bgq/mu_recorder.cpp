// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgq/mu_recorder.h"

#include <algorithm>

#include "hw/trace/records.h"
#include "torus/base/clock.h"

namespace toroid {
namespace {

constexpr unsigned kNoCore = 0xFF;

std::uint64_t of_node(std::uint32_t node, std::uint32_t number) {
  return std::uint64_t{node} << 32 | number;
}

std::uint8_t kind_of(MuObserver::Kind kind) {
  using trace::DmaDescriptor;
  switch (kind) {
    case MuObserver::Kind::memory_fifo:
      return DmaDescriptor::kMemoryFifo;
    case MuObserver::Kind::put:
      return DmaDescriptor::kPut;
    case MuObserver::Kind::remote_get:
      return DmaDescriptor::kRemoteGet;
    case MuObserver::Kind::prefetch:
      return DmaDescriptor::kPrefetch;
  }
  return 0;
}

}  // namespace

std::uint64_t MuRecorder::time(Cycle cycle) const {
  return time_of(cycle, clock_mhz_).value();
}

void MuRecorder::on_descriptor(const Message& message, Cycle at) {
  trace::MuDescriptor record{};
  record.time = time(at);
  record.message = of_node(message.node, message.number);
  record.node = message.node;
  record.fifo = static_cast<std::uint16_t>(message.fifo);
  record.kind = kind_of(message.kind);
  record.flags = message.local ? trace::DmaDescriptor::kLocal : 0;
  std::copy_n(message.descriptor, sizeof record.bytes, record.bytes);
  writer_.add(record);
}

void MuRecorder::on_message_read(std::uint32_t node, std::uint32_t number, Cycle at) {
  trace::DmaMessageRead record{};
  record.time = time(at);
  record.message = of_node(node, number);
  writer_.add(record);
}

void MuRecorder::on_packet(std::uint32_t node, std::uint32_t serial, std::uint32_t number, Cycle at) {
  trace::DmaPacket record{};
  record.time = time(at);
  record.packet = of_node(node, serial);
  record.message = of_node(node, number);
  writer_.add(record);
}

void MuRecorder::on_put(std::uint32_t node, std::uint64_t address, std::uint32_t bytes, Cycle at) {
  trace::MuPut record{};
  record.time = time(at);
  record.address = address;
  record.node = node;
  record.bytes = bytes;
  writer_.add(record);
}

void MuRecorder::on_fifo(std::uint32_t node, Side side, unsigned fifo, std::uint64_t bytes, Cycle at) {
  using trace::DmaFifo;
  DmaFifo record{};
  record.time = time(at);
  record.node = node;
  record.bytes = static_cast<std::uint32_t>(bytes);
  record.fifo = static_cast<std::uint16_t>(fifo);
  record.side = side == Side::injection ? DmaFifo::kInjection : DmaFifo::kReception;
  writer_.add(record);
}

void MuPacketRecorder::on_asks(std::uint32_t node, const Packet& packet, Cycle now) {
  if (packet.index >= written_.size()) written_.resize(packet.index + 1);
  const std::uint64_t number = of_node(packet.source, packet.serial) + 1;
  if (packet.source == node && written_[packet.index] != number) {
    written_[packet.index] = number;
    recorder_.on_written(node, kNoCore, 0, packet, time_of(now, clock_mhz_));
  }
  recorder_.on_asks(node, packet, now);
}

}  // namespace toroid
