/* SPDX-License-Identifier: MIT */
/*
 * A folder of a test's own, in the current one, and small files in it.
 */
#ifndef DMM_TESTS_FOLDER_H
#define DMM_TESTS_FOLDER_H

#include <stddef.h>

/* Set-up and tear-down of a group of tests: makes the folder the current one; removes it. */
int enter_folder(void **state);
int leave_folder(void **state);

/* Removes the files of the current folder, and returns how many there were. */
int empty_folder(void);

void put(const char *path, const void *bytes, size_t count);
void put_text(const char *path, const char *text);

/* Requires that the file has this content, and no more. */
void require_content(const char *path, const void *bytes, size_t count);
void require_text(const char *path, const char *text);

#endif
