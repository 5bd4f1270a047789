/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel tells user code in special registers that it may read without a call. The machine's header is not
 * published: names are those that the SPI uses, fields are stated in nic/bgp/kernel_services.h. */
#ifndef _BGP_SPRG_USAGE_H_
#define _BGP_SPRG_USAGE_H_

#include <stdint.h>

#include "nic/bgp/kernel_services.h"

#define _BGP_SPRGRO_SHMem BGP_SPR_SHMEM
#define _BGP_SPRGRO_DST2 BGP_SPR_DST2
#define _BGP_SPRGRO_TextI BGP_SPR_TEXTI
#define _BGP_SPRGRO_DataI BGP_SPR_DATAI

typedef union {
  uint32_t shmem;
  __extension__ struct {
    unsigned ShmVirtualMB : 12; /* where shared memory begins */
    unsigned ShmMB : 12;        /* its size */
    unsigned ShmUpper : 2;
    unsigned reserved : 1;
    unsigned IsStaticMap : 1; /* segments come from the kernel */
    unsigned ProcessorCount : 2;
    unsigned ProcessCount : 2;
  };
} _BGP_SprgShMem;

#define _BGP_COMMTHREAD_MAGIC BGP_COMMTHREAD_MAGIC

#endif
