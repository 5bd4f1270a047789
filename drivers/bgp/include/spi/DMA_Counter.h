/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Byte counters. The DMA takes from a counter the bytes that it has read (injection) or written (reception); a
 * message's offsets count from the counter's base. A group has 64 of each kind; the kernel gives them out by subgroups
 * of 8, and a structure stands for those that this process has of a group.
 *
 * Hit-zero bits are sticky. When one is seen set, the data are there once msync has been carried out, which the
 * functions do.
 */
#ifndef _DMA_COUNTER_H_
#define _DMA_COUNTER_H_

#include <bpcore/ppc450_inlines.h>
#include <common/alignment.h>
#include <common/bgp_bitnumbers.h>
#include <common/namespace.h>
#include <errno.h>
#include <spi/DMA_Assert.h>
#include <spi/bpcore_interface.h>
#include <spi/kernel_interface.h>

__BEGIN_DECLS

#define DMA_NUM_COUNTER_GROUPS 4
#define DMA_NUM_COUNTERS_PER_GROUP 64
#define DMA_NUM_COUNTERS_PER_SUBGROUP 8
#define DMA_NUM_COUNTER_SUBGROUPS_PER_GROUP (DMA_NUM_COUNTERS_PER_GROUP / DMA_NUM_COUNTERS_PER_SUBGROUP)
#define DMA_NUM_COUNTER_SUBGROUPS (DMA_NUM_COUNTER_SUBGROUPS_PER_GROUP * DMA_NUM_COUNTER_GROUPS)
#define DMA_NUM_COUNTERS (DMA_NUM_COUNTER_GROUPS * DMA_NUM_COUNTERS_PER_GROUP)
#define DMA_COUNTER_INIT_VAL 0xFFFFFFFF /* of a counter that never reaches zero */
#define DMA_MAX_NUM_CORES 4

/* Word and bit of a counter in the status words. */
#define DMA_COUNTER_GROUP_WORD_ID(counter_id) ((counter_id) >> 5)
#define DMA_COUNTER_GROUP_WORD_BIT_ID(counter_id) ((counter_id)&0x0000001F)

typedef struct DMA_CounterHw_t {
  volatile unsigned counter;
  volatile unsigned increment; /* a word written here is added */
  volatile unsigned pa_base;
  volatile unsigned pa_max; /* of reception counters */
} DMA_CounterHw_t;

typedef struct DMA_CounterStatus_t {
  volatile unsigned enabled[2];
  volatile unsigned enable[2];
  volatile unsigned disable[2];
  volatile unsigned reserved[2];
  volatile unsigned hit_zero[2];
  volatile unsigned clear_hit_zero[2];
  volatile unsigned grp_status; /* a bit a subgroup of all groups: a counter has hit zero and is enabled */
} DMA_CounterStatus_t;

typedef struct DMA_Counter_t {
  void* va_base;
  unsigned int pa_base;
  void* va_max;
  unsigned int pa_max;
  DMA_CounterHw_t* counter_hw_ptr;
} ALIGN_L1D_CACHE DMA_Counter_t;

typedef enum DMA_Type_t { DMA_Type_Injection = 0, DMA_Type_Reception = 1 } DMA_Type_t;

typedef struct DMA_CounterGroup_t {
  DMA_CounterStatus_t* status_ptr;
  unsigned int permissions[2];  /* a bit for each counter of this process */
  unsigned int grp_permissions; /* a bit for each subgroup, by its number over all groups */
  unsigned int group_id;
  DMA_Type_t type;
  DMA_Counter_t counter[DMA_NUM_COUNTERS_PER_GROUP];
} DMA_CounterGroup_t;

/* The process's segments, for each of the four cores: lengths in bytes, pa >> 4. */
typedef struct DMA_CounterAppSegment_t {
  unsigned int length;
  uint32_t va_base;
  uint32_t pa_base;
  uint32_t va_max; /* the last byte */
} DMA_CounterAppSegment_t;

extern DMA_CounterAppSegment_t* DMA_CounterAppSegmentArray;
extern uint32_t DMA_CounterNumAppSegments;
extern int DMA_CounterCachedAppSegmentIndex[DMA_MAX_NUM_CORES];
extern uint32_t DMA_CounterMinPaAccessibleFromUserMode[DMA_MAX_NUM_CORES];

