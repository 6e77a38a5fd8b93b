/* SPDX-License-Identifier: MIT */
/*
 * The meter's picture of a source line: banks down, lock-steps across, a cell's colour is the
 * number of words that the step accesses in that bank at once. Blue: one pass, which is no
 * conflict; warmer colours: more lanes wait. Above: the passes of each step, the maximum over its
 * banks.
 *
 * A step of wide items, or of more lanes than banks, is drawn as its phases, side by side.
 */
#include "meter.h"
#include "svg.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    MAX_COLUMNS = 128,
    LEFT = 64,
    RIGHT = 24,
    BARS_TOP = 116,
    BARS_HEIGHT = 72,
    GRID_TOP = BARS_TOP + BARS_HEIGHT + 10,
    FULL_WIDTH = 960,  /* width of a grid of many columns */
    FULL_HEIGHT = 448, /* height of a grid of many banks */
    CELL_WIDTH_MAX = 36,
    CELL_HEIGHT_MAX = 18,
    MIN_WIDTH = 660, /* width of the text */
    TITLE_COLUMNS = 60,
    FILE_COLUMNS = 40,
    CODE_COLUMNS = 72
};

/* One phase. */
typedef struct meter_column {
    uint32_t degree[DMM_MODEL_LANES_MAX]; /* by bank */
    uint32_t passes;                      /* the highest */
    size_t step;
} meter_column;

typedef struct meter_picture {
    const dmm_model_local *machine;
    meter_column *columns;
    size_t num_columns, num_steps;
    uint32_t passes; /* passes of the tallest column */
    double cell_width, cell_height;
} meter_picture;

/* ---- Steps into columns -------------------------------------------------------------------- */

/* Adds a column; those beyond the last are not drawn. */
static void add_column(void *user, const uint16_t *words_of_bank, uint32_t banks)
{
    meter_picture *picture = user;
    if (picture->num_columns == MAX_COLUMNS)
        return;
    meter_column *column = &picture->columns[picture->num_columns++];
    column->step = picture->num_steps;
    for (uint32_t bank = 0; bank < banks; bank++) {
        column->degree[bank] = words_of_bank[bank];
        if (column->degree[bank] > column->passes)
            column->passes = column->degree[bank];
    }
    if (column->passes > picture->passes)
        picture->passes = column->passes;
}

static void add_steps(meter_picture *picture, const meter_line *line)
{
    for (size_t i = 0; i < line->num_steps && picture->num_columns < MAX_COLUMNS; i++) {
        const meter_step *step = &line->steps[i];
        dmm_model_reading reading;
        if (dmm_model_local_phases(&reading, picture->machine, line->kind, step->accesses,
                step->count, add_column, picture) == DMM_MODEL_OK)
            picture->num_steps++;
    }
}

/* ---- Drawing ------------------------------------------------------------------------------- */

/* Colours of degrees up to `most`. */
static const struct {
    uint32_t most;
    const char *colour, *label;
} scale[] = {
    {0, "#eef1f4", "idle"},
    {1, "#8fbfdf", "1"},
    {2, "#fddc7a", "2"},
    {4, "#fdb04a", "3-4"},
    {8, "#f4743b", "5-8"},
    {16, "#d7261e", "9-16"},
    {32, "#8e0b2c", "17-32"},
    {UINT32_MAX, "#3b0616", "more"},
};

enum { NUM_COLOURS = sizeof scale / sizeof scale[0] };

static const char *colour_of(uint32_t degree)
{
    size_t i = 0;
    while (degree > scale[i].most)
        i++;
    return scale[i].colour;
}

static const char end[] = "class=\"end\""; /* attribute of a text that ends at x */

static double column_x(const meter_picture *picture, size_t column)
{
    return LEFT + (double)column * picture->cell_width;
}

static double grid_height(const meter_picture *picture)
{
    return picture->machine->banks * picture->cell_height;
}

static void draw_heading(
    FILE *out, const char *kernel, const meter_line *line, const meter_picture *picture)
{
    const dmm_model_tally *tally = &line->tally;
    fprintf(out, "<text x=\"%d\" y=\"30\" class=\"title\">", LEFT);
    cli_svg_escaped(out, kernel, TITLE_COLUMNS);
    fputs("</text>\n", out);
    fprintf(out, "<text x=\"%d\" y=\"52\" class=\"code\">", LEFT);
    cli_svg_escaped(out, line->file, FILE_COLUMNS);
    fprintf(out, ":%" PRIu64 "  ", line->number);
    cli_svg_escaped(out, line->text, CODE_COLUMNS);
    fputs("</text>\n", out);
    fprintf(out,
        "<text x=\"%d\" y=\"74\">%s: %" PRIu64 " passes in %" PRIu64 " steps, %" PRIu64
        " needed: <tspan class=\"strong\">%" PRIu64 " conflicts</tspan>, worst degree %" PRIu32
        "</text>\n",
        LEFT, meter_kind_name(line->kind), tally->passes, tally->steps, tally->needed,
        tally->conflicts, tally->worst);
    cli_svg_text(out, LEFT, 94, "class=\"faint\"",
        "the %zu consecutive steps of one work-group that cost most, on %" PRIu32
        " banks of %" PRIu32 " bytes and %" PRIu32 " lanes",
        picture->num_steps, picture->machine->banks, picture->machine->word_bytes,
        picture->machine->lanes);
}

