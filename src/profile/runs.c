/* runs.c - see runs.h. Kinds of runs are kept in the order of their texts. */
#include "profile/runs.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/sort.h"
#include "profile/profile_data.h"
#include "profile/thread_labels.h"

#include <string.h>

/* The position of the kind with that text among the sorted ones; *there: the profile has it. */
static size_t place_of(const toll_profile *p, uint32_t text, bool *there)
{
    size_t low = 0, high = p->run_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(toll_profile_text(p, p->runs[middle].text), toll_profile_text(p, text)) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *there = low < p->run_count && p->runs[low].text == text;
    return low;
}

static toll_status too_many(toll_error *err)
{
    return toll_fail(err, TOLL_E_OVERFLOW, "the numbers of runs do not fit 64 bits");
}

/* Add runs of a kind. Room for it must have been made, if it is new. */
static void add_kind(toll_profile *p, uint32_t text, uint64_t count)
{
    bool there;
    size_t at = place_of(p, text, &there);
    if (!there) {
        memmove(p->runs + at + 1, p->runs + at, (p->run_count - at) * sizeof *p->runs);
        p->runs[at] = (toll_note_data){ text, 0 };
        p->run_count++;
    }
    p->runs[at].count += count;
}

/* Make sure that add_kind can add that to the runs. */
static toll_status prepare_kind(toll_profile *p, const char *text, uint64_t count, size_t more,
                                uint32_t *id, toll_error *err)
{
    bool there;
    *id = toll_strtab_add_clean(&p->strings, text);
    if (*id == TOLL_NONE ||
        !toll_array_grow(&p->mem, &p->runs, &p->run_capacity, p->run_count, more))
        return toll_fail_nomem(err);
    size_t at = place_of(p, *id, &there);
    return there && count > UINT64_MAX - p->runs[at].count ? too_many(err) : TOLL_OK;
}

static toll_status add_text(toll_profile *p, const char *text, uint64_t count, toll_error *err)
{
    uint32_t id;
    toll_status status = count ? prepare_kind(p, text, count, 1, &id, err) : TOLL_OK;
    if (!status && count)
        add_kind(p, id, count);
    return status;
}

static toll_status add_parsed(toll_profile *p, toll_run_kind *kind, uint64_t count, toll_error *err)
{
    toll_buffer text;
    toll_buffer_init(&text, &p->mem);
    toll_run_kind_put(kind, &text);
    const char *whole = toll_buffer_cstr(&text);
    toll_status status = whole ? add_text(p, whole, count, err) : toll_fail_nomem(err);
    toll_buffer_free(&text);
    return status;
}

toll_status toll_runs_add(toll_profile *p, const char *text, uint64_t count, toll_error *err)
{
    toll_run_kind kind;
    toll_status status = toll_run_kind_parse(&kind, &p->mem, text, err);
    if (!status)
        status = add_parsed(p, &kind, count, err);
    toll_run_kind_free(&kind);
    return status;
}

uint64_t toll_runs_count(const toll_profile *p, const char *text)
{
    bool there;
    uint32_t id = toll_strtab_find(&p->strings, text, strlen(text));
    size_t at = id == UINT32_MAX ? 0 : place_of(p, id, &there);
    return id != UINT32_MAX && there ? p->runs[at].count : 0;
}

void toll_runs_add_unknown(toll_profile *p)
{
    p->has_unknown_runs = true;
}

/* --- of another profile ------------------------------------------------------------------------*/

toll_status toll_runs_prepare(toll_profile *p, const toll_profile *from, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < from->run_count; i++) {
        uint32_t id;
        status = prepare_kind(p, toll_profile_text(from, from->runs[i].text), from->runs[i].count,
                              from->run_count, &id, err);
    }
    return status;
}

void toll_runs_add_prepared(toll_profile *p, const toll_profile *from)
{
    for (size_t i = 0; i < from->run_count; i++)
        add_kind(p,
                 toll_strtab_find(&p->strings, toll_profile_text(from, from->runs[i].text),
                                  toll_strtab_size(&from->strings, from->runs[i].text)),
                 from->runs[i].count);
    p->has_unknown_runs |= from->has_unknown_runs;
}

toll_status toll_runs_add_all(toll_profile *p, const toll_profile *from, toll_error *err)
{
    toll_status status = toll_runs_prepare(p, from, err);
    if (!status)
        toll_runs_add_prepared(p, from);
    return status;
}

bool toll_runs_are_mixed(const toll_profile *a, const toll_profile *b)
{
    bool a_is_known = a->run_count > 0, b_is_known = b->run_count > 0;
    return (a_is_known && !b_is_known && b->thread_count > 0) ||
           (b_is_known && !a_is_known && a->thread_count > 0);
}

/* --- changes -----------------------------------------------------------------------------------*/

