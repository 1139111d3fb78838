/* series_cells.c - see series_cells.h. */
#include "report/series_cells.h"

#include "base/printable.h"
#include "base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* Cells before the steps. */
static size_t fixed_cells(const toll_series *s)
{
    size_t count = s->other.type ? 2 : 1;
    return s->options.are_ages ? count + 1 : count;
}

toll_series_cells toll_series_cells_of(const toll_series *s)
{
    toll_series_cells c = { .series = s };
    c.steps = s->most < TOLL_SERIES_STEPS ? s->most : TOLL_SERIES_STEPS;
    c.first = s->most - c.steps;
    c.count = fixed_cells(s) + c.steps + (s->options.are_ages ? 0 : 1);
    return c;
}

typedef enum cell_kind { CHANGE, OTHER, AGES, STEP, LAST } cell_kind;

static cell_kind kind_of(const toll_series_cells *c, size_t cell, size_t *step)
{
    size_t fixed = fixed_cells(c->series);
    *step = cell < fixed ? 0 : c->first + cell - fixed;
    if (cell >= fixed)
        return cell < fixed + c->steps ? STEP : LAST;
    if (cell + 1 == fixed && c->series->options.are_ages)
        return AGES;
    return cell == 0 ? CHANGE : OTHER;
}

const char *toll_series_head(const toll_series_cells *c, size_t cell,
                             char text[TOLL_SERIES_CELL_SIZE])
{
    size_t step;
    bool are_ages = c->series->options.are_ages;
    switch (kind_of(c, cell, &step)) {
    case CHANGE: strcpy(text, are_ages ? "in all" : "change"); break;
    case OTHER: toll_printable(c->series->other.type, text, TOLL_SERIES_CELL_SIZE); break;
    case AGES: strcpy(text, "ages"); break;
    case STEP:
        snprintf(text, TOLL_SERIES_CELL_SIZE, are_ages ? "age %zu" : "step %zu", step + 1);
        break;
    case LAST: strcpy(text, "at the end"); break;
    }
    return text;
}

/* A change; of ages an amount. */
static const char *amount_text(const toll_series *s, int64_t value, const char *unit,
                               char text[TOLL_SIGNED_TEXT_SIZE])
{
    return s->options.are_ages ? toll_value_text(value, unit, text)
                               : toll_signed_text(value, unit, text);
}

/* How much a value grew in a step, or what it has of an age. False: it does not fit 64 bits. */
static bool step_of(const toll_series *s, const int64_t *values, size_t step, int64_t *by)
{
    if (!s->options.are_ages)
        return toll_i64_sub(values[step + 1], values[step], by);
    *by = values[step];
    return true;
}

/* "+1,024 B (+2)": a step of the value, and of the other one. */
static void put_step(const toll_series *s, const toll_series_row *row, size_t step,
                     char text[TOLL_SERIES_CELL_SIZE])
{
    char other[TOLL_SIGNED_TEXT_SIZE];
    int64_t by;
    strcpy(text, "too large");
    if (step_of(s, row->values, step, &by))
        amount_text(s, by, s->value.unit, text);
    if (!row->others || !step_of(s, row->others, step, &by))
        return;
    size_t used = strlen(text);
    snprintf(text + used, TOLL_SERIES_CELL_SIZE - used, " (%s)",
             amount_text(s, by, s->other.unit, other));
}

const char *toll_series_cell(const toll_series_cells *c, const toll_series_row *row, size_t cell,
                             char text[TOLL_SERIES_CELL_SIZE])
{
    const toll_series *s = c->series;
    size_t step;
    switch (kind_of(c, cell, &step)) {
    case CHANGE: amount_text(s, row->by, s->value.unit, text); break;
    case OTHER: amount_text(s, row->other_by, s->other.unit, text); break;
    case AGES:
        snprintf(text, TOLL_SERIES_CELL_SIZE, "%" PRIu32 " of %" PRIu32, row->grown, s->most);
        break;
    case STEP: put_step(s, row, step, text); break;
    case LAST: toll_value_text(row->values[s->count - 1], s->value.unit, text); break;
    }
    return text;
}

/* Write what a profile has, and how it has changed since the one before. */
static void put_sum(const toll_series *s, const int64_t *values, size_t profile, const char *unit,
                    char texts[2][TOLL_SIGNED_TEXT_SIZE])
{
    int64_t by;
    toll_value_text(values[profile], unit, texts[0]);
    if (profile && !s->options.are_ages && toll_i64_sub(values[profile], values[profile - 1], &by))
        toll_signed_text(by, unit, texts[1]);
}

void toll_series_sums(const toll_series *s, size_t profile,
                      char texts[TOLL_SERIES_SUMS][TOLL_SIGNED_TEXT_SIZE])
{
    const toll_series_row *all = s->all.items;
    for (int i = 0; i < TOLL_SERIES_SUMS; i++)
        *texts[i] = 0;
    put_sum(s, all->values, profile, s->value.unit, texts);
    if (all->others)
        put_sum(s, all->others, profile, s->other.unit, texts + 2);
}

const char *toll_series_group(const toll_series *s, bool are_leaks,
                              char text[TOLL_SERIES_CELL_SIZE])
{
    if (s->options.are_ages)
        strcpy(text, are_leaks ? "blocks of each age" : "blocks of some ages");
    else if (!are_leaks)
        strcpy(text, "other changes");
    else if (s->most == 1)
        strcpy(text, "grew");
    else
        snprintf(text, TOLL_SERIES_CELL_SIZE, "grew in each of %" PRIu32 " steps", s->most);
    return text;
}

uint32_t toll_series_shown(const toll_series *s, const toll_series_rows *rows)
{
    uint32_t most = s->options.rows;
    return most && most < rows->count ? most : rows->count;
}

uint32_t toll_series_stack(const toll_series *s, const toll_series_row *row,
                           toll_frame_id frames[TOLL_SERIES_FRAMES], uint32_t *left)
{
    uint32_t count = 0;
    *left = 0;
    for (toll_node_id n = row->id; toll_profile_node_frame(s->tree, n) != TOLL_NONE;
         n = toll_profile_parent(s->tree, n)) {
        if (count < TOLL_SERIES_FRAMES)
            frames[count++] = toll_profile_node_frame(s->tree, n);
        else
            ++*left;
    }
    return count;
}
