/* SPDX-License-Identifier: Apache-2.0 */
/* What every header of the SPI needs. */
#ifndef _KERNEL_CNK_KERNEL_IMPL_H_
#define _KERNEL_CNK_KERNEL_IMPL_H_

#include <errno.h>
#include <hwi/include/bqc/A2_inlines.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/types.h>

/* A program may have defined it otherwise. */
#ifndef MUSPI_assert
#include <assert.h>
#define MUSPI_assert(x) assert(x)
#endif

#endif
