/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel of a Blue Gene/Q node provides for its programs, and how it looks in their memory: kernel calls,
 * special registers, the map of addresses, and the structures of the Messaging Unit's SPI that the kernel fills in.
 * Plain C11 and C++17, for the host and for the emulated cores. Structures are given by the offsets of their fields.
 *
 * Sources: IBM's system software of the machine (bgq-driver V1R2M1; call 1105: V1R2M2): cnk/include/SPI_syscalls.h,
 * SPRG_Usage.h and Config.h, spi/include/kernel/cnk, spi/include/mu, hwi/include/bqc/PhysicalMap.h.
 */
#ifndef TOROID_NIC_BGQ_KERNEL_SERVICES_H
#define TOROID_NIC_BGQ_KERNEL_SERVICES_H

/* Kernel calls ------------------------------------------------------------------------------------------------------
 *
 * Instruction sc, number in r0, arguments in r3 to r8, result in r3: 0, or a positive errno unless a call says
 * otherwise. CR0.SO is never set, but for a number that the kernel does not have (ENOSYS). `*` is a pointer of the
 * process; a bad one gives EFAULT. Words have 32 bits, doublewords 64. */

/* (*region, va, bytes): the whole segment that `va` lies in, BGQ_REGION_ below. EINVAL: it lies in none. */
#define BGQ_SYS_GET_MEMORY_REGION 1024
/* (*personality, bytes): EINVAL unless bytes are those of version 8 (personality.h). */
#define BGQ_SYS_GET_PERSONALITY 1025
/* (subgroup, *sg, n, *ids, *attributes): BGQ_SG_INJ_, BGQ_ATTRIBUTE_. EAGAIN: one is taken; EACCES: System. The whole
 * of sg is zeroed first. */
