/* random_timelines.c FIRST COUNT | FILE - the order in time in pages of toll view, read back: every
 * event, time, thread and frame is in them, and nothing else. Of random runs, as they were
 * recorded, and read from files of each format that has an order; from files that were cut; or of a
 * file. */
#include "page_lanes.h"
#include "random_profile.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 30, TRACKS = 6, NAME_SIZE = 200 };

static void require(toll_status status, const char *what)
{
    if (status) {
        fprintf(stderr, "cannot compare: %s: %s\n", what, toll_status_name(status));
        exit(2);
    }
}

/* --- a random run ------------------------------------------------------------------------------*/

typedef struct run {
    uint64_t state, now[2];
    toll_timeline *timeline;
    toll_recorder *recorder;
    toll_track *tracks[TRACKS];
    toll_frame_id frames[FRAMES];
    uint32_t frame_count, track_count;
} run;

static const uint64_t *later(run *r)
{
    static const uint32_t most[] = { 1, 10, 1000, 1u << 20, UINT32_MAX };
    for (int i = 0; i < 2; i++)
        r->now[i] += random_below(&r->state, most[random_below(&r->state, 30) ? i + 1 : 4]);
    return r->now;
}

static void add_frames(run *r)
{
    char name[NAME_SIZE], file[NAME_SIZE];
    r->frame_count = 1 + random_below(&r->state, FRAMES);
    for (uint32_t i = 0; i < r->frame_count; i++) {
        toll_frame f = { .name = random_name(&r->state, name, sizeof name),
                         .line = random_below(&r->state, 3),
                         .kind = (toll_frame_kind)random_below(&r->state, TOLL_KIND_COUNT) };
        f.file = random_below(&r->state, 3) ? random_name(&r->state, file, sizeof file) : NULL;
        require(toll_recorder_add_frame(r->recorder, &f, &r->frames[i], NULL), "a frame");
    }
}

static void begin(run *r, unsigned seed)
{
    static const toll_counter counters[] = { { "time", "nanoseconds", 0 },
                                             { "ticks", "count", 0 } };
    static const toll_value_type axes[] = { { "time", "nanoseconds" }, { "ticks", "count" } };
    char name[NAME_SIZE];
    *r = (run){ .state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1 };
    uint32_t second = random_below(&r->state, 2);
    toll_recorder_options o = { .size = sizeof o,
                                .counters = counters,
                                .counter_count = 1 + second,
                                .timeline_second = second,
                                .max_depth = random_below(&r->state, 2) ? 0 : 5 };
    require(toll_timeline_create(NULL, axes[0], 1, &r->timeline, NULL), "a timeline");
    if (second)
        require(toll_timeline_add_second_axis(r->timeline, axes[1], NULL), "a second axis");
    o.timeline = r->timeline;
    require(toll_recorder_create(&o, &r->recorder, NULL), "a recorder");
    add_frames(r);
    r->tracks[r->track_count++] = toll_recorder_main_track(r->recorder);
    while (r->track_count < 1 + random_below(&r->state, TRACKS))
        require(toll_recorder_new_track(r->recorder, random_name(&r->state, name, sizeof name),
                                        &r->tracks[r->track_count++], NULL),
                "a track");
}

static void do_something(run *r)
{
    toll_frame_id frame = r->frames[random_below(&r->state, r->frame_count)];
    uint32_t what = random_below(&r->state, 20);
    if (what < 10)
        toll_recorder_call(r->recorder, frame, later(r));
    else if (what < 18)
        toll_recorder_return(r->recorder, later(r));
    else if (what < 19)
        toll_recorder_switch(r->recorder, r->tracks[random_below(&r->state, r->track_count)],
                             later(r));
    else
        toll_recorder_adopt(r->recorder, &frame, 1, later(r));
}

/* Many threads of a few events each, of which some have none, beside the recorder's. */
static void add_threads(run *r)
{
    uint32_t count = random_below(&r->state, 8) ? 0 : random_below(&r->state, 500);
    toll_frame f = { .name = "lone" };
    toll_frame_id frame;
    for (uint32_t i = 0; i < count; i++) {
        char name[24];
        toll_thread_id thread;
        uint64_t at = random_below(&r->state, 5000);
        snprintf(name, sizeof name, "thread %u", i);
        require(toll_timeline_add_frame(r->timeline, &f, &frame, NULL), "a frame");
        require(toll_timeline_add_thread(r->timeline, name, &thread, NULL), "a thread");
        for (uint32_t n = random_below(&r->state, 400); n; n--) {
            toll_timeline_set_second(r->timeline, at += random_below(&r->state, 30));
            if (random_below(&r->state, 2))
                toll_timeline_open(r->timeline, thread, frame, at);
            else
                toll_timeline_close(r->timeline, thread, at);
        }
    }
}

