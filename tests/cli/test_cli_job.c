/* SPDX-License-Identifier: MIT */
/* ctest: full */
/*
 * The files of a resumable job (host/cli/large/job.h), damaged at random: bytes of either file
 * changed, cut out, doubled, or its end cut off. What is resumed is always a beginning of what was
 * recorded, the scratch file holds it byte for byte, and a job goes on from there.
 */
#include "support/require.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/large/checksum.h"
#include "cli/large/job.h"
#include "support/random.h"
#include "support/rig.h"

enum { PARTS = 4, GAP = 17, MOST_BYTES = 4096, PART_ITEMS = 10 };

static const char folder[] = "job.scratch", text[] = "a job\nof two lines\n", name[] = "name";

/* What the files hold when the job has ended. */
typedef struct content {
    char scratch[MOST_BYTES], state[MOST_BYTES];
    size_t scratch_bytes, state_bytes;
} content;

static uint64_t part_bytes(uint64_t part)
{
    return 100 + 37 * part;
}

static uint64_t part_at(uint64_t part)
{
    return part == 0 ? 0 : part_at(part - 1) + part_bytes(part - 1) + (part == 2 ? 0 : GAP);
}

static char byte_at(uint64_t at)
{
    return (char)(at * 7 + at / 251 + 1);
}

static cli_fingerprint sum_of(uint64_t parts)
{
    return (cli_fingerprint){parts * 0x123456789abcdefu, ~parts};
}

static void open_job(cli_job *job, int *fd)
{
    cli_error error = {0};
    *job = (cli_job)CLI_JOB_INIT;
    job->text = text;
    *fd = -1;
    if (!cli_job_open(job, folder, name, fd, &error))
        fail_msg("%s", error.text);
}

static void close_job(cli_job *job, int fd, bool is_done)
{
    cli_job_close(job, is_done);
    close(fd);
}

/* Writes a part in pieces of any sizes, and records it. */
static void add_part(cli_job *job, int fd, uint64_t part, random_source *random)
{
    cli_error error = {0};
    const uint64_t at = part_at(part), bytes = part_bytes(part);
    const cli_fingerprint sum = sum_of(part + 1);
    for (uint64_t done = 0, piece; done < bytes; done += piece) {
        char data[MOST_BYTES];
        piece = 1 + random_below(random, bytes - done);
        for (uint64_t i = 0; i < piece; i++)
            data[i] = byte_at(at + done + i);
        REQUIRE(pwrite(fd, data, piece, (off_t)(at + done)) == (ssize_t)piece);
        cli_job_wrote(job, at + done, data, piece);
    }
    REQUIRE(cli_job_record(job, fd, PART_ITEMS * (part + 1), &sum, &error));
}

static size_t read_file(const char *path, char *out)
{
    const int fd = open(path, O_RDONLY);
    const ssize_t got = fd >= 0 ? read(fd, out, MOST_BYTES) : -1;
    REQUIRE(got >= 0);
    close(fd);
    return (size_t)got;
}

static void write_file(const char *path, const char *data, size_t bytes)
{
    const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    REQUIRE(fd >= 0 && write(fd, data, bytes) == (ssize_t)bytes);
    close(fd);
}

static size_t damage(char *data, size_t bytes, random_source *random)
{
    const size_t at = (size_t)random_below(random, bytes + 1);
    const size_t part = (size_t)random_below(random, bytes - at + 1);
    switch (random_below(random, 6)) {
    case 0:
        if (at < bytes)
            data[at] = (char)random_next(random);
        return bytes;
    case 1:
        if (at < bytes)
            data[at] = (char)(data[at] ^ 1 << random_below(random, 8));
        return bytes;
    case 2:
        memmove(data + at, data + at + part, bytes - at - part);
        return bytes - part;
    case 3:
        if (bytes + part > MOST_BYTES)
            return bytes;
        memmove(data + at + part, data + at, bytes - at);
        return bytes + part;
    case 4:
        memset(data + at, 0, part);
        return bytes;
    default:
        return at;
    }
}

