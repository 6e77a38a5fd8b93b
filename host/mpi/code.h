/* SPDX-License-Identifier: MIT */
/* The order of <dmm/types.h> as unsigned numbers. */
#ifndef DMM_MPI_CODE_H
#define DMM_MPI_CODE_H

#include <dmm/types.h>

typedef struct dmm_key_code {
    uint32_t bytes; /* bytes of a key */
    uint64_t all;   /* all bits of a key */
    uint64_t sign;  /* bit to flip or, of floats, to look at; 0: unsigned */
    uint64_t nans;  /* NaNs of one sign; 0: no float */
    int is_float, descending, zero_equal;
} dmm_key_code;

/* `order` has one of the types of numbers and no `less`. */
dmm_key_code dmm_key_code_of(const dmm_order *order);

/* Returns a number of as many bits as a key that is smaller for keys that come before others, and
 * equal for ties. `at`: the index of the key. */
uint64_t dmm_key_code_at(const dmm_key_code *code, const void *keys, uint64_t at);

#endif
