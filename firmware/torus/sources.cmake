# SPDX-License-Identifier: Apache-2.0
# What message layers of machines with a torus share.
set(TOROID_LINES_SOURCES ${CMAKE_CURRENT_LIST_DIR}/broadcast_plan.c)
