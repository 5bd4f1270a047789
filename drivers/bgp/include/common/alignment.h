/* SPDX-License-Identifier: Apache-2.0 */
/* Alignments of the machine: a quad, a line of the L1 caches and of the L3 cache. In assembly: their logarithms. */
#ifndef _ALIGNMENT_H_
#define _ALIGNMENT_H_

#include <common/namespace.h>

#if defined(__ASSEMBLY__)
#define ALIGN_L1_DIRTYBIT 3
#define ALIGN_QUADWORD 4
#define ALIGN_L1_CACHE 5
#define ALIGN_L1I_CACHE 5
#define ALIGN_L1D_CACHE 5
#define ALIGN_L3_CACHE 7
#else
#define ALIGN_L1_DIRTYBIT __attribute__((aligned(8)))
#define ALIGN_QUADWORD __attribute__((aligned(16)))
#define ALIGN_L1_CACHE __attribute__((aligned(32)))
#define ALIGN_L1I_CACHE __attribute__((aligned(32)))
#define ALIGN_L1D_CACHE __attribute__((aligned(32)))
#define ALIGN_L3_CACHE __attribute__((aligned(128)))
#endif

#endif
