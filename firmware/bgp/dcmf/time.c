// SPDX-License-Identifier: Apache-2.0
// Time: the core's time base has a tick a cycle.
#include "firmware/bgp/dcmf/state.h"

static uint32_t megahertz;

double DCMF_Tick() {
  if (megahertz == 0) {
    _BGP_Personality_t personality;
    if (Kernel_GetPersonality(&personality, sizeof personality) != 0) dcmf_fatal("the kernel has no personality");
    megahertz = BGP_Personality_clockMHz(&personality);
  }
  return 1e-6 / megahertz;
}

unsigned long long DCMF_Timebase() {
  return _bgp_GetTimeBase();
}

double DCMF_Timer() {
  return (double)_bgp_GetTimeBase() * DCMF_Tick();
}
