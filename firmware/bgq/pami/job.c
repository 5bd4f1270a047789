// SPDX-License-Identifier: Apache-2.0
// Where the process is in the job, and where the others are.
#include "firmware/bgq/pami/job.h"

#include <stdlib.h>
#include <string.h>

#include "firmware/bgq/pami/node.h"
#include "firmware/bgq/pami/resources.h"
#include "firmware/bgq/pami/spi.h"

pami_job_t pami_job;

// Fields of a word of the map, from the least significant bit on.
enum { kT = 0, kD = 6, kC = 12, kB = 18, kA = 24, kE = 31 };

void pami_job_coordinates(pami_task_t task, size_t coordinates[PAMI_DIMENSIONS + 1]) {
  const uint32_t word = pami_job.map[task];
  coordinates[0] = word >> kA & 63;
  coordinates[1] = word >> kB & 63;
  coordinates[2] = word >> kC & 63;
  coordinates[3] = word >> kD & 63;
  coordinates[4] = word >> kE;
  coordinates[5] = word >> kT & 63;
}

bool pami_job_task_at(const size_t coordinates[PAMI_DIMENSIONS + 1], pami_task_t* task) {
  for (unsigned d = 0; d < PAMI_DIMENSIONS; ++d)
    if (coordinates[d] >= pami_job.size[d]) return false;
  if (coordinates[PAMI_DIMENSIONS] >= pami_job.processes) return false;
  const uint32_t word = (uint32_t)(coordinates[0] << kA | coordinates[1] << kB | coordinates[2] << kC |
                                   coordinates[3] << kD | coordinates[4] << kE | coordinates[5] << kT);
  for (pami_task_t other = 0; other < pami_job.tasks; ++other)
    if (pami_job.map[other] == word) {
      *task = other;
      return true;
    }
  return false;
}

// Whether packets from x to `to` leave in plus direction, as routers choose it: by cut-offs that depend on the parity
// of the node's coordinates, so that both ways round a ring are used where they are as long (fw_nd.c of the machine).
static bool goes_plus(const uint8_t* from, unsigned dimension, int to) {
  const int n = pami_job.size[dimension], x = from[dimension];
  int plus = n - 1, minus = 0;
  if (pami_job.torus[dimension]) {
    unsigned sum = 0;
    for (unsigned d = 0; d < PAMI_DIMENSIONS; ++d) sum += from[d];
    const int half = n / 2, less = half > 0 ? half - 1 : 0;
    plus = x + (sum % 2 ? less : half);
    minus = x - (sum % 2 ? half : less);
    if (plus > n - 1) plus = n - 1;
    if (minus < 0) minus = 0;
  }
  return to > x ? to <= plus : to < minus;
}

// First link of the way: messages take the longest dimension first.
static uint8_t first_link(const uint8_t* from, const uint8_t* to) {
  unsigned best = PAMI_DIMENSIONS;
  for (unsigned d = 0; d < PAMI_DIMENSIONS; ++d)
    if (from[d] != to[d] && (best == PAMI_DIMENSIONS || pami_job.size[d] > pami_job.size[best])) best = d;
  return best == PAMI_DIMENSIONS ? PAMI_LOCAL_DIRECTION
                                 : (uint8_t)(2 * best + (goes_plus(from, best, to[best]) ? 0 : 1));
}

static uint8_t distance(unsigned dimension, int from, int to) {
  const int n = pami_job.size[dimension], straight = from < to ? to - from : from - to;
  return (uint8_t)(pami_job.torus[dimension] && n - straight < straight ? n - straight : straight);
}

