/* SPDX-License-Identifier: Apache-2.0 */
/* The machine has a unit that counts events, the universal performance counter; this one has none. The header exists
 * because programs include it. */
#ifndef _UPC_H_
#define _UPC_H_

#include <common/namespace.h>
#include <spi/UPC_Events.h>
#include <stdint.h>

#endif
