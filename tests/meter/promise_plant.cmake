# SPDX-License-Identifier: MIT
# Copies the OpenCL sources of ROOT to OUTPUT/cl with an error in them: rho rotates partition 1 by
# one word too many, or the store between rounds goes in register order into reversed slots, or items
# of a matrix that turns wait in rows that are not skewed. All still sort.
# cmake -D ROOT=source-folder -D OUTPUT=folder -D PLANT=rho|store|skew -P promise_plant.cmake
if(PLANT STREQUAL "rho")
  set(name map.clh)
  set(right "return d == 1[^;]*;")
  set(wrong "return l * part + (x % part + l % d + (l == 1)) % part;")
elseif(PLANT STREQUAL "skew")
  set(name map.clh)
  set(right "return \\(r \\+ dmm_turn_column\\(p, log_g, m\\)\\)")
  set(wrong "return (r)")
else()
  set(name sort/sort.cl)
  set(right "dmm_tile_put\\(tile, slot \\* DMM_E \\+ j,[^;]*;")
  set(wrong "dmm_tile_put(tile, slot * DMM_E + (reversed ? DMM_E - 1 - j : j), r[j]);")
endif()

file(REMOVE_RECURSE ${OUTPUT}/cl)
file(COPY ${ROOT}/cl DESTINATION ${OUTPUT})
file(READ ${ROOT}/cl/${name} text)
string(REGEX REPLACE "${right}" "${wrong}" planted "${text}")
if(planted STREQUAL text)
  message(FATAL_ERROR "cl/${name} has no line '${right}' to plant an error in")
endif()
file(WRITE ${OUTPUT}/cl/${name} "${planted}")
