/* flame_svg.c - see flame_svg.h. The picture is for READMEs and pages of CI. It has no scripts, so
 * that sites which clean SVG do not change it.
 *
 * What has no room is omitted, the narrowest boxes first, and the picture says how much that is.
 * Sizes are in tenths of a pixel, as integers. */
#include "report/flame_svg.h"

#include "base/fail.h"
#include "base/printable.h"
#include "base/xml_write.h"
#include "report/flame.h"
#include "report/outside.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    WIDTH = 1200,
    MARGIN = 10,
    INNER = WIDTH - 2 * MARGIN,
    ROW = 18,
    HEAD = 50,
    FOOT_LINE = 18,
    LETTER = 68,   /* a letter's width, in tenths of a pixel */
    NAME_KEPT = 80 /* characters of a name in its tooltip */
};

typedef struct svg_writer {
    toll_flame flame;
    const toll_svg_options *options;
    toll_output *out;
    uint32_t left; /* characters for which the current text still has room */
} svg_writer;

/* --- text --------------------------------------------------------------------------------------*/

static void put_piece(void *user, const char *text, size_t size)
{
    svg_writer *w = user;
    while (w->left && size) {
        size_t n = toll_xml_put_character(w->out, text, size);
        text += n;
        size -= n;
        w->left--;
    }
}

/* Put a text from outside, at most `most` characters. A cut text ends in an ellipsis. */
static void put_text(svg_writer *w, const char *text, uint32_t most)
{
    bool cut = toll_printable_width(text) > most;
    w->left = most - cut;
    toll_put_printable(text, strlen(text), put_piece, w);
    if (cut)
        toll_output_printf(w->out, "\xe2\x80\xa6");
}

/* Put a value. Its unit may come from a file, so it is escaped. */
static void put_value(svg_writer *w, int64_t value)
{
    char text[TOLL_PRECISE_TEXT_SIZE];
    put_text(w, toll_precise_text(&w->flame.precision, value, text), sizeof text);
}

static void put_line(svg_writer *w, uint32_t y)
{
    toll_output_printf(w->out, "<text class=\"n\" x=\"%d\" y=\"%" PRIu32 "\">", MARGIN, y);
}

/* --- boxes -------------------------------------------------------------------------------------*/

static void put_tenths(svg_writer *w, const char *name, uint32_t tenths)
{
    toll_output_printf(w->out, " %s=\"%" PRIu32, name, tenths / 10);
    if (tenths % 10)
        toll_output_printf(w->out, ".%" PRIu32, tenths % 10);
    toll_output_printf(w->out, "\"");
}

static void put_tooltip(svg_writer *w, const toll_flame_box *box)
{
    char share[TOLL_PRECISE_TEXT_SIZE];
    toll_output_printf(w->out, "<title>");
    put_text(w, toll_flame_name(&w->flame, box), NAME_KEPT);
    toll_output_printf(w->out, ": ");
    put_value(w, box->total);
    toll_precise_share(&w->flame.precision, box->total, w->flame.whole, share);
    toll_output_printf(w->out, ", ");
    put_text(w, share, sizeof share);
    toll_output_printf(w->out, "</title>");
}

static void put_box(svg_writer *w, const toll_flame_box *box)
{
    uint32_t begin = toll_flame_place(&w->flame, box->start, INNER * 10);
    uint32_t end = toll_flame_place(&w->flame, box->start + box->total, INNER * 10);
    uint32_t y = HEAD + ROW * box->depth, wide = end - begin;
    uint32_t letters = wide > 60 ? (wide - 60) / LETTER : 0;
    toll_output_printf(w->out, "<g>");
    put_tooltip(w, box);
    toll_output_printf(w->out, "<rect");
    put_tenths(w, "x", MARGIN * 10 + begin);
    toll_output_printf(w->out, " y=\"%" PRIu32 "\"", y);
    put_tenths(w, "width", wide > 15 ? wide - 5 : wide); /* a gap between neighbours */
    toll_output_printf(w->out, " height=\"%d\" fill=\"#%06" PRIx32 "\"/>", ROW - 1,
                       toll_flame_color(&w->flame, box));
    if (letters >= 2) {
        toll_output_printf(w->out, "<text");
        put_tenths(w, "x", MARGIN * 10 + begin + 30);
        toll_output_printf(w->out, " y=\"%" PRIu32 "\">", y + 13);
        put_text(w, toll_flame_label(&w->flame, box), letters);
        toll_output_printf(w->out, "</text>");
    }
    toll_output_printf(w->out, "</g>\n");
}

/* --- the picture -------------------------------------------------------------------------------*/