#define BGQ_SYS_ALLOCATE_INJ_FIFOS 1032
/* (subgroup, *n, *ids): those that are free. */
#define BGQ_SYS_QUERY_INJ_FIFOS 1033
#define BGQ_SYS_QUERY_REC_FIFOS 1034
#define BGQ_SYS_QUERY_BASE_ADDRESS_TABLE 1035
#define BGQ_SYS_ALLOCATE_REC_FIFOS 1036
/* (subgroup, *sg, n, *ids, system): BGQ_SG_BAT_. EAGAIN: one is taken; EACCES: system is not 0. */
#define BGQ_SYS_ALLOCATE_BASE_ADDRESS_TABLE 1037
#define BGQ_SYS_REC_FIFO_ENABLE 1038 /* (group, bits): ORed into RMFIFO_ENABLE */
/* (*sg, n, *ids, *interrupts): BGQ_INTERRUPT_. */
#define BGQ_SYS_CONFIGURE_INJ_INTERRUPTS 1039
#define BGQ_SYS_CONFIGURE_REC_INTERRUPTS 1040
#define BGQ_SYS_CONFIGURE_INJ_THRESHOLDS 1041 /* (*normal, *remote get): doublewords; either may be NULL */
#define BGQ_SYS_CONFIGURE_REC_THRESHOLD 1042  /* (threshold) */
/* (*sg, n, *ids) */
#define BGQ_SYS_DEALLOCATE_INJ_FIFOS 1043
#define BGQ_SYS_DEALLOCATE_REC_FIFOS 1044
#define BGQ_SYS_DEALLOCATE_BASE_ADDRESS_TABLE 1045
/* (subgroup, on): whether its interrupts go to the global event aggregator. */
#define BGQ_SYS_CONFIGURE_MU_GEA 1046
/* Communication threads: what an interrupt calls (0 to 3: of the core's subgroups; 4: of the event aggregator). */
#define BGQ_SYS_SET_LIST_ADDRESSES 1047   /* (list to read*, list to write*, bytes) of the L1 prefetcher; NULL: none */
#define BGQ_SYS_GET_CURRENT_LIST 1048     /* (where reading is**, where writing is**) */
#define BGQ_SYS_SET_CURRENT_LIST 1049     /* (where to read*, where to write*) */
#define BGQ_SYS_COMM_POOF 1050            /* (): waits for one; does not return, its handler begins */
#define BGQ_SYS_COMM_INSTALL_HANDLER 1051 /* (interrupt, function, 4 arguments): EINVAL: there is no such interrupt */
#define BGQ_SYS_COMM_ENABLE_INTERRUPTS 1052
#define BGQ_SYS_COMM_DISABLE_INTERRUPTS 1054
/* (bytes of map, *map, *ranks of the job): a word a rank, BGQ_COORD_. EINVAL: the map is too small. */
#define BGQ_SYS_RANKS_TO_COORDS 1055
#define BGQ_SYS_JOB_COORDS 1056         /* (*coords): BGQ_JOB_ */
#define BGQ_SYS_ALLOCATE_L2_ATOMIC 1059 /* (va, bytes): makes the alias below for the pages */
/* Routes of classes 0 to 15; EINVAL: no such class. A class is free while the word of its route is 0. */
#define BGQ_SYS_QUERY_COLLECTIVE_ROUTES 1065   /* (*n, *ids, bytes of ids): the free ones that there is room for */
#define BGQ_SYS_ALLOCATE_COLLECTIVE_ROUTE 1066 /* (id): EAGAIN: it is taken */
#define BGQ_SYS_SET_COLLECTIVE_ROUTE 1067      /* (id, *route): 0 or BGQ_ROUTE_ */
#define BGQ_SYS_DEALLOCATE_COLLECTIVE_ROUTE 1068
#define BGQ_SYS_QUERY_INTERRUPT_ROUTES 1069
#define BGQ_SYS_ALLOCATE_INTERRUPT_ROUTE 1070 /* (id, *attributes or NULL): EACCES: System */
#define BGQ_SYS_SET_INTERRUPT_ROUTE 1071      /* (id, *route): 0, BGQ_ROUTE_ 1 or 2, or BGQ_INTERRUPT_ROUTE_ */
#define BGQ_SYS_DEALLOCATE_INTERRUPT_ROUTE 1072
#define BGQ_SYS_CONFIGURE_BARRIER_INTERRUPTS 1073 /* (id, bit 0 to 2, on) */
#define BGQ_SYS_GET_SPEC_DOMAINS 1074             /* (*number): a word */
#define BGQ_SYS_SET_SPEC_DOMAINS 1075             /* (number) */
#define BGQ_SYS_GET_RANK 1076                     /* (): the rank */
#define BGQ_SYS_GET_MEMORY_SIZE 1083              /* (type, *bytes): BGQ_MEMSIZE_; a doubleword. EINVAL: no such type */
#define BGQ_SYS_CLEAR_INJECTION_CHECKSUM 1086     /* (network injection FIFO): the int -1 if there is none */
#define BGQ_SYS_GET_JOB_ID 1087                   /* (): the job's number */
#define BGQ_SYS_GET_PVR 1089                      /* (*version): the processor's version, a word */
#define BGQ_SYS_IS_GUEST_THREAD 1100              /* (): 1 if the caller runs on a hardware thread of another process */
/* (bytes of name, *name, *is file): the order of ranks, as letters or as the name of a file; cut off if it is longer.
 */
#define BGQ_SYS_GET_MAPPING 1102
/* (*version, *release, *modification, *correction): doublewords; from V1R2M2 on. */
#define BGQ_SYS_KERNEL_VERSION 1105

/* what SET_..._ROUTE finds wrong */
#define BGQ_ROUTE_SEVERAL_OUTPUTS 1
#define BGQ_ROUTE_LOCAL_OUTPUT 2
#define BGQ_ROUTE_NO_LOCAL_INPUT 3
#define BGQ_ROUTE_BOTH_WAYS 4   /* a link is input and output */
#define BGQ_ROUTE_SHARES_LINK 5 /* of types 0 and 1, with a class of the other of these */
#define BGQ_INTERRUPT_ROUTE_BOTH_WAYS 3
#define BGQ_INTERRUPT_ROUTE_SHARES_LINK 4 /* with the class 8 beside it */

