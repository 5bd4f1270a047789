/* SPDX-License-Identifier: Apache-2.0 */
/* The system programming interface: kernel, lockbox, DMA, global interrupts. */
#ifndef _BGP_SPI_H_
#define _BGP_SPI_H_

#include <bpcore/bgp_types.h>
#include <bpcore/ppc450_inlines.h>
#include <common/bgp_personality.h>
#include <common/linkage.h>
#include <common/namespace.h>
#include <spi/DMA.h>
#include <spi/GlobInt.h>
#include <spi/UPC.h>
#include <spi/kernel_interface.h>
#include <spi/lockbox_interface.h>

#endif
