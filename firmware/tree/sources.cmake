# SPDX-License-Identifier: Apache-2.0
set(TOROID_TREE_SOURCES)
foreach(name alu broadcast reduction stream two_pass wide)
  list(APPEND TOROID_TREE_SOURCES ${CMAKE_CURRENT_LIST_DIR}/${name}.c)
endforeach()
