/* bench_history.c - the size of a history, and the time of `toll history`, by the number of
 * commits.
 *
 *   bench_history [COMMITS]   (default 2,000)
 *
 * Makes the history of a program of 1,000 functions with 4,000 stacks in $TMPDIR or /tmp. Each
 * commit changes the ticks of one to five stacks. Then adds one commit more, and finds those that
 * changed a function, and makes a page, each as a process of its own. */
#define _DEFAULT_SOURCE /* wait4 */
#include "bench.h"

#include "gates/history.h"

#include <inttypes.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FUNCTIONS = 1000, STACKS = 4000, PATH_SIZE = 4096 };

static uint64_t next_random(uint64_t *seed)
{
    *seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *seed >> 33;
}

/* The profile of a program whose stack i costs ticks[i]: stack i is called by stack i / 3. */
static toll_profile *make_profile(const int64_t *ticks)
{
    toll_profile *p;
    static toll_node_id nodes[STACKS];
    char name[80];
    bench_ok(toll_profile_create(NULL, &p, NULL));
    bench_ok(toll_profile_add_column(p, "ticks", "count", NULL, NULL));
    bench_ok(toll_profile_add_thread(p, "main", NULL, NULL));
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        snprintf(name, sizeof name, "app::module_%u::Handler::step_%u", i % 97, i);
        bench_ok(toll_profile_add_frame(
            p, &(toll_frame){ .name = name, .file = "src/app.rs", .line = i + 1 }, NULL, NULL));
    }
    for (uint32_t i = 0; i < STACKS; i++) {
        toll_node_id parent = i ? nodes[i / 3] : toll_profile_root(p, 0);
        bench_ok(toll_profile_add_child(p, parent, i * 7 % FUNCTIONS, &nodes[i], NULL));
        bench_ok(toll_profile_add_self(p, nodes[i], 0, ticks[i], NULL));
    }
    return p;
}

static void change(int64_t *ticks, uint64_t *seed)
{
    for (uint64_t left = 1 + next_random(seed) % 5; left > 0; left--)
        ticks[next_random(seed) % STACKS] = 1 + (int64_t)(next_random(seed) % 100000);
}

/* Seconds of processor time of `toll history ARGUMENTS`. */
static double run(const char *toll, const char *const *arguments)
{
    const char *all[12] = { toll, "history" };
    struct rusage usage;
    int status;
    for (int i = 0; arguments[i]; i++)
        all[i + 2] = arguments[i];
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        if (freopen("/dev/null", "w", stdout) && freopen("/dev/null", "w", stderr))
            execv(toll, (char *const *)(uintptr_t)all);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 0) {
        fprintf(stderr, "failed: %s history %s\n", toll, arguments[0]);
        exit(1);
    }
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) * 1e-6;
}

/* Make the history, and the profile of the commit that follows. */
static void make_files(uint32_t commits, const char *history, const char *next)
{
    static int64_t ticks[STACKS];
    uint64_t seed = 1;
    toll_history h;
    char id[16];
    for (uint32_t i = 0; i < STACKS; i++)
        ticks[i] = 1 + (int64_t)(next_random(&seed) % 100000);
    bench_ok(toll_history_create(&h, NULL, NULL));
    for (uint32_t c = 0; c <= commits; c++) {
        toll_profile *p = make_profile(ticks);
        if (c < commits) {
            snprintf(id, sizeof id, "c%06" PRIu32, c);
            bench_ok(toll_history_add(&h, p, id, NULL));
        } else {
            bench_ok(toll_profile_save(p, next, NULL));
        }
        toll_profile_free(p);
        change(ticks, &seed);
    }
    bench_ok(toll_profile_save(h.profile, history, NULL));
    toll_history_free(&h);
}

int main(int argc, char **argv)
{
    char folder[PATH_SIZE], toll[PATH_SIZE], paths[3][2 * PATH_SIZE];
    static const char *const names[] = { "history.pb.gz", "next.pb.gz", "page.html" };
    const char *temporary = getenv("TMPDIR"), *slash = strrchr(argv[0], '/');
    uint32_t commits = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 2000;
    struct stat info;
    snprintf(toll, sizeof toll, "%.*s/../bin/toll", slash ? (int)(slash - argv[0]) : 1,
             slash ? argv[0] : ".");
    snprintf(folder, sizeof folder, "%s/bench_history_%ld", temporary ? temporary : "/tmp",
             (long)getpid());
    for (int i = 0; i < 3; i++)
        snprintf(paths[i], sizeof paths[i], "%s/%s", folder, names[i]);
    mkdir(folder, 0777);
    double began = bench_now();
    make_files(commits, paths[0], paths[1]);
    double made = bench_now() - began;
    if (stat(paths[0], &info) != 0)
        exit(1);
    printf("%" PRIu32 " commits, %d functions, %d stacks: %.2f MB, made in %.1f s\n", commits,
           FUNCTIONS, STACKS, (double)info.st_size * 1e-6, made);
    const char *add[] = { "add", "--commit", "next", paths[0], paths[1], NULL },
               *blame[] = { "blame", paths[0], "app::module_5::Handler::step_102", NULL },
               *page[] = { "page", paths[0], "-o", paths[2], NULL };
    printf("processor time: add %.2f s", run(toll, add));
    printf(", blame %.2f s", run(toll, blame));
    printf(", page %.2f s\n", run(toll, page));
    for (int i = 0; i < 3; i++)
        remove(paths[i]);
    remove(folder);
    return 0;
}
