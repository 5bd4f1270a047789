// SPDX-License-Identifier: Apache-2.0
#include "hw/io/tree/tree_io_port.h"

#include <algorithm>
#include <array>

#include "hw/io/tree/io_packet.h"
#include "hw/memory/big_endian.h"

namespace toroid {
namespace {

using PacketBytes = std::array<std::uint8_t, TREE_PAYLOAD_BYTES>;

#define FIELD(status, name) (((status)&TREE_STATUS_##name##_MASK) >> TREE_STATUS_##name##_SHIFT)

unsigned room(std::uint32_t status, unsigned fifo_packets) {
  const unsigned quads = FIELD(status, INJECTION_QUADS);
  const unsigned packets = (quads + TREE_PAYLOAD_QUADS - 1) / TREE_PAYLOAD_QUADS;
  return fifo_packets - std::max(packets, FIELD(status, INJECTION_HEADERS));
}

unsigned arrived(std::uint32_t status) {
  return std::min(FIELD(status, RECEPTION_QUADS) / TREE_PAYLOAD_QUADS, FIELD(status, RECEPTION_HEADERS));
}

}  // namespace

bool TreeIoPort::acquire(Core& core) {
  if (!core.wait_for(free_, [this] { return !taken_; })) return false;
  taken_ = true;
  return true;
}

void TreeIoPort::release(Core& core) {
  core.synchronise();
  open();
}

void TreeIoPort::open() {
  taken_ = false;
  free_.notify(sc_core::SC_ZERO_TIME);
}

bool TreeIoPort::close(Core& core) {
  return acquire(core);
}

std::optional<IoReply> TreeIoPort::call(Core& core, const IoRequest& request, IoTraffic& traffic) {
  if (!acquire(core)) return std::nullopt;
  const std::vector<std::uint8_t> message = encode(request);
  ++traffic.calls;
  traffic.request_packets += io_packets(message.size());
  traffic.request_bytes += request.data.size();
  if (!send(core, message)) return std::nullopt;
  const auto answer = receive(core, traffic.reply_packets);
  if (!answer) return std::nullopt;
  release(core);
  IoReply reply = decode_reply(*answer);
  traffic.reply_bytes += reply.data.size();
  return reply;
}

bool TreeIoPort::send(Core& core, const std::vector<std::uint8_t>& message) {
  const std::uint32_t number = ++calls_;
  const std::size_t packets = io_packets(message.size());
  PacketBytes packet;
  std::array<std::uint8_t, 4> header{};
  store_be32(header.data(), tree_point_to_point_header(kIoRequestClass, io_node_));
  for (std::size_t next = 0; next < packets;) {
    unsigned free = 0;
    const auto has_room = [&](std::uint32_t status) { return (free = room(status, fifo_packets_)) > 0; };
    if (!core.poll_device(registers_ + TREE_STATUS_OFFSET, has_room)) return false;
    for (; free > 0 && next < packets; --free, ++next) {
      make_io_packet(message, next, node_, number, packet.data());
      for (unsigned at = 0; at < packet.size(); at += TREE_QUAD_BYTES)
        core.store_device(registers_ + TREE_PAYLOAD_INJECTION_OFFSET, packet.data() + at, TREE_QUAD_BYTES);
      core.store_device(registers_ + TREE_HEADER_INJECTION_OFFSET, header.data(), header.size());
    }
  }
  return true;
}

std::optional<std::vector<std::uint8_t>> TreeIoPort::receive(Core& core, std::uint64_t& packets) {
  IoAssembler assembler;
  PacketBytes packet;
  while (true) {
    unsigned waiting = 0;
    const auto has_come = [&waiting](std::uint32_t status) { return (waiting = arrived(status)) > 0; };
    if (!core.poll_device(registers_ + TREE_STATUS_OFFSET, has_come)) return std::nullopt;
    for (; waiting > 0; --waiting) {
      std::array<std::uint8_t, 4> header{};
      core.load_device(registers_ + TREE_HEADER_RECEPTION_OFFSET, header.data(), header.size());
      for (unsigned at = 0; at < packet.size(); at += TREE_QUAD_BYTES)
        core.load_device(registers_ + TREE_PAYLOAD_RECEPTION_OFFSET, packet.data() + at, TREE_QUAD_BYTES);
      core.finish_loads();
      ++packets;
      if (auto message = assembler.add(packet.data())) return message;
    }
  }
}

}  // namespace toroid