/* Reads them from the kernel; the allocation of counters does it the first time. 0 or an errno. */
int DMA_CounterInitAppSegments(void);
__INLINE__ uint32_t DMA_CounterGetNumAppSegments(void) {
  return DMA_CounterNumAppSegments;
}
__INLINE__ DMA_CounterAppSegment_t* DMA_CounterGetAppSegments(unsigned int coreNum) {
  SPI_assert(coreNum < DMA_MAX_NUM_CORES);
  return &DMA_CounterAppSegmentArray[coreNum * DMA_CounterNumAppSegments];
}
/* The first byte of the segment that is lowest in physical memory, and the last of the highest: base and max of a
 * counter that reaches all of the process's memory. The whole address space if segments have not been read. */
void DMA_CounterGetMinMaxVa(void** va_min, void** va_max);
/* The same of level 2. */
int DMA_AddressingInitPhase1(void);
void DMA_AddressingGetMinMaxVa(void** va_min, void** va_max);

__INLINE__ int Kernel_VaTo4bitShiftedPa(void* VA, size_t vsize, uint32_t* pPA) {
  uint32_t upper, lower;
  int error;
  SPI_assert(pPA != NULL);
  error = Kernel_Virtual2Physical(VA, vsize, &upper, &lower);
  if (error == 0) *pPA = upper << 28 | lower >> 4;
  return error;
}

/* Subgroups of a group: which are free; take; give back. A handler is called by an interrupt when a counter hits zero,
 * on core `target`. 0, EINVAL, EBUSY. */
__INLINE__ int DMA_CounterGroupQueryFree(DMA_Type_t type, int grp, int* num_subgroups, int* subgroups) {
  return (int)Kernel_CounterGroupQueryFree((uint32_t)type, (uint32_t)grp, (uint32_t*)num_subgroups,
                                           (uint32_t*)subgroups);
}
__INLINE__ int DMA_CounterGroupAllocate(DMA_Type_t type, int grp, int num_subgroups, int* subgroups, int target,
                                        Kernel_CommThreadHandler handler, void* handler_parm,
                                        Kernel_InterruptGroup_t interruptGroup, DMA_CounterGroup_t* cg_ptr) {
  int error = DMA_CounterAppSegmentArray != NULL ? 0 : DMA_CounterInitAppSegments();
  if (error == 0 && handler != NULL) {
    const int first = type == DMA_Type_Injection ? BGP_IC_DMA_INJ_COUNTER : BGP_IC_DMA_REC_COUNTER;
    error = Kernel_SetCommThreadConfig(Kernel_MkInterruptID(_BGP_IC_DMA_NFT_G3_HIER_POS, first + grp),
                                       (COMMTHRD_OPCODE_CORE0 + target) | COMMTHRD_OPCODE_CALLFUNC |
                                           COMMTHRD_OPCODE_DISABLEINTONENTRY | COMMTHRD_OPCODE_ENABLEINTONPOOF,
                                       (LockBox_Counter_t)interruptGroup, handler, (uint32_t)handler_parm, 0, 0, 0);
  }
  if (error == 0)
    error = (int)Kernel_CounterGroupAllocate(
        (uint32_t)type, (uint32_t)grp, (uint32_t)num_subgroups, (uint32_t*)subgroups, (uint32_t)target,
        (uint32_t)handler, (uint32_t*)handler_parm, (uint32_t)interruptGroup, (uint32_t*)(void*)cg_ptr);
  return error;
}
__INLINE__ int DMA_CounterGroupFree(int grp, int num_subgroups, int* subgroups, DMA_CounterGroup_t* cg_ptr) {
  return (int)Kernel_CounterGroupFree((uint32_t)grp, (uint32_t)num_subgroups, (uint32_t*)subgroups,
                                      (uint32_t*)(void*)cg_ptr);
}
__INLINE__ int DMA_CounterInterruptControl(unsigned int enable) {
  return Kernel_ChgCounterInterruptEnables(enable);
}

/* The hardware's words --------------------------------------------------------------------------------------------- */