toll_status toll_runs_change(toll_profile *p, toll_run_change *change, const void *user,
                             toll_error *err)
{
    size_t count = p->run_count;
    toll_note_data *old = toll_mem_new(&p->mem, count + 1, sizeof *old);
    toll_status status = old ? TOLL_OK : toll_fail_nomem(err);
    if (old && count)
        memcpy(old, p->runs, count * sizeof *old);
    if (old)
        p->run_count = 0;
    for (size_t i = 0; !status && i < count; i++) {
        toll_run_kind kind;
        bool keep = true;
        status = toll_run_kind_parse(&kind, &p->mem, toll_profile_text(p, old[i].text), err);
        if (!status)
            status = change(user, &kind, &keep, err);
        if (!status && keep)
            status = add_parsed(p, &kind, old[i].count, err);
        toll_run_kind_free(&kind);
    }
    toll_mem_free(&p->mem, old, count + 1, sizeof *old);
    return status;
}

static bool has_label(const void *of, toll_thread_label wanted)
{
    const toll_run_kind *kind = of;
    if (strcmp(wanted.key, TOLL_THREAD_KEY) == 0)
        return true; /* a run has threads of any name */
    for (size_t i = 0; i < kind->labels.count; i++)
        if (strcmp(kind->labels.items[i].key, wanted.key) == 0 &&
            strcmp(kind->labels.items[i].value, wanted.value) == 0)
            return true;
    return false;
}

static toll_status keep_labelled(const void *list, toll_run_kind *kind, bool *keep, toll_error *err)
{
    (void)err;
    *keep = toll_label_list_matches(list, has_label, kind);
    return TOLL_OK;
}

toll_status toll_runs_keep(toll_profile *p, const toll_label_list *list, toll_error *err)
{
    return toll_runs_change(p, keep_labelled, list, err);
}

/* --- toll/profile.h ----------------------------------------------------------------------------*/

static toll_status check_facts(const toll_thread_label *facts, uint32_t count, toll_error *err)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!facts || !facts[i].key || !facts[i].value)
            return toll_fail_null(err, "a fact");
        if (!*facts[i].key || facts[i].key[strspn(facts[i].key, "abcdefghijklmnopqrstuvwxyz_")])
            return toll_fail(err, TOLL_E_ARGUMENT,
                             "a fact's key has the letters a to z and _, not '%.60s'",
                             facts[i].key);
    }
    return TOLL_OK;
}

/* Write the id of the text of the kind that a run with these facts and the labels of a thread (or
 * none) is. */
static toll_status find_kind(toll_profile *p, toll_thread_id thread, const toll_thread_label *facts,
                             uint32_t count, uint32_t *text, toll_error *err)
{
    toll_run_kind kind;
    toll_buffer whole;
    bool good = true;
    toll_run_kind_init(&kind, &p->mem);
    toll_buffer_init(&whole, &p->mem);
    for (uint32_t i = 0; good && i < toll_profile_thread_label_count(p, thread); i++)
        good = toll_run_list_add(&kind, &kind.labels, toll_profile_thread_label(p, thread, i));
    for (uint32_t i = 0; good && i < count; i++)
        good = toll_run_list_add(&kind, &kind.facts, facts[i]);
    toll_run_kind_put(&kind, &whole);
    const char *cstr = toll_buffer_cstr(&whole);
    *text = good && cstr ? toll_strtab_add_clean(&p->strings, cstr) : TOLL_NONE;
    toll_buffer_free(&whole);
    toll_run_kind_free(&kind);
    return *text == TOLL_NONE ? toll_fail_nomem(err) : TOLL_OK;
}

static int compare_ids(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return x < y ? -1 : x > y;
}

toll_status toll_profile_add_run(toll_profile *p, const toll_thread_label *facts, uint32_t count,
                                 toll_error *err)
{
    if (!p)
        return toll_fail_null(err, "profile");
    toll_status status = check_facts(facts, count, err);
    if (status)
        return status;
    size_t threads = p->thread_count ? p->thread_count : 1;
    uint32_t *texts = toll_mem_new(&p->mem, threads, sizeof *texts);
    if (!texts)
        return toll_fail_nomem(err);
    for (size_t t = 0; !status && t < threads; t++)
        status = find_kind(p, (toll_thread_id)t, facts, count, &texts[t], err);
    if (!status)
        toll_sort(texts, threads, sizeof *texts, compare_ids);
    for (size_t t = 0; !status && t < threads; t++)
        if (!t || texts[t] != texts[t - 1])
            status = add_text(p, toll_profile_text(p, texts[t]), 1, err);
    toll_mem_free(&p->mem, texts, threads, sizeof *texts);
    return status;
}

uint32_t toll_profile_run_kind_count(const toll_profile *p)
{
    return (uint32_t)p->run_count;
}

const char *toll_profile_run_kind(const toll_profile *p, uint32_t i, uint64_t *count)
{
    toll_note_data none = { 0, 0 }, run = i < p->run_count ? p->runs[i] : none;
    if (count)
        *count = run.count;
    return toll_profile_text(p, run.text);
}

int toll_profile_has_unknown_runs(const toll_profile *p)
{
    return p->has_unknown_runs;
}
