# SPDX-License-Identifier: MIT
# How libdmm and the command find OpenCL's functions (host/core/opencl.h): DMM_OPENCL is `load`, at run time, or `link`.
# The target dmm_opencl, exported as dmm::opencl, has what users of dmm's headers need: OpenCL's headers and, for
# programs that call OpenCL themselves, its library. Programs that do not call it are not linked with it.
set(DMM_OPENCL load CACHE STRING "How libdmm finds OpenCL: load (at run time) or link")
if(NOT DMM_OPENCL MATCHES "^(load|link)$")
  message(FATAL_ERROR "DMM_OPENCL=${DMM_OPENCL}: must be load or link")
endif()
find_package(OpenCL REQUIRED)

add_library(dmm_opencl INTERFACE)
set_target_properties(dmm_opencl PROPERTIES EXPORT_NAME opencl)
add_library(dmm::opencl ALIAS dmm_opencl)
get_target_property(opencl_file OpenCL::OpenCL IMPORTED_LOCATION)
get_target_property(opencl_headers OpenCL::OpenCL INTERFACE_INCLUDE_DIRECTORIES)
if(DMM_OPENCL STREQUAL "load" AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND opencl_file AND opencl_headers)
  target_include_directories(dmm_opencl INTERFACE $<BUILD_INTERFACE:${opencl_headers}>
    $<INSTALL_INTERFACE:$<TARGET_PROPERTY:OpenCL::OpenCL,INTERFACE_INCLUDE_DIRECTORIES>>)
  # One word, so that CMake does not part it. In the build a file: other folders may not see the target.
  target_link_libraries(dmm_opencl INTERFACE
    $<BUILD_INTERFACE:-Wl,--push-state,--as-needed,${opencl_file},--pop-state>
    $<INSTALL_INTERFACE:-Wl,--push-state,--as-needed,$<TARGET_LINKER_FILE:OpenCL::OpenCL>,--pop-state>)
else()
  target_link_libraries(dmm_opencl INTERFACE OpenCL::OpenCL)
endif()

# What dmm.pc says.
set(dl_libs "")
if(DMM_OPENCL STREQUAL "load" AND CMAKE_DL_LIBS)
  set(dl_libs -l${CMAKE_DL_LIBS})
endif()
if(APPLE)
  set(opencl_libs "-framework OpenCL")
  set(opencl_package "")
elseif(CMAKE_SYSTEM_NAME STREQUAL "Linux")
  set(opencl_libs -Wl,--push-state,--as-needed,-lOpenCL,--pop-state)
  set(opencl_package OpenCL)
else()
  set(opencl_libs -lOpenCL)
  set(opencl_package OpenCL)
endif()

# Compiles and links a library that includes core/opencl.h.
function(dmm_use_opencl target)
  if(DMM_OPENCL STREQUAL "link")
    target_link_libraries(${target} PUBLIC dmm_opencl)
    return()
  endif()
  target_compile_definitions(${target} PRIVATE DMM_OPENCL_LOAD)
  target_include_directories(${target} PRIVATE $<TARGET_PROPERTY:OpenCL::OpenCL,INTERFACE_INCLUDE_DIRECTORIES>)
  target_link_libraries(${target} PRIVATE ${CMAKE_DL_LIBS} INTERFACE dmm_opencl)
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "SHARED_LIBRARY" AND NOT APPLE AND NOT WIN32 AND NOT CMAKE_C_FLAGS MATCHES "-fsanitize")
    target_link_options(${target} PRIVATE LINKER:-z,defs) # names a call of OpenCL that core/opencl.h lacks
  endif()
endfunction()
