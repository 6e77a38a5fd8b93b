# SPDX-License-Identifier: MIT
# Writes OUTPUT, a C file with the texts of the OpenCL programs of PART (host/core/embedded.h): of dmm, those of ROOT/cl;
# of lab, those of ROOT/cl/lab. Each is a .cl file with its includes expanded, because a driver has no include folder.
# Each included file appears once, between #line directives: build logs then name files and lines of cl/. Programs are
# without comments, a third of the text, so that other words in a comment leave compiled programs valid; texts for
# programs of users keep them.
# cmake -D ROOT=source-folder -D PART=dmm -D OUTPUT=embedded.c [-D GROUP=folder] -P embed.cmake
# GROUP: gets the files of collectives that are installed (group_file.cmake).
cmake_minimum_required(VERSION 3.21)
if(PART STREQUAL lab)
  file(GLOB roots RELATIVE ${ROOT} ${ROOT}/cl/lab/*.cl)
  set(table_name dmm_lab_sources)
  set(header lab/lab.h)
else()
  file(GLOB_RECURSE roots RELATIVE ${ROOT} ${ROOT}/cl/*.cl)
  list(FILTER roots EXCLUDE REGEX "^cl/lab/")
  include(${CMAKE_CURRENT_LIST_DIR}/group_file.cmake)
  set(collectives ${group_kinds}) # for dmm_group_source()
  list(TRANSFORM collectives REPLACE "(.+)" "cl/group/group_\\1.clh")
  list(APPEND roots cl/shuffle.clh cl/layout.clh ${collectives}) # dmm_shuffle_source(), dmm_layout_source()
  list(APPEND roots cl/builtins.clh) # for builds with DMM_OWN_BUILTINS
  set(table_name dmm_embedded_sources)
  set(header core/embedded.h)
endif()
string(REPEAT "[0-9a-f][0-9a-f]" 20 one_line)

function(count pattern text out)
  string(REGEX MATCHALL "${pattern}" found "${text}")
  list(LENGTH found number)
  set(${out} ${number} PARENT_SCOPE)
endfunction()

# Returns the text of a file of cl/; for programs without its comments, each of which leaves its line ends, or a space.
function(read_text name out)
  file(READ ${ROOT}/${name} rest)
  set(text "")
  if("${comments}" STREQUAL "without")
    string(FIND "${rest}" "/*" begin)
    while(NOT begin EQUAL -1)
      string(FIND "${rest}" "*/" end)
      math(EXPR after "${end} + 2")
      math(EXPR length "${end} - ${begin}")
      string(SUBSTRING "${rest}" 0 ${begin} before)
      string(SUBSTRING "${rest}" ${begin} ${length} comment)
      string(SUBSTRING "${rest}" ${after} -1 rest)
      string(REGEX REPLACE "[^\n]+" "" line_ends "${comment}")
      if("${line_ends}" STREQUAL "")
        set(line_ends " ")
      endif()
      string(APPEND text "${before}${line_ends}")
      string(FIND "${rest}" "/*" begin)
    endwhile()
  endif()
  set(${out} "${text}${rest}" PARENT_SCOPE)
endfunction()

# Appends a file to the global property `program`. `conditional`: true if the #include is between #if and #endif. A file
# whose first #include is conditional may not be included again: the second #include could not be dropped.
function(append name conditional)
  set_property(GLOBAL APPEND PROPERTY seen ${name})
  if(conditional)
    set_property(GLOBAL APPEND PROPERTY seen_under_condition ${name})
  endif()
  read_text(${name} rest)
  string(REPLACE "\n#pragma once\n" "\n\n" rest "${rest}")
  set(line 1)
  set(depth 0)
  if("${rest}" MATCHES "\n#ifndef ([A-Z_]+_CLH)\n#define [A-Z_]+_CLH\n")
    set(depth -1) # the include guard of a file that C also includes
  endif()
  while("${rest}" MATCHES "(^|\n)#include \"([^\"]*)\"\n")
    set(directive "${CMAKE_MATCH_0}")
    set(included ${CMAKE_MATCH_2})
    string(FIND "${rest}" "${directive}" at)
    string(SUBSTRING "${rest}" 0 ${at} before)
    string(LENGTH "${directive}" length)
    math(EXPR after "${at} + ${length}")
    string(SUBSTRING "${rest}" ${after} -1 rest)
    set_property(GLOBAL APPEND_STRING PROPERTY program "${before}\n")
    count("\n" "${before}${directive}" lines)
    math(EXPR line "${line} + ${lines}")
    count("(^|\n)#if" "${before}" opened)
    count("(^|\n)#endif" "${before}" closed)
    math(EXPR depth "${depth} + ${opened} - ${closed}")
    set(within ${conditional})
    if(depth GREATER 0)
      set(within TRUE)
    endif()
    get_property(seen GLOBAL PROPERTY seen)
    get_property(seen_under_condition GLOBAL PROPERTY seen_under_condition)
    if(NOT included IN_LIST seen)
      set_property(GLOBAL APPEND_STRING PROPERTY program "#line 1 \"${included}\"\n")
      append(${included} ${within})
    elseif(included IN_LIST seen_under_condition)
      message(FATAL_ERROR "${name} includes ${included} again, but its first #include is conditional")
    endif()
    set_property(GLOBAL APPEND_STRING PROPERTY program "#line ${line} \"${name}\"\n")
  endwhile()
  set_property(GLOBAL APPEND_STRING PROPERTY program "${rest}")
endfunction()

set(arrays "")
set(table "")
foreach(root IN LISTS roots)
  foreach(property program seen seen_under_condition)
    set_property(GLOBAL PROPERTY ${property} "")
  endforeach()
  set(comments with)
  if(root MATCHES "\\.cl$|builtins")
    set(comments without)
  endif()
  append(${root} FALSE)
  get_property(program GLOBAL PROPERTY program)
  if(GROUP AND root MATCHES "cl/group/group_(.*)\\.clh")
    write_group_file(${GROUP} ${CMAKE_MATCH_1} "${program}")
  endif()
  string(HEX "${program}" bytes)
  string(REGEX REPLACE "(${one_line})" "\\1\n    " bytes "${bytes}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
  string(MAKE_C_IDENTIFIER ${root} array)
  string(APPEND arrays "static const unsigned char ${array}[] = {\n    ${bytes}0x00};\n\n")
  string(APPEND table
    "    {\"${root}\", (const char *)${array}, sizeof ${array} - 1},\n")
endforeach()

file(WRITE ${OUTPUT} "/* SPDX-License-Identifier: MIT */
/* Generated by cmake/embed.cmake from cl/. */
#include \"${header}\"

${arrays}const dmm_embedded ${table_name}[] = {
${table}    {NULL, NULL, 0},
};
")
