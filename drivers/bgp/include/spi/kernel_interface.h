/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The kernel's own calls. Unless stated otherwise they return 0 or an errno. Numbers and arguments:
 * nic/bgp/kernel_services.h.
 */
#ifndef _BGP_VIRT2PHYS_H_
#define _BGP_VIRT2PHYS_H_

#include <bpcore/bgp_types.h>
#include <bpcore/ppc450_core.h>
#include <bpcore/ppc450_inlines.h>
#include <cnk/bgp_SPRG_Usage.h>
#include <cnk/bgp_SysCall_Extensions.h>
#include <cnk/bgp_VirtualMap.h>
#include <cnk/bgp_vmm.h>
#include <common/bgp_personality.h>
#include <common/bgp_ras.h>
#include <common/linkage.h>
#include <common/namespace.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <spi/bgp_kernel_inlines.h>
#include <spi/bpcore_interface.h>
#include <spi/lockbox_interface.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

__BEGIN_DECLS

/* What an interrupt calls on a communication thread; and a class of interrupts, a lockbox counter. */
typedef void (*Kernel_CommThreadHandler)(uint32_t arg1, uint32_t arg2, uint32_t arg3, uint32_t arg4);
typedef void* Kernel_InterruptGroup_t;

#define BGP_CALL_(number, a, b, c, d) \
  ((int)bgp_kernel_call_4(number, BGP_ARGUMENT_(a), BGP_ARGUMENT_(b), BGP_ARGUMENT_(c), BGP_ARGUMENT_(d)))
#define BGP_CALL_9_(number, a, b, c, d, e, f, g, h, i)                                                    \
  ((int)bgp_kernel_call_9(number, BGP_ARGUMENT_(a), BGP_ARGUMENT_(b), BGP_ARGUMENT_(c), BGP_ARGUMENT_(d), \
                          BGP_ARGUMENT_(e), BGP_ARGUMENT_(f), BGP_ARGUMENT_(g), BGP_ARGUMENT_(h), BGP_ARGUMENT_(i)))

/* Processes, nodes and memory ------------------------------------------------------------------------------------- */

/* Processes on this node; cores of this process. */
__INLINE__ int Kernel_ProcessCount(void) {
  return (int)(_bgp_mfspr(_BGP_SPRGRO_SHMem) & BGP_SHMEM_PROCESSES) + 1;
}
__INLINE__ int Kernel_ProcessorCount(void) {
  return (int)((_bgp_mfspr(_BGP_SPRGRO_SHMem) & BGP_SHMEM_CORES) >> BGP_SHMEM_CORES_SHIFT) + 1;
}

__INLINE__ int Kernel_GetPersonality(_BGP_Personality_t* personality, size_t size) {
  return BGP_CALL_(_BGP_SYSCALL_NR_GET_PERSONALITY, personality, size, 0, 0);
}
__INLINE__ int Kernel_GetProcessorVersion(void) {
  return BGP_CALL_(_BGP_SYSCALL_NR_GET_PROCESSOR_VERSION, 0, 0, 0, 0);
}
__INLINE__ uint32_t Kernel_GetJobID(void) {
  return bgp_kernel_call_4(_BGP_SYSCALL_NR_GETJOBID, 0, 0, 0, 0);
}

/* A rank's place: node and process on it. Nonzero if there is no such rank, or no rank in such a place. */
__INLINE__ int Kernel_Rank2Coord(uint32_t rank, uint32_t* xcoord, uint32_t* ycoord, uint32_t* zcoord,
                                 uint32_t* tcoord) {
  return BGP_CALL_9_(_BGP_SYSCALL_NR_RANK2COORD, rank, xcoord, ycoord, zcoord, tcoord, 0, 0, 0, 0);
}
__INLINE__ int Kernel_Coord2Rank(uint32_t xcoord, uint32_t ycoord, uint32_t zcoord, uint32_t tcoord, uint32_t* rank,
                                 uint32_t* numnodes) {
  return BGP_CALL_9_(_BGP_SYSCALL_NR_COORD2RANK, xcoord, ycoord, zcoord, tcoord, rank, numnodes, 0, 0, 0);
}

