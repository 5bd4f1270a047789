/* SPDX-License-Identifier: Apache-2.0 */
#include "firmware/programs/bgq/pami_program.h"

#include <stdio.h>
#include <stdlib.h>

void pami_program_expect(pami_result_t result, const char* call) {
  if (result == PAMI_SUCCESS) return;
  char why[256] = "";
  PAMI_Error_text(why, sizeof why);
  printf("%s: %d, %s\n", call, (int)result, why);
  exit(1);
}

size_t pami_program_attribute(pami_client_t client, pami_attribute_name_t name) {
  pami_configuration_t configuration = {.name = name};
  pami_program_expect(PAMI_Client_query(client, &configuration, 1), "PAMI_Client_query");
  return configuration.value.intval;
}

pami_program_t pami_program_start(const char* name, size_t contexts) {
  pami_program_t program = {.contexts = contexts < PAMI_PROGRAM_CONTEXTS ? contexts : PAMI_PROGRAM_CONTEXTS};
  pami_program_expect(PAMI_Client_create(name, &program.client, NULL, 0), "PAMI_Client_create");
  program.me = (pami_task_t)pami_program_attribute(program.client, PAMI_CLIENT_TASK_ID);
  program.tasks = (pami_task_t)pami_program_attribute(program.client, PAMI_CLIENT_NUM_TASKS);
  pami_program_expect(PAMI_Context_createv(program.client, NULL, 0, program.context, program.contexts),
                      "PAMI_Context_createv");
  return program;
}

void pami_program_end(pami_program_t* program) {
  pami_program_expect(PAMI_Context_destroyv(program->context, program->contexts), "PAMI_Context_destroyv");
  pami_program_expect(PAMI_Client_destroy(&program->client), "PAMI_Client_destroy");
}

void pami_program_set(const pami_program_t* program, size_t dispatch, pami_dispatch_p2p_function function) {
  const pami_dispatch_callback_function callback = {.p2p = function};
  const pami_dispatch_hint_t hints = {0};
  pami_program_expect(PAMI_Dispatch_set(program->context[0], dispatch, callback, NULL, hints), "PAMI_Dispatch_set");
}

pami_endpoint_t pami_program_endpoint(const pami_program_t* program, pami_task_t task, size_t offset) {
  (void)program; /* the interface makes an endpoint of the numbers alone */
  pami_endpoint_t endpoint = 0;
  pami_program_expect(PAMI_Endpoint_create(program->client, task, offset, &endpoint), "PAMI_Endpoint_create");
  return endpoint;
}
