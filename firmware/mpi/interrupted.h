// SPDX-License-Identifier: Apache-2.0
/// Work that the library must not do in an interrupt and defers. An interrupt comes while the program is outside MPI,
/// but it may be in the middle of malloc(), and its functions are not to be called. For the library's own files.
#ifndef TOROID_FIRMWARE_MPI_INTERRUPTED_H
#define TOROID_FIRMWARE_MPI_INTERRUPTED_H

#include <stdbool.h>
#include <stddef.h>

/// An interrupt is being served: memory comes from mpii_interrupted_allocate().
extern volatile bool mpii_interrupted;

/// Call a function when the program next calls MPI.
void mpii_later(void (*function)(void* object), void* object);
void mpii_do_later(void);

/// For transports that serve by a thread of their own, which waits for the library's lock: a thread has got the lock,
/// and is about to give it up while the transport serves.
void mpii_got_lock(void);
void mpii_lets_interrupt(void);

/// Memory that does not come from malloc(), aligned to 32 bytes; NULL if there is none. Not zeroed.
void* mpii_interrupted_allocate(size_t bytes);
/// Free such memory. Returns false for other memory.
bool mpii_interrupted_free(void* memory);

#endif
