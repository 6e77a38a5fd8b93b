# SPDX-License-Identifier: MIT
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
    COMMENT "Making the site in ${folder}/html"
    VERBATIM)
else()
  add_custom_target(site
    COMMAND ${CMAKE_COMMAND} -E echo "The site needs Python and MkDocs: pip install -r docs/site/requirements.txt"
    COMMAND ${CMAKE_COMMAND} -E false
    VERBATIM)
endif()
