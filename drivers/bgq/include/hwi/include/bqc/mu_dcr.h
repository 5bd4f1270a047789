/* SPDX-License-Identifier: Apache-2.0 */
/* Control registers of the Messaging Unit: numbers, and fields of those that programs read. */
#ifndef _MU_DCR__H_
#define _MU_DCR__H_

#include <hwi/include/bqc/dcr_support.h>
#include <hwi/include/common/bgq_bitnumbers.h>

/* clang-format off */
#define MU_DCR_base 0x0E0000
#define MU_DCR_size 0x0F45

#define MU_DCR(reg) _DCR_REG(MU_DCR, reg)

#define MU_DCR__IMFIFO_THOLD_INT_EN_offset 0x0D00
#define MU_DCR__IMFIFO_THOLD_INT_EN_range 0x11
#define MU_DCR__IMFIFO_SYSTEM_offset 0x0D11
#define MU_DCR__IMFIFO_SYSTEM_range 0x11
#define MU_DCR__IMFIFO_RGET_offset 0x0D22
#define MU_DCR__IMFIFO_RGET_range 0x11
#define MU_DCR__IMU_THOLD_offset 0x0D33
#define MU_DCR__RGET_THOLD_offset 0x0D34
#define MU_DCR__RMFIFO_EN_offset 0x0D35
#define MU_DCR__RMFIFO_EN_range 0x11
#define MU_DCR__RMFIFO_THOLD_INT_EN_offset 0x0D46
#define MU_DCR__RMFIFO_THOLD_INT_EN_range 0x11
#define MU_DCR__RMFIFO_PACKET_INT_EN_offset 0x0D57
#define MU_DCR__RMFIFO_PACKET_INT_EN_range 0x11
#define MU_DCR__RMFIFO_SYSTEM_offset 0x0D68
#define MU_DCR__RMFIFO_SYSTEM_range 0x11
#define MU_DCR__RMU_THOLD_offset 0x0D79
#define MU_DCR__RPUTBASE_SYSTEM0_offset 0x0D7A
#define MU_DCR__RPUTBASE_SYSTEM1_offset 0x0D7B
#define MU_DCR__SYS_BARRIER_offset 0x0D7C
#define MU_DCR__BARRIER_INT_EN_offset 0x0D7D
#define MU_DCR__MIN_USR_ADDR_RANGE_offset 0x0D80
#define MU_DCR__MIN_USR_ADDR_RANGE_range 0x14
#define MU_DCR__MAX_USR_ADDR_RANGE_offset 0x0D94
#define MU_DCR__MAX_USR_ADDR_RANGE_range 0x14
#define MU_DCR__MIN_SYS_ADDR_RANGE_offset 0x0DA8
#define MU_DCR__MIN_SYS_ADDR_RANGE_range 0x8
#define MU_DCR__MAX_SYS_ADDR_RANGE_offset 0x0DB0
#define MU_DCR__MAX_SYS_ADDR_RANGE_range 0x8
#define MU_DCR__USR_INJ_RANGE_offset 0x0DB8
#define MU_DCR__SYS_INJ_RANGE_offset 0x0DB9
#define MU_DCR__IME_ENABLE_offset 0x0DC7
#define MU_DCR__RME_ENABLE_offset 0x0DC8
#define MU_DCR__RME_WAIT_FULL_offset 0x0DC9
#define MU_DCR__RME_WAIT_TAIL_offset 0x0DCA
#define MU_DCR__GIP_INT_EN_0_7_offset 0x0DCB
#define MU_DCR__GIP_INT_EN_8_15_offset 0x0DCC
#define MU_DCR__GIP_INT_EN_16_offset 0x0DCD
#define MU_DCR__RESET_offset 0x0DCF
#define MU_DCR__MOD_HALT_EN_offset 0x0DD0
#define MU_DCR__MOD_HALTED_offset 0x0DD1
#define MU_DCR__MCSRAM_BD_FETCHING_DESC_offset 0x0DE4
#define MU_DCR__IME_STATE_offset 0x0DE9
#define MU_DCR__RME_STATE0_offset 0x0DEA
#define MU_DCR__RME_STATE1_offset 0x0DEB
#define MU_DCR__INJ_NDFIFO_AVAIL_offset 0x0DEC
#define MU_DCR__MASTER_PORT0_INTERRUPTS__STATE_offset 0x0E0A
#define MU_DCR__MASTER_PORT1_INTERRUPTS__STATE_offset 0x0E13
#define MU_DCR__MASTER_PORT2_INTERRUPTS__STATE_offset 0x0E1C
#define MU_DCR__SLAVE_PORT_INTERRUPTS__STATE_offset 0x0E25
#define MU_DCR__MMREGS_INTERRUPTS__STATE_offset 0x0E2E
#define MU_DCR__FIFO_INTERRUPTS__STATE_offset 0x0E37
#define MU_DCR__RMFIFO_offset 0x0E3F
#define MU_DCR__IMU_ECC_INTERRUPTS__STATE_offset 0x0E40
#define MU_DCR__MCSRAM_INTERRUPTS__STATE_offset 0x0E48
#define MU_DCR__IMFIFO_offset 0x0E51
#define MU_DCR__ARLOG_INTERRUPTS__STATE_offset 0x0E52
#define MU_DCR__RMU_ECC_INTERRUPTS__STATE_offset 0x0E5A
#define MU_DCR__RCSRAM_INTERRUPTS__STATE_offset 0x0E62
#define MU_DCR__RPUTSRAM_INTERRUPTS__STATE_offset 0x0E6B
#define MU_DCR__IME_INTERRUPTS__STATE_offset 0x0E73
#define MU_DCR__RME_INTERRUPTS0__STATE_offset 0x0E8B
#define MU_DCR__RME_INTERRUPTS1__STATE_offset 0x0E93
#define MU_DCR__ICSRAM_INTERRUPTS__STATE_offset 0x0EBB
#define MU_DCR__MISC_INTERRUPTS__STATE_offset 0x0EC4
#define MU_DCR__RMU_ECC_CORR_INTERRUPTS__STATE_offset 0x0ECD
#define MU_DCR__MISC_ECC_CORR_INTERRUPTS__STATE_offset 0x0ED5
#define MU_DCR__ECC_COUNT_INTERRUPTS__STATE_offset 0x0EDD

