/* SPDX-License-Identifier: MIT */
/*
 * Plants an error in the kernels of a program that loads this library first: replaces lines of the
 * texts that the program passes to OpenCL. DMM_PLANT names a file of lines (promise_plant.py): one
 * that goes before each text, then lines of the texts, each followed by what replaces it.
 */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 256 };

static char *lines[MOST_LINES]; /* the file's, without line ends */
static size_t num_lines;

static void stop(const char *what)
{
    fprintf(stderr, "promise_plant: %s\n", what);
    exit(2);
}

static void read_lines(void)
{
    const char *const path = getenv("DMM_PLANT");
    FILE *const file = path != NULL ? fopen(path, "r") : NULL;
    size_t bytes = 0;
    if (file == NULL)
        stop("cannot read the file that DMM_PLANT names");
    while (num_lines < MOST_LINES && getline(&lines[num_lines], &bytes, file) >= 0) {
        lines[num_lines][strcspn(lines[num_lines], "\n")] = '\0';
        num_lines++;
        bytes = 0;
    }
    fclose(file);
    if (num_lines == MOST_LINES || num_lines % 2 == 0)
        stop("the file that DMM_PLANT names has a wrong number of lines");
}

/* Returns what stands for this line of a text. */
static const char *line_for(const char *line)
{
    size_t i = 1;
    while (i < num_lines && strcmp(lines[i], line) != 0)
        i += 2;
    return i < num_lines ? lines[i + 1] : line;
}

/* Writes the text, which it overwrites, with the error. */
static void write_planted(FILE *out, char *text)
{
    fprintf(out, "%s\n", lines[0]);
    while (text != NULL) {
        char *const end = strchr(text, '\n');
        if (end != NULL)
            *end = '\0';
        fprintf(out, "%s%s", line_for(text), end != NULL ? "\n" : "");
        text = end != NULL ? end + 1 : NULL;
    }
}

static char *joined(cl_uint count, const char **texts, const size_t *lengths)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *const out = open_memstream(&text, &bytes);
    for (cl_uint i = 0; out != NULL && i < count; i++)
        fwrite(
            texts[i], 1, lengths != NULL && lengths[i] != 0 ? lengths[i] : strlen(texts[i]), out);
    if (out == NULL || fclose(out) != 0)
        stop("out of memory");
    return text;
}

cl_program clCreateProgramWithSource(
    cl_context context, cl_uint count, const char **texts, const size_t *lengths, cl_int *status)
{
    cl_program (*create)(cl_context, cl_uint, const char **, const size_t *, cl_int *) = NULL;
    void *const next = dlsym(RTLD_NEXT, "clCreateProgramWithSource");
    char *const text = joined(count, texts, lengths), *wrong = NULL;
    size_t bytes = 0;
    FILE *const out = open_memstream(&wrong, &bytes);
    if (out == NULL || next == NULL)
        stop("out of memory, or no OpenCL");
    memcpy(&create, &next, sizeof create); /* POSIX; not a conversion of C */
    if (num_lines == 0)
        read_lines();
    write_planted(out, text);
    if (fclose(out) != 0)
        stop("out of memory");
    cl_program program = create(context, 1, (const char **)&wrong, NULL, status);
    free(text);
    free(wrong);
    return program;
}
