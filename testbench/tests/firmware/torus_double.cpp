// SPDX-License-Identifier: Apache-2.0
#include "testbench/tests/firmware/torus_double.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "drivers/bgl/second_core.h"

namespace toroid::testing {

TorusDouble* TorusDouble::current = nullptr;

namespace {

std::uint32_t word(const Quad& quad, unsigned index) {
  std::uint32_t value;
  std::memcpy(&value, quad.data() + 4 * index, sizeof value);
  return torus_be32(value);
}

/// The reception FIFO a deterministic packet arrives in: it travels its last dimension last.
unsigned arrival_fifo(const torus_fields_t& fields) {
  for (unsigned dimension = 3; dimension-- > 0;) {
    if (fields.hints & TORUS_HINT(2 * dimension)) return 2 * dimension + 1;  // going up: from the minus neighbour
    if (fields.hints & TORUS_HINT(2 * dimension + 1)) return 2 * dimension;
  }
  return 0;
}

}  // namespace

TorusDouble::TorusDouble(unsigned x, unsigned y, unsigned z) : size_{x, y, z} {
  current = this;
}

unsigned TorusDouble::chunks_of(const std::deque<Packet>& packets) {
  unsigned quads = 0;
  for (const Packet& packet : packets) quads += static_cast<unsigned>(packet.size());
  return quads / 2;
}

unsigned TorusDouble::injection_chunks(unsigned at, unsigned group, unsigned fifo) {
  return chunks_of(nodes_[at].injection[group][fifo]);
}

unsigned TorusDouble::reception_chunks(unsigned at, unsigned group, unsigned fifo) {
  return static_cast<unsigned>(nodes_[at].reception[group][fifo].size()) / 2;
}

void TorusDouble::error(const std::string& what) {
  errors.push_back("node " + std::to_string(node) + ": " + what);
}

Quad TorusDouble::read(std::uintptr_t address) {
  ++accesses;
  const auto offset = static_cast<unsigned>((address - BGL_TORUS_BASE) % BGL_TORUS_GROUP_STRIDE);
  const auto group = static_cast<unsigned>((address - BGL_TORUS_BASE) / BGL_TORUS_GROUP_STRIDE);
  Quad quad{};
  if (offset == BGL_TORUS_STATUS_OFFSET) {
    if (on_status && group == 0) on_status();
    for (unsigned fifo = 0; fifo < BGL_TORUS_RECEPTION_FIFOS; ++fifo) {
      quad[BGL_TORUS_STATUS_R0_BYTE + fifo] = static_cast<std::uint8_t>(reception_chunks(node, group, fifo));
    }
    for (unsigned fifo = 0; fifo < BGL_TORUS_INJECTION_FIFOS; ++fifo) {
      quad[BGL_TORUS_STATUS_I0_BYTE + fifo] = static_cast<std::uint8_t>(injection_chunks(node, group, fifo));
    }
    return quad;
  }
  for (unsigned fifo = 0; fifo < BGL_TORUS_RECEPTION_FIFOS; ++fifo) {
    if (address != bgl_torus_reception_window(group, fifo)) continue;
    auto& quads = nodes_[node].reception[group][fifo];
    if (quads.empty()) {
      error("empty FIFO R" + std::to_string(fifo) + " read");
      return quad;
    }
    quad = quads.front();
    quads.pop_front();
    return quad;
  }
  error("read of offset " + std::to_string(offset));
  return quad;
}

void TorusDouble::write(std::uintptr_t address, const Quad& quad) {
  ++accesses;
  const auto group = static_cast<unsigned>((address - BGL_TORUS_BASE) / BGL_TORUS_GROUP_STRIDE);
  for (unsigned fifo = 0; fifo < BGL_TORUS_INJECTION_FIFOS; ++fifo) {
    if (address != bgl_torus_injection_window(group, fifo)) continue;
    Packet& partial = nodes_[node].partial[group][fifo];
    partial.push_back(quad);
    const std::uint32_t word0 = word(partial.front(), 0);
    const unsigned chunks = torus_chunks0(word0);
    if (partial.size() < 2 * chunks) return;
    if (injection_chunks(node, group, fifo) + chunks > BGL_TORUS_USABLE_CHUNKS) error("full FIFO written");
    sent.push_back({group, fifo, torus_decode(word0, word(partial.front(), 1)), word(partial.front(), 2),
                    word(partial.front(), 3)});
    nodes_[node].injection[group][fifo].push_back(std::move(partial));
    partial.clear();
    return;
  }
  error("write outside the injection FIFOs");
}

bool TorusDouble::move(unsigned from, unsigned group, unsigned fifo) {
  auto& packets = nodes_[from].injection[group][fifo];
  if (packets.empty()) return false;
  const Packet& packet = packets.front();
  const torus_fields_t fields = torus_decode(word(packet[0], 0), word(packet[0], 1));
  const unsigned to = fields.destination[0] + size_[0] * (fields.destination[1] + size_[1] * fields.destination[2]);
  if (fields.dynamic != 0 && adversary != Adversary::none) {
    auto& flying = nodes_[to].flying;
    if (flying.size() >= flying_most) return false;
    flying.push_back(std::move(packets.front()));
  } else if (!arrive(to, packet, arrival_fifo(fields))) {
    return false;
  }
  packets.pop_front();
  return true;
}

bool TorusDouble::arrive(unsigned to, const Packet& packet, unsigned fifo) {
  const unsigned group = torus_decode(word(packet[0], 0), word(packet[0], 1)).pid;
  auto& quads = nodes_[to].reception[group][fifo];
  if (quads.size() + packet.size() > 2 * BGL_TORUS_FIFO_CHUNKS) return false;
  quads.insert(quads.end(), packet.begin(), packet.end());
  return true;
}

bool TorusDouble::deliver(unsigned to) {
  auto& flying = nodes_[to].flying;
  if (flying.empty()) return false;
  const auto from = adversary == Adversary::reverse ? flying.end() - 1 : flying.begin() + random() % flying.size();
  const unsigned fifo = adversary == Adversary::reverse ? 0 : static_cast<unsigned>(random() % 6);
  if (!arrive(to, *from, fifo)) return false;
  flying.erase(from);
  return true;
}

void TorusDouble::settle() {
  for (bool moved = true; moved;) {
    moved = false;
    for (auto& entry : nodes_) {
      const unsigned at = entry.first;
      for (unsigned group = 0; group < 2; ++group) {
        for (unsigned fifo = 0; fifo < BGL_TORUS_INJECTION_FIFOS; ++fifo) {
          while (move(at, group, fifo)) moved = true;
        }
      }
    }
    for (auto& entry : nodes_) {
      while (deliver(entry.first)) moved = true;
    }
  }
}

void TorusDouble::plant(unsigned at, unsigned group, unsigned fifo, std::array<std::uint32_t, 4> header,
                        unsigned chunks) {
  Quad quad;
  header[0] |= (chunks - 1) << TORUS_HEADER0_CHUNKS_SHIFT;
  for (unsigned i = 0; i < 4; ++i) {
    const std::uint32_t value = torus_be32(header[i]);
    std::memcpy(quad.data() + 4 * i, &value, sizeof value);
  }
  auto& quads = nodes_[at].reception[group][fifo];
  quads.push_back(quad);
  quads.insert(quads.end(), 2 * chunks - 1, Quad{});
}

}  // namespace toroid::testing

