/* server_limits_text.c - prints the results for a server's limits. See server_limits.h. */
#include "gates/server_limits.h"

#include "report/report_text.h"

#include <inttypes.h>

static const char *count_text(uint64_t count, char text[TOLL_VALUE_TEXT_SIZE])
{
    return toll_value_text(count > INT64_MAX ? INT64_MAX : (int64_t)count, "count", text);
}

static bool is_over(const toll_limits *l, size_t i)
{
    return l->results[i].met > l->rows[i].most;
}

void toll_limits_put(const toll_limits *l, toll_output *out)
{
    size_t over = 0;
    for (size_t i = 0; i < l->count; i++) {
        char text[TOLL_VALUE_TEXT_SIZE];
        over += is_over(l, i);
        toll_output_printf(out, "%-8s  ", is_over(l, i) ? "over" : "ok");
        toll_report_put_figure(out, count_text(l->results[i].met, text), 16);
        toll_output_printf(out, "  <= ");
        toll_report_put_figure(out, count_text(l->rows[i].most, text), 9);
        toll_output_printf(out, "  %s\n", l->rows[i].what);
    }
    toll_output_printf(out, "%s %s: %zu limits, %zu exceeded\n", l->rows->server, l->rows->version,
                       l->count, over);
}

/* "1 of 3 stacks: 5 of 12 samples (41.7%), ..." */
static void find_share(const toll_limits *l, size_t i, const toll_profile *p, toll_findings *f)
{
    const toll_limit_result *r = &l->results[i], *all = &l->results[l->count];
    char part[TOLL_VALUE_TEXT_SIZE], whole[TOLL_VALUE_TEXT_SIZE], share[TOLL_SHARE_TEXT_SIZE];
    toll_buffer_append_format(&f->text, "  %s of %s stack%s", count_text(r->stacks, part),
                              count_text(all->stacks, whole), toll_plural(all->stacks));
    for (uint32_t c = 0; c < l->columns; c++) {
        toll_value_type v = toll_profile_column(p, c);
        toll_buffer_append_format(&f->text, "%s ", c ? "," : ":");
        toll_buffer_append_text(&f->text, v.type);
        toll_buffer_append_format(&f->text, " %s of %s (%s)",
                                  toll_value_text(r->sums[c], v.unit, part),
                                  toll_value_text(all->sums[c], v.unit, whole),
                                  toll_share_text(r->sums[c], all->sums[c], share));
    }
    toll_findings_end_line(f);
}

void toll_limits_find(const toll_limits *l, const toll_profile *p, const char *path,
                      toll_findings *f)
{
    for (size_t i = 0; i < l->count; i++) {
        const toll_server_limit *row = &l->rows[i];
        char met[TOLL_VALUE_TEXT_SIZE], most[TOLL_VALUE_TEXT_SIZE], more[TOLL_VALUE_TEXT_SIZE];
        if (!is_over(l, i))
            continue;
        toll_findings_begin(f, "", 0);
        toll_buffer_append_text(&f->text, path);
        toll_buffer_append_format(&f->text, ": %s %s, %s more than the %s that %s %s takes: %s",
                                  count_text(l->results[i].met, met), row->what,
                                  count_text(l->results[i].met - row->most, more),
                                  count_text(row->most, most), row->server, row->version,
                                  row->loss);
        toll_buffer_append_format(&f->text, row->remedy ? "; start the server with %s" : "%s",
                                  row->remedy ? row->remedy : "");
        toll_findings_end_line(f);
        find_share(l, i, p, f);
    }
}
