/* SPDX-License-Identifier: Apache-2.0 */
/* The lockbox: spi/lockbox_interface.h. */
#ifndef _BGP_LOCKBOX_INLINES_H_
#define _BGP_LOCKBOX_INLINES_H_

#include <spi/lockbox_interface.h>

#endif
