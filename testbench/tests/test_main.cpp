// SPDX-License-Identifier: Apache-2.0
// SystemC's library brings main(); the tests run inside its sc_main().
#include <gtest/gtest.h>

#include <systemc>

int sc_main(int argc, char* argv[]) {
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
