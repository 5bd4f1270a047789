// SPDX-License-Identifier: Apache-2.0
// Beginning and end of the layer, and calls that have little to do on this machine.
#include <stdio.h>
#include <stdlib.h>

#include "firmware/bgp/dcmf/collective/networks.h"

dcmf_state_t dcmf_own_state;
dcmf_state_t* dcmf_instance = &dcmf_own_state;

uint32_t dcmf_setting(const char* name, uint32_t otherwise) {
  const char* text = getenv(name);
  if (text == NULL || *text == 0) return otherwise;
  char* end;
  const unsigned long value = strtoul(text, &end, 0);
  if (*end != 0 || value > UINT32_MAX) {
    fprintf(stderr, "DCMF: %s is '%s', which is not a number; %u is used\n", name, text, otherwise);
    return otherwise;
  }
  return (uint32_t)value;
}

unsigned DCMF_Messager_initialize() {
  dcmf_state_t* state = dcmf_instance;
  if (state->users++ != 0) return 0;
  if (state->finalised)
    dcmf_fatal(
        "DCMF_Messager_initialize() is called after the last DCMF_Messager_finalize(); a process can begin once");
  dcmf_find_peers();
  // The first of these names is DCMF's own, the others are those that MPICH's device knew.
  state->eager_bytes = dcmf_setting("DCMF_EAGER", dcmf_setting("DCMF_RZV", dcmf_setting("DCMF_RVZ", DCMF_EAGER_BYTES)));
  dcmf_take_resources();
  dcmf_register_packets();
  state->initialised = true;
  dcmf_register_none();
  dcmf_exchange_initialize();
  dcmf_networks_initialize();
  return 1;
}

unsigned DCMF_Messager_finalize() {
  dcmf_state_t* state = dcmf_instance;
  if (state->users == 0 || --state->users != 0) return 0;
  dcmf_networks_finalize();
  dcmf_exchange_finalize();
  state->initialised = false;
  state->finalised = true;
  dcmf_give_resources();
  // Who communicates from now on fails, with a report that says why (collective/describe.c).
  state->peers = NULL;
  state->rings = NULL;
  state->world = NULL;
  return 1;
}

size_t DCMF_Messager_rank() {
  return dcmf_instance->rank;
}

size_t DCMF_Messager_size() {
  return dcmf_instance->size;
}

DCMF_Result DCMF_Messager_suspend() {
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_Messager_resume() {
  return DCMF_SUCCESS;
}

// There is one channel.
DCMF_Result DCMF_Channel_info(DCMF_Protocol_t* p, unsigned* base, unsigned* count, unsigned* current) {
  (void)p;
  if (base) *base = 0;
  if (count) *count = 1;
  if (current) *current = 0;
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_Channel_acquire(unsigned channel) {
  return channel == 0 || channel == DCMF_CHANNEL_ALL ? DCMF_SUCCESS : DCMF_INVAL;
}

DCMF_Result DCMF_Channel_release() {
  return DCMF_SUCCESS;
}

DCMF_Result DCMF_Channel_handoff(unsigned channel, DCMF_Callback_t cb) {
  (void)channel, (void)cb;
  return DCMF_UNIMPL;
}

unsigned DCMF_Channel_current() {
  return 0;
}

int DCMF_Messager_use_channel(unsigned channel) {
  return DCMF_Channel_acquire(channel);
}

// The DMA delivers or the run ends: there is no error to tell.
DCMF_Result DCMF_Error_register(DCMF_Error_request_t* req, DCMF_GlobalError func) {
  (void)req, (void)func;
  return DCMF_SUCCESS;
}
