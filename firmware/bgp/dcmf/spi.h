// SPDX-License-Identifier: Apache-2.0
/// What DCMF stands on: the DMA SPI, the kernel's services and the personality. The host's tests have headers of these
/// names of their own (testbench/tests/firmware/spi_double), so that all files of DCMF are compiled for both.
#ifndef TOROID_FIRMWARE_DCMF_SPI_H
#define TOROID_FIRMWARE_DCMF_SPI_H

#ifdef __cplusplus
extern "C" {
#endif

#include <common/bgp_personality.h>
#include <common/bgp_personality_inlines.h>
#include <spi/bgp_SPI.h>
#include <spi/bgp_collective_spi.h>

#ifdef __cplusplus
}
#endif

#endif
