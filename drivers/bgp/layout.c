/* SPDX-License-Identifier: Apache-2.0 */
/* The SPI's structures have the layout of the machine: what the kernel fills in (nic/bgp/kernel_services.h), what the
 * hardware reads (nic/bgp/dma_regs.h), and what programs embed. Nothing but checks. */
#include <bpcore/bgp_atomic_ops.h>
#include <common/bgp_personality.h>
#include <spi/bgp_SPI.h>
#include <spi/bgp_collective_spi.h>
#include <spi/bgp_torus_spi.h>

#include "drivers/bgp/spi_internal.h"
#include "nic/bgp/dma_regs.h"
#include "nic/bgp/kernel_services.h"

#define BYTES(type, bytes) _Static_assert(sizeof(type) == (bytes), "size of " #type)
#define PLACE(type, field, offset) _Static_assert(offsetof(type, field) == (offset), #field " of " #type)

BYTES(DMA_Fifo_t, BGP_SPI_FIFO_BYTES);
PLACE(DMA_Fifo_t, fifo_hw_ptr, BGP_SPI_FIFO_HW_PTR);
PLACE(DMA_Fifo_t, free_space, BGP_SPI_FIFO_FREE_SPACE);
PLACE(DMA_Fifo_t, fifo_size, BGP_SPI_FIFO_FIFO_SIZE);
PLACE(DMA_Fifo_t, pa_start, BGP_SPI_FIFO_PA_START);
PLACE(DMA_Fifo_t, va_start, BGP_SPI_FIFO_VA_START);
PLACE(DMA_Fifo_t, va_head, BGP_SPI_FIFO_VA_HEAD);
PLACE(DMA_Fifo_t, va_tail, BGP_SPI_FIFO_VA_TAIL);
PLACE(DMA_Fifo_t, va_end, BGP_SPI_FIFO_VA_END);

BYTES(DMA_InjFifo_t, BGP_SPI_INJ_FIFO_BYTES);
PLACE(DMA_InjFifo_t, dma_fifo, 0);
PLACE(DMA_InjFifo_t, fifo_id, BGP_SPI_INJ_FIFO_ID);
PLACE(DMA_InjFifo_t, desc_count, BGP_SPI_INJ_FIFO_DESC_COUNT);
PLACE(DMA_InjFifo_t, occupiedSize, BGP_SPI_INJ_FIFO_OCCUPIED);
PLACE(DMA_InjFifo_t, priority, BGP_SPI_INJ_FIFO_PRIORITY);
PLACE(DMA_InjFifo_t, local, BGP_SPI_INJ_FIFO_LOCAL);
PLACE(DMA_InjFifo_t, ts_inj_map, BGP_SPI_INJ_FIFO_MAP);

BYTES(DMA_InjFifoGroup_t, BGP_SPI_INJ_GROUP_BYTES);
PLACE(DMA_InjFifoGroup_t, status_ptr, BGP_SPI_INJ_GROUP_STATUS_PTR);
PLACE(DMA_InjFifoGroup_t, fifos, BGP_SPI_INJ_GROUP_FIFOS);
PLACE(DMA_InjFifoGroup_t, permissions, BGP_SPI_INJ_GROUP_PERMISSIONS);
PLACE(DMA_InjFifoGroup_t, group_id, BGP_SPI_INJ_GROUP_GROUP_ID);

BYTES(DMA_RecFifo_t, BGP_SPI_REC_FIFO_BYTES);
PLACE(DMA_RecFifo_t, global_fifo_id, BGP_SPI_REC_FIFO_GLOBAL_ID);
PLACE(DMA_RecFifo_t, type, BGP_SPI_REC_FIFO_TYPE);
PLACE(DMA_RecFifo_t, num_packets_processed_since_moving_fifo_head, BGP_SPI_REC_FIFO_PACKETS);

BYTES(DMA_RecFifoGroup_t, BGP_SPI_REC_GROUP_BYTES);
PLACE(DMA_RecFifoGroup_t, group_id, BGP_SPI_REC_GROUP_GROUP_ID);
PLACE(DMA_RecFifoGroup_t, num_normal_fifos, BGP_SPI_REC_GROUP_NUM_NORMAL);
PLACE(DMA_RecFifoGroup_t, num_hdr_fifos, BGP_SPI_REC_GROUP_NUM_HEADER);
PLACE(DMA_RecFifoGroup_t, mask, BGP_SPI_REC_GROUP_MASK);
PLACE(DMA_RecFifoGroup_t, status_ptr, BGP_SPI_REC_GROUP_STATUS_PTR);
PLACE(DMA_RecFifoGroup_t, fifos, BGP_SPI_REC_GROUP_FIFOS);

BYTES(DMA_RecFifoMap_t, BGP_SPI_REC_MAP_BYTES);
PLACE(DMA_RecFifoMap_t, save_headers, BGP_SPI_REC_MAP_SAVE_HEADERS);
PLACE(DMA_RecFifoMap_t, fifo_types, BGP_SPI_REC_MAP_FIFO_TYPES);
PLACE(DMA_RecFifoMap_t, hdr_fifo_types, BGP_SPI_REC_MAP_HEADER_TYPES);
PLACE(DMA_RecFifoMap_t, threshold, BGP_SPI_REC_MAP_THRESHOLDS);
PLACE(DMA_RecFifoMap_t, ts_rec_map, BGP_SPI_REC_MAP_TS_REC_MAP);

