/* overhead.c - subtracts the profiler's own cost of calls and lines from a profile's time. See
 * toll/profile.h.
 *
 * From a frame that is called c times and makes m calls, c times the callee's cost and m times the
 * caller's cost are subtracted; from a line that has run n times, n times the cost of a line. */
#include "base/fail.h"
#include "profile/profile_data.h"

#include <string.h>

/* By the kind of the called function. */
enum { OF_GUEST, NATIVE, KINDS };

/* Picoseconds, for each call or line. */
typedef struct own_costs {
    uint64_t received[KINDS], made[KINDS], line;
} own_costs;

/* The columns of a profile that are needed. TOLL_NONE: there is none. */
typedef struct columns {
    uint32_t time, calls, executions;
} columns;

static columns find_columns(const toll_profile *p)
{
    uint32_t time = toll_profile_find_column(p, "time");
    return (columns){ time != TOLL_NONE ? time : toll_profile_find_column(p, "cpu"),
                      toll_profile_find_column(p, "calls"),
                      toll_profile_find_column(p, "executions") };
}

static int kind_of(const toll_profile *p, toll_node_id node)
{
    toll_frame_id frame = toll_profile_node_frame(p, node);
    return frame != TOLL_NONE && toll_profile_frame(p, frame).kind == TOLL_KIND_NATIVE ? NATIVE
                                                                                       : OF_GUEST;
}

/* The value as a count; no column, or a negative value: 0. */
static uint64_t count_at(const toll_profile *p, toll_node_id node, uint32_t column)
{
    int64_t self = column == TOLL_NONE ? 0 : toll_profile_self(p, node, column);
    return self > 0 ? (uint64_t)self : 0;
}

/* Find the node that was charged the caller's cost of a call: the caller's node without a place. */
static toll_status charged_caller(toll_profile *p, toll_node_id callee, toll_node_id *out,
                                  toll_error *err)
{
    toll_node_id at = *out = toll_profile_parent(p, callee);
    toll_frame_id frame = toll_profile_node_frame(p, at);
    if (frame == TOLL_NONE)
        return TOLL_OK;
    toll_frame function = toll_profile_frame(p, frame);
    if (!function.at_line && !function.at_address)
        return TOLL_OK;
    function.at_line = 0;
    function.at_address = 0;
    toll_status status = toll_profile_add_frame(p, &function, &frame, err);
    return status ? status : toll_profile_add_child(p, toll_profile_parent(p, at), frame, out, err);
}

/* The calls that a node has made. */
typedef struct calls_made {
    uint64_t of[KINDS];
} calls_made;

/* Count the calls that each of the first `count` nodes made. */
static toll_status count_made(toll_profile *p, uint32_t calls, calls_made *made, uint32_t count,
                              toll_error *err)
{
    toll_status status = TOLL_OK;
    for (toll_node_id n = 0; !status && n < count; n++) {
        uint64_t own = count_at(p, n, calls);
        toll_node_id caller;
        if (!own || toll_profile_node_frame(p, n) == TOLL_NONE)
            continue;
        status = charged_caller(p, n, &caller, err);
        if (!status && caller < count)
            made[caller].of[kind_of(p, n)] += own;
    }
    return status;
}

/* times * ps picoseconds, in nanoseconds, but at most `most`. */
static uint64_t cost_of(uint64_t times, uint64_t ps, uint64_t most)
{
    if (ps && times > UINT64_MAX / ps)
        return most;
    uint64_t ns = times * ps / 1000;
    return ns < most ? ns : most;
}

static toll_status subtract(toll_profile *p, columns at, const calls_made *made, uint32_t count,
                            const own_costs *costs, uint64_t *off, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (toll_node_id n = 0; !status && n < count; n++) {
        uint64_t most = count_at(p, n, at.time);
        uint64_t less = cost_of(count_at(p, n, at.calls), costs->received[kind_of(p, n)], most);
        for (int kind = 0; kind < KINDS; kind++)
            less += cost_of(made[n].of[kind], costs->made[kind], most - less);
        less += cost_of(count_at(p, n, at.executions), costs->line, most - less);
        *off += less;
        status = toll_profile_add_self(p, n, at.time, -(int64_t)less, err);
    }
    return status;
}

static toll_status take_costs(toll_profile *p, const own_costs *costs, uint64_t *off,
                              toll_error *err)
{
    columns at = find_columns(p);
    uint32_t count = toll_profile_node_count(p);
    *off = 0;
    if (at.time == TOLL_NONE || at.calls == TOLL_NONE)
        return TOLL_OK;
    calls_made *made = toll_mem_new(&p->mem, (size_t)count + 1, sizeof *made);
    if (!made)
        return toll_fail_nomem(err);
    toll_status status = count_made(p, at.calls, made, count, err);
    if (!status)
        status = subtract(p, at, made, count, costs, off, err);
    toll_mem_free(&p->mem, made, (size_t)count + 1, sizeof *made);
    return status;
}

