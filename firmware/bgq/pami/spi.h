/* SPDX-License-Identifier: Apache-2.0 */
/* All that PAMI stands on: SPI of the Messaging Unit, L2 atomics, and the kernel. */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_SPI_H
#define TOROID_FIRMWARE_BGQ_PAMI_SPI_H

#include <hwi/include/bqc/A2_inlines.h>
#include <hwi/include/bqc/MU_Descriptor.h>
#include <spi/include/kernel/MU.h>
#include <spi/include/kernel/gi.h>
#include <spi/include/kernel/location.h>
#include <spi/include/kernel/memory.h>
#include <spi/include/kernel/process.h>
#include <spi/include/l2/atomic.h>
#include <spi/include/mu/Addressing_inlines.h>
#include <spi/include/mu/Descriptor_inlines.h>
#include <spi/include/mu/GIBarrier.h>
#include <spi/include/mu/InjFifo.h>
#include <spi/include/mu/RecFifo.h>

#endif
