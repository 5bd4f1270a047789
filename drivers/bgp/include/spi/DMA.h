/* SPDX-License-Identifier: Apache-2.0 */
/* The DMA SPI. */
#ifndef _DMA_H_
#define _DMA_H_

#include <common/namespace.h>
#include <spi/DMA_Assert.h>
#include <spi/DMA_Counter.h>
#include <spi/DMA_Descriptors.h>
#include <spi/DMA_Fifo.h>
#include <spi/DMA_InjFifo.h>
#include <spi/DMA_Packet.h>
#include <spi/DMA_RecFifo.h>

#endif
