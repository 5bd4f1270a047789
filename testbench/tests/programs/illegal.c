// SPDX-License-Identifier: Apache-2.0
// Executes an instruction that does not exist: primary opcode 0 with a zero word.
__attribute__((noinline)) void execute_illegal(void) {
  __asm__ volatile(".long 0");
}

int main(void) {
  execute_illegal();
  return 0;
}
