/* origin_counts.c - compares how many runs two profiles are the sum of, and the shares of these.
 * See origin.h. */
#include "gates/origin.h"

#include "base/fail.h"
#include "base/strtab.h"
#include "profile/profile_data.h"
#include "profile/runs.h"
#include "profile/thread_labels.h"
#include "report/report_text.h"

#include <inttypes.h>
#include <string.h>

/* Call `each` with every label of the runs. */
static toll_status for_labels(const toll_profile *runs,
                              bool (*each)(void *user, const toll_thread_label *label), void *user,
                              toll_error *err)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < toll_profile_run_kind_count(runs); i++) {
        toll_run_kind kind;
        status = toll_run_kind_parse(&kind, &runs->mem, toll_profile_run_kind(runs, i, NULL), err);
        for (size_t l = 0; !status && l < kind.labels.count; l++)
            if (!each(user, &kind.labels.items[l]))
                status = toll_fail_nomem(err);
        toll_run_kind_free(&kind);
    }
    return status;
}

/* Keys of which both profiles have a value. Others, such as the commit, are what is compared. */
typedef struct common_keys {
    toll_buffer room;
    toll_strtab labels; /* "KEY=VALUE", of one of the two */
    toll_strtab keys;
} common_keys;

static const char *label_text(common_keys *c, const toll_thread_label *label)
{
    toll_buffer_clear(&c->room);
    toll_buffer_append_format(&c->room, "%s=%s", label->key, label->value);
    return toll_buffer_cstr(&c->room);
}

static bool keep_label(void *user, const toll_thread_label *label)
{
    common_keys *c = user;
    const char *text = label_text(c, label);
    return text && toll_strtab_add(&c->labels, text, strlen(text)) != UINT32_MAX;
}

static bool keep_common_key(void *user, const toll_thread_label *label)
{
    common_keys *c = user;
    const char *text = label_text(c, label);
    return text && (toll_strtab_find(&c->labels, text, strlen(text)) == UINT32_MAX ||
                    toll_strtab_add(&c->keys, label->key, strlen(label->key)) != UINT32_MAX);
}

/* Leave of a kind only the labels with common keys. */
static toll_status drop_others(const void *user, toll_run_kind *kind, bool *keep, toll_error *err)
{
    const common_keys *c = user;
    size_t kept = 0;
    (void)keep;
    (void)err;
    kind->facts.count = 0;
    for (size_t i = 0; i < kind->labels.count; i++) {
        toll_thread_label label = kind->labels.items[i];
        if (toll_strtab_find(&c->keys, label.key, strlen(label.key)) != UINT32_MAX)
            kind->labels.items[kept++] = label;
    }
    kind->labels.count = kept;
    return TOLL_OK;
}

/* Make copies of the runs by their common labels alone. */
static toll_status by_common_labels(const toll_profile *before, const toll_profile *after,
                                    toll_profile **b, toll_profile **a, toll_error *err)
{
    common_keys c;
    toll_buffer_init(&c.room, &before->mem);
    toll_strtab_init(&c.labels, &before->mem);
    toll_strtab_init(&c.keys, &before->mem);
    toll_status status = for_labels(before, keep_label, &c, err);
    if (!status)
        status = for_labels(after, keep_common_key, &c, err);
    if (!status)
        status = toll_profile_copy(before, b, err);
    if (!status)
        status = toll_runs_change(*b, drop_others, &c, err);
    if (!status)
        status = toll_profile_copy(after, a, err);
    if (!status)
        status = toll_runs_change(*a, drop_others, &c, err);
    toll_buffer_free(&c.room);
    toll_strtab_free(&c.labels);
    toll_strtab_free(&c.keys);
    return status;
}

/* The runs of two profiles, by their common labels. */
typedef struct common_runs {
    toll_profile *before, *after;
} common_runs;

/* Go on to the next labels that one of the profiles has, in their order, and the numbers of runs
 * with these; NULL: there are no more. `place` begins as zeros. */
static const char *next_labels(const common_runs *c, uint32_t place[2], uint64_t *was, uint64_t *is)
{
    bool has_old = place[0] < c->before->run_count, has_new = place[1] < c->after->run_count;
    const char *old = toll_profile_run_kind(c->before, place[0], was),
               *new = toll_profile_run_kind(c->after, place[1], is);
    int order = has_old && has_new ? strcmp(old, new) : has_new - has_old;
    if (!has_old && !has_new)
        return NULL;
    *was = order <= 0 ? *was : 0;
    *is = order >= 0 ? *is : 0;
    place[0] += order <= 0;
    place[1] += order >= 0;
    return order <= 0 ? old : new;
}

