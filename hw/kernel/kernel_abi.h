/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel offers programs beyond Linux's system calls. Plain C11 and C++17: the kernel includes it on the host,
 * drivers and firmware on the emulated cores.
 *
 * The calling convention is that of Linux on 32-bit PowerPC: number in r0, arguments in r3 to r8 (a machine's own
 * calls may have some in r9 to r11 as well), result in r3; on failure CR0.SO is set and r3 holds a positive errno. On
 * other instruction sets it is that of Linux there, and addresses have the size of theirs. Functions are passed as the
 * program's pointers point to them: on 64-bit PowerPC to a descriptor, whose table of contents is in r2 when the
 * function begins. Where a stack needs 8 bytes above its pointer, it needs 24 on instruction sets of 64 bits.
 */
#ifndef TOROID_HW_KERNEL_KERNEL_ABI_H
#define TOROID_HW_KERNEL_KERNEL_ABI_H

#include <stdint.h>

/* get_personality(struct toroid_personality *to, uint32_t size): copies the first `size` bytes of the personality,
 * fewer if it is shorter; returns how many. EFAULT. */
#define TOROID_SYS_GET_PERSONALITY 1001
/* get_map(uint32_t *to, uint32_t first, uint32_t count): the places (TOROID_MAP_WORDS words each, see below) of ranks
 * first to first + count - 1, fewer at the end; returns how many ranks. EFAULT; EINVAL where first > number of ranks.
 */
#define TOROID_SYS_GET_MAP 1002
/* dcr_read(uint32_t number): the device control register's value. EINVAL: no such register, or not readable. */
#define TOROID_SYS_DCR_READ 1003
/* dcr_write(uint32_t number, uint32_t value): 0. EINVAL: no such register, or not writable. */
#define TOROID_SYS_DCR_WRITE 1004

/* The second core of a process, on machines without threads, where the process mode gives a process two cores. It
 * shares the memory; it has caches of its own, which are not kept coherent with the first core's. It may make system
 * calls; the C library's state belongs to the first core. When the process ends, or a core faults, both cores stop. */

/* start_core(uint32_t entry, uint32_t stack_pointer, uint32_t argument): core 1 begins at `entry` with r1 =
 * stack_pointer, r3 = argument, r2 and r13 as the caller's, LR = 0, and nothing in its L1 cache. The kernel writes
 * nothing back for the caller: flush what core 1 shall read (flush_l1) before. It stores the end of the back chain, two
 * words of 0, at stack_pointer, past the caches. EBUSY while core 1 runs; ENOSYS if the process has one core; EFAULT
 * where entry is no function, or stack_pointer is no multiple of 16 or not inside memory that may be written, with 16
 * bytes below and 8 above. */
#define TOROID_SYS_START_CORE 1005
/* stop_core(): called on core 1, which is idle from then on and may be started again. Does not return. The kernel
 * writes back and invalidates its L1 data cache, so that an idle core holds nothing. EINVAL on core 0. */
#define TOROID_SYS_STOP_CORE 1006
/* flush_l1(): writes back and invalidates the calling core's whole L1 data cache. 0. */
#define TOROID_SYS_FLUSH_L1 1007

/* What follows from a machine's networks is beside its devices, in nic/<machine>/kernel_services.h: what the kernel
 * sets up in them at the start of a job, and which interrupt lines there are. */

/* Interrupts, of the core that calls. The handler begins at `entry` with r1 = stack_pointer, r2 and r13 as they were
 * interrupted, r3 = the groups of lines that are up, a bit each, LR = 0. The kernel keeps the general purpose
 * registers, CR, LR and CTR; all others are the handler's to keep, as that of a driver does. No interrupt
 * comes while it runs. Lines are levels: a handler that leaves one up is called again as soon as it has returned. An
 * interrupt takes 10^3 cycles there and back, and comes between blocks of instructions, never during a call: one that
 * sleeps sleeps on. */

/* set_interrupt_handler(uint32_t entry, uint32_t stack_pointer, uint32_t mask): lines of the groups in `mask` interrupt
 * this core from now on; a mask of 0: none. EFAULT where entry is no function, or stack_pointer is no multiple of 16 or
 * not inside memory that may be written, with 16 bytes below and 8 above; EINVAL for groups that there are not; EBUSY
 * from the handler itself. */
#define TOROID_SYS_SET_INTERRUPT_HANDLER 1008
/* interrupt_return(): the end of a handler. Does not return. EINVAL where none runs. */
#define TOROID_SYS_INTERRUPT_RETURN 1009

