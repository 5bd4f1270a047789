/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The part of the DMA SPI that DCMF uses, on the host, over DmaDouble (testbench/tests/firmware/dma_double.h). Names
 * and arguments are those of drivers/bgp/include/spi; what structures hold is the double's.
 */
#ifndef TOROID_TESTS_SPI_DOUBLE_H
#define TOROID_TESTS_SPI_DOUBLE_H

#include <common/bgp_personality.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define DMA_PACKET_HINT_XP (0x20)
#define DMA_PACKET_HINT_XM (0x10)
#define DMA_PACKET_HINT_YP (0x08)
#define DMA_PACKET_HINT_YM (0x04)
#define DMA_PACKET_HINT_ZP (0x02)
#define DMA_PACKET_HINT_ZM (0x01)
#define DMA_PACKET_VC_D0 (0)
#define DMA_PACKET_VC_D1 (1)
#define DMA_PACKET_VC_BN (2)
#define DMA_PACKET_VC_BP (3)
#define DMA_COUNTER_INIT_VAL 0xFFFFFFFF
#define DMA_NUM_REC_FIFO_GROUPS 4
#define DMA_NUM_NORMAL_REC_FIFOS_PER_GROUP 8
#define DMA_NUM_COUNTERS_PER_GROUP 64

typedef enum { DMA_Type_Injection = 0, DMA_Type_Reception = 1 } DMA_Type_t;
typedef unsigned Kernel_InterruptGroup_t;
typedef void (*Kernel_CommThreadHandler)(unsigned, unsigned, unsigned, unsigned);
typedef int (*DMA_InjFifoRgetFifoFullHandler_t)(void*);
typedef struct LockBox_Barrier LockBox_Barrier_t;
typedef uint32_t* LockBox_Counter_t;

#define GLOBINT_CHANNEL_APP_BARRIER 0
#define _BGP_DCR_GLOBINT_SET_ARM_AND 1
typedef struct {
  uint32_t mode, stickyType, userEnables;
} GlobInt_Status_t;

typedef struct {
  uint8_t x, y, z, t;
} kernel_coords_t;

/* 32 bytes, as on the machine, for they are copied as such. */
typedef struct {
  uint8_t kind; /* 0 memory FIFO, 1 direct put, 2 remote get */
  uint8_t local;
  uint8_t x, y, z;
  uint8_t hints, vc;
  uint8_t deposit;
  uint8_t inj_group, inj_counter;
  uint8_t rec_group, rec_counter; /* counter, FIFO of a remote get */
  uint8_t function;
  uint8_t chunks; /* of a packet */
  uint8_t pad[2];
  struct {
    uint32_t SW_Arg;
    __extension__ union {
      uint32_t Put_Offset;
      uint32_t Single_Packet_Parameter;
    };
  } hwHdr;
  uint32_t offset;
  uint32_t length;
} __attribute__((__aligned__(16))) DMA_InjDescriptor_t;

typedef struct {
  uint32_t SW_Arg;
  uint32_t Func_Id;
  uint32_t Single_Packet_Parameter;
  uint32_t chunks;
} DMA_PacketHeader_t;

typedef struct DMA_CounterHw DMA_CounterHw_t;
typedef struct {
  DMA_CounterHw_t* counter_hw_ptr;
} DMA_Counter_t;
typedef struct {
  int type, group_id;
  DMA_Counter_t counter[DMA_NUM_COUNTERS_PER_GROUP];
} DMA_CounterGroup_t;
typedef struct {
  int group_id;
} DMA_InjFifoGroup_t;
typedef struct {
  int group_id;
} DMA_RecFifoGroup_t;
typedef struct {
  int id;
} DMA_RecFifo_t;
typedef struct {
  unsigned char ts_rec_map[DMA_NUM_REC_FIFO_GROUPS][8];
  unsigned threshold[2];
} DMA_RecFifoMap_t;
typedef int (*DMA_RecFifoRecvFunction_t)(DMA_RecFifo_t*, DMA_PacketHeader_t*, void*, char*, int);

