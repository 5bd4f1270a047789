/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel of a Blue Gene/P node provides for its programs, and how it looks in their memory: kernel calls,
 * special registers, addresses of devices, and the structures of the DMA SPI that the kernel fills in. Plain C11 and
 * C++17, for the host and for the emulated cores. Structures are given by the offsets of their fields because they hold
 * pointers of the emulated core (32 bits, big-endian) and their declarations belong to drivers/bgp/include/spi, which
 * checks them against these offsets.
 *
 * Sources: call numbers are those of the CNK system call table (0intro/hare, sys/src/9k/cnk/cnksystab.h); arguments and
 * structures follow from the SPI headers of RBC-UKQCD/CPS_public (spi/kernel_interface.h, bgp_kernel_inlines.h,
 * DMA_*.h); user addresses from arch/powerpc/include/zepto/VirtualMap.h of the ZeptoOS kernel. "assumed": not
 * published.
 */
#ifndef TOROID_NIC_BGP_KERNEL_SERVICES_H
#define TOROID_NIC_BGP_KERNEL_SERVICES_H

/* Kernel calls ------------------------------------------------------------------------------------------------------
 *
 * Instruction sc, number in r0, arguments in r3 to r11, result in r3: 0, or a positive errno unless a call says
 * otherwise. Callers look at r3 alone, not at CR0.SO. `*` is a pointer of the process; a bad one gives EFAULT. */

#define BGP_SYS_GET_PERSONALITY 1024 /* (*personality, bytes): the first `bytes` bytes of 416 */
#define BGP_SYS_DMA 1025
#define BGP_SYS_GET_DEVICE_MAP 1026
#define BGP_SYS_PTHREAD_POOF 1027 /* (): a communication thread gives its core back */
#define BGP_SYS_GET_PROCESSOR_ID 1028
#define BGP_SYS_GET_PROCESSOR_VERSION 1029
/* (first, count, *addresses, flags): `count` lockbox counters from `first` (0 to 1023) on; stores the user address of
 * each. flags: BGP_LOCKBOX_... below. EAGAIN: one of them is taken; EINVAL: beyond 1023, or no core. */
#define BGP_SYS_ALLOC_COUNTER 1030
#define BGP_SYS_COORD2RANK 1031 /* (x, y, z, t, *rank, *ranks of the job): nonzero if there is no such rank */
#define BGP_SYS_RANK2COORD 1032 /* (rank, *x, *y, *z, *t), words: nonzero if there is no such rank */
#define BGP_SYS_GETJOBID 1033   /* (): the job's number */
#define BGP_SYS_READDCR 1034    /* (number, *value) */
#define BGP_SYS_WRITEDCR 1035   /* (number, value) */
/* (type, group, count, *subgroups, target, handler, *handler_parm, interrupt_group, *counter_group): nine arguments.
 * type 0: injection, 1: reception; subgroups 0 to 7 of the group, words. EINVAL; EBUSY: a subgroup is taken. */
#define BGP_SYS_COUNTERGRPALLOCATE 1036
#define BGP_SYS_COUNTERGRPFREE 1037      /* (group, count, *subgroups, *counter_group) */
#define BGP_SYS_COUNTERGRPQUERYFREE 1038 /* (type, group, *count, *subgroups) */
/* (group, count, *ids, *priorities, *locals, *maps, *fifo_group): ids are words (0 to 31), priorities and locals
 * half-words, maps bytes, an element for each id in the order of ids. EINVAL also if local and a map other than 0, or
 * not local and a map of 0; EBUSY: a FIFO is taken. */
