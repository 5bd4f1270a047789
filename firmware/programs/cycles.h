// SPDX-License-Identifier: Apache-2.0
/// The time base of machines that count a tick for each cycle of the core: the machine's own way to read it.
#ifndef TOROID_FIRMWARE_PROGRAMS_CYCLES_H
#define TOROID_FIRMWARE_PROGRAMS_CYCLES_H

#if __has_include(<dcmf.h>)
#include <dcmf.h>
static inline unsigned long long cycles(void) {
  return DCMF_Timebase();
}
#else
#include <hwi/include/bqc/A2_inlines.h>
static inline unsigned long long cycles(void) {
  return GetTimeBase();
}
#endif

#endif
