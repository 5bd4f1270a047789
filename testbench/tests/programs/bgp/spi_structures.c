// SPDX-License-Identifier: Apache-2.0
//
// The SPI on structures whose registers are memory of the program: polling with all its limits, packets that wrap round
// the end of a FIFO, the table of receive functions, headers of the collective network, atomics, the place of a node.
// Prints what is wrong, and how much was looked at.
#include <bpcore/bgp_atomic_ops.h>
#include <common/bgp_personality_inlines.h>
#include <spi/bgp_SPI.h>
#include <spi/bgp_collective_spi.h>
#include <spi/bgp_torus_spi.h>
#include <stdio.h>
#include <string.h>

static unsigned checked, wrong;

#define CHECK(value, expected)                                                        \
  do {                                                                                \
    const long long value_ = (long long)(value), expected_ = (long long)(expected);   \
    checked++;                                                                        \
    if (value_ != expected_) {                                                        \
      wrong++;                                                                        \
      printf("line %d: %s is %lld, not %lld\n", __LINE__, #value, value_, expected_); \
    }                                                                                 \
  } while (0)

// A group of three FIFOs, of FIFO numbers 1, 4 and 6 of group 1, and a header FIFO.
enum { kFifos = 3, kBytes = DMA_MIN_REC_FIFO_SIZE_IN_BYTES };
static DMA_RecFifoGroup_t group;
static DMA_RecFifoStatus_t status;
static DMA_FifoHW_t registers[DMA_NUM_REC_FIFOS_PER_GROUP];
static uint8_t memory[DMA_NUM_REC_FIFOS_PER_GROUP][kBytes] ALIGN_L1D_CACHE;

/// What receive functions have seen.
static struct {
  int packets, bytes, stop_at, result;
  uint32_t order;  ///< FIFO numbers, a hexadecimal digit each, the last at the right
  unsigned bad_payload, functions;
} seen;

static void update_not_empty(void) {
  for (int i = 0; i < DMA_NUM_REC_FIFOS_PER_GROUP; i++) {
    const DMA_RecFifo_t* fifo = &group.fifos[i];
    if (fifo->dma_fifo.fifo_hw_ptr == NULL) continue;
    const int word = fifo->global_fifo_id >> 5;
    const unsigned bit = word == 0 ? _BN(fifo->global_fifo_id) : group.mask & 0x01010101;
    const void* tail = (char*)fifo->dma_fifo.va_start + (registers[i].pa_tail - registers[i].pa_start) * 16;
    if (fifo->dma_fifo.va_head == tail)
      status.not_empty[word] &= ~bit;
    else
      status.not_empty[word] |= bit;
  }
}

static void init_fifo(int place, unsigned char number) {
  DMA_RecFifo_t* fifo = &group.fifos[place];
  fifo->global_fifo_id = number;
  fifo->dma_fifo.fifo_hw_ptr = &registers[place];
  fifo->dma_fifo.fifo_size = kBytes / 16;
  fifo->dma_fifo.va_start = fifo->dma_fifo.va_head = fifo->dma_fifo.va_tail = memory[place];
  fifo->dma_fifo.va_end = memory[place] + kBytes;
  fifo->dma_fifo.pa_start = registers[place].pa_start = registers[place].pa_head = registers[place].pa_tail =
      0x100 + 0x1000u * (unsigned)place;
  registers[place].pa_end = registers[place].pa_start + kBytes / 16;
}

static void init_group(void) {
  memset(&group, 0, sizeof group);
  memset(&status, 0, sizeof status);
  memset(&seen, 0, sizeof seen);
  seen.stop_at = -1;
  group.group_id = 1;
  group.mask = 0x00FF0000;
  group.num_normal_fifos = kFifos;
  group.num_hdr_fifos = 1;
  group.status_ptr = &status;
  init_fifo(0, 9);
  init_fifo(1, 12);
  init_fifo(2, 14);
  init_fifo(DMA_HEADER_REC_FIFO_ID, 33);
}

/// As the DMA does: a packet at the tail, quad by quad round the ring.
static void arrive(int place, unsigned chunks, unsigned function, uint8_t first) {
  DMA_RecFifo_t* fifo = &group.fifos[place];
  char* at = (char*)fifo->dma_fifo.va_start + (registers[place].pa_tail - registers[place].pa_start) * 16;
  DMA_PacketHeader_t header;
  memset(&header, 0, sizeof header);
  header.Chunks = chunks - 1;
  header.Func_Id = function;
  header.SW_Arg = first;
  memcpy(at, &header, 16);
  const unsigned quads = place == DMA_HEADER_REC_FIFO_ID ? 1 : 2 * chunks;
  for (unsigned quad = 1; quad < quads; quad++) {
    at = (char*)bgp_fifo_advance(&fifo->dma_fifo, at, 1);
    for (unsigned i = 0; i < 16; i++) at[i] = (char)(first + (quad - 1) * 16 + i);
  }
  at = (char*)bgp_fifo_advance(&fifo->dma_fifo, at, 1);
  registers[place].pa_tail = bgp_fifo_pa(&fifo->dma_fifo, at);
  update_not_empty();
}

static int on_packet(DMA_RecFifo_t* fifo, DMA_PacketHeader_t* header, void* parameter, char* payload, int bytes) {
  seen.packets++;
  seen.bytes += bytes;
  seen.order = seen.order << 4 | (fifo->global_fifo_id & 15u);
  seen.functions |= 1u << (unsigned)(uintptr_t)parameter;
  for (int i = 0; i < bytes; i++) seen.bad_payload += (uint8_t)payload[i] != (uint8_t)(header->SW_Arg + i);
  seen.bad_payload += (uintptr_t)payload % 16 != 0 || (uintptr_t)header % 16 != 0;
  // The packet is the last one if the next begins at the tail.
  const unsigned quads = fifo->global_fifo_id >= 32 ? 1 : 2 * (header->Chunks + 1);
  void* kept = fifo->dma_fifo.va_head;
  fifo->dma_fifo.va_head = bgp_fifo_advance(&fifo->dma_fifo, header, quads);
  update_not_empty();
  fifo->dma_fifo.va_head = kept;
  return seen.packets == seen.stop_at ? seen.result : 0;
}

static int function;

static void one_fifo(void) {
  init_group();
  CHECK(DMA_RecFifoPollNormalFifoById(5, 0, 3, 10, &group), 0);
  for (int i = 0; i < 7; i++) arrive(0, 1 + i % 8, (unsigned)function, (uint8_t)(i * 10));
  CHECK(DMA_RecFifoGetNotEmptyById(&group, 0), _BN(9));
  CHECK(DMA_RecFifoGetNotEmptyById(&group, 1), 0);
  CHECK(DMA_RecFifoPollNormalFifoById(5, 0, 0, 0, &group), 5);
  CHECK(seen.bytes, (1 + 2 + 3 + 4 + 5) * 32 - 5 * 16);
  CHECK(registers[0].pa_head, registers[0].pa_start + 2 * (1 + 2 + 3 + 4 + 5));
  CHECK(DMA_RecFifoSimplePollNormalFifoById(0, &group, 0), 2);
  CHECK(registers[0].pa_head, registers[0].pa_tail);
  CHECK(seen.bad_payload, 0);
  CHECK(DMA_RecFifoGetFreeSpaceById(&group, 0, 1, 1), kBytes / 16);

  // Round the ring many times: packets lie across its end in every way.
  for (int i = 0; i < 2000; i++) {
    arrive(0, 1 + (unsigned)i * 5 % 8, (unsigned)function, (uint8_t)i);
    CHECK(DMA_RecFifoSimplePollNormalFifoById(0, &group, 1), 1);
  }
  CHECK(seen.bad_payload, 0);
  CHECK(seen.packets, 2007);

  // A look takes what is there; the limit counts looks.
  for (int i = 0; i < 40; i++) arrive(0, 2, (unsigned)function, 0);
  CHECK(DMA_RecFifoSimplePollNormalFifoById(0, &group, 1), 40);
}

static void end_of_polling(void) {
  init_group();
  for (int i = 0; i < 4; i++) arrive(1, 1, (unsigned)function, 0);
  seen.stop_at = 2;
  seen.result = -5;
  CHECK(DMA_RecFifoPollNormalFifoById(100, 1, 0, 0, &group), -5);
  CHECK(registers[1].pa_head, registers[1].pa_start + 4);  // the packet has been taken
  seen.stop_at = 3;
  seen.result = 9;
  CHECK(DMA_RecFifoSimplePollNormalFifos(&group, 0), 9);
  CHECK(DMA_RecFifoSimplePollNormalFifos(&group, 0), 1);
  // Func_Id 255 is nobody's: the function for it ends polling, whatever it returns.
  arrive(1, 1, 255, 0);
  arrive(1, 1, (unsigned)function, 0);
  seen.functions = 0;
  CHECK(DMA_RecFifoSimplePollNormalFifos(&group, 0), 1);
  CHECK(seen.functions, 1u << 7);
  CHECK(DMA_RecFifoSimplePollNormalFifos(&group, 0), 1);
}

static void several_fifos(void) {
  int next = -1;
  init_group();
  for (int i = 0; i < 3; i++) arrive(0, 1, (unsigned)function, 0);
  for (int i = 0; i < 2; i++) arrive(2, 1, (unsigned)function, 0);
  CHECK(DMA_RecFifoGetNotEmpty(&group, 0), _BN(9) | _BN(14));
  CHECK(DMA_RecFifoPollNormalFifos(3, 2, 0, 0, 0, &group, &next), 3);
  CHECK(seen.order, 0x99E);
  CHECK(next, 2);  // it has more than it was allowed
  CHECK(DMA_RecFifoPollNormalFifos(100, 1, next, 0, 0, &group, &next), 2);
  CHECK(seen.order, 0x99EE9);
  CHECK(DMA_RecFifoPollNormalFifos(100, 1, 1, 2, 5, &group, &next), 0);

  for (int i = 0; i < 2; i++)
    for (int place = 0; place < kFifos; place++) arrive(place, 1, (unsigned)function, 0);
  seen.order = 0;
  CHECK(DMA_RecFifoSimplePollNormalFifos(&group, 2), 4);
  CHECK(seen.order, 0x99CC);
  CHECK(DMA_RecFifoSimplePollNormalFifos(&group, 0), 2);

  for (int i = 0; i < 3; i++) arrive(DMA_HEADER_REC_FIFO_ID, 8, 0, 0);
  CHECK(DMA_RecFifoGetNotEmptyById(&group, DMA_HEADER_REC_FIFO_ID) != 0, 1);
  seen.functions = 0;
  CHECK(DMA_RecFifoPollHeaderFifo(2, 0, 0, &group), 2);
  CHECK(DMA_RecFifoPollHeaderFifo(2, 0, 0, &group), 1);
  CHECK(seen.functions, 1u << 6);
}

static void receive_functions(void) {
  int last = 0, count = 0;
  CHECK(DMA_RecFifoRegisterRecvFunction(NULL, NULL, 0, 0), -EINVAL);
  CHECK(DMA_RecFifoRegisterRecvFunction(on_packet, NULL, 1, 1), -EINVAL);
  CHECK(DMA_RecFifoRegisterRecvFunction(on_packet, (void*)7, 1, 0), 0);
  CHECK(DMA_RecFifoRegisterRecvFunction(on_packet, (void*)7, 1, 0), -EBUSY);
  CHECK(DMA_RecFifoRegisterRecvFunction(on_packet, (void*)6, 0, 1), 0);
  CHECK(DMA_RecFifoRegisterRecvFunction(on_packet, (void*)6, 0, 1), -EBUSY);
  while (last >= 0) {
    last = DMA_RecFifoRegisterRecvFunction(on_packet, (void*)1, 0, 0);
    if (last >= 0) CHECK(last, count++);
  }
  CHECK(count, 256);
  CHECK(last, -EBUSY);
  CHECK(DMA_RecFifoDeRegisterRecvFunction(17, 0, 0), 0);
  CHECK(DMA_RecFifoDeRegisterRecvFunction(255, 0, 0), 0);
  CHECK(DMA_RecFifoDeRegisterRecvFunction(256, 0, 0), -EINVAL);
  function = DMA_RecFifoRegisterRecvFunction(on_packet, (void*)2, 0, 0);
  CHECK(function, 17);
}

static void collective(void) {
  CollHwHdr header;
  // Class 3, not to one node, no interrupt; ADD of 64-bit operands; checksum of all.
  CHECK(CollectiveMakeAluHdr(&header, 3, _BGP_TREE_OPCODE_ADD, _BGP_TREE_OPSIZE_BIT64)->CtvHdr.word, 0x33030003);
  CHECK(CollectiveMakeBcastHdr(&header, 1, 0x155)->CtvHdr.word, 0x10000557);
  CHECK(CollectiveMakeSendHdr(&header, 15, 0xABCDE)->CtvHdr.word, 0xFC2AF379);
  CHECK(CollectiveMakePtpHdr(&header, 15, 0, 1, _BGP_TREE_CSUM_NONE)->CtvHdr.word, 0xF8000004);
  uint16_t payload[4] = {1, 2, 0xFFFF, 4};
  CollectiveInjectionCsumInit(1, 10, 20);
  CollectiveInjectionCsumAdd(1, 0x00030004, payload, 8);
  CHECK(CollectiveInjectionCsumGet(_BGP_TREE_CSUM_VC1_HEADER), 17);
  CHECK(CollectiveInjectionCsumGet(_BGP_TREE_CSUM_VC1_PAYLOAD), 20 + 7 + 0xFFFF);
  CHECK(CollectiveInjectionCsumGet(_BGP_TREE_CSUM_VC0_HEADER), 0);
}

static void torus(void) {
  _BGP_TorusPacketHeader_t header;
  (void)_bgp_TorusMakeHeader(&header, 1, 2, 3, 1, _BGP_TORUS_PKT_HINT_YM, 0x11, 0x22);
  CHECK(header.hwh0.word, 0x08110401);
  CHECK(header.hwh1.word, 0x02030000);
  CHECK(header.hwh3.word, 0x22);
}

static void atomics(void) {
  static _BGP_Atomic word = _BGP_ATOMIC_INIT(5);
  uint32_t old = 4;
  CHECK((uintptr_t)&word % 32, 0);
  CHECK(_bgp_fetch_and_add(&word, 3), 5);
  CHECK(_bgp_fetch_and_or(&word, 0x30), 8);
  CHECK(_bgp_fetch_and_and(&word, 0x18), 0x38);
  CHECK(_bgp_test_and_set(&word, 1), 1);
  CHECK(_bgp_test_and_set(&word, 1), 0);
  CHECK(_bgp_compare_and_swap(&word, &old, 100), 0);
  CHECK(old, 0x19);
  CHECK(_bgp_compare_and_swap(&word, &old, 100), 1);
  CHECK(_BGP_ATOMIC_READ(&word), 100);
  CHECK(_bgp_cntlz(0x00010000), 15);
  const uint64_t before = _bgp_GetTimeBase();
  _bgp_Delay(1000);
  CHECK(_bgp_GetTimeBase() - before >= 1000, 1);
}

/// The double FPU's loads and stores, by the assembler's macros.
static void quads(void) {
  static _QuadWord_t from, to, word;
  for (unsigned i = 0; i < 16; i++) from.ub[i] = (uint8_t)(i * 17);
  _bgp_QuadMove(&from, &to, 3);
  CHECK(memcmp(&from, &to, 16), 0);
  _bgp_QuadLoad(&from, 31);
  _bgp_QuadStore(&word, 31);
  CHECK(memcmp(&from, &word, 16), 0);
  bgp_quads_to_device((uint32_t)&word, &to, 1);
  CHECK(memcmp(&word, &to, 16), 0);
}

static void location(void) {
  char text[BGPPERSONALITY_MAX_LOCATION];
  // A compute card: rack 2, column 11, upper midplane, node card 4, card 31.
  BGP_Personality_locationString(13u << 27 | 2u << 23 | 11u << 19 | 1u << 18 | 4u << 14 | 31u << 8, text);
  CHECK(strcmp(text, "R2B-M1-N04-J31"), 0);
  BGP_Personality_locationString(0, text);
  CHECK(strcmp(text, "Rxx-Mx-Nxx-Jxx"), 0);
}

int main(void) {
  receive_functions();
  one_fifo();
  end_of_polling();
  several_fifos();
  collective();
  torus();
  atomics();
  quads();
  location();
  printf("%u looked at, %u wrong\n", checked, wrong);
  return wrong != 0;
}
