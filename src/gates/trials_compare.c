/* trials_compare.c - compares the runs of two programs, value by value and function by function.
 * See trials.h. */
#include "gates/trials.h"

#include "base/fail.h"
#include "base/sort.h"
#include "gates/exact.h"
#include "report/functions.h"

#include <inttypes.h>
#include <string.h>

#define LEVEL 0.05

/* --- functions ---------------------------------------------------------------------------------*/

/* Which value functions are compared by: the default one of both, or else their first time; only a
 * time, since what is exact has toll diff. */
static const char *choose_value(const toll_trials *t)
{
    const toll_profile *a = t->profiles[TOLL_TRIAL_A][0], *b = t->profiles[TOLL_TRIAL_B][0];
    uint32_t first = TOLL_NONE, usual = a && b ? toll_profile_default_column(b) : TOLL_NONE;
    for (uint32_t c = 0; a && b && c < toll_profile_column_count(b); c++) {
        toll_value_type v = toll_profile_column(b, c);
        bool fits = toll_is_time(v) && toll_profile_find_value_type(a, v) != TOLL_NONE;
        if (fits && (first == TOLL_NONE || c == usual))
            first = c;
    }
    /* A's profiles may be replaced by aligned ones, and their names with them. */
    return first == TOLL_NONE ? NULL : toll_profile_column(b, first).type;
}

/* Functions that have moved are those of B's first run, as toll diff matches them. */
static toll_status align(toll_trials *t, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < t->runs[TOLL_TRIAL_A]; i++) {
        toll_profile **p = &t->profiles[TOLL_TRIAL_A][i], *aligned;
        status = toll_profile_align(*p, t->profiles[TOLL_TRIAL_B][0], &aligned, err);
        if (!status && aligned) {
            toll_profile_free(*p);
            *p = aligned;
        }
    }
    return status;
}

/* The function's row; NULL: no memory. `keys` has the functions in the order of the rows. */
static toll_trial_row *find_function(toll_trials *t, toll_strtab *keys, toll_frame f)
{
    toll_buffer key;
    toll_buffer_init(&key, &t->mem);
    toll_buffer_append_format(&key, "%s\n%s\n%" PRIu32 "\n%s", f.name, f.file, f.line,
                              f.module ? f.module : "");
    uint32_t id = key.failed ? UINT32_MAX : toll_strtab_add(keys, (const char *)key.data, key.size);
    toll_buffer_free(&key);
    if (id == UINT32_MAX)
        return NULL;
    if (id <= t->functions.count)
        return &t->functions.items[id - 1];
    toll_trial_row *row = toll_trials_add_row(t, &t->functions);
    if (row)
        row->frame = f;
    return row;
}

static toll_status add_functions(toll_trials *t, toll_strtab *keys, int side, uint32_t run,
                                 toll_error *err)
{
    toll_functions functions;
    const toll_report_options options = { .size = sizeof options, .value = t->function_value };
    toll_status status = toll_functions_create(&functions, t->profiles[side][run], &options, err);
    if (status)
        return status;
    for (uint32_t i = 0; !status && i < functions.count; i++) {
        toll_frame frame = toll_function_frame(&functions, &functions.rows[i]);
        toll_trial_row *row = find_function(t, keys, frame);
        if (row) {
            row->values[side][run] += functions.rows[i].self;
            row->unit = toll_profile_column(functions.profile, functions.column).unit;
        } else {
            status = toll_fail_nomem(err);
        }
    }
    toll_functions_free(&functions);
    return status;
}

static toll_status find_functions(toll_trials *t, toll_error *err)
{
    toll_strtab keys;
    toll_status status = align(t, err);
    toll_strtab_init(&keys, &t->mem);
    if (!status && toll_strtab_add(&keys, "", 0) != 0)
        status = toll_fail_nomem(err);
    for (int side = 0; side < TOLL_TRIAL_SIDES; side++)
        for (uint32_t i = 0; !status && i < t->runs[side]; i++)
            status = add_functions(t, &keys, side, i, err);
    toll_strtab_free(&keys);
    for (size_t i = 0; i < t->functions.count; i++)
        for (int side = 0; side < TOLL_TRIAL_SIDES; side++)
            t->functions.items[i].counts[side] = t->runs[side];
    return status;
}

/* --- the comparison ----------------------------------------------------------------------------*/

static toll_sample sample_of(const toll_trial_row *row, int side)
{
    return (toll_sample){ row->values[side], row->counts[side] };
}

static bool is_exact(const toll_trial_row *row)
{
    if (row->of_process || row->frame.name ||
        toll_is_time((toll_value_type){ row->name, row->unit }))
        return false;
    for (int side = 0; side < TOLL_TRIAL_SIDES; side++)
        for (uint32_t i = 1; i < row->counts[side]; i++)
            if (row->values[side][i] != row->values[side][0])
                return false;
    return true;
}

