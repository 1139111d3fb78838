/* equal.c - see equal.h. */
#include "gates/equal.h"

#include "base/fail.h"
#include "base/text.h"
#include "gates/exact.h"
#include "gates/stack_text.h"
#include "profile/shown.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <string.h>

void toll_equal_init(toll_equal *e, const toll_mem *mem)
{
    *e = (toll_equal){ .mem = *mem };
}

void toll_equal_free(toll_equal *e)
{
    for (uint32_t c = 0; c < e->column_count; c++)
        toll_buffer_free(&e->columns[c].worst);
    toll_mem_free(&e->mem, e->columns, e->column_count, sizeof *e->columns);
    toll_profile_free(e->first);
    *e = (toll_equal){ .mem = e->mem };
}

static toll_status sum_up(const toll_profile *p, uint32_t column, int64_t *sum, toll_error *err)
{
    *sum = 0;
    for (toll_node_id n = 0; n < toll_profile_node_count(p); n++)
        if (!toll_i64_add(*sum, toll_profile_self(p, n, column), sum))
            return toll_fail(err, TOLL_E_OVERFLOW, "the sum of %.60s does not fit 64 bits",
                             toll_profile_column(p, column).type);
    return TOLL_OK;
}

static toll_status read_first(toll_equal *e, toll_profile *run, toll_error *err)
{
    uint32_t count = toll_profile_column_count(run);
    toll_status status = TOLL_OK;
    e->columns = toll_mem_new(&e->mem, count, sizeof *e->columns);
    if (count && !e->columns)
        return toll_fail_nomem(err);
    e->column_count = count;
    for (uint32_t c = 0; c < count; c++)
        toll_buffer_init(&e->columns[c].worst, &e->mem);
    for (uint32_t c = 0; !status && c < count; c++) {
        status = sum_up(run, c, &e->columns[c].least, err);
        e->columns[c].most = e->columns[c].least;
    }
    if (!status)
        e->first = run;
    return status;
}

static toll_status check_columns(const toll_equal *e, const toll_profile *run, toll_error *err)
{
    for (int i = 0; i < 2; i++) {
        const toll_profile *a = i ? run : e->first, *b = i ? e->first : run;
        for (uint32_t c = 0; c < toll_profile_column_count(a); c++)
            if (toll_profile_find_value_type(b, toll_profile_column(a, c)) == TOLL_NONE)
                return toll_fail(err, TOLL_E_INVARIANT,
                                 "run %" PRIu32 " and run 1 have other values: only %s has %.60s; "
                                 "record the same ones in each run",
                                 e->runs + 1, i ? "the later one" : "the first",
                                 toll_profile_column(a, c).type);
    }
    return TOLL_OK;
}

static uint64_t size_of(int64_t v)
{
    return v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
}

/* Count the stacks that differ in a column of the difference, and keep the one with the largest
 * difference. */
static void count_stacks(toll_equal_column *column, const toll_profile *difference, uint32_t c)
{
    uint32_t stacks = 0;
    toll_node_id worst = TOLL_NONE;
    char by[TOLL_SIGNED_TEXT_SIZE];
    for (toll_node_id n = 0; n < toll_profile_node_count(difference); n++) {
        uint64_t size = size_of(toll_profile_self(difference, n, c));
        stacks += size != 0;
        if (size && (worst == TOLL_NONE || size > size_of(toll_profile_self(difference, worst, c))))
            worst = n;
    }
    column->stacks = stacks > column->stacks ? stacks : column->stacks;
    if (!stacks || size_of(toll_profile_self(difference, worst, c)) <= column->worst_by)
        return;
    column->worst_by = size_of(toll_profile_self(difference, worst, c));
    toll_buffer_clear(&column->worst);
    toll_stack_append(difference, worst, &column->worst);
    toll_buffer_append_format(&column->worst, " (%s)",
                              toll_signed_text(toll_profile_self(difference, worst, c),
                                               toll_profile_column(difference, c).unit, by));
}

static toll_status compare(toll_equal *e, const toll_profile *run, toll_error *err)
{
    toll_profile *difference;
    toll_status status = check_columns(e, run, err);
    if (!status)
        status = toll_profile_diff(e->first, run, &difference, err);
    if (status)
        return status;
    for (uint32_t c = 0; !status && c < e->column_count; c++) {
        toll_equal_column *column = &e->columns[c];
        toll_value_type v = toll_profile_column(e->first, c);
        int64_t sum;
        status = sum_up(run, toll_profile_find_value_type(run, v), &sum, err);
        if (status)
            break;
        column->least = sum < column->least ? sum : column->least;
        column->most = sum > column->most ? sum : column->most;
        count_stacks(column, difference, toll_profile_find_value_type(difference, v));
        if (column->worst.failed)
            status = toll_fail_nomem(err);
    }
    toll_profile_free(difference);
    return status;
}

