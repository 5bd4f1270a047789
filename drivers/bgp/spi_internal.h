/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the SPI's library share: the structures that the kernel fills in have the layout that it knows. */
#ifndef TOROID_DRIVERS_BGP_SPI_INTERNAL_H_
#define TOROID_DRIVERS_BGP_SPI_INTERNAL_H_

/* The functions themselves rather than the choice among them. */
#define BGP_SPI_LEVEL 1

#include <spi/DMA.h>
#include <stddef.h>

#endif
