/* SPDX-License-Identifier: Apache-2.0 */
/* Control registers of the network device: coordinates, cut-offs, routes of classes, state; numbers, and fields of
 * those that programs read. */
#ifndef _ND_500_DCR__H_
#define _ND_500_DCR__H_

#include <hwi/include/bqc/dcr_support.h>
#include <hwi/include/common/bgq_bitnumbers.h>

/* clang-format off */
#define ND_500_DCR_base 0x194000
#define ND_500_DCR_size 0x0099

#define ND_500_DCR(reg) _DCR_REG(ND_500_DCR, reg)

#define ND_500_DCR__RESET_offset 0x0000
#define ND_500_DCR__CTRL_STOP_offset 0x0001
#define ND_500_DCR__CTRL_INTERNAL_offset 0x0002
#define ND_500_DCR__CTRL_CLEAR0_offset 0x0003
#define ND_500_DCR__CTRL_COORDS_offset 0x0004
#define ND_500_DCR__CTRL_CUTOFFS_offset 0x0005
#define ND_500_DCR__CTRL_NEIGHBOR_COORDS_offset 0x0006
#define ND_500_DCR__CTRL_DET_ORDER_offset 0x0007
#define ND_500_DCR__CTRL_DYNAMIC_ZONE01_offset 0x0008
#define ND_500_DCR__CTRL_DYNAMIC_ZONE23_offset 0x0009
#define ND_500_DCR__CTRL_TIMEOUT_offset 0x000A
#define ND_500_DCR__CTRL_GI_CLASS_00_01_offset 0x000B
#define ND_500_DCR__CTRL_GI_CLASS_02_03_offset 0x000C
#define ND_500_DCR__CTRL_GI_CLASS_04_05_offset 0x000D
#define ND_500_DCR__CTRL_GI_CLASS_06_07_offset 0x000E
#define ND_500_DCR__CTRL_GI_CLASS_08_09_offset 0x000F
#define ND_500_DCR__CTRL_GI_CLASS_10_11_offset 0x0010
#define ND_500_DCR__CTRL_GI_CLASS_12_13_offset 0x0011
#define ND_500_DCR__CTRL_GI_CLASS_14_15_offset 0x0012
#define ND_500_DCR__CTRL_COLL_CLASS_00_01_offset 0x0013
#define ND_500_DCR__CTRL_COLL_CLASS_02_03_offset 0x0014
#define ND_500_DCR__CTRL_COLL_CLASS_04_05_offset 0x0015
#define ND_500_DCR__CTRL_COLL_CLASS_06_07_offset 0x0016
#define ND_500_DCR__CTRL_COLL_CLASS_08_09_offset 0x0017
#define ND_500_DCR__CTRL_COLL_CLASS_10_11_offset 0x0018
#define ND_500_DCR__CTRL_COLL_CLASS_12_13_offset 0x0019
#define ND_500_DCR__CTRL_COLL_CLASS_14_15_offset 0x001A
#define ND_500_DCR__FATAL_ERR_ENABLE_offset 0x001B
#define ND_500_DCR__FATAL_ERR_ENABLE_range 0x6
#define ND_500_DCR__NON_FATAL_ERR_ENABLE_offset 0x0021
#define ND_500_DCR__NON_FATAL_ERR_ENABLE_range 0x2
#define ND_500_DCR__FATAL_ERR0_offset 0x0023
#define ND_500_DCR__FATAL_ERR1_offset 0x0024
#define ND_500_DCR__FATAL_ERR2_offset 0x0025
#define ND_500_DCR__FATAL_ERR3_offset 0x0026
#define ND_500_DCR__FATAL_ERR4_offset 0x0027
#define ND_500_DCR__FATAL_ERR5_offset 0x0028
#define ND_500_DCR__NON_FATAL_ERR0_offset 0x0029
#define ND_500_DCR__NON_FATAL_ERR1_offset 0x002A
#define ND_500_DCR__STAT0_offset 0x0031
#define ND_500_DCR__STAT1_offset 0x0032
#define ND_500_DCR__STAT2_offset 0x0033
#define ND_500_DCR__STAT3_offset 0x0034
#define ND_500_DCR__STAT4_offset 0x0035
#define ND_500_DCR__STAT5_offset 0x0036
#define ND_500_DCR__STAT6_offset 0x0037
#define ND_500_DCR__STAT7_offset 0x0038
#define ND_500_DCR__STAT8_offset 0x0039
#define ND_500_DCR__STAT9_offset 0x003A
#define ND_500_DCR__GI_STAT_RE_offset 0x003B
#define ND_500_DCR__GI_STAT_RE_range 0xB
#define ND_500_DCR__CE_CNT_offset 0x0046
#define ND_500_DCR__CE_CNT_range 0x9
#define ND_500_DCR__CE_THRESHOLD_offset 0x004F
#define ND_500_DCR__CTRL_CLEAR1_offset 0x0050
#define ND_500_DCR__CTRL_UPC_CLEAR_offset 0x0052
#define ND_500_DCR__CTRL_UPC_STOP_offset 0x0053
#define ND_500_DCR__FATAL_ERR_STAT_offset 0x0054
#define ND_500_DCR__NON_FATAL_ERR_STAT_offset 0x0055
#define ND_500_DCR__INJ_FIFO_CHKSUM_offset 0x0060
#define ND_500_DCR__INJ_FIFO_CHKSUM_range 0x10
#define ND_500_DCR__INJ_FIFO_HEAD_P0_offset 0x0070
#define ND_500_DCR__INJ_FIFO_HEAD_P1_offset 0x0071
#define ND_500_DCR__INJ_FIFO_TAIL_P0_offset 0x0072
#define ND_500_DCR__INJ_FIFO_TAIL_P1_offset 0x0073
#define ND_500_DCR__RCP_FIFO_HEAD_P0_offset 0x0074
#define ND_500_DCR__RCP_FIFO_HEAD_P1_offset 0x0075
#define ND_500_DCR__RCP_FIFO_HEAD_P2_offset 0x0076
#define ND_500_DCR__RCP_FIFO_HEAD_P3_offset 0x0077
#define ND_500_DCR__RCP_FIFO_TAIL_P0_offset 0x0078
#define ND_500_DCR__RCP_FIFO_TAIL_P1_offset 0x0079
#define ND_500_DCR__RCP_FIFO_TAIL_P2_offset 0x007A
#define ND_500_DCR__RCP_FIFO_TAIL_P3_offset 0x007B

