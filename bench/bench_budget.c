/* bench_budget.c - the time of `toll check --budget` by the number of rules.
 *
 *   bench_budget [NODES]   (default 1,000,000)
 *
 * Makes a profile of that many nodes in $TMPDIR or /tmp, of a program of 2,000 functions with
 * stacks of 12 to 40 frames, each with ticks and calls, and budgets of 1 to 1,000 rules about its
 * functions: `self NAME`, as --write-budget makes them, and `NAME`, all of which hold, or all of
 * which fail, so that stacks are looked for, too. Then checks one after the other. Reading the
 * profile is part of each time. */
#define _DEFAULT_SOURCE /* wait4 */
#include "bench.h"

#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    FUNCTIONS = 2000,
    CALLEES = 12,
    SHALLOW = 12,
    DEEP = 40,
    MOST_RULES = 1000,
    PATH_SIZE = 4096
};

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

static void name_of(uint32_t function, char *name, size_t size)
{
    snprintf(name, size, "app::module_%u::Handler::step_%u", function % 97, function);
}

/* Add call stacks: from main along callees, down to a random depth. */
static void add_stacks(toll_profile *p, uint32_t nodes)
{
    uint64_t seed = 1;
    while (toll_profile_node_count(p) < nodes) {
        toll_node_id node = toll_profile_root(p, 0);
        uint32_t function = 0, depth = SHALLOW + (uint32_t)(next_random(&seed) % (DEEP - SHALLOW));
        for (uint32_t d = 0; d < depth && toll_profile_node_count(p) < nodes; d++) {
            bench_ok(toll_profile_add_child(p, node, function, &node, NULL));
            bench_ok(
                toll_profile_add_self(p, node, 0, 1 + (int64_t)(next_random(&seed) % 4000), NULL));
            bench_ok(toll_profile_add_self(p, node, 1, 1, NULL));
            function = (function * 7 + 1 + (uint32_t)(next_random(&seed) % CALLEES)) % FUNCTIONS;
        }
    }
}

static void make_profile(const char *path, uint32_t nodes)
{
    toll_profile *p;
    char name[80];
    bench_ok(toll_profile_create(NULL, &p, NULL));
    bench_ok(toll_profile_add_column(p, "ticks", "count", NULL, NULL));
    bench_ok(toll_profile_add_column(p, "calls", "count", NULL, NULL));
    bench_ok(toll_profile_add_thread(p, "main", NULL, NULL));
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        name_of(i, name, sizeof name);
        bench_ok(toll_profile_add_frame(p, &(toll_frame){ .name = name }, NULL, NULL));
    }
    add_stacks(p, nodes);
    bench_ok(toll_profile_save(p, path, NULL));
    toll_profile_free(p);
}

/* Write rules of one form, about functions spread over the program. */
static void make_budget(const char *path, uint32_t rules, const char *form)
{
    FILE *f = fopen(path, "w");
    char name[80];
    for (uint32_t i = 0; f && i < rules; i++) {
        name_of(i * (FUNCTIONS / MOST_RULES), name, sizeof name);
        fprintf(f, form, name);
    }
    if (!f || fclose(f) != 0) {
        perror(path);
        exit(1);
    }
}

/* Seconds of processor time that a check takes. */
static double check(const char *toll, const char *budget, const char *profile)
{
    struct rusage usage;
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
            execl(toll, toll, "check", "--budget", budget, profile, (char *)NULL);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
        (WEXITSTATUS(status) != 0 && WEXITSTATUS(status) != 3)) {
        fprintf(stderr, "failed: %s check --budget %s %s\n", toll, budget, profile);
        exit(1);
    }
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

static void measure(const char *toll, const char *folder, const char *title, const char *form)
{
    char budget[2 * PATH_SIZE], profile[2 * PATH_SIZE];
    snprintf(budget, sizeof budget, "%s/budget", folder);
    snprintf(profile, sizeof profile, "%s/p.pb.gz", folder);
    printf("%-24s", title);
    for (uint32_t rules = 1; rules <= MOST_RULES; rules *= 10) {
        make_budget(budget, rules, form);
        printf("  %4u: %7.2f s", rules, check(toll, budget, profile));
    }
    printf("\n");
    remove(budget);
}

int main(int argc, char **argv)
{
    char folder[PATH_SIZE], path[2 * PATH_SIZE], toll[PATH_SIZE];
    const char *temporary = getenv("TMPDIR"), *slash = strrchr(argv[0], '/');
    uint32_t nodes = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000000;
    snprintf(toll, sizeof toll, "%.*s/../bin/toll", slash ? (int)(slash - argv[0]) : 1,
             slash ? argv[0] : ".");
    snprintf(folder, sizeof folder, "%s/bench_budget_%ld", temporary ? temporary : "/tmp",
             (long)getpid());
    snprintf(path, sizeof path, "%s/p.pb.gz", folder);
    mkdir(folder, 0777);
    make_profile(path, nodes);
    printf("%u nodes; processor time by the number of rules, with the reading of the profile\n",
           nodes);
    measure(toll, folder, "self NAME, which hold", "ticks  self %s  >= 1\n");
    measure(toll, folder, "NAME, which hold", "ticks  %s  >= 1\n");
    measure(toll, folder, "NAME, which fail", "ticks  %s  <= 0\n");
    remove(path);
    remove(folder);
    return 0;
}