/* The places of ranks 0 to len - 1; 0xFF in each byte if there is no such rank. */
typedef struct {
  uint8_t x, y, z, t;
} kernel_coords_t;
__INLINE__ int Kernel_Ranks2Coords(kernel_coords_t* coords, uint32_t len) {
  return BGP_CALL_(_BGP_SYSCALL_NR_RANKS2COORDS, coords, len, 0, 0);
}
__INLINE__ int Kernel_GetActiveProcessCount(void) {
  return BGP_CALL_(_BGP_SYSCALL_NR_ACTIVEPROCESSCOUNT, 0, 0, 0, 0);
}

/* Sizes in bytes. The numbers are those of the machine's successor: assumed. */
enum KERNEL_MEMSIZETYPE {
  KERNEL_MEMSIZE_SHARED = BGP_MEMSIZE_SHARED,
  KERNEL_MEMSIZE_PERSIST,
  KERNEL_MEMSIZE_HEAPAVAIL,
  KERNEL_MEMSIZE_ESTHEAPAVAIL,
  KERNEL_MEMSIZE_STACKAVAIL,
  KERNEL_MEMSIZE_ESTSTACKAVAIL,
  KERNEL_MEMSIZE_STACK,
  KERNEL_MEMSIZE_ESTSTACK,
  KERNEL_MEMSIZE_HEAP,
  KERNEL_MEMSIZE_GUARD,
  KERNEL_MEMSIZE_HEAPMAX
};
__INLINE__ int Kernel_GetMemorySize(enum KERNEL_MEMSIZETYPE type, uint32_t* size) {
  return BGP_CALL_(_BGP_SYSCALL_NR_GETMEMSIZE, type, size, 0, 0);
}

/* Segments: ranges of the process's memory that are contiguous in physical memory. */
__INLINE__ int bgp_is_static_map(void) {
  return (_bgp_mfspr(_BGP_SPRGRO_SHMem) & BGP_SHMEM_STATIC_MAP) != 0;
}
__INLINE__ int Kernel_GetAppSegmentCount(uint32_t* count) {
  *count = 2u + (bgp_is_static_map() ? 1u : 0u) + (Kernel_ProcessCount() > 1 ? 1u : 0u);
  return 0;
}
/* Segments are numbered from 0 to the count - 1; without a static map the kernel's number 2 is left out. */
__INLINE__ int Kernel_GetAppSegmentMapping(uint32_t segmentID, uint32_t coreID, uint32_t* va, uint64_t* pa,
                                           uint32_t* length) {
  if (!bgp_is_static_map() && segmentID > 1) segmentID++;
  return BGP_CALL_9_(_BGP_SYSCALL_NR_GETAPPSEGMENTMAPPING, segmentID, coreID, va, pa, length, 0, 0, 0, 0);
}

/* The physical address of `vsize` bytes: bits 32 to 35 in *ua_out, the rest in *pa_out. Returns 0; -1: these are not
 * bytes of the process; -2: they are not contiguous; -3: there is no such scratch memory; -4: a bad parameter. */
int Kernel_Virtual2Physical(void* pVA, size_t vsize, uint32_t* ua_out, uint32_t* pa_out);

/* A window to other physical memory of the node, of whole megabytes; BG_PROCESSWINDOWS says how many slots there are.
 */
__INLINE__ int Kernel_SetProcessWindow(int tlbslot, uint64_t window_paddr, size_t window_reqsize,
                                       uint32_t window_permissions, uint32_t* window_actualvaddr,
                                       uint64_t* window_actualpaddr, size_t* window_actualsize) {
  return BGP_CALL_9_(_BGP_SYSCALL_NR_SETPRWINDOW, tlbslot, window_paddr >> 32, window_paddr, window_reqsize,
                     window_permissions, window_actualvaddr, window_actualpaddr, window_actualsize, 0);
}
__INLINE__ int Kernel_GetProcessWindow(int tlbslot, uint32_t* window_actualvaddr, uint64_t* window_actualpaddr,
                                       size_t* window_actualsize) {
  return BGP_CALL_(_BGP_SYSCALL_NR_GETPRWINDOW, tlbslot, window_actualvaddr, window_actualpaddr, window_actualsize);
}
__INLINE__ int Kernel_GetProcessWindowSlotRange(int* minslot, int* maxslot) {
  return BGP_CALL_(_BGP_SYSCALL_NR_GETPRWINDOWSLOTS, minslot, maxslot, 0, 0);
}

