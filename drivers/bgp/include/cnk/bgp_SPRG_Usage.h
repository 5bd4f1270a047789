/* SPDX-License-Identifier: Apache-2.0 */
/* What the kernel tells user code in special registers that it may read without a call. The machine's header is not
 * published: names are those that the SPI and its clients use (CPS_public's kernel_interface.h, GASNet's
 * gasnet_tools.c), others our own; fields are stated in nic/bgp/kernel_services.h. */
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
    unsigned ShmNumCores : 2; /* of this process, less 1 */
    unsigned ShmNumProcs : 2; /* on this node, less 1 */
  };
} _BGP_SprgShMem;

typedef union {
  uint32_t dst2;
  __extension__ struct {
    unsigned DataMB : 12; /* size of the data range */
    unsigned reserved_high : 13;
    unsigned ScratchMB : 4;
    unsigned reserved_low : 1;
    unsigned CoreID : 2; /* this core */
  };
} _BGP_SprgDST2;

#define _BGP_COMMTHREAD_MAGIC BGP_COMMTHREAD_MAGIC

#endif
