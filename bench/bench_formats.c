/* bench_formats.c - how fast folded and pprof are read and written, and in how much memory.
 *
 *   bench_formats [MEGABYTES]   (200 unless told)
 *
 * Makes a folded file of that size with 100,000 distinct stacks whose lines come in random order,
 * in $TMPDIR or /tmp; reads it; then writes and reads the profile it gave, in memory. MB are 10^6
 * bytes of uncompressed text or message. Peak memory is what the reader asked of its allocator, and
 * the resident set of the whole process after reading, which is measured before anything else is
 * made in memory. */
#include "bench.h"

#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

enum { STACKS = 100000, ROUNDS = 5, DEEPEST = 12, FUNCTIONS = 2000 };

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

/* The text of stack `i`: the same every time, some 90 bytes. Eight stacks in a row share all but
 * their last frame, as siblings do. */
static size_t put_stack(char *line, size_t room, uint32_t i)
{
    uint64_t seed = i / 8 * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t depth = 3 + (uint32_t)(next_random(&seed) % (DEEPEST - 3));
    size_t n = (size_t)snprintf(line, room, "main");
    for (uint32_t d = 1; d < depth; d++)
        n += (size_t)snprintf(line + n, room - n, ";module_%u.call",
                              (unsigned)(next_random(&seed) % FUNCTIONS));
    n += (size_t)snprintf(line + n, room - n, ";leaf_%u",
                          (unsigned)(next_random(&seed) + i % 8) % FUNCTIONS);
    return n;
}

/* Writes the file; returns the sum of its values. */
static int64_t make_file(const char *path, uint64_t size)
{
    static char line[1024];
    FILE *f = fopen(path, "w");
    uint64_t seed = 1, written = 0;
    int64_t sum = 0;
    if (!f) {
        perror(path);
        exit(1);
    }
    for (uint32_t i = 0; written < size; i++) {
        uint32_t stack = i < STACKS ? i : (uint32_t)(next_random(&seed) % STACKS);
        int value = 1 + (int)(next_random(&seed) % 100000);
        size_t n = put_stack(line, sizeof line, stack);
        n += (size_t)snprintf(line + n, sizeof line - n, " %d\n", value);
        fwrite(line, 1, n, f);
        written += n;
        sum += value;
    }
    if (fclose(f) != 0) {
        perror(path);
        exit(1);
    }
    return sum;
}

static int64_t sum_of(const toll_profile *p)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < toll_profile_node_count(p); i++)
        sum += toll_profile_self(p, i, 0);
    return sum;
}

static toll_profile *read_file(const char *path, const toll_allocator *allocator)
{
    toll_input *in;
    toll_profile *p;
    bench_ok(toll_input_open(allocator, path, &in, NULL));
    bench_ok(toll_profile_read(in, "folded", NULL, NULL, &p, NULL));
    toll_input_free(in);
    return p;
}

static toll_profile *bench_file(const char *path, uint64_t size, int64_t sum)
{
    toll_budget budget = { .limit = SIZE_MAX };
    toll_allocator allocator = toll_budget_allocator(&budget);
    struct rusage usage;
    double best = 0;
    for (int round = 0; round < 3; round++) {
        double start = bench_now();
        toll_profile *p = read_file(path, &allocator);
        double took = bench_now() - start;
        best = best == 0 || took < best ? took : best;
        if (sum_of(p) != sum) {
            fprintf(stderr, "%s: the sum of what was read is wrong\n", path);
            exit(1);
        }
        toll_profile_free(p);
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("folded: reading a file            %6.0f MB/s (goal: 300)\n", (double)size / 1e6 / best);
    printf("folded: memory while reading      %6.1f MB, of the whole process %.1f MB (goal: 200)\n",
           (double)budget.peak / 1e6, (double)usage.ru_maxrss * 1024 / 1e6);
    return read_file(path, NULL);
}

/* Write and read a profile in memory, without gzip. */
static void bench_memory(const toll_profile *p, const char *format)
{
    double best_write = 0, best_read = 0;
    size_t size = 0;
    for (int round = 0; round < ROUNDS; round++) {
        toll_output *out;
        toll_input *in;
        toll_profile *again;
        double start = bench_now();
        bench_ok(toll_output_to_memory(NULL, 0, &out, NULL));
        bench_ok(toll_profile_write(p, NULL, format, NULL, out, NULL));
        bench_ok(toll_output_commit(out, NULL));
        double middle = bench_now();
        const void *data = toll_output_data(out, &size);
        bench_ok(toll_input_from_memory(NULL, data, size, "memory", &in, NULL));
        bench_ok(toll_profile_read(in, format, NULL, NULL, &again, NULL));
        double end = bench_now();
        best_write = round == 0 || middle - start < best_write ? middle - start : best_write;
        best_read = round == 0 || end - middle < best_read ? end - middle : best_read;
        toll_input_free(in);
        toll_output_free(out);
        toll_profile_free(again);
    }
    printf("%s: %u nodes once each, %.1f MB: written %.0f MB/s, %.1f M nodes/s; "
           "read %.0f MB/s, %.1f M nodes/s\n",
           format, toll_profile_node_count(p), (double)size / 1e6, (double)size / 1e6 / best_write,
           toll_profile_node_count(p) / 1e6 / best_write, (double)size / 1e6 / best_read,
           toll_profile_node_count(p) / 1e6 / best_read);
}

int main(int argc, char **argv)
{
    char path[4096];
    const char *folder = getenv("TMPDIR");
    uint64_t size = (argc > 1 ? strtoull(argv[1], NULL, 10) : 200) * 1000000;
    snprintf(path, sizeof path, "%s/bench_formats_%ld.folded", folder ? folder : "/tmp",
             (long)getpid());
    int64_t sum = make_file(path, size);
    toll_profile *p = bench_file(path, size, sum);
    unlink(path);
    bench_memory(p, "folded");
    bench_memory(p, "pprof");
    toll_profile_free(p);
    return 0;
}