int Kernel_GetPersonality(_BGP_Personality_t* personality, size_t size);
int Kernel_ProcessCount(void);
int Kernel_PhysicalProcessorID(void);
int Kernel_Coord2Rank(uint32_t x, uint32_t y, uint32_t z, uint32_t t, uint32_t* rank, uint32_t* ranks);
int Kernel_Ranks2Coords(kernel_coords_t* coordinates, uint32_t count);
int Kernel_Virtual2Physical(void* va, size_t bytes, uint32_t* upper, uint32_t* lower);
uint32_t Kernel_CounterGroupAllocate(uint32_t type, uint32_t group, uint32_t num_subgroups, uint32_t* subgroups,
                                     uint32_t target, uint32_t handler, uint32_t* handler_parm, uint32_t interruptGroup,
                                     uint32_t* cg_ptr);
unsigned long long _bgp_GetTimeBase(void);

#define _bgp_msync()
uint32_t LockBox_Query(LockBox_Counter_t lba);
uint32_t LockBox_FetchAndInc(LockBox_Counter_t lba);
int Kernel_AllocateLockBox(uint32_t lockid, uint32_t numlocks, uint32_t** ptr, uint32_t flags);

GlobInt_Status_t GlobInt_GetStatus(void);
void GlobInt_SetARMType(uint32_t channel, uint32_t armtype);
uint32_t GlobInt_IsRaised(uint32_t channel);
uint32_t GlobInt_QueryDone(uint32_t channel);
void GlobInt_Disarm(int channel);
void GlobInt_Fire(int channel);

int DMA_CounterGroupAllocate(DMA_Type_t type, int grp, int num_subgroups, int* subgroups, int target,
                             Kernel_CommThreadHandler handler, void* handler_parm,
                             Kernel_InterruptGroup_t interruptGroup, DMA_CounterGroup_t* cg_ptr);
int DMA_CounterGroupFree(int grp, int num_subgroups, int* subgroups, DMA_CounterGroup_t* cg_ptr);
void DMA_CounterSetValueBaseMaxHw(DMA_CounterHw_t* c_hw, unsigned value, unsigned pa_base, unsigned pa_max);
void DMA_CounterSetValueById(DMA_CounterGroup_t* cg_ptr, int counter_id, unsigned value);
void DMA_CounterSetEnableById(DMA_CounterGroup_t* cg_ptr, int counter_id);
unsigned DMA_CounterGetHitZero(const DMA_CounterGroup_t* cg_ptr, int reg);
void DMA_CounterGroupClearHitZero(DMA_CounterGroup_t* cg_ptr, int reg, unsigned counterBits);

int DMA_InjFifoGroupAllocate(int grp, int num_fifos, int* fifo_ids, unsigned short* priorities, unsigned short* locals,
                             unsigned char* ts_inj_maps, DMA_InjFifoRgetFifoFullHandler_t rget_handler,
                             void* rget_handler_parm, Kernel_InterruptGroup_t rget_interruptGroup,
                             LockBox_Barrier_t* rget_barrier, DMA_InjFifoGroup_t* fg_ptr);
int DMA_InjFifoGroupFree(int grp, int num_fifos, int* fifo_ids, DMA_InjFifoGroup_t* fg_ptr);
int DMA_InjFifoInitById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id, void* va_start, void* va_head, void* va_end);
void* DMA_InjFifoGetHeadById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id);
int DMA_InjFifoInjectDescriptorById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id, DMA_InjDescriptor_t* desc);
int DMA_InjFifoInjectDescriptorsById(DMA_InjFifoGroup_t* fg_ptr, int fifo_id, int num_desc, DMA_InjDescriptor_t** desc);

int DMA_RecFifoSetMap(DMA_RecFifoMap_t* rec_map);
DMA_RecFifoGroup_t* DMA_RecFifoGetFifoGroup(int grp, int target, Kernel_CommThreadHandler normal_handler,
                                            void* normal_handler_parm, Kernel_CommThreadHandler header_handler,
                                            void* header_handler_parm, Kernel_InterruptGroup_t interruptGroup);
