/* bench_formats.c - how fast folded and pprof are read and written, and logs of Solana programs
 * read, and in how much memory.
 *
 *   bench_formats [MEGABYTES]   (default 200)
 *
 * Makes a folded file of that size with 100,000 distinct stacks whose lines come in random order,
 * in $TMPDIR or /tmp; reads it; then writes and reads the profile it gave, in memory. The log is of
 * that size too: transactions of five programs that invoke one another. MB are 10^6
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

/* Write the file; returns the sum of its values. */
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

static int64_t sum_of(const toll_profile *p, uint32_t column)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < toll_profile_node_count(p); i++)
        sum += toll_profile_self(p, i, column);
    return sum;
}

static toll_profile *read_file(const char *path, const char *format,
                               const toll_allocator *allocator)
{
    toll_input *in;
    toll_profile *p;
    bench_ok(toll_input_open(allocator, path, &in, NULL));
    bench_ok(toll_profile_read(in, format, NULL, NULL, &p, NULL));
    toll_input_free(in);
    return p;
}

/* Seconds, the least of three. The sum of `column` must be `sum`. */
static double best_reading(const char *path, const char *format, const toll_allocator *allocator,
                           uint32_t column, int64_t sum)
{
    double best = 0;
    for (int round = 0; round < 3; round++) {
        double start = bench_now();
        toll_profile *p = read_file(path, format, allocator);
        double took = bench_now() - start;
        best = best == 0 || took < best ? took : best;
        if (sum_of(p, column) != sum) {
            fprintf(stderr, "%s: the sum of what was read is wrong\n", path);
            exit(1);
        }
        toll_profile_free(p);
    }
    return best;
}

static toll_profile *bench_file(const char *path, uint64_t size, int64_t sum)
{
    toll_budget budget = { .limit = SIZE_MAX };
    toll_allocator allocator = toll_budget_allocator(&budget);
    struct rusage usage;
    double best = best_reading(path, "folded", &allocator, 0, sum);
    getrusage(RUSAGE_SELF, &usage);
    printf("folded: reading a file            %6.0f MB/s (goal: 300)\n", (double)size / 1e6 / best);
    printf("folded: memory while reading      %6.1f MB, of the whole process %.1f MB (goal: 200)\n",
           (double)budget.peak / 1e6, (double)usage.ru_maxrss * 1024 / 1e6);
    return read_file(path, "folded", NULL);
}

/* Write and read a profile in memory, without gzip. */
static void bench_memory(const toll_profile *p, const char *format)
{
    double best_write = 0, best_read = 0;
    size_t size = 0;
    for (int round = 0; round < bench_rounds(ROUNDS); round++) {
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

/* --- logs of Solana programs -------------------------------------------------------------------*/

/* One transaction of some 20 lines: program `a` invokes `b`, which invokes the token program, with
 * a section by consumption lines, as programs print them. Returns its length; adds its units. */
static size_t put_transaction(char *text, size_t room, uint64_t *seed, int64_t *sum)
{
    static const char ids[5][45] = { "JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4",
                                     "whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc",
                                     "675kPX9MHTjS2zt1qfr1NYHuzeLXfQM9H24wFSUt1Mp8",
                                     "CAMMCzo5YL8w4VFF8KVHrK22GGUsp5VTaW7grrKgrWqK",
                                     "LBUZKhRxPF3XUpBCjp4YzTKgLccjZhTSDM9YuVaPwxo" };
    static const char token[] = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA";
    const char *a = ids[next_random(seed) % 5], *b = ids[next_random(seed) % 5];
    unsigned inner = 1000 + (unsigned)(next_random(seed) % 9000), outer = inner + 20000;
    unsigned whole = outer + 30000, built_in = 150; /* a built-in program, which logs no figure */
    *sum += whole + built_in;
    return (size_t)snprintf(
        text, room,
        "Program ComputeBudget111111111111111111111111111111 invoke [1]\n"
        "Program ComputeBudget111111111111111111111111111111 success\n"
        "Program %s invoke [1]\nProgram log: Instruction: Route\n"
        "Program consumption: 199000 units remaining\nProgram %s invoke [2]\n"
        "Program log: Instruction: Swap\nProgram %s invoke [3]\n"
        "Program log: Instruction: Transfer\n"
        "Program %s consumed %u of 140000 compute units\nProgram %s success\n"
        "Program log: fee_growth: %u, liquidity: %u\n"
        "Program %s consumed %u of 180000 compute units\nProgram %s success\n"
        "Program consumption: 120000 units remaining\n"
        "Program data: QMbN6CYIceINhFKYk7xwCDFNGnOtxpBVXkvH3c3fGFo2j1p4vTz6M9pw0kRkZ1TD\n"
        "Program return: %s AAAAAAAAAAA=\n"
        "Program %s consumed %u of 199850 compute units\nProgram %s success\n",
        a, b, token, token, inner, token, inner * 7, inner * 3, b, outer, b, a, a, whole, a);
}

static int64_t make_log(const char *path, uint64_t size)
{
    static char text[4096];
    FILE *f = fopen(path, "w");
    uint64_t seed = 1, written = 0;
    int64_t sum = 0;
    if (!f) {
        perror(path);
        exit(1);
    }
    while (written < size) {
        size_t n = put_transaction(text, sizeof text, &seed, &sum);
        fwrite(text, 1, n, f);
        written += n;
    }
    if (fclose(f) != 0) {
        perror(path);
        exit(1);
    }
    return sum;
}

static void bench_log(const char *path, uint64_t size)
{
    int64_t sum = make_log(path, size);
    toll_budget budget = { .limit = SIZE_MAX };
    toll_allocator allocator = toll_budget_allocator(&budget);
    double best = best_reading(path, "solana", &allocator, 1, sum);
    printf("solana: reading a file            %6.0f MB/s (goal: 300), memory %.1f MB\n",
           (double)size / 1e6 / best, (double)budget.peak / 1e6);
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
    bench_log(path, size);
    unlink(path);
    return 0;
}