static toll_profile *record(run *r, unsigned seed)
{
    toll_profile *p;
    begin(r, seed);
    uint32_t events = random_below(&r->state, 8) ? random_below(&r->state, 3000) : 0;
    if (random_below(&r->state, 20) == 0)
        events = 10000;
    for (uint32_t i = 0; i < events; i++)
        do_something(r);
    for (uint32_t i = random_below(&r->state, 50) ? 0 : 20000; i; i--)
        toll_recorder_call(r->recorder, r->frames[0], later(r));
    if (random_below(&r->state, 2))
        toll_recorder_stop(r->recorder, later(r));
    add_threads(r);
    require(toll_recorder_snapshot(r->recorder, NULL, &p, NULL), "a profile");
    return p;
}

/* --- comparing ---------------------------------------------------------------------------------*/

static const char *where = "";
static unsigned at_seed;

static bool holds(bool good, const char *what)
{
    if (!good)
        printf("seed %u, %s: %s\n", at_seed, where, what);
    return good;
}

static bool same_frame(const toll_frame *a, const toll_frame *b)
{
    return strcmp(a->name, b->name) == 0 && strcmp(a->file, b->file) == 0 && a->line == b->line &&
           a->kind == b->kind && strcmp(a->module, b->module) == 0 && a->at_line == b->at_line;
}

static bool same_events(const page_lanes *page, const page_lane *lane, const toll_timeline *t,
                        toll_thread_id thread)
{
    toll_timeline_reader *r;
    toll_timeline_event e = { 0 };
    uint64_t count = 0, depth = 0, deepest = 0;
    bool good = true;
    require(toll_timeline_read_thread(t, thread, &r, NULL), "events");
    for (; good && toll_timeline_next(r, &e, NULL) == 1; count++) {
        const page_event *f = &lane->events[count < lane->count ? count : 0];
        toll_frame frame = toll_profile_frame(toll_timeline_names(t), e.frame);
        good = holds(count < lane->count && e.is_open == f->is_open && e.is_call == f->is_call &&
                         e.at == f->at && e.second == f->second &&
                         (!e.is_open || same_frame(&frame, &page->frames[f->frame])),
                     "an event differs");
        depth += e.is_open ? 1 : UINT64_MAX;
        deepest = depth > deepest ? depth : deepest;
    }
    toll_timeline_reader_free(r);
    return good && holds(count == lane->count, "how many events") &&
           holds(deepest == lane->depth, "the depth") && holds(e.at == lane->end, "the end");
}

/* The first event of a thread; false: it has none. */
static bool first_of(const toll_timeline *t, toll_thread_id thread, uint64_t *at)
{
    toll_timeline_reader *r;
    toll_timeline_event e;
    require(toll_timeline_read_thread(t, thread, &r, NULL), "events");
    bool any = toll_timeline_next(r, &e, NULL) == 1;
    toll_timeline_reader_free(r);
    *at = any ? e.at : 0;
    return any;
}

/* The thread of the profile, or -1 if it has none of that name. */
static bool same_thread(const page_lanes *page, const page_lane *lane)
{
    if (lane->thread >= 0)
        return lane->thread < page->thread_count &&
               strcmp(page->threads[lane->thread], lane->name) == 0;
    for (uint32_t i = 0; i < page->thread_count; i++)
        if (strcmp(page->threads[i], lane->name) == 0)
            return false;
    return true;
}

/* Each thread with events is a lane, in the order of their first events. */
static bool same_lanes(const page_lanes *page, const toll_timeline *t)
{
    const toll_profile *names = toll_timeline_names(t);
    uint32_t threads = toll_profile_thread_count(names), count = 0;
    uint64_t before = 0;
    bool good = true;
    for (uint32_t i = 0; good && i < threads; i++) {
        uint64_t at;
        uint32_t lane = 0;
        if (!first_of(t, i, &at))
            continue;
        count++;
        while (lane < page->count &&
               strcmp(page->lanes[lane].name, toll_profile_thread_name(names, i)) != 0)
            lane++;
        good = holds(lane < page->count, "a thread") &&
               holds(page->lanes[lane].begin == at, "the begin of a thread") &&
               holds(same_thread(page, &page->lanes[lane]), "a thread of the profile") &&
               same_events(page, &page->lanes[lane], t, i);
    }
    for (uint32_t i = 0; good && i < page->count; before = page->lanes[i++].begin)
        good = holds(page->lanes[i].begin >= before, "the order of threads");
    return good && holds(page->count == count, "how many threads") &&
           holds(page->is_there == (count > 0), "the timeline");
}

