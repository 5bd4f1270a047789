/* SPDX-License-Identifier: Apache-2.0 */
/* Special registers in which the kernel tells of a hardware thread. Fields are places of their least significant bits
 * (nic/bgq/kernel_services.h, BGQ_PLACE_). */
#ifndef _SPRG_USAGE_H_
#define _SPRG_USAGE_H_

#include <hwi/include/bqc/A2_core.h>
#include <hwi/include/common/compiler_support.h>

#define SPRG_SPIinfo_ro SPRN_SPRG7RO

#define SPRG_SPIinfo_AppLeaderCore 36 /* first core of the job */
#define SPRG_SPIinfo_NumCores 32      /* minus 1 */
#define SPRG_SPIinfo_Runnable 24
#define SPRG_SPIinfo_NumThds 16
#define SPRG_SPIinfo_NumProcs 8
#define SPRG_SPIinfo_HWTindex 0

#endif
