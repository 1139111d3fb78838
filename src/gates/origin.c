/* origin.c - see origin.h. */
#include "gates/origin.h"

#include "base/fail.h"
#include "base/strtab.h"
#include "profile/profile_data.h"
#include "profile/runs.h"

#include <string.h>

/* Facts on which exact values depend. */
static const char *const makers[] = { "interpreter", "costs" };

toll_status toll_origin_take(toll_origin *o, const toll_allocator *allocator, const toll_profile *p,
                             toll_error *err)
{
    toll_status status = o->runs ? TOLL_OK : toll_profile_create(allocator, &o->runs, err);
    return status ? status : toll_runs_add_all(o->runs, p, err);
}

/* Leave of a kind its makers, and its labels but those of a key. */
static toll_status keep_made(const void *user, toll_run_kind *kind, bool *keep, toll_error *err)
{
    const char *left_out = user;
    size_t facts = 0, labels = 0;
    (void)keep;
    (void)err;
    for (size_t i = 0; i < kind->labels.count; i++)
        if (strcmp(kind->labels.items[i].key, left_out) != 0)
            kind->labels.items[labels++] = kind->labels.items[i];
    for (size_t i = 0; i < kind->facts.count; i++)
        for (size_t m = 0; m < sizeof makers / sizeof *makers; m++)
            if (strcmp(kind->facts.items[i].key, makers[m]) == 0)
                kind->facts.items[facts++] = kind->facts.items[i];
    kind->labels.count = labels;
    kind->facts.count = facts;
    return TOLL_OK;
}

toll_status toll_origin_take_made(toll_origin *o, const toll_allocator *allocator,
                                  const toll_profile *p, const char *left_out, toll_error *err)
{
    toll_status status = toll_origin_take(o, allocator, p, err);
    return status ? status : toll_runs_change(o->runs, keep_made, left_out, err);
}

void toll_origin_free(toll_origin *o)
{
    toll_profile_free(o->runs);
    o->runs = NULL;
}

/* --- who made them -----------------------------------------------------------------------------*/

/* Append the values of a fact in all runs, once each, in the order of kinds: "Lua 5.3.6". */
static toll_status put_values(const toll_profile *runs, const char *key, toll_buffer *text,
                              toll_error *err)
{
    toll_strtab met;
    toll_status status = TOLL_OK;
    toll_strtab_init(&met, &runs->mem);
    if (toll_strtab_add(&met, "", 0) != 0)
        status = toll_fail_nomem(err);
    for (uint32_t i = 0; !status && i < toll_profile_run_kind_count(runs); i++) {
        toll_run_kind kind;
        status = toll_run_kind_parse(&kind, &runs->mem, toll_profile_run_kind(runs, i, NULL), err);
        const char *value = status ? "" : toll_run_kind_fact(&kind, key);
        size_t count = met.count;
        if (toll_strtab_add(&met, value, strlen(value)) == UINT32_MAX)
            status = toll_fail_nomem(err);
        if (!status && met.count > count) {
            toll_buffer_append_text(text, count > 1 ? " and " : "");
            toll_buffer_append_text(text, value);
        }
        toll_run_kind_free(&kind);
    }
    toll_strtab_free(&met);
    return status;
}

static const char *name_of(const toll_origin *o, const char *usual)
{
    return o->name ? o->name : usual;
}

static toll_status compare_makers(const toll_origin *before, const toll_origin *after,
                                  toll_buffer *text, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < sizeof makers / sizeof *makers; i++) {
        toll_buffer was, is;
        toll_buffer_init(&was, &before->runs->mem);
        toll_buffer_init(&is, &before->runs->mem);
        status = put_values(before->runs, makers[i], &was, err);
        if (!status)
            status = put_values(after->runs, makers[i], &is, err);
        const char *old = toll_buffer_cstr(&was), *new = toll_buffer_cstr(&is);
        if (!status && (!old || !new))
            status = toll_fail_nomem(err);
        if (!status && *old && *new &&strcmp(old, new) != 0)
            toll_buffer_append_format(text, "%s%s: %s is of %s, %s of %s", text->size ? "; " : "",
                                      makers[i], name_of(before, "BEFORE"), old,
                                      name_of(after, "AFTER"), new);
        toll_buffer_free(&was);
        toll_buffer_free(&is);
    }
    return status;
}

/* Compare makers; then numbers of runs, or their shares. */
toll_status toll_origins_differ(const toll_origin *before, const toll_origin *after,
                                unsigned checks, const char *by, unsigned *differ,
                                toll_buffer *text, toll_error *err)
{
    toll_status status = TOLL_OK;
    *differ = 0;
    if (!before->runs || !after->runs)
        return TOLL_OK;
    if (checks & TOLL_ORIGIN_MAKERS)
        status = compare_makers(before, after, text, err);
    size_t size = text->size;
    if (size)
        *differ |= TOLL_ORIGIN_MAKERS;
    if (!status && checks & (TOLL_ORIGIN_COUNTS | TOLL_ORIGIN_SHARES))
        status =
            toll_origin_compare_runs(before->runs, after->runs, checks, by ? by : "", text, err);
    if (text->size > size)
        *differ |= checks & (TOLL_ORIGIN_COUNTS | TOLL_ORIGIN_SHARES);
    return !status && text->failed ? toll_fail_nomem(err) : status;
}
