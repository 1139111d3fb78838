/* flame_text.c - draws a flame graph with characters, for the terminal. See toll/report.h. */
#include "report/flame.h"

#include "base/fail.h"
#include "base/printable.h"
#include "base/sized_options.h"
#include "report/outside.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <string.h>

enum { USUAL_WIDTH = 80, LEAST_WIDTH = 20, MOST_WIDTH = 10000 };

typedef struct flame_writer {
    toll_flame flame;
    const toll_flame_options *o;
    uint32_t width;
    toll_output *out;
    uint32_t left; /* columns for which the current name still has room */
} flame_writer;

/* --- boxes -------------------------------------------------------------------------------------*/

/* Put a piece of a name: one character or escape, or several ordinary characters, as many as
 * fit. */
static void put_piece(void *user, const char *text, size_t size)
{
    flame_writer *w = user;
    const char *end = text + size;
    while (w->left && text < end) {
        size_t n = toll_character_at(text, (size_t)(end - text)).size;
        toll_output_write(w->out, text, n);
        text += n;
        w->left--;
    }
}

static void put_fill(flame_writer *w, const char *fill, uint32_t count)
{
    while (count-- > 0)
        toll_output_write(w->out, fill, 1);
}

/* The nearest of the 216 cube colours of a terminal with 256 colours. */
static uint32_t in_cube(uint32_t color)
{
    uint32_t r = color >> 16, g = color >> 8 & 255, b = color & 255;
    return 16 + 36 * ((r + 25) / 51) + 6 * ((g + 25) / 51) + (b + 25) / 51;
}

static void begin_color(const flame_writer *w, uint32_t color)
{
    if (w->o->colors == TOLL_COLORS_24_BIT)
        toll_output_printf(w->out, "\x1b[30;48;2;%u;%u;%um", color >> 16, color >> 8 & 255,
                           color & 255);
    else
        toll_output_printf(w->out, "\x1b[30;48;5;%um", in_cube(color));
}

/* Put a box of `width` columns: its name on its colour or, without colours, |name---. */
static void put_box(flame_writer *w, const toll_flame_box *box, uint32_t width)
{
    const char *name = toll_flame_label(&w->flame, box);
    bool plain = w->o->colors == TOLL_COLORS_NONE;
    if (plain)
        toll_output_write(w->out, "|", 1);
    else
        begin_color(w, toll_flame_color(&w->flame, box));
    w->left = width - plain;
    toll_put_printable(name, strlen(name), put_piece, w);
    put_fill(w, plain ? "-" : " ", w->left);
    if (!plain)
        toll_output_printf(w->out, "\x1b[0m");
}

/* Put the row that begins with box `i`; returns the first box of the next row. */
static size_t put_row(flame_writer *w, size_t i)
{
    uint32_t column = 0, depth = w->flame.boxes[i].depth;
    for (; i < w->flame.count && w->flame.boxes[i].depth == depth; i++) {
        const toll_flame_box *box = &w->flame.boxes[i];
        uint32_t begin = toll_flame_place(&w->flame, box->start, w->width);
        uint32_t end = toll_flame_place(&w->flame, box->start + box->total, w->width);
        put_fill(w, " ", begin - column);
        put_box(w, box, end - begin);
        column = end;
    }
    toll_output_write(w->out, "\n", 1);
    return i;
}

/* --- the lines after it ------------------------------------------------------------------------*/

static void put_head(flame_writer *w)
{
    const toll_flame *f = &w->flame;
    char text[TOLL_VALUE_TEXT_SIZE];
    toll_output_put_printable(w->out, f->value.type);
    toll_output_printf(w->out, ": %s in all", toll_value_text(f->whole, f->value.unit, text));
    toll_report_put_left_outside(f->profile, f->value, w->out);
    toll_output_printf(w->out, "; a column is %s\n",
                       toll_value_text(toll_flame_unit(f, w->width), f->value.unit, text));
}

static void put_left_out(const flame_writer *w, const toll_flame_left_out *what, const char *why)
{
    char value[TOLL_VALUE_TEXT_SIZE], share[TOLL_SHARE_TEXT_SIZE];
    if (what->frames)
        toll_output_printf(w->out, "left out: %" PRIu64 " frame%s %s: %s, %s\n", what->frames,
                           toll_plural(what->frames), why,
                           toll_value_text(what->total, w->flame.value.unit, value),
                           toll_share_text(what->total, w->flame.whole, share));
}

static void put_all(flame_writer *w)
{
    put_head(w);
    for (size_t i = 0; i < w->flame.count;)
        i = put_row(w, i);
    put_left_out(w, &w->flame.narrow, "narrower than a column");
    put_left_out(w, &w->flame.deep, "below the last row");
    toll_report_put_notes(w->out, w->flame.profile, &w->flame.tree.shown);
}

toll_status toll_report_flame(const toll_profile *p, const toll_flame_options *options,
                              toll_output *out, toll_error *err)
{
    toll_flame_options own;
    flame_writer w = { .o = &own, .out = out };
    if (!out)
        return toll_fail_null(err, "out");
    toll_status status = toll_options_copy(&own, sizeof own, options, "toll_flame_options", err);
    if (!status && own.colors > TOLL_COLORS_24_BIT)
        status = toll_fail(err, TOLL_E_ARGUMENT, "there is no %d of colours", (int)own.colors);
    if (status)
        return status;
    w.width = own.width == 0 ? USUAL_WIDTH : own.width < LEAST_WIDTH ? LEAST_WIDTH : own.width;
    w.width = w.width > MOST_WIDTH ? MOST_WIDTH : w.width;
    status = toll_flame_create(&w.flame, p, &own, err);
    if (!status)
        status = toll_flame_fill(&w.flame, toll_flame_unit(&w.flame, w.width), own.rows, err);
    if (!status)
        put_all(&w);
    toll_flame_free(&w.flame);
    return status;
}
