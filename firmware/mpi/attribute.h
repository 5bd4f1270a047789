/* SPDX-License-Identifier: Apache-2.0 */
/* Attributes: values that programs and libraries attach to communicators and datatypes. For the library's own files. */
#ifndef TOROID_FIRMWARE_MPI_ATTRIBUTE_H
#define TOROID_FIRMWARE_MPI_ATTRIBUTE_H

/* Those of an object, the latest first. */
struct bglmpi_attribute;

/* Call the delete functions, as their keys have them, of all of an object's attributes, and free them. Returns the
 * first function's error. */
int bglmpi_attributes_delete(int handle, struct bglmpi_attribute** list);

/* What a duplicate of an object gets: call the copy functions. */
int bglmpi_attributes_copy(int handle, const struct bglmpi_attribute* from, struct bglmpi_attribute** to);

#endif
