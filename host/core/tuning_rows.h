/* SPDX-License-Identifier: MIT */
/*
 * Rows of tuning files (<dmm/tuning.h>) for one device: measured parameters by primitive and item
 * size. They are read when a context is created and do not change.
 */
#ifndef DMM_CORE_TUNING_ROWS_H
#define DMM_CORE_TUNING_ROWS_H

#include <stdatomic.h>
#include <stddef.h>

#include <dmm/tuning.h>

#include "core/log.h"
#include "core/tuning.h"

/* Stronger sections have larger numbers. */
typedef enum dmm_section {
    DMM_SECTION_OTHER = 0, /* for another device */
    DMM_SECTION_ANY = 1,
    DMM_SECTION_VENDOR = 2,
    DMM_SECTION_DEVICE = 3
} dmm_section;

typedef struct dmm_tuning_row {
    char word[20];
    uint32_t item_bytes; /* serves items of up to that many bytes */
    dmm_tuning tuning;   /* its form is the one the row is for */
    uint32_t digit;
    uint64_t from;
    int is_file; /* the user's; or built in, or installed */
    uint32_t line;
    dmm_section section;
    atomic_uint uses, misfits; /* descriptions that used the row, and that could not */
    atomic_int dropped;        /* no longer used */
} dmm_tuning_row;

typedef struct dmm_tuning_rows {
    dmm_tuning_row *rows;
    size_t count, capacity;
    dmm_form form; /* default form, if the file names one */
    char *path;    /* path of the file; NULL: none was read */
} dmm_tuning_rows;

/*
 * Reads the named file (NULL: the user's own, if there is one; "": none; see <dmm/tuning.h>), the
 * built-in rows, and the files of `folder` (NULL: where dmm was installed); facts of the named file
 * go to the device. A wrong line is logged and left out. DMM_OUT_OF_MEMORY.
 */
dmm_status dmm_tuning_rows_init(dmm_tuning_rows *rows, const char *named, const char *folder,
    dmm_device *device, const dmm_log *log);
void dmm_tuning_rows_destroy(dmm_tuning_rows *rows);

/* True if a row may have this name, which the table of primitives decides
 * (primitives/classes.c). */
int dmm_is_tuning_word(const char *text);

/* Reads the lines of a text, which it modifies. name: of the file; NULL: built-in rows. */
dmm_status dmm_tuning_rows_read(
    dmm_tuning_rows *rows, char *text, const char *name, dmm_device *device, const dmm_log *log);

/* As above, for a file that was installed: as strong as the built-in rows; its facts and its form
 * are left out. */
dmm_status dmm_tuning_rows_read_installed(
    dmm_tuning_rows *rows, char *text, const char *name, dmm_device *device, const dmm_log *log);

/* Returns the row with the highest precedence for a name, an item size and a form; NULL if there is
 * none. */
dmm_tuning_row *dmm_tuning_rows_find(
    const dmm_tuning_rows *rows, const char *word, uint32_t item_bytes, dmm_form form);

/* As dmm_parameters_choose, with the parameters of the best row; without them if they are invalid
 * here. */
dmm_status dmm_tuning_rows_choose(dmm_parameters *out, const dmm_tuning_rows *rows,
    const dmm_device *device, const dmm_tuning *tuning, const dmm_footprint *footprint,
    const dmm_log *log);

/* Disables the rows of `word`, or of "word.method", that have been used; returns 0 if there are
 * none. */
int dmm_tuning_rows_drop(dmm_tuning_rows *rows, const char *word, const dmm_log *log);

/* Built-in rows, as the text of a tuning file. */
extern const char dmm_tuning_built_in[];

#endif
