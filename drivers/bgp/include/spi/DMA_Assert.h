/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of the SPI. ASSERT_ABORT leaves them out, ASSERT_PROD those that cost much. */
#ifndef __DMA_ASSERT_H_
#define __DMA_ASSERT_H_

#include <assert.h>
#include <stdio.h>

#define SPI_abort() assert(0)
#if defined(ASSERT_ABORT)
#define SPI_assert(x)
#define SPI_assert_debug(x)
#elif defined(ASSERT_PROD)
#define SPI_assert(x) assert(x)
#define SPI_assert_debug(x)
#else
#define SPI_assert(x) assert(x)
#define SPI_assert_debug(x) assert(x)
#endif

#endif