/* Put how much was omitted. `least`: omitted boxes had smaller totals; 0: they were too deep. */
static void put_left_out(svg_writer *w, uint32_t y, const toll_flame_left_out *what, int64_t least)
{
    char share[TOLL_SHARE_TEXT_SIZE], frames[TOLL_VALUE_TEXT_SIZE];
    put_line(w, y);
    toll_output_printf(w->out, "left out: %s frame%s %s",
                       toll_value_text((int64_t)what->frames, "count", frames),
                       toll_plural(what->frames), least ? "of less than " : "below the last row");
    if (least)
        put_value(w, least);
    toll_output_printf(w->out, ": ");
    put_value(w, what->total);
    toll_output_printf(w->out, ", %s</text>\n",
                       toll_share_text(what->total, w->flame.whole, share));
}

/* Fonts and colours are attributes, since some sites remove styles. The style is for dark pages.
 * Its names are unique, since inside HTML it applies to the whole page. */
static void put_head(svg_writer *w, uint32_t height)
{
    static const char style[] = "<style>@media(prefers-color-scheme:dark){.toll-flame .n{fill:#ccc}"
                                ".toll-flame .b{fill:#16181d}}</style>\n";
    toll_output_printf(w->out,
                       "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %" PRIu32 "\" "
                       "width=\"%d\" height=\"%" PRIu32 "\" role=\"img\" class=\"toll-flame\" "
                       "font-size=\"11\" font-family=\"ui-monospace,Menlo,Consolas,DejaVu Sans "
                       "Mono,monospace\">\n<title>Flame graph of ",
                       WIDTH, height, WIDTH, height);
    put_text(w, w->flame.value.type, NAME_KEPT);
    toll_output_printf(w->out,
                       "</title>\n%s<rect class=\"b\" fill=\"#fff\" width=\"%d\" "
                       "height=\"%" PRIu32 "\"/>\n",
                       w->options->is_styled ? style : "", WIDTH, height);
    put_line(w, 28);
    put_text(w, w->flame.value.type, NAME_KEPT);
    toll_output_printf(w->out, ": ");
    put_value(w, w->flame.whole);
    toll_output_printf(w->out, " in all");
    toll_report_put_left_outside(w->flame.profile, w->flame.value, w->out);
    toll_output_printf(w->out, "</text>\n");
}

static void put_picture(svg_writer *w, int64_t least)
{
    const toll_flame *f = &w->flame;
    uint32_t lines = (f->narrow.frames ? 1u : 0u) + (f->deep.frames ? 1u : 0u);
    uint32_t y = HEAD + ROW * f->rows + 20;
    put_head(w, y + FOOT_LINE * lines);
    for (size_t i = 0; i < f->count; i++)
        put_box(w, &f->boxes[i]);
    if (f->narrow.frames) {
        put_left_out(w, y, &f->narrow, least);
        y += FOOT_LINE;
    }
    if (f->deep.frames)
        put_left_out(w, y, &f->deep, 0);
    toll_output_printf(w->out, "</svg>\n");
}

static int compare_totals(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x < y) - (x > y);
}

/* Find the smallest total with which there are at most the wanted number of boxes. */
static toll_status choose_least(toll_flame *f, const toll_svg_options *o, int64_t *least,
                                toll_error *err)
{
    size_t room = f->count + 1;
    if (f->count <= o->most_boxes)
        return TOLL_OK;
    int64_t *totals = toll_mem_new(&f->tree.mem, room, sizeof *totals);
    if (!totals)
        return toll_fail_nomem(err);
    for (size_t i = 0; i < f->count; i++)
        totals[i] = f->boxes[i].total;
    qsort(totals, f->count, sizeof *totals, compare_totals);
    *least = totals[o->most_boxes] + 1;
    toll_mem_free(&f->tree.mem, totals, room, sizeof *totals);
    return toll_flame_fill(f, *least, o->most_rows, err);
}

toll_status toll_svg_put(const toll_profile *profile, const toll_svg_options *options,
                         toll_output *out, toll_error *err)
{
    svg_writer w = { .options = options, .out = out };
    const toll_flame_options o = { .size = sizeof o,
                                   .value = options->value,
                                   .short_names = 1,
                                   .keep_outside = options->keeps_outside };
    int64_t least = 0;
    toll_status status = toll_flame_create(&w.flame, profile, &o, err);
    if (!status) {
        least = toll_flame_unit(&w.flame, INNER);
        status = toll_flame_fill(&w.flame, least, options->most_rows, err);
    }
    if (!status)
        status = choose_least(&w.flame, options, &least, err);
    if (!status)
        put_picture(&w, least);
    toll_flame_free(&w.flame);
    return status;
}

toll_status toll_svg_write(const toll_write_job *job, toll_error *err)
{
    toll_svg_options o = { .value = job->options->value,
                           .most_boxes = 350, /* about 250 bytes each */
                           .most_rows = 80,
                           .is_styled = true };
    return toll_svg_put(job->profile, &o, job->out, err);
}

/* Recognise a picture, only to say that it is not a profile. */
toll_sniff toll_svg_sniff(const uint8_t *data, size_t size)
{
    return size >= 5 && memcmp(data, "<svg ", 5) == 0 ? TOLL_SNIFF_SURE : TOLL_SNIFF_NO;
}
