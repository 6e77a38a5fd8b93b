# SPDX-License-Identifier: MIT
# cmake -D MODULE=FILE -D PAGE=FILE -D DRAWING=FOLDER -D OUT=FILE -P moving.cmake: puts into the page the module, as
# hexadecimal digits, and the drawing that it shares with the pages of the meter.
file(READ ${MODULE} MODULE HEX)
file(READ ${DRAWING}/banks.css BANKS_CSS)
file(READ ${DRAWING}/banks.js BANKS_JS)
configure_file(${PAGE} ${OUT} @ONLY)