void pami_job_find(pami_task_t task, pami_peer_t* peer) {
  size_t at[PAMI_DIMENSIONS + 1];
  uint8_t there[PAMI_DIMENSIONS];
  pami_job_coordinates(task, at);
  uint32_t node = 0, destination = 0, flexibility = 0;
  uint8_t hops = 0, dimensions = 0;
  uint16_t ways = 0;
  for (unsigned d = 0; d < PAMI_DIMENSIONS; ++d) {
    there[d] = (uint8_t)at[d];
    node = node * pami_job.size[d] + there[d];
    destination = destination << 6 | there[d];
    if (there[d] == pami_job.here[d]) continue;
    const uint8_t steps = distance(d, pami_job.here[d], there[d]);
    hops = (uint8_t)(hops + steps);
    ++dimensions;
    if (d < 4) flexibility += steps * 1000u / pami_job.size[d];
    ways |= pami_direction_map(2 * d + (goes_plus(there, d, pami_job.here[d]) ? 0 : 1));
  }
  peer->node = node;
  peer->destination = destination;
  peer->hops = hops;
  peer->dimensions = dimensions;
  peer->flexibility = (uint16_t)flexibility;
  peer->process = (uint8_t)at[PAMI_DIMENSIONS];
  peer->direction = first_link(pami_job.here, there);
  peer->back = first_link(there, pami_job.here);
  const bool local = peer->direction == PAMI_LOCAL_DIRECTION;
  // Two local FIFOs: one each for every second process.
  const uint16_t local_map =
      peer->process % 2 ? MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_LOCAL1 : MUHWI_DESCRIPTOR_TORUS_FIFO_MAP_LOCAL0;
  peer->fifo_map = local ? local_map : pami_direction_map(peer->direction);
  peer->back_map = local ? local_map : pami_direction_map(peer->back);
  peer->back_ways = local ? local_map : ways;
  __atomic_store_n(&peer->known, 1, __ATOMIC_RELEASE);
}

static void* zeros(size_t count, size_t bytes) {
  void* memory = calloc(count, bytes);
  if (memory == NULL) pami_fatal("there is no memory for a job of %u tasks", pami_job.tasks);
  return memory;
}

static void look_at_machine(void) {
  Personality_t personality;
  if (Kernel_GetPersonality(&personality, sizeof personality) != 0) pami_fatal("the kernel gives no personality");
  const Personality_Networks_t* net = &personality.Network_Config;
  const uint8_t size[PAMI_DIMENSIONS] = {net->Anodes, net->Bnodes, net->Cnodes, net->Dnodes, net->Enodes};
  const uint8_t here[PAMI_DIMENSIONS] = {net->Acoord, net->Bcoord, net->Ccoord, net->Dcoord, net->Ecoord};
  pami_job.nodes = 1;
  for (unsigned d = 0; d < PAMI_DIMENSIONS; ++d) {
    pami_job.size[d] = size[d];
    pami_job.here[d] = here[d];
    pami_job.torus[d] = (net->NetFlags & ND_ENABLE_TORUS(d)) != 0;
    pami_job.nodes *= size[d];
  }
  pami_job.mhz = personality.Kernel_Config.FreqMHz;
  pami_job.megabytes = personality.DDR_Config.DDRSizeMB;
}

void pami_job_start(void) {
  if (pami_job.tasks != 0) return;
  look_at_machine();
  pami_job.me = Kernel_GetRank();
  pami_job.process = Kernel_MyTcoord();
  pami_job.processes = Kernel_ProcessCount();

  const size_t most = (size_t)pami_job.nodes * pami_job.processes;
  uint32_t* map = zeros(most, sizeof *map);
  uint64_t tasks = 0;
  if (Kernel_RanksToCoords(most * sizeof *map, (BG_CoordinateMapping_t*)map, &tasks) != 0)
    pami_fatal("the kernel does not tell where tasks are");
  pami_job.map = map;
  pami_job.tasks = (uint32_t)tasks;
  pami_job.peers = zeros(tasks, sizeof *pami_job.peers);
  pami_job.gets = zeros(pami_job.nodes, sizeof *pami_job.gets);

  pami_job.local = zeros(pami_job.processes, sizeof *pami_job.local);
  const uint32_t node = map[pami_job.me] & ~63u;
  for (uint32_t t = 0; t < pami_job.processes; ++t)
    for (pami_task_t task = 0; task < pami_job.tasks; ++task)
      if (map[task] == (node | t)) {
        if (task == pami_job.me) pami_job.local_place = pami_job.local_tasks;
        pami_job.local[pami_job.local_tasks++] = task;
      }
  pami_node_start();
  pami_resources_start();
}
