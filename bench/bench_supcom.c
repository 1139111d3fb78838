/* bench_supcom.c - how fast logs of games are read (the format supcom), and in how much memory.
 *
 *   bench_supcom [MEGABYTES]   (default 300)
 *
 * Makes a log of that size in $TMPDIR or /tmp: three runs of the profiler, each with a line for
 * each stack of a random tree, some 900 bytes long, with the game's own lines in between. MB are
 * 10^6 bytes; peak memory is what the reader asked of its allocator. */
#include "bench.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

enum { RUNS = 3, PREFIXES = 50000, LONGEST = 2400, FUNCTIONS = 600, DEEPEST = 12 };

/* The beginning of stacks: inner frames, each with its ';'. */
typedef struct prefix {
    char *text;
    size_t size;
    int depth;
} prefix;

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

/* A frame without its CURRENTLINE. */
static size_t put_frame(char *text, size_t room, uint64_t *seed)
{
    unsigned f = (unsigned)(next_random(seed) % FUNCTIONS);
    return (size_t)snprintf(
        text, room,
        "@c:\\program files (x86)\\steam\\steamapps\\common\\supreme commander "
        "forged alliance\\LOUD\\gamedata\\lua\\lua\\module%u.lua,%u,Function%u,",
        f % 25, f * 7 % 1999, f);
}

static void keep_prefix(prefix *prefixes, size_t at, const char *text, size_t size, int depth)
{
    free(prefixes[at].text);
    prefixes[at] = (prefix){ malloc(size), size, depth };
    if (!prefixes[at].text)
        exit(1);
    memcpy(prefixes[at].text, text, size);
}

static uint64_t write_run(FILE *f, uint64_t size, int64_t *calls)
{
    static prefix prefixes[PREFIXES];
    static char line[LONGEST + 400];
    uint64_t seed = 1, written = 0;
    size_t count = 1;
    memset(prefixes, 0, sizeof prefixes);
    keep_prefix(prefixes, 0, "", 0, 0);
    while (written < size) {
        const prefix *p = &prefixes[next_random(&seed) % count];
        size_t n = p->size, head = strlen("info: prof: ");
        int depth = p->depth;
        unsigned current = (unsigned)(next_random(&seed) % 2000), times = current % 97;
        memcpy(line, "info: prof: ", head);
        memcpy(line + head, p->text, n);
        n += head + put_frame(line + head + n, 300, &seed);
        size_t m =
            n + (size_t)snprintf(line + n, 100, "%u;%u,%.14g,%s\n", current, times,
                                 (double)next_random(&seed) / 1e12, current % 3 ? "t,f" : "f,t");
        fwrite(line, 1, m, f);
        written += m;
        *calls += times;
        if (depth < DEEPEST && n < LONGEST) {
            n += (size_t)snprintf(line + n, 20, "%u;", current);
            keep_prefix(prefixes,
                        count < PREFIXES ? count++ : 1 + next_random(&seed) % (PREFIXES - 1),
                        line + head, n - head, depth + 1);
        }
        if (current % 10 == 0)
            written += (uint64_t)fprintf(f, "debug: GameTick %u: something else\n", current);
    }
    for (size_t i = 0; i < count; i++)
        free(prefixes[i].text);
    return written;
}

static int64_t make_log(const char *path, uint64_t *size)
{
    FILE *f = fopen(path, "w");
    uint64_t each = *size / RUNS;
    int64_t calls = 0;
    if (!f) {
        perror(path);
        exit(1);
    }
    *size = 0;
    for (int run = 0; run < RUNS; run++)
        *size += write_run(f, each, &calls);
    if (fclose(f) != 0) {
        perror(path);
        exit(1);
    }
    return calls;
}

static void read_log(const char *path, uint64_t size, int64_t calls)
{
    double best = 0;
    toll_budget budget = { .limit = SIZE_MAX };
    toll_allocator allocator = toll_budget_allocator(&budget);
    uint32_t nodes = 0;
    for (int round = 0; round < 3; round++) {
        toll_input *in;
        toll_profile *p;
        int64_t sum = 0;
        double start = bench_now();
        bench_ok(toll_input_open(&allocator, path, &in, NULL));
        bench_ok(toll_profile_read(in, "supcom", NULL, NULL, &p, NULL));
        toll_input_free(in);
        double took = bench_now() - start;
        best = best == 0 || took < best ? took : best;
        nodes = toll_profile_node_count(p);
        for (uint32_t i = 0; i < nodes; i++)
            sum += toll_profile_self(p, i, 0);
        if (sum != calls) {
            fprintf(stderr, "%s: %" PRId64 " calls were read, %" PRId64 " written\n", path, sum,
                    calls);
            exit(1);
        }
        toll_profile_free(p);
    }
    printf("supcom: reading a log             %6.0f MB/s (goal: 300), %" PRIu32
           " stacks, memory %.1f MB\n",
           (double)size / 1e6 / best, nodes, (double)budget.peak / 1e6);
}

int main(int argc, char **argv)
{
    char path[4096];
    const char *folder = getenv("TMPDIR");
    uint64_t size = (argc > 1 ? strtoull(argv[1], NULL, 10) : 300) * 1000000;
    snprintf(path, sizeof path, "%s/bench_supcom_%ld.log", folder ? folder : "/tmp",
             (long)getpid());
    int64_t calls = make_log(path, &size);
    read_log(path, size, calls);
    unlink(path);
    return 0;
}
