/* SPDX-License-Identifier: MIT */
/*
 * dmm-mpi sort: each rank reads its share of the keys, and values that move with them, all sort
 * together, and each writes its share. Rank 0 creates the output beside its name, and moves it
 * there when all have written.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <dmm-mpi/sort.h>

#include "array.h"
#include "large/source.h"
#include "mpi_sort.h"
#include "option.h"
#include "session.h"

enum { MOST_A_WRITE = 1 << 24 };

typedef struct request {
    const char *input, *output, *values, *values_out;
    dmm_type type;
    bool descending, guarantee;
    uint64_t value_bytes;
} request;

typedef struct job {
    const request *o;
    int rank, ranks;
    cli_source keys, values;
    uint64_t total, begin, end; /* items: all; this rank's */
    cli_array my_keys, my_values;
    cli_session session;
    dmm_mpi *mpi;
    cli_pair output; /* rank 0 */
} job;

static bool parse(request *o, int argc, char **argv, cli_error *error)
{
    const cli_option options[] = {
        {'o', "output", CLI_TEXT, &o->output, "OUTPUT",
            "file for the sorted keys (.npy or .bin); may be the input itself"},
        CLI_TYPE_OPTION(&o->type, "keys"),
        {'r', "reverse", CLI_FLAG, &o->descending, NULL, "largest first"},
        CLI_VALUE_OPTIONS(&o->values, &o->value_bytes, &o->values_out,
            "values that move with the keys: .npy with items of any type,\n"
            "or .bin; equal keys keep the order of their values"),
        CLI_GUARANTEE_OPTION(&o->guarantee),
    };
    const cli_syntax syntax = {.synopsis = "[OPTION...] INPUT -o OUTPUT",
        .about = "Sorts the numbers of a file (.npy or .bin) over all ranks, each on its device.",
        .options = options,
        .num_options = sizeof options / sizeof options[0]};
    return cli_parse_one(&syntax, argc, argv, &o->input, error);
}

/* True if the file's name is that of items of one size. */
static bool check_format(const char *path, cli_error *error)
{
    const cli_format format = cli_format_of(path);
    return format == CLI_NPY || format == CLI_BIN ||
           cli_fail(error, CLI_MISTAKE, path, "its name must end in .npy or .bin");
}

static bool check_options(const request *o, cli_error *error)
{
    if (!o->output)
        return cli_fail(error, CLI_MISTAKE, "--output", "is missing: give -o OUTPUT");
    if (o->values && !o->values_out)
        return cli_fail(error, CLI_MISTAKE, "--values", "needs --values-out FILE");
    if (o->values_out && !o->values)
        return cli_fail(error, CLI_MISTAKE, "--values-out", "needs --values FILE");
    return check_format(o->input, error) && check_format(o->output, error) &&
           (!o->values || (check_format(o->values, error) && check_format(o->values_out, error)));
}

/* Fills the error on the rank that failed, and empties its text on all others. */
static bool blame(const job *j, int failed, cli_error *error)
{
    char reason[sizeof error->text];
    memcpy(reason, error->text, sizeof reason);
    cli_global.is_silent = j->rank != failed;
    snprintf(error->text, sizeof error->text, "rank %d: %.5000s", failed, reason);
    return false;
}

/* True if `ok` is on all ranks. Otherwise all take the exit status of the lowest rank that
 * failed. */
