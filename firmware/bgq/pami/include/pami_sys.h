/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What <pami.h> is on Blue Gene/Q: sizes of the objects that programs have room for, and endpoints as expressions.
 * <pami.h> includes this file twice, before its declarations and behind them.
 *
 * The values are those of the published interface (sys/bgq/pami_sys.h of IBM's PAMI).
 */
#ifndef __bgq_pami_sys_h__pre__
#define __bgq_pami_sys_h__pre__

#define PAMI_CLIENT_MEMREGION_SIZE_STATIC (sizeof(uintptr_t))
#define PAMI_WORK_SIZE_STATIC (6 * sizeof(uintptr_t))
#define PAMI_REQUEST_NQUADS 512

#elif !defined(__bgq_pami_sys_h__post__)
#define __bgq_pami_sys_h__post__

#define PAMI_ENDPOINT_NULL 0

/* An endpoint has the task in its lower 23 bits and the context's offset in the six above. */
#define PAMI_Endpoint_create(__client, __task, __offset, __endpoint) \
  ({                                                                 \
    *(__endpoint) = (((__offset) << 23) | (__task));                 \
    PAMI_SUCCESS;                                                    \
  })
#define PAMI_Endpoint_query(__endpoint, __task, __offset) \
  ({                                                      \
    *(__task) = (__endpoint)&0x007fffff;                  \
    *(__offset) = ((__endpoint) >> 23) & 0x03f;           \
    PAMI_SUCCESS;                                         \
  })

#endif
