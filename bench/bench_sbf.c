/* bench_sbf.c - how fast register traces are read, and in how much memory.
 *
 *   bench_sbf [MEGABYTES]   (default 300)
 *
 * Makes a trace of that size in a folder of its own in $TMPDIR or /tmp: a program of 2,000
 * functions that call each other at random, up to 20 deep, with a call or return every 12
 * instructions, and five loads and stores between; reads it. MB are 10^6 bytes of HASH.regs and
 * HASH.insns together. Peak memory is what the reader asked of its allocator. */
#include "bench.h"

#include <string.h>
#include <unistd.h>

enum { FUNCTIONS = 2000, SLOTS = 64, DEEPEST = 20, STRETCH = 11, RECORD = 96 + 8 };
enum { CALL = 0x85, RETURN = 0x95, ADD = 0x07, LOAD = 0x79, STORE = 0x7b };

typedef struct trace {
    FILE *regs, *insns;
    uint64_t instructions, seed;
    uint64_t pcs[DEEPEST + 1]; /* pc of the next instruction of each open function */
    int depth;
} trace;

static void put(uint8_t *to, uint64_t v)
{
    for (int i = 0; i < 8; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

static void execute(trace *t, uint8_t opcode)
{
    uint8_t regs[96] = { 0 }, insn[8] = { opcode };
    put(regs + 80, (uint64_t)t->depth * 8192);
    put(regs + 88, t->pcs[t->depth]++);
    fwrite(regs, 1, sizeof regs, t->regs);
    fwrite(insn, 1, sizeof insn, t->insns);
    t->instructions++;
}

static uint64_t next_random(trace *t)
{
    t->seed = t->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return t->seed >> 33;
}

static uint64_t make_trace(const char *folder, uint64_t size)
{
    trace t = { .regs = bench_create(folder, "a.regs"),
                .insns = bench_create(folder, "a.insns"),
                .seed = 1 };
    while (t.instructions < size / RECORD) {
        for (int i = 0; i < STRETCH; i++)
            execute(&t, i % 4 == 1 ? LOAD : i % 4 == 3 ? STORE : ADD);
        if (t.depth == DEEPEST || (t.depth > 0 && next_random(&t) % 2)) {
            execute(&t, RETURN);
            t.depth--;
        } else {
            /* Each function calls one of four; otherwise the number of stacks would be
             * unlimited. */
            uint64_t callee = t.pcs[t.depth] / SLOTS * 4 + next_random(&t) % 4;
            execute(&t, CALL);
            t.pcs[++t.depth] = callee % FUNCTIONS * SLOTS;
        }
        if (t.pcs[t.depth] % SLOTS > SLOTS / 2) /* the jump back of a loop */
            t.pcs[t.depth] -= t.pcs[t.depth] % SLOTS;
    }
    bench_finish(t.regs);
    bench_finish(t.insns);
    FILE *id = bench_create(folder, "a.program_id");
    fputs("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA", id);
    bench_finish(id);
    return t.instructions;
}

static void remove_trace(const char *folder)
{
    static const char *const names[] = { "a.regs", "a.insns", "a.program_id" };
    char path[4200];
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        unlink(path);
    }
    rmdir(folder);
}

static void bench(const char *folder, uint64_t instructions)
{
    toll_budget budget = { .limit = SIZE_MAX };
    toll_allocator allocator = toll_budget_allocator(&budget);
    double best = 0, size = (double)instructions * RECORD / 1e6;
    uint32_t stacks = 0;
    for (int round = 0; round < 3; round++) {
        toll_profile *p;
        int64_t sum = 0;
        double start = bench_now();
        bench_ok(toll_profile_load(&allocator, folder, "sbf-trace", NULL, NULL, &p, NULL));
        double took = bench_now() - start;
        best = best == 0 || took < best ? took : best;
        stacks = toll_profile_node_count(p);
        for (uint32_t i = 0; i < stacks; i++)
            sum += toll_profile_self(p, i, 1);
        toll_profile_free(p);
        if (sum != (int64_t)instructions) {
            fprintf(stderr, "%s: the sum of what was read is wrong\n", folder);
            exit(1);
        }
    }
    printf("sbf-trace: reading %5.0f MB        %6.0f MB/s (goal: 500), %.0f M instructions/s\n",
           size, size / best, (double)instructions / 1e6 / best);
    printf("sbf-trace: memory while reading   %6.1f MB for %u stacks\n", (double)budget.peak / 1e6,
           stacks);
}

int main(int argc, char **argv)
{
    char folder[4096];
    const char *parent = getenv("TMPDIR");
    uint64_t size = (argc > 1 ? strtoull(argv[1], NULL, 10) : 300) * 1000000;
    snprintf(folder, sizeof folder, "%s/bench_sbf_XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder)) {
        perror(folder);
        return 1;
    }
    uint64_t instructions = make_trace(folder, size);
    bench(folder, instructions);
    remove_trace(folder);
    return 0;
}
