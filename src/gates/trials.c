/* trials.c - collects the runs of two programs. See trials.h. */
#include "gates/trials.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/text.h"
#include "profile/graft.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

toll_status toll_trials_init(toll_trials *t, const toll_mem *mem, uint32_t most, toll_error *err)
{
    *t = (toll_trials){ .mem = *mem, .most = most, .titles = { "A", "B" } };
    toll_strtab_init(&t->names, mem);
    toll_buffer_init(&t->notes, mem);
    for (int side = 0; side < TOLL_TRIAL_SIDES; side++) {
        t->profiles[side] = toll_mem_new(mem, most, sizeof *t->profiles[side]);
        if (!t->profiles[side])
            return toll_fail_nomem(err);
    }
    return TOLL_OK;
}

static void free_rows(toll_trials *t, toll_trial_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        for (int side = 0; side < TOLL_TRIAL_SIDES; side++)
            toll_mem_free(&t->mem, rows->items[i].values[side], t->most, sizeof(int64_t));
    toll_mem_free(&t->mem, rows->items, rows->capacity, sizeof *rows->items);
}

void toll_trials_free(toll_trials *t)
{
    free_rows(t, &t->values);
    free_rows(t, &t->functions);
    for (int side = 0; side < TOLL_TRIAL_SIDES; side++) {
        for (uint32_t i = 0; t->profiles[side] && i < t->runs[side]; i++)
            toll_profile_free(t->profiles[side][i]);
        toll_mem_free(&t->mem, t->profiles[side], t->most, sizeof *t->profiles[side]);
        toll_origin_free(&t->origins[side]);
    }
    toll_strtab_free(&t->names);
    toll_buffer_free(&t->notes);
    *t = (toll_trials){ .mem = t->mem };
}

void toll_trials_note(toll_trials *t, const char *format, ...)
{
    char line[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    toll_buffer_append(&t->notes, line, strlen(line) + 1);
}

/* --- runs --------------------------------------------------------------------------------------*/

toll_trial_row *toll_trials_add_row(toll_trials *t, toll_trial_rows *rows)
{
    toll_trial_row row = { 0 };
    if (!toll_array_grow(&t->mem, &rows->items, &rows->capacity, rows->count, 1))
        return NULL;
    for (int side = 0; side < TOLL_TRIAL_SIDES; side++)
        row.values[side] = toll_mem_new(&t->mem, t->most, sizeof(int64_t));
    if (!row.values[0] || !row.values[1]) {
        for (int side = 0; side < TOLL_TRIAL_SIDES; side++)
            toll_mem_free(&t->mem, row.values[side], t->most, sizeof(int64_t));
        return NULL;
    }
    rows->items[rows->count] = row;
    return &rows->items[rows->count++];
}

static toll_trial_row *find_value(toll_trials *t, bool of_process, toll_value_type v)
{
    for (size_t i = 0; i < t->values.count; i++) {
        toll_trial_row *row = &t->values.items[i];
        if (row->of_process == of_process && strcmp(row->name, v.type) == 0 &&
            strcmp(row->unit, v.unit ? v.unit : "") == 0)
            return row;
    }
    return NULL;
}

static toll_status add_value(toll_trials *t, int side, bool of_process, toll_value_type v,
                             int64_t value, toll_error *err)
{
    toll_trial_row *row = find_value(t, of_process, v);
    if (!row) {
        uint32_t name = toll_strtab_add(&t->names, v.type, strlen(v.type));
        uint32_t unit = v.unit ? toll_strtab_add(&t->names, v.unit, strlen(v.unit)) : 0;
        row = name == UINT32_MAX || unit == UINT32_MAX ? NULL : toll_trials_add_row(t, &t->values);
        if (!row)
            return toll_fail_nomem(err);
        row->name = toll_strtab_text(&t->names, name);
        row->unit = toll_strtab_text(&t->names, unit);
        row->of_process = of_process;
    }
    row->values[side][row->counts[side]++] = value;
    return TOLL_OK;
}

static toll_status add_columns(toll_trials *t, int side, const toll_profile *p, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t c = 0; !status && c < toll_profile_column_count(p); c++) {
        int64_t sum = 0;
        for (toll_node_id n = 0; n < toll_profile_node_count(p); n++)
            if (!toll_i64_add(sum, toll_profile_self(p, n, c), &sum))
                return toll_fail(err, TOLL_E_OVERFLOW, "the sum of %.60s does not fit 64 bits",
                                 toll_profile_column(p, c).type);
        status = add_value(t, side, false, toll_profile_column(p, c), sum, err);
    }
    return status;
}

/* Make a copy without stacks: of each function its self values. So memory goes with functions, and
 * not with the stacks of all runs. */
static toll_status keep_functions(const toll_trials *t, const toll_profile *p, toll_profile **out,
                                  toll_error *err)
{
    uint32_t columns = toll_profile_column_count(p);
    toll_thread_id thread = 0;
    toll_status status = toll_profile_like(&t->mem, p, out, err);
    if (!status)
        status = toll_profile_add_thread(*out, "", &thread, err);
    for (toll_node_id n = 0; !status && n < toll_profile_node_count(p); n++) {
        toll_frame_id frame = toll_profile_node_frame(p, n);
        toll_node_id node = toll_profile_root(*out, thread);
        if (frame != TOLL_NONE) {
            toll_frame f = toll_profile_frame(p, frame);
            toll_frame_id id;
            status = toll_profile_add_frame(*out, &f, &id, err);
            if (!status)
                status = toll_profile_add_child(*out, node, id, &node, err);
        }
        for (uint32_t c = 0; !status && c < columns; c++)
            status = toll_profile_add_self(*out, node, c, toll_profile_self(p, n, c), err);
    }
    return status;
}

/* Keep of the run's profile what is compared. */
static toll_status keep(toll_trials *t, int side, const toll_profile *p, toll_error *err)
{
    toll_status status = add_columns(t, side, p, err);
    if (!status && t->runs[side] == 1)
        status = toll_origin_take(&t->origins[side], &t->mem, p, err);
    return status ? status : keep_functions(t, p, &t->profiles[side][t->runs[side] - 1], err);
}

/* Does each row of the side have a value of each of its runs? */
static toll_status check_runs(const toll_trials *t, int side, toll_error *err)
{
    for (size_t i = 0; i < t->values.count; i++) {
        const toll_trial_row *row = &t->values.items[i];
        if (row->counts[side] && row->counts[side] != t->runs[side])
            return toll_fail(err, TOLL_E_INVARIANT,
                             "run %" PRIu32 " of %s and its first run have other values: only one "
                             "has %.60s; record the same ones in each run",
                             t->runs[side], t->titles[side], row->name);
    }
    return TOLL_OK;
}

toll_status toll_trials_add(toll_trials *t, int side, toll_trial_cost cost, toll_profile *p,
                            toll_error *err)
{
    t->profiles[side][t->runs[side]++] = NULL;
    toll_status status = add_value(t, side, true, (toll_value_type){ "wall time", "nanoseconds" },
                                   (int64_t)cost.wall_ns, err);
    if (!status)
        status = add_value(t, side, true, (toll_value_type){ "CPU time", "nanoseconds" },
                           (int64_t)cost.cpu_ns, err);
    if (!status && p)
        status = keep(t, side, p, err);
    toll_profile_free(p);
    return status ? status : check_runs(t, side, err);
}
