/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operations that the L2 performs on a doubleword: loads and stores at an alias of its address. Memory is made ready
 * for them by Kernel_L2AtomicsAllocate().
 */
#ifndef _L2_ATOMIC_H_
#define _L2_ATOMIC_H_

#include <hwi/include/common/compiler_support.h>
#include <spi/include/kernel/location.h>
#include <spi/include/kernel/memory.h>
#include <stdint.h>
#include <sys/types.h>

__BEGIN_DECLS

#define L2_ATOMIC_OPCODE_LOAD 0
#define L2_ATOMIC_OPCODE_LOAD_CLEAR 1
#define L2_ATOMIC_OPCODE_LOAD_INCREMENT 2
#define L2_ATOMIC_OPCODE_LOAD_DECREMENT 3
#define L2_ATOMIC_OPCODE_LOAD_INCREMENT_BOUNDED 4
#define L2_ATOMIC_OPCODE_LOAD_DECREMENT_BOUNDED 5
#define L2_ATOMIC_OPCODE_LOAD_INCREMENT_IF_EQUAL 6

#define L2_ATOMIC_OPCODE_STORE 0
#define L2_ATOMIC_OPCODE_STORE_TWIN 1
#define L2_ATOMIC_OPCODE_STORE_ADD 2
#define L2_ATOMIC_OPCODE_STORE_ADD_COHERENCE_ON_ZERO 3
#define L2_ATOMIC_OPCODE_STORE_OR 4
#define L2_ATOMIC_OPCODE_STORE_XOR 5
#define L2_ATOMIC_OPCODE_STORE_MAX 6
#define L2_ATOMIC_OPCODE_STORE_MAX_SIGN_VALUE 7

/* The alias. It has room for a number of a hardware thread of the core, so that their accesses differ. */
__INLINE__ volatile uint64_t* __l2_op_tid_ptr(volatile uint64_t* ptr, const uint64_t op, const uint32_t tid) {
  const uint64_t line = (uint64_t)ptr << 5 & ~0xFFull;
  return (volatile uint64_t*)(Kernel_L2AtomicsBaseAddress() + line + ((uint64_t)tid << 6) + (op << 3));
}
__INLINE__ volatile uint64_t* __l2_op_ptr(volatile uint64_t* ptr, const uint64_t op) {
  return __l2_op_tid_ptr(ptr, op, Kernel_ProcessorThreadID());
}
__INLINE__ uint64_t __l2_load_op(volatile uint64_t* ptr, const uint64_t op) {
  return *__l2_op_ptr(ptr, op);
}
__INLINE__ void __l2_store_op(volatile uint64_t* ptr, uint64_t value, const uint64_t op) {
  *__l2_op_ptr(ptr, op) = value;
}
__INLINE__ volatile uint64_t* L2_AtomicOpTidPointer(volatile uint64_t* ptr, const uint64_t op, const uint32_t tid) {
  return __l2_op_tid_ptr(ptr, op & 7, tid & 3);
}

/* Loads give what was there before. The bounded ones look at a neighbour of the same 32 bytes, the word behind for
 * increments, the word before for decrements: if the counter has reached it, they give 0x8000000000000000 and change
 * nothing. IfEqual increments only if the word behind is equal. */
__INLINE__ uint64_t L2_AtomicLoad(volatile uint64_t* ptr) {
  return __l2_load_op(ptr, L2_ATOMIC_OPCODE_LOAD);
}
__INLINE__ uint64_t L2_AtomicLoadClear(volatile uint64_t* ptr) {
  return __l2_load_op(ptr, L2_ATOMIC_OPCODE_LOAD_CLEAR);
}
__INLINE__ uint64_t L2_AtomicLoadIncrement(volatile uint64_t* ptr) {
  return __l2_load_op(ptr, L2_ATOMIC_OPCODE_LOAD_INCREMENT);
}
__INLINE__ uint64_t L2_AtomicLoadDecrement(volatile uint64_t* ptr) {
  return __l2_load_op(ptr, L2_ATOMIC_OPCODE_LOAD_DECREMENT);
}
__INLINE__ uint64_t L2_AtomicLoadIncrementBounded(volatile uint64_t* ptr) {
  return __l2_load_op(ptr, L2_ATOMIC_OPCODE_LOAD_INCREMENT_BOUNDED);
}
__INLINE__ uint64_t L2_AtomicLoadDecrementBounded(volatile uint64_t* ptr) {
  return __l2_load_op(ptr, L2_ATOMIC_OPCODE_LOAD_DECREMENT_BOUNDED);
}
__INLINE__ uint64_t L2_AtomicLoadIncrementIfEqual(volatile uint64_t* ptr) {
  return __l2_load_op(ptr, L2_ATOMIC_OPCODE_LOAD_INCREMENT_IF_EQUAL);
}

/* Twin writes the word behind as well. Max compares as unsigned, MaxSignValue as signed numbers. */
__INLINE__ void L2_AtomicStore(volatile uint64_t* ptr, uint64_t value) {
  __l2_store_op(ptr, value, L2_ATOMIC_OPCODE_STORE);
}
__INLINE__ void L2_AtomicStoreTwin(volatile uint64_t* ptr, uint64_t value) {
  __l2_store_op(ptr, value, L2_ATOMIC_OPCODE_STORE_TWIN);
}
__INLINE__ void L2_AtomicStoreAdd(volatile uint64_t* ptr, uint64_t value) {
  __l2_store_op(ptr, value, L2_ATOMIC_OPCODE_STORE_ADD);
}
__INLINE__ void L2_AtomicStoreAddCoherenceOnZero(volatile uint64_t* ptr, uint64_t value) {
  __l2_store_op(ptr, value, L2_ATOMIC_OPCODE_STORE_ADD_COHERENCE_ON_ZERO);
}
__INLINE__ void L2_AtomicStoreOr(volatile uint64_t* ptr, uint64_t value) {
  __l2_store_op(ptr, value, L2_ATOMIC_OPCODE_STORE_OR);
}
__INLINE__ void L2_AtomicStoreXor(volatile uint64_t* ptr, uint64_t value) {
  __l2_store_op(ptr, value, L2_ATOMIC_OPCODE_STORE_XOR);
}
__INLINE__ void L2_AtomicStoreMax(volatile uint64_t* ptr, uint64_t value) {
  __l2_store_op(ptr, value, L2_ATOMIC_OPCODE_STORE_MAX);
}
__INLINE__ void L2_AtomicStoreMaxSignValue(volatile uint64_t* ptr, uint64_t value) {
  __l2_store_op(ptr, value, L2_ATOMIC_OPCODE_STORE_MAX_SIGN_VALUE);
}

__END_DECLS

#endif