int DMA_RecFifoInitById(DMA_RecFifoGroup_t* fg_ptr, int fifo_id, void* va_start, void* va_head, void* va_end);
int DMA_RecFifoRegisterRecvFunction(DMA_RecFifoRecvFunction_t recv_func, void* recv_func_parm, int is_error_func,
                                    int is_header_fifo);
void DMA_RecFifoSetClearThresholdCrossedById(DMA_RecFifoGroup_t* fg_ptr, int fifo_id);
int DMA_RecFifoSimplePollNormalFifoById(int fifo_id, DMA_RecFifoGroup_t* fg_ptr, int fruitfulPollLimit);

static inline int DMA_PacketChunks(unsigned msg_len) {
  return msg_len > 208 ? 8 : (int)(msg_len + 16 + 31) / 32;
}
static inline void DMA_SetChunks(DMA_InjDescriptor_t* desc, unsigned packet_chunks) {
  desc->chunks = (uint8_t)packet_chunks;
}
static inline void DMA_DescriptorUpdateOffsetLength(DMA_InjDescriptor_t* desc, unsigned offset, unsigned length) {
  desc->offset = offset;
  desc->length = length;
}
static inline void DMA_DescriptorSetPutOffset(DMA_InjDescriptor_t* desc, unsigned offset) {
  desc->hwHdr.Put_Offset = offset;
}
int DMA_TorusDirectPutDescriptor(DMA_InjDescriptor_t* desc, unsigned x, unsigned y, unsigned z, unsigned hints,
                                 unsigned vc, unsigned inj_ctr_grp_id, unsigned inj_ctr_id, unsigned send_offset,
                                 unsigned rec_ctr_grp_id, unsigned rec_ctr_id, unsigned rec_offset, unsigned msg_len);
int DMA_LocalDirectPutDescriptor(DMA_InjDescriptor_t* desc, unsigned inj_ctr_grp_id, unsigned inj_ctr_id,
                                 unsigned send_offset, unsigned rec_ctr_grp_id, unsigned rec_ctr_id,
                                 unsigned rec_offset, unsigned msg_len);
int DMA_TorusRemoteGetDescriptor(DMA_InjDescriptor_t* desc, unsigned x, unsigned y, unsigned z, unsigned hints,
                                 unsigned vc, unsigned inj_ctr_grp_id, unsigned inj_ctr_id, unsigned send_offset,
                                 unsigned rec_inj_fifo_grp_id, unsigned rec_inj_fifo_id);
int DMA_LocalRemoteGetDescriptor(DMA_InjDescriptor_t* desc, unsigned inj_ctr_grp_id, unsigned inj_ctr_id,
                                 unsigned send_offset, unsigned rec_inj_fifo_grp_id, unsigned rec_inj_fifo_id);
int DMA_TorusMemFifoBcastDescriptor(DMA_InjDescriptor_t* desc, unsigned dest, unsigned recv_fifo_grp_id, unsigned hints,
                                    unsigned sw_arg, unsigned function_id, unsigned inj_ctr_grp_id, unsigned inj_ctr_id,
                                    unsigned send_offset, unsigned msg_len);
int DMA_TorusMemFifoDescriptor(DMA_InjDescriptor_t* desc, unsigned x, unsigned y, unsigned z, unsigned recv_fifo_grp_id,
                               unsigned hints, unsigned vc, unsigned sw_arg, unsigned function_id,
                               unsigned inj_ctr_grp_id, unsigned inj_ctr_id, unsigned send_offset, unsigned msg_len);
int DMA_LocalMemFifoDescriptor(DMA_InjDescriptor_t* desc, unsigned recv_fifo_grp_id, unsigned sw_arg,
                               unsigned function_id, unsigned inj_ctr_grp_id, unsigned inj_ctr_id, unsigned send_offset,
                               unsigned msg_len);

#ifdef __cplusplus
}
#endif

#endif
