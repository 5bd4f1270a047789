/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What it takes to create PAMI's contexts, endpoints and memory regions, in cycles of the core; the mean of as many
 * endpoints and regions as there are tasks, and 16 at least. Regions are of a MiB each.
 *
 *     ./toroid run --machine bgq --shape 2x1x1x1x1 pami_costs
 *     pami_costs of=endpoint bytes=4 count=16 cycles=120.0
 */
#include <stdio.h>
#include <stdlib.h>

#include "firmware/programs/bgq/pami_program.h"

enum { kLeast = 16, kContexts = 2, kRegion = 1 << 20 };

static pami_client_t client;

static void print(const char* of, size_t bytes, unsigned count, unsigned long long begin) {
  const unsigned long long end = PAMI_Wtimebase(client);
  if (pami_program_attribute(client, PAMI_CLIENT_TASK_ID) != 0) return;
  printf("pami_costs of=%s bytes=%zu count=%u cycles=%.1f\n", of, bytes, count, (double)(end - begin) / count);
}

int main(void) {
  pami_program_expect(PAMI_Client_create("pami_costs", &client, NULL, 0), "PAMI_Client_create");
  const unsigned tasks = (unsigned)pami_program_attribute(client, PAMI_CLIENT_NUM_TASKS),
                 count = tasks > kLeast ? tasks : kLeast;
  pami_endpoint_t* const endpoints = malloc(count * sizeof *endpoints);
  uint8_t* const memory = malloc((size_t)kLeast * kRegion);
  if (endpoints == NULL || memory == NULL) return 1;

  pami_context_t contexts[kContexts];
  unsigned long long begin = PAMI_Wtimebase(client);
  pami_program_expect(PAMI_Context_createv(client, NULL, 0, contexts, kContexts), "PAMI_Context_createv");
  print("context", 0, kContexts, begin);

  begin = PAMI_Wtimebase(client);
  for (unsigned i = 0; i < count; ++i)
    pami_program_expect(PAMI_Endpoint_create(client, i % tasks, 0, &endpoints[i]), "PAMI_Endpoint_create");
  print("endpoint", sizeof *endpoints, count, begin);

  pami_memregion_t regions[kLeast];
  begin = PAMI_Wtimebase(client);
  for (unsigned i = 0; i < kLeast; ++i) {
    size_t bytes;
    pami_program_expect(PAMI_Memregion_create(contexts[0], memory + (size_t)i * kRegion, kRegion, &bytes, &regions[i]),
                        "PAMI_Memregion_create");
  }
  print("region", sizeof *regions, kLeast, begin);

  for (unsigned i = 0; i < kLeast; ++i)
    pami_program_expect(PAMI_Memregion_destroy(contexts[0], &regions[i]), "PAMI_Memregion_destroy");
  pami_program_expect(PAMI_Context_destroyv(contexts, kContexts), "PAMI_Context_destroyv");
  pami_program_expect(PAMI_Client_destroy(&client), "PAMI_Client_destroy");
  return 0;
}
