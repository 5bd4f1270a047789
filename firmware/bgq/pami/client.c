// SPDX-License-Identifier: Apache-2.0
// Clients and their attributes; endpoints.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "firmware/bgq/pami/collective/attach.h"
#include "firmware/bgq/pami/context.h"
#include "firmware/bgq/pami/resources.h"
#include "firmware/bgq/pami/send.h"
#include "firmware/hot.h"

#undef PAMI_ENDPOINT_NULL
#undef PAMI_Endpoint_create
#undef PAMI_Endpoint_query

pami_client_t PAMI_CLIENT_NULL = NULL;
pami_context_t PAMI_CONTEXT_NULL = NULL;
pami_endpoint_t PAMI_ENDPOINT_NULL = 0;

static pami_client_impl_t* clients[PAMI_CLIENTS_MAX];

pami_result_t PAMI_Client_create(const char* name, pami_client_t* client, pami_configuration_t configuration[],
                                 size_t num_configs) {
  if (client == NULL || name == NULL) return pami_error(PAMI_INVAL, "PAMI_Client_create: no name, or no client");
  // No attribute of a client can be changed.
  if (num_configs > 0)
    return pami_error(PAMI_INVAL, "PAMI_Client_create: attribute %d is fixed", configuration[0].name);
  pami_job_start();
  unsigned number = 0;
  while (number < PAMI_CLIENTS_MAX && clients[number] != NULL) ++number;
  if (number == PAMI_CLIENTS_MAX)
    return pami_error(PAMI_ERROR, "PAMI_Client_create: there are %d clients already", PAMI_CLIENTS_MAX);
  pami_client_impl_t* made = calloc(1, sizeof *made);
  if (made == NULL) return pami_error(PAMI_ENOMEM, "PAMI_Client_create: there is no memory");
  snprintf(made->name, sizeof made->name, "%s", name);
  made->number = number;
  const pami_result_t result = pami_collectives_start(made);
  if (result != PAMI_SUCCESS) {
    free(made);
    return result;
  }
  clients[number] = made;
  *client = made;
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Client_destroy(pami_client_t* client) {
  pami_client_impl_t* gone = client == NULL ? NULL : *client;
  if (gone == NULL) return pami_error(PAMI_INVAL, "PAMI_Client_destroy: no client");
  if (gone->contexts != 0) PAMI_Context_destroyv((pami_context_t*)gone->context, gone->contexts);
  // Nobody reads or writes the node's memory, or sends to it, when it ends.
  pami_job_barrier();
  pami_collectives_end(gone);
  clients[gone->number] = NULL;
  free(gone);
  *client = NULL;
  return PAMI_SUCCESS;
}

pami_client_impl_t* pami_client_of(pami_context_t context) {
  for (unsigned i = 0; i < PAMI_CLIENTS_MAX; ++i)
    if (clients[i] != NULL && clients[i]->contexts != 0 && clients[i]->context[0] == context) return clients[i];
  return NULL;
}

static const char* processor_name(void) {
  static char text[128];
  size_t at[PAMI_DIMENSIONS + 1];
  pami_job_coordinates(pami_job.me, at);
  snprintf(text, sizeof text, "Task %u of %u (%zu,%zu,%zu,%zu,%zu,%zu)  %u MHz", pami_job.me, pami_job.tasks, at[0],
           at[1], at[2], at[3], at[4], at[5], pami_job.mhz);
  return text;
}

static pami_result_t query(pami_attribute_name_t name, pami_attribute_value_t* value) {
  switch (name) {
    case PAMI_CLIENT_CLOCK_MHZ:
    case PAMI_CLIENT_WTIMEBASE_MHZ:
      value->intval = pami_job.mhz;
      break;
    case PAMI_CLIENT_CONST_CONTEXTS:
      value->intval = 1;
      break;
    case PAMI_CLIENT_HWTHREADS_AVAILABLE:
    case PAMI_CLIENT_NUM_CONTEXTS:
      value->intval = pami_contexts_max();
      break;
    case PAMI_CLIENT_MEMREGION_SIZE:
      value->intval = sizeof(pami_memregion_t);
      break;
    case PAMI_CLIENT_MEM_SIZE:
      value->intval = pami_job.megabytes;
      break;
    case PAMI_CLIENT_NUM_TASKS:
      value->intval = pami_job.tasks;
      break;
    case PAMI_CLIENT_NUM_LOCAL_TASKS:
      value->intval = pami_job.local_tasks;
      break;
    case PAMI_CLIENT_LOCAL_TASKS:
      value->intarray = pami_job.local;
      break;
    case PAMI_CLIENT_PROCESSOR_NAME:
      value->chararray = processor_name();
      break;
    case PAMI_CLIENT_TASK_ID:
      value->intval = pami_job.me;
      break;
    case PAMI_CLIENT_WTICK:
      value->doubleval = 1e-6 / pami_job.mhz;
      break;
    default:
      return pami_error(PAMI_INVAL, "PAMI_Client_query: a client has no attribute %d", name);
  }
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Client_query(pami_client_t client, pami_configuration_t configuration[], size_t num_configs) {
  if (client == NULL) return pami_error(PAMI_INVAL, "PAMI_Client_query: no client");
  for (size_t i = 0; i < num_configs; ++i) {
    const pami_result_t result = query(configuration[i].name, &configuration[i].value);
    if (result != PAMI_SUCCESS) return result;
  }
  return PAMI_SUCCESS;
}

pami_result_t pami_check_configuration(const pami_configuration_t* configuration, size_t num_configs,
                                       const char* call) {
  for (size_t i = 0; i < num_configs; ++i) {
    pami_attribute_value_t value = {0};
    const pami_result_t result = query(configuration[i].name, &value);
    if (result != PAMI_SUCCESS) return result;
    if (value.intval != configuration[i].value.intval)
      return pami_error(PAMI_INVAL, "%s: attribute %d cannot be %zu", call, configuration[i].name,
                        configuration[i].value.intval);
  }
  return PAMI_SUCCESS;
}

pami_result_t PAMI_Client_update(pami_client_t client, pami_configuration_t configuration[], size_t num_configs) {
  (void)client;
  if (num_configs == 0) return PAMI_SUCCESS;
  return pami_error(PAMI_INVAL, "PAMI_Client_update: attribute %d is fixed", configuration[0].name);
}

pami_result_t PAMI_Endpoint_create(pami_client_t client, pami_task_t task, size_t offset, pami_endpoint_t* endpoint) {
  (void)client;
  const pami_endpoint_t made = pami_endpoint_of(task, offset);
  const pami_result_t result = pami_check_endpoint(made, "PAMI_Endpoint_create");
  if (result == PAMI_SUCCESS) *endpoint = made;
  return result;
}

HOT pami_result_t PAMI_Endpoint_query(pami_endpoint_t endpoint, pami_task_t* task, size_t* offset) {
  *task = pami_task_of(endpoint);
  *offset = pami_offset_of(endpoint);
  return PAMI_SUCCESS;
}

HOT pami_result_t pami_check_endpoint(pami_endpoint_t endpoint, const char* call) {
  if (pami_task_of(endpoint) < pami_job.tasks && pami_offset_of(endpoint) < pami_contexts_max()) return PAMI_SUCCESS;
  return pami_error(PAMI_INVAL, "%s: context %u of task %u; there are %u tasks with up to %u contexts", call,
                    pami_offset_of(endpoint), pami_task_of(endpoint), pami_job.tasks, pami_contexts_max());
}

double PAMI_Wtime(pami_client_t client) {
  return (double)PAMI_Wtimebase(client) * 1e-6 / pami_job.mhz;
}

unsigned long long PAMI_Wtimebase(pami_client_t client) {
  (void)client;
  return GetTimeBase();
}
