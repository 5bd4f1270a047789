# SPDX-License-Identifier: Apache-2.0
# One source that includes all that Verilator has made of a module: PREFIX_all.cpp in DIRECTORY.
file(GLOB sources RELATIVE ${DIRECTORY} ${DIRECTORY}/${PREFIX}*.cpp)
list(SORT sources)
set(text "")
foreach(source IN LISTS sources)
  string(APPEND text "#include \"${source}\"\n")
endforeach()
file(WRITE ${DIRECTORY}/${PREFIX}_all.cpp "${text}")