/* Persistent memory is a file of its own place. */
__INLINE__ int persist_open(char* name, int oflag, mode_t mode) {
  char path[4096];
  snprintf(path, sizeof path, "/dev/persist/%s", name);
  return open(path, oflag, mode);
}

__INLINE__ int Kernel_checkpoint(int component, int operation, void* buffer, uint32_t size, uint32_t* actualSize,
                                 uint32_t* basePtr) {
  return BGP_CALL_9_(_BGP_SYSCALL_NR_CHECKPOINT, component, operation, buffer, size, actualSize, basePtr, 0, 0, 0);
}
__INLINE__ int Kernel_InjectRAWRAS(_BGP_Facility facility, _BGP_RAS_Units unit, uint16_t err_code, int numwords,
                                   const uint32_t* array) {
  return BGP_CALL_9_(_BGP_SYSCALL_NR_RAWRASINJECT, facility, unit, err_code, numwords, array, 0, 0, 0, 0);
}
__INLINE__ int Kernel_InjectASCIIRAS(_BGP_Facility facility, _BGP_RAS_Units unit, uint16_t err_code,
                                     const uint8_t* text) {
  return BGP_CALL_(_BGP_SYSCALL_NR_ASCIIRASINJECT, facility, unit, err_code, text);
}

/* Devices: the functions of the DMA SPI call these ----------------------------------------------------------------- */

__INLINE__ uint32_t Kernel_ReadDCR(uint32_t dcrid, uint32_t* value) {
  return (uint32_t)BGP_CALL_(_BGP_SYSCALL_NR_READDCR, dcrid, value, 0, 0);
}
__INLINE__ uint32_t Kernel_WriteDCR(uint32_t dcrid, uint32_t value) {
  return (uint32_t)BGP_CALL_(_BGP_SYSCALL_NR_WRITEDCR, dcrid, value, 0, 0);
}

__INLINE__ uint32_t Kernel_CounterGroupQueryFree(uint32_t type, uint32_t group, uint32_t* num_subgroups,
                                                 uint32_t* subgroups) {
  return (uint32_t)BGP_CALL_(_BGP_SYSCALL_NR_COUNTERGRPQUERYFREE, type, group, num_subgroups, subgroups);
}
__INLINE__ uint32_t Kernel_CounterGroupAllocate(uint32_t type, uint32_t group, uint32_t num_subgroups,
                                                uint32_t* subgroups, uint32_t target, uint32_t handler,
                                                uint32_t* handler_parm, uint32_t interruptGroup, uint32_t* cg_ptr) {
  return (uint32_t)BGP_CALL_9_(_BGP_SYSCALL_NR_COUNTERGRPALLOCATE, type, group, num_subgroups, subgroups, target,
                               handler, handler_parm, interruptGroup, cg_ptr);
}
__INLINE__ uint32_t Kernel_CounterGroupFree(uint32_t group, uint32_t num_subgroups, uint32_t* subgroups,
                                            uint32_t* cg_ptr) {
  return (uint32_t)BGP_CALL_(_BGP_SYSCALL_NR_COUNTERGRPFREE, group, num_subgroups, subgroups, cg_ptr);
}

