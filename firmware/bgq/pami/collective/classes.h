/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Classes of the node's collective unit and of its global interrupts that rectangles have: which are free, and their
 * routes. The node's first task keeps them; for the others the functions do nothing.
 *
 * A class is taken from the kernel when a rectangle gets it, and given back when no geometry needs it any longer, the
 * highest numbers first: programs that use the SPI beside PAMI begin with the lowest, and MUSPI_NUMCLASSROUTES is how
 * many of the lowest that are free PAMI leaves for them, of each kind.
 */
#ifndef TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_CLASSES_H
#define TOROID_FIRMWARE_BGQ_PAMI_COLLECTIVE_CLASSES_H

#include "firmware/bgq/pami/geometry/rectangle.h"

typedef enum { PAMI_CLASS_COLLECTIVE, PAMI_CLASS_INTERRUPT, PAMI_CLASS_KINDS } pami_class_kind_t;

enum { PAMI_NO_CLASS = 0xFF };

/* The world has class 0 of both kinds, which a geometry of all nodes shares. Once. */
void pami_classes_start(void);

/* Bits of the classes that this task can agree to for the rectangle. *same: those that have the rectangle already, and
 * can be shared if all members say so. */
uint32_t pami_classes_free(pami_class_kind_t kind, const pami_rectangle_t* rectangle, uint32_t* same);

/* A geometry more has the class; `shared`: beside others of the same rectangle. false: it has it not, because another
 * geometry has taken the class since it was free, or because of what the kernel says. */
bool pami_class_take(pami_class_kind_t kind, unsigned number, const pami_rectangle_t* rectangle, bool shared);
void pami_class_release(pami_class_kind_t kind, unsigned number);

#endif
