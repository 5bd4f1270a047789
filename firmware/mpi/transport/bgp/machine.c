// SPDX-License-Identifier: Apache-2.0
// The job, its processes and their places.
#include <stdio.h>

#include "firmware/mpi/transport/bgp/bgp.h"

const char mpit_name[] = "DCMF on Blue Gene/P";
const char mpit_architecture[] = "powerpc";

struct toroid_activity toroid_activity;

DCMF_Memregion_t mpit_bgp_memory;

static DCMF_Hardware_t hardware;

void mpit_init(void) {
  size_t bytes;
  DCMF_Messager_initialize();
  mpit_bgp_check(DCMF_Hardware(&hardware), "DCMF_Hardware");
  mpit_bgp_check(DCMF_Memregion_create(&mpit_bgp_memory, &bytes, (size_t)-1, NULL, 0), "DCMF_Memregion_create");
  mpit_bgp_limits_init();
  mpit_bgp_messages_init();
  mpit_bgp_networks_init();
  mpit_bgp_remote_memory_init();
}

int mpit_provide_threads(int required) {
  DCMF_Configure_t configuration = {.thread_level = (DCMF_Thread)required, .interrupts = DCMF_INTERRUPTS_OFF};
  mpit_bgp_check(DCMF_Messager_configure(&configuration, &configuration), "DCMF_Messager_configure");
  return (int)configuration.thread_level;
}
_Static_assert((int)DCMF_THREAD_SINGLE == MPI_THREAD_SINGLE && (int)DCMF_THREAD_FUNNELED == MPI_THREAD_FUNNELED &&
                   (int)DCMF_THREAD_SERIALIZED == MPI_THREAD_SERIALIZED &&
                   (int)DCMF_THREAD_MULTIPLE == MPI_THREAD_MULTIPLE,
               "levels of threads are DCMF's");

uint32_t mpit_rank(void) {
  return hardware.lrank;
}

uint32_t mpit_size(void) {
  return hardware.lsize;
}

void mpit_end_job(int status) {
  register uint32_t r0 __asm__("r0") = TOROID_SYS_END_JOB;
  register uint32_t r3 __asm__("r3") = (uint32_t)status;
  __asm__ volatile("sc" : "+r"(r0), "+r"(r3) : : "memory");
  __builtin_unreachable();
}

bool mpit_is_failing(void) {
  return DCMF_Failing_flag != 0;
}

// ---------------------------------------------------------------------------------------------------------------
// The clock: the cores' time bases count together from the machine's start.

double mpit_tick(void) {
  return DCMF_Tick();
}

double mpit_time(void) {
  return DCMF_Timer();
}

// ---------------------------------------------------------------------------------------------------------------
// Places: x, y, z in the torus, t in the node.

enum { X, Y, Z, T, AXES };

static void place_of(uint32_t rank, uint32_t place[AXES]) {
  DCMF_NetworkCoord_t at;
  mpit_bgp_check(DCMF_Messager_rank2network(rank, DCMF_TORUS_NETWORK, &at), "DCMF_Messager_rank2network");
  place[X] = at.torus.x;
  place[Y] = at.torus.y;
  place[Z] = at.torus.z;
  place[T] = at.torus.t;
}

unsigned mpit_axes(void) {
  return AXES;
}

void mpit_place(uint32_t rank, int axes[]) {
  uint32_t place[AXES];
  place_of(rank, place);
  for (int axis = X; axis < AXES; ++axis) axes[axis] = (int)place[axis];
}

static unsigned hops(uint32_t from, uint32_t to, uint32_t size, bool ring) {
  const uint32_t straight = from < to ? to - from : from - to;
  return ring && size - straight < straight ? size - straight : straight;
}

unsigned mpit_hops(uint32_t from, uint32_t to) {
  uint32_t here[AXES], there[AXES];
  place_of(from, here);
  place_of(to, there);
  return hops(here[X], there[X], hardware.xSize, hardware.xTorus != 0) +
         hops(here[Y], there[Y], hardware.ySize, hardware.yTorus != 0) +
         hops(here[Z], there[Z], hardware.zSize, hardware.zTorus != 0);
}

uint32_t mpit_node(uint32_t rank) {
  uint32_t place[AXES];
  place_of(rank, place);
  return (place[Z] * hardware.ySize + place[Y]) * hardware.xSize + place[X];
}

uint32_t mpit_io_set(void) {
  return hardware.idOfPset;
}

void mpit_processor_name(char* name) {
  snprintf(name, MPI_MAX_PROCESSOR_NAME, "node (%u,%u,%u) core %u", hardware.xCoord, hardware.yCoord, hardware.zCoord,
           hardware.tCoord);
}
