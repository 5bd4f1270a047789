/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the library may not do in an interrupt, and does later. An interrupt comes while the program is outside MPI, but
 * it may be in the middle of malloc(), and its functions are not to be called. For the library's own files.
 */
#ifndef TOROID_FIRMWARE_MPI_INTERRUPTED_H
#define TOROID_FIRMWARE_MPI_INTERRUPTED_H

#include <stdbool.h>
#include <stddef.h>

/* An interrupt is being served: memory comes from mpii_interrupted_allocate(). */
extern volatile bool mpii_interrupted;

/* Have a function called when the program calls MPI again. */
void mpii_later(void (*function)(void* object), void* object);
void mpii_do_later(void);

/* Memory that does not come from malloc(), aligned to 32 bytes; NULL where there is none. Not zeroed. */
void* mpii_interrupted_allocate(size_t bytes);
/* Whether it is such memory: then it is free now. */
bool mpii_interrupted_free(void* memory);

#endif
