/* SPDX-License-Identifier: Apache-2.0 */
/* Pushes earlier requests through the L1 prefetcher: a store that a device takes and ignores. */
#ifndef _L1P_FLUSH_H_
#define _L1P_FLUSH_H_

#include <hwi/include/bqc/MU_Macros.h>
#include <hwi/include/common/compiler_support.h>
#include <sys/types.h>

__BEGIN_DECLS

__INLINE__ void L1P_FlushRequests(void) {
  *(volatile uint64_t*)(BGQ_MU_STATUS_CONTROL_REGS_START_OFFSET(0, 0) - PHYMAP_PRIVILEGEDOFFSET + 0x30) = 0;
}

__END_DECLS

#endif