#define BGP_SYS_INJFIFOGRPALLOCATE 1039
#define BGP_SYS_INJFIFOGRPFREE 1040      /* (group, count, *ids, *fifo_group) */
#define BGP_SYS_INJFIFOGRPQUERYFREE 1041 /* (group, *count, *ids) */
#define BGP_SYS_RECFIFOSETMAP 1042       /* (*map): once a job, EBUSY after that */
#define BGP_SYS_RECFIFOGETMAP 1043       /* (*map) */
/* (*fifo_group, group, target, normal_handler, *parm, header_handler, *parm, interrupt_group) */
#define BGP_SYS_RECGETFIFOGROUP 1044
#define BGP_SYS_RECFIFOINITID 1045           /* (*fifo_group, place in fifos[], *start, *head, *end): once a FIFO */
#define BGP_SYS_INJFIFOINITID 1046           /* (*fifo_group, id 0 to 31, *start, *head, *end) */
#define BGP_SYS_CHGDMACTRINTERRUPT 1047      /* (enable) */
#define BGP_SYS_ATOMIC_SWAP 1048             /* the atomics' arguments are assumed: (*word, value, *old) */
#define BGP_SYS_ATOMIC_COMPARE_AND_SWAP 1049 /* assumed: (*word, *expected, value) */
#define BGP_SYS_ATOMIC_FETCH_AND_ADD 1050
#define BGP_SYS_ATOMIC_FETCH_AND_DEC_POSITIVE 1051
#define BGP_SYS_ATOMIC_TEST_BIT_AND_SWAP 1052
#define BGP_SYS_ATOMIC_SUBTRACT_AND_SWAP 1053
#define BGP_SYS_CLEARFULLRECPFIFO 1054 /* (): reception goes on after a remote get found its FIFO full */
#define BGP_SYS_ATOMIC_COMPARE_AND_SWAP2 1055
#define BGP_SYS_RAWRASINJECT 1056   /* (facility, unit, code, words, *words) */
#define BGP_SYS_ASCIIRASINJECT 1057 /* (facility, unit, code, *text) */
/* (interrupt: group << 5 | irq, opcode, lockbox counter or 0, function, 4 arguments of it) */
#define BGP_SYS_SETCOMMTHREADCONFIG 1058
#define BGP_SYS_GETCOMMTHREADCONFIG 1059 /* (interrupt, *opcode, *counter, *function, *argument x 4) */
#define BGP_SYS_FLUSHINTSTATE 1060
#define BGP_SYS_DELIVERCOMMSIGNAL 1061 /* (inter-processor interrupt, mask of cores) */
#define BGP_SYS_CHGCOREENABLES 1062    /* (core, suspend) */
#define BGP_SYS_CHECKPOINT 1063        /* (component, operation, *buffer, bytes, *bytes used, *base) */
/* (segment, core, *va u32, *pa u64, *bytes u32). With BGP_SHMEM_STATIC_MAP: 0 text, 1 data, 2 heap and stack, and 3
 * shared memory if the node has more than one process. Without: the same numbers, and no segment 2. EINVAL: no such
 * segment. */
#define BGP_SYS_GETAPPSEGMENTMAPPING 1064
#define BGP_SYS_GETMEMSIZE 1065 /* (type, *bytes u32): BGP_MEMSIZE_. EINVAL: no such type */
#define BGP_SYS_SETPRWINDOW \
  1066 /* (slot, pa high word, pa low word, bytes, protection, *va, *pa u64, *bytes): the megabytes around it */
#define BGP_SYS_GETPRWINDOW 1067        /* (slot, *va, *pa u64, *bytes) */
#define BGP_SYS_GETPRWINDOWSLOTS 1068   /* (*first, *last) */
#define BGP_SYS_ACTIVEPROCESSCOUNT 1069 /* (): processes of the node that run */
#define BGP_SYS_RANKS2COORDS 1070 /* (*kernel_coords_t, count): bytes x, y, z, t a rank, 0xFF each if it is no rank */

/* (operation, event, argument high word, low word, *answer i64): BGP_UPC_OP_ below. EINVAL, EFAULT. A number of our
 * own: the machine's library reaches the unit's registers, whose layout is not public. */
#define BGP_SYS_UPC 1071

#define BGP_SYS_FIRST BGP_SYS_GET_PERSONALITY
#define BGP_SYS_LAST BGP_SYS_UPC

/* Operations of the performance counter unit. The answer is what the function of spi/UPC.h returns, or as stated. */
#define BGP_UPC_OP_STATE 0     /* (): answers BGP_UPC_STATE_WORDS of i64, BGP_UPC_STATE_ */
#define BGP_UPC_OP_CONFIGURE 1 /* (user mode, edge) */
#define BGP_UPC_OP_MONITOR 2   /* (event, edge) */
#define BGP_UPC_OP_START 3     /* (nonzero: from 0 on) */
#define BGP_UPC_OP_STOP 4
#define BGP_UPC_OP_READ 5     /* (event, exclusive) */
#define BGP_UPC_OP_READ_ALL 6 /* (exclusive): answers 256 of i64, then the start/stop generation */
#define BGP_UPC_OP_SET 7      /* (event, value) */
#define BGP_UPC_OP_ZERO 8     /* (event) */
#define BGP_UPC_OP_ZERO_ALL 9
#define BGP_UPC_OP_EDGE 10   /* (event): the edge by which it is monitored, or an error */
#define BGP_UPC_OP_COUNTS 11 /* (event): 1 if this node can count it, else 0 */

