// SPDX-License-Identifier: Apache-2.0
//
// Descriptors of the classes of the published headers against those of the library's builders, word by word.
#include <spi/bgp_SPI.h>
// Behind the others, whose definitions it uses.
#include <spi/DMA_DescriptorsXX.h>

#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

uint32_t state = 1;
unsigned random_below(unsigned bound) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % bound;
}

unsigned compared, different;

void compare(const char* what, const DMA_DescriptorBase& theirs, const DMA_InjDescriptor_t& ours) {
  compared++;
  if (std::memcmp(&theirs, &ours, sizeof ours) == 0) return;
  if (different++ > 5) return;
  const unsigned* a = reinterpret_cast<const unsigned*>(&theirs);
  const unsigned* b = reinterpret_cast<const unsigned*>(&ours);
  std::printf("%s:", what);
  for (int i = 0; i < 8; i++) std::printf(" %08x/%08x", a[i], b[i]);
  std::printf("\n");
}

}  // namespace

int main() {
  _BGP_Personality_t node;
  if (Kernel_GetPersonality(&node, sizeof node) != 0) return 2;
  for (unsigned i = 0; i < 2000; i++) {
    const unsigned x = random_below(node.Network_Config.Xnodes), y = random_below(node.Network_Config.Ynodes),
                   z = random_below(node.Network_Config.Znodes), hints = random_below(64), vc = random_below(4),
                   inj_group = random_below(4), inj = random_below(64), rec_group = random_below(4),
                   rec = random_below(64), fifo = random_below(32), from = random_below(1u << 24),
                   to = random_below(1u << 24), argument = random_below(1u << 24), function = random_below(256),
                   bytes = 1 + random_below(i % 2 ? 300 : 1u << 20);
    DMA_InjDescriptor_t ours;
    {
      DMA_DescriptorBase theirs, copy;
      DMA_DirectPutDescriptor put(&theirs);
      put.setDest(x, y, z);
      put.setHints(hints);
      put.setVirtualChannel(vc);
      put.setInjCounterInfo(inj_group, inj);
      put.setRecCounterInfo(rec_group, rec);
      put.setBaseOffset(from);
      put.setPutOffset(to);
      put.setMsgLength(bytes);
      DMA_TorusDirectPutDescriptor(&ours, x, y, z, hints, vc, inj_group, inj, from, rec_group, rec, to, bytes);
      compare("direct put", theirs, ours);
      theirs.clone(copy);  // by the quad loads and stores of the double FPU
      compare("copy of a direct put", copy, ours);
    }
    {
      DMA_DescriptorBase theirs;
      DMA_MemoryFifoDescriptor message(&theirs);
      message.setDest(x, y, z);
      message.setHints(hints);
      message.setVirtualChannel(vc);
      message.setInjCounterInfo(inj_group, inj);
      message.setRecFifoGroupID(rec_group);
      message.setSwArg(argument);
      message.setFunctionID(function);
      message.setBaseOffset(from);
      message.setMsgLength(bytes);
      DMA_TorusMemFifoDescriptor(&ours, x, y, z, rec_group, hints, vc, argument, function, inj_group, inj, from, bytes);
      compare("memory FIFO", theirs, ours);
    }
    {
      DMA_DescriptorBase theirs;
      DMA_RemoteGetDescriptor get(&theirs);
      get.setMsgLength(32);
      theirs.hwHdr.Chunks = 1;
      get.setDest(x, y, z);
      get.setHints(hints);
      get.setVirtualChannel(vc);
      get.setInjCounterInfo(inj_group, inj);
      get.setRecFifoGroupID(rec_group);
      get.setRemoteGetInjFifoInfo(rec_group, static_cast<int>(fifo));
      get.setBaseOffset(from);
      DMA_TorusRemoteGetDescriptor(&ours, x, y, z, hints, vc, inj_group, inj, from, rec_group, fifo);
      compare("remote get", theirs, ours);
    }
  }
  std::printf("%u descriptors compared, %u different\n", compared, different);
  return different != 0;
}
