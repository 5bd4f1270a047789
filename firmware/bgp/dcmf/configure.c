// SPDX-License-Identifier: Apache-2.0
// Threads and interrupts.
#include "firmware/bgp/dcmf/state.h"

DCMF_Result DCMF_Messager_configure(DCMF_Configure_t* config, DCMF_Configure_t* out) {
  dcmf_state_t* state = dcmf_instance;
  if (config) {
    const DCMF_Configure_t wanted = *config;
    if ((unsigned)wanted.thread_level > DCMF_THREAD_MULTIPLE) return DCMF_INVAL;
    state->configuration.thread_level = wanted.thread_level;
    DCMF_CriticalSection_flag = wanted.thread_level == DCMF_THREAD_MULTIPLE;
    const bool on = wanted.interrupts == DCMF_INTERRUPTS_ON && wanted.thread_level == DCMF_THREAD_MULTIPLE;
    if (on != (state->configuration.interrupts == DCMF_INTERRUPTS_ON)) {
      const bool are_on = dcmf_set_interrupts(on) && on;
      state->configuration.interrupts = are_on ? DCMF_INTERRUPTS_ON : DCMF_INTERRUPTS_OFF;
    }
  }
  if (out) *out = state->configuration;
  return DCMF_SUCCESS;
}
