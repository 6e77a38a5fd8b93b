# SPDX-License-Identifier: MIT
# dmm_add_library(PREFIX NAME EXPORT): makes lib<NAME> of the objects PREFIX_objects, as PREFIX_shared and PREFIX_static,
# which packages export as dmm::EXPORT_shared and dmm::EXPORT_static; dmm::EXPORT is the one that BUILD_SHARED_LIBS
# chooses. Symbols are exported by lib<NAME>.map.in and carry the soversion: a process can load two of them, and dpkg can
# tell which one a program needs.
function(dmm_add_library prefix name export)
  set_target_properties(${prefix}_objects PROPERTIES POSITION_INDEPENDENT_CODE ON)
  set(chosen static)
  if(BUILD_SHARED_LIBS)
    set(chosen shared)
  endif()
  foreach(kind shared static)
    string(TOUPPER ${kind} KIND)
    add_library(${prefix}_${kind} ${KIND} $<TARGET_OBJECTS:${prefix}_objects>)
    target_include_directories(${prefix}_${kind}
      PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
             $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    set_target_properties(${prefix}_${kind} PROPERTIES OUTPUT_NAME ${name} EXPORT_NAME ${export}_${kind}
      LINKER_LANGUAGE C VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
    if(DMM_ONE_LIBRARY AND NOT kind STREQUAL chosen)
      set_target_properties(${prefix}_${kind} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
    if(NOT DMM_INSTALL)
      set_target_properties(${prefix}_objects ${prefix}_${kind} PROPERTIES EXCLUDE_FROM_ALL ON)
    endif()
    add_library(dmm::${export}_${kind} ALIAS ${prefix}_${kind})
  endforeach()
  add_library(dmm::${export} ALIAS ${prefix}_${chosen})
  configure_file(lib${name}.map.in lib${name}.map @ONLY)
  set(map ${CMAKE_CURRENT_BINARY_DIR}/lib${name}.map)
  if(WIN32) # hidden names would be exported, too, and the list of names needs no mark in the headers
    string(REGEX REPLACE "^dmm-?" "" stem "${name}")
    set(list ${PROJECT_SOURCE_DIR}/tests/${stem}_symbols.txt)
    string(REPLACE "/_symbols" "/symbols" list "${list}")
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${list})
    file(STRINGS ${list} names)
    list(JOIN names "\n" names)
    file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${name}.def CONTENT "EXPORTS\n${names}\n")
    target_sources(${prefix}_shared PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${name}.def)
    # Beside the command, because Windows looks for DLLs in the program's folder.
    set_target_properties(${prefix}_shared PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
    if(MINGW) # its run-time libraries become parts of the DLL
      target_link_options(${prefix}_shared PRIVATE -static)
    endif()
  elseif(NOT APPLE)
    target_link_options(${prefix}_shared PRIVATE -Wl,--version-script=${map})
    set_target_properties(${prefix}_shared PROPERTIES LINK_DEPENDS ${map})
  endif()
endfunction()
