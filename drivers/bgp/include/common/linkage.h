/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes of functions and structures. The machine's header also names the sections of its kernel; programs have no
 * use for them. */
#ifndef _LINKAGE_H_
#define _LINKAGE_H_

#include <common/namespace.h>

#if !defined(__ASSEMBLY__)
#ifndef __noreturn
#define __noreturn __attribute__((noreturn))
#endif
#define NORETURN __noreturn
#define PACKED __attribute__((packed))
#define __long_call __attribute__((longcall))
#define __short_call __attribute__((shortcall))
#define LONG_CALL __long_call
#define SHORT_CALL __short_call
#endif

#endif
