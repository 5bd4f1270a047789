// SPDX-License-Identifier: Apache-2.0
/// The time base of machines that count a tick for each cycle of the core.
#ifndef TOROID_FIRMWARE_PROGRAMS_CYCLES_H
#define TOROID_FIRMWARE_PROGRAMS_CYCLES_H

#if defined(__bgq__)
#include <hwi/include/bqc/A2_inlines.h>
#else
#include <dcmf.h>
#endif

static inline unsigned long long cycles(void) {
#if defined(__bgq__)
  return GetTimeBase();
#else
  return DCMF_Timebase();
#endif
}

#endif