#define BGP_UPC_STATE_ACTIVE 0
#define BGP_UPC_STATE_COUNTER_MODE 1
#define BGP_UPC_STATE_USER_MODE 2
#define BGP_UPC_STATE_GENERATION 3
#define BGP_UPC_STATE_STARTS 4 /* start/stop generation */
#define BGP_UPC_STATE_RANK 5
#define BGP_UPC_STATE_NODE 6
#define BGP_UPC_STATE_PROCESSES 7
#define BGP_UPC_STATE_WORDS 8
#define BGP_UPC_COUNTERS 256

/* types of GETMEMSIZE; the numbers are those of the machine's successor: assumed */
#define BGP_MEMSIZE_SHARED 200 /* memory that the node's processes share */
#define BGP_MEMSIZE_PERSIST 201
#define BGP_MEMSIZE_HEAPAVAIL 202 /* that the heap may still take; 203: the same */
#define BGP_MEMSIZE_ESTHEAPAVAIL 203
#define BGP_MEMSIZE_STACKAVAIL 204 /* below the caller's stack pointer; 205: the same */
#define BGP_MEMSIZE_ESTSTACKAVAIL 205
#define BGP_MEMSIZE_STACK 206 /* 207: the same */
#define BGP_MEMSIZE_ESTSTACK 207
#define BGP_MEMSIZE_HEAP 208 /* that the heap has */
#define BGP_MEMSIZE_GUARD 209
#define BGP_MEMSIZE_HEAPMAX 210

/* flags of ALLOC_COUNTER */
#define BGP_LOCKBOX_CORES 0x00F         /* number of cores that use it, 1 to 4 */
#define BGP_LOCKBOX_MASTER_CORE 0x0F0   /* shifted left by 4: the core that sets the counters to 0 */
#define BGP_LOCKBOX_ORDERED_ALLOC 0x100 /* the master core must allocate first */

/* opcode of SETCOMMTHREADCONFIG: a route, and flags */
#define BGP_COMMTHREAD_ROUTE 0x0F /* 0 disable, 1 to 4 core 0 to 3, 5 all cores */
#define BGP_COMMTHREAD_CALLFUNC 0x10
#define BGP_COMMTHREAD_DISABLE_ON_ENTRY 0x20 /* the lockbox counter becomes 1 when the function is called */
#define BGP_COMMTHREAD_ENABLE_ON_POOF 0x40   /* and 0 again when the thread gives its core back */
/* USPRG0 while a thread is created that is to be a communication thread (the number itself is assumed). */
#define BGP_COMMTHREAD_MAGIC 0x434F4D4Du

/* Special registers that user code reads ------------------------------------------------------------------------- */

#define BGP_SPR_USPRG0 0x100
#define BGP_SPR_SHMEM 0x104
#define BGP_SPR_DST2 0x105
#define BGP_SPR_TEXTI 0x106
#define BGP_SPR_DATAI 0x107

/* SHMEM: shared memory of the node's processes, and how many they are. A MB is 2^20 bytes; physical addresses have 36
 * bits, `upper` is bits 32 and 33 of one. */
#define BGP_SHMEM_VIRTUAL_START 0xFFF00000u
#define BGP_SHMEM_MB 0x000FFF00u /* size << 8 */
#define BGP_SHMEM_MB_SHIFT 8
#define BGP_SHMEM_UPPER 0x000000C0u /* shared memory's virtual address is the low part of its physical one */
#define BGP_SHMEM_UPPER_SHIFT 6
#define BGP_SHMEM_STATIC_MAP 0x00000010u /* segments come from GETAPPSEGMENTMAPPING; place of the bit: assumed */
#define BGP_SHMEM_CORES 0x0000000Cu      /* of this process, less 1 */
#define BGP_SHMEM_CORES_SHIFT 2
#define BGP_SHMEM_PROCESSES 0x00000003u /* on this node, less 1 */
/* DST2: size of the data range, scratch memory, and this core */
#define BGP_DST2_DATA_SIZE 0xFFF00000u  /* bytes */
#define BGP_DST2_SCRATCH_MB 0x00000078u /* size << 3 */
#define BGP_DST2_SCRATCH_MB_SHIFT 3
#define BGP_DST2_CORE 0x00000003u
/* TEXTI, DATAI: where the process's text, data range begins */
#define BGP_RANGE_VIRTUAL_START 0xFFF00000u
#define BGP_RANGE_PHYSICAL_MB 0x000FFF00u /* physical start, low 32 bits, >> 12 */
#define BGP_RANGE_PHYSICAL_MB_SHIFT 8
#define BGP_RANGE_UPPER 0x000000C0u
#define BGP_RANGE_UPPER_SHIFT 6

