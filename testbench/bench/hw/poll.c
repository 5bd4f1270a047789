// SPDX-License-Identifier: Apache-2.0
//
// Polls a device's status through a function, as a driver does, for ever.
#include <stdint.h>

__attribute__((noinline)) static uint32_t status(volatile const uint32_t* from) {
  return *from;
}

int main(void) {
  volatile const uint32_t* device = (volatile const uint32_t*)0xB1140000u;
  while (status(device) == 0) {
  }
  return 0;
}
