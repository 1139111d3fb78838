/* per_run.c - see per_run.h. */
#include "gates/per_run.h"

#include "base/fail.h"
#include "base/text.h"
#include "gates/exact.h"
#include "profile/profile_data.h"
#include "profile/runs.h"
#include "profile/thread_labels.h"

#include <inttypes.h>
#include <string.h>

enum { MOST_RUNS = INT32_MAX };

typedef struct divided {
    toll_profile *profile;
    const char *name; /* BEFORE or AFTER, for messages */
    int64_t *runs;    /* by thread */
    int64_t *of_node; /* by node: those of its thread */
} divided;

static uint64_t greatest_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

static uint64_t size_of(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* --- how many runs -----------------------------------------------------------------------------*/

/* Are the labels of the kind those of the thread? Both are sorted; a thread may have a root. */
static bool is_of(const toll_run_kind *kind, const toll_profile *p, toll_thread_id thread)
{
    size_t same = 0;
    for (uint32_t i = 0; i < toll_profile_thread_label_count(p, thread); i++) {
        toll_thread_label label = toll_profile_thread_label(p, thread, i);
        if (strcmp(label.key, TOLL_ROOT_KEY) == 0)
            continue;
        if (same == kind->labels.count || strcmp(label.key, kind->labels.items[same].key) != 0 ||
            strcmp(label.value, kind->labels.items[same].value) != 0)
            return false;
        same++;
    }
    return same == kind->labels.count;
}

/* Add the runs of one kind to the threads that have its labels; or to all threads. */
static toll_status add_kind(const divided *d, uint32_t i, bool by_labels, toll_error *err)
{
    toll_profile *p = d->profile;
    toll_run_kind kind;
    uint64_t count;
    const char *text = toll_profile_run_kind(p, i, &count);
    toll_status status = toll_run_kind_parse(&kind, &p->mem, text, err);
    for (toll_thread_id t = 0; !status && t < p->thread_count; t++)
        if (!by_labels || is_of(&kind, p, t)) {
            if (count > MOST_RUNS || d->runs[t] > MOST_RUNS - (int64_t)count)
                status =
                    toll_fail(err, TOLL_E_OVERFLOW, "--per-run: %s is of too many runs", d->name);
            else
                d->runs[t] += (int64_t)count;
        }
    toll_run_kind_free(&kind);
    return status;
}

static toll_status count_runs(divided *d, bool by_labels, toll_error *err)
{
    toll_profile *p = d->profile;
    d->runs = toll_mem_new(&p->mem, p->thread_count + 1, sizeof *d->runs);
    toll_status status = d->runs ? TOLL_OK : toll_fail_nomem(err);
    for (uint32_t i = 0; !status && i < toll_profile_run_kind_count(p); i++)
        status = add_kind(d, i, by_labels, err);
    if (!status && p->has_unknown_runs)
        return toll_fail(err, TOLL_E_NOT_FOUND,
                         "--per-run: %s is also the sum of files that do not say of how many runs "
                         "they are",
                         d->name);
    for (toll_thread_id t = 0; !status && t < p->thread_count; t++)
        if (!d->runs[t])
            status = toll_fail(err, TOLL_E_NOT_FOUND,
                               "--per-run: %s does not say of how many runs it is; profiles that "
                               "Toll records do",
                               d->name);
    return status;
}

static toll_status spread_to_nodes(divided *d, toll_error *err)
{
    const toll_profile *p = d->profile;
    d->of_node = toll_mem_new(&p->mem, (size_t)p->tree.count + 1, sizeof *d->of_node);
    if (!d->of_node)
        return toll_fail_nomem(err);
    for (toll_thread_id t = 0; t < p->thread_count; t++)
        d->of_node[toll_profile_root(p, t)] = d->runs[t];
    for (uint32_t id = 0; id < p->tree.count; id++) {
        toll_node_id parent = toll_profile_parent(p, id); /* its number is lower */
        if (parent != TOLL_NONE)
            d->of_node[id] = d->of_node[parent];
    }
    return TOLL_OK;
}

/* --- the values --------------------------------------------------------------------------------*/

/* Calls `each` with each value, and the number of runs that it is of. */
typedef bool visit(int64_t *value, int64_t runs, bool is_time, int64_t *multiple);

static bool visit_all(const divided *d, visit *each, int64_t *multiple)
{
    toll_profile *p = d->profile;
    bool ok = true;
    for (uint32_t c = 0; c < p->column_count; c++) {
        bool is_time = toll_is_time(toll_profile_column(p, c));
        for (uint32_t id = 0; ok && id < p->tree.count; id++) {
            toll_node *node = toll_tree_node(&p->tree, id);
            if (node->values[c])
                ok = each(&node->values[c], d->of_node[id], is_time, multiple);
        }
    }
    return ok;
}

/* Make *multiple a number with which the quotient is an integer, too. */
static bool widen(int64_t *value, int64_t runs, bool is_time, int64_t *multiple)
{
    if (is_time)
        return true;
    uint64_t whole = (uint64_t)runs / greatest_divisor((uint64_t)runs, size_of(*value));
    uint64_t more = whole / greatest_divisor(whole, (uint64_t)*multiple);
    if (more > MOST_RUNS / (uint64_t)*multiple)
        return false;
    *multiple *= (int64_t)more;
    return true;
}

static bool divide(int64_t *value, int64_t runs, bool is_time, int64_t *multiple)
{
    uint64_t common = greatest_divisor((uint64_t)runs, (uint64_t)*multiple);
    int64_t by = runs / (int64_t)common, times = *multiple / (int64_t)common;
    int64_t half = is_time ? (*value < 0 ? -by : by) / 2 : 0;
    if (size_of(*value) > (uint64_t)INT64_MAX / (uint64_t)times ||
        !toll_i64_add(*value * times, half, value))
        return false;
    *value /= by;
    return true;
}

toll_status toll_divide_by_runs(toll_profile *before, toll_profile *after, bool by_labels,
                                int64_t *runs, toll_error *err)
{
    divided of[] = { { .profile = before, .name = "BEFORE" },
                     { .profile = after, .name = "AFTER" } };
    toll_status status = TOLL_OK;
    *runs = 1;
    for (size_t i = 0; !status && i < 2; i++)
        status = count_runs(&of[i], by_labels, err);
    for (size_t i = 0; !status && i < 2; i++)
        status = spread_to_nodes(&of[i], err);
    bool ok = status || (visit_all(&of[0], widen, runs) && visit_all(&of[1], widen, runs) &&
                         visit_all(&of[0], divide, runs) && visit_all(&of[1], divide, runs));
    if (!ok)
        status = toll_fail(err, TOLL_E_OVERFLOW,
                           "--per-run: the numbers of runs have no common multiple below 2^31, or "
                           "a value times it does not fit 64 bits");
    for (size_t i = 0; i < 2; i++) {
        const toll_profile *p = of[i].profile;
        toll_mem_free(&p->mem, of[i].runs, p->thread_count + 1, sizeof *of[i].runs);
        toll_mem_free(&p->mem, of[i].of_node, (size_t)p->tree.count + 1, sizeof *of[i].of_node);
    }
    return status;
}
