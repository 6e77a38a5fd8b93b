# SPDX-License-Identifier: MIT
# cmake -D MODULE=FILE -D PAGE=FILE -D OUT=FILE -P moving.cmake: puts the module into the page, as hexadecimal digits.
file(READ ${MODULE} MODULE HEX)
configure_file(${PAGE} ${OUT} @ONLY)
