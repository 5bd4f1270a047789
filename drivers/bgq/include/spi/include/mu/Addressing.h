/* SPDX-License-Identifier: Apache-2.0 */
/* The base addresses of a subgroup. */
#ifndef _MUSPI_ADDRESSING_H_
#define _MUSPI_ADDRESSING_H_

#include <hwi/include/bqc/MU_Addressing.h>
#include <hwi/include/bqc/MU_Macros.h>
#include <spi/include/mu/Util.h>

__BEGIN_DECLS

typedef struct MUSPI_BaseAddressTableSubGroup {
  uint8_t subgrpid;
  uint8_t permissions; /* bit 0x80 >> id of each slot of this process */
  MUHWI_BaseAddressTable_t hw_bat;
  MUHWI_BaseAddress_t sw_bat[BGQ_MU_NUM_DATA_COUNTERS_PER_SUBGROUP];
} MUSPI_BaseAddressTableSubGroup_t;

__END_DECLS

#endif
