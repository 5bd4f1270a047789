// SPDX-License-Identifier: Apache-2.0
#include "hw/chips/bgp/dma_recorder.h"

#include <algorithm>

#include "hw/trace/records.h"
#include "torus/base/clock.h"

namespace toroid {
namespace {

using trace::DmaCounter;
using trace::DmaDescriptor;
using trace::DmaFifo;
using trace::DmaMessageRead;
using trace::DmaPacket;

std::uint64_t of_node(std::uint32_t node, std::uint32_t number) {
  return std::uint64_t{node} << 32 | number;
}

std::uint8_t kind_of(DmaObserver::Kind kind) {
  switch (kind) {
    case DmaObserver::Kind::memory_fifo:
      return DmaDescriptor::kMemoryFifo;
    case DmaObserver::Kind::put:
      return DmaDescriptor::kPut;
    case DmaObserver::Kind::remote_get:
      return DmaDescriptor::kRemoteGet;
    case DmaObserver::Kind::prefetch:
      return DmaDescriptor::kPrefetch;
  }
  return 0;
}

}  // namespace

std::uint64_t DmaRecorder::time(Cycle cycle) const {
  return time_of(cycle, clock_mhz_).value();
}

void DmaRecorder::on_descriptor(const Message& message, Cycle at) {
  DmaDescriptor record{};
  record.time = time(at);
  record.message = of_node(message.node, message.number);
  record.node = message.node;
  record.fifo = static_cast<std::uint8_t>(message.fifo);
  record.kind = kind_of(message.kind);
  record.flags = message.local ? DmaDescriptor::kLocal : 0;
  std::copy(message.words.begin(), message.words.end(), record.words);
  writer_.add(record);
}

void DmaRecorder::on_message_read(std::uint32_t node, std::uint32_t number, Cycle at) {
  DmaMessageRead record{};
  record.time = time(at);
  record.message = of_node(node, number);
  writer_.add(record);
}

void DmaRecorder::on_packet(std::uint32_t node, std::uint32_t serial, std::uint32_t number, Cycle at) {
  DmaPacket record{};
  record.time = time(at);
  record.packet = of_node(node, serial);
  record.message = of_node(node, number);
  writer_.add(record);
}

void DmaRecorder::on_counter(std::uint32_t node, Side side, unsigned counter, std::uint32_t value, bool hit_zero,
                             bool error, Cycle at) {
  DmaCounter record{};
  record.time = time(at);
  record.node = node;
  record.value = value;
  record.counter = static_cast<std::uint16_t>(counter);
  record.side = side == Side::injection ? DmaCounter::kInjection : DmaCounter::kReception;
  record.flags =
      static_cast<std::uint8_t>((hit_zero ? DmaCounter::kHitZero : 0) | (error ? DmaCounter::kBelowZero : 0));
  writer_.add(record);
}

void DmaRecorder::on_fifo(std::uint32_t node, Side side, unsigned fifo, std::uint32_t bytes, Cycle at) {
  DmaFifo record{};
  record.time = time(at);
  record.node = node;
  record.bytes = bytes;
  record.fifo = static_cast<std::uint16_t>(fifo);
  record.side = side == Side::injection ? DmaFifo::kInjection : DmaFifo::kReception;
  writer_.add(record);
}

}  // namespace toroid