__INLINE__ uint32_t Kernel_InjFifoGroupQueryFree(uint32_t group, uint32_t* num_fifos, uint32_t* fifo_ids) {
  return (uint32_t)BGP_CALL_(_BGP_SYSCALL_NR_INJFIFOGRPQUERYFREE, group, num_fifos, fifo_ids, 0);
}
__INLINE__ uint32_t Kernel_InjFifoGroupAllocate(uint32_t group, uint32_t num_fifos, uint32_t* fifo_ids,
                                                uint16_t* priorities, uint16_t* locals, uint8_t* ts_inj_maps,
                                                uint32_t* fg_ptr) {
  return (uint32_t)BGP_CALL_9_(_BGP_SYSCALL_NR_INJFIFOGRPALLOCATE, group, num_fifos, fifo_ids, priorities, locals,
                               ts_inj_maps, fg_ptr, 0, 0);
}
__INLINE__ uint32_t Kernel_InjFifoGroupFree(uint32_t group, uint32_t num_fifos, uint32_t* fifo_ids, uint32_t* fg_ptr) {
  return (uint32_t)BGP_CALL_(_BGP_SYSCALL_NR_INJFIFOGRPFREE, group, num_fifos, fifo_ids, fg_ptr);
}
__INLINE__ uint32_t Kernel_InjFifoInitById(uint32_t* fg_ptr, int fifo_id, uint32_t* va_start, uint32_t* va_head,
                                           uint32_t* va_end) {
  return (uint32_t)BGP_CALL_9_(_BGP_SYSCALL_NR_INJFIFOINITID, fg_ptr, fifo_id, va_start, va_head, va_end, 0, 0, 0, 0);
}

__INLINE__ int Kernel_RecFifoSetMap(uint32_t* rec_map) {
  return BGP_CALL_(_BGP_SYSCALL_NR_RECFIFOSETMAP, rec_map, 0, 0, 0);
}
__INLINE__ int Kernel_RecFifoGetMap(uint32_t* rec_map) {
  return BGP_CALL_(_BGP_SYSCALL_NR_RECFIFOGETMAP, rec_map, 0, 0, 0);
}
__INLINE__ int Kernel_RecFifoGetFifoGroup(uint32_t* fifogroup, int grp, int target,
                                          Kernel_CommThreadHandler normal_handler, void* normal_handler_parm,
                                          Kernel_CommThreadHandler header_handler, void* header_handler_parm,
                                          Kernel_InterruptGroup_t interruptGroup) {
  return BGP_CALL_9_(_BGP_SYSCALL_NR_RECGETFIFOGROUP, fifogroup, grp, target, normal_handler, normal_handler_parm,
                     header_handler, header_handler_parm, interruptGroup, 0);
}
__INLINE__ int Kernel_RecFifoInitById(uint32_t* fg_ptr, int fifo_id, void* va_start, void* va_head, void* va_end) {
  return BGP_CALL_9_(_BGP_SYSCALL_NR_RECFIFOINITID, fg_ptr, fifo_id, va_start, va_head, va_end, 0, 0, 0, 0);
}

__INLINE__ int Kernel_ChgCounterInterruptEnables(uint32_t enable) {
  return BGP_CALL_(_BGP_SYSCALL_NR_CHGDMACTRINTERRUPT, enable, 0, 0, 0);
}
__INLINE__ int Kernel_ClearFullReceptionFifo(void) {
  return BGP_CALL_(_BGP_SYSCALL_NR_CLEARFULLRECPFIFO, 0, 0, 0, 0);
}

/* Interrupts, and the communication threads on which they run ------------------------------------------------------ */

/* The opcode of a configuration: a core, or all cores, and flags. */
#define COMMTHRD_OPCODE_DISABLE 0x00
#define COMMTHRD_OPCODE_CORE0 0x01
#define COMMTHRD_OPCODE_CORE1 0x02
#define COMMTHRD_OPCODE_CORE2 0x03
#define COMMTHRD_OPCODE_CORE3 0x04
#define COMMTHRD_OPCODE_BCAST 0x05
#define COMMTHRD_OPCODE_ROUTEMASK 0x0F
#define COMMTHRD_OPCODE_CALLFUNC 0x10
#define COMMTHRD_OPCODE_DISABLEINTONENTRY 0x20
#define COMMTHRD_OPCODE_ENABLEINTONPOOF 0x40

