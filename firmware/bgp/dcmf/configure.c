// SPDX-License-Identifier: Apache-2.0
// Threads and interrupts.
#include "firmware/bgp/dcmf/state.h"

DCMF_Result DCMF_Messager_configure(DCMF_Configure_t* config, DCMF_Configure_t* out) {
  dcmf_state_t* state = dcmf_instance;
  if (config) {
    const DCMF_Configure_t wanted = *config;
    if ((unsigned)wanted.thread_level > DCMF_THREAD_MULTIPLE) return DCMF_INVAL;
    // A library that shares the layer with MPI may ask for less than MPI's threads need.
    const bool lower = wanted.thread_level < state->configuration.thread_level;
    if (!lower || state->users < 2) state->configuration.thread_level = wanted.thread_level;
    const bool multiple = state->configuration.thread_level == DCMF_THREAD_MULTIPLE;
    DCMF_CriticalSection_flag = multiple;
    const bool on = wanted.interrupts == DCMF_INTERRUPTS_ON && multiple;
    if (on != (state->configuration.interrupts == DCMF_INTERRUPTS_ON)) {
      const bool are_on = dcmf_set_interrupts(on) && on;
      state->configuration.interrupts = are_on ? DCMF_INTERRUPTS_ON : DCMF_INTERRUPTS_OFF;
    }
  }
  if (out) *out = state->configuration;
  return DCMF_SUCCESS;
}
