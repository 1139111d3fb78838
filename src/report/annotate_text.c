/* annotate_text.c - see annotate_text.h. */
#include "report/annotate_text.h"

#include "base/printable.h"

#include <string.h>

/* --- figures -----------------------------------------------------------------------------------*/

static void fill(const toll_listings *l, const toll_line *row, toll_cells *c)
{
    memset(c, 0, sizeof *c);
    if (l->is_compared) {
        toll_signed_text(row->self - row->before, l->value.unit, c->text[0]);
        toll_value_text(row->before, l->value.unit, c->text[1]);
        toll_value_text(row->self, l->value.unit, c->text[2]);
        return;
    }
    if (row->self) {
        toll_precise_share(&l->precision, row->self, l->whole, c->text[0]);
        toll_precise_text(&l->precision, row->self, c->text[1]);
    }
    if (row->total)
        toll_precise_text(&l->precision, row->total, c->text[2]);
    if (row->executions)
        toll_value_text(row->executions, "count", c->text[3]);
}

static const toll_cells *heads(const toll_listings *l)
{
    static const toll_cells plain = { { "self%", "self", "total", "executions" } };
    static const toll_cells compared = { { "change", "before", "after", "" } };
    return l->is_compared ? &compared : &plain;
}

void toll_figures_begin(toll_figure_columns *f, const toll_listings *l, bool has_totals)
{
    f->listings = l;
    for (int i = 0; i < TOLL_FIGURES; i++)
        f->widths[i] = strlen(heads(l)->text[i]);
    if (!l->is_compared && !has_totals)
        f->widths[2] = 0;
    if (!l->has_executions)
        f->widths[3] = 0;
}

void toll_figures_widen(toll_figure_columns *f, const toll_line *row)
{
    toll_cells c;
    fill(f->listings, row, &c);
    for (int i = 0; i < TOLL_FIGURES; i++)
        if (f->widths[i])
            toll_report_widen(&f->widths[i], c.text[i]);
}

static void put_cells(const toll_figure_columns *f, const toll_cells *c, toll_output *out)
{
    for (int i = 0; i < TOLL_FIGURES; i++)
        if (f->widths[i]) {
            toll_report_put_figure(out, c->text[i], f->widths[i]);
            toll_output_write(out, "  ", 2);
        }
}

void toll_figures_put(const toll_figure_columns *f, const toll_line *row, toll_output *out)
{
    toll_cells c;
    fill(f->listings, row, &c);
    put_cells(f, &c, out);
}

void toll_figures_put_heads(const toll_figure_columns *f, toll_output *out)
{
    put_cells(f, heads(f->listings), out);
}

void toll_figures_put_blank(const toll_figure_columns *f, toll_output *out)
{
    static const toll_cells none;
    put_cells(f, &none, out);
}

/* --- sentences ---------------------------------------------------------------------------------*/

void toll_annotate_put_value(const toll_annotation *a, int64_t value, toll_output *out)
{
    char text[TOLL_CELL_SIZE];
    toll_output_printf(out, "%s", toll_precise_text(&a->listings.precision, value, text));
}

void toll_annotate_put_change(const toll_annotation *a, int64_t by, toll_output *out)
{
    char text[TOLL_CELL_SIZE];
    toll_output_printf(out, "%s", toll_signed_text(by, a->listings.value.unit, text));
}

void toll_annotate_put_sum(const toll_annotation *a, int64_t sum, toll_output *out)
{
    char share[TOLL_PRECISE_TEXT_SIZE];
    if (a->listings.is_compared) {
        toll_annotate_put_change(a, sum, out);
        return;
    }
    toll_annotate_put_value(a, sum, out);
    toll_output_printf(out, " (%s)",
                       toll_precise_share(&a->listings.precision, sum, a->listings.whole, share));
}

static void put_count(size_t count, const char *what, toll_output *out)
{
    char text[TOLL_CELL_SIZE];
    toll_output_printf(out, "%s %s%s", toll_value_text((int64_t)count, "count", text), what,
                       toll_plural(count));
}

void toll_annotate_put_heading(const toll_annotation *a, size_t count, const char *what,
                               toll_output *out)
{
    const toll_listings *l = &a->listings;
    toll_output_put_printable(out, l->value.type);
    toll_output_printf(out, ": ");
    if (l->is_compared) {
        toll_annotate_put_change(a, l->whole - l->whole_before, out);
        toll_output_printf(out, ": ");
        toll_annotate_put_value(a, l->whole_before, out);
        toll_output_printf(out, " before, ");
    }
    toll_annotate_put_value(a, l->whole, out);
    toll_output_printf(out, "%s in ", l->is_compared ? " after" : "");
    put_count(count, what, out);
    toll_output_printf(out, "\n");
}

void toll_annotate_put_more(const toll_annotation *a, size_t count, const char *what, int64_t sum,
                            const char *option, toll_output *out)
{
    toll_output_printf(out, "\n... and ");
    put_count(count, what, out);
    toll_output_printf(out, ": ");
    toll_annotate_put_sum(a, sum, out);
    toll_output_printf(out, " (%s)\n", option);
}