__INLINE__ void DMA_CounterSetValueHw(DMA_CounterHw_t* c_hw, unsigned int value) {
  SPI_assert(c_hw != NULL);
  c_hw->counter = value;
}
__INLINE__ void DMA_CounterSetBaseHw(DMA_CounterHw_t* c_hw, unsigned int pa_base) {
  SPI_assert(c_hw != NULL);
  c_hw->pa_base = pa_base;
}
__INLINE__ void DMA_CounterSetMaxHw(DMA_CounterHw_t* c_hw, unsigned int pa_max) {
  SPI_assert(c_hw != NULL);
  c_hw->pa_max = pa_max;
}
__INLINE__ void DMA_CounterIncrementHw(DMA_CounterHw_t* c_hw, unsigned int incr) {
  SPI_assert(c_hw != NULL);
  c_hw->increment = incr;
}
__INLINE__ void DMA_CounterDecrementHw(DMA_CounterHw_t* c_hw, unsigned int decr) {
  DMA_CounterIncrementHw(c_hw, 0u - decr);
}
__INLINE__ void DMA_CounterSetValueBaseHw(DMA_CounterHw_t* c_hw, unsigned int value, unsigned int pa_base) {
  DMA_CounterSetValueHw(c_hw, value);
  DMA_CounterSetBaseHw(c_hw, pa_base);
}
__INLINE__ void DMA_CounterSetValueBaseMaxHw(DMA_CounterHw_t* c_hw, unsigned int value, unsigned int pa_base,
                                             unsigned int pa_max) {
  SPI_assert(pa_max >= pa_base);
  DMA_CounterSetValueBaseHw(c_hw, value, pa_base);
  DMA_CounterSetMaxHw(c_hw, pa_max);
}
__INLINE__ unsigned int DMA_CounterGetValueHw(const DMA_CounterHw_t* c_hw) {
  SPI_assert(c_hw != NULL);
  return c_hw->counter;
}
__INLINE__ unsigned int DMA_CounterGetBaseHw(const DMA_CounterHw_t* c_hw) {
  SPI_assert(c_hw != NULL);
  return c_hw->pa_base;
}
__INLINE__ unsigned int DMA_CounterGetMaxHw(const DMA_CounterHw_t* c_hw) {
  SPI_assert(c_hw != NULL);
  return c_hw->pa_max;
}

/* A counter --------------------------------------------------------------------------------------------------------
 *
 * Base and max are addresses of the process; the hardware has them in units of 16 bytes, so that a base is rounded
 * down. A max is rounded up by SetMax, but down by SetValueBaseMax. Functions that return int return 0, or -1 with
 * errno EFAULT if an address is none of the process. */

__INLINE__ void* bgp_counter_round(void* va) {
  return (void*)((uint32_t)va & ~15u);
}
__INLINE__ int bgp_counter_pa(void* va, unsigned int* pa) {
  uint32_t shifted;
  if (Kernel_VaTo4bitShiftedPa(va, 1, &shifted) != 0) {
    errno = EFAULT;
    return -1;
  }
  *pa = shifted;
  return 0;
}