BYTES(DMA_Counter_t, BGP_SPI_COUNTER_BYTES);
PLACE(DMA_Counter_t, va_base, BGP_SPI_COUNTER_VA_BASE);
PLACE(DMA_Counter_t, pa_base, BGP_SPI_COUNTER_PA_BASE);
PLACE(DMA_Counter_t, va_max, BGP_SPI_COUNTER_VA_MAX);
PLACE(DMA_Counter_t, pa_max, BGP_SPI_COUNTER_PA_MAX);
PLACE(DMA_Counter_t, counter_hw_ptr, BGP_SPI_COUNTER_HW_PTR);

BYTES(DMA_CounterGroup_t, BGP_SPI_COUNTER_GROUP_BYTES);
PLACE(DMA_CounterGroup_t, status_ptr, BGP_SPI_COUNTER_GROUP_STATUS_PTR);
PLACE(DMA_CounterGroup_t, permissions, BGP_SPI_COUNTER_GROUP_PERMISSIONS);
PLACE(DMA_CounterGroup_t, grp_permissions, BGP_SPI_COUNTER_GROUP_GRP_PERMISSIONS);
PLACE(DMA_CounterGroup_t, group_id, BGP_SPI_COUNTER_GROUP_GROUP_ID);
PLACE(DMA_CounterGroup_t, type, BGP_SPI_COUNTER_GROUP_TYPE);
PLACE(DMA_CounterGroup_t, counter, BGP_SPI_COUNTER_GROUP_COUNTERS);

BYTES(DMA_CounterAppSegment_t, 16);
BYTES(DMA_InjDescriptor_t, 32);
BYTES(DMA_PacketHeader_t, 16);
BYTES(LockBox_Barrier_t, BGP_SPI_BARRIER_BYTES);
PLACE(LockBox_Barrier_t, lock, 4);
PLACE(LockBox_Barrier_t, status, 12);
PLACE(LockBox_Barrier_t, mastercore, 20);
PLACE(LockBox_Barrier_t, numcores, 21);
BYTES(kernel_coords_t, BGP_SPI_COORDS_BYTES);
BYTES(_BGP_Atomic, 32);
BYTES(GlobInt_Status_t, 4);
BYTES(_BGP_SprgShMem, 4);
BYTES(_BGP_SprgDST2, 4);
BYTES(_BGP_TreeHwHdr, 4);
BYTES(_BGP_TreePayload, 256);
BYTES(_BGP_TorusPacketHeader_t, 16);
BYTES(_BGP_TorusFifoStatus, 16);

/* Windows on registers. */
#define REGISTER(type, field, first, reg) PLACE(type, field, BGP_DMA_##reg##_OFFSET - BGP_DMA_##first##_OFFSET)
BYTES(DMA_FifoHW_t, BGP_DMA_INJ_FIFO_START_STRIDE);
REGISTER(DMA_FifoHW_t, pa_end, INJ_FIFO_START, INJ_FIFO_END);
REGISTER(DMA_FifoHW_t, pa_head, INJ_FIFO_START, INJ_FIFO_HEAD);
REGISTER(DMA_FifoHW_t, pa_tail, INJ_FIFO_START, INJ_FIFO_TAIL);
REGISTER(DMA_FifoHW_t, pa_end, REC_FIFO_START, REC_FIFO_END);
REGISTER(DMA_FifoHW_t, pa_tail, REC_FIFO_START, REC_FIFO_TAIL);
BYTES(DMA_InjFifoStatus_t, 44);
REGISTER(DMA_InjFifoStatus_t, available, INJ_NOT_EMPTY, INJ_AVAILABLE);
REGISTER(DMA_InjFifoStatus_t, threshold_crossed, INJ_NOT_EMPTY, INJ_THRESHOLD_CROSSED);
REGISTER(DMA_InjFifoStatus_t, clear_threshold_crossed, INJ_NOT_EMPTY, INJ_CLEAR_THRESHOLD_CROSSED);
REGISTER(DMA_InjFifoStatus_t, activated, INJ_NOT_EMPTY, INJ_ACTIVATED);
REGISTER(DMA_InjFifoStatus_t, activate, INJ_NOT_EMPTY, INJ_ACTIVATE);
REGISTER(DMA_InjFifoStatus_t, deactivate, INJ_NOT_EMPTY, INJ_DEACTIVATE);
BYTES(DMA_RecFifoStatus_t, 32);
REGISTER(DMA_RecFifoStatus_t, available, REC_NOT_EMPTY, REC_AVAILABLE);
REGISTER(DMA_RecFifoStatus_t, threshold_crossed, REC_NOT_EMPTY, REC_THRESHOLD_CROSSED);
REGISTER(DMA_RecFifoStatus_t, clear_threshold_crossed, REC_NOT_EMPTY, REC_CLEAR_THRESHOLD_CROSSED);
BYTES(DMA_CounterHw_t, BGP_DMA_REC_COUNTER_VALUE_STRIDE);
REGISTER(DMA_CounterHw_t, increment, REC_COUNTER_VALUE, REC_COUNTER_INCREMENT);
REGISTER(DMA_CounterHw_t, pa_base, REC_COUNTER_VALUE, REC_COUNTER_BASE);
REGISTER(DMA_CounterHw_t, pa_max, REC_COUNTER_VALUE, REC_COUNTER_MAX);
REGISTER(DMA_CounterHw_t, pa_base, INJ_COUNTER_VALUE, INJ_COUNTER_BASE);
BYTES(DMA_CounterStatus_t, 52);
REGISTER(DMA_CounterStatus_t, enable, INJ_COUNTER_ENABLED, INJ_COUNTER_ENABLE);
REGISTER(DMA_CounterStatus_t, disable, INJ_COUNTER_ENABLED, INJ_COUNTER_DISABLE);
REGISTER(DMA_CounterStatus_t, hit_zero, INJ_COUNTER_ENABLED, INJ_COUNTER_HIT_ZERO);
REGISTER(DMA_CounterStatus_t, clear_hit_zero, INJ_COUNTER_ENABLED, INJ_COUNTER_CLEAR_HIT_ZERO);
REGISTER(DMA_CounterStatus_t, grp_status, INJ_COUNTER_ENABLED, INJ_COUNTER_GROUP_STATUS);

