/* SPDX-License-Identifier: Apache-2.0 */
/* Prints sums over what the functions of the SPI's headers make of random arguments: descriptors, addresses, routes. On
 * the machine's own headers and on those of drivers/bgq it prints the same. */
#include <spi/include/kernel/MU.h>
#include <spi/include/l2/atomic.h>
#include <spi/include/mu/Addressing_inlines.h>
#include <spi/include/mu/Classroute_inlines.h>
#include <spi/include/mu/Descriptor_inlines.h>
#include <stdlib.h>

#include "bgq.h"

#define TIMES 2000

static MUHWI_Descriptor_t descriptor;

static void base(MUSPI_BaseDescriptorInfoFields_t* info) {
  info->Pre_Fetch_Only = (uint32_t)below(2);
  info->Payload_Address = dice() >> 27;
  info->Message_Length = dice() >> below(64);
  info->Torus_FIFO_Map = below(65536);
  info->Dest.Destination.Destination = (uint32_t)dice();
}
static void pt2pt(MUSPI_Pt2PtDescriptorInfoFields_t* info) {
  fill(info, sizeof *info);
}
static void collective(MUSPI_CollectiveDescriptorInfoFields_t* info) {
  fill(info, sizeof *info);
  info->Op_Code &= 0xF0;
  info->Word_Length = (uint16_t)(4u << below(8));
}

#define BUILD(kind, type, part, member)                                      \
  static void build_##kind##type(void) {                                     \
    MUSPI_##kind##type##DescriptorInfo_t info;                               \
    fill(&info, sizeof info);                                                \
    base(&info.Base);                                                        \
    part(&info.kind);                                                        \
    fill(&info.member, sizeof info.member);                                  \
    fill(&descriptor, sizeof descriptor);                                    \
    add((uint64_t)MUSPI_Create##kind##type##Descriptor(&descriptor, &info)); \
    add_bytes(&descriptor, sizeof descriptor);                               \
  }
BUILD(Pt2Pt, MemoryFIFO, pt2pt, MemFIFO)
BUILD(Pt2Pt, DirectPut, pt2pt, DirectPut)
BUILD(Pt2Pt, RemoteGet, pt2pt, RemoteGet)
BUILD(Collective, MemoryFIFO, collective, MemFIFO)
BUILD(Collective, DirectPut, collective, DirectPut)
BUILD(Collective, RemoteGet, collective, RemoteGet)