static bool find_medians(const toll_mem *mem, toll_trial_rows *rows)
{
    for (size_t i = 0; i < rows->count; i++)
        for (int side = 0; side < TOLL_TRIAL_SIDES; side++) {
            toll_trial_row *row = &rows->items[i];
            if (row->counts[side] &&
                !toll_median_of(mem, sample_of(row, side), &row->medians[side]))
                return false;
        }
    return true;
}

static bool test_row(const toll_mem *mem, toll_trial_row *row)
{
    row->is_exact = is_exact(row);
    if (!row->counts[0] || !row->counts[1] || row->is_exact)
        return true;
    return toll_rank_test(mem, sample_of(row, 0), sample_of(row, 1), &row->p) &&
           toll_ratio_of(mem, sample_of(row, 0), sample_of(row, 1), &row->ratio);
}

bool toll_trial_differs(const toll_trial_row *row)
{
    if (!row->counts[0] || !row->counts[1])
        return false;
    return row->is_exact ? row->medians[0].median != row->medians[1].median : row->p <= LEVEL;
}

static uint64_t change_of(const toll_trial_row *row)
{
    int64_t a = row->medians[0].median, b = row->medians[1].median;
    return a < b ? (uint64_t)b - (uint64_t)a : (uint64_t)a - (uint64_t)b;
}

static int compare_rows(const void *a, const void *b)
{
    const toll_trial_row *x = a, *y = b;
    uint64_t by_x = change_of(x), by_y = change_of(y);
    if (by_x != by_y)
        return by_x > by_y ? -1 : 1;
    int order = strcmp(x->frame.name, y->frame.name);
    if (!order)
        order = strcmp(x->frame.file, y->frame.file);
    return order ? order : (x->frame.line > y->frame.line) - (x->frame.line < y->frame.line);
}

/* Leave out functions that the median run of neither side spends time in: they would be tested, and
 * make the tests of the others less sharp. */
static void drop_small(toll_trials *t)
{
    toll_trial_rows *rows = &t->functions, kept = *rows;
    kept.count = 0;
    for (size_t i = 0; i < rows->count; i++) {
        toll_trial_row row = rows->items[i];
        if (row.medians[0].median || row.medians[1].median) {
            rows->items[i] = rows->items[kept.count]; /* its memory is freed with the others' */
            rows->items[kept.count++] = row;
        }
    }
    for (size_t i = kept.count; i < rows->count; i++)
        for (int side = 0; side < TOLL_TRIAL_SIDES; side++)
            toll_mem_free(&t->mem, rows->items[i].values[side], t->most, sizeof(int64_t));
    *rows = kept;
}

static bool adjust(toll_trials *t)
{
    toll_trial_rows *rows = &t->functions;
    double *p = toll_mem_new(&t->mem, rows->count, sizeof *p);
    if (rows->count && !p)
        return false;
    for (size_t i = 0; i < rows->count; i++)
        p[i] = rows->items[i].p;
    bool good = toll_adjust_p(&t->mem, p, (uint32_t)rows->count);
    for (size_t i = 0; good && i < rows->count; i++)
        rows->items[i].p = p[i];
    toll_mem_free(&t->mem, p, rows->count, sizeof *p);
    return good;
}

/* Note another interpreter, or another table of costs: exact values are then not comparable. */
static toll_status note_makers(toll_trials *t, toll_error *err)
{
    unsigned differ;
    toll_buffer text;
    toll_buffer_init(&text, &t->mem);
    for (int side = 0; side < TOLL_TRIAL_SIDES; side++)
        t->origins[side].name = t->titles[side];
    toll_status status = toll_origins_differ(&t->origins[0], &t->origins[1], TOLL_ORIGIN_MAKERS,
                                             NULL, &differ, &text, err);
    if (!status && text.size)
        toll_trials_note(t, "%s: exact values may differ for that alone", toll_buffer_cstr(&text));
    toll_buffer_free(&text);
    return status;
}

toll_status toll_trials_end(toll_trials *t, toll_error *err)
{
    t->function_value = choose_value(t);
    toll_status status = note_makers(t, err);
    if (!status && t->function_value)
        status = find_functions(t, err);
    if (status)
        return status;
    bool good = find_medians(&t->mem, &t->values) && find_medians(&t->mem, &t->functions);
    if (good)
        drop_small(t); /* before the tests, which cost most */
    for (size_t i = 0; good && i < t->values.count; i++)
        good = test_row(&t->mem, &t->values.items[i]);
    for (size_t i = 0; good && i < t->functions.count; i++)
        good = test_row(&t->mem, &t->functions.items[i]);
    if (!good)
        return toll_fail_nomem(err);
    toll_sort(t->functions.items, t->functions.count, sizeof *t->functions.items, compare_rows);
    return adjust(t) && toll_trials_judge(t) ? TOLL_OK : toll_fail_nomem(err);
}