/* Judges what is resumed, and ends the job. */
static void resume(random_source *random)
{
    cli_job job;
    int fd;
    char scratch[MOST_BYTES];
    open_job(&job, &fd);
    const uint64_t parts = job.items / PART_ITEMS;
    const cli_fingerprint sum = sum_of(parts);
    REQUIRE(job.items % PART_ITEMS == 0 && parts <= PARTS);
    REQUIRE(parts == 0 || (job.sum.a == sum.a && job.sum.b == sum.b));
    const size_t bytes = read_file(job.path, scratch);
    REQUIRE(bytes == (parts == 0 ? 0 : part_at(parts - 1) + part_bytes(parts - 1)));
    for (uint64_t part = 0; part < parts; part++)
        for (uint64_t i = part_at(part); i < part_at(part) + part_bytes(part); i++)
            REQUIRE(scratch[i] == byte_at(i));
    for (uint64_t part = parts; part < PARTS; part++)
        add_part(&job, fd, part, random);
    close_job(&job, fd, false);
    open_job(&job, &fd);
    REQUIRE(job.items == (uint64_t)PARTS * PART_ITEMS && !job.has_lost);
    close_job(&job, fd, true);
}

static void damaged_jobs_resume_what_is_there(void **state)
{
    content whole, c;
    cli_job job;
    int fd;
    random_source random = {7};
    char path[256], state_path[256];
    (void)state;
    mkdir(folder, 0700);
    test_note("the whole job");
    open_job(&job, &fd);
    for (uint64_t part = 0; part < PARTS; part++)
        add_part(&job, fd, part, &random);
    snprintf(path, sizeof path, "%s", job.path);
    snprintf(state_path, sizeof state_path, "%s", job.state);
    whole.scratch_bytes = read_file(path, whole.scratch);
    whole.state_bytes = read_file(state_path, whole.state);
    close_job(&job, fd, true);
    REQUIRE(access(path, F_OK) != 0 && access(state_path, F_OK) != 0);
    for (uint64_t round = 0; round < by_size(100, 500, 50000); round++) {
        test_note("round %llu", (unsigned long long)round);
        c = whole;
        for (uint64_t left = 1 + random_below(&random, 3); left > 0; left--)
            if (random_below(&random, 2))
                c.state_bytes = damage(c.state, c.state_bytes, &random);
            else
                c.scratch_bytes = damage(c.scratch, c.scratch_bytes, &random);
        write_file(path, c.scratch, c.scratch_bytes);
        write_file(state_path, c.state, c.state_bytes);
        resume(&random);
    }
    rmdir(folder);
}

/* Bytes in parts of any sizes have the checksum of all at once; others another one. */
static void checksums_are_of_bytes_in_order(void **state)
{
    char data[100];
    random_source random = {3};
    (void)state;
    for (uint64_t round = 0; round < by_size(100, 10000, 100000); round++) {
        cli_checksum once = {0}, parts = {0}, other = {0};
        const uint64_t bytes = random_below(&random, sizeof data + 1);
        test_note("round %llu, %llu bytes", (unsigned long long)round, (unsigned long long)bytes);
        random_bytes(&random, data, bytes);
        cli_checksum_add(&once, data, bytes);
        for (uint64_t done = 0, part; done < bytes; done += part) {
            part = 1 + random_below(&random, bytes - done);
            cli_checksum_add(&parts, data + done, part);
        }
        REQUIRE(cli_checksum_value(&once) == cli_checksum_value(&parts));
        if (bytes == 0)
            continue;
        const uint64_t at = random_below(&random, bytes);
        data[at] = (char)(data[at] ^ 1 << random_below(&random, 8));
        cli_checksum_add(&other, data, bytes);
        REQUIRE(cli_checksum_value(&once) != cli_checksum_value(&other));
        data[at] = 0;
        cli_checksum_add(&other, data + at, 1);
        REQUIRE(cli_checksum_value(&once) != cli_checksum_value(&other));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(checksums_are_of_bytes_in_order),
        cmocka_unit_test(damaged_jobs_resume_what_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
