/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Registers of the L1 prefetcher that programs may use: of streams by their address, of a thread's list by the place
 * from Kernel_L1pBaseAddress() on, L1P_PP_THREADOFFSET bytes a thread apart. What they do here: nic/bgq/l1p_regs.rdl.
 */
#ifndef _L1P_MMIO_H_
#define _L1P_MMIO_H_

#include <hwi/include/common/bgq_bitnumbers.h>

/* Streams. An address of the kernel's; programs subtract what is between it and theirs (l1p/sprefetch.h). */
#define L1P_CFG_PF_USR 0x3ffe8000108ll
#define L1P_CFG_PF_USR_dfetch_depth(x) _B3(42, x)
#define L1P_CFG_PF_USR_dfetch_max_footprint(x) _B4(46, x)
#define L1P_CFG_PF_USR_ifetch_depth(x) _B3(49, x)
#define L1P_CFG_PF_USR_ifetch_max_footprint(x) _B4(53, x)
#define L1P_CFG_PF_USR_pf_stream_est_on_dcbt _B1(54, 1)
#define L1P_CFG_PF_USR_pf_stream_optimistic _B1(55, 1)
#define L1P_CFG_PF_USR_pf_stream_prefetch_enable _B1(56, 1)
#define L1P_CFG_PF_USR_pf_stream_establish_enable _B1(57, 1)
#define L1P_CFG_PF_USR_pf_list_enable _B1(58, 1)
#define L1P_CFG_PF_USR_pf_adaptive_enable _B1(59, 1)
#define L1P_CFG_PF_USR_pf_adaptive_throttle(x) _B4(63, x)

/* Lists. */
#define L1P_PP_THREADOFFSET 0x040
#define L1P_PP_CTRL 0x1000
#define L1P_PP_CTRL_DEPTH(x) _B3(55, x)
#define L1P_PP_CTRL_MAXLIST(x) _B3(58, x)
#define L1P_PP_CTRL_INHIBIT _B1(59, 1)
#define L1P_PP_CTRL_IGNORETOL _B1(60, 1)
#define L1P_PP_CTRL_START _B1(61, 1)
#define L1P_PP_CTRL_LOAD _B1(62, 1)
#define L1P_PP_CTRL_PAUSE _B1(63, 1)
#define L1P_PP_STATUS 0x1028
#define L1P_PP_STATUS_FINISHED _B1(60, 1)
#define L1P_PP_STATUS_ABANDONED _B1(61, 1)
#define L1P_PP_STATUS_MAXLENGTH _B1(62, 1)
#define L1P_PP_STATUS_ENDOFLIST _B1(63, 1)
#define L1P_PP_MAXTOL 0x1008

#endif