#define ND_500_DCR__RESET__DCRS_OUT_get(x) _BGQ_GET(1, 0, x)
#define ND_500_DCR__RESET__DCRS_OUT_set(v) _BGQ_SET(1, 0, v)
#define ND_500_DCR__RESET__INJ_T0_get(x) _BGQ_GET(1, 1, x)
#define ND_500_DCR__RESET__INJ_T0_set(v) _BGQ_SET(1, 1, v)
#define ND_500_DCR__RESET__INJ_T1_get(x) _BGQ_GET(1, 2, x)
#define ND_500_DCR__RESET__INJ_T1_set(v) _BGQ_SET(1, 2, v)
#define ND_500_DCR__RESET__INJ_T2_get(x) _BGQ_GET(1, 3, x)
#define ND_500_DCR__RESET__INJ_T2_set(v) _BGQ_SET(1, 3, v)
#define ND_500_DCR__RESET__INJ_T3_get(x) _BGQ_GET(1, 4, x)
#define ND_500_DCR__RESET__INJ_T3_set(v) _BGQ_SET(1, 4, v)
#define ND_500_DCR__RESET__INJ_T4_get(x) _BGQ_GET(1, 5, x)
#define ND_500_DCR__RESET__INJ_T4_set(v) _BGQ_SET(1, 5, v)
#define ND_500_DCR__RESET__INJ_T5_get(x) _BGQ_GET(1, 6, x)
#define ND_500_DCR__RESET__INJ_T5_set(v) _BGQ_SET(1, 6, v)
#define ND_500_DCR__RESET__INJ_T6_get(x) _BGQ_GET(1, 7, x)
#define ND_500_DCR__RESET__INJ_T6_set(v) _BGQ_SET(1, 7, v)
#define ND_500_DCR__RESET__INJ_T7_get(x) _BGQ_GET(1, 8, x)
#define ND_500_DCR__RESET__INJ_T7_set(v) _BGQ_SET(1, 8, v)
#define ND_500_DCR__RESET__INJ_T8_get(x) _BGQ_GET(1, 9, x)
#define ND_500_DCR__RESET__INJ_T8_set(v) _BGQ_SET(1, 9, v)
#define ND_500_DCR__RESET__INJ_T9_get(x) _BGQ_GET(1, 10, x)
#define ND_500_DCR__RESET__INJ_T9_set(v) _BGQ_SET(1, 10, v)
#define ND_500_DCR__RESET__INJ_L0_get(x) _BGQ_GET(1, 11, x)
#define ND_500_DCR__RESET__INJ_L0_set(v) _BGQ_SET(1, 11, v)
#define ND_500_DCR__RESET__INJ_L1_get(x) _BGQ_GET(1, 12, x)
#define ND_500_DCR__RESET__INJ_L1_set(v) _BGQ_SET(1, 12, v)
#define ND_500_DCR__RESET__INJ_HP_get(x) _BGQ_GET(1, 13, x)
#define ND_500_DCR__RESET__INJ_HP_set(v) _BGQ_SET(1, 13, v)
#define ND_500_DCR__RESET__INJ_IO_get(x) _BGQ_GET(1, 14, x)
#define ND_500_DCR__RESET__INJ_IO_set(v) _BGQ_SET(1, 14, v)
#define ND_500_DCR__RESET__INJ_C0_get(x) _BGQ_GET(1, 15, x)
#define ND_500_DCR__RESET__INJ_C0_set(v) _BGQ_SET(1, 15, v)
#define ND_500_DCR__RESET__INJ_C1_get(x) _BGQ_GET(1, 16, x)
#define ND_500_DCR__RESET__INJ_C1_set(v) _BGQ_SET(1, 16, v)
#define ND_500_DCR__RESET__RCP_T0_get(x) _BGQ_GET(1, 17, x)
#define ND_500_DCR__RESET__RCP_T0_set(v) _BGQ_SET(1, 17, v)
#define ND_500_DCR__RESET__RCP_T1_get(x) _BGQ_GET(1, 18, x)
#define ND_500_DCR__RESET__RCP_T1_set(v) _BGQ_SET(1, 18, v)
#define ND_500_DCR__RESET__RCP_T2_get(x) _BGQ_GET(1, 19, x)
#define ND_500_DCR__RESET__RCP_T2_set(v) _BGQ_SET(1, 19, v)
#define ND_500_DCR__RESET__RCP_T3_get(x) _BGQ_GET(1, 20, x)
#define ND_500_DCR__RESET__RCP_T3_set(v) _BGQ_SET(1, 20, v)
#define ND_500_DCR__RESET__RCP_T4_get(x) _BGQ_GET(1, 21, x)
#define ND_500_DCR__RESET__RCP_T4_set(v) _BGQ_SET(1, 21, v)
#define ND_500_DCR__RESET__RCP_T5_get(x) _BGQ_GET(1, 22, x)
#define ND_500_DCR__RESET__RCP_T5_set(v) _BGQ_SET(1, 22, v)
#define ND_500_DCR__RESET__RCP_T6_get(x) _BGQ_GET(1, 23, x)
#define ND_500_DCR__RESET__RCP_T6_set(v) _BGQ_SET(1, 23, v)
#define ND_500_DCR__RESET__RCP_T7_get(x) _BGQ_GET(1, 24, x)
#define ND_500_DCR__RESET__RCP_T7_set(v) _BGQ_SET(1, 24, v)
#define ND_500_DCR__RESET__RCP_T8_get(x) _BGQ_GET(1, 25, x)
#define ND_500_DCR__RESET__RCP_T8_set(v) _BGQ_SET(1, 25, v)
#define ND_500_DCR__RESET__RCP_T9_get(x) _BGQ_GET(1, 26, x)
#define ND_500_DCR__RESET__RCP_T9_set(v) _BGQ_SET(1, 26, v)
#define ND_500_DCR__RESET__RCP_L0_get(x) _BGQ_GET(1, 27, x)
#define ND_500_DCR__RESET__RCP_L0_set(v) _BGQ_SET(1, 27, v)
#define ND_500_DCR__RESET__RCP_L1_get(x) _BGQ_GET(1, 28, x)
#define ND_500_DCR__RESET__RCP_L1_set(v) _BGQ_SET(1, 28, v)
#define ND_500_DCR__RESET__RCP_HP_get(x) _BGQ_GET(1, 29, x)
#define ND_500_DCR__RESET__RCP_HP_set(v) _BGQ_SET(1, 29, v)
#define ND_500_DCR__RESET__RCP_IO_get(x) _BGQ_GET(1, 30, x)
#define ND_500_DCR__RESET__RCP_IO_set(v) _BGQ_SET(1, 30, v)
#define ND_500_DCR__RESET__RCP_C0_get(x) _BGQ_GET(1, 31, x)
#define ND_500_DCR__RESET__RCP_C0_set(v) _BGQ_SET(1, 31, v)
#define ND_500_DCR__RESET__RCP_C1_get(x) _BGQ_GET(1, 32, x)
#define ND_500_DCR__RESET__RCP_C1_set(v) _BGQ_SET(1, 32, v)
#define ND_500_DCR__RESET__GI_get(x) _BGQ_GET(1, 33, x)
#define ND_500_DCR__RESET__GI_set(v) _BGQ_SET(1, 33, v)
#define ND_500_DCR__RESET__COLL_get(x) _BGQ_GET(1, 34, x)
#define ND_500_DCR__RESET__COLL_set(v) _BGQ_SET(1, 34, v)
#define ND_500_DCR__RESET__INJ_RAN_get(x) _BGQ_GET(1, 35, x)
#define ND_500_DCR__RESET__INJ_RAN_set(v) _BGQ_SET(1, 35, v)
#define ND_500_DCR__RESET__RCP_RAN_get(x) _BGQ_GET(1, 36, x)
#define ND_500_DCR__RESET__RCP_RAN_set(v) _BGQ_SET(1, 36, v)
#define ND_500_DCR__RESET__REG_CNT_get(x) _BGQ_GET(1, 37, x)
#define ND_500_DCR__RESET__REG_CNT_set(v) _BGQ_SET(1, 37, v)
#define ND_500_DCR__CTRL_COORDS__NODE_COORD_A_get(x) _BGQ_GET(6, 7, x)
#define ND_500_DCR__CTRL_COORDS__NODE_COORD_A_set(v) _BGQ_SET(6, 7, v)
#define ND_500_DCR__CTRL_COORDS__NODE_COORD_B_get(x) _BGQ_GET(6, 13, x)
#define ND_500_DCR__CTRL_COORDS__NODE_COORD_B_set(v) _BGQ_SET(6, 13, v)
#define ND_500_DCR__CTRL_COORDS__NODE_COORD_C_get(x) _BGQ_GET(6, 19, x)
#define ND_500_DCR__CTRL_COORDS__NODE_COORD_C_set(v) _BGQ_SET(6, 19, v)
#define ND_500_DCR__CTRL_COORDS__NODE_COORD_D_get(x) _BGQ_GET(6, 25, x)
#define ND_500_DCR__CTRL_COORDS__NODE_COORD_D_set(v) _BGQ_SET(6, 25, v)
#define ND_500_DCR__CTRL_COORDS__NODE_COORD_E_get(x) _BGQ_GET(6, 31, x)
#define ND_500_DCR__CTRL_COORDS__NODE_COORD_E_set(v) _BGQ_SET(6, 31, v)
#define ND_500_DCR__CTRL_COORDS__MAX_COORD_A_get(x) _BGQ_GET(6, 39, x)
#define ND_500_DCR__CTRL_COORDS__MAX_COORD_A_set(v) _BGQ_SET(6, 39, v)
#define ND_500_DCR__CTRL_COORDS__MAX_COORD_B_get(x) _BGQ_GET(6, 45, x)
#define ND_500_DCR__CTRL_COORDS__MAX_COORD_B_set(v) _BGQ_SET(6, 45, v)
#define ND_500_DCR__CTRL_COORDS__MAX_COORD_C_get(x) _BGQ_GET(6, 51, x)
#define ND_500_DCR__CTRL_COORDS__MAX_COORD_C_set(v) _BGQ_SET(6, 51, v)
#define ND_500_DCR__CTRL_COORDS__MAX_COORD_D_get(x) _BGQ_GET(6, 57, x)
#define ND_500_DCR__CTRL_COORDS__MAX_COORD_D_set(v) _BGQ_SET(6, 57, v)
#define ND_500_DCR__CTRL_COORDS__MAX_COORD_E_get(x) _BGQ_GET(6, 63, x)
#define ND_500_DCR__CTRL_COORDS__MAX_COORD_E_set(v) _BGQ_SET(6, 63, v)
#define ND_500_DCR__CTRL_CUTOFFS__A_PLUS_get(x) _BGQ_GET(6, 7, x)
#define ND_500_DCR__CTRL_CUTOFFS__A_PLUS_set(v) _BGQ_SET(6, 7, v)
#define ND_500_DCR__CTRL_CUTOFFS__B_PLUS_get(x) _BGQ_GET(6, 13, x)
#define ND_500_DCR__CTRL_CUTOFFS__B_PLUS_set(v) _BGQ_SET(6, 13, v)
#define ND_500_DCR__CTRL_CUTOFFS__C_PLUS_get(x) _BGQ_GET(6, 19, x)
#define ND_500_DCR__CTRL_CUTOFFS__C_PLUS_set(v) _BGQ_SET(6, 19, v)
#define ND_500_DCR__CTRL_CUTOFFS__D_PLUS_get(x) _BGQ_GET(6, 25, x)
#define ND_500_DCR__CTRL_CUTOFFS__D_PLUS_set(v) _BGQ_SET(6, 25, v)
#define ND_500_DCR__CTRL_CUTOFFS__E_PLUS_get(x) _BGQ_GET(6, 31, x)
#define ND_500_DCR__CTRL_CUTOFFS__E_PLUS_set(v) _BGQ_SET(6, 31, v)
#define ND_500_DCR__CTRL_CUTOFFS__A_MINUS_get(x) _BGQ_GET(6, 39, x)
#define ND_500_DCR__CTRL_CUTOFFS__A_MINUS_set(v) _BGQ_SET(6, 39, v)
#define ND_500_DCR__CTRL_CUTOFFS__B_MINUS_get(x) _BGQ_GET(6, 45, x)
#define ND_500_DCR__CTRL_CUTOFFS__B_MINUS_set(v) _BGQ_SET(6, 45, v)
#define ND_500_DCR__CTRL_CUTOFFS__C_MINUS_get(x) _BGQ_GET(6, 51, x)
#define ND_500_DCR__CTRL_CUTOFFS__C_MINUS_set(v) _BGQ_SET(6, 51, v)
#define ND_500_DCR__CTRL_CUTOFFS__D_MINUS_get(x) _BGQ_GET(6, 57, x)
#define ND_500_DCR__CTRL_CUTOFFS__D_MINUS_set(v) _BGQ_SET(6, 57, v)
#define ND_500_DCR__CTRL_CUTOFFS__E_MINUS_get(x) _BGQ_GET(6, 63, x)
#define ND_500_DCR__CTRL_CUTOFFS__E_MINUS_set(v) _BGQ_SET(6, 63, v)
#define ND_500_DCR__CTRL_DET_ORDER__MASK0_get(x) _BGQ_GET(5, 43, x)
#define ND_500_DCR__CTRL_DET_ORDER__MASK0_set(v) _BGQ_SET(5, 43, v)
#define ND_500_DCR__CTRL_DET_ORDER__MASK1_get(x) _BGQ_GET(5, 48, x)
#define ND_500_DCR__CTRL_DET_ORDER__MASK1_set(v) _BGQ_SET(5, 48, v)
#define ND_500_DCR__CTRL_DET_ORDER__MASK2_get(x) _BGQ_GET(5, 53, x)
#define ND_500_DCR__CTRL_DET_ORDER__MASK2_set(v) _BGQ_SET(5, 53, v)
#define ND_500_DCR__CTRL_DET_ORDER__MASK3_get(x) _BGQ_GET(5, 58, x)
#define ND_500_DCR__CTRL_DET_ORDER__MASK3_set(v) _BGQ_SET(5, 58, v)
#define ND_500_DCR__CTRL_DET_ORDER__MASK4_get(x) _BGQ_GET(5, 63, x)
#define ND_500_DCR__CTRL_DET_ORDER__MASK4_set(v) _BGQ_SET(5, 63, v)
#define ND_500_DCR__CTRL_GI_CLASS_00_01__CLASS00_UP_PORT_I_get(x) _BGQ_GET(12, 15, x)
#define ND_500_DCR__CTRL_GI_CLASS_00_01__CLASS00_UP_PORT_I_set(v) _BGQ_SET(12, 15, v)
#define ND_500_DCR__CTRL_GI_CLASS_00_01__CLASS00_UP_PORT_O_get(x) _BGQ_GET(12, 31, x)
#define ND_500_DCR__CTRL_GI_CLASS_00_01__CLASS00_UP_PORT_O_set(v) _BGQ_SET(12, 31, v)
#define ND_500_DCR__CTRL_GI_CLASS_00_01__CLASS01_UP_PORT_I_get(x) _BGQ_GET(12, 47, x)
#define ND_500_DCR__CTRL_GI_CLASS_00_01__CLASS01_UP_PORT_I_set(v) _BGQ_SET(12, 47, v)
#define ND_500_DCR__CTRL_GI_CLASS_00_01__CLASS01_UP_PORT_O_get(x) _BGQ_GET(12, 63, x)
#define ND_500_DCR__CTRL_GI_CLASS_00_01__CLASS01_UP_PORT_O_set(v) _BGQ_SET(12, 63, v)
#define ND_500_DCR__CTRL_COLL_CLASS_00_01__CLASS00_TYPE_get(x) _BGQ_GET(2, 3, x)
#define ND_500_DCR__CTRL_COLL_CLASS_00_01__CLASS00_TYPE_set(v) _BGQ_SET(2, 3, v)
#define ND_500_DCR__CTRL_COLL_CLASS_00_01__CLASS00_UP_PORT_I_get(x) _BGQ_GET(12, 15, x)
#define ND_500_DCR__CTRL_COLL_CLASS_00_01__CLASS00_UP_PORT_I_set(v) _BGQ_SET(12, 15, v)
#define ND_500_DCR__CTRL_COLL_CLASS_00_01__CLASS00_UP_PORT_O_get(x) _BGQ_GET(12, 31, x)
#define ND_500_DCR__CTRL_COLL_CLASS_00_01__CLASS00_UP_PORT_O_set(v) _BGQ_SET(12, 31, v)
#define ND_500_DCR__CTRL_COLL_CLASS_00_01__CLASS01_TYPE_get(x) _BGQ_GET(2, 35, x)
#define ND_500_DCR__CTRL_COLL_CLASS_00_01__CLASS01_TYPE_set(v) _BGQ_SET(2, 35, v)
#define ND_500_DCR__CTRL_COLL_CLASS_00_01__CLASS01_UP_PORT_I_get(x) _BGQ_GET(12, 47, x)
#define ND_500_DCR__CTRL_COLL_CLASS_00_01__CLASS01_UP_PORT_I_set(v) _BGQ_SET(12, 47, v)
#define ND_500_DCR__CTRL_COLL_CLASS_00_01__CLASS01_UP_PORT_O_get(x) _BGQ_GET(12, 63, x)
#define ND_500_DCR__CTRL_COLL_CLASS_00_01__CLASS01_UP_PORT_O_set(v) _BGQ_SET(12, 63, v)
/* clang-format on */

#endif
