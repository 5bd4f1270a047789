/* SPDX-License-Identifier: Apache-2.0 */
/* Addresses that a base address table has: physical ones of 37 bits; and operations on memory in place of an access. */
#ifndef _MUHWI_ADDRESSING_H_
#define _MUHWI_ADDRESSING_H_

#include <hwi/include/bqc/MU_Macros.h>
#include <hwi/include/common/compiler_support.h>

__BEGIN_DECLS

typedef volatile uint64_t MUHWI_BaseAddress_t;
typedef MUHWI_BaseAddress_t* MUHWI_BaseAddressTable_t;

/* Marks the address of a doubleword; the operation is its lower three bits. */
#define MUHWI_ATOMIC_ADDRESS_INDICATOR 0x0000001000000000ULL

/* Operations of loads. */
#define MUHWI_ATOMIC_OPCODE_LOAD 0x0ULL
#define MUHWI_ATOMIC_OPCODE_LOAD_CLEAR 0x1ULL
#define MUHWI_ATOMIC_OPCODE_LOAD_INCREMENT 0x2ULL
#define MUHWI_ATOMIC_OPCODE_LOAD_DECREMENT 0x3ULL
#define MUHWI_ATOMIC_OPCODE_LOAD_INCREMENT_BOUNDED 0x4ULL
#define MUHWI_ATOMIC_OPCODE_LOAD_DECREMENT_BOUNDED 0x5ULL
#define MUHWI_ATOMIC_OPCODE_LOAD_INCREMENT_IF_EQUAL 0x6ULL
/* Of stores. */
#define MUHWI_ATOMIC_OPCODE_STORE 0x0ULL
#define MUHWI_ATOMIC_OPCODE_STORE_TWIN 0x1ULL
#define MUHWI_ATOMIC_OPCODE_STORE_ADD 0x2ULL
#define MUHWI_ATOMIC_OPCODE_STORE_ADD_COHERENCE_ON_ZERO 0x3ULL
#define MUHWI_ATOMIC_OPCODE_STORE_OR 0x4ULL
#define MUHWI_ATOMIC_OPCODE_STORE_XOR 0x5ULL
#define MUHWI_ATOMIC_OPCODE_STORE_MAX_UNSIGNED 0x6ULL
#define MUHWI_ATOMIC_OPCODE_STORE_MAX_SIGNED 0x7ULL

__END_DECLS

#endif
