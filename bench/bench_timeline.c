/* bench_timeline.c - how large the timeline is in a page of toll view, and how fast and in how much
 * memory such a page is written, compared with other formats of the same events.
 *
 *   bench_timeline [EVENTS [FOLDER [ticks]]]   (default 1,000,000)
 *
 * The run resembles a server: four threads handle requests at the same time, each of some hundred
 * to ten thousand calls, 10 to 14 frames deep, of 2,000 functions; a main thread gives work to
 * coroutines, a hundred at any time. With `ticks` there is a second axis. With FOLDER the files are
 * kept there, to be opened in a browser: run.toll-timeline, run.html, and with up to 2,000,000
 * events run.trace.json and run.speedscope.json. */
#include "bench.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FUNCTIONS = 2000, LEVELS = 13, CALLS = 4, WORKERS = 4, COROUTINES = 100, DEEPEST = 64 };
enum { OPENED_BY_OTHERS = 2000000 }; /* events */

/* A call in a function's body: made `times` over, in `chance` of 256 cases. */
typedef struct call {
    uint32_t function, chance, times;
} call;

typedef struct frame {
    uint32_t function, call, times; /* the current place in its body */
} frame;

/* A running thread: its open frames. */
typedef struct guest {
    frame open[DEEPEST];
    uint32_t depth;
    uint64_t seed, now, ticks;
} guest;

static call bodies[FUNCTIONS][CALLS];

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

static uint32_t random_function(uint32_t level, uint64_t *seed)
{
    uint32_t most = FUNCTIONS / LEVELS;
    return level * most + (uint32_t)(next_random(seed) % most);
}

/* Functions of a level call those of the next one or two levels; half of them only sometimes, some
 * in loops. */
static void write_program(void)
{
    static const uint32_t chances[] = { 256, 256, 128, 16 }, times[] = { 1, 1, 1, 3 };
    uint64_t seed = 1;
    for (uint32_t f = 0; f < FUNCTIONS; f++) {
        uint32_t level = f / (FUNCTIONS / LEVELS);
        for (uint32_t c = 0; c < CALLS && level + 2 < LEVELS; c++)
            bodies[f][c] =
                (call){ .function = random_function(
                            level + 1 + (uint32_t)(next_random(&seed) % 4 == 0), &seed),
                        .chance = chances[(c + next_random(&seed)) % 4] / (c < 2 ? 1 : 3),
                        .times = times[next_random(&seed) % 4] };
    }
}

/* 16 ns to some µs, rarely much more. */
static void spend(guest *g)
{
    uint64_t r = next_random(&g->seed);
    uint64_t most = UINT64_C(16) << (r % 16 < 12 ? r % 4 : r % 16 - 8);
    uint64_t time = 10 + next_random(&g->seed) % most + (r % 8192 == 0 ? 200000 : 0);
    g->now += time;
    g->ticks += 1 + time / 3;
}

/* The guest's next event: the function that it calls, or -1 for a return. */
static int64_t step(guest *g)
{
    spend(g);
    if (g->depth == 0) {
        g->open[g->depth++] = (frame){ .function = random_function(0, &g->seed) };
        return g->open[0].function;
    }
    frame *f = &g->open[g->depth - 1];
    while (f->call < CALLS && bodies[f->function][f->call].times) {
        const call *c = &bodies[f->function][f->call];
        if (f->times < c->times && g->depth < DEEPEST && next_random(&g->seed) % 256 < c->chance) {
            f->times++;
            g->open[g->depth++] = (frame){ .function = c->function };
            return c->function;
        }
        f->call++;
        f->times = 0;
    }
    g->depth--;
    return -1;
}

/* --- recording ---------------------------------------------------------------------------------*/

static const toll_frame *function_of(uint32_t i)
{
    static const char *const verbs[] = { "read", "write", "find", "update", "visit", "parse" };
    static const char *const things[] = { "Buffer", "Table", "Node", "Request", "Path", "Symbol" };
    static char name[80], file[80];
    static toll_frame f;
    snprintf(name, sizeof name, "app::module_%u::%s%s_%u", i % 97, verbs[i % 6], things[i / 6 % 6],
             i);
    snprintf(file, sizeof file, "/src/module_%u/file_%u.cc", i % 97, i % 100);
    f = (toll_frame){ .name = name, .file = file, .line = 1 + i / 100 * 40 };
    return &f;
}

static void run_worker(toll_timeline *t, int number, uint64_t events)
{
    guest g = { .seed = 100 + (uint64_t)number, .now = (uint64_t)number * 3000000 };
    char name[32];
    toll_thread_id thread;
    snprintf(name, sizeof name, "worker %d", number);
    bench_ok(toll_timeline_add_thread(t, name, &thread, NULL));
    for (; events > g.depth; events--) {
        int64_t function = step(&g);
        toll_timeline_set_second(t, g.ticks);
        if (function < 0)
            toll_timeline_close(t, thread, g.now);
        else
            toll_timeline_open(t, thread, (toll_frame_id)function, g.now);
    }
    for (; g.depth; g.depth--)
        toll_timeline_close(t, thread, g.now);
}

