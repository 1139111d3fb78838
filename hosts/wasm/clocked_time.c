/* clocked_time.c - see clocked_time.h. */
#include "clocked_time.h"

#include "base/buffer.h"
#include "event_clock.h"
#include "modules.h"
#include "sampling.h"

#include <string.h>
#include <toll/embedder.h>

enum {
    READINGS_PART = 64, /* a window takes that many times as long as reading the clock, */
    LEAST_NS = 1000,    /* but not less than this */
    MOST_NS = 100000,   /* and not more than this */
    LEAST_SPAN = 16,    /* ticks */
    FIRST_SPAN = 1024,
    MOST_SPAN = 1 << 30,
    MEASURE_EACH = 1024, /* windows */
    FIRST_PART = 8       /* the first tick that is kept is in this part of the span, */
                         /* or earlier, if windows end before */
};

static struct {
    bool is_on, has_clock, in_component;
    uint32_t held, holds; /* how many held functions are open, and how many there were */
    uint64_t reading_ns;  /* cost of a reading */
    uint64_t target_ns;   /* of a window */
    host_samples *samples;

    /* the window: */
    uint64_t last_ns, begin, until; /* the reading at its begin; ticks, of its planned end */
    uint64_t span;                  /* how many ticks windows are to have, in the mean */
    uint64_t first;                 /* the first tick that is kept is one of so many */
    uint64_t next_choice;           /* from these ticks on another tick is kept */
    toll_node *chosen;              /* whose the tick that is kept is; NULL: none is kept yet */

    /* at the begin of the last watched function: */
    struct {
        uint32_t function, holds;
        uint64_t ticks, windows;
    } watched;
    uint64_t windows; /* so far */
    uint64_t random;
    toll_buffer hosts; /* the depth of each watched function that is open, if it may call back */
} now;

static host_clock_stops stops;

static void set_stop(void)
{
    stops.end = stops.measures || stops.alone ? 0 : now.until; /* at the next event */
    stops.at = now.next_choice < stops.end ? now.next_choice : stops.end;
}

static uint64_t position(uint64_t ticks)
{
    return host_clock_position(ticks, 0);
}

/* What recording the events so far has cost. */
static uint64_t own_so_far(void)
{
    return host_clock_position(0, 0);
}

/* What recording an event takes: chosen in place of a stack. */
static toll_node recording;

static struct {
    double each_ns;           /* what an event takes */
    double measuring;         /* the clock where measuring that has begun */
    double ticks, events, ns; /* of windows, so far; older ones count less */
    uint64_t own, began;      /* own_so_far() and stops.events at the begin of the window */
} cost;

/* --- chance ------------------------------------------------------------------------------------*/

/* 1 to 2^32, the same sequence in each run (Marsaglia's xorshift). */
static uint64_t random_32(void)
{
    now.random ^= now.random << 13;
    now.random ^= now.random >> 7;
    now.random ^= now.random << 17;
    return (now.random >> 32) + 1;
}

/* 0 to below - 1. */
static uint64_t random_below(uint64_t below)
{
    return (random_32() - 1) * below >> 32;
}

/* Keep the tick at next_choice: at first one of the first few; then the kept one of n ticks gives
 * its place to number m > n with the chance n / (m * (m - 1)). So each of them all has the same.
 * Up to `at` the node was the innermost one; what precedes `from` was recording the last event. */
static void choose(toll_node *node, uint64_t from, uint64_t at)
{
    while (now.next_choice <= at) {
        uint64_t so_far = now.chosen ? now.next_choice - now.begin : now.first;
        now.chosen = now.next_choice <= from ? &recording : node;
        now.next_choice = so_far < (UINT64_C(1) << 31)
                              ? now.begin + 1 + ((so_far << 32) / random_32())
                              : UINT64_MAX;
    }
}

/* The position behind an event at this one. */
static uint64_t behind(uint64_t at)
{
    return host_has_ticks() ? at + stops.each : at;
}

static void choose_innermost(const host_innermost *in, uint64_t at)
{
    choose(in->node, behind(position(in->ticks) - stops.each), at);
}

void host_clock_choose(toll_node *before, uint64_t last, uint64_t then, toll_node *between,
                       uint64_t at)
{
    const uint64_t middle = position(then) - 2 * stops.each;
    choose(before, behind(position(last) - 3 * stops.each), middle);
    choose(between, behind(middle), at);
    set_stop();
}

/* --- windows -----------------------------------------------------------------------------------*/

static void begin_window(uint64_t ticks)
{
    now.windows++;
    cost.own = own_so_far();
    cost.began = stops.events;
    stops.measures |= now.windows % MEASURE_EACH == 0;
    now.begin = ticks;
    now.until = ticks + now.span / 2 + random_below(now.span);
    if (now.first > now.span / FIRST_PART)
        now.first = now.span / FIRST_PART;
    now.next_choice = ticks + 1 + random_below(now.first);
    now.chosen = NULL;
}

