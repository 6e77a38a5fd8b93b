/* SPDX-License-Identifier: MIT */
/* dmm_manual pages FOLDER writes dmm.1, dmm-sort.1, ...; dmm_manual completion FILE, its lists. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "manual.h"

enum { PATH_BYTES = 4096 };

/* Calls `dmm NAME --help`, or `dmm --help` if name is NULL, with cli_global.show_help. */
static bool show(const char *name)
{
    char program[] = "dmm", help[] = "--help", command[64];
    snprintf(command, sizeof command, "%s", name ? name : "");
    char *whole[] = {program, help, NULL}, *part[] = {program, command, help, NULL};
    cli_global.command = NULL;
    return cli_run(&cli_dmm, name ? 3 : 2, name ? part : whole) == CLI_OK;
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
    snprintf(path, sizeof path, "%s/dmm%s%s.1", folder, name ? "-" : "", name ? name : "");
    return open_file(path) && show(name);
}

int main(int argc, char **argv)
{
    const bool pages = argc == 3 && strcmp(argv[1], "pages") == 0;
    if (!pages && (argc != 3 || strcmp(argv[1], "completion") != 0)) {
        fprintf(stderr, "usage: dmm_manual pages FOLDER | dmm_manual completion FILE\n");
        return 1;
    }
    cli_global.show_help = pages ? manual_page : manual_completion;
    bool done = pages ? write_page(argv[2], NULL) : open_file(argv[2]) && show(NULL);
    for (const cli_command *command = cli_commands; done && command->name; command++)
        done = pages ? write_page(argv[2], command->name) : show(command->name);
    return done && fclose(stdout) == 0 ? 0 : 1;
}