/* types of GET_MEMORY_SIZE */
#define BGQ_MEMSIZE_SHARED 200 /* memory that the node's processes share */
#define BGQ_MEMSIZE_PERSIST 201
#define BGQ_MEMSIZE_HEAPAVAIL 202 /* that the heap may still take; 203: the same */
#define BGQ_MEMSIZE_ESTHEAPAVAIL 203
#define BGQ_MEMSIZE_STACKAVAIL 204 /* below the caller's stack pointer; 205: the same */
#define BGQ_MEMSIZE_ESTSTACKAVAIL 205
#define BGQ_MEMSIZE_STACK 206 /* 207: the same */
#define BGQ_MEMSIZE_ESTSTACK 207
#define BGQ_MEMSIZE_HEAP 208 /* that the heap has */
#define BGQ_MEMSIZE_GUARD 209
#define BGQ_MEMSIZE_HEAPMAX 210
#define BGQ_MEMSIZE_MMAP 211 /* that mmap may still take */

/* Objects in /dev/shm: Linux's calls, but for ioctl(), whose one request says that words are to be reached through the
 * L2 (FIOBGQATOMIC). They can be without, and need no ALLOCATE_L2_ATOMIC. */
#define BGQ_IOCTL_ATOMIC 0xC004A500u
/* How programs find the messaging agent of the control system (agents/include/comm). ENOENT: there is none. */
#define BGQ_SHM_AGENT "unique-comm-agent-shmem-file"

/* Scheduling: Linux's calls 154 to 160 and 222, 223. Policies and priorities; SCHED_OTHER is taken for FIFO. A thread
 * that has become one of COMM stays that. Processors are hardware threads of the node: core x 4 + thread. */
#define BGQ_SCHED_OTHER 0
#define BGQ_SCHED_FIFO 1
#define BGQ_SCHED_COMM 2 /* SCHED_RR */
#define BGQ_FIFO_PRIORITY_MIN 2
#define BGQ_FIFO_PRIORITY_MAX 98
#define BGQ_COMM_PRIORITY_MIN 1
#define BGQ_COMM_PRIORITY_MAX 99

/* Structures --------------------------------------------------------------------------------------------------------
 *
 * Offsets in bytes; all is big-endian, pointers have 64 bits. */

/* Kernel_MemoryRegion_t */
#define BGQ_REGION_BYTES_AT 0
#define BGQ_REGION_BASE_VA_AT 8
#define BGQ_REGION_BASE_PA_AT 16
#define BGQ_REGION_BYTES 24

/* MUSPI_Fifo_t: what the kernel fills in of it */
#define BGQ_FIFO_HARDWARE_AT 48 /* pointer to its registers: START */

/* MUSPI_InjFifoSubGroup_t: eight FIFOs, each with a MUSPI_Fifo_t at its beginning */
#define BGQ_SG_INJ_FIFO_BYTES 88
#define BGQ_SG_INJ_COUNT_AT 80 /* of a FIFO: pointer to its DESC_COUNT */
#define BGQ_SG_INJ_STATUS_AT 704
#define BGQ_SG_INJ_SUBGROUP_AT 712 /* a word */
#define BGQ_SG_INJ_BYTES 720

/* MUSPI_RecFifoSubGroup_t: four FIFOs */
#define BGQ_SG_REC_FIFO_BYTES 608
#define BGQ_SG_REC_STATUS_AT 2432
#define BGQ_SG_REC_SUBGROUP_AT 2440
#define BGQ_SG_REC_BYTES 2464

/* MUSPI_BaseAddressTableSubGroup_t */
#define BGQ_SG_BAT_SUBGROUP_AT 0    /* a byte */
#define BGQ_SG_BAT_PERMISSIONS_AT 1 /* a byte: bit 0x80 >> id of each slot that the structure manages */
#define BGQ_SG_BAT_HARDWARE_AT 8    /* pointer to the subgroup's slots */
#define BGQ_SG_BAT_SHADOW_AT 16     /* eight doublewords */
#define BGQ_SG_BAT_BYTES 80

/* ClassRoute_t: inputs and outputs, halfwords with a bit a link; of collectives, the type in bits 13 and 12 of input */
#define BGQ_CLASS_ROUTE_INPUT_AT 0
#define BGQ_CLASS_ROUTE_OUTPUT_AT 2
#define BGQ_CLASS_ROUTE_BYTES 4

