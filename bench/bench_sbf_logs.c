/* bench_sbf_logs.c - how fast register traces are read with the logs of their transactions.
 *
 *   bench_sbf_logs [TRACES]   (default 10000)
 *
 * Makes that many short traces of one program in a folder of its own in $TMPDIR or /tmp, and logs
 * with half as many invocations; reads the traces without the logs and with them. Every trace fits
 * about half of the invocations. In the second row all traces cost the same, and fit all
 * invocations. */
#include "bench.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define PROGRAM "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
#define LOG_CALL UINT32_C(0x207559bd) /* a hash of sol_log_ */

enum { CALL = 0x85, RETURN = 0x95, ADD = 0x07, LENGTHS = 40, LOG_UNITS = 100 };

static FILE *create(const char *folder, const char *format, unsigned number)
{
    char name[64];
    snprintf(name, sizeof name, format, number);
    return bench_create(folder, name);
}

static void put(uint8_t *to, uint64_t v, int size)
{
    for (int i = 0; i < size; i++)
        to[i] = (uint8_t)(v >> 8 * i);
}

static unsigned length_of(unsigned number, int alike)
{
    return alike ? 3 : 3 + number % LENGTHS;
}

/* A call of sol_log_ and other instructions; each trace begins at another place. */
static void make_trace(const char *folder, unsigned number, int alike)
{
    FILE *regs = create(folder, "%08u.regs", number), *insns = create(folder, "%08u.insns", number);
    unsigned length = length_of(number, alike);
    for (unsigned i = 0; i < length; i++) {
        uint8_t r[96] = { 0 }, insn[8] = { i == 0 ? CALL : i + 1 == length ? RETURN : ADD };
        put(r + 88, 64 * (uint64_t)number + i, 8);
        put(insn + 4, i == 0 ? LOG_CALL : 0, 4);
        fwrite(r, 1, sizeof r, regs);
        fwrite(insn, 1, sizeof insn, insns);
    }
    bench_finish(regs);
    bench_finish(insns);
    FILE *id = create(folder, "%08u.program_id", number);
    fputs(PROGRAM, id);
    bench_finish(id);
}

static void make_logs(const char *folder, unsigned count, int alike)
{
    FILE *f = bench_create(folder, "logs");
    for (unsigned i = 0; i < count; i++)
        fprintf(f,
                "Program " PROGRAM " invoke [1]\nProgram log: x\nProgram " PROGRAM
                " consumed %u of 200000 compute units\nProgram " PROGRAM " success\n",
                LOG_UNITS + length_of(i, alike));
    bench_finish(f);
}

static double read_all(const char *folder, const char *logs)
{
    const toll_solana_options solana = { .size = sizeof solana, .logs = logs };
    const toll_reader_options reader = { "solana", &solana, NULL };
    const toll_format_options options = { .size = sizeof options,
                                          .readers = &reader,
                                          .reader_count = 1 };
    double best = 0;
    for (int round = 0; round < bench_rounds(3); round++) {
        toll_profile *p;
        double start = bench_now();
        bench_ok(toll_profile_load(NULL, folder, "sbf-trace", &options, NULL, &p, NULL));
        double took = bench_now() - start;
        best = best == 0 || took < best ? took : best;
        toll_profile_free(p);
    }
    return best;
}

static void remove_all(const char *folder, unsigned count)
{
    static const char *const names[] = { "%08u.regs", "%08u.insns", "%08u.program_id" };
    char name[64], path[4200];
    for (unsigned i = 0; i < count; i++)
        for (int n = 0; n < 3; n++) {
            snprintf(name, sizeof name, names[n], i);
            snprintf(path, sizeof path, "%s/%s", folder, name);
            unlink(path);
        }
    snprintf(path, sizeof path, "%s/logs", folder);
    unlink(path);
    rmdir(folder);
}

static void bench(unsigned count, int alike)
{
    char folder[4096], logs[4200];
    const char *parent = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/bench_sbf_logs_XXXXXX", parent ? parent : "/tmp");
    if (!mkdtemp(folder)) {
        perror(folder);
        exit(1);
    }
    for (unsigned i = 0; i < count; i++)
        make_trace(folder, i, alike);
    make_logs(folder, count / 2, alike);
    snprintf(logs, sizeof logs, "%s/logs", folder);
    double without = read_all(folder, NULL), with = read_all(folder, logs);
    printf("sbf-trace: %6u traces%s  %6.2f s, with logs of %u invocations %6.2f s (%.1f us a "
           "trace)\n",
           count, alike ? ", alike" : "       ", without, count / 2, with,
           with * 1e6 / (double)count);
    remove_all(folder, count);
}

int main(int argc, char **argv)
{
    unsigned count = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 10000;
    bench(count, 0);
    bench(count, 1);
    return 0;
}
