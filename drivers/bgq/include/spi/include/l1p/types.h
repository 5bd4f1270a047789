/* SPDX-License-Identifier: Apache-2.0 */
/* What functions of the L1 prefetcher take and return. They return 0 or an L1P_ErrorCode. */
#ifndef _L1P_TYPES_H_
#define _L1P_TYPES_H_

#include <hwi/include/common/compiler_support.h>
#include <stddef.h>
#include <stdint.h>

__BEGIN_DECLS

/* When streams begin: at the first line, at the second, the same or at a touch, never. */
typedef enum {
  L1P_stream_optimistic = 1,
  L1P_stream_confirmed,
  L1P_confirmed_or_dcbt,
  L1P_stream_disable
} L1P_StreamPolicy_t;

/* What a second L1P_PatternConfigure() before L1P_PatternUnconfigure() does: it puts the first pattern aside, it and
 * all until its end do nothing, it changes nothing, it ends the program. */
typedef enum { L1P_NestingSaveContext = 1, L1P_NestingIgnore, L1P_NestingFlat, L1P_NestingError } L1P_PatternNest_t;

/* What follows from more patterns than the limit: nothing, an error, the program's end, they do nothing. */
typedef enum {
  L1P_PatternLimit_Disable = 1,
  L1P_PatternLimit_Error,
  L1P_PatternLimit_Assert,
  L1P_PatternLimit_Prune
} L1P_PatternLimitPolicy_t;

typedef enum {
  L1P_NOMEMORY = 1,
  L1P_PARMRANGE,
  L1P_PATTERNACTIVE,
  L1P_NOTAPATTERN,
  L1P_ALREADYCONFIGURED,
  L1P_NOTCONFIGURED
} L1P_ErrorCode;

#define L1P_CACHELINESIZE 128
#define L1P_MISSLISTENTRYSIZE 4 /* bytes of an address in a list */

/* A list that is read and one that is written, `size` bytes each. */
typedef struct {
  size_t size;
  void* ReadPattern;
  void* WritePattern;
} L1P_Pattern_t;

typedef union {
  uint64_t status;
  struct {
    uint64_t pad : 60;
    uint64_t finished : 1;
    uint64_t abandoned : 1;
    uint64_t maximum : 1;
    uint64_t endoflist : 1;
  } s;
} L1P_Status_t;

/* What the library knows of a hardware thread. */
typedef struct {
  volatile uint32_t criticalatom;
  unsigned int valid;
  unsigned int ignorePatternActions;
  unsigned int nestDepth;
  L1P_PatternNest_t nestPolicy;
  unsigned int implicitPatternAllocate; /* the library has the pattern's memory */
  L1P_Pattern_t currentPattern;
  void* nestedContext;
} L1P_SPIContext;

__END_DECLS

#endif
