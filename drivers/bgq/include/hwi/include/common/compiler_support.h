/* SPDX-License-Identifier: Apache-2.0 */
/* Linkage of declarations that C and C++ share, and how the SPI's inline functions are declared. */
#ifndef _COMPILER_SUPPORT_H_
#define _COMPILER_SUPPORT_H_

#if !defined(__ASSEMBLY__)
#include <stdint.h>
#endif

#if defined(__cplusplus) && !defined(__ASSEMBLY__)
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#define __C_LINKAGE extern "C"
#else
#define __BEGIN_DECLS
#define __END_DECLS
#define __C_LINKAGE
#endif

/* The machine's own headers say `extern inline`, which means what they want in C++ and in gnu89 alone. In C, `static
 * inline` means the same in all standards. A program may have defined it otherwise. */
#ifndef __INLINE__
#if defined(__cplusplus)
#define __INLINE__ extern inline __attribute__((always_inline))
#else
#define __INLINE__ static inline __attribute__((always_inline))
#endif
#endif

#define __LIKELY(cond) __builtin_expect((cond), 1)
#define __UNLIKELY(cond) __builtin_expect((cond), 0)
#define __SHORT_CALL __attribute__((shortcall))
#define __LONG_CALL __attribute__((longcall))
#define __NORETURN __attribute__((noreturn))
#define __PACKED __attribute__((packed))

#if !defined(__ASSEMBLY__)
/* What a pointer to a function points to. */
typedef struct OPD_Entry_t {
  void* Entry_Addr;
  void* TOC_Addr;
} OPD_Entry_t;
#endif

#endif
