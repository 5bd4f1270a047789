/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Barriers of all tasks and all-reductions of one double by PAMI, by every algorithm that there is: cycles of the core
 * each, in the mean. The sum is checked behind each algorithm.
 *
 *     ./toroid run --machine bgq --shape 2x2x1x1x1 pami_world [rounds]
 *     pami_world operation=barrier by=I0:MultiSync:-:GI tasks=4 rounds=20 cycles=2400.0
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/programs/bgq/pami_program.h"

enum { kAlgorithms = 16, kFirst = 2 }; /* the first rounds are not measured */

static pami_program_t program;
static int done;
static double from[4] __attribute__((aligned(64))), to[4] __attribute__((aligned(64)));

static int sum_is_right(void) {
  return to[0] == (double)program.tasks * (program.tasks - 1) / 2;
}

static void is_done(pami_context_t context, void* cookie, pami_result_t result) {
  (void)context, (void)cookie, (void)result;
  done = 1;
}

static void run(pami_xfer_t* operation) {
  operation->cb_done = is_done;
  done = 0;
  pami_program_expect(PAMI_Collective(program.context[0], operation), "PAMI_Collective");
  while (!done) PAMI_Context_advance(program.context[0], 1);
}

static void measure(const char* operation, const char* name, pami_xfer_t* what, unsigned rounds) {
  unsigned long long begin = 0;
  for (unsigned round = 0; round < kFirst + rounds; ++round) {
    if (round == kFirst) begin = PAMI_Wtimebase(program.client);
    run(what);
  }
  if (program.me != 0) return;
  printf("pami_world operation=%s by=%s tasks=%u rounds=%u cycles=%.1f\n", operation, name, (unsigned)program.tasks,
         rounds, (double)(PAMI_Wtimebase(program.client) - begin) / rounds);
}

/* Each algorithm of both lists; `is_right`, if there is one, tells what it has left. */
static void measure_all(const char* operation, pami_xfer_type_t type, pami_xfer_t what, unsigned rounds,
                        int is_right(void)) {
  pami_geometry_t world;
  pami_program_expect(PAMI_Geometry_world(program.client, &world), "PAMI_Geometry_world");
  size_t counts[2];
  pami_program_expect(PAMI_Geometry_algorithms_num(world, type, counts), "PAMI_Geometry_algorithms_num");
  pami_algorithm_t always[kAlgorithms], query[kAlgorithms];
  pami_metadata_t about_always[kAlgorithms], about_query[kAlgorithms];
  for (int i = 0; i < 2; ++i) counts[i] = counts[i] < kAlgorithms ? counts[i] : kAlgorithms;
  pami_program_expect(
      PAMI_Geometry_algorithms_query(world, type, always, about_always, counts[0], query, about_query, counts[1]),
      "PAMI_Geometry_algorithms_query");
  for (size_t i = 0; i < counts[0] + counts[1]; ++i) {
    const pami_metadata_t* about = i < counts[0] ? &about_always[i] : &about_query[i - counts[0]];
    what.algorithm = i < counts[0] ? always[i] : query[i - counts[0]];
    memset(to, 0, sizeof to);
    measure(operation, about->name, &what, rounds);
    if (is_right == NULL || is_right()) continue;
    printf("%s by %s is wrong\n", operation, about->name);
    exit(1);
  }
}

int main(int argc, char** argv) {
  const int rounds = argc > 1 ? atoi(argv[1]) : 20;
  if (rounds < 1) {
    printf("pami_world [rounds], 1 or more\n");
    return 2;
  }
  program = pami_program_start("pami_world", 1);
  measure_all("barrier", PAMI_XFER_BARRIER, (pami_xfer_t){0}, (unsigned)rounds, NULL);
  from[0] = program.me;
  pami_xfer_t allreduce = {0};
  allreduce.cmd.xfer_allreduce.sndbuf = (char*)from;
  allreduce.cmd.xfer_allreduce.stype = PAMI_TYPE_DOUBLE;
  allreduce.cmd.xfer_allreduce.stypecount = 1;
  allreduce.cmd.xfer_allreduce.rcvbuf = (char*)to;
  allreduce.cmd.xfer_allreduce.rtype = PAMI_TYPE_DOUBLE;
  allreduce.cmd.xfer_allreduce.rtypecount = 1;
  allreduce.cmd.xfer_allreduce.op = PAMI_DATA_SUM;
  measure_all("allreduce", PAMI_XFER_ALLREDUCE, allreduce, (unsigned)rounds, sum_is_right);
  pami_program_end(&program);
  return 0;
}
