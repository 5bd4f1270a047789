/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel's own calls: numbers, and how they are made. docs/reference/bgq_kernel_calls.md says which of them this
 * kernel has; the others give ENOSYS. */
#ifndef _SPI_SYSCALLS_H_
#define _SPI_SYSCALLS_H_

#include <asm/ioctl.h>
#include <asm/unistd.h>
#include <errno.h>
#include <hwi/include/common/compiler_support.h>

__BEGIN_DECLS

/* ioctl() of a file in /dev/shm: its memory is one for the L2's atomic operations. Before mmap(). */
#define FIOBGQATOMIC _IOWR(0xa5, 0, unsigned int)

/* The signal of an access to a control register that a program may not make. */
#define SIGDCRVIOLATION 38

#define SYSCALL_START 1024

enum {
  SPI_SYSCALL_BEGIN = SYSCALL_START - 1,
  __NR_GETMEMORYREGION = 1024,
  __NR_GET_PERSONALITY = 1025,
  __NR_SETSPECCONTEXT = 1026,
  __NR_ENTERJAILMODE = 1027,
  __NR_EXITJAILMODE = 1028,
  __NR_SPECALLOCATEDOMAIN = 1029,
  __NR_SPECSETDOMAINMODE = 1030,
  __NR_ROLLBACKINDICATOR = 1031,
  __NR_ALLOCATE_INJ_FIFOS = 1032,
  __NR_QUERY_INJ_FIFOS = 1033,
  __NR_QUERY_REC_FIFOS = 1034,
  __NR_QUERY_BASE_ADDRESS_TABLE = 1035,
  __NR_ALLOCATE_REC_FIFOS = 1036,
  __NR_ALLOCATE_BASE_ADDRESS_TABLE = 1037,
  __NR_REC_FIFO_ENABLE = 1038,
  __NR_CFG_INJ_FIFO_INTS = 1039,
  __NR_CFG_REC_FIFO_INTS = 1040,
  __NR_CFG_INJ_FIFO_THRESH = 1041,
  __NR_CFG_REC_FIFO_THRESH = 1042,
  __NR_DEALLOC_INJ_FIFOS = 1043,
  __NR_DEALLOC_REC_FIFOS = 1044,
  __NR_DEALLOC_BASE_ADDR_TABLE = 1045,
  __NR_CFG_MU_GEA = 1046,
  __NR_SETL1PPATTERNADDR = 1047,
  __NR_GETL1PCURPATTERNADDR = 1048,
  __NR_SETL1PCURPATTERNADDR = 1049,
  __NR_COMMTHREADPOOF = 1050,
  __NR_COMMTHREADINSTALLHANDLER = 1051,
  __NR_COMMTHREADENABLEINTS = 1052,
  __NR_SETSPECTHREADMAP = 1053,
  __NR_COMMTHREADDISABLEINTS = 1054,
  __NR_RANKS2COORDS = 1055,
  __NR_JOBCOORDS = 1056,
  __NR_UPCI_OP = 1057,
  __NR_SETDEBUGREG = 1058,
  __NR_ALLOCATEL2ATOMIC = 1059,
  __NR_INJECTRAWRAS = 1060,
  __NR_INJECTASCIIRAS = 1061,
  __NR_TMWRITE = 1062,
  __NR_SETSPECSTATE = 1063,
  __NR_SETL2SCRUBRATE = 1064,
  __NR_QUERYCOLLECTIVECLASSROUTE = 1065,
  __NR_ALLOCATECOLLECTIVECLASSROUTE = 1066,
  __NR_SETCOLLECTIVECLASSROUTE = 1067,
  __NR_DEALLOCATECOLLECTIVECLASSROUTE = 1068,
  __NR_QUERYGINTCLASSROUTE = 1069,
  __NR_ALLOCATEGINTCLASSROUTE = 1070,
  __NR_SETGINTCLASSROUTE = 1071,
  __NR_DEALLOCATEGINTCLASSROUTE = 1072,
  __NR_CONFIGUREGIINTERRUPTS = 1073,
  __NR_GETNUMSPECDOMAINS = 1074,
  __NR_SETNUMSPECDOMAINS = 1075,
  __NR_GETRANK = 1076,
  __NR_GETNUMKERNELSPECDOMAINS = 1077,
  __NR_GETSPECCONFLICTINFO = 1078,
  __NR_CLEARSPECCONFLICTINFO = 1079,
  __NR_GETAXUCR0 = 1080,
  __NR_SETAXUCR0 = 1081,
  __NR_GETDEBUGREG = 1082,
  __NR_GETMEMORYSIZE = 1083,
  __NR_GETFLIGHTLOG = 1084,
  __NR_SETLOCALFSWINDOW = 1085,
  __NR_CLEARINJECTIONCHECKSUM = 1086,
  __NR_GETJOBID = 1087,
  __NR_GETRAWENVMONPOWERDATA = 1088,
  __NR_GETPVR = 1089,
  __NR_ENABLEFASTSPECULATIONPATHS = 1090,
  __NR_SETPOWERCONSUMPTIONPARAM = 1091,
  __NR_GETSPECIDSELF = 1092,
  __NR_RDMA_CONNECT = 1093,
  __NR_RDMA_SEND = 1094,
  __NR_RDMA_RECV = 1095,
  __NR_RDMA_POLL_CQ = 1096,
  __NR_RDMA_REG_MEM = 1097,
  __NR_RDMA_DEREG_MEM = 1098,
  __NR_SENDX = 1099,
  __NR_ISGUESTTHREAD = 1100,
  __NR_RDMA_OPEN = 1101,
  __NR_GETMAPPING = 1102,
  __NR_EXECENVMON2COMMAND = 1103,
  __NR_GPFSFCNTL = 1104,
  __NR_KERNELVERSION = 1105,
  SPI_NUM_SYSCALLS
};

