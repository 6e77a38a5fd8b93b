/* SPDX-License-Identifier: MIT */
/* `pages FOLDER` writes dmm.1, dmm-sort.1, ...; `bash FILE`, the lists of its completion;
 * `zsh FILE` and `fish FILE`, whole completions. */
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
    static const struct {
        const char *name;
        void (*show)(const cli_syntax *syntax);
    } kinds[] = {{"pages", manual_page}, {"bash", manual_completion}, {"zsh", manual_zsh},
        {"fish", manual_fish}};
    for (size_t i = 0; argc == 3 && i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(argv[1], kinds[i].name) == 0)
            cli_global.show_help = kinds[i].show;
    if (cli_global.show_help == cli_print_help) {
        fprintf(stderr, "usage: %s pages FOLDER | %s bash|zsh|fish FILE\n", argv[0], argv[0]);
        return 1;
    }
    const bool pages = cli_global.show_help == manual_page;
    bool done = pages ? write_page(argv[2], NULL) : open_file(argv[2]) && show(NULL);
    for (const cli_command *command = manual_program->commands; done && command->name; command++)
        done = pages ? write_page(argv[2], command->name) : show(command->name);
    if (cli_global.show_help == manual_zsh)
        manual_zsh_end();
    return done && fclose(stdout) == 0 ? 0 : 1;
}