/* Windows are as long as reading the clock may cost, whatever the speed of the guest. */
static void adapt(uint64_t passed)
{
    if (passed < now.target_ns && now.span < MOST_SPAN)
        now.span += now.span / 8 + 1;
    else if (passed > 2 * now.target_ns && now.span > LEAST_SPAN)
        now.span /= 2;
}

static uint64_t read_clock(void)
{
    uint64_t ns = host_read_clock(), passed = ns > now.last_ns ? ns - now.last_ns : 0;
    now.last_ns += passed;
    return passed;
}

/* What a reading costs: engines make the clock's function faster while the program runs, and other
 * load on the machine only makes one slower. So the least counts. */
static void measure(uint64_t ns)
{
    now.reading_ns = now.windows == 0 || ns < now.reading_ns ? ns : now.reading_ns;
    now.target_ns = READINGS_PART * now.reading_ns;
    if (now.target_ns < LEAST_NS)
        now.target_ns = LEAST_NS;
    if (now.target_ns > MOST_NS) /* an engine makes the clock's function faster if it is called */
        now.target_ns = MOST_NS;
}

/* Measure it again from time to time. What that takes is the profiler's own time. */
static void measure_again(void)
{
    uint64_t first = read_clock(), second = read_clock();
    measure(second);
    host_count_samples(0, first + second, first + second, 0);
}

/* Learn from a window how many ticks take as long as recording an event does. */
static void learn(uint64_t ns, uint64_t at)
{
    const double keep = 1 - 1.0 / 16384;
    if (ns > 4 * now.target_ns || !host_has_ticks())
        return; /* the program did not run all the time */
    cost.ticks = cost.ticks * keep + (double)(at - now.begin) - (double)(own_so_far() - cost.own);
    cost.events = cost.events * keep + (double)(stops.events - cost.began);
    cost.ns = cost.ns * keep + (double)ns;
    const double least = cost.ns / 16; /* some of it is the guest's */
    double left = cost.ns - cost.events * cost.each_ns;
    if (left < least)
        left = least;
    const uint64_t each = cost.ns > 0 ? (uint64_t)(cost.each_ns * cost.ticks / left + 0.5) : 0;
    stops.own += stops.events * (stops.each - each);
    stops.each = each;
}

bool host_clock_begin_measuring(void)
{
    stops.measures = false;
    set_stop();
    if (!now.has_clock || now.held)
        return false;
    cost.measuring = host_clock();
    return true;
}

void host_clock_end_measuring(uint64_t pairs)
{
    double took = host_clock() - cost.measuring, own = took - (double)now.reading_ns,
           each = own > 0 && pairs > 0 ? own / (double)(2 * pairs) : 0;
    if (pairs > 0 && (cost.each_ns == 0 || each < cost.each_ns)) /* see measure() */
        cost.each_ns = each;
    now.last_ns += (uint64_t)took; /* that was no time of the guest */
    host_count_samples(0, (uint64_t)took, (uint64_t)took, 0);
}

/* End the window: its time, less the cost of the reading, is the node's. An engine can end the
 * guest where a function is called, or in a loop: there is neither between the sums. */
static void end_window(toll_node *node, uint64_t ticks)
{
    const uint32_t column = 1u + host_has_ticks();
    uint64_t passed = read_clock(), own = passed < now.reading_ns ? passed : now.reading_ns;
    learn(passed - own, ticks);
    if (node == &recording)
        own = passed;
    else
        node->values[column] += (int64_t)(passed - own);
    now.samples->count++;
    now.samples->all_ns += passed;
    now.samples->busy_ns += own;
    if (ticks >= now.until)
        adapt(passed);
    if (now.windows % MEASURE_EACH == 0 || (now.windows & (now.windows - 1)) == 0)
        measure_again();
    begin_window(ticks);
}

static bool may_read(void)
{
    return now.has_clock && !now.held;
}

/* --- events ------------------------------------------------------------------------------------*/

bool host_is_watched(uint32_t function)
{
    toll_frame_id entry = host_frame_entry(host_current_frames(), function);
    return entry != host_watched_frame(entry);
}

/* A watched function of a core module in a component ends. Is it the host's: has no instruction of
 * the guest run since it began, except in functions which the engine calls to pass values? All else
 * is another core module's function, whose ticks say enough: it is watched no more. */
static bool is_of_host(uint32_t function, uint64_t ticks)
{
    bool is_last = now.watched.function == function && now.watched.windows == now.windows,
         is_host =
             is_last && (ticks == now.watched.ticks + stops.each || now.holds != now.watched.holds);
    if (!is_host)
        host_set_frame(function,
                       host_watched_frame(host_frame_entry(host_current_frames(), function)));
    return is_host;
}

/* How deep is the innermost watched function that may call back? 0: none is open. */
static void find_host(void)
{
    const size_t size = now.hosts.size;
    stops.depth = 0;
    if (size)
        memcpy(&stops.depth, now.hosts.data + size - sizeof stops.depth, sizeof stops.depth);
}

static void enter_host(uint64_t depth)
{
    toll_buffer_append(&now.hosts, &depth, sizeof depth);
    find_host();
}

/* Forget those that are deeper than `depth`. */
static void leave_hosts(uint64_t depth)
{
    while (stops.depth > depth) {
        now.hosts.size -= sizeof depth;
        find_host();
    }
}