toll_status toll_profile_take_call_costs(toll_profile *p, uint64_t received_ps, uint64_t made_ps,
                                         uint64_t *off, toll_error *err)
{
    uint64_t sum = 0;
    toll_status status = TOLL_OK;
    if (off)
        *off = 0;
    if (!p)
        return toll_fail_null(err, "profile");
    if (received_ps | made_ps)
        status = take_costs(
            p,
            &(own_costs){ .received = { received_ps, received_ps }, .made = { made_ps, made_ps } },
            &sum, err);
    if (off)
        *off = sum;
    return status;
}

/* --- costs that notes have
 * ----------------------------------------------------------------------*/

/* The count of a note; 0 if there is no such note. */
static uint64_t count_of_note(const toll_profile *p, const char *text)
{
    for (uint32_t i = 0; i < toll_profile_note_count(p); i++) {
        uint64_t count;
        if (strcmp(toll_profile_note(p, i, &count), text) == 0)
            return count;
    }
    return 0;
}

/* What there is in a profile that has costs. */
typedef struct events {
    uint64_t calls[KINDS], lines;
} events;

static events count_events(const toll_profile *p)
{
    columns at = find_columns(p);
    events all = { { 0 }, 0 };
    for (toll_node_id n = 0; n < toll_profile_node_count(p); n++) {
        all.calls[kind_of(p, n)] += count_at(p, n, at.calls);
        all.lines += count_at(p, n, at.executions);
    }
    return all;
}

/* Nanoseconds in all, as picoseconds for each. */
static uint64_t for_each(uint64_t ns, uint64_t times)
{
    return times ? ns / times * 1000 + ns % times * 1000 / times : 0;
}

/* Between two readings of the clock, about the cost of one reading is the clock's own. */
static bool costs_of_clock(const toll_profile *p, own_costs *costs)
{
    events all = count_events(p);
    uint64_t each =
        for_each(count_of_note(p, TOLL_NOTE_CLOCK), 2 * (all.calls[OF_GUEST] + all.calls[NATIVE]));
    *costs = (own_costs){ .received = { each, each }, .made = { each, each } };
    return each > 0;
}

static bool costs_of_recording(const toll_profile *p, own_costs *costs)
{
    events all = count_events(p);
    uint64_t ns[] = { count_of_note(p, TOLL_NOTE_RECORDING TOLL_RECORDING_CALLED),
                      count_of_note(p, TOLL_NOTE_RECORDING TOLL_RECORDING_CALLED_NATIVE),
                      count_of_note(p, TOLL_NOTE_RECORDING TOLL_RECORDING_CALLERS),
                      count_of_note(p, TOLL_NOTE_RECORDING TOLL_RECORDING_CALLERS_OF_NATIVE),
                      count_of_note(p, TOLL_NOTE_RECORDING TOLL_RECORDING_LINES) };
    *costs = (own_costs){
        .received = { for_each(ns[0], all.calls[OF_GUEST]), for_each(ns[1], all.calls[NATIVE]) },
        .made = { for_each(ns[2], all.calls[OF_GUEST]), for_each(ns[3], all.calls[NATIVE]) },
        .line = for_each(ns[4], all.lines),
    };
    return ns[0] | ns[1] | ns[2] | ns[3] | ns[4];
}

/* What has been subtracted is no part of the time any more. */
static void drop_notes_of_recording(toll_profile *p)
{
    size_t kept = 0;
    for (size_t i = 0; i < p->note_count; i++)
        if (strncmp(toll_profile_text(p, p->notes[i].text), TOLL_NOTE_RECORDING,
                    sizeof TOLL_NOTE_RECORDING - 1) != 0)
            p->notes[kept++] = p->notes[i];
    p->note_count = kept;
}

toll_status toll_profile_without_overhead(const toll_profile *profile, toll_profile **out,
                                          toll_error *err)
{
    toll_profile *p;
    own_costs costs;
    uint64_t off = 0;
    if (!profile || !out)
        return toll_fail_null(err, profile ? "out" : "profile");
    *out = NULL;
    bool is_clock = costs_of_clock(profile, &costs);
    bool is_known = is_clock || costs_of_recording(profile, &costs);
    if (!is_known && !count_of_note(profile, TOLL_NOTE_NOT_IN_TIME))
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "what the profiler itself took cannot be subtracted: the profile does not "
                         "say how much that was");
    toll_status status = toll_profile_copy(profile, &p, err);
    if (status)
        return status;
    if (is_known)
        status = take_costs(p, &costs, &off, err);
    drop_notes_of_recording(p);
    if (!status && is_known)
        status =
            toll_profile_add_note(p,
                                  is_clock ? "nanoseconds of reading the clock, taken off the time"
                                           : "nanoseconds of recording, taken off the time",
                                  off, err);
    if (status)
        toll_profile_free(p);
    else
        *out = p;
    return status;
}
