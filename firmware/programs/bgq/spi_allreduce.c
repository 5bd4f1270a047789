/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reductions of all nodes by the SPI, over the class that the job has from its start on: by direct puts, which go
 * straight to the result and count it down, and by packets to memory FIFOs. Of each node process 0 takes part.
 *
 *     ./toroid run --machine bgq --shape 2x2x2x2x2 spi_allreduce
 */
#include <spi/include/mu/RecFifo.h>

#include "firmware/programs/bgq/spi_program.h"

enum { kWords = 300, kTarget = 0, kCounter = 1, kClass = 0, kFunction = 3, kRing = 8192 };

static uint64_t input[kWords] ALIGN_L2_CACHE;
static uint64_t result[kWords] ALIGN_L2_CACHE;
static uint8_t packets_memory[kRing] ALIGN_L1_CACHE;
static volatile uint64_t counter ALIGN_L2_CACHE;

static spi_place_t place;
static uint32_t node, nodes;
static unsigned reductions, wrong;
static uint64_t received;

static uint64_t word(uint32_t of, uint32_t i) {
  return of * 1000003ull + i * 17 + (i % 7 == 0 ? 1ull << 40 : 0);
}
static double number(uint32_t of, uint32_t i) {
  return (double)of + i * 0.25; /* sums of these are exact */
}

typedef uint64_t (*expected_t)(uint32_t i);
static uint64_t sum(uint32_t i) {
  uint64_t all = 0;
  for (uint32_t n = 0; n < nodes; ++n) all += word(n, i);
  return all;
}
static uint64_t most(uint32_t i) {
  return word(nodes - 1, i);
}
static uint64_t parity(uint32_t i) {
  uint64_t all = 0;
  for (uint32_t n = 0; n < nodes; ++n) all ^= word(n, i);
  return all;
}
static uint64_t sum_of_numbers(uint32_t i) {
  double all = 0;
  uint64_t bits;
  for (uint32_t n = 0; n < nodes; ++n) all += number(n, i);
  memcpy(&bits, &all, sizeof bits);
  return bits;
}

static const struct {
  uint8_t operation;
  expected_t expected;
} kOperations[] = {{MUHWI_COLLECTIVE_OP_CODE_UNSIGNED_ADD, sum},
                   {MUHWI_COLLECTIVE_OP_CODE_UNSIGNED_MAX, most},
                   {MUHWI_COLLECTIVE_OP_CODE_XOR, parity},
                   {MUHWI_COLLECTIVE_OP_CODE_FLOATING_POINT_ADD, sum_of_numbers}};

static void prepare(uint8_t operation) {
  for (uint32_t i = 0; i < kWords; ++i) {
    const double value = number(node, i);
    input[i] = word(node, i);
    if (operation == MUHWI_COLLECTIVE_OP_CODE_FLOATING_POINT_ADD) memcpy(&input[i], &value, sizeof value);
  }
  memset(result, 0xA5, sizeof result);
}
static void compare(expected_t expected, uint32_t words) {
  for (uint32_t i = 0; i < kWords; ++i) wrong += result[i] != (i < words ? expected(i) : 0xA5A5A5A5A5A5A5A5ull);
  ++reductions;
}

static void describe(MUSPI_BaseDescriptorInfoFields_t* base, MUSPI_CollectiveDescriptorInfoFields_t* collective,
                     uint8_t operation, uint64_t bytes) {
  memset(base, 0, sizeof *base);
  memset(collective, 0, sizeof *collective);
  base->Payload_Address = spi_physical(input);
  base->Message_Length = bytes;
  base->Torus_FIFO_Map = MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_CUSER;
  collective->Op_Code = operation;
  collective->Word_Length = sizeof input[0];
  collective->Class_Route = kClass;
  collective->Misc = MUHWI_PACKET_VIRTUAL_CHANNEL_USER_SUB_COMM | MUHWI_COLLECTIVE_TYPE_ALLREDUCE;
}