static void draw_bars(FILE *out, const meter_picture *picture)
{
    for (size_t i = 0; i < picture->num_columns; i++) {
        const uint32_t passes = picture->columns[i].passes;
        const double height = (double)BARS_HEIGHT * passes / picture->passes;
        fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n",
            column_x(picture, i) + 0.5, BARS_TOP + BARS_HEIGHT - height, picture->cell_width - 1,
            height, colour_of(passes));
    }
    cli_svg_text(out, LEFT - 8, BARS_TOP + 9, end, "%" PRIu32, picture->passes);
    cli_svg_text(out, LEFT - 8, BARS_TOP + BARS_HEIGHT, end, "passes");
}

static void draw_column(FILE *out, const meter_picture *picture, size_t index)
{
    const meter_column *column = &picture->columns[index];
    const uint32_t banks = picture->machine->banks;
    for (uint32_t bank = 0; bank < banks; bank++) {
        if (column->degree[bank] == 0)
            continue;
        fprintf(out,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\">"
            "<title>step %zu, bank %" PRIu32 ": %" PRIu32 "</title></rect>\n",
            column_x(picture, index) + 0.5, GRID_TOP + bank * picture->cell_height + 0.5,
            picture->cell_width - 1, picture->cell_height - 1, colour_of(column->degree[bank]),
            column->step + 1, bank, column->degree[bank]);
    }
}

static void draw_grid(FILE *out, const meter_picture *picture)
{
    const uint32_t banks = picture->machine->banks;
    const uint32_t label_every = banks > 8 ? (banks + 7) / 8 : 1;
    fprintf(out, "<rect x=\"%d\" y=\"%d\" width=\"%.2f\" height=\"%.2f\" fill=\"%s\"/>\n", LEFT,
        GRID_TOP, (double)picture->num_columns * picture->cell_width, grid_height(picture),
        scale[0].colour);
    for (size_t i = 0; i < picture->num_columns; i++)
        draw_column(out, picture, i);
    for (uint32_t bank = 0; bank < banks; bank += label_every)
        cli_svg_text(out, LEFT - 8, GRID_TOP + (bank + 0.5) * picture->cell_height + 4, end,
            "%s%" PRIu32, bank ? "" : "bank ", bank);
}

/* Draws a number under the first column of every eighth step, and a line between steps of several
 * phases. */
static void draw_steps(FILE *out, const meter_picture *picture)
{
    const double bottom = GRID_TOP + grid_height(picture);
    const bool phases = picture->num_columns > picture->num_steps;
    for (size_t i = 0; i < picture->num_columns; i++) {
        const size_t step = picture->columns[i].step;
        if (i > 0 && picture->columns[i - 1].step == step)
            continue;
        if (phases && i > 0)
            fprintf(out, "<path d=\"M%.2f %d V%.2f\" class=\"rule\"/>\n", column_x(picture, i),
                GRID_TOP, bottom);
        if (step % 8 == 0)
            cli_svg_text(out, column_x(picture, i) + 1, bottom + 16, "", "%s%zu",
                step ? "" : "step ", step + 1);
    }
}

static void draw_scale(FILE *out, double top)
{
    cli_svg_text(out, LEFT, top + 11, "", "words at once:");
    for (int i = 0; i < NUM_COLOURS; i++) {
        const int x = LEFT + 110 + i * 68;
        fprintf(out, "<rect x=\"%d\" y=\"%.2f\" width=\"14\" height=\"14\" fill=\"%s\"/>", x, top,
            scale[i].colour);
        cli_svg_text(out, x + 18, top + 11, "", "%s", scale[i].label);
    }
}

static void draw(
    FILE *out, const char *kernel, const meter_line *line, const meter_picture *picture)
{
    const double grid_width = (double)picture->num_columns * picture->cell_width;
    const double width = LEFT + (grid_width < MIN_WIDTH ? MIN_WIDTH : grid_width) + RIGHT;
    const double bottom = GRID_TOP + grid_height(picture);
    cli_svg_begin(out, width, bottom + 64, "font-size=\"12\" fill=\"#1f2933\"");
    fputs("<style>.title{font-size:18px;font-weight:bold}.code{font-family:monospace;"
          "font-size:13px}.strong{font-weight:bold}.faint{fill:#66727f}.end{text-anchor:end}"
          ".rule{stroke:#fff;stroke-width:2}</style>\n",
        out);
    draw_heading(out, kernel, line, picture);
    draw_bars(out, picture);
    draw_grid(out, picture);
    draw_steps(out, picture);
    draw_scale(out, bottom + 34);
    fputs("</svg>\n", out);
}

const meter_line *meter_worst_line(const meter_readings *readings)
{
    const meter_line *worst = NULL;
    for (size_t i = 0; i < readings->num_lines; i++) {
        const meter_line *line = &readings->lines[i];
        if (line->num_steps == 0)
            continue;
        if (!worst || line->tally.conflicts > worst->tally.conflicts ||
            (line->tally.conflicts == worst->tally.conflicts &&
                line->tally.steps > worst->tally.steps))
            worst = line;
    }
    return worst;
}

bool meter_print_svg(
    FILE *out, const meter_readings *readings, const meter_line *line, const meter_machine *machine)
{
    meter_picture picture = {.machine = &machine->local};
    picture.columns = calloc(MAX_COLUMNS, sizeof *picture.columns);
    if (!picture.columns)
        return false;
    add_steps(&picture, line);
    const double wide = (double)FULL_WIDTH / (double)picture.num_columns;
    const double high = (double)FULL_HEIGHT / machine->local.banks;
    picture.cell_width = wide < CELL_WIDTH_MAX ? wide : CELL_WIDTH_MAX;
    picture.cell_height = high < CELL_HEIGHT_MAX ? high : CELL_HEIGHT_MAX;
    draw(out, readings->kernels[line->kernel].name, line, &picture);
    free(picture.columns);
    return true;
}