/* Addresses of a process ------------------------------------------------------------------------------------------ */

#define BGP_VA_SCRATCH 0xFE000000u
#define BGP_VA_TORUS0 0xFFFB0000u
#define BGP_VA_TORUS1 0xFFFC0000u
#define BGP_VA_DMA 0xFFFD0000u /* group g: + 0x1000 g */
#define BGP_VA_DMA_GROUP_STRIDE 0x1000u
#define BGP_VA_UPC 0xFFFDA000u
#define BGP_VA_TREE0 0xFFFDC000u
#define BGP_VA_TREE1 0xFFFDD000u
#define BGP_VA_BIC 0xFFFDE000u                /* the kernel's */
#define BGP_VA_LOCKBOX_SUPERVISOR 0xFFFF0000u /* the kernel's */
#define BGP_VA_LOCKBOX 0xFFFF4000u
#define BGP_VA_SRAM 0xFFFF8000u

/* Collective network ----------------------------------------------------------------------------------------------
 *
 * Classes that the kernel sets at the start of a job, with the job's nodes as members. Those from 12 on are the
 * kernel's own. */
#define TOROID_TREE_CLASS_BROADCAST 1 /* one sends, all others get it */
#define TOROID_TREE_CLASS_REDUCTION 3 /* all contribute, all get the result: that of the libraries (CNAllreduce.h) */

/* Interrupts: groups and lines of the interrupt controller (BIC) that the SPI names -------------------------------- */

#define BGP_IC_DMA_GROUP 3           /* the DMA's counters and FIFOs */
#define BGP_IC_DMA_INJ_COUNTER 0     /* irq 0 to 3 of it: hit zero of injection counters; order of the SPI */
#define BGP_IC_DMA_REC_COUNTER 4     /* irq 4 to 7: of reception counters */
#define BGP_IC_DMA_RGET_FIFO_FULL 24 /* a remote get found less than 512 bytes free */

/* Structures of the DMA SPI -----------------------------------------------------------------------------------------
 *
 * "kernel": the field is filled in by the call named; all others it sets to 0 at allocation. Addresses of registers are
 * the process's (BGP_VA_DMA + ...). Sizes of FIFOs are in quads (16 bytes), pa are physical addresses >> 4. */

/* DMA_Fifo_t: head of DMA_InjFifo_t and DMA_RecFifo_t. INJFIFOINITID, RECFIFOINITID fill in all but the first. */
#define BGP_SPI_FIFO_BYTES 32
#define BGP_SPI_FIFO_HW_PTR 0     /* kernel, at allocation: the FIFO's four register words */
#define BGP_SPI_FIFO_FREE_SPACE 4 /* of fifo_size, by head and tail */
#define BGP_SPI_FIFO_FIFO_SIZE 8  /* (end - start) / 16 */
#define BGP_SPI_FIFO_PA_START 12
#define BGP_SPI_FIFO_VA_START 16
#define BGP_SPI_FIFO_VA_HEAD 20
#define BGP_SPI_FIFO_VA_TAIL 24 /* = head */
#define BGP_SPI_FIFO_VA_END 28

/* DMA_InjFifo_t */
#define BGP_SPI_INJ_FIFO_BYTES 64
#define BGP_SPI_INJ_FIFO_ID 32         /* u16, kernel: 0 to 31 */
#define BGP_SPI_INJ_FIFO_DESC_COUNT 40 /* u64 */
#define BGP_SPI_INJ_FIFO_OCCUPIED 48   /* u32 */
#define BGP_SPI_INJ_FIFO_PRIORITY 52   /* u16, kernel */
#define BGP_SPI_INJ_FIFO_LOCAL 54      /* u16, kernel */
#define BGP_SPI_INJ_FIFO_MAP 56        /* u8, kernel */

