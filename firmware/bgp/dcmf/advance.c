// SPDX-License-Identifier: Apache-2.0
// Progress. Where nothing has happened, advance() leaves memory and registers as they were: so a simulator sees that a
// core waits.
#include "firmware/bgp/dcmf/collective/networks.h"

static unsigned receive(dcmf_state_t* state) {
  const int packets = DMA_RecFifoSimplePollNormalFifoById(DCMF_RECEPTION_FIFO, state->reception, 1);
  return packets > 0 ? (unsigned)packets : 0;
}

static unsigned advance(dcmf_state_t* state) {
  unsigned events = receive(state);
  if (events > 0 && state->configuration.interrupts == DCMF_INTERRUPTS_ON) {
    // What has been served here need not interrupt. What has come since might have raised what is cleared.
    DMA_RecFifoSetClearThresholdCrossedById(state->reception, DCMF_RECEPTION_FIFO);
    events += receive(state);
  }
  for (uint32_t owned = state->rings_owned; owned; owned &= owned - 1)
    events += dcmf_ring_settle(&state->rings[__builtin_ctz(owned)]);
  events += dcmf_counters_settle();
  if (state->in_networks) events += dcmf_networks_settle();
  if (state->completed) events += dcmf_call_completed();
  if (state->waiting) events += dcmf_begin_waiting();
  return events;
}

// Another thread may have ended the layer, and one that only advances makes some more turns. One that goes on for ever
// waits for what cannot come.
static void advance_outside(dcmf_state_t* state) {
  enum { TURNS = 100000 };
  if (++state->turns_outside < TURNS) return;
  DCMF_CriticalSection_exit(0);
  dcmf_fatal("DCMF_Messager_advance() has been called %u times %s: nothing can come", (unsigned)TURNS,
             state->finalised ? "after the last DCMF_Messager_finalize()" : "before DCMF_Messager_initialize()");
}

unsigned DCMF_Messager_advance() {
  dcmf_state_t* state = dcmf_instance;
  unsigned events = 0;
  DCMF_CriticalSection_enter(0);
  // A callback that advances gets nothing done.
  if (state->initialised && !state->advancing) {
    state->advancing = true;
    events = advance(state);
    state->advancing = false;
  } else if (!state->initialised) {
    advance_outside(state);
  }
  DCMF_CriticalSection_exit(0);
  return events;
}

unsigned DCMF_Messager_advance_expert(DCMF_Messager_advance_options opt) {
  (void)opt;
  return DCMF_Messager_advance();
}