/* A main thread, and coroutines that it resumes in turn, each for some events. */
static void run_main(toll_timeline *t, uint64_t events, int with_ticks)
{
    static const toll_counter counters[] = { { "time", "nanoseconds", 0 },
                                             { "ticks", "count", 0 } };
    static guest guests[COROUTINES];
    toll_recorder_options o = { .size = sizeof o,
                                .counters = counters,
                                .counter_count = 1 + (uint32_t)with_ticks,
                                .timeline = t,
                                .timeline_second = (uint32_t)with_ticks };
    toll_recorder *r;
    toll_track *tracks[COROUTINES];
    guest clock = { .seed = 5 };
    bench_ok(toll_recorder_create(&o, &r, NULL));
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        bench_ok(toll_recorder_add_frame(r, function_of(i), NULL, NULL));
    for (int i = 0; i < COROUTINES; i++) {
        char name[40];
        guests[i] = (guest){ .seed = 1000 + (uint64_t)i };
        snprintf(name, sizeof name, "coroutine server.lua:%d", 10 + i);
        bench_ok(toll_recorder_new_track(r, name, &tracks[i], NULL));
    }
    for (uint64_t before = toll_timeline_event_count(t);
         toll_timeline_event_count(t) - before < events;) {
        int i = (int)(next_random(&clock.seed) % COROUTINES);
        guest *g = &guests[i];
        toll_recorder_switch(r, toll_recorder_main_track(r), &clock.now);
        spend(&clock);
        uint64_t now[] = { clock.now, clock.ticks };
        toll_recorder_call(r, 0, now);
        toll_recorder_switch(r, tracks[i], now);
        g->now = clock.now;
        g->ticks = clock.ticks;
        for (uint64_t n = 5 + next_random(&clock.seed) % 400; n; n--) {
            int64_t function = step(g);
            uint64_t at[] = { g->now, g->ticks };
            if (function < 0)
                toll_recorder_return(r, at);
            else
                toll_recorder_call(r, (toll_frame_id)function, at);
        }
        clock.now = g->now;
        clock.ticks = g->ticks;
        uint64_t then[] = { clock.now, clock.ticks };
        toll_recorder_switch(r, toll_recorder_main_track(r), then);
        toll_recorder_return(r, then);
    }
    toll_recorder_free(r);
}

static void record(const char *path, uint64_t events, int with_ticks)
{
    toll_timeline *t;
    double start = bench_now();
    bench_ok(toll_timeline_create_file(NULL, (toll_value_type){ "time", "nanoseconds" }, path, &t,
                                       NULL));
    if (with_ticks)
        bench_ok(toll_timeline_add_second_axis(t, (toll_value_type){ "ticks", "count" }, NULL));
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        bench_ok(toll_timeline_add_frame(t, function_of(i), NULL, NULL));
    run_main(t, events / 5, with_ticks);
    for (int i = 0; i < WORKERS; i++)
        run_worker(t, i, events / 5);
    bench_ok(toll_timeline_finish(t, NULL));
    printf("%.2f million events, recorded in %.2f s\n", (double)toll_timeline_event_count(t) / 1e6,
           bench_now() - start);
    toll_timeline_free(t);
}

/* --- files -------------------------------------------------------------------------------------*/

typedef struct input {
    toll_profile *profile;
    toll_timeline *timeline;
    toll_budget budget;
    const char *folder;
} input;

static double size_of(const char *path)
{
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    double size = (double)ftell(f);
    fclose(f);
    return size;
}

static void say(const input *in, const char *name, double seconds, double memory)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", in->folder, name);
    double size = size_of(path);
    printf("%-22s %8.2f MB, %5.2f bytes an event, in %6.2f s", name, size / 1e6,
           size / (double)toll_timeline_event_count(in->timeline), seconds);
    if (memory >= 0)
        printf(", %5.2f MB of memory beside the profile's", memory / 1e6);
    printf("\n");
}

static void write_file(input *in, const char *name, int stays)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", in->folder, name);
    size_t before = in->budget.used;
    in->budget.peak = before;
    double start = bench_now();
    bench_ok(toll_profile_save_as(in->profile, in->timeline, path, NULL, NULL, NULL));
    say(in, name, bench_now() - start, (double)(in->budget.peak - before));
    if (!stays)
        unlink(path);
}

static void read_file(input *in, const char *path)
{
    toll_allocator allocator = toll_budget_allocator(&in->budget);
    double start = bench_now();
    bench_ok(toll_profile_load(&allocator, path, NULL, NULL, &in->timeline, &in->profile, NULL));
    printf("read in %.2f s, %u stacks\n", bench_now() - start,
           toll_profile_node_count(in->profile));
}

int main(int argc, char **argv)
{
    uint64_t events = argc > 1 ? strtoull(argv[1], NULL, 10) : 1000000;
    int stay = argc > 2, all = stay && events <= OPENED_BY_OTHERS;
    char own[] = "/tmp/bench_timeline.XXXXXX", path[4096];
    input in = { .budget = { .limit = SIZE_MAX }, .folder = stay ? argv[2] : mkdtemp(own) };
    struct rusage usage;
    if (!in.folder) {
        perror(own);
        return 1;
    }
    snprintf(path, sizeof path, "%s/run.toll-timeline", in.folder);
    write_program();
    record(path, events, argc > 3);
    read_file(&in, path);
    say(&in, "run.toll-timeline", 0, -1);
    write_file(&in, "run.html", stay);
    write_file(&in, "run.pftrace.gz", 0);
    write_file(&in, "run.trace.json.gz", 0);
    if (all) {
        write_file(&in, "run.trace.json", 1);
        write_file(&in, "run.speedscope.json", 1);
    }
    toll_profile_free(in.profile);
    toll_timeline_free(in.timeline);
    if (stay)
        printf("the files are in %s\n", in.folder);
    if (!stay && (unlink(path) != 0 || rmdir(in.folder) != 0))
        perror(in.folder);
    getrusage(RUSAGE_SELF, &usage);
    printf("of the whole process %.1f MB\n", (double)usage.ru_maxrss * 1024 / 1e6);
    return 0;
}