/* The result is 0 or a positive errno unless a call says otherwise. */
__INLINE__ uint64_t bgq_system_call(uint64_t number, uint64_t arg0, uint64_t arg1, uint64_t arg2, uint64_t arg3,
                                    uint64_t arg4, uint64_t arg5) {
  register uint64_t r0 __asm__("r0") = number;
  register uint64_t r3 __asm__("r3") = arg0;
  register uint64_t r4 __asm__("r4") = arg1;
  register uint64_t r5 __asm__("r5") = arg2;
  register uint64_t r6 __asm__("r6") = arg3;
  register uint64_t r7 __asm__("r7") = arg4;
  register uint64_t r8 __asm__("r8") = arg5;
  __asm__ volatile("sc"
                   : "+r"(r0), "+r"(r3), "+r"(r4), "+r"(r5), "+r"(r6), "+r"(r7), "+r"(r8)
                   :
                   : "r9", "r10", "r11", "r12", "cr0", "memory");
  return r3;
}

#define CNK_SPI_SYSCALL_6(name, arg0, arg1, arg2, arg3, arg4, arg5)                                    \
  bgq_system_call(__NR_##name, (uint64_t)(arg0), (uint64_t)(arg1), (uint64_t)(arg2), (uint64_t)(arg3), \
                  (uint64_t)(arg4), (uint64_t)(arg5))
#define CNK_SPI_SYSCALL_5(name, arg0, arg1, arg2, arg3, arg4) CNK_SPI_SYSCALL_6(name, arg0, arg1, arg2, arg3, arg4, 0)
#define CNK_SPI_SYSCALL_4(name, arg0, arg1, arg2, arg3) CNK_SPI_SYSCALL_5(name, arg0, arg1, arg2, arg3, 0)
#define CNK_SPI_SYSCALL_3(name, arg0, arg1, arg2) CNK_SPI_SYSCALL_4(name, arg0, arg1, arg2, 0)
#define CNK_SPI_SYSCALL_2(name, arg0, arg1) CNK_SPI_SYSCALL_3(name, arg0, arg1, 0)
#define CNK_SPI_SYSCALL_1(name, arg0) CNK_SPI_SYSCALL_2(name, arg0, 0)
#define CNK_SPI_SYSCALL_0(name) CNK_SPI_SYSCALL_1(name, 0)

__END_DECLS

#endif