/* Is a watched function that may call back, or a phase, the innermost one? All since the last
 * reading is its own then. */
static bool is_in_host(const host_innermost *in)
{
    return in->depth == stops.depth;
}

/* Whose the time since the last reading is. If no tick was kept it is the innermost one's, which is
 * seldom right: most windows have one. */
static toll_node *owner(const host_innermost *in, bool of_host)
{
    enum { SLOWLY = 64 };
    if (of_host)
        return in->node;
    now.first = now.chosen ? now.first + now.first / SLOWLY + 1 : (now.first + 1) / 2;
    return now.chosen ? now.chosen : in->node;
}

static void read_at(bool leaves, bool of_host, const host_innermost *in, uint64_t ticks)
{
    if (!leaves && in->frames == 0) {
        read_clock();
        begin_window(ticks);
    } else
        end_window(owner(in, of_host), ticks);
}

/* An event of a watched function has read the clock. */
static void watch(bool leaves, uint32_t function, uint64_t depth, uint64_t ticks)
{
    if (!now.in_component) {
        if (leaves)
            leave_hosts(depth - 1);
        else
            enter_host(depth + 1);
    } else if (!leaves) {
        now.watched.function = function;
        now.watched.holds = now.holds;
        now.watched.ticks = ticks;
        now.watched.windows = now.windows;
        stops.alone = true; /* there is no depth that says when it ends */
    }
}

static void look(const host_innermost *in, bool leaves, uint32_t function, uint64_t at, bool waited)
{
    stops.alone = false;
    leave_hosts(in->depth); /* those that were left without an event */
    const bool watched = host_is_watched(function),
               of_host = is_in_host(in) ||
                         (leaves && watched && now.in_component && is_of_host(function, at)),
               ends = watched || (at >= now.until && !waited) || in->depth == stops.depth + leaves;
    choose_innermost(in, at);
    if (ends && !now.held)
        read_at(leaves, of_host, in, at);
    if (watched)
        watch(leaves, function, in->depth, at);
    set_stop();
}

void host_clock_event(const host_innermost *in, bool leaves, uint32_t function, uint64_t ticks,
                      bool waited)
{
    const uint64_t at = position(ticks);
    if (now.has_clock && (host_clock_is_due(leaves, in->depth, at) || host_is_watched(function)))
        look(in, leaves, function, at, waited);
    stops.events++;
}

void host_clock_module(bool is_prompt)
{
    stops.no_waiting |= now.is_on && !is_prompt;
}

void host_clock_long(bool ends, uint64_t ticks)
{
    if (!may_read())
        return;
    const host_innermost in = host_find_innermost();
    choose_innermost(&in, position(ticks));
    end_window(owner(&in, ends), position(ticks));
    set_stop();
}

host_clock_stops *host_next_stops(void)
{
    return &stops;
}

/* --- the embedder ------------------------------------------------------------------------------*/

void host_clock_charge(uint64_t ticks)
{
    if (!may_read())
        return;
    const host_innermost in = host_find_innermost();
    if (in.frames == 0) {
        host_clock_pass(ticks); /* what passes while nothing is open is the embedder's */
        return;
    }
    choose_innermost(&in, position(ticks));
    end_window(owner(&in, is_in_host(&in)), position(ticks));
    set_stop();
}

void host_clock_pass(uint64_t ticks)
{
    if (!may_read())
        return;
    read_clock();
    begin_window(position(ticks));
    set_stop();
}

void host_clock_unwind(uint64_t to, uint64_t ticks)
{
    if (may_read() && host_depth() > to)
        host_clock_charge(ticks);
    leave_hosts(to);
}

void host_clock_begin_phase(void)
{
    if (now.has_clock)
        enter_host(host_depth());
}

void host_clock_end_phase(void)
{
    if (now.has_clock)
        leave_hosts(host_depth());
}

/* --- begin -------------------------------------------------------------------------------------*/

bool host_time_is_clocked(void)
{
    return now.is_on;
}

void host_begin_clocked_time(bool in_component)
{
    const toll_mem mem = toll_mem_from(NULL);
    now.in_component = in_component;
    now.is_on = true;
    now.span = FIRST_SPAN;
    now.first = FIRST_SPAN / FIRST_PART;
    now.random = UINT64_C(0x9e3779b97f4a7c15);
    now.next_choice = now.until = stops.at = stops.end = UINT64_MAX;
    stops.each = !host_has_ticks(); /* with ticks it is learned */
    now.samples = host_begin_windows();
    toll_buffer_init(&now.hosts, &mem);
    host_deliver_by_windows();
}

void host_begin_component_clock(void)
{
    enum { ROUNDS = 5, COUNT = 20 };
    measure((uint64_t)(host_clock_cost(ROUNDS, COUNT) + 0.5));
    read_clock();
    now.has_clock = true;
    begin_window(position(host_last_ticks()));
    set_stop();
}

void host_hold_component_clock(int more)
{
    now.held += (uint32_t)more;
    now.holds += more > 0;
}
