/* executions.c - see executions.h. */
#include "executions.h"

#include "base/fail.h"
#include "callees.h"
#include "delivery.h"
#include "tools.h"

#include <stdio.h>
#include <string.h>
#include <toll/embedder.h>

static bool no_calls; /* only executions are recorded */

void host_begin_executions(bool are_alone)
{
    no_calls = are_alone;
}

uint32_t host_counter_count(void)
{
    const host_module *m = host_current_module();
    return m ? m->info.counter_count : 0;
}

void host_executions(const uint64_t *counts, uint32_t count)
{
    if (count > 0 && count <= host_counter_count())
        memcpy(host_current_module()->executions, counts, count * sizeof *counts);
}

/* The profile to which the lines are added, and its columns for them. */
typedef struct lines {
    toll_profile *profile;
    toll_node_id root;
    uint32_t ticks, executions;
    toll_buffer texts;
} lines;

/* Add the stretch of a counter, as a stack of one frame. */
static toll_status add_stretch(lines *l, const toll_wasm_section_info *t,
                               const toll_wasm_section_counter *counter, uint64_t count)
{
    toll_frame frame;
    toll_frame_id id;
    toll_node_id node;
    if (!host_function_frame(t, counter->function, &l->texts, &frame))
        return toll_fail_nomem(host_error());
    frame.at_address = counter->address;
    if (count > INT64_MAX || (counter->cost && count > INT64_MAX / counter->cost))
        return toll_fail(host_error(), TOLL_E_OVERFLOW, "%s: more than 2^63 executions or ticks",
                         frame.name);
    toll_status status = toll_profile_add_frame(l->profile, &frame, &id, host_error());
    if (!status)
        status = toll_profile_add_child(l->profile, l->root, id, &node, host_error());
    if (!status)
        status =
            toll_profile_add_self(l->profile, node, l->executions, (int64_t)count, host_error());
    return status ? status
                  : toll_profile_add_self(l->profile, node, l->ticks,
                                          (int64_t)(count * counter->cost), host_error());
}

static toll_status add_module(lines *l, const host_module *m)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < m->info.counter_count; i++) {
        uint64_t count = m->before[i] + m->executions[i];
        if (count)
            status = add_stretch(l, &m->info, &m->info.counters[i], count);
    }
    return status;
}

/* Make a profile with only the lines. If calls are charged with ticks too, ticks of lines have a
 * column of their own; otherwise the profile's sum would count them twice. */
static toll_status make_lines(lines *l)
{
    const char *ticks = host_has_ticks() ? "line ticks" : "ticks";
    toll_thread_id thread;
    toll_status status = toll_profile_create(NULL, &l->profile, host_error());
    if (!status)
        status = toll_profile_add_column(l->profile, ticks, "count", &l->ticks, host_error());
    if (!status)
        status = toll_profile_add_column(l->profile, "executions", "count", &l->executions,
                                         host_error());
    if (!status)
        status = toll_profile_add_thread(l->profile, "main", &thread, host_error());
    if (!status)
        l->root = toll_profile_root(l->profile, thread);
    for (const host_module *m = host_modules(); !status && m; m = m->next)
        status = add_module(l, m);
    return status;
}

static bool counts_lines(void)
{
    const host_module *m = host_modules();
    while (m && !m->info.counter_count)
        m = m->next;
    return m != NULL;
}

toll_status host_copy_notes(const toll_profile *from, toll_profile *to)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < toll_profile_note_count(from); i++) {
        uint64_t count;
        const char *text = toll_profile_note(from, i, &count);
        status = toll_profile_add_note(to, text, count, host_error());
    }
    return status;
}

/* Merge, and keep the column that is shown by default: merging sorts the columns. */
static toll_status merge(toll_profile *p, const toll_profile *more)
{
    uint32_t shown = toll_profile_default_column(p);
    bool has_values =
        shown != TOLL_NONE && strcmp(toll_profile_column(p, shown).type, "calls") != 0;
    const toll_profile *of = has_values ? p : more;
    char type[32]; /* a copy, since merging replaces the profile's columns */
    snprintf(type, sizeof type, "%s", toll_profile_column(of, has_values ? shown : 0).type);
    toll_status status = toll_profile_merge(p, more, host_error());
    if (!status)
        toll_profile_set_default_column(p, toll_profile_find_column(p, type));
    return status;
}

toll_status host_add_lines(toll_profile **profile)
{
    toll_mem mem = toll_mem_from(NULL);
    lines l = { .profile = NULL };
    if (!counts_lines())
        return TOLL_OK;
    toll_buffer_init(&l.texts, &mem);
    toll_status status = make_lines(&l);
    if (!status && no_calls) {
        toll_profile *calls = *profile;
        status = host_copy_notes(calls, l.profile);
        *profile = l.profile;
        l.profile = calls;
    } else if (!status) {
        status = merge(*profile, l.profile);
    }
    toll_profile_free(l.profile);
    toll_buffer_free(&l.texts);
    return status;
}
