// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/firmware/dma_double.h"

#include <algorithm>
#include <cstring>

namespace toroid::testing {

namespace {
constexpr std::uint32_t kPayload = 240;
constexpr std::uint32_t kDescriptor = 32;
constexpr std::uint32_t kReserve = 512;  // bytes of a ring
constexpr unsigned kMostOnWay = 48;      // packets to a node
constexpr unsigned kLocal = 8;           // as a torus FIFO
enum Kind : unsigned { kMemoryFifo, kPut, kGet };
static_assert(sizeof(DMA_InjDescriptor_t) == kDescriptor);
}  // namespace

DmaDouble* DmaDouble::current = nullptr;

DmaDouble::DmaDouble(unsigned x, unsigned y, unsigned z, unsigned processes, std::size_t bytes, unsigned rings)
    : collective(x * y * z),
      size_{x, y, z},
      processes_(processes),
      rings_(rings),
      nodes_(static_cast<std::size_t>(x) * y * z) {
  for (Node& node : nodes_) {
    std::uint32_t physical = 16 << 20;
    for (unsigned i = 0; i < processes; ++i) {
      node.memory.emplace_back(physical, bytes);
      physical += static_cast<std::uint32_t>(bytes) + (16 << 20);
    }
  }
  current = this;
}

std::array<unsigned, 3> DmaDouble::place(unsigned node) const {
  return {node % size_[0], node / size_[0] % size_[1], node / (size_[0] * size_[1])};
}

unsigned DmaDouble::node_at(unsigned x, unsigned y, unsigned z) const {
  return x + size_[0] * (y + size_[1] * z);
}

void DmaDouble::personality(_BGP_Personality_t* of) const {
  const std::array<unsigned, 3> at = place(node_of(rank));
  const auto byte = [](unsigned value) { return static_cast<std::uint8_t>(value); };
  of->Network_Config = {byte(size_[0]), byte(size_[1]), byte(size_[2]), byte(at[0]), byte(at[1]), byte(at[2])};
  of->torus = rings_;
}

bool DmaDouble::map_is_set(DMA_RecFifoMap_t* map) {
  Node& node = nodes_[node_of(rank)];
  if (node.mapped) return true;
  node.mapped = true;
  node.map = *map;
  return false;
}

std::size_t DmaDouble::Ring::free() const {
  const std::ptrdiff_t used = tail - head;
  return static_cast<std::size_t>(end - start - (used < 0 ? used + (end - start) : used));
}

// A register is read or written: the machine goes on meanwhile.
void DmaDouble::access() {
  ++accesses;
  if (meanwhile == 0 || depth_ > 0) return;
  ++depth_;
  for (unsigned steps = random() % (meanwhile + 1); steps > 0; --steps) step();
  --depth_;
}

char* DmaDouble::find(Node& node, std::uint32_t physical, std::uint32_t bytes, const char* what) {
  for (NodeMemoryDouble& memory : node.memory) {
    if (char* found = memory.at(physical, bytes)) return found;
  }
  error(std::string(what) + " at physical " + std::to_string(physical) + ", " + std::to_string(bytes) + " bytes");
  return nullptr;
}

// The nodes that get a packet: with the deposit bit, all that it comes to on its line.
std::vector<unsigned> DmaDouble::passed(unsigned from, const DMA_InjDescriptor_t& d, unsigned to) const {
  if (d.deposit == 0) return {to};
  unsigned direction = 0;
  while (DMA_PACKET_HINT_XP >> direction != d.hints) ++direction;
  const unsigned dimension = direction / 2, size = size_[dimension];
  std::vector<unsigned> all;
  for (std::array<unsigned, 3> at = place(from); all.empty() || all.back() != to;) {
    at[dimension] = (at[dimension] + (direction % 2 ? size - 1 : 1)) % size;
    all.push_back(node_at(at[0], at[1], at[2]));
  }
  return all;
}

bool DmaDouble::send(unsigned from, unsigned number, unsigned fifo) {
  Node& node = nodes_[from];
  Ring& ring = node.groups[number].injection[fifo];
  if (ring.head == ring.tail || from == held_) return false;
  Packet packet;
  std::memcpy(&packet.descriptor, ring.head, kDescriptor);
  const DMA_InjDescriptor_t& d = packet.descriptor;
  packet.from = from;
  packet.to = d.local ? from : node_at(d.x, d.y, d.z);
  if ((d.local != 0) != ring.local) error("a descriptor in a ring of the other kind");
  if (packet.to >= nodes_.size()) {
    error("destination outside the machine");
    return false;
  }
  const std::vector<unsigned> targets = passed(from, d, packet.to);
  for (const unsigned target : targets) {
    if (nodes_[target].on_way >= kMostOnWay) return false;
  }
  DMA_CounterHw& counter = node.groups[d.inj_group].counters[DMA_Type_Injection][d.inj_counter];
  if (!counter.enabled) error("injection counter that is not enabled");
  packet.offset = ring.sent;
  packet.bytes = std::min(kPayload, d.length - ring.sent);
  if (d.kind == kGet && d.length != kDescriptor) error("a remote get of more than one descriptor");
  const char* data = find(node, counter.base * 16 + d.offset + ring.sent, packet.bytes, "read");
  if (data == nullptr) return false;
  // A message of several packets has packets of one size: what lies behind its last byte means nothing.
  const std::uint32_t room = d.chunks * 32u - 16;
  if (d.chunks == 0 || d.chunks > 8 || packet.bytes > room || (d.length > kPayload && d.chunks != 8)) {
    error("a message of " + std::to_string(d.length) + " bytes in packets of " + std::to_string(d.chunks) + " chunks");
    return false;
  }
  packet.payload.assign(room, 0xEE);
  std::memcpy(packet.payload.data(), data, packet.bytes);
  counter.value -= packet.bytes;
  ring.sent += packet.bytes;
  if (ring.sent == d.length) {
    ring.sent = 0;
    ring.head += kDescriptor;
    if (ring.head == ring.end) ring.head = ring.start;
    ++descriptors;
  }
  for (const unsigned target : targets) ++nodes_[target].on_way;
  deposits += d.deposit;
  if (!d.local && d.vc <= DMA_PACKET_VC_D1) {
    nodes_[packet.to].anyhow.push_back(std::move(packet));
    return true;
  }
  unsigned torus_fifo = kLocal;
  if (!d.local) {
    do torus_fifo = random() % 8;
    while ((ring.map >> torus_fifo & 1u) == 0);
  }
  for (const unsigned target : targets) {
    packet.to = target;
    ways_[Way{from, torus_fifo, target}].push_back(packet);
  }
  return true;
}

bool DmaDouble::put(Node& node, const Packet& packet) {
  const DMA_InjDescriptor_t& d = packet.descriptor;
  DMA_CounterHw& counter = node.groups[d.rec_group].counters[DMA_Type_Reception][d.rec_counter];
  if (!counter.enabled) error("reception counter that is not enabled");
  char* to = find(node, counter.base * 16 + d.hwHdr.Put_Offset + packet.offset, packet.bytes, "write");
  if (to != nullptr) std::memcpy(to, packet.payload.data(), packet.bytes);
  if (counter.value < packet.bytes && !counter.wraps) error("reception counter below zero");
  counter.value -= packet.bytes;
  if (counter.value == 0) counter.hit = true;
  return true;
}

bool DmaDouble::get(const Packet& packet) {
  Node& node = nodes_[packet.to];
  const DMA_InjDescriptor_t& d = packet.descriptor;
  Ring& ring = node.groups[d.rec_group].injection[d.rec_counter];
  if (!ring.taken) error("a remote get to a FIFO that nobody has");
  if (ring.free() <= kReserve) {
    error("a remote get found its FIFO full");
    return false;
  }
  std::memcpy(ring.tail, packet.payload.data(), kDescriptor);
  ring.tail += kDescriptor;
  if (ring.tail == ring.end) ring.tail = ring.start;
  wake(packet.to, d.rec_group, d.rec_counter);
  return true;
}

bool DmaDouble::receive(Node& node, const Packet& packet) {
  const DMA_InjDescriptor_t& d = packet.descriptor;
  const unsigned fifo = node.map.ts_rec_map[d.rec_group][packet.descriptor.local ? 7 : random() % 7];
  Ring& ring = node.groups[fifo / 8].reception[fifo % 8];
  if (!ring.taken) {
    error("a packet for a reception FIFO that nobody has");
    return true;
  }
  const std::size_t bytes = 16 + packet.payload.size();
  if (ring.free() < bytes + kReserve) return false;
  const DMA_PacketHeader_t header{d.hwHdr.SW_Arg, d.function, d.hwHdr.Single_Packet_Parameter + packet.offset,
                                  static_cast<std::uint32_t>(bytes / 32)};
  std::vector<std::uint8_t> image(bytes);
  std::memcpy(image.data(), &header, sizeof header);
  std::memcpy(image.data() + sizeof header, packet.payload.data(), packet.payload.size());
  for (std::size_t i = 0; i < bytes; i += 16) {
    std::memcpy(ring.tail, &image[i], 16);
    ring.tail += 16;
    if (ring.tail == ring.end) ring.tail = ring.start;
  }
  return true;
}

bool DmaDouble::deliver(const Packet& packet) {
  Node& node = nodes_[packet.to];
  const unsigned kind = packet.descriptor.kind;
  const bool taken = kind == kPut ? put(node, packet) : kind == kGet ? get(packet) : receive(node, packet);
  if (!taken) return false;
  --node.on_way;
  ++packets;
  return true;
}

void DmaDouble::wake(unsigned node, unsigned number, unsigned fifo) {
  Ring& ring = nodes_[node].groups[number].injection[fifo];
  if (ring.busy) return;
  ring.busy = true;
  busy_.push_back({node, number, fifo});
}

bool DmaDouble::step() {
  if (random() % 4 == 0 && collective.step(random)) return true;
  // Tries everything that could move, from a random place on.
  const auto choices = static_cast<unsigned>(busy_.size() + ways_.size() + nodes());
  const unsigned first = static_cast<unsigned>(random()) % choices;
  for (unsigned i = 0; i < choices; ++i) {
    unsigned n = (first + i) % choices;
    if (n < busy_.size()) {
      const Source source = busy_[n];
      if (!send(source.node, source.group, source.fifo)) continue;
      Ring& ring = nodes_[source.node].groups[source.group].injection[source.fifo];
      if (ring.head == ring.tail) {
        ring.busy = false;
        busy_[n] = busy_.back();
        busy_.pop_back();
      }
      return true;
    }
    n -= static_cast<unsigned>(busy_.size());
    if (n < ways_.size()) {
      auto way = std::next(ways_.begin(), n);
      if (!deliver(way->second.front())) continue;
      way->second.pop_front();
      if (way->second.empty()) ways_.erase(way);
      return true;
    }
    n -= static_cast<unsigned>(ways_.size());
    std::vector<Packet>& anyhow = nodes_[n].anyhow;
    if (anyhow.empty()) continue;
    std::swap(anyhow[random() % anyhow.size()], anyhow.back());
    if (!deliver(anyhow.back())) continue;
    anyhow.pop_back();
    return true;
  }
  return collective.step(random);
}

void DmaDouble::step_others(unsigned node) {
  held_ = node;
  step();
  held_ = ~0u;
}

void DmaDouble::settle() {
  while (step()) {
  }
}

bool DmaDouble::idle() const {
  if (!busy_.empty() || !ways_.empty()) return false;
  return std::all_of(nodes_.begin(), nodes_.end(), [](const Node& node) { return node.on_way == 0; });
}

int DmaDouble::poll(int fifo, DMA_RecFifoGroup_t* of) {
  Group& each = group(of->group_id);
  Ring& ring = each.reception[static_cast<unsigned>(fifo)];
  access();
  const char* tail = ring.tail;
  int count = 0;
  while (ring.head != tail) {
    DMA_PacketHeader_t header;
    std::memcpy(&header, ring.head, sizeof header);
    alignas(16) char copy[256];
    std::size_t bytes = static_cast<std::size_t>(header.chunks) * 32;
    for (std::size_t i = 0; i < bytes; i += 16) {
      std::memcpy(copy + i, ring.head, 16);
      ring.head += 16;
      if (ring.head == ring.end) ring.head = ring.start;
    }
    DMA_RecFifo_t handle{fifo};
    const auto& [function, parameter] = each.functions.at(header.Func_Id);
    if (const int code = function(&handle, &header, parameter, copy + 16, static_cast<int>(bytes) - 16)) return code;
    ++count;
  }
  return count;
}

}  // namespace toroid::testing