static bool together(const job *j, bool ok, cli_error *error)
{
    const int mine = ok ? j->ranks : j->rank;
    int failed = j->ranks;
    MPI_Allreduce(&mine, &failed, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    if (failed == j->ranks)
        return true;
    MPI_Bcast(&error->exit_code, 1, MPI_INT, failed, MPI_COMM_WORLD);
    return blame(j, failed, error);
}

static bool open_inputs(job *j, cli_error *error)
{
    const request *const o = j->o;
    if (!cli_open_keys(&j->keys, o->input, o->type, error) ||
        (o->values && !cli_open_values(&j->values, o->values, o->value_bytes, error)))
        return false;
    if (!cli_source_skips(&j->keys) || (o->values && !cli_source_skips(&j->values)))
        return cli_fail(error, CLI_MISTAKE, o->input, "is not a file");
    if (o->values && j->values.like.count != j->keys.like.count)
        return cli_fail(error, CLI_MISTAKE, o->values, "it holds %zu values for %zu keys",
            j->values.like.count, j->keys.like.count);
    j->total = j->keys.like.count;
    return true;
}

static bool read_share(
    const job *j, cli_source *source, cli_array *out, const char *path, cli_error *error)
{
    const uint64_t wanted = j->end - j->begin;
    uint64_t count = 0;
    if (!cli_make_alike(out, &source->like, (size_t)wanted, error) ||
        !cli_source_skip(source, j->begin, error) ||
        !cli_source_read(source, out->data, wanted, &count, error))
        return false;
    return count == wanted || cli_fail(error, CLI_MISTAKE, path, "it ends early");
}

static bool read_inputs(job *j, cli_error *error)
{
    uint64_t first = j->total;
    MPI_Bcast(&first, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    const bool same = first == j->total ||
                      cli_fail(error, CLI_MISTAKE, j->o->input,
                          "it has %llu items here, and %llu on rank 0: all ranks need one folder",
                          (unsigned long long)j->total, (unsigned long long)first);
    j->begin = dmm_mpi_share(j->total, j->ranks, j->rank);
    j->end = dmm_mpi_share(j->total, j->ranks, j->rank + 1);
    return same && read_share(j, &j->keys, &j->my_keys, j->o->input, error) &&
           (!j->o->values || read_share(j, &j->values, &j->my_values, j->o->values, error));
}

/* Creates `mpi`. A rank that fails has filled its error, and gives no device. */
static bool open_devices(job *j, cli_error *error)
{
    int failed = -1;
    dmm_context_desc desc = {.device_text = cli_global.device};
    if (!together(j, cli_describe_session(&j->session, &desc, error), error))
        return false;
    const dmm_status status = dmm_mpi_create(&j->mpi, &failed, MPI_COMM_WORLD, &desc);
    return cli_check_session(&j->session, status, error) || blame(j, failed, error);
}

static bool sort(job *j, cli_error *error)
{
    const dmm_sort_desc desc = {.order = {.type = j->my_keys.type, .descending = j->o->descending},
        .value_bytes = j->o->values ? j->my_values.item_bytes : 0,
        .guarantee = j->o->guarantee};
    const dmm_mpi_sort_args args = {.keys = j->my_keys.data,
        .values = j->my_values.data,
        .n = j->my_keys.count,
        .keys_out = j->my_keys.data,
        .values_out = j->my_values.data,
        .n_out = j->my_keys.count};
    const dmm_status status = dmm_mpi_sort(j->mpi, &desc, &args);
    return cli_check(&j->session, status, j->o->input, error) ||
           blame(j, dmm_mpi_failed_rank(j->mpi), error);
}

static bool open_outputs(job *j, cli_error *error)
{
    if (j->rank != 0)
        return true;
    if (!cli_open_pair(&j->output, j->o->output, j->o->values_out, error))
        return false;
    return (j->output.keys.beside && (!j->o->values || j->output.values.beside)) ||
           cli_fail(error, CLI_MISTAKE, j->o->output, "is not a file");
}

static bool write_at(
    int fd, uint64_t at, const char *data, uint64_t bytes, const char *name, cli_error *error)
{
    while (bytes > 0) {
        const size_t most = bytes < MOST_A_WRITE ? (size_t)bytes : MOST_A_WRITE;
        const ssize_t put = pwrite(fd, data, most, (off_t)at);
        if (put < 0 && errno == EINTR)
            continue;
        if (put < 0)
            return cli_fail_errno(error, name, "cannot write");
        data += put;
        at += (uint64_t)put;
        bytes -= (uint64_t)put;
    }
    return true;
}

/* Writes the share to rank 0's file `path`, behind its head. */
static bool write_part(const job *j, const char *path, uint64_t head_bytes, const cli_array *items,
    const char *name, cli_error *error)
{
    const uint64_t at = head_bytes + j->begin * items->item_bytes;
    const int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return cli_fail_errno(error, name, "cannot open rank 0's file beside it");
    const bool ok = write_at(fd, at, items->data, items->count * items->item_bytes, name, error);
    return (close(fd) == 0 || !ok || cli_fail_errno(error, name, "cannot write")) && ok;
}

/* `output` is rank 0's, `name` its name. */
static bool write_output(
    const job *j, cli_output *output, cli_array *items, const char *name, cli_error *error)
{
    char path[CLI_PATH_BYTES] = "";
    uint64_t head_bytes = 0;
    bool ok = true;
    if (j->rank == 0) {
        cli_array whole = *items;
        whole.count = (size_t)j->total;
        ok = snprintf(path, sizeof path, "%s", output->beside) < (int)sizeof path ||
             cli_fail(error, CLI_MISTAKE, name, "its path is too long");
        ok = ok && cli_write_head(output, &whole, error);
        head_bytes = ok ? (uint64_t)lseek(output->fd, 0, SEEK_CUR) : 0;
    }
    if (!together(j, ok, error))
        return false;
    MPI_Bcast(path, sizeof path, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Bcast(&head_bytes, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
    return together(j, write_part(j, path, head_bytes, items, name, error), error);
}

static bool run(job *j, cli_error *error)
{
    MPI_Comm_rank(MPI_COMM_WORLD, &j->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &j->ranks);
    return together(j, open_inputs(j, error), error) &&
           together(j, open_outputs(j, error), error) &&
           together(j, read_inputs(j, error), error) && open_devices(j, error) && sort(j, error) &&
           write_output(j, &j->output.keys, &j->my_keys, j->o->output, error) &&
           (!j->o->values ||
               write_output(j, &j->output.values, &j->my_values, j->o->values_out, error)) &&
           together(j, j->rank != 0 || cli_commit_pair(&j->output, error), error);
}

int dmm_cli_mpi_sort(int argc, char **argv)
{
    cli_error error = {0};
    request o = {.type = DMM_ITEM};
    job j = {.o = &o,
        .keys = CLI_SOURCE_INIT,
        .values = CLI_SOURCE_INIT,
        .session = CLI_SESSION_INIT,
        .output = CLI_PAIR_INIT};
    if (parse(&o, argc, argv, &error) && check_options(&o, &error))
        run(&j, &error);
    cli_close_pair(&j.output);
    dmm_mpi_free(j.mpi);
    cli_close_session(&j.session);
    cli_close_source(&j.keys);
    cli_close_source(&j.values);
    cli_free_array(&j.my_keys);
    cli_free_array(&j.my_values);
    return cli_finish(&error);
}
