/* SPDX-License-Identifier: MIT */
/* `pages FOLDER` writes dmm.1, dmm-sort.1, ...; `completion FILE`, the lists of the completion. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "manual.h"

enum { PATH_BYTES = 4096 };

/* DMM_MANUAL: the name of a cli_program, from the build. */
extern const cli_program DMM_MANUAL;
const cli_program *const manual_program = &DMM_MANUAL;

/* Calls `PROGRAM NAME --help`, or `PROGRAM --help` if name is NULL, with cli_global.show_help. */
static bool show(const char *name)
{
    char program[] = "program", help[] = "--help", command[64];
    snprintf(command, sizeof command, "%s", name ? name : "");
    char *whole[] = {program, help, NULL}, *part[] = {program, command, help, NULL};
    cli_global.command = NULL;
    return cli_run(manual_program, name ? 3 : 2, name ? part : whole) == CLI_OK;
}

static bool open_file(const char *path)
{
    if (freopen(path, "w", stdout))
        return true;
    perror(path);
    return false;
}

static bool write_page(const char *folder, const char *name)
{
    char path[PATH_BYTES];
    snprintf(path, sizeof path, "%s/%s%s%s.1", folder, manual_program->name, name ? "-" : "",
        name ? name : "");
    return open_file(path) && show(name);
}

int main(int argc, char **argv)
{
    const bool pages = argc == 3 && strcmp(argv[1], "pages") == 0;
    if (!pages && (argc != 3 || strcmp(argv[1], "completion") != 0)) {
        fprintf(stderr, "usage: %s pages FOLDER | %s completion FILE\n", argv[0], argv[0]);
        return 1;
    }
    cli_global.show_help = pages ? manual_page : manual_completion;
    bool done = pages ? write_page(argv[2], NULL) : open_file(argv[2]) && show(NULL);
    for (const cli_command *command = manual_program->commands; done && command->name; command++)
        done = pages ? write_page(argv[2], command->name) : show(command->name);
    return done && fclose(stdout) == 0 ? 0 : 1;
}