/* DMA_InjFifoGroup_t: INJFIFOGRPALLOCATE. A second call for the same structure and group adds FIFOs. */
#define BGP_SPI_INJ_GROUP_BYTES 2112
#define BGP_SPI_INJ_GROUP_STATUS_PTR 0     /* kernel: the words from NOT_EMPTY on */
#define BGP_SPI_INJ_GROUP_FIFOS 32         /* 32 of DMA_InjFifo_t, by id */
#define BGP_SPI_INJ_GROUP_PERMISSIONS 2080 /* kernel: 0x80000000 >> id for each FIFO of the process */
#define BGP_SPI_INJ_GROUP_GROUP_ID 2084    /* kernel */

/* DMA_RecFifo_t */
#define BGP_SPI_REC_FIFO_BYTES 64
#define BGP_SPI_REC_FIFO_GLOBAL_ID 32 /* u8, kernel: 8 x group + id, or 32 + group for the header FIFO */
#define BGP_SPI_REC_FIFO_TYPE 33      /* u8, kernel: 0 or 1, from the map */
#define BGP_SPI_REC_FIFO_PACKETS 36   /* u32: packets processed since the head was moved */

/* DMA_RecFifoGroup_t: RECGETFIFOGROUP. fifos[] begins with the group's FIFOs that the map names, in ascending order of
 * number, without gaps; fifos[8] is the header FIFO, if the map says that headers are saved. RECFIFOINITID names a FIFO
 * by its place in fifos[]. */
#define BGP_SPI_REC_GROUP_BYTES 608
#define BGP_SPI_REC_GROUP_GROUP_ID 0
#define BGP_SPI_REC_GROUP_NUM_NORMAL 4
#define BGP_SPI_REC_GROUP_NUM_HEADER 8
#define BGP_SPI_REC_GROUP_MASK 12       /* 0xFF000000 >> 8 group */
#define BGP_SPI_REC_GROUP_STATUS_PTR 20 /* the words from NOT_EMPTY on */
#define BGP_SPI_REC_GROUP_FIFOS 32      /* 9 of DMA_RecFifo_t */

/* DMA_RecFifoMap_t: RECFIFOSETMAP, RECFIFOGETMAP */
#define BGP_SPI_REC_MAP_BYTES 188
#define BGP_SPI_REC_MAP_SAVE_HEADERS 0   /* u16 */
#define BGP_SPI_REC_MAP_FIFO_TYPES 4     /* 32 words: 0 or 1 */
#define BGP_SPI_REC_MAP_HEADER_TYPES 132 /* 4 words */
#define BGP_SPI_REC_MAP_THRESHOLDS 148   /* 2 words, quads: of type 0, of type 1 */
#define BGP_SPI_REC_MAP_TS_REC_MAP 156   /* 4 x 8 bytes: [pid][X+ X- Y+ Y- Z+ Z- high local] = 8 x group + FIFO */

/* DMA_Counter_t */
#define BGP_SPI_COUNTER_BYTES 32
#define BGP_SPI_COUNTER_VA_BASE 0
#define BGP_SPI_COUNTER_PA_BASE 4
#define BGP_SPI_COUNTER_VA_MAX 8
#define BGP_SPI_COUNTER_PA_MAX 12
#define BGP_SPI_COUNTER_HW_PTR 16 /* kernel: the counter's register words */

/* DMA_CounterGroup_t: COUNTERGRPALLOCATE, which also disables the counters, clears their hit-zero bits and sets their
 * values to 0. A second call for the same structure, type and group adds subgroups. */
#define BGP_SPI_COUNTER_GROUP_BYTES 2080
#define BGP_SPI_COUNTER_GROUP_STATUS_PTR 0       /* kernel: the words from ENABLED on */
#define BGP_SPI_COUNTER_GROUP_PERMISSIONS 4      /* kernel: two words, 0x80000000 >> (id % 32) for each counter */
#define BGP_SPI_COUNTER_GROUP_GRP_PERMISSIONS 12 /* kernel: 0x80000000 >> (8 x group + subgroup) for each subgroup */
#define BGP_SPI_COUNTER_GROUP_GROUP_ID 16        /* kernel */
#define BGP_SPI_COUNTER_GROUP_TYPE 20            /* kernel */
#define BGP_SPI_COUNTER_GROUP_COUNTERS 32        /* 64 of DMA_Counter_t, by id */

/* LockBox_Barrier_t: ALLOC_COUNTER with a count of 5 stores into its first five words. */
#define BGP_SPI_BARRIER_BYTES 24

/* kernel_coords_t */
#define BGP_SPI_COORDS_BYTES 4

#endif