toll_status toll_equal_add(toll_equal *e, toll_profile *run, toll_error *err)
{
    toll_status status = e->first ? compare(e, run, err) : read_first(e, run, err);
    e->runs += !status;
    return status;
}

bool toll_equal_is(const toll_equal *e, uint32_t column)
{
    return e->columns[column].stacks == 0;
}

/* --- what is said ------------------------------------------------------------------------------*/

/* Write the values that were the same and are not time: "ticks, calls". */
static void put_exact(const toll_equal *e, toll_buffer *out)
{
    bool is_first = true;
    for (uint32_t c = 0; c < e->column_count; c++) {
        toll_value_type v = toll_profile_column(e->first, c);
        if (toll_is_time(v) || !toll_equal_is(e, c))
            continue;
        toll_buffer_append_format(out, "%s%s", is_first ? "" : ", ", v.type);
        is_first = false;
    }
    if (is_first)
        toll_buffer_append_text(out, "none");
}

static void put_row(const toll_equal *e, uint32_t c, toll_output *out)
{
    const toll_equal_column *column = &e->columns[c];
    toll_value_type v = toll_profile_column(e->first, c);
    char least[TOLL_VALUE_TEXT_SIZE], most[TOLL_VALUE_TEXT_SIZE];
    toll_output_printf(out, "%-8s", toll_equal_is(e, c) ? "equal" : "differs");
    toll_report_put_padded(out, v.type, 16);
    toll_output_printf(out, "  %s", toll_value_text(column->least, v.unit, least));
    if (column->most != column->least)
        toll_output_printf(out, " to %s", toll_value_text(column->most, v.unit, most));
    if (!toll_equal_is(e, c))
        toll_output_printf(out, ", in %" PRIu32 " stack%s", column->stacks,
                           toll_plural(column->stacks));
    toll_output_write(out, "\n", 1);
}

void toll_equal_put(const toll_equal *e, toll_output *out)
{
    toll_buffer exact;
    for (uint32_t c = 0; c < e->column_count; c++)
        put_row(e, c, out);
    toll_buffer_init(&exact, &e->mem);
    put_exact(e, &exact);
    toll_output_printf(out, "%" PRIu32 " run%s; values that can have an exact budget: ", e->runs,
                       toll_plural(e->runs));
    const char *text = toll_buffer_cstr(&exact);
    toll_output_put_printable(out, text ? text : "");
    toll_output_write(out, "\n", 1);
    toll_buffer_free(&exact);
}

static void put_finding(const toll_equal *e, uint32_t c, toll_findings *f)
{
    const toll_equal_column *column = &e->columns[c];
    toll_value_type v = toll_profile_column(e->first, c);
    char least[TOLL_VALUE_TEXT_SIZE], most[TOLL_VALUE_TEXT_SIZE];
    toll_findings_begin(f, "", 0);
    toll_buffer_append_format(&f->text,
                              "%s differs from run to run: %s to %s in %" PRIu32
                              " runs; it has no exact budget, ",
                              v.type, toll_value_text(column->least, v.unit, least),
                              toll_value_text(column->most, v.unit, most), e->runs);
    put_exact(e, &f->text);
    toll_buffer_append_text(&f->text, " can have one");
    toll_findings_end_line(f);
    toll_buffer_append_format(&f->text, "  most in ");
    toll_buffer_append(&f->text, column->worst.data, column->worst.size);
    toll_findings_end_line(f);
}

toll_status toll_equal_check(const toll_equal *e, const char *value, toll_findings *f,
                             toll_error *err)
{
    toll_shown shown = { TOLL_NONE, TOLL_NONE };
    toll_status status =
        value ? toll_choose_shown(e->first, e->first, NULL, value, &shown, err) : TOLL_OK;
    if (status)
        return status;
    if (value && toll_is_time(toll_profile_column(e->first, shown.column)))
        return toll_refuse_time(e->first, "", value, err);
    for (uint32_t c = 0; c < e->column_count; c++) {
        bool is_asked = value ? c == shown.column : !toll_is_time(toll_profile_column(e->first, c));
        if (is_asked && !toll_equal_is(e, c))
            put_finding(e, c, f);
    }
    return f->failed ? toll_fail_nomem(err) : TOLL_OK;
}
