/* SPDX-License-Identifier: Apache-2.0 */
/* What the files of the performance counters share. */
#ifndef TOROID_DRIVERS_BGP_UPC_H_
#define TOROID_DRIVERS_BGP_UPC_H_

#include <spi/UPC.h>

#include "nic/bgp/kernel_services.h"

/* The answer to an operation of the kernel's call, BGP_UPC_OP_. */
int64_t bgp_upc_do(uint32_t operation, uint32_t event, int64_t argument);
/* The unit's state, of BGP_UPC_STATE_WORDS. */
void bgp_upc_state(int64_t* state);
/* The event's name; NULL for one that there is not. */
const char* bgp_upc_name(uint32_t event);

#endif