/* end_job(uint32_t status): ends all processes of the job at once, this one with the exit status `status` & 255. Does
 * not return. */
#define TOROID_SYS_END_JOB 1010

/* watch_memory(void *address, uint32_t size): devices write these whole pages, and cores poll them: counters, tails of
 * FIFOs, queues of events. From now on every access to them takes effect at its own time and costs what one to such
 * memory costs on this machine; polling them costs the host nothing. They stay so to the end of the process, and can be
 * neither unmapped nor protected. Bulk data belongs in other memory, which cores reach faster. 0. ENOSYS if no device
 * of this machine writes memory; EINVAL if these are not whole pages; EFAULT if the process may not write them; ENOMEM
 * if the node has too many such pages, or the process too many regions. */
#define TOROID_SYS_WATCH_MEMORY 1011

/* What a process waits for, as it says itself: an object of this type and name, which the machine reads when it reports
 * what processes that have not ended wait for. A program need not have one. */
#define TOROID_ACTIVITY_SYMBOL "toroid_activity"
#define TOROID_ACTIVITY_ARGUMENTS 4
struct toroid_activity {
  uint32_t what; /* address of a text in which %u, %d, %x and %s stand for the arguments in turn; 0: nothing */
  uint32_t arguments[TOROID_ACTIVITY_ARGUMENTS]; /* numbers, or addresses of texts */
};

/* What a library says of itself, for the reports of processes that fail or wait for ever: objects of this type whose
 * names begin so. The machine reads them then, and what they name; they cost the program nothing. All words are
 * addresses or offsets, 0 if there is no such thing. */
#define TOROID_LIBRARY_SYMBOLS "toroid_library_"
struct toroid_library {
  uint32_t functions; /* text: what the names of its functions begin with */
  uint32_t ready;     /* word: 0 while they may not be called */
  uint32_t misuse;    /* text for who calls them then: "is called before ..." */
  uint32_t waits;     /* lists of what it waits for; the last has no heads */
};

/* Lists of elements that each have a pointer to the next one. */
#define TOROID_WAITS_ARGUMENTS 4
#define TOROID_WAITS_ELEMENT 0xFFFFu /* as `object`: the element itself */
struct toroid_waits {
  uint32_t memory; /* word: the address of memory that has the heads; 0: `first` is an address */
  uint32_t first;  /* of the first head, in that memory: a pointer to a list's first element */
  uint16_t heads;  /* lists whose heads follow each other */
  uint16_t next;   /* of the pointer to the next element, in an element */
  uint16_t object; /* of the pointer to what waits, in an element */
  uint16_t choice; /* of the word that chooses a text, in that object */
  uint32_t mask;   /* of its bits that do */
  uint32_t texts;  /* pairs of such bits, and a text as in toroid_activity; the last has no text */
  uint16_t arguments[TOROID_WAITS_ARGUMENTS]; /* of words, in the object */
};

#define TOROID_MAX_DIMENSIONS 5
#define TOROID_PERSONALITY_VERSION 2

/* What a process must know of its machine and its place there. All words are in the core's byte order (big-endian). */
struct toroid_personality {
  uint32_t version; /* TOROID_PERSONALITY_VERSION */
  uint32_t size;    /* bytes of this structure that the kernel knows */
  uint32_t dimensions;
  uint32_t shape[TOROID_MAX_DIMENSIONS];       /* nodes along each dimension; 1 for those not used */
  uint32_t torus[TOROID_MAX_DIMENSIONS];       /* 1: a ring, 0: a mesh */
  uint32_t coordinates[TOROID_MAX_DIMENSIONS]; /* this node's */
  uint32_t t;                                  /* this process's number on its node */
  uint32_t rank;
  uint32_t ranks;
  uint32_t processes_per_node;
  uint32_t core_mhz;
  uint32_t memory_mib;        /* of the node; its processes share it evenly */
  uint32_t cores_per_process; /* by the process mode */
  uint32_t processing_set;    /* this node's: its I/O node serves all nodes of the set; they are numbered from 0 on */
};

/* get_map() gives TOROID_MAP_WORDS words a rank: a byte a dimension from the most significant byte of the first word
 * on, and t in the last byte. */
#define TOROID_MAP_WORDS 2
#define TOROID_MAP_COORDINATE(words, d) (((words)[(d) / 4] >> (24 - 8 * ((d) % 4))) & 0xFFu)
#define TOROID_MAP_T(words) ((words)[1] & 0xFFu)

#endif
