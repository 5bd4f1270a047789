// SPDX-License-Identifier: Apache-2.0
//
// The performance counters: what the unit counts while it is started, of loads of new lines, of a put to the next node
// and of time, and what it refuses. Prints what is wrong, and how much was looked at.
#include <spi/UPC.h>
#include <stdio.h>
#include <string.h>

#include "firmware/programs/bgp/spi_program.h"

enum { kLines = 200, kLineBytes = 32 };

static unsigned checked, wrong;
static volatile uint8_t memory[4 * kLines * kLineBytes] ALIGN_L1D_CACHE;

#define CHECK(value, expected)                                                        \
  do {                                                                                \
    const long long value_ = (long long)(value), expected_ = (long long)(expected);   \
    checked++;                                                                        \
    if (value_ != expected_) {                                                        \
      wrong++;                                                                        \
      printf("line %d: %s is %lld, not %lld\n", __LINE__, #value, value_, expected_); \
    }                                                                                 \
  } while (0)

/* Loads of a line each, from `first` on. */
static void touch(unsigned first, unsigned lines) {
  for (unsigned line = first; line < first + lines; line++) (void)memory[line * kLineBytes];
}

static int64_t count_of(BGP_UPC_Event_Id_t event) {
  return BGP_UPC_Read_Counter_Value(event, BGP_UPC_READ_SHARED);
}

static int64_t misses_of(unsigned first, unsigned lines) {
  CHECK(BGP_UPC_Start(BGP_UPC_RESET_COUNTERS) > 0, 1);
  touch(first, lines);
  CHECK(BGP_UPC_Stop() > 0, 1);
  return BGP_UPC_Read_Counter_Value(BGP_PU0_DCACHE_MISS, BGP_UPC_READ_SHARED);
}

static void check_refusals(void) {
  static int64_t values[2];
  char name[BGP_UPC_MAXIMUM_LENGTH_EVENT_NAME];
  CHECK(BGP_UPC_Initialize_Counter_Config((BGP_UPC_Mode_t)4, BGP_UPC_CFG_EDGE_DEFAULT), BGP_UPC_INVALID_USER_MODE);
  CHECK(BGP_UPC_Initialize_Counter_Config(BGP_UPC_MODE_0, (BGP_UPC_Event_Edge_t)2), BGP_UPC_INVALID_EVENT_EDGE);
  CHECK(BGP_UPC_Check_Active_Event(BGP_PU0_DATA_LOADS), 0);
  CHECK(BGP_UPC_Monitor_Event(BGP_PU0_DATA_LOADS, BGP_UPC_CFG_EDGE_DEFAULT), BGP_UPC_INVALID_EVENT_ID);
  CHECK(BGP_UPC_Read_Counter(BGP_PU0_DATA_LOADS, BGP_UPC_READ_SHARED), BGP_UPC_EVENT_ID_NOT_ACTIVE);
  CHECK(BGP_UPC_Read_Counter((BGP_UPC_Event_Id_t)1024, BGP_UPC_READ_SHARED), BGP_UPC_INVALID_EVENT_ID);
  CHECK(BGP_UPC_Monitor_Event(BGP_MISC_ELAPSED_TIME, BGP_UPC_CFG_EDGE_DEFAULT),
        BGP_UPC_CANNOT_SPECIFY_ELAPSED_TIME_EVENT);
  CHECK(BGP_UPC_Read_Counters(NULL, sizeof values, BGP_UPC_READ_SHARED), BGP_UPC_BUFFER_PTR_IS_NULL);
  CHECK(BGP_UPC_Read_Counters(values, 7, BGP_UPC_READ_SHARED), BGP_UPC_BUFFER_SIZE_TOO_SMALL);
  CHECK(BGP_UPC_Read_Counters(values, sizeof values, 2), BGP_UPC_INVALID_READ_TYPE);
  CHECK(BGP_UPC_Get_Event_Name((BGP_UPC_Event_Id_t)92, sizeof name, name), BGP_UPC_INVALID_EVENT_ID);
  CHECK(BGP_UPC_Get_Event_Name((BGP_UPC_Event_Id_t)(256 + 203), sizeof name, name), 0);
  CHECK(strcmp(name, "BGP_L3_M0_W0_DEPOSIT_REQUESTS"), 0);
  CHECK(BGP_UPC_Set_Counter_Threshold_Value(BGP_TORUS_XP_PACKETS, 1000), BGP_UPC_EVENT_ID_NOT_ACTIVE);
  CHECK(BGP_UPC_Get_Counter_Threshold_Value(BGP_TORUS_XP_PACKETS), 0);
}

static void check_states(void) {
  const int32_t generation = BGP_UPC_Initialize_Counter_Config(BGP_UPC_MODE_0, BGP_UPC_CFG_LEVEL_HIGH);
  CHECK(generation, BGP_UPC_Get_Counter_State_GenNum());
  CHECK(BGP_UPC_Check_Active_Event(BGP_TORUS_XP_PACKETS), 1);
  CHECK(BGP_UPC_Set_Counter_Value(BGP_TORUS_XP_PACKETS, 5000000000ll), generation + 1);
  CHECK(BGP_UPC_Read_Counter(BGP_TORUS_XP_PACKETS, BGP_UPC_READ_SHARED), 5000000000ll);
  CHECK(BGP_UPC_Zero_Counter_Value(BGP_TORUS_XP_PACKETS), generation + 2);
  CHECK(BGP_UPC_Read_Counter(BGP_TORUS_XP_PACKETS, BGP_UPC_READ_SHARED), 0);
  CHECK(BGP_UPC_Monitor_Event(BGP_TORUS_XP_PACKETS, BGP_UPC_CFG_LEVEL_HIGH), BGP_UPC_EVENT_ID_CURRENTLY_ACTIVE);

  const int32_t starts = BGP_UPC_Start(BGP_UPC_NO_RESET_COUNTERS);
  CHECK(BGP_UPC_Check_Active(), 1);
  CHECK(BGP_UPC_Start(BGP_UPC_NO_RESET_COUNTERS), starts);
  CHECK(BGP_UPC_Start(BGP_UPC_RESET_COUNTERS), BGP_UPC_IS_ACTIVE);
  CHECK(BGP_UPC_Initialize_Counter_Config(BGP_UPC_MODE_0, BGP_UPC_CFG_EDGE_RISE), BGP_UPC_IS_ACTIVE);
  (void)BGP_UPC_Read_Counter(BGP_TORUS_XP_PACKETS, BGP_UPC_READ_EXCLUSIVE);
  CHECK(BGP_UPC_Get_Start_Stop_GenNum(), starts + 1);
  CHECK(BGP_UPC_Stop(), starts + 2);
  CHECK(BGP_UPC_Stop(), starts + 2);
}

/* Between two reads of a started unit, time goes on as the time base does; stopped, it stands. */
static void check_time(void) {
  CHECK(BGP_UPC_Start(BGP_UPC_RESET_COUNTERS) > 0, 1);
  const int64_t before = BGP_UPC_Read_Counter(BGP_MISC_ELAPSED_TIME, BGP_UPC_READ_SHARED);
  const uint64_t base = _bgp_GetTimeBase();
  while (_bgp_GetTimeBase() - base < 100000) {
  }
  const int64_t passed = BGP_UPC_Read_Counter(BGP_MISC_ELAPSED_TIME, BGP_UPC_READ_SHARED) - before;
  CHECK(passed >= 100000 && passed < 102000, 1);
  (void)BGP_UPC_Stop();
  CHECK(BGP_UPC_Read_Counter(BGP_MISC_ELAPSED_TIME, BGP_UPC_READ_SHARED),
        BGP_UPC_Read_Counter(BGP_MISC_ELAPSED_TIME, BGP_UPC_READ_SHARED));
}

/* Of new lines each is one miss more than the start and stop of the unit have themselves; of old ones none is. */
static void check_caches(void) {
  (void)misses_of(0, 1);
  const int64_t own = misses_of(0, 1);
  CHECK(misses_of(kLines, kLines) - own, kLines);
  CHECK(count_of(BGP_PU0_ICACHE_MISS), 0);
  CHECK(count_of(BGP_PU0_L2_READ_REQUESTS) - own, kLines);
  /* A line of the prefetch buffer holds four of these, and most are there when they are asked for. */
  const int64_t fetched = count_of(BGP_PU0_L2_VALID_PREFETCH_REQUESTS);
  CHECK(fetched >= kLines / 4 - 2 && fetched < kLines / 4 + 8, 1);
  const int64_t hits = count_of(BGP_PU0_L2_PREFETCH_HITS_IN_STREAM);
  CHECK(hits > kLines * 9 / 10 && hits <= kLines, 1);
  CHECK(misses_of(kLines, kLines) - own, 0);
  CHECK(count_of(BGP_PU0_L2_VALID_PREFETCH_REQUESTS), 0);
  CHECK(misses_of(2 * kLines, 2 * kLines) - own, 2 * kLines);
}

/* One put to the next node along X+: 18 packets of 256 bytes with headers of 16; the DMA fills up the last one. */
static void check_put(const spi_place_t* place) {
  enum { kBytes = 4096, kPackets = 18, kChunks = kPackets * 8 };
  static uint8_t source[kBytes], target[kBytes];
  const spi_coordinates_t to = spi_coordinates((place->rank + 1) % place->ranks);
  DMA_InjFifoGroup_t* const fifos = spi_injection_fifos(place);
  DMA_CounterGroup_t* const sent = spi_counters(place, DMA_Type_Injection);
  DMA_CounterGroup_t* const received = spi_counters(place, DMA_Type_Reception);
  DMA_InjDescriptor_t descriptor;
  spi_expect(DMA_CounterSetValueBase(&sent->counter[0], kBytes, source) != 0, "injection counter");
  DMA_CounterSetEnableById(sent, 0);
  spi_expect(DMA_CounterSetValueBaseMax(&received->counter[1], kBytes, target, target + kBytes - 1) != 0,
             "reception counter");
  DMA_CounterClearHitZeroById(received, 1);
  DMA_CounterSetEnableById(received, 1);
  spi_barrier();
  CHECK(BGP_UPC_Start(BGP_UPC_RESET_COUNTERS) > 0, 1);
  (void)DMA_TorusDirectPutDescriptor(&descriptor, to.x, to.y, to.z, DMA_PACKET_HINT_XP, DMA_PACKET_VC_D0, 0, 0, 0, to.t,
                                     1, 0, kBytes);
  if (!DMA_InjFifoInjectDescriptorById(fifos, 0, &descriptor)) spi_expect(ENOSPC, "injection FIFO");
  while (!DMA_CounterGetHitZeroById(received, 1)) {
  }
  spi_barrier();
  (void)BGP_UPC_Stop();
  CHECK(BGP_UPC_Read_Counter(BGP_DMA_DESCRIPTORS_READ_FROM_L3, BGP_UPC_READ_SHARED), 1);
  CHECK(BGP_UPC_Read_Counter(BGP_DMA_PACKETS_INJECTED, BGP_UPC_READ_SHARED), kPackets);
  CHECK(BGP_UPC_Read_Counter(BGP_TORUS_XP_PACKETS, BGP_UPC_READ_SHARED), kPackets);
  CHECK(BGP_UPC_Read_Counter(BGP_TORUS_XM_PACKETS, BGP_UPC_READ_SHARED), 0);
  CHECK(BGP_UPC_Read_Counter(BGP_TORUS_XP_32BCHUNKS, BGP_UPC_READ_SHARED), kChunks);
  CHECK(BGP_UPC_Read_Counter(BGP_TORUS_XM_32BCHUNKS, BGP_UPC_READ_SHARED), 0);
}

static void check_structure(const spi_place_t* place) {
  static union {
    BGP_UPC_Read_Counters_Struct_t all;
    uint8_t bytes[BGP_UPC_MAXIMUM_LENGTH_READ_COUNTERS_STRUCTURE];
  } read;
  CHECK(sizeof read.all, BGP_UPC_MINIMUM_LENGTH_READ_COUNTERS_STRUCTURE);
  CHECK(BGP_UPC_Read_Counter_Values(&read, sizeof read, BGP_UPC_READ_EXCLUSIVE), BGP_UPC_Get_Start_Stop_GenNum());
  CHECK(read.all.rank, place->rank);
  CHECK(read.all.mode, BGP_UPC_MODE_0);
  CHECK(read.all.number_of_counters, 256);
  CHECK(read.all.elapsed_time, read.all.counter[255]);
  CHECK(read.all.counter[BGP_PU0_DATA_LOADS], 0);
}

int main(void) {
  const spi_place_t place = spi_place();
  BGP_UPC_Initialize();
  CHECK(BGP_UPC_Check_Active(), 0);
  CHECK(BGP_UPC_Get_Counter_Mode(), 0);
  CHECK(BGP_UPC_Check_Active_Event(BGP_TORUS_XP_PACKETS), place.rank % 2 == 0);  // by default, of even nodes
  check_states();
  check_refusals();
  check_time();
  check_structure(&place);
  check_put(&place);
  if (BGP_UPC_Check_Active_Event(BGP_PU0_DCACHE_MISS)) check_caches();
  printf("rank %u: %u looked at, %u wrong\n", place.rank, checked, wrong);
  return wrong != 0;
}
