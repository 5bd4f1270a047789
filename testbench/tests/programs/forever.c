// SPDX-License-Identifier: Apache-2.0
// Counts for ever: never makes a system call and never touches a device.
int main(void) {
  for (volatile unsigned turn = 0;; ++turn) {
  }
}
