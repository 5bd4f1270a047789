// SPDX-License-Identifier: Apache-2.0
#include "nic/bgp/dma_message.h"

#include "nic/common/register_bank.h"

namespace toroid {

unsigned dma_descriptor_counter(const DmaMessage& message) {
  return load_word<std::uint32_t>(message.bytes.data() + 4) & BGP_DMA_DESCRIPTOR1_COUNTER_MASK;
}

void DmaMessage::decode(std::uint32_t base) {
  for (unsigned i = 0; i < words.size(); ++i) words[i] = load_word<std::uint32_t>(bytes.data() + 4 * i);
  const std::uint32_t header = words[BGP_DMA_DESCRIPTOR_HEADER_WORD];
  local = (words[0] & BGP_DMA_DESCRIPTOR0_LOCAL) != 0;
  counter = static_cast<std::uint8_t>(words[1] & BGP_DMA_DESCRIPTOR1_COUNTER_MASK);
  source = (std::uint64_t{base} << 4) + words[2];
  chunks = static_cast<std::uint8_t>(torus_chunks0(header));
  if ((words[0] & BGP_DMA_DESCRIPTOR0_PREFETCH) != 0) {
    kind = Kind::prefetch;
    chunks = TORUS_MAX_CHUNKS;  // no packet goes anywhere
  } else if (!bgp_dma_is_direct(header)) {
    kind = Kind::memory_fifo;
  } else {
    kind = (bgp_dma_flags3(words[7]) & BGP_DMA_FLAG_REMOTE_GET) != 0 ? Kind::remote_get : Kind::put;
  }
}

std::string DmaMessage::text() const {
  static constexpr const char* kKinds[] = {"memory FIFO message", "put", "remote get", "prefetch"};
  std::string text = std::string("a ") + (local ? "local " : "") + kKinds[static_cast<unsigned>(kind)] + " of " +
                     std::to_string(length()) + " bytes";
  if (local || kind == Kind::prefetch) return text;
  const torus_fields_t fields = torus_decode(words[4], words[5]);
  return text + " to (" + std::to_string(fields.destination[0]) + "," + std::to_string(fields.destination[1]) + "," +
         std::to_string(fields.destination[2]) + ")";
}

DmaMessage& DmaMessagePool::allocate() {
  if (free_.empty()) {
    all_.push_back(std::make_unique<DmaMessage>());
    return *all_.back();
  }
  DmaMessage& message = *free_.back();
  free_.pop_back();
  message = DmaMessage{};
  return message;
}

}  // namespace toroid
