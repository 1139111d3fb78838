/* snapshot_ages.c - divides the blocks of a heap by age, for toll report --leaks. See snapshots.h.
 */
#include "snapshots.h"

#include "base/fail.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The number in a thread's label snapshot=N; 0: it has none. */
static uint64_t age_of(const toll_profile *p, toll_thread_id thread)
{
    uint64_t number;
    for (uint32_t i = 0; i < toll_profile_thread_label_count(p, thread); i++) {
        toll_thread_label label = toll_profile_thread_label(p, thread, i);
        if (strcmp(label.key, TOLL_SNAPSHOT_LABEL) == 0 && *label.value != '0' &&
            toll_text_u64(label.value, strlen(label.value), &number))
            return number;
    }
    return 0;
}

static int compare_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* List the ages of a profile's blocks, sorted, into ages[threads]; returns how many there are. */
static size_t list_ages(const toll_profile *p, uint64_t *ages)
{
    size_t all = 0, count = 0;
    for (toll_thread_id t = 0; t < toll_profile_thread_count(p); t++)
        if (age_of(p, t))
            ages[all++] = age_of(p, t);
    qsort(ages, all, sizeof *ages, compare_numbers);
    for (size_t i = 0; i < all; i++)
        if (i == 0 || ages[i] != ages[i - 1])
            ages[count++] = ages[i];
    return count;
}

/* Copy the blocks of one age, without their label. */
static toll_status take_age(toll_snapshots *s, const toll_profile *p, size_t i, uint64_t age,
                            toll_error *err)
{
    char where[40], title[60];
    toll_profile *blocks;
    snprintf(where, sizeof where, TOLL_SNAPSHOT_LABEL "=%llu", (unsigned long long)age);
    int size = snprintf(title, sizeof title, "age %zu: first in snapshot %llu", i + 1,
                        (unsigned long long)age);
    uint32_t id = toll_strtab_add(&s->texts, title, (size_t)size);
    if (id == UINT32_MAX)
        return toll_fail_nomem(err);
    s->titles[i] = toll_strtab_text(&s->texts, id);
    toll_status status = toll_profile_filter(
        p, &(toll_filter){ .size = sizeof(toll_filter), .where = where }, &blocks, err);
    if (status)
        return status;
    status = toll_profile_group_by(blocks, "thread", &s->items[i], err);
    toll_profile_free(blocks);
    return status;
}

static bool has_values(const toll_profile *p)
{
    for (toll_node_id n = 0; n < toll_profile_node_count(p); n++)
        for (uint32_t c = 0; c < toll_profile_column_count(p); c++)
            if (toll_profile_self(p, n, c))
                return true;
    return false;
}

static toll_status take_ages(toll_snapshots *s, const toll_profile *p, const uint64_t *ages,
                             toll_error *err)
{
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < s->room; i++) {
        status = take_age(s, p, s->count, ages[i], err);
        if (status)
            break;
        if (has_values(s->items[s->count])) {
            s->count++;
        } else { /* an age without blocks is none */
            toll_profile_free(s->items[s->count]);
            s->items[s->count] = NULL;
        }
    }
    return status;
}

static toll_status divide(toll_snapshots *s, const toll_profile *p, const char *path,
                          toll_error *err)
{
    size_t room = (size_t)toll_profile_thread_count(p) + 1;
    uint64_t *ages = toll_mem_new(&s->mem, room, sizeof *ages);
    toll_status status = ages ? TOLL_OK : toll_fail_nomem(err);
    s->room = ages ? list_ages(p, ages) : 0;
    if (!status && s->room) {
        s->items = toll_mem_new(&s->mem, s->room, sizeof(toll_profile *));
        s->titles = toll_mem_new(&s->mem, s->room, sizeof(const char *));
        status = s->items && s->titles ? take_ages(s, p, ages, err) : toll_fail_nomem(err);
    }
    if (!status && !s->count)
        status = toll_fail(err, TOLL_E_NOT_FOUND,
                           "%.200s: no block has an age (the label " TOLL_SNAPSHOT_LABEL
                           "); take several snapshots, or compare files: toll diff --leaks",
                           path);
    toll_mem_free(&s->mem, ages, room, sizeof *ages);
    return status;
}

/* Add the sum of a value to *sum; sign -1: subtract it. */
static bool add_sum(const toll_profile *p, toll_value_type type, int sign, int64_t *sum)
{
    uint32_t column = toll_profile_find_value_type(p, type);
    bool ok = true;
    for (toll_node_id n = 0; ok && column != TOLL_NONE && n < toll_profile_node_count(p); n++) {
        int64_t value = toll_profile_self(p, n, column);
        ok = sign < 0 ? toll_i64_sub(*sum, value, sum) : toll_i64_add(*sum, value, sum);
    }
    return ok;
}

/* Say how much has no age, and so is in no row. */
static void warn_of_ageless(const toll_job *job, const toll_snapshots *s, const char *path,
                            const toll_profile *p)
{
    const char *value = job->settings->format.value;
    uint32_t column = value ? toll_profile_find_column(p, value) : toll_profile_default_column(p);
    int64_t left = 0;
    char text[TOLL_VALUE_TEXT_SIZE];
    if (column == TOLL_NONE)
        return;
    toll_value_type type = toll_profile_column(p, column);
    bool ok = add_sum(p, type, 1, &left);
    for (size_t i = 0; ok && i < s->count; i++)
        ok = add_sum(s->items[i], type, -1, &left);
    if (ok && left)
        toll_job_warn(job, "%s: %s of %s without an age are left out", path,
                      toll_value_text(left, type.unit, text), type.type);
}

int toll_snapshots_load_ages(toll_job *job, const char *path, toll_snapshots *s)
{
    toll_profile *p;
    toll_error err = { TOLL_OK, "" };
    const char *title = toll_job_title(path);
    *s = (toll_snapshots){ .mem = job->allocator, .are_ages = true, .first = title ? title : "-" };
    toll_strtab_init(&s->texts, &s->mem);
    job->keeps_labels = true;
    int failed = toll_snapshots_read(job, path, NULL, &p);
    if (!failed && divide(s, p, path, &err))
        failed = toll_job_fail(job, &err);
    if (!failed)
        warn_of_ageless(job, s, path, p);
    toll_profile_free(p);
    return failed;
}
