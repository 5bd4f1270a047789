/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual addresses of a process. The machine's header is not published: names are those that programs use, addresses
 * are stated in nic/bgp/kernel_services.h. */
#ifndef _BGP_VIRTUALMAP_H_
#define _BGP_VIRTUALMAP_H_

#include "nic/bgp/kernel_services.h"

#define _BGP_VA_SCRATCH BGP_VA_SCRATCH
#define _BGP_VM_SCRATCH 0x007FFFFFu /* 8 MB */
#define _BGP_VA_TORUS0 BGP_VA_TORUS0
#define _BGP_VA_TORUS1 BGP_VA_TORUS1
#define _BGP_VA_DMA BGP_VA_DMA
#define _BGP_VA_UPC BGP_VA_UPC
#define _BGP_VA_TREE0 BGP_VA_TREE0
#define _BGP_VA_TREE1 BGP_VA_TREE1
#define _BGP_VA_BIC BGP_VA_BIC
#define _BGP_VA_LOCKBOX BGP_VA_LOCKBOX
#define _BGP_VA_SRAM BGP_VA_SRAM
/* Lines that stand for no memory, by which a kernel empties its cache. Processes have none: an access faults. */
#define _BGP_VA_BLIND 0u

#endif
