// SPDX-License-Identifier: Apache-2.0
// PAMI's collective operations on the machine: barriers, broadcasts and reductions by every algorithm that the world
// offers, the network's too, with all types and operations, against plain arithmetic. Rank 0 prints a line for each
// algorithm: what it is, and how many cases it has done. With the argument "network" those that go by messages are left
// out.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "testbench/tests/programs/bgq/pami_elements.h"

enum { LONGEST = 24000, ALGORITHMS = 8 };

static pami_client_t client;
static pami_context_t context;
static pami_geometry_t world;
static unsigned rank, ranks;
static int network_only;
static char out[LONGEST] __attribute__((aligned(128))), in[LONGEST + 8] __attribute__((aligned(128)));
static char expected[LONGEST] __attribute__((aligned(128)));

typedef struct {
  size_t count;
  pami_algorithm_t algorithm[ALGORITHMS];
  pami_metadata_t data[ALGORITHMS];
} list_t;

static void fail(const char* what, const char* algorithm, const char* detail) {
  printf("rank %u: %s by %s: %s\n", rank, what, algorithm, detail);
  exit(1);
}

static list_t algorithms(pami_xfer_type_t type) {
  list_t list;
  size_t lengths[2];
  PAMI_Geometry_algorithms_num(world, type, lengths);
  list.count = lengths[0] + lengths[1];
  if (list.count == 0 || list.count > ALGORITHMS) fail("query", "", "no algorithms, or too many");
  PAMI_Geometry_algorithms_query(world, type, list.algorithm, list.data, lengths[0], list.algorithm + lengths[0],
                                 list.data + lengths[0], lengths[1]);
  return list;
}

static void done(pami_context_t in_context, void* cookie, pami_result_t result) {
  if (in_context != context || result != PAMI_SUCCESS) fail("callback", "", "another context, or an error");
  *(volatile int*)cookie = 1;
}

// Whether the algorithm serves the operation; if it does, it has been performed.
static int perform(const list_t* list, size_t which, pami_collective_t command) {
  volatile int finished = 0;
  pami_xfer_t xfer = {done, (void*)&finished, list->algorithm[which], {0}, command};
  const pami_metadata_t* data = &list->data[which];
  if (data->check_correct.values.checkrequired && data->check_fn(&xfer).bitmask) return 0;
  if (PAMI_Collective(context, &xfer) != PAMI_SUCCESS) fail("PAMI_Collective", data->name, "is refused");
  if (finished) fail("PAMI_Collective", data->name, "calls back before it returns");
  while (!finished) PAMI_Context_advance(context, 100);
  return 1;
}

static void report(const char* what, const list_t* list, size_t which, unsigned cases) {
  if (rank == 0) printf("%s %s %u\n", what, list->data[which].name, cases);
}

static int left_out(const list_t* list, size_t which) {
  return network_only && !list->data[which].check_perf.values.hw_accel;
}

// The last to come must have come before the first leaves. The time base is one for all nodes.
static void barriers(void) {
  const list_t list = algorithms(PAMI_XFER_BARRIER), reductions = algorithms(PAMI_XFER_ALLREDUCE);
  for (size_t a = 0; a < list.count; ++a) {
    if (left_out(&list, a)) continue;
    for (unsigned late = 0; late < 3; ++late) {
      const unsigned long long start = PAMI_Wtimebase(client);
      while (rank == late * (ranks - 1) / 2 && PAMI_Wtimebase(client) < start + 20000) continue;
      long long times[2] = {(long long)PAMI_Wtimebase(client), 0}, last[2];
      perform(&list, a, (pami_collective_t){0});
      times[1] = -(long long)PAMI_Wtimebase(client);
      pami_collective_t c = {.xfer_allreduce = {(char*)times, PAMI_TYPE_SIGNED_LONG_LONG, 2, (char*)last,
                                                PAMI_TYPE_SIGNED_LONG_LONG, 2, PAMI_DATA_MAX, NULL, 1}};
      perform(&reductions, 0, c);
      if (last[0] > -last[1]) fail("barrier", list.data[a].name, "somebody left before the last one came");
    }
    report("barrier", &list, a, 3);
  }
}