/* Kernel_InjFifoAttributes_t, a word; of reception FIFOs and of routes System is the first bit */
#define BGQ_ATTRIBUTE_REMOTE_GET 0x80000000u
#define BGQ_ATTRIBUTE_SYSTEM 0x40000000u
#define BGQ_ATTRIBUTE_PRIORITY 0x20000000u
#define BGQ_ATTRIBUTE_REC_SYSTEM 0x80000000u

/* Kernel_InjFifoInterrupts_t and Kernel_RecFifoInterrupts_t, a word */
#define BGQ_INTERRUPT_THRESHOLD 0x80000000u
#define BGQ_INTERRUPT_PACKET 0x40000000u

/* The map of RANKS_TO_COORDS: a word a rank. */
#define BGQ_COORD_T_SHIFT 0
#define BGQ_COORD_D_SHIFT 6
#define BGQ_COORD_C_SHIFT 12
#define BGQ_COORD_B_SHIFT 18
#define BGQ_COORD_A_SHIFT 24
#define BGQ_COORD_E_SHIFT 31

/* JOB_COORDS: bytes */
#define BGQ_JOB_CORNER_AT 0 /* A, B, C, D, E and the core */
#define BGQ_JOB_SHAPE_AT 6  /* the same */
#define BGQ_JOB_SUB_BLOCK_AT 12
#define BGQ_JOB_BYTES 13

/* A slot of the base address table that is free, and what START of an allocated FIFO is before the program sets it. */
#define BGQ_BASE_FREE 0x1FFFFFFFFFull
#define BGQ_INJ_FIFO_ALLOCATED 0x40
#define BGQ_REC_FIFO_ALLOCATED 0x240

/* Special registers that user code reads ------------------------------------------------------------------------- */

#define BGQ_SPR_PLACE 263
/* Of PLACE, from the least significant bit on. */
#define BGQ_PLACE_THREAD 0xFFull /* hardware thread: core x 4 + thread */
#define BGQ_PLACE_PROCESSES_SHIFT 8
#define BGQ_PLACE_PROCESSES (0xFFull << BGQ_PLACE_PROCESSES_SHIFT) /* on the node */
#define BGQ_PLACE_SOFTWARE_THREADS_SHIFT 16
#define BGQ_PLACE_RUNNABLE_SHIFT 24
#define BGQ_PLACE_CORES_SHIFT 32 /* cores that the job has, minus 1; 4 bits */
#define BGQ_PLACE_FIRST_CORE_SHIFT 36

/* Addresses ---------------------------------------------------------------------------------------------------------
 *
 * Where the kernel maps what is not a process's own memory. Devices of which there is a physical address have that. */

#define BGQ_VA_PROCESS_WINDOW 0x7000000000ull /* all memory of the node, by its physical addresses; read-only */
#define BGQ_VA_L1P 0x0005000001500000ull      /* registers of the core's own, with the wake-up unit (wu_regs.h) */
#define BGQ_VA_L1P_BYTES 0x100000ull
/* Control registers of the network that users may read; offsets in bytes. */
#define BGQ_ND_500_BASE 0x3FDE0CA0000ull
#define BGQ_ND_X2_BASE 0x3FDE0CC0000ull
#define BGQ_ND_RESET 0x0             /* of either: the first bit is 0 when the registers are out of reset */
#define BGQ_ND_500_CUTOFFS 0x28      /* the last coordinates that are reached upward and downward, 6 bits each */
#define BGQ_ND_500_GI_CLASSES 0x58   /* two routes a register: of global interrupts */
#define BGQ_ND_500_COLL_CLASSES 0x98 /* of collectives */
#define BGQ_ND_500_CHECKSUMS 0x300   /* of each network injection FIFO */

#define BGQ_VA_L2_ATOMICS 0x0004000000000000ull
/* Of the alias: the word's address shifted, a hardware thread that the address may name, the operation. */
#define BGQ_L2_ATOMICS_ADDRESS_SHIFT 5
#define BGQ_L2_ATOMICS_OPERATION_SHIFT 3
#define BGQ_L2_ATOMICS_LOW 0xFFull /* of the alias, the bits that are not the word's address */

#endif /* TOROID_NIC_BGQ_KERNEL_SERVICES_H */