#define Kernel_MkInterruptID(group, irq_in_group) (((group) << 5) | ((irq_in_group)&0x1F))

/* What the interrupt InterruptID does. cntrid is its class, a lockbox counter, or NULL. */
__INLINE__ int Kernel_SetCommThreadConfig(int InterruptID, int opcode, LockBox_Counter_t cntrid,
                                          Kernel_CommThreadHandler funcptr, uint32_t arg1, uint32_t arg2, uint32_t arg3,
                                          uint32_t arg4) {
  return BGP_CALL_9_(_BGP_SYSCALL_NR_SETCOMMTHREADCONFIG, InterruptID, opcode, cntrid, funcptr, arg1, arg2, arg3, arg4,
                     0);
}
__INLINE__ int Kernel_GetCommThreadConfig(int InterruptID, int* opcode, LockBox_Counter_t* cntrid,
                                          Kernel_CommThreadHandler* funcptr, uint32_t* arg1, uint32_t* arg2,
                                          uint32_t* arg3, uint32_t* arg4) {
  return BGP_CALL_9_(_BGP_SYSCALL_NR_GETCOMMTHREADCONFIG, InterruptID, opcode, cntrid, funcptr, arg1, arg2, arg3, arg4,
                     0);
}

/* A class is enabled if its counter is 0, disabled if it is 1 (the interrupt waits), and 2 if one waits. Enable and
 * disable return the value before: an Enable that returns 2 must be followed by a flush, which HardEnable does. */
__INLINE__ int Kernel_FlushInterruptState(void) {
  return BGP_CALL_(_BGP_SYSCALL_NR_FLUSHINTSTATE, 0, 0, 0, 0);
}
__INLINE__ uint32_t Kernel_DisableInterruptClass(LockBox_Counter_t classid) {
  return LockBox_FetchAndInc(classid);
}
__INLINE__ uint32_t Kernel_EnableInterruptClass(LockBox_Counter_t classid) {
  return LockBox_FetchAndDec(classid);
}
__INLINE__ void Kernel_HardEnableInterruptClass(LockBox_Counter_t classid) {
  (void)LockBox_FetchAndDec(classid);
  (void)Kernel_FlushInterruptState();
}
__INLINE__ int Kernel_DeliverCommSignal(uint32_t ipiset, uint32_t coremask) {
  return BGP_CALL_(_BGP_SYSCALL_NR_DELIVERCOMMSIGNAL, ipiset, coremask, 0, 0);
}
__INLINE__ int Kernel_ChangeCoreEnables(uint32_t target_core, uint32_t suspend) {
  return BGP_CALL_(_BGP_SYSCALL_NR_CHGCOREENABLES, target_core, suspend, 0, 0);
}

/* Creates a thread on which interrupts run; it gives its core back by pthread_poof_np(), after which the core has the
 * registers that it had when it was interrupted. */
__INLINE__ int pthread_create_CommThread_np(pthread_t* thread, pthread_attr_t* attr, void* (*start_routine)(void*),
                                            void* arg) {
  const uint32_t before = _bgp_mfspr(SPRN_USPRG0);
  int result;
  _bgp_mtspr(SPRN_USPRG0, _BGP_COMMTHREAD_MAGIC);
  result = pthread_create(thread, attr, start_routine, arg);
  _bgp_mtspr(SPRN_USPRG0, before);
  return result;
}
__INLINE__ int pthread_poof_np(void) {
  return BGP_CALL_(_BGP_SYSCALL_NR_PTHREAD_POOF, 0, 0, 0, 0);
}

#undef BGP_CALL_
#undef BGP_CALL_9_

/* Names of before. */
#define BGP_PhysicalProcessorID Kernel_PhysicalProcessorID
#define _bgp_Virtual2Physical Kernel_Virtual2Physical
#define rts_get_personality(p, s) Kernel_GetPersonality(p, s)
#define rts_get_processor_id() Kernel_PhysicalProcessorID()
#define rts_get_processor_version() Kernel_GetProcessorVersion()

__END_DECLS

#endif
