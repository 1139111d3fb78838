/* overhead.c - subtracts the profiler's own cost per call from a profile's time. See
 * toll/profile.h.
 *
 * From a frame that is called c times and makes m calls, c times the callee's cost and m times the
 * caller's cost are subtracted. */
#include "base/fail.h"
#include "profile/profile_data.h"

#include <string.h>

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

/* Count the calls that each of the first `count` nodes made. */
static toll_status count_made(toll_profile *p, uint32_t calls, uint64_t *made, uint32_t count,
                              toll_error *err)
{
    toll_status status = TOLL_OK;
    for (toll_node_id n = 0; !status && n < count; n++) {
        int64_t own = toll_profile_self(p, n, calls);
        toll_node_id caller;
        if (own <= 0 || toll_profile_node_frame(p, n) == TOLL_NONE)
            continue;
        status = charged_caller(p, n, &caller, err);
        if (!status && caller < count)
            made[caller] += (uint64_t)own;
    }
    return status;
}

/* calls * ps picoseconds, in nanoseconds, but at most `most`. */
static uint64_t cost_of(uint64_t calls, uint64_t ps, uint64_t most)
{
    if (ps && calls > UINT64_MAX / ps)
        return most;
    uint64_t ns = calls * ps / 1000;
    return ns < most ? ns : most;
}

static toll_status subtract(toll_profile *p, uint32_t time, uint32_t calls, const uint64_t *made,
                            uint32_t count, uint64_t received_ps, uint64_t made_ps, uint64_t *off,
                            toll_error *err)
{
    toll_status status = TOLL_OK;
    for (toll_node_id n = 0; !status && n < count; n++) {
        int64_t self = toll_profile_self(p, n, time), own = toll_profile_self(p, n, calls);
        uint64_t most = self > 0 ? (uint64_t)self : 0;
        uint64_t less = cost_of(own > 0 ? (uint64_t)own : 0, received_ps, most);
        less += cost_of(made[n], made_ps, most - less);
        *off += less;
        status = toll_profile_add_self(p, n, time, -(int64_t)less, err);
    }
    return status;
}

toll_status toll_profile_take_call_costs(toll_profile *p, uint64_t received_ps, uint64_t made_ps,
                                         uint64_t *off, toll_error *err)
{
    uint64_t sum = 0;
    if (off)
        *off = 0;
    if (!p)
        return toll_fail_null(err, "profile");
    uint32_t time = toll_profile_find_column(p, "time");
    uint32_t calls = toll_profile_find_column(p, "calls"), count = toll_profile_node_count(p);
    if (time == TOLL_NONE || calls == TOLL_NONE || !(received_ps | made_ps))
        return TOLL_OK;
    uint64_t *made = toll_mem_new(&p->mem, (size_t)count + 1, sizeof *made);
    if (!made)
        return toll_fail_nomem(err);
    toll_status status = count_made(p, calls, made, count, err);
    if (!status)
        status = subtract(p, time, calls, made, count, received_ps, made_ps, &sum, err);
    toll_mem_free(&p->mem, made, (size_t)count + 1, sizeof *made);
    if (off)
        *off = sum;
    return status;
}

/* --- a profile whose clock was read at each event ----------------------------------------------*/

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

static uint64_t calls_in_all(const toll_profile *p)
{
    uint32_t calls = toll_profile_find_column(p, "calls");
    uint64_t sum = 0;
    for (toll_node_id n = 0; calls != TOLL_NONE && n < toll_profile_node_count(p); n++) {
        int64_t own = toll_profile_self(p, n, calls);
        sum += own > 0 ? (uint64_t)own : 0;
    }
    return sum;
}

/* Subtract the cost of reading the clock at each call and each return: between two readings, about
 * the cost of one reading is the clock's own. */
static toll_status subtract_clock(toll_profile *p, uint64_t cost_ns, toll_error *err)
{
    uint64_t readings = 2 * calls_in_all(p), off = 0;
    if (!readings)
        return TOLL_OK;
    uint64_t each_ps = cost_ns / readings * 1000 + cost_ns % readings * 1000 / readings;
    toll_status status = toll_profile_take_call_costs(p, each_ps, each_ps, &off, err);
    return status ? status
                  : toll_profile_add_note(p, "nanoseconds of reading the clock, taken off the time",
                                          off, err);
}

toll_status toll_profile_without_overhead(const toll_profile *profile, toll_profile **out,
                                          toll_error *err)
{
    toll_profile *p;
    if (!profile || !out)
        return toll_fail_null(err, profile ? "out" : "profile");
    *out = NULL;
    toll_status status = toll_profile_copy(profile, &p, err);
    if (status)
        return status;
    uint64_t cost_ns = count_of_note(p, TOLL_NOTE_CLOCK);
    if (cost_ns)
        status = subtract_clock(p, cost_ns, err);
    if (status)
        toll_profile_free(p);
    else
        *out = p;
    return status;
}