__INLINE__ void DMA_CounterSetValue(DMA_Counter_t* c_sw, unsigned int value) {
  SPI_assert(c_sw != NULL);
  DMA_CounterSetValueHw(c_sw->counter_hw_ptr, value);
  _bgp_mbar();
}
__INLINE__ void DMA_CounterIncrement(DMA_Counter_t* c_sw, unsigned int incr) {
  SPI_assert(c_sw != NULL);
  DMA_CounterIncrementHw(c_sw->counter_hw_ptr, incr);
  _bgp_mbar();
}
__INLINE__ void DMA_CounterDecrement(DMA_Counter_t* c_sw, unsigned int decr) {
  SPI_assert(c_sw != NULL);
  DMA_CounterDecrementHw(c_sw->counter_hw_ptr, decr);
  _bgp_mbar();
}
__INLINE__ int DMA_CounterSetBase(DMA_Counter_t* c_sw, void* va_base_in) {
  SPI_assert(c_sw != NULL);
  c_sw->va_base = bgp_counter_round(va_base_in);
  if (bgp_counter_pa(c_sw->va_base, &c_sw->pa_base) != 0) return -1;
  DMA_CounterSetBaseHw(c_sw->counter_hw_ptr, c_sw->pa_base);
  _bgp_mbar();
  return 0;
}
__INLINE__ int DMA_CounterSetMax(DMA_Counter_t* c_sw, void* va_max_in) {
  SPI_assert(c_sw != NULL);
  c_sw->va_max = bgp_counter_round((char*)va_max_in + 15);
  if (bgp_counter_pa(c_sw->va_max, &c_sw->pa_max) != 0) return -1;
  DMA_CounterSetMaxHw(c_sw->counter_hw_ptr, c_sw->pa_max);
  _bgp_mbar();
  return 0;
}
__INLINE__ int DMA_CounterSetValueBase(DMA_Counter_t* c_sw, unsigned int value, void* va_base_in) {
  SPI_assert(c_sw != NULL);
  c_sw->va_base = bgp_counter_round(va_base_in);
  if (bgp_counter_pa(c_sw->va_base, &c_sw->pa_base) != 0) return -1;
  DMA_CounterSetValueBaseHw(c_sw->counter_hw_ptr, value, c_sw->pa_base);
  _bgp_mbar();
  return 0;
}
__INLINE__ int DMA_CounterSetValueBaseMax(DMA_Counter_t* c_sw, unsigned int value, void* va_base_in, void* va_max_in) {
  SPI_assert(c_sw != NULL);
  c_sw->va_base = bgp_counter_round(va_base_in);
  if (bgp_counter_pa(c_sw->va_base, &c_sw->pa_base) != 0) return -1;
  c_sw->va_max = bgp_counter_round(va_max_in);
  if (bgp_counter_pa(c_sw->va_max, &c_sw->pa_max) != 0) return -1;
  DMA_CounterSetValueBaseMaxHw(c_sw->counter_hw_ptr, value, c_sw->pa_base, c_sw->pa_max);
  _bgp_mbar();
  return 0;
}
__INLINE__ unsigned int DMA_CounterGetValueNoMsync(const DMA_Counter_t* c_sw) {
  SPI_assert(c_sw != NULL);
  return DMA_CounterGetValueHw(c_sw->counter_hw_ptr);
}
__INLINE__ unsigned int DMA_CounterGetValue(const DMA_Counter_t* c_sw) {
  const unsigned int value = DMA_CounterGetValueNoMsync(c_sw);
  _bgp_msync();
  return value;
}
__INLINE__ void* DMA_CounterGetBase(const DMA_Counter_t* c_sw) {
  SPI_assert(c_sw != NULL);
  return c_sw->va_base;
}
__INLINE__ void* DMA_CounterGetMax(const DMA_Counter_t* c_sw) {
  SPI_assert(c_sw != NULL);
  return c_sw->va_max;
}
/* The offset of `length` bytes at va, of the process on core coreNum, from the counter's base (of another process: from
 * the least address that it may reach). Modulo 2^32: an address below the base has an offset as well. */
unsigned int DMA_CounterGetOffsetFromBase(const DMA_Counter_t* c_sw, void* va, unsigned int length,
                                          unsigned int coreNum);

/* A counter of a group -----------------------------------------------------------------------------------------------
 */

__INLINE__ DMA_Counter_t* bgp_counter(const DMA_CounterGroup_t* cg_ptr, int counter_id) {
  SPI_assert(cg_ptr != NULL);
  SPI_assert(counter_id >= 0 && counter_id < DMA_NUM_COUNTERS_PER_GROUP);
  SPI_assert((cg_ptr->permissions[DMA_COUNTER_GROUP_WORD_ID(counter_id)] &
              _BN(DMA_COUNTER_GROUP_WORD_BIT_ID(counter_id))) != 0);
  return (DMA_Counter_t*)&cg_ptr->counter[counter_id];
}
__INLINE__ DMA_CounterStatus_t* bgp_counter_status(const DMA_CounterGroup_t* cg_ptr) {
  SPI_assert(cg_ptr != NULL);
  SPI_assert(cg_ptr->status_ptr != NULL);
  return cg_ptr->status_ptr;
}