static void by_put(MUSPI_InjFifoSubGroup_t* fifos, uint8_t operation, uint32_t words) {
  MUSPI_CollectiveDirectPutDescriptorInfo_t info;
  MUHWI_Descriptor_t descriptor;
  const uint32_t slots = place.subgroup * BGQ_MU_NUM_DATA_COUNTERS_PER_SUBGROUP;
  counter = words * sizeof input[0];
  spi_barrier();
  memset(&info, 0, sizeof info);
  describe(&info.Base, &info.Collective, operation, words * sizeof input[0]);
  info.DirectPut.Rec_Payload_Base_Address_Id = (uint16_t)(slots + kTarget);
  info.DirectPut.Rec_Counter_Base_Address_Id = (uint16_t)(slots + kCounter);
  MUSPI_CreateCollectiveDirectPutDescriptor(&descriptor, &info);
  spi_inject(fifos, &descriptor);
  while (counter != 0) continue;
  ppc_msync();
}

static int receive(void* parameter, MUHWI_PacketHeader_t* packet, uint32_t packet_bytes) {
  const uint64_t bytes = packet_bytes - sizeof *packet;
  const uint64_t offset = packet->messageUnitHeader.Packet_Types.Memory_FIFO.Put_Offset_LSB;
  (void)parameter;
  memcpy((char*)result + offset, packet + 1, offset + bytes <= sizeof result ? bytes : sizeof result - offset);
  received += bytes;
  return 0;
}
static void by_message(MUSPI_InjFifoSubGroup_t* fifos, MUSPI_RecFifo_t* fifo, uint8_t operation, uint32_t words) {
  MUSPI_CollectiveMemoryFIFODescriptorInfo_t info;
  MUHWI_Descriptor_t descriptor;
  received = 0;
  spi_barrier();
  memset(&info, 0, sizeof info);
  describe(&info.Base, &info.Collective, operation, words * sizeof input[0]);
  info.MemFIFO.Rec_FIFO_Id = (uint16_t)(place.subgroup * BGQ_MU_NUM_REC_FIFOS_PER_SUBGROUP);
  info.MemFIFO.SoftwareBytes[0] = kFunction;
  MUSPI_CreateCollectiveMemoryFIFODescriptor(&descriptor, &info);
  spi_inject(fifos, &descriptor);
  while (received < words * sizeof input[0]) MUSPI_RecFifoPoll(fifo, 4);
}

int main(void) {
  place = spi_place();
  node = place.rank / place.processes;
  nodes = place.ranks / place.processes;
  MUSPI_InjFifoSubGroup_t* fifos = spi_injection_fifos(&place);
  MUSPI_RecFifo_t* fifo = spi_reception_fifo(&place, packets_memory, kRing);
  MUSPI_BaseAddressTableSubGroup_t* bases = spi_base_addresses(&place);
  MUSPI_SetBaseAddress(bases, kTarget, spi_physical(result));
  MUSPI_SetBaseAddress(bases, kCounter, MUSPI_GetAtomicAddress(spi_physical(&counter), MUHWI_ATOMIC_OPCODE_STORE_ADD));
  MUSPI_RegisterRecvFunction(receive, NULL, kFunction);

  for (unsigned i = 0; i < sizeof kOperations / sizeof kOperations[0]; ++i) {
    static const uint32_t words[] = {1, 64, kWords};
    for (unsigned n = 0; n < 3; ++n) {
      prepare(kOperations[i].operation);
      by_put(fifos, kOperations[i].operation, words[n]);
      compare(kOperations[i].expected, words[n]);
    }
    prepare(kOperations[i].operation);
    by_message(fifos, fifo, kOperations[i].operation, 64);
    compare(kOperations[i].expected, 64);
  }
  spi_barrier();
  printf("rank %u: %u reductions over %u nodes: %u words are wrong\n", place.rank, reductions, nodes, wrong);
  return wrong != 0;
}