/* Name the first labels of which the numbers of runs differ. */
static void compare_counts(const common_runs *c, toll_buffer *text)
{
    uint32_t place[2] = { 0, 0 };
    uint64_t was, is;
    const char *labels;
    while ((labels = next_labels(c, place, &was, &is)) != NULL)
        if (was && is && was != is) {
            toll_buffer_append_format(text,
                                      "%sBEFORE is the sum of %" PRIu64 " run%s%s%s, AFTER of "
                                      "%" PRIu64,
                                      text->size ? "; " : "", was, toll_plural(was),
                                      *labels ? " " : "", labels, is);
            return;
        }
}

/* Leave of a kind only the labels with a key of a list, "test,host". */
static toll_status keep_keys(const void *user, toll_run_kind *kind, bool *keep, toll_error *err)
{
    size_t kept = 0;
    (void)keep;
    (void)err;
    for (size_t i = 0; i < kind->labels.count; i++)
        if (toll_is_key_of(user, kind->labels.items[i].key))
            kind->labels.items[kept++] = kind->labels.items[i];
    kind->labels.count = kept;
    return TOLL_OK;
}

/* The runs of a profile by some of their labels. */
typedef struct row_runs {
    toll_profile *runs;
    const char *by;
} row_runs;

static toll_status row_runs_create(row_runs *r, const toll_profile *runs, const char *by,
                                   toll_error *err)
{
    *r = (row_runs){ .by = by };
    toll_status status = toll_profile_copy(runs, &r->runs, err);
    return status ? status : toll_runs_change(r->runs, keep_keys, by, err);
}

/* How many runs are in the row of a kind, by its text. */
static toll_status count_row(const row_runs *r, const char *kind_text, uint64_t *count,
                             toll_error *err)
{
    toll_run_kind kind;
    toll_buffer text;
    bool keep = true;
    toll_buffer_init(&text, &r->runs->mem);
    toll_status status = toll_run_kind_parse(&kind, &r->runs->mem, kind_text, err);
    if (!status)
        status = keep_keys(r->by, &kind, &keep, err);
    if (!status)
        toll_run_kind_put(&kind, &text);
    const char *row = status ? NULL : toll_buffer_cstr(&text);
    if (!status)
        status = row ? TOLL_OK : toll_fail_nomem(err);
    *count = row ? toll_runs_count(r->runs, row) : 0;
    toll_run_kind_free(&kind);
    toll_buffer_free(&text);
    return status;
}

/* Name the first labels of which the shares in their row differ. Of more than 2^32 runs no mean is
 * made. */
static toll_status compare_shares_in(const common_runs *c, const row_runs *before,
                                     const row_runs *after, toll_buffer *text, toll_error *err)
{
    uint32_t place[2] = { 0, 0 };
    uint64_t was, is, all_before, all_after;
    const char *labels;
    toll_status status = TOLL_OK;
    while (!status && (labels = next_labels(c, place, &was, &is)) != NULL) {
        status = count_row(before, labels, &all_before, err);
        if (!status)
            status = count_row(after, labels, &all_after, err);
        if (status || all_before > UINT32_MAX || all_after > UINT32_MAX || !all_before ||
            !all_after || was * all_after == is * all_before)
            continue;
        toll_buffer_append_format(text,
                                  "%sBEFORE has %" PRIu64 " of %" PRIu64 " runs%s%s, AFTER "
                                  "%" PRIu64 " of %" PRIu64 ": each is a sum of unlike runs",
                                  text->size ? "; " : "", was, all_before, *labels ? " " : "",
                                  labels, is, all_after);
        return TOLL_OK;
    }
    return status;
}

static toll_status compare_shares(const common_runs *c, const char *by, toll_buffer *text,
                                  toll_error *err)
{
    row_runs before = { NULL, NULL }, after = { NULL, NULL };
    toll_status status = row_runs_create(&before, c->before, by, err);
    if (!status)
        status = row_runs_create(&after, c->after, by, err);
    if (!status)
        status = compare_shares_in(c, &before, &after, text, err);
    toll_profile_free(before.runs);
    toll_profile_free(after.runs);
    return status;
}

toll_status toll_origin_compare_runs(const toll_profile *before, const toll_profile *after,
                                     unsigned checks, const char *by, toll_buffer *text,
                                     toll_error *err)
{
    common_runs common = { NULL, NULL };
    toll_status status = by_common_labels(before, after, &common.before, &common.after, err);
    if (!status && checks & TOLL_ORIGIN_COUNTS)
        compare_counts(&common, text);
    if (!status && checks & TOLL_ORIGIN_SHARES)
        status = compare_shares(&common, by, text, err);
    toll_profile_free(common.before);
    toll_profile_free(common.after);
    return status;
}