__INLINE__ void DMA_CounterSetValueById(DMA_CounterGroup_t* cg_ptr, int counter_id, unsigned int value) {
  DMA_CounterSetValue(bgp_counter(cg_ptr, counter_id), value);
}
__INLINE__ int DMA_CounterSetBaseById(DMA_CounterGroup_t* cg_ptr, int counter_id, void* va_base_in) {
  return DMA_CounterSetBase(bgp_counter(cg_ptr, counter_id), va_base_in);
}
__INLINE__ void DMA_CounterIncrementById(DMA_CounterGroup_t* cg_ptr, int counter_id, unsigned int incr) {
  DMA_CounterIncrement(bgp_counter(cg_ptr, counter_id), incr);
}
__INLINE__ void DMA_CounterDecrementById(DMA_CounterGroup_t* cg_ptr, int counter_id, unsigned int decr) {
  DMA_CounterDecrement(bgp_counter(cg_ptr, counter_id), decr);
}
__INLINE__ int DMA_CounterSetMaxById(DMA_CounterGroup_t* cg_ptr, int counter_id, void* va_max_in) {
  return DMA_CounterSetMax(bgp_counter(cg_ptr, counter_id), va_max_in);
}
__INLINE__ unsigned int DMA_CounterGetValueById(const DMA_CounterGroup_t* cg_ptr, const int counter_id) {
  return DMA_CounterGetValue(bgp_counter(cg_ptr, counter_id));
}
__INLINE__ void* DMA_CounterGetBaseById(const DMA_CounterGroup_t* cg_ptr, int counter_id) {
  return DMA_CounterGetBase(bgp_counter(cg_ptr, counter_id));
}
__INLINE__ void* DMA_CounterGetMaxById(const DMA_CounterGroup_t* cg_ptr, const int counter_id) {
  return DMA_CounterGetMax(bgp_counter(cg_ptr, counter_id));
}
__INLINE__ unsigned int DMA_CounterGetOffsetFromBaseById(const DMA_CounterGroup_t* cg_ptr, int counter_id, void* va,
                                                         unsigned int length, unsigned int coreNum) {
  return DMA_CounterGetOffsetFromBase(bgp_counter(cg_ptr, counter_id), va, length, coreNum);
}
__INLINE__ int DMA_CounterSetValueBaseById(DMA_CounterGroup_t* cg_ptr, int counter_id, unsigned int value,
                                           void* va_base_in) {
  return DMA_CounterSetValueBase(bgp_counter(cg_ptr, counter_id), value, va_base_in);
}
__INLINE__ int DMA_CounterSetValueBaseMaxById(DMA_CounterGroup_t* cg_ptr, int counter_id, unsigned int value,
                                              void* va_base_in, void* va_max_in) {
  return DMA_CounterSetValueBaseMax(bgp_counter(cg_ptr, counter_id), value, va_base_in, va_max_in);
}

/* Enabled and hit-zero bits: of a counter, and of 32 counters (reg 0 or 1)
 * --------------------------------------------- */

#define BGP_COUNTER_WRITE_(Name, field)                                                 \
  __INLINE__ void DMA_Counter##Name##ById(DMA_CounterGroup_t* cg_ptr, int counter_id) { \
    (void)bgp_counter(cg_ptr, counter_id);                                              \
    bgp_counter_status(cg_ptr)->field[DMA_COUNTER_GROUP_WORD_ID(counter_id)] =          \
        _BN(DMA_COUNTER_GROUP_WORD_BIT_ID(counter_id));                                 \
    _bgp_mbar();                                                                        \
  }
#define BGP_COUNTER_WRITE_ALL_(Name, field)                                                          \
  __INLINE__ void DMA_Counter##Name(DMA_CounterGroup_t* cg_ptr, int reg, unsigned int counterBits) { \
    DMA_CounterStatus_t* status = bgp_counter_status(cg_ptr);                                        \
    SPI_assert(reg == 0 || reg == 1);                                                                \
    SPI_assert((counterBits & ~cg_ptr->permissions[reg]) == 0);                                      \
    status->field[reg] = counterBits;                                                                \
    _bgp_mbar();                                                                                     \
  }