#define MU_DCR__IMU_THOLD__VALUE_get(x) _BGQ_GET(30, 63, x)
#define MU_DCR__IMU_THOLD__VALUE_set(v) _BGQ_SET(30, 63, v)
#define MU_DCR__RGET_THOLD__VALUE_get(x) _BGQ_GET(30, 63, x)
#define MU_DCR__RGET_THOLD__VALUE_set(v) _BGQ_SET(30, 63, v)
#define MU_DCR__RMU_THOLD__VALUE_get(x) _BGQ_GET(31, 63, x)
#define MU_DCR__RMU_THOLD__VALUE_set(v) _BGQ_SET(31, 63, v)
#define MU_DCR__RESET__DCRS_OUT_get(x) _BGQ_GET(1, 0, x)
#define MU_DCR__RESET__DCRS_OUT_set(v) _BGQ_SET(1, 0, v)
#define MU_DCR__RESET__XM0_get(x) _BGQ_GET(1, 1, x)
#define MU_DCR__RESET__XM0_set(v) _BGQ_SET(1, 1, v)
#define MU_DCR__RESET__XM1_get(x) _BGQ_GET(1, 2, x)
#define MU_DCR__RESET__XM1_set(v) _BGQ_SET(1, 2, v)
#define MU_DCR__RESET__XM2_get(x) _BGQ_GET(1, 3, x)
#define MU_DCR__RESET__XM2_set(v) _BGQ_SET(1, 3, v)
#define MU_DCR__RESET__XS_get(x) _BGQ_GET(1, 4, x)
#define MU_DCR__RESET__XS_set(v) _BGQ_SET(1, 4, v)
#define MU_DCR__RESET__ICSRAM_get(x) _BGQ_GET(1, 5, x)
#define MU_DCR__RESET__ICSRAM_set(v) _BGQ_SET(1, 5, v)
#define MU_DCR__RESET__MCSRAM_get(x) _BGQ_GET(1, 6, x)
#define MU_DCR__RESET__MCSRAM_set(v) _BGQ_SET(1, 6, v)
#define MU_DCR__RESET__RCSRAM_get(x) _BGQ_GET(1, 7, x)
#define MU_DCR__RESET__RCSRAM_set(v) _BGQ_SET(1, 7, v)
#define MU_DCR__RESET__RPUTSRAM_get(x) _BGQ_GET(1, 8, x)
#define MU_DCR__RESET__RPUTSRAM_set(v) _BGQ_SET(1, 8, v)
#define MU_DCR__RESET__MMREGS_get(x) _BGQ_GET(1, 9, x)
#define MU_DCR__RESET__MMREGS_set(v) _BGQ_SET(1, 9, v)
#define MU_DCR__RESET__UPC_get(x) _BGQ_GET(1, 10, x)
#define MU_DCR__RESET__UPC_set(v) _BGQ_SET(1, 10, v)
#define MU_DCR__RESET__MU_TOP_get(x) _BGQ_GET(1, 11, x)
#define MU_DCR__RESET__MU_TOP_set(v) _BGQ_SET(1, 11, v)
#define MU_DCR__RESET__ECC_VEC_get(x) _BGQ_GET(8, 31, x)
#define MU_DCR__RESET__ECC_VEC_set(v) _BGQ_SET(8, 31, v)
#define MU_DCR__RESET__RME_VEC_get(x) _BGQ_GET(16, 47, x)
#define MU_DCR__RESET__RME_VEC_set(v) _BGQ_SET(16, 47, v)
#define MU_DCR__RESET__IME_VEC_get(x) _BGQ_GET(16, 63, x)
#define MU_DCR__RESET__IME_VEC_set(v) _BGQ_SET(16, 63, v)
/* clang-format on */

#endif