static void broadcasts(void) {
  static const size_t kBytes[] = {0, 1, 7, 32, 511, 513, 4100, 8193, LONGEST};
  const list_t list = algorithms(PAMI_XFER_BROADCAST);
  for (size_t a = 0; a < list.count; ++a) {
    if (left_out(&list, a)) continue;
    unsigned cases = 0;
    for (unsigned s = 0; s < sizeof kBytes / sizeof kBytes[0]; ++s, ++cases) {
      const size_t bytes = kBytes[s];
      const unsigned root = (unsigned)(s * 5 + a) % ranks, offset = s % 3;
      for (size_t i = 0; i < bytes; ++i) expected[i] = (char)(i * 31 + s + a + i / 256);
      memset(in, 0x55, sizeof in);
      if (rank == root) memcpy(in + offset, expected, bytes);
      pami_endpoint_t from;
      PAMI_Endpoint_create(client, root, 0, &from);
      pami_collective_t c = {.xfer_broadcast = {from, in + offset, PAMI_TYPE_BYTE, bytes}};
      if (!perform(&list, a, c)) fail("broadcast", list.data[a].name, "refuses bytes");
      if (memcmp(in + offset, expected, bytes) != 0) fail("broadcast", list.data[a].name, "wrong bytes");
      if (in[offset + bytes] != 0x55) fail("broadcast", list.data[a].name, "a byte too many");
    }
    report("broadcast", &list, a, cases);
  }
}

static void reductions(int all) {
  pami_data_function functions[OPERATIONS] = {PAMI_DATA_MAX,  PAMI_DATA_MIN,  PAMI_DATA_SUM,    PAMI_DATA_PROD,
                                              PAMI_DATA_LAND, PAMI_DATA_LOR,  PAMI_DATA_LXOR,   PAMI_DATA_BAND,
                                              PAMI_DATA_BOR,  PAMI_DATA_BXOR, PAMI_DATA_MAXLOC, PAMI_DATA_MINLOC};
  const list_t list = algorithms(all ? PAMI_XFER_ALLREDUCE : PAMI_XFER_REDUCE);
  const char* what = all ? "allreduce" : "reduce";
  char element[16 * 2] __attribute__((aligned(16)));
  for (size_t a = 0; a < list.count; ++a) {
    if (left_out(&list, a)) continue;
    unsigned cases = 0;
    for (unsigned e = 0; e < ELEMENTS; ++e) {
      const element_t* kind = &kElements[e];
      for (unsigned o = 0; o < OPERATIONS; ++o) {
        if (!(kind->operations >> o & 1)) continue;
        // Few for most; for some so many that they go in several chunks.
        const int many = kind->bytes >= 4 && (e + o) % 24 == 3;
        const unsigned count = many ? (unsigned)(9000 / kind->bytes) : 1 + (e * 5 + o * 3) % 13;
        for (unsigned i = 0; i < count; ++i) {
          kind->contribute(out + i * kind->bytes, rank, i, o);
          kind->contribute(expected + i * kind->bytes, 0, i, o);
          for (unsigned from = 1; from < ranks; ++from) {
            kind->contribute(element, from, i, o);
            kind->combine(expected + i * kind->bytes, element, o);
          }
        }
        const size_t bytes = count * kind->bytes;
        memset(in, 0x55, bytes + 1);
        const unsigned root = (e + o) % ranks;
        pami_endpoint_t to;
        PAMI_Endpoint_create(client, root, 0, &to);
        pami_collective_t c = {0};
        if (all) {
          c.xfer_allreduce = (pami_allreduce_t){out, *kind->type, count, in, *kind->type, count, functions[o], NULL, 1};
        } else {
          c.xfer_reduce = (pami_reduce_t){to, out, *kind->type, count, in, *kind->type, count, functions[o], NULL, 1};
        }
        if (!perform(&list, a, c)) continue;
        ++cases;
        char detail[80];
        snprintf(detail, sizeof detail, "%s, operation %u, %u elements", kind->name, o, count);
        if ((all || rank == root) && !equal(kind, in, expected, bytes)) fail(what, list.data[a].name, detail);
        if (in[bytes] != 0x55) fail(what, list.data[a].name, "a byte too many");
      }
    }
    report(what, &list, a, cases);
  }
}

int main(int argc, char** argv) {
  network_only = argc > 1 && strcmp(argv[1], "network") == 0;
  pami_configuration_t asked[2] = {{.name = PAMI_CLIENT_TASK_ID}, {.name = PAMI_CLIENT_NUM_TASKS}};
  if (PAMI_Client_create("collectives", &client, NULL, 0) != PAMI_SUCCESS) return 1;
  PAMI_Client_query(client, asked, 2);
  rank = (unsigned)asked[0].value.intval;
  ranks = (unsigned)asked[1].value.intval;
  if (PAMI_Context_createv(client, NULL, 0, &context, 1) != PAMI_SUCCESS) return 1;
  PAMI_Geometry_world(client, &world);
  barriers();
  broadcasts();
  reductions(1);
  reductions(0);
  PAMI_Context_destroyv(&context, 1);
  PAMI_Client_destroy(&client);
  return 0;
}
