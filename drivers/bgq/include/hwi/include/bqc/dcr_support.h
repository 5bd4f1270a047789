/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Device control registers: each is a doubleword, found by its number. Programs may read those of the Messaging Unit
 * and of the network, and write none (signal 38).
 *
 * A header of a unit, X_dcr.h, states the number of its first register (X_DCR_base) and the registers' distances from
 * it (X_DCR__name_offset); X_DCR(name) is then the number of a register.
 */
#ifndef _DCR_SUPPORT_H_
#define _DCR_SUPPORT_H_

#include <hwi/include/bqc/PhysicalMap.h>

#if !defined(__ASSEMBLY__)
#include <hwi/include/common/compiler_support.h>

#define _DCR_USER_BASE PHYMAP_MINADDR_DCR
#define _DCR_PRIV_BASE (_DCR_USER_BASE + PHYMAP_PRIVILEGEDOFFSET)

#define _DCR_PTR(type, base, offset) ((volatile type*)((base) + (8 * (offset))))
#define _DCR_USER_PTR(type, entity) _DCR_PTR(type, _DCR_USER_BASE, _DCR_BASE(entity))
#define _DCR_USER_PTR__NAME(type, entity, name) _DCR_PTR(type, _DCR_USER_BASE, _DCR_BASE__NAME(entity, name))
#define _DCR_USER_PTR__INDEX(type, entity, index) _DCR_PTR(type, _DCR_USER_BASE, _DCR_BASE__INDEX(entity, index))

__INLINE__ uint64_t DCRReadUser(uint64_t dcr) {
  return *_DCR_PTR(uint64_t, _DCR_USER_BASE, dcr);
}
__INLINE__ void DCRWriteUser(uint64_t dcr, uint64_t v) {
  *_DCR_PTR(uint64_t, _DCR_USER_BASE, dcr) = v;
}
/* By the privileged alias: for the kernel alone. */
__INLINE__ uint64_t DCRReadPriv(uint64_t dcr) {
  return *_DCR_PTR(uint64_t, _DCR_PRIV_BASE, dcr);
}
__INLINE__ void DCRWritePriv(uint64_t dcr, uint64_t v) {
  *_DCR_PTR(uint64_t, _DCR_PRIV_BASE, dcr) = v;
}
#endif

/* Distance of a unit's registers from the others, where they lie in a space of their own. */
#define MU_DCR_space 0
#define ND_500_DCR_space 0
#define ND_RESE_DCR_space 0
#define ND_X2_DCR_space 0
#define WU_DCR_space (-1)

#define _DCR_BASE(entity) ((entity##_space) + (entity##_base))
#define _DCR_BASE__NAME(entity, name) ((entity##_space) + (entity##__##name##_base))
#define _DCR_BASE__INDEX(entity, index) ((entity##_space) + (entity##_base) + ((index) * (entity##_stride)))
#define _DCR_REG_OFFSET(entity, reg) (entity##__##reg##_offset)
#define _DCR_REG(entity, reg) (_DCR_BASE(entity) + _DCR_REG_OFFSET(entity, reg))
#define _DCR_REG__NAME(entity, name, reg) (_DCR_BASE__NAME(entity, name) + _DCR_REG_OFFSET(entity, reg))
#define _DCR_REG__INDEX(entity, index, reg) (_DCR_BASE__INDEX(entity, index) + _DCR_REG_OFFSET(entity, reg))

#endif
