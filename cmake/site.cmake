# SPDX-License-Identifier: MIT
# The target `moving` makes build/NAME/site/moving.html, which shows the accesses of two merge sorts step by step. The
# sorts are C: host/model and docs/site/moving.c, compiled to WebAssembly (Debian: clang, lld, wasi-libc). Tests read
# moving_page, the file, or nothing where it cannot be made.
find_program(CLANG NAMES clang clang-14 clang-15 clang-16 clang-17 clang-18)
find_program(WASM_LD NAMES wasm-ld wasm-ld-14 wasm-ld-15 wasm-ld-16 wasm-ld-17 wasm-ld-18)
find_path(WASI_LIBC libc.a PATHS /usr/lib/wasm32-wasi NO_DEFAULT_PATH)
set(moving_page "")
if(CLANG AND WASM_LD AND WASI_LIBC)
  set(module ${PROJECT_BINARY_DIR}/site/moving.wasm)
  set(moving_page ${PROJECT_BINARY_DIR}/site/moving.html)
  set(drawing ${PROJECT_SOURCE_DIR}/host/cli/meter/page)
  set(sources docs/site/moving.c)
  foreach(word IN ITEMS early machine plain tally worst)
    list(APPEND sources host/model/${word}.c)
  endforeach()
  list(TRANSFORM sources PREPEND ${PROJECT_SOURCE_DIR}/)
  set(exports run key steps label passes word total words)
  list(TRANSFORM exports PREPEND -Wl,--export=moving_)
  file(MAKE_DIRECTORY ${PROJECT_BINARY_DIR}/site)
  add_custom_command(OUTPUT ${moving_page} BYPRODUCTS ${module}
    COMMAND ${CLANG} --target=wasm32-wasi -mexec-model=reactor -std=c11 -O2 -DNDEBUG -Wall -Wextra
      -I${PROJECT_SOURCE_DIR} -I${PROJECT_SOURCE_DIR}/host -I${PROJECT_SOURCE_DIR}/include ${sources} -nodefaultlibs -lc
      -Wl,--strip-all -Wl,--wrap=dmm_model_local_step -Wl,--wrap=dmm_model_tally_add ${exports} -o ${module}
    COMMAND ${CMAKE_COMMAND} -D MODULE=${module} -D PAGE=${PROJECT_SOURCE_DIR}/docs/site/moving.html
      -D DRAWING=${drawing} -D OUT=${moving_page} -P ${PROJECT_SOURCE_DIR}/docs/site/moving.cmake
    DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/docs/site/moving.html ${PROJECT_SOURCE_DIR}/docs/site/moving.cmake
      ${drawing}/banks.css ${drawing}/banks.js ${PROJECT_SOURCE_DIR}/cl/map.clh ${PROJECT_SOURCE_DIR}/cl/sort/blocks.clh
    COMMENT "Making the page ${moving_page}"
    VERBATIM)
  add_custom_target(moving DEPENDS ${moving_page})
else()
  add_custom_target(moving
    COMMAND ${CMAKE_COMMAND} -E echo "The page needs clang, wasm-ld and a libc for wasm32-wasi: .ci/setup thorough"
    COMMAND ${CMAKE_COMMAND} -E false
    VERBATIM)
endif()

# The target `site` makes a site of the pages and headers in build/NAME/site/html, and fails if a link leads nowhere.
# MkDocs, because the pages stay Markdown that is also read as it is; with the theme Material for its search.
find_package(Python3 COMPONENTS Interpreter QUIET)
find_program(MKDOCS mkdocs)
if(Python3_FOUND AND MKDOCS)
  set(folder ${PROJECT_BINARY_DIR}/site)
  add_custom_target(site
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/docs/site/make.py ${PROJECT_SOURCE_DIR} ${folder}
    COMMAND ${CMAKE_COMMAND} -E env NO_MKDOCS_2_WARNING=1 ${MKDOCS} build --strict
      --config-file ${folder}/mkdocs.yml --site-dir ${folder}/html
    DEPENDS ${moving_page}
    COMMENT "Making the site in ${folder}/html"
    VERBATIM)
else()
  add_custom_target(site
    COMMAND ${CMAKE_COMMAND} -E echo "The site needs Python and MkDocs: pip install -r docs/site/requirements.txt"
    COMMAND ${CMAKE_COMMAND} -E false
    VERBATIM)
endif()
