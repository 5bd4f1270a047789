/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the kernel offers programs beyond Linux's system calls. Plain C11 and C++17: the kernel includes it on the host,
 * drivers and firmware on the emulated cores.
 *
 * The calling convention is that of Linux on 32-bit PowerPC: number in r0, arguments in r3 to r8, result in r3; on
 * failure CR0.SO is set and r3 holds a positive errno.
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

#define TOROID_MAX_DIMENSIONS 5
#define TOROID_PERSONALITY_VERSION 1

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
  uint32_t memory_mib; /* of the node */
};

/* get_map() gives TOROID_MAP_WORDS words a rank: a byte a dimension from the most significant byte of the first word
 * on, and t in the last byte. */
#define TOROID_MAP_WORDS 2
#define TOROID_MAP_COORDINATE(words, d) (((words)[(d) / 4] >> (24 - 8 * ((d) % 4))) & 0xFFu)
#define TOROID_MAP_T(words) ((words)[1] & 0xFFu)

#endif
