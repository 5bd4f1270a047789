// SPDX-License-Identifier: Apache-2.0
// The job, its processes and their places.
#include <spi/include/kernel/location.h>
#include <spi/include/kernel/process.h>
#include <stdio.h>

#include "firmware/mpi/transport/bgq/bgq.h"

const char mpit_name[] = "PAMI on Blue Gene/Q";
const char mpit_architecture[] = "powerpc64";

struct toroid_activity toroid_activity;

pami_client_t mpit_bgq_client;
pami_context_t mpit_bgq_context;

/// The axes of places: a, b, c, d, e in the torus, t in the node.
enum { A, B, C, D, E, T, AXES };

static uint32_t rank, size;
static uint32_t shape[T];            ///< of the machine, in nodes
static bool ring[T];                 ///< whether an axis is one
static BG_CoordinateMapping_t* map;  ///< by rank

static size_t client_value(pami_attribute_name_t name) {
  pami_configuration_t question = {.name = name};
  mpit_bgq_check(PAMI_Client_query(mpit_bgq_client, &question, 1), "PAMI_Client_query");
  return question.value.intval;
}

/// The longest message that is sent and received at once.
static size_t immediate(void) {
  size_t least = SIZE_MAX;
  for (size_t number = MPIT_BGQ_SHORT; number < MPIT_BGQ_EAGER; ++number) {
    pami_configuration_t question[] = {{.name = PAMI_DISPATCH_SEND_IMMEDIATE_MAX},
                                       {.name = PAMI_DISPATCH_RECV_IMMEDIATE_MAX}};
    mpit_bgq_check(PAMI_Dispatch_query(mpit_bgq_context, number, question, 2), "PAMI_Dispatch_query");
    for (int i = 0; i < 2; ++i) {
      if (question[i].value.intval < least) least = question[i].value.intval;
    }
  }
  return least;
}

static void shape_init(void) {
  Personality_t personality;
  Kernel_GetPersonality(&personality, sizeof personality);
  const Personality_Networks_t* network = &personality.Network_Config;
  const uint32_t nodes[T] = {network->Anodes, network->Bnodes, network->Cnodes, network->Dnodes, network->Enodes};
  for (int axis = A; axis <= E; ++axis) {
    shape[axis] = nodes[axis];
    ring[axis] = (network->NetFlags & ND_ENABLE_TORUS(axis)) != 0;
  }
}

void mpit_init(void) {
  mpit_bgq_check(PAMI_Client_create("MPI", &mpit_bgq_client, NULL, 0), "PAMI_Client_create");
  mpit_bgq_check(PAMI_Context_createv(mpit_bgq_client, NULL, 0, &mpit_bgq_context, 1), "PAMI_Context_createv");
  rank = (uint32_t)client_value(PAMI_CLIENT_TASK_ID);
  size = (uint32_t)client_value(PAMI_CLIENT_NUM_TASKS);
  shape_init();
  mpit_bgq_messages_init();
  mpit_bgq_remote_memory_init();
  mpit_bgq_limits_init(immediate());
  mpit_bgq_networks_init();
}

void mpit_bgq_dispatch(size_t number, pami_dispatch_p2p_function function, void* cookie, pami_dispatch_hint_t hints) {
  hints.multicontext = PAMI_HINT_DISABLE;
  hints.consistency = PAMI_HINT_ENABLE;
  hints.long_header = PAMI_HINT_DISABLE;
  mpit_bgq_check(
      PAMI_Dispatch_set(mpit_bgq_context, number, (pami_dispatch_callback_function){.p2p = function}, cookie, hints),
      "PAMI_Dispatch_set");
}

void mpit_bgq_failed(pami_result_t result, const char* call) {
  mpii_end("%s fails with result %d", call, (int)result);
}

uint32_t mpit_rank(void) {
  return rank;
}

uint32_t mpit_size(void) {
  return size;
}

void mpit_end_job(int status) {
  register uint64_t r0 __asm__("r0") = TOROID_SYS_END_JOB;
  register uint64_t r3 __asm__("r3") = (uint32_t)status;
  __asm__ volatile("sc" : "+r"(r0), "+r"(r3) : : "memory");
  __builtin_unreachable();
}

bool mpit_is_failing(void) {
  return false;
}

// ---------------------------------------------------------------------------------------------------------------
// The clock: the cores' time bases count together from the machine's start.

double mpit_tick(void) {
  pami_configuration_t question = {.name = PAMI_CLIENT_WTICK};
  mpit_bgq_check(PAMI_Client_query(mpit_bgq_client, &question, 1), "PAMI_Client_query");
  return question.value.doubleval;
}

double mpit_time(void) {
  return PAMI_Wtime(mpit_bgq_client);
}

// ---------------------------------------------------------------------------------------------------------------
// Places

static void place_of(uint32_t which, uint32_t place[AXES]) {
  if (map == NULL) {
    uint64_t entries;
    map = mpii_allocate(size * sizeof *map);
    if (Kernel_RanksToCoords(size * sizeof *map, map, &entries) != 0)
      mpii_end("the kernel does not say where ranks are");
  }
  const BG_CoordinateMapping_t* at = &map[which];
  place[A] = at->a;
  place[B] = at->b;
  place[C] = at->c;
  place[D] = at->d;
  place[E] = at->e;
  place[T] = at->t;
}

unsigned mpit_axes(void) {
  return AXES;
}

void mpit_place(uint32_t which, int axes[]) {
  uint32_t place[AXES];
  place_of(which, place);
  for (int axis = A; axis < AXES; ++axis) axes[axis] = (int)place[axis];
}

unsigned mpit_hops(uint32_t from, uint32_t to) {
  uint32_t here[AXES], there[AXES];
  unsigned hops = 0;
  place_of(from, here);
  place_of(to, there);
  for (int axis = A; axis <= E; ++axis) {
    const uint32_t straight = here[axis] < there[axis] ? there[axis] - here[axis] : here[axis] - there[axis];
    hops += ring[axis] && shape[axis] - straight < straight ? shape[axis] - straight : straight;
  }
  return hops;
}

uint32_t mpit_node(uint32_t which) {
  uint32_t place[AXES], number = 0;
  place_of(which, place);
  for (int axis = A; axis <= E; ++axis) number = number * shape[axis] + place[axis];
  return number;
}

/// Files are the node's own business: no process shares an I/O node with another.
uint32_t mpit_io_set(void) {
  return 0;
}

void mpit_processor_name(char* name) {
  uint32_t place[AXES];
  place_of(rank, place);
  snprintf(name, MPI_MAX_PROCESSOR_NAME, "node (%u,%u,%u,%u,%u) core %u", place[A], place[B], place[C], place[D],
           place[E], (unsigned)Kernel_ProcessorCoreID());
}
