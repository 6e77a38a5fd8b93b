# SPDX-License-Identifier: MIT
# Writes a file of collectives that kernels include without libdmm: cmake/group_instance.clh, and the text of a kind. All
# its names become the user's by macros, and behind it all macros are undefined, so that it may be included again.

set(group_kinds items sort count radix lanes) # numbered as dmm_group_kind

# Writes FOLDER/<kind>.clh from the text of cl/group/group_<kind>.clh with its includes.
function(write_group_file folder kind text)
  list(FIND group_kinds ${kind} number)
  file(READ ${ROOT}/cmake/group_instance.clh instance)
  string(APPEND instance "#line 1 \"cl/group/group_${kind}.clh\"\n${text}")
  string(REGEX MATCHALL "dmm_[a-z0-9_]+" names "${instance}")
  string(REGEX MATCHALL "DMM_EXCHANGED\\(dmm_[a-z0-9_]+," exchanged "${instance}")
  list(TRANSFORM exchanged REPLACE "DMM_EXCHANGED\\((.*)," "\\1_bytes")
  list(APPEND names ${exchanged})
  string(REGEX MATCHALL "DMM_GROUP_[A-Z_]+" given "${instance}")
  string(REGEX MATCHALL "#define DMM_[A-Z0-9_]+" defined "${instance}")
  list(TRANSFORM defined REPLACE "#define " "")
  set(macros ${names} ${given} ${defined})
  foreach(list names macros)
    list(REMOVE_DUPLICATES ${list})
    list(SORT ${list})
  endforeach()

  set(out "/* SPDX-License-Identifier: MIT */
/* Work-group collectives of dmm, kind ${kind}. Made by cmake/group_file.cmake. */
#define DMM_GROUP_KIND ${number}
#define DMM_GROUP_JOINED(a, b) a##b
#define DMM_GROUP_JOIN(a, b) DMM_GROUP_JOINED(a, b)
#define DMM_GROUP_OWN(word) DMM_GROUP_JOIN(DMM_GROUP_NAME, word)
")
  foreach(name IN LISTS names)
    string(SUBSTRING ${name} 3 -1 word)
    string(APPEND out "#define ${name} DMM_GROUP_OWN(${word})\n")
  endforeach()
  # A name that is a macro in some instances is none of the others'.
  string(REGEX REPLACE "\n#define (dmm_[a-z0-9_]+)" "\n#undef \\1\n#define \\1" instance "${instance}")
  string(APPEND out "#line 1 \"cmake/group_instance.clh\"\n${instance}#line 1 \"${kind}.clh\"\n")
  set(constants U E TILE)
  if(NOT kind STREQUAL lanes)
    list(APPEND constants ROOM_WORDS)
  endif()
  if(kind STREQUAL count)
    list(APPEND constants BINS_OWN)
  endif()
  foreach(constant IN LISTS constants)
    string(APPEND out "enum { DMM_GROUP_OWN(_${constant}) = DMM_${constant} };\n")
  endforeach()
  foreach(macro IN LISTS macros ITEMS DMM_GROUP_JOINED DMM_GROUP_JOIN DMM_GROUP_OWN DMM_GROUP_KIND)
    string(APPEND out "#undef ${macro}\n")
  endforeach()
  file(WRITE ${folder}/${kind}.clh "${out}")
endfunction()
