/* SPDX-License-Identifier: Apache-2.0 */
/* Cartesian and graph topologies of communicators. For the library's own files. */
#ifndef TOROID_FIRMWARE_MPI_TOPOLOGY_H
#define TOROID_FIRMWARE_MPI_TOPOLOGY_H

struct bglmpi_topology;

/* A copy for a duplicate; NULL of NULL. */
struct bglmpi_topology* bglmpi_topology_copy(const struct bglmpi_topology* topology);
void bglmpi_topology_free(struct bglmpi_topology* topology);

#endif
