// SPDX-License-Identifier: Apache-2.0
#include "firmware/mpi/win.h"

void bglmpi_interrupts_begin(void) {}
void bglmpi_interrupts_end(void) {}