static bool same_axes(const page_lanes *page, const toll_timeline *t)
{
    toll_value_type axes[2] = { toll_timeline_axis(t) };
    uint32_t count = 1 + (uint32_t)toll_timeline_second_axis(t, &axes[1]);
    if (!page->is_there)
        return true;
    bool good = holds(page->axis_count == count, "how many axes") &&
                holds(page->cut == toll_timeline_is_cut(t), "cut");
    for (uint32_t i = 0; good && i < count; i++)
        good = holds(strcmp(page->types[i], axes[i].type) == 0 &&
                         strcmp(page->units[i], axes[i].unit) == 0,
                     "an axis");
    return good;
}

static char *written(const toll_profile *p, const toll_timeline *t, const char *format,
                     size_t *size)
{
    toll_output *out;
    require(toll_output_to_memory(NULL, 0, &out, NULL), "memory");
    require(toll_profile_write(p, t, format, NULL, out, NULL), format);
    require(toll_output_commit(out, NULL), format);
    const void *data = toll_output_data(out, size);
    char *copy = malloc(*size + 1);
    require(copy ? TOLL_OK : TOLL_E_NOMEM, "memory");
    memcpy(copy, data, *size);
    toll_output_free(out);
    return copy;
}

static bool same(const toll_profile *p, const toll_timeline *t)
{
    size_t size;
    page_lanes page;
    char *text = written(p, t, "html", &size);
    page_lanes_read(&page, text, size);
    free(text);
    bool good = same_axes(&page, t) && same_lanes(&page, t);
    page_lanes_free(&page);
    return good;
}

/* --- files -------------------------------------------------------------------------------------*/

/* What is read of such a file, in a page. Of a cut one nothing may be left. */
static bool try_bytes(const char *what, const char *data, size_t size, bool is_cut)
{
    toll_input *in;
    toll_profile *p;
    toll_timeline *t = NULL;
    where = what;
    require(toll_input_from_memory(NULL, data, size, what, &in, NULL), what);
    toll_status status = toll_profile_read(in, NULL, NULL, &t, &p, NULL);
    toll_input_free(in);
    if (status && is_cut)
        return true;
    require(status, what);
    bool good = !t || same(p, t);
    toll_profile_free(p);
    toll_timeline_free(t);
    return good;
}

static bool try_formats(run *r, const toll_profile *p)
{
    static const char *const formats[] = { "timeline", "chrome", "speedscope" };
    bool good = true;
    for (size_t i = 0; good && i < sizeof formats / sizeof *formats; i++) {
        size_t size;
        char *data = written(p, r->timeline, formats[i], &size);
        good = try_bytes(formats[i], data, size, false);
        for (int n = 0; good && i == 0 && n < 3; n++)
            good = try_bytes("cut", data, 1 + random_below(&r->state, (uint32_t)size - 1), true);
        free(data);
    }
    return good;
}

static bool try_run(unsigned seed)
{
    run r;
    toll_profile *p = record(&r, seed);
    at_seed = seed;
    where = "recorded";
    bool good = same(p, r.timeline) && try_formats(&r, p);
    toll_profile_free(p);
    toll_recorder_free(r.recorder);
    toll_timeline_free(r.timeline);
    return good;
}

static int try_file(const char *path)
{
    toll_profile *p;
    toll_timeline *t = NULL;
    require(toll_profile_load(NULL, path, NULL, NULL, &t, &p, NULL), path);
    require(t ? TOLL_OK : TOLL_E_NOT_FOUND, "an order in time");
    bool good = same(p, t);
    printf("%s: %" PRIu64 " events: %s\n", path, toll_timeline_event_count(t),
           good ? "same" : "FAILED");
    toll_profile_free(p);
    toll_timeline_free(t);
    return !good;
}

int main(int argc, char **argv)
{
    char *end = NULL;
    unsigned first = argc > 1 ? (unsigned)strtoul(argv[1], &end, 10) : 1, failed = 0;
    unsigned count = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 100;
    if (end && *end)
        return try_file(argv[1]);
    for (unsigned seed = first; seed - first < count && failed < 5; seed++)
        failed += !try_run(seed);
    printf("the order in time of runs %u to %u: %u failed\n", first, first + count - 1, failed);
    return failed > 0;
}
