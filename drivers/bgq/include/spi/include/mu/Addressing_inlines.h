/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Base addresses, and offsets from them. An address of a put is (base + offset) modulo 2^37; bit 36 of the sum marks an
 * operation on memory, whose code is then its lower three bits. Both may come from base or offset.
 */
#ifndef _MUSPI_ADDRESSING_INLINES_H_
#define _MUSPI_ADDRESSING_INLINES_H_

#include <spi/include/mu/Addressing.h>

__BEGIN_DECLS

#define bgq_check_slot(bat, entryid)                                 \
  do {                                                               \
    MUSPI_assert((bat) != NULL);                                     \
    MUSPI_assert((entryid) < BGQ_MU_NUM_DATA_COUNTERS_PER_SUBGROUP); \
    MUSPI_assert(((bat)->permissions & 0x80 >> (entryid)) != 0);     \
  } while (0)

/* Slot entryid, 0 to 7, of the subgroup. Setting gives 0. */
__INLINE__ int32_t MUSPI_SetBaseAddress(MUSPI_BaseAddressTableSubGroup_t* bat, uint8_t entryid,
                                        MUHWI_BaseAddress_t baseAddress) {
  const uint64_t address = baseAddress;
  bgq_check_slot(bat, entryid);
  bat->hw_bat[entryid] = address;
  bat->sw_bat[entryid] = address;
  return 0;
}
__INLINE__ uint64_t MUSPI_GetBaseAddress(MUSPI_BaseAddressTableSubGroup_t* bat, uint8_t entryid) {
  bgq_check_slot(bat, entryid);
  return bat->sw_bat[entryid];
}

/* The offset that leads to a physical address. */
__INLINE__ uint64_t MUSPI_GetOffsetFromBaseAddress(MUSPI_BaseAddressTableSubGroup_t* bat, uint8_t entryid,
                                                   uint64_t pa) {
  return pa - MUSPI_GetBaseAddress(bat, entryid);
}
/* The offset that leads to operation op, 0 to 7, on the doubleword at a physical address. A base that has the mark or
 * an operation already keeps it. */
__INLINE__ uint64_t MUSPI_GetAtomicOffsetFromBaseAddress(MUSPI_BaseAddressTableSubGroup_t* bat, uint8_t entryid,
                                                         uint64_t pa, uint64_t op) {
  const uint64_t base = MUSPI_GetBaseAddress(bat, entryid);
  const uint64_t mark = ~base & MUHWI_ATOMIC_ADDRESS_INDICATOR;
  MUSPI_assert((pa & 7) == 0);
  MUSPI_assert(op <= 7);
  return mark | (pa - (base & (MUHWI_ATOMIC_ADDRESS_INDICATOR - 8))) | ((base & 7) != 0 ? 0 : op);
}
/* Operation op on the doubleword at pa, as an address. */
__INLINE__ uint64_t MUSPI_GetAtomicAddress(uint64_t pa, uint64_t op) {
  MUSPI_assert((pa & 7) == 0);
  MUSPI_assert(op <= 7);
  return MUHWI_ATOMIC_ADDRESS_INDICATOR | pa | op;
}

__END_DECLS

#endif