/* A field of a random descriptor. */
#define EACH_SET(name, ...)                                                   \
  do {                                                                        \
    unsigned each_ = 0;                                                       \
    sum = 1469598103934665603ull;                                             \
    for (; each_ < TIMES; ++each_) {                                          \
      fill(&descriptor, sizeof descriptor);                                   \
      MUSPI_##name(&descriptor, __VA_ARGS__);                                 \
      add_bytes(&descriptor, sizeof descriptor);                              \
    }                                                                         \
    printf("%s, %u times: %016llx\n", #name, each_, (unsigned long long)sum); \
  } while (0)

static void fields(void) {
  uint8_t bytes[14];
  MUHWI_Destination_t destination;
  EACH_SET(SetDataPacketType, (uint8_t)dice());
  EACH_SET(SetMessageUnitPacketType, (uint8_t)dice());
  EACH_SET(SetPrefetchOnly, (uint32_t)dice());
  EACH_SET(SetPayload, dice(), dice_state);
  EACH_SET(SetTorusInjectionFIFOMap, dice());
  EACH_SET(SetDestination, (destination.Destination.Destination = (uint32_t)dice(), destination));
  EACH_SET(SetHints, (uint8_t)dice(), (uint8_t)(dice_state >> 8));
  EACH_SET(SetHintsABCD, (uint8_t)dice());
  EACH_SET(SetPt2PtMisc1, (uint8_t)dice());
  EACH_SET(SetRouteToIONode, (uint8_t)dice());
  EACH_SET(SetReturnFromIONode, (uint8_t)dice());
  EACH_SET(SetRouting, (uint8_t)dice());
  EACH_SET(SetDeposit, (uint8_t)dice());
  EACH_SET(SetPt2PtMisc2, (uint8_t)dice());
  EACH_SET(SetPt2PtVirtualChannel, (uint8_t)dice());
  EACH_SET(SetZoneRouting, (uint8_t)dice());
  EACH_SET(SetStayOnBubble, (uint8_t)dice());
  EACH_SET(SetPt2PtSkip, (uint16_t)dice());
  EACH_SET(SetOpCode, (uint8_t)dice());
  EACH_SET(SetWordLength, (uint8_t)(4u << below(6)));
  EACH_SET(SetClassRoute, (uint8_t)dice());
  EACH_SET(SetCollectiveMisc, (uint8_t)dice());
  EACH_SET(SetCollectiveVirtualChannel, (uint8_t)dice());
  EACH_SET(SetCollectiveType, (uint8_t)dice());
  EACH_SET(SetCollectiveSkip, (uint16_t)dice());
  EACH_SET(SetRecFIFOId, (uint16_t)dice());
  EACH_SET(SetRecPutOffset, dice());
  EACH_SET(SetInterrupt, (uint32_t)dice());
  EACH_SET(SetSoftwareBit, (uint8_t)dice());
  EACH_SET(SetSoftwareBytes, (fill(bytes, sizeof bytes), bytes));
  EACH_SET(SetSoftwareByte, (uint8_t)below(14), (uint8_t)(dice_state >> 40));
  EACH_SET(SetRecPayloadBaseAddressInfo, (uint16_t)dice(), dice_state);
  EACH_SET(SetRecCounterBaseAddressInfo, (uint16_t)dice(), dice_state);
  EACH_SET(SetPacing, (uint8_t)dice());
  EACH_SET(SetRemoteGetInjFIFOId, (uint16_t)dice());
}

static void set_size(void) {
  fill(&descriptor, sizeof descriptor);
  MUSPI_SetSize(&descriptor);
  add_bytes(&descriptor, sizeof descriptor);
  MUSPI_DescriptorZeroOut(&descriptor);
  add_bytes(&descriptor, sizeof descriptor);
  add(MUSPI_DescriptorGetNumPacketChunks(below(600)));
}
static void set_destination(void) {
  MUHWI_Destination_t to;
  MUSPI_SetUpDestination(&to, (uint32_t)below(64), (uint32_t)below(64), (uint32_t)below(64), (uint32_t)below(64),
                         (uint32_t)below(64));
  add(to.Destination.Destination);
}

static void addresses(void) {
  static MUHWI_BaseAddress_t slots[8];
  MUSPI_BaseAddressTableSubGroup_t table;
  const uint8_t slot = (uint8_t)below(8);
  memset(&table, 0, sizeof table);
  table.permissions = (uint8_t)(0x80 >> slot);
  table.hw_bat = slots;
  add((uint64_t)MUSPI_SetBaseAddress(&table, slot, dice() >> 27));
  add(slots[slot]);
  add(MUSPI_GetBaseAddress(&table, slot));
  add(MUSPI_GetOffsetFromBaseAddress(&table, slot, dice() >> 28));
  add(MUSPI_GetAtomicOffsetFromBaseAddress(&table, slot, dice() >> 28 & ~7ull, below(8)));
  add(MUSPI_GetAtomicAddress(dice() >> 28 & ~7ull, below(8)));
}
static void aliases(void) {
  add((uint64_t)L2_AtomicOpTidPointer((volatile uint64_t*)(dice() >> 20 & ~7ull), below(16), (uint32_t)below(8)));
}

static void rectangle(CR_RECT_T* rect, const CR_RECT_T* inside, int extent) {
  int d;
  for (d = 0; d < CR_NUM_DIMS; ++d) {
    const uint32_t low = inside != NULL ? inside->ll.coords[d] : 0;
    const uint32_t high = inside != NULL ? inside->ur.coords[d] : (uint32_t)extent - 1;
    rect->ll.coords[d] = low + (uint32_t)below(high - low + 1);
    rect->ur.coords[d] = rect->ll.coords[d] + (uint32_t)below(high - rect->ll.coords[d] + 1);
  }
}
static void order(int* dims) {
  int i;
  for (i = 0; i < CR_NUM_DIMS; ++i) dims[i] = i;
  for (i = CR_NUM_DIMS - 1; i > 0; --i) {
    const int j = (int)below((uint64_t)i + 1), kept = dims[i];
    dims[i] = dims[j];
    dims[j] = kept;
  }
}
static void routes(void) {
  CR_RECT_T world, comm;
  CR_COORD_T root, other, me, excluded[4];
  ClassRoute_t route;
  int dims[CR_NUM_DIMS], primary = 0, d, i;
  rectangle(&world, NULL, 5);
  rectangle(&comm, &world, 0);
  order(dims);
  MUSPI_PickWorldRoot(&world, below(2) ? dims : NULL, &root, &primary);
  add_bytes(&root, sizeof root);
  add((uint64_t)primary);
  for (d = 0; d < CR_NUM_DIMS; ++d)
    me.coords[d] = comm.ll.coords[d] + (uint32_t)below(comm.ur.coords[d] - comm.ll.coords[d] + 1);
  for (i = 0; i < 4; ++i)
    for (d = 0; d < CR_NUM_DIMS; ++d)
      excluded[i].coords[d] = comm.ll.coords[d] + (uint32_t)below(comm.ur.coords[d] - comm.ll.coords[d] + 1);
  MUSPI_BuildNodeClassroute(&world, &root, &me, &comm, below(2) ? dims : NULL, (int)below(5), &route);
  add_bytes(&route, sizeof route);
  MUSPI_BuildNodeClassrouteSparse(&world, &root, &me, &comm, excluded, (int)below(5), dims, (int)below(5), &route);
  add_bytes(&route, sizeof route);
  world.ur.coords[below(5)] += 1; /* longer than 1 somewhere */
  for (d = 0, i = 0; d < CR_NUM_DIMS; ++d) i += world.ur.coords[d] > world.ll.coords[d];
  if (i == 0) return;
  MUSPI_PickWorldRootPair(&world, below(2) ? dims : NULL, &root, &other, &primary);
  add_bytes(&root, sizeof root);
  add_bytes(&other, sizeof other);
  add((uint64_t)primary);
}
static void rectangles(void) {
  CR_RECT_T universe, comm;
  static CR_COORD_T left[5 * 5 * 5 * 5 * 5];
  int dims[CR_NUM_DIMS], count = 0, primary = 0, nodes = 1, d;
  rectangle(&universe, NULL, 5);
  order(dims);
  for (d = 0; d < CR_NUM_DIMS; ++d) nodes *= (int)(universe.ur.coords[d] - universe.ll.coords[d] + 1);
  MUSPI_MakeNpRectMap(&universe, 1 + (int)below((uint64_t)nodes), dims, &comm, left, &count, &primary);
  add_bytes(&comm, sizeof comm);
  add((uint64_t)count);
  add((uint64_t)primary);
  add_bytes(left, (size_t)count * sizeof left[0]);
}
static void classes(void) {
  static const int types[] = {BGQ_CLASS_INPUT_VC_USER, BGQ_CLASS_INPUT_VC_SUBCOMM};
  uint32_t ids[16], count = (uint32_t)below(12), i;
  CR_RECT_T rects[3];
  int taken[8], which[8], type[8], n = 0;
  void* state = NULL;
  for (i = 0; i < count; ++i) ids[i] = (uint32_t)below(16);
  add(MUSPI_InitClassrouteIds(ids, count, 0, &state));
  for (i = 0; i < 3; ++i) rectangle(&rects[i], NULL, 3);
  for (i = 0; i < 20; ++i) {
    if (n < 8 && below(3) != 0) {
      uint32_t bits;
      which[n] = (int)below(3);
      type[n] = types[below(2)];
      bits = MUSPI_GetClassrouteIds(type[n], &rects[which[n]], &state);
      add(bits);
      bits &= ~CR_MATCH_RECT_FLAG;
      if (bits == 0) continue;
      taken[n] = __builtin_ctz(bits);
      add((uint64_t)MUSPI_SetClassrouteId(taken[n], type[n], &rects[which[n]], &state));
      ++n;
    } else if (n > 0) {
      --n;
      add((uint64_t)MUSPI_ReleaseClassrouteId(taken[n], type[n], &rects[which[n]], &state));
    }
  }
}

int main(void) {
  EACH("Pt2PtMemoryFIFO", TIMES, build_Pt2PtMemoryFIFO());
  EACH("Pt2PtDirectPut", TIMES, build_Pt2PtDirectPut());
  EACH("Pt2PtRemoteGet", TIMES, build_Pt2PtRemoteGet());
  EACH("CollectiveMemoryFIFO", TIMES, build_CollectiveMemoryFIFO());
  EACH("CollectiveDirectPut", TIMES, build_CollectiveDirectPut());
  EACH("CollectiveRemoteGet", TIMES, build_CollectiveRemoteGet());
  fields();
  EACH("SetSize, DescriptorZeroOut, DescriptorGetNumPacketChunks", 16, set_size());
  EACH("SetUpDestination", TIMES, set_destination());
  EACH("base addresses, offsets", TIMES, addresses());
  EACH("L2_AtomicOpTidPointer", TIMES, aliases());
  EACH("routes of nodes, roots", TIMES, routes());
  EACH("rectangles for a number of nodes", 100, rectangles());
  EACH("classes of rectangles", 200, classes());
  return 0;
}
