// SPDX-License-Identifier: Apache-2.0
// Two tasks make a geometry on each of two contexts at once. Task 1 does not advance the context of the one with the
// lower id before the other one is made. A line of each task says which of them have algorithms of the network.
#include <stdio.h>

#include "firmware/programs/bgq/pami_program.h"

static pami_program_t program;

static void is_made(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context;
  pami_program_expect(result, "the creation");
  *(volatile int*)cookie = 1;
}

static int has_network(pami_geometry_t geometry) {
  enum { MOST = 8 };
  pami_algorithm_t algorithms[MOST];
  pami_metadata_t data[MOST];
  size_t lengths[2], found = 0;
  pami_program_expect(PAMI_Geometry_algorithms_num(geometry, PAMI_XFER_ALLREDUCE, lengths),
                      "PAMI_Geometry_algorithms_num");
  pami_program_expect(PAMI_Geometry_algorithms_query(geometry, PAMI_XFER_ALLREDUCE, algorithms, data, lengths[0],
                                                     algorithms + lengths[0], data + lengths[0], lengths[1]),
                      "PAMI_Geometry_algorithms_query");
  for (size_t i = 0; i < lengths[0] + lengths[1]; ++i) found += data[i].check_perf.values.hw_accel != 0;
  return found != 0;
}

int main(void) {
  program = pami_program_start("turns", 2);
  static pami_task_t tasks[] = {0, 1};
  pami_configuration_t wish = {.name = PAMI_GEOMETRY_OPTIMIZE, .value.intval = 1};
  pami_geometry_t geometry[2];
  volatile int made[2] = {0, 0};
  for (unsigned i = 0; i < 2; ++i) {
    pami_program_expect(PAMI_Geometry_create_tasklist(program.client, i, &wish, 1, &geometry[i], PAMI_GEOMETRY_NULL,
                                                      i + 1, tasks, 2, program.context[i], is_made, (void*)&made[i]),
                        "PAMI_Geometry_create_tasklist");
  }
  while (!made[0] || !made[1]) {
    if (program.me == 0 || made[1]) PAMI_Context_advance(program.context[0], 1);
    PAMI_Context_advance(program.context[1], 1);
  }
  printf("task %u: %d %d\n", program.me, has_network(geometry[0]), has_network(geometry[1]));
  pami_program_end(&program);
  return 0;
}
