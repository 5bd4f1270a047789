/* SPDX-License-Identifier: Apache-2.0 */
/* Alignments: attributes in C, powers of two in assembler. */
#ifndef _BGQ_ALIGNMENT_H_
#define _BGQ_ALIGNMENT_H_

#define L1_CACHE_LINE_SIZE 64
#define L2_CACHE_LINE_SIZE 128

#if defined(__ASSEMBLY__)
#define ALIGN_L1_DIRTYBIT 4
#define ALIGN_QUADWORD 5
#define ALIGN_L1_CACHE 6
#define ALIGN_L1I_CACHE 6
#define ALIGN_L1D_CACHE 6
#define ALIGN_L2_CACHE 7
#else
#define ALIGN_L1_DIRTYBIT __attribute__((aligned(8)))
#define ALIGN_QPX_VECTOR __attribute__((aligned(32)))
#define ALIGN_QUADWORD __attribute__((aligned(32)))
#define ALIGN_L1_CACHE __attribute__((aligned(L1_CACHE_LINE_SIZE)))
#define ALIGN_L1I_CACHE __attribute__((aligned(L1_CACHE_LINE_SIZE)))
#define ALIGN_L1D_CACHE __attribute__((aligned(L1_CACHE_LINE_SIZE)))
#define ALIGN_L2_CACHE __attribute__((aligned(L2_CACHE_LINE_SIZE)))
#endif

#endif