// The driver's access seam.

extern "C" {

bgl_quad_t bgl_access_read(std::uintptr_t address) {
  auto& torus = *toroid::testing::TorusDouble::current;
  alignas(16) toroid::testing::Quad bytes;
  if (toroid::testing::NodeDouble::is_scratchpad(address)) {
    torus.shared[torus.node].read(address, bytes.data(), sizeof bytes);
  } else {
    bytes = torus.read(address);
  }
  return bgl_quad_load(bytes.data());
}

void bgl_access_write(std::uintptr_t address, bgl_quad_t quad) {
  auto& torus = *toroid::testing::TorusDouble::current;
  alignas(16) toroid::testing::Quad bytes;
  bgl_quad_store(bytes.data(), quad);
  if (toroid::testing::NodeDouble::is_scratchpad(address)) {
    torus.shared[torus.node].write(address, bytes.data(), sizeof bytes);
  } else {
    torus.write(address, bytes);
  }
}

std::uint32_t bgl_access_read_word(std::uintptr_t address) {
  auto& torus = *toroid::testing::TorusDouble::current;
  if (toroid::testing::WiresDouble::is_register(address)) return torus.wires.read_word(torus.node);
  return torus.shared[torus.node].read_word(address);
}

void bgl_access_write_word(std::uintptr_t address, std::uint32_t word) {
  auto& torus = *toroid::testing::TorusDouble::current;
  if (!toroid::testing::WiresDouble::is_register(address)) {
    torus.shared[torus.node].write_word(address, word);
    return;
  }
  const std::string wrong = torus.wires.write_word(torus.node, address, word);
  if (!wrong.empty()) torus.errors.push_back("node " + std::to_string(torus.node) + ": " + wrong);
}

// The host's caches are coherent.
void bgl_access_flush_line(const void*) {}
void bgl_access_store_line(const void*) {}
void bgl_access_flush_cache(void) {}
void bgl_access_zero_line(void* memory) {
  std::memset(reinterpret_cast<void*>(reinterpret_cast<std::uintptr_t>(memory) & ~std::uintptr_t{31}), 0, 32);
}
void bgl_access_touch_line(const void*) {}

// Nothing runs on a second core here.
int bgl_second_core_start(void (*)(void*), void*, void*, std::uint32_t) {
  return ENOSYS;
}

void bgl_second_core_fail(const char* line, int status) {
  std::fputs(line, stderr);
  std::exit(status);
}

void bgl_access_barrier(void) {}

// The hardware drops the low four bits of an address: here such an access ends the test.
bgl_quad_t bgl_quad_load(const void* memory) {
  if (reinterpret_cast<std::uintptr_t>(memory) % sizeof(bgl_quad_t) != 0) std::abort();
  return bgl_quad_load_unaligned(memory);
}

void bgl_quad_store(void* memory, bgl_quad_t quad) {
  if (reinterpret_cast<std::uintptr_t>(memory) % sizeof quad != 0) std::abort();
  std::memcpy(memory, quad.byte, sizeof quad);
}

}  // extern "C"