BGP_COUNTER_WRITE_(SetEnable, enable)
BGP_COUNTER_WRITE_(SetDisable, disable)
BGP_COUNTER_WRITE_(ClearHitZero, clear_hit_zero)
BGP_COUNTER_WRITE_ALL_(SetEnable, enable)
BGP_COUNTER_WRITE_ALL_(SetDisable, disable)
BGP_COUNTER_WRITE_ALL_(GroupClearHitZero, clear_hit_zero)
#undef BGP_COUNTER_WRITE_
#undef BGP_COUNTER_WRITE_ALL_

__INLINE__ unsigned int DMA_CounterGetEnabled(const DMA_CounterGroup_t* cg_ptr, int reg) {
  const DMA_CounterStatus_t* status = bgp_counter_status(cg_ptr);
  SPI_assert(reg == 0 || reg == 1);
  return status->enabled[reg] & cg_ptr->permissions[reg];
}
__INLINE__ int DMA_CounterGetEnabledById(const DMA_CounterGroup_t* cg_ptr, int counter_id) {
  (void)bgp_counter(cg_ptr, counter_id);
  return (bgp_counter_status(cg_ptr)->enabled[DMA_COUNTER_GROUP_WORD_ID(counter_id)] &
          _BN(DMA_COUNTER_GROUP_WORD_BIT_ID(counter_id))) != 0;
}

/* Data that reception counters count are there after this. */
__INLINE__ unsigned int bgp_counter_seen(const DMA_CounterGroup_t* cg_ptr, unsigned int bits) {
  if (bits != 0 && cg_ptr->type == DMA_Type_Reception) _bgp_msync_nonspeculative();
  return bits;
}
__INLINE__ unsigned int DMA_CounterGetHitZero(const DMA_CounterGroup_t* cg_ptr, int reg) {
  const DMA_CounterStatus_t* status = bgp_counter_status(cg_ptr);
  SPI_assert(reg == 0 || reg == 1);
  return bgp_counter_seen(cg_ptr, status->hit_zero[reg] & cg_ptr->permissions[reg]);
}
__INLINE__ int DMA_CounterGetHitZeroById(const DMA_CounterGroup_t* cg_ptr, int counter_id) {
  (void)bgp_counter(cg_ptr, counter_id);
  return bgp_counter_seen(cg_ptr, bgp_counter_status(cg_ptr)->hit_zero[DMA_COUNTER_GROUP_WORD_ID(counter_id)] &
                                      _BN(DMA_COUNTER_GROUP_WORD_BIT_ID(counter_id))) != 0;
}
__INLINE__ void DMA_CounterGetAllHitZero(const DMA_CounterGroup_t* cg_ptr, unsigned int* word0, unsigned int* word1) {
  const DMA_CounterStatus_t* status = bgp_counter_status(cg_ptr);
  SPI_assert(word0 != NULL && word1 != NULL);
  *word0 = status->hit_zero[0] & cg_ptr->permissions[0];
  *word1 = status->hit_zero[1] & cg_ptr->permissions[1];
  (void)bgp_counter_seen(cg_ptr, *word0 | *word1);
}
/* A bit for each subgroup of this process in which a counter has hit zero. */
__INLINE__ unsigned int DMA_CounterGetGroupStatus(const DMA_CounterGroup_t* cg_ptr) {
  return bgp_counter_seen(cg_ptr, bgp_counter_status(cg_ptr)->grp_status & cg_ptr->grp_permissions);
}

__INLINE__ int DMA_CounterGetGroupNum(const DMA_CounterGroup_t* cg_ptr) {
  SPI_assert(cg_ptr != NULL);
  return (int)cg_ptr->group_id;
}
/* The number over all groups, and back. */
__INLINE__ int DMA_CounterGetGlobalId(const DMA_CounterGroup_t* cg_ptr, int counter_id) {
  SPI_assert(cg_ptr != NULL);
  SPI_assert(counter_id >= 0 && counter_id < DMA_NUM_COUNTERS_PER_GROUP);
  return counter_id + DMA_NUM_COUNTERS_PER_GROUP * (int)cg_ptr->group_id;
}
__INLINE__ int DMA_CounterGetLocalId(int counter_id) {
  SPI_assert(counter_id >= 0);
  return counter_id % DMA_NUM_COUNTERS_PER_GROUP;
}

__END_DECLS

#endif
