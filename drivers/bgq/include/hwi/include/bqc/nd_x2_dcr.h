/* SPDX-License-Identifier: Apache-2.0 */
/* Control registers of the network FIFOs between Messaging Unit and routers. */
#ifndef _ND_X2_DCR__H_
#define _ND_X2_DCR__H_

#include <hwi/include/bqc/dcr_support.h>
#include <hwi/include/common/bgq_bitnumbers.h>

/* clang-format off */
#define ND_X2_DCR_base 0x198000
#define ND_X2_DCR_size 0x0039

#define ND_X2_DCR(reg) _DCR_REG(ND_X2_DCR, reg)

#define ND_X2_DCR__RESET_offset 0x0000
#define ND_X2_DCR__CTRL_offset 0x0001
#define ND_X2_DCR__FATAL_ERR0_ENABLE_offset 0x0002
#define ND_X2_DCR__FATAL_ERR0_offset 0x0003
#define ND_X2_DCR__FATAL_ERR1_ENABLE_offset 0x0004
#define ND_X2_DCR__FATAL_ERR1_offset 0x0005
#define ND_X2_DCR__STAT0_offset 0x000B
#define ND_X2_DCR__STAT1_offset 0x000C

#define ND_X2_DCR__RESET__DCRS_OUT_get(x) _BGQ_GET(1, 0, x)
#define ND_X2_DCR__RESET__DCRS_OUT_set(v) _BGQ_SET(1, 0, v)
#define ND_X2_DCR__RESET__INJ_T0_get(x) _BGQ_GET(1, 1, x)
#define ND_X2_DCR__RESET__INJ_T0_set(v) _BGQ_SET(1, 1, v)
#define ND_X2_DCR__RESET__INJ_T1_get(x) _BGQ_GET(1, 2, x)
#define ND_X2_DCR__RESET__INJ_T1_set(v) _BGQ_SET(1, 2, v)
#define ND_X2_DCR__RESET__INJ_T2_get(x) _BGQ_GET(1, 3, x)
#define ND_X2_DCR__RESET__INJ_T2_set(v) _BGQ_SET(1, 3, v)
#define ND_X2_DCR__RESET__INJ_T3_get(x) _BGQ_GET(1, 4, x)
#define ND_X2_DCR__RESET__INJ_T3_set(v) _BGQ_SET(1, 4, v)
#define ND_X2_DCR__RESET__INJ_T4_get(x) _BGQ_GET(1, 5, x)
#define ND_X2_DCR__RESET__INJ_T4_set(v) _BGQ_SET(1, 5, v)
#define ND_X2_DCR__RESET__INJ_T5_get(x) _BGQ_GET(1, 6, x)
#define ND_X2_DCR__RESET__INJ_T5_set(v) _BGQ_SET(1, 6, v)
#define ND_X2_DCR__RESET__INJ_T6_get(x) _BGQ_GET(1, 7, x)
#define ND_X2_DCR__RESET__INJ_T6_set(v) _BGQ_SET(1, 7, v)
#define ND_X2_DCR__RESET__INJ_T7_get(x) _BGQ_GET(1, 8, x)
#define ND_X2_DCR__RESET__INJ_T7_set(v) _BGQ_SET(1, 8, v)
#define ND_X2_DCR__RESET__INJ_T8_get(x) _BGQ_GET(1, 9, x)
#define ND_X2_DCR__RESET__INJ_T8_set(v) _BGQ_SET(1, 9, v)
#define ND_X2_DCR__RESET__INJ_T9_get(x) _BGQ_GET(1, 10, x)
#define ND_X2_DCR__RESET__INJ_T9_set(v) _BGQ_SET(1, 10, v)
#define ND_X2_DCR__RESET__INJ_L0_get(x) _BGQ_GET(1, 11, x)
#define ND_X2_DCR__RESET__INJ_L0_set(v) _BGQ_SET(1, 11, v)
#define ND_X2_DCR__RESET__INJ_L1_get(x) _BGQ_GET(1, 12, x)
#define ND_X2_DCR__RESET__INJ_L1_set(v) _BGQ_SET(1, 12, v)
#define ND_X2_DCR__RESET__INJ_HP_get(x) _BGQ_GET(1, 13, x)
#define ND_X2_DCR__RESET__INJ_HP_set(v) _BGQ_SET(1, 13, v)
#define ND_X2_DCR__RESET__INJ_IO_get(x) _BGQ_GET(1, 14, x)
#define ND_X2_DCR__RESET__INJ_IO_set(v) _BGQ_SET(1, 14, v)
#define ND_X2_DCR__RESET__INJ_C0_get(x) _BGQ_GET(1, 15, x)
#define ND_X2_DCR__RESET__INJ_C0_set(v) _BGQ_SET(1, 15, v)
#define ND_X2_DCR__RESET__INJ_C1_get(x) _BGQ_GET(1, 16, x)
#define ND_X2_DCR__RESET__INJ_C1_set(v) _BGQ_SET(1, 16, v)
#define ND_X2_DCR__RESET__RCP_T0_get(x) _BGQ_GET(1, 17, x)
#define ND_X2_DCR__RESET__RCP_T0_set(v) _BGQ_SET(1, 17, v)
#define ND_X2_DCR__RESET__RCP_T1_get(x) _BGQ_GET(1, 18, x)
#define ND_X2_DCR__RESET__RCP_T1_set(v) _BGQ_SET(1, 18, v)
#define ND_X2_DCR__RESET__RCP_T2_get(x) _BGQ_GET(1, 19, x)
#define ND_X2_DCR__RESET__RCP_T2_set(v) _BGQ_SET(1, 19, v)
#define ND_X2_DCR__RESET__RCP_T3_get(x) _BGQ_GET(1, 20, x)
#define ND_X2_DCR__RESET__RCP_T3_set(v) _BGQ_SET(1, 20, v)
#define ND_X2_DCR__RESET__RCP_T4_get(x) _BGQ_GET(1, 21, x)
#define ND_X2_DCR__RESET__RCP_T4_set(v) _BGQ_SET(1, 21, v)
#define ND_X2_DCR__RESET__RCP_T5_get(x) _BGQ_GET(1, 22, x)
#define ND_X2_DCR__RESET__RCP_T5_set(v) _BGQ_SET(1, 22, v)
#define ND_X2_DCR__RESET__RCP_T6_get(x) _BGQ_GET(1, 23, x)
#define ND_X2_DCR__RESET__RCP_T6_set(v) _BGQ_SET(1, 23, v)
#define ND_X2_DCR__RESET__RCP_T7_get(x) _BGQ_GET(1, 24, x)
#define ND_X2_DCR__RESET__RCP_T7_set(v) _BGQ_SET(1, 24, v)
#define ND_X2_DCR__RESET__RCP_T8_get(x) _BGQ_GET(1, 25, x)
#define ND_X2_DCR__RESET__RCP_T8_set(v) _BGQ_SET(1, 25, v)
#define ND_X2_DCR__RESET__RCP_T9_get(x) _BGQ_GET(1, 26, x)
#define ND_X2_DCR__RESET__RCP_T9_set(v) _BGQ_SET(1, 26, v)
#define ND_X2_DCR__RESET__RCP_L0_get(x) _BGQ_GET(1, 27, x)
#define ND_X2_DCR__RESET__RCP_L0_set(v) _BGQ_SET(1, 27, v)
#define ND_X2_DCR__RESET__RCP_L1_get(x) _BGQ_GET(1, 28, x)
#define ND_X2_DCR__RESET__RCP_L1_set(v) _BGQ_SET(1, 28, v)
#define ND_X2_DCR__RESET__RCP_HP_get(x) _BGQ_GET(1, 29, x)
#define ND_X2_DCR__RESET__RCP_HP_set(v) _BGQ_SET(1, 29, v)
#define ND_X2_DCR__RESET__RCP_IO_get(x) _BGQ_GET(1, 30, x)
#define ND_X2_DCR__RESET__RCP_IO_set(v) _BGQ_SET(1, 30, v)
#define ND_X2_DCR__RESET__RCP_C0_get(x) _BGQ_GET(1, 31, x)
#define ND_X2_DCR__RESET__RCP_C0_set(v) _BGQ_SET(1, 31, v)
#define ND_X2_DCR__RESET__RCP_C1_get(x) _BGQ_GET(1, 32, x)
#define ND_X2_DCR__RESET__RCP_C1_set(v) _BGQ_SET(1, 32, v)
/* clang-format on */

#endif