/* dma.h: both kinds of counters have their registers at the same distances. */
#define SAME(reg)                                                                             \
  _Static_assert(BGP_DMA_INJ_COUNTER_##reg##_OFFSET - BGP_DMA_INJ_COUNTER_ENABLED_OFFSET ==   \
                     BGP_DMA_REC_COUNTER_##reg##_OFFSET - BGP_DMA_REC_COUNTER_ENABLED_OFFSET, \
                 #reg)
SAME(ENABLE);
SAME(DISABLE);
SAME(HIT_ZERO);
SAME(CLEAR_HIT_ZERO);
_Static_assert(BGP_DMA_INJ_COUNTER_INCREMENT_OFFSET - BGP_DMA_INJ_COUNTER_VALUE_OFFSET ==
                   BGP_DMA_REC_COUNTER_INCREMENT_OFFSET - BGP_DMA_REC_COUNTER_VALUE_OFFSET,
               "increment");
_Static_assert(BGP_DMA_INJ_COUNTER_BASE_OFFSET - BGP_DMA_INJ_COUNTER_VALUE_OFFSET ==
                   BGP_DMA_REC_COUNTER_BASE_OFFSET - BGP_DMA_REC_COUNTER_VALUE_OFFSET,
               "base");

/* The personality. */
BYTES(_BGP_Personality_t, 416);
PLACE(_BGP_Personality_t, Version, 2);
PLACE(_BGP_Personality_t, PersonalitySizeWords, 3);
PLACE(_BGP_Personality_t, Kernel_Config.UniversalComponentIdentifier, 4);
PLACE(_BGP_Personality_t, Kernel_Config.FreqMHz, 8);
PLACE(_BGP_Personality_t, Kernel_Config.ProcessConfig, 16);
PLACE(_BGP_Personality_t, Kernel_Config.NodeConfig, 24);
PLACE(_BGP_Personality_t, Kernel_Config.L1Config, 28);
PLACE(_BGP_Personality_t, Kernel_Config.SharedMemMB, 44);
PLACE(_BGP_Personality_t, DDR_Config, 56);
PLACE(_BGP_Personality_t, DDR_Config.DDRSizeMB, 140);
PLACE(_BGP_Personality_t, DDR_Config.CAS, 143);
PLACE(_BGP_Personality_t, Network_Config.BlockID, 144);
PLACE(_BGP_Personality_t, Network_Config.Xnodes, 148);
PLACE(_BGP_Personality_t, Network_Config.Xcoord, 151);
PLACE(_BGP_Personality_t, Network_Config.PSetNum, 154);
PLACE(_BGP_Personality_t, Network_Config.PSetSize, 156);
PLACE(_BGP_Personality_t, Network_Config.RankInPSet, 160);
PLACE(_BGP_Personality_t, Network_Config.IOnodes, 164);
PLACE(_BGP_Personality_t, Network_Config.Rank, 168);
PLACE(_BGP_Personality_t, Network_Config.TreeRoutes, 176);
PLACE(_BGP_Personality_t, Ethernet_Config.MTU, 208);
PLACE(_BGP_Personality_t, Ethernet_Config.EmacID, 210);
PLACE(_BGP_Personality_t, Ethernet_Config.IPAddress, 216);
PLACE(_BGP_Personality_t, Ethernet_Config.NFSExportDir, 312);
PLACE(_BGP_Personality_t, Ethernet_Config.NFSMountDir, 344);
PLACE(_BGP_Personality_t, Ethernet_Config.SecurityKey, 376);
PLACE(_BGP_Personality_t, Block_Config, 408);
