/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Lists of the L1 prefetcher: a loop's misses are recorded once and read ahead from then on. Here lists are set up,
 * started and stopped as on the machine, and nothing is recorded or read ahead (nic/bgq/l1p_regs.rdl). Functions return
 * 0 or an L1P_ErrorCode; those of patterns L1P_NOTCONFIGURED before L1P_PatternConfigure().
 */
#ifndef _L1P_PERFECT_H_
#define _L1P_PERFECT_H_

#include <hwi/include/bqc/A2_inlines.h>
#include <hwi/include/bqc/l1p_mmio.h>
#include <spi/include/kernel/location.h>
#include <spi/include/kernel/memory.h>
#include <spi/include/l1p/types.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/types.h>

__BEGIN_DECLS

extern L1P_PatternLimitPolicy_t _L1P_PatternLimitMode;
extern uint64_t _L1P_PatternLimit;
extern uint64_t _L1P_PatternCount;
extern L1P_SPIContext _L1P_Context[68]; /* by hardware thread */

/* A pattern of up to `n` misses becomes the thread's own, until L1P_PatternUnconfigure(). */
int L1P_PatternConfigure(uint64_t n);
int L1P_PatternUnconfigure(void);

/* From now on misses are compared with the pattern, and recorded as the next one if `record`. After
 * L1P_PatternStop(), what was recorded is what is read. */
int L1P_PatternStart(int record);
int L1P_PatternStop(void);
int L1P_PatternPause(void);
int L1P_PatternResume(void);
int L1P_PatternStatus(L1P_Status_t* status);
/* How many addresses have been read, and written. */
int L1P_PatternGetCurrentDepth(uint64_t* fetch_depth, uint64_t* generate_depth);

/* Patterns that the program keeps: their memory, and which one is the thread's; NULL: a new one of the library's. */
int L1P_AllocatePattern(uint64_t n, L1P_Pattern_t** handle);
int L1P_DeallocatePattern(L1P_Pattern_t* pattern);
int L1P_SetPattern(L1P_Pattern_t* pattern);
int L1P_GetPattern(L1P_Pattern_t** handle);

int L1P_PatternSetNestingMode(L1P_PatternNest_t mode);
int L1P_PatternGetNestingMode(L1P_PatternNest_t* mode);
/* Misses in a row beside the pattern, after which it is given up. */
int L1P_PatternSetAbandonThreshold(uint64_t numL1misses);
int L1P_PatternGetAbandonThreshold(uint64_t* numL1misses);
/* Whether functions of patterns do anything for this thread. */
int L1P_PatternSetEnable(int enable);
int L1P_PatternGetEnable(int* enable);
/* Of all threads together. */
int L1P_PatternSetPatternLimit(L1P_PatternLimitPolicy_t policy, uint64_t numactivepatterns);
int L1P_PatternGetPatternLimit(L1P_PatternLimitPolicy_t* policy, uint64_t* numactivepatterns);

__END_DECLS

#endif
