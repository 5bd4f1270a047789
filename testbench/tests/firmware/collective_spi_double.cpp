// SPDX-License-Identifier: Apache-2.0
// The SPI of the collective network, the global interrupts and the lockbox over CollectiveDouble.
#include <cstring>

#include "firmware/bgp/dcmf/collective/node.h"
#include "testbench/tests/firmware/dma_double.h"

extern "C" {
#include "spi/bgp_collective_spi.h"
}

using toroid::testing::CollectiveDouble;
using toroid::testing::DmaDouble;

namespace {

DmaDouble& machine() {
  return *DmaDouble::current;
}

CollectiveDouble& networks() {
  return machine().collective;
}

/// The node of the rank that calls; others may move things first.
CollectiveDouble::Node& node() {
  machine().access();
  return networks().node(machine().node_of(machine().rank));
}

void refuse(const char* what) {
  networks().errors.emplace_back(what);
}

}  // namespace

extern "C" {

void _bgp_TreeGetStatus(int, _BGP_TreeFifoStatus* stat) {
  const CollectiveDouble::Node& here = node();
  const auto injection = static_cast<std::uint32_t>(here.injection.size());
  const auto reception = static_cast<std::uint32_t>(here.reception.size());
  *stat = {16 * injection, injection, 16 * reception, reception};
}

void _bgp_TreeRawSendHeader(int, _BGP_TreeHwHdr* hdrHW) {
  CollectiveDouble::Node& here = node();
  if (here.written != 16) refuse("a packet without its payload");
  if (here.injection.size() == CollectiveDouble::kFifoPackets) return refuse("a write to a full tree FIFO");
  here.leaving.header = hdrHW->CtvHdr.word;
  here.injection.push_back(here.leaving);
  here.written = 0;
}

void _bgp_TreeRawReceiveHeader(int, _BGP_TreeHwHdr* hdrHW) {
  CollectiveDouble::Node& here = node();
  hdrHW->CtvHdr.word = 0;
  if (here.reception.empty()) return refuse("a read of an empty tree FIFO");
  here.arriving = here.reception.front();
  here.reception.pop_front();
  hdrHW->CtvHdr.word = here.arriving.header;
}

void bgp_tree_send_quads(int, const void* pyld, unsigned quads) {
  CollectiveDouble::Node& here = node();
  if (here.written + quads > 16) return refuse("more than a payload");
  std::memcpy(here.leaving.payload.data() + std::size_t{4} * here.written, pyld, std::size_t{16} * quads);
  here.written += quads;
}

// From the front: what has been read makes room for the rest.
void bgp_tree_receive_quads(int, void* pyld, unsigned quads) {
  CollectiveDouble::Node& here = node();
  std::memcpy(pyld, here.arriving.payload.data(), std::size_t{16} * quads);
  std::memmove(here.arriving.payload.data(), here.arriving.payload.data() + std::size_t{4} * quads,
               sizeof here.arriving.payload - std::size_t{16} * quads);
}

GlobInt_Status_t GlobInt_GetStatus(void) {
  return {8u, 8u, networks().usable ? 8u : 0u};
}
void GlobInt_SetARMType(uint32_t, uint32_t) {}
uint32_t GlobInt_IsRaised(uint32_t) {
  return node().receives;
}
uint32_t GlobInt_QueryDone(uint32_t) {
  return node().interrupt;
}
void GlobInt_Disarm(int) {
  CollectiveDouble::Node& here = node();
  here.interrupt = false;
  here.sends = true;
}
void GlobInt_Fire(int) {
  networks().fire(machine().node_of(machine().rank));
}

uint32_t LockBox_Query(LockBox_Counter_t lba) {
  machine().access();
  return *lba;
}
uint32_t LockBox_FetchAndInc(LockBox_Counter_t lba) {
  machine().access();
  return (*lba)++;
}
int Kernel_AllocateLockBox(uint32_t lockid, uint32_t numlocks, uint32_t** ptr, uint32_t) {
  for (uint32_t i = 0; i < numlocks; ++i) ptr[i] = &node().locks[lockid + i];
  return 0;
}

void* dcmf_node_memory(size_t bytes) {
  std::vector<std::uint64_t>& shared = node().shared;
  if (shared.empty()) shared.resize(bytes / 8 + 2);
  const auto start = reinterpret_cast<std::uintptr_t>(shared.data());
  return reinterpret_cast<void*>((start + 15) / 16 * 16);
}

}  // extern "C"
