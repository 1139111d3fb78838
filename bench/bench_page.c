/* bench_page.c - how large pages of toll view are, and how fast and in how much memory they are
 * written, compared with the same profile as pprof.
 *
 *   bench_page [STACKS [FOLDER [leaves]]]   (default 1,000,000)
 *
 * The profile is that of a program of 10,000 functions, each of which calls a few others, some much
 * more often than others; most stacks are 20 to 40 frames deep. Every node of the tree is a stack
 * with a time of its own; or, with `leaves`, only the innermost frames have one, as in a sampled
 * profile, where STACKS lines of folded stacks are ten times as many nodes. With FOLDER the page,
 * the pprof file and a speedscope file are kept there (stacks.html, stacks.pb.gz,
 * stacks.speedscope.json), to be opened in a browser. */
#include "bench.h"

#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { FUNCTIONS = 10000, CALLEES = 12, FILES = 400, SHALLOW = 12, DEEP = 40, LEAVES_DEEP = 30 };

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

/* Each callee is half as likely as the one before it. */
static uint32_t pick(uint64_t *seed)
{
    uint64_t bits = next_random(seed);
    uint32_t i = 0;
    while (i + 1 < CALLEES && bits >> i & 1)
        i++;
    return i;
}

static void add_frames(toll_profile *p, toll_frame_id *frames)
{
    static const char *const verbs[] = { "read", "write", "find", "update", "visit", "parse" };
    static const char *const things[] = { "Buffer", "Table", "Node", "Request", "Path", "Symbol" };
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        char name[80], file[80];
        snprintf(name, sizeof name, "app::module_%u::%s%s_%u", i % 97, verbs[i % 6],
                 things[i / 6 % 6], i);
        snprintf(file, sizeof file, "/src/module_%u/file_%u.cc", i % 97, i % FILES);
        toll_frame frame = { .name = name, .file = file, .line = 1 + i / FILES * 40 };
        bench_ok(toll_profile_add_frame(p, &frame, &frames[i], NULL));
    }
}

/* Add call stacks: from main along callees, down to a random depth. A stack that exists gets more
 * time, as in a run. Ends when the tree has so many stacks. */
static void add_stacks(toll_profile *p, toll_thread_id thread, const toll_frame_id *frames,
                       uint32_t wanted, bool leaves)
{
    static uint32_t callees[FUNCTIONS][CALLEES];
    uint64_t seed = 1;
    uint32_t stacks = 0, deep = leaves ? LEAVES_DEEP : DEEP;
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        for (uint32_t c = 0; c < CALLEES; c++)
            callees[i][c] = (uint32_t)(next_random(&seed) % FUNCTIONS);
    while (stacks < wanted) {
        toll_node_id node = toll_profile_root(p, thread);
        uint32_t function = 0, depth = SHALLOW + (uint32_t)(next_random(&seed) % (deep - SHALLOW));
        for (uint32_t d = 1; d <= depth && stacks < wanted; d++) {
            bench_ok(toll_profile_add_child(p, node, frames[function], &node, NULL));
            function = callees[function][pick(&seed)];
            if (leaves && d < depth)
                continue;
            stacks += toll_profile_self(p, node, 0) == 0;
            int64_t time = 1 + (int64_t)(next_random(&seed) % 4000);
            bench_ok(toll_profile_add_self(p, node, 0, time, NULL));
        }
    }
}

static toll_profile *make_profile(uint32_t stacks, bool leaves, const toll_allocator *allocator)
{
    static toll_frame_id frames[FUNCTIONS];
    toll_profile *p;
    toll_thread_id thread;
    bench_ok(toll_profile_create(allocator, &p, NULL));
    bench_ok(toll_profile_add_column(p, "time", "nanoseconds", NULL, NULL));
    bench_ok(toll_profile_add_thread(p, "main", &thread, NULL));
    add_frames(p, frames);
    add_stacks(p, thread, frames, stacks, leaves);
    return p;
}

static double mean_depth(const toll_profile *p)
{
    uint32_t count = toll_profile_node_count(p);
    uint32_t *depth = calloc(count, sizeof *depth);
    double sum = 0;
    for (uint32_t i = 0; depth && i < count; i++) {
        toll_node_id parent = toll_profile_parent(p, i);
        depth[i] = parent == TOLL_NONE ? 0 : depth[parent] + 1;
        sum += depth[i];
    }
    free(depth);
    return sum / count;
}

/* Write the file, and print how long that took; returns its size. */
static double write_file(const toll_profile *p, const char *folder, const char *name,
                         toll_budget *budget)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    size_t before = budget->used;
    budget->peak = budget->used;
    double start = bench_now();
    bench_ok(toll_profile_save(p, path, NULL));
    double took = bench_now() - start;
    FILE *f = fopen(path, "rb");
    if (!f || fseek(f, 0, SEEK_END) != 0) {
        perror(path);
        exit(1);
    }
    double size = (double)ftell(f);
    fclose(f);
    printf("%-24s %9.2f MB in %6.2f s, %7.1f MB of memory beside the profile's\n", name, size / 1e6,
           took, (double)(budget->peak - before) / 1e6);
    return size;
}

int main(int argc, char **argv)
{
    uint32_t stacks = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
    char own[] = "/tmp/bench_page.XXXXXX", path[4096];
    const char *folder = argc > 2 ? argv[2] : mkdtemp(own);
    bool leaves = argc > 3 && strcmp(argv[3], "leaves") == 0;
    toll_budget budget = { .limit = SIZE_MAX };
    toll_allocator allocator = toll_budget_allocator(&budget);
    struct rusage usage;
    if (!folder) {
        perror(own);
        return 1;
    }
    toll_profile *p = make_profile(stacks, leaves, &allocator);
    printf("page: %u stacks, %u nodes, %.1f frames deep on average, %.1f MB of memory\n", stacks,
           toll_profile_node_count(p) - 1, mean_depth(p), (double)budget.used / 1e6);
    double pprof = write_file(p, folder, "stacks.pb.gz", &budget);
    double page = write_file(p, folder, "stacks.html", &budget);
    printf("the page is %.2f times as large as the pprof file (goal: 1.3, and 0.2 MB)\n",
           page / pprof);
    if (argc > 2) {
        write_file(p, folder, "stacks.speedscope.json", &budget);
    } else {
        static const char *const names[] = { "stacks.pb.gz", "stacks.html" };
        for (int i = 0; i < 2; i++) {
            snprintf(path, sizeof path, "%s/%s", folder, names[i]);
            unlink(path);
        }
        rmdir(folder);
    }
    toll_profile_free(p);
    getrusage(RUSAGE_SELF, &usage);
    printf("of the whole process %.1f MB\n", (double)usage.ru_maxrss * 1024 / 1e6);
    return 0;
}
