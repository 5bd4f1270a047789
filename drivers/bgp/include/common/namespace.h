/* SPDX-License-Identifier: Apache-2.0 */
/* Linkage of declarations that C and C++ share, and how the SPI's inline functions are declared. */
#ifndef _NAMESPACE_H_
#define _NAMESPACE_H_

#if defined(__cplusplus) && !defined(__ASSEMBLY__)
#define __BEGIN_DECLS extern "C" {
#define __END_DECLS }
#define __C_LINKAGE extern "C"
#else
#define __BEGIN_DECLS
#define __END_DECLS
#define __C_LINKAGE
#endif

/* The machine's own headers say `extern inline`, which means what they want in gnu89 alone. `static inline` means the
 * same in all languages, also without optimisation. A program may have defined it otherwise. */
#ifndef __INLINE__
#define __INLINE__ static inline
#endif

#endif
