/* bench_merge.c - the time of `toll merge` of many pprof files, compared with gunzip of the same
 * files.
 *
 *   bench_merge [FILES]   (default 2000)
 *
 * Makes that many profiles of one program in $TMPDIR or /tmp: each run has seen a random quarter of
 * the program's 20,000 call stacks, with time and calls. Then gunzip, `toll merge -j 1` and `toll
 * merge -j 2` run in turn. The ratio to gunzip is of user time, which other work on the machine
 * changes least. The ratio of the two merges is of elapsed time: it means something only while two
 * processors are free. The files that both write must be equal. The command is that of the same
 * build. */
#define _DEFAULT_SOURCE /* wait4 */
#include "bench.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { STACKS = 20000, DEEPEST = 40, FUNCTIONS = 1500, SOURCES = 60, ROUNDS = 3, PATH_SIZE = 4096 };

typedef struct took {
    double user, wall;
    double peak_mb;
} took;

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

/* --- the files ---------------------------------------------------------------------------------*/

static void add_functions(toll_profile *p)
{
    for (unsigned i = 0; i < FUNCTIONS; i++) {
        char name[80], file[80];
        snprintf(name, sizeof name, "module_%u.Handler.step_%u", i % SOURCES, i);
        snprintf(file, sizeof file, "/srv/app/src/module_%u/handler.lua", i % SOURCES);
        bench_ok(toll_profile_add_frame(
            p, &(toll_frame){ .name = name, .file = file, .line = 10 + i }, NULL, NULL));
    }
}

/* Add the program's stacks in a walk that is the same every time; stacks that this run has seen get
 * values. Children come after their parents. */
static void add_stacks(toll_profile *p, uint64_t run)
{
    uint64_t walk = 1, seed = run * UINT64_C(0x9e3779b97f4a7c15);
    toll_node_id stack[DEEPEST + 1] = { toll_profile_root(p, 0) };
    uint32_t function[DEEPEST + 1] = { 0 };
    for (uint32_t i = 0, depth = 0; i < STACKS; i++) {
        while (depth == DEEPEST || (depth > 3 && next_random(&walk) % 100 < 48))
            depth--;
        uint32_t callee =
            (function[depth] * 7 + 1 + (uint32_t)(next_random(&walk) % 12)) % FUNCTIONS;
        bench_ok(toll_profile_add_child(p, stack[depth], callee, &stack[depth + 1], NULL));
        function[++depth] = callee;
        if (next_random(&seed) % 4)
            continue;
        bench_ok(toll_profile_add_self(p, stack[depth], 0,
                                       (int64_t)(1 + next_random(&seed) % 1000000), NULL));
        bench_ok(toll_profile_add_self(p, stack[depth], 1, (int64_t)(1 + next_random(&seed) % 100),
                                       NULL));
    }
}

static void make_file(const char *path, uint64_t run)
{
    toll_profile *p;
    bench_ok(toll_profile_create(NULL, &p, NULL));
    bench_ok(toll_profile_add_column(p, "time", "nanoseconds", NULL, NULL));
    bench_ok(toll_profile_add_column(p, "calls", "count", NULL, NULL));
    bench_ok(toll_profile_add_thread(p, "main", NULL, NULL));
    add_functions(p);
    add_stacks(p, run);
    bench_ok(toll_profile_save(p, path, NULL));
    toll_profile_free(p);
}

/* --- running -----------------------------------------------------------------------------------*/

/* The time that a shell's command takes. */
static took run(const char *command)
{
    struct rusage usage;
    int status;
    double start = bench_now();
    pid_t child = fork();
    if (child == 0) {
        execl("/bin/sh", "sh", "-c", command, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || status != 0) {
        fprintf(stderr, "failed: %s\n", command);
        exit(1);
    }
    return (took){ (double)usage.ru_utime.tv_sec + (double)usage.ru_utime.tv_usec * 1e-6,
                   bench_now() - start, (double)usage.ru_maxrss * 1024 / 1e6 };
}

static void keep_least(took *least, took t, int round)
{
    if (round == 0 || t.user < least->user)
        least->user = t.user;
    if (round == 0 || t.wall < least->wall)
        least->wall = t.wall;
    if (round == 0 || t.peak_mb > least->peak_mb)
        least->peak_mb = t.peak_mb;
}

static void compare(const char *toll, const char *folder)
{
    char gunzip[4 * PATH_SIZE], one[4 * PATH_SIZE], two[4 * PATH_SIZE], equal[4 * PATH_SIZE];
    took g = { 0 }, a = { 0 }, b = { 0 };
    snprintf(gunzip, sizeof gunzip,
             "cd '%s' && exec find runs -type f -exec gzip -dc {} + >/dev/null", folder);
    snprintf(one, sizeof one, "exec '%s' merge -q -j 1 '%s/runs' -o '%s/1.pb.gz'", toll, folder,
             folder);
    snprintf(two, sizeof two, "exec '%s' merge -q -j 2 '%s/runs' -o '%s/2.pb.gz'", toll, folder,
             folder);
    snprintf(equal, sizeof equal, "exec cmp '%s/1.pb.gz' '%s/2.pb.gz'", folder, folder);
    for (int round = 0; round < bench_rounds(ROUNDS); round++) {
        keep_least(&g, run(gunzip), round);
        keep_least(&a, run(one), round);
        keep_least(&b, run(two), round);
        run(equal);
    }
    printf("gunzip of the files        %6.2f s user\n", g.user);
    printf("toll merge -j 1            %6.2f s user, %.1f times gunzip (goal: 4), %.0f MB\n",
           a.user, a.user / g.user, a.peak_mb);
    printf(
        "toll merge -j 2            %6.2f s user, %.0f MB; %.2f s instead of %.2f: %.2f times as "
        "fast (goal: 1.8)\n",
        b.user, b.peak_mb, b.wall, a.wall, a.wall / b.wall);
}

int main(int argc, char **argv)
{
    char folder[PATH_SIZE], path[2 * PATH_SIZE], toll[PATH_SIZE];
    const char *temporary = getenv("TMPDIR"), *slash = strrchr(argv[0], '/');
    unsigned files = argc > 1 ? (unsigned)atoi(argv[1]) : 2000;
    snprintf(toll, sizeof toll, "%.*s/../bin/toll", slash ? (int)(slash - argv[0]) : 1,
             slash ? argv[0] : ".");
    snprintf(folder, sizeof folder, "%s/bench_merge_%ld", temporary ? temporary : "/tmp",
             (long)getpid());
    snprintf(path, sizeof path, "%s/runs", folder);
    mkdir(folder, 0777);
    mkdir(path, 0777);
    for (unsigned i = 0; i < files; i++) {
        snprintf(path, sizeof path, "%s/runs/%06u.pb.gz", folder, i);
        make_file(path, i + 1);
    }
    compare(toll, folder);
    snprintf(path, sizeof path, "rm -r '%s'", folder);
    run(path);
    return 0;
}
