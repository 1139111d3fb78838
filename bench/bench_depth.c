/* bench_depth.c - how long it takes to save a very deep profile, and to read it back.
 *
 *   bench_depth [DEPTH]   (default 100000)
 *
 * Two profiles have DEPTH nodes each: one is a single stack, the other has DEPTH leaves under one
 * function. Each is saved in every format that needs no timeline, without waiting for the disk, and
 * read back if the format can be read. Formats that write each stack in full must not take much
 * longer for the deep one. */
#include "bench.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { DEPTH = 100000, FUNCTIONS = 1000, PATH = 4200 };

static const char *const formats[][2] = {
    { "pprof", "pb.gz" },     { "folded", "folded" },       { "perfview", "PerfView.json" },
    { "speedscope", "json" }, { "callgrind", "callgrind" }, { "html", "html" },
    { "svg", "svg" },
};

static void ignore_warning(void *user, const char *text)
{
    (void)user;
    (void)text;
}

static toll_profile *make_profile(uint32_t nodes, int is_deep)
{
    static toll_frame_id frames[FUNCTIONS];
    toll_profile *p;
    toll_thread_id thread;
    bench_ok(toll_profile_create(NULL, &p, NULL));
    bench_ok(toll_profile_add_column(p, "ticks", "count", NULL, NULL));
    bench_ok(toll_profile_add_thread(p, "main", &thread, NULL));
    for (int i = 0; i < FUNCTIONS; i++) {
        char name[40];
        snprintf(name, sizeof name, "module::function_%d", i);
        bench_ok(toll_profile_add_frame(p, &(toll_frame){ .name = name }, &frames[i], NULL));
    }
    toll_node_id root = toll_profile_root(p, thread), node = root, parent = root;
    for (uint32_t i = 0; i < nodes; i++) {
        if (!is_deep && i % FUNCTIONS == 0)
            bench_ok(
                toll_profile_add_child(p, root, frames[i / FUNCTIONS % FUNCTIONS], &parent, NULL));
        else if (is_deep)
            parent = node;
        bench_ok(toll_profile_add_child(p, parent, frames[i % FUNCTIONS], &node, NULL));
        bench_ok(toll_profile_add_self(p, node, 0, 1, NULL));
    }
    return p;
}

static int64_t sum_of(const toll_profile *p)
{
    int64_t sum = 0;
    for (uint32_t i = 0; i < toll_profile_node_count(p); i++)
        sum += toll_profile_self(p, i, 0);
    return sum;
}

/* Seconds to save, and to read back (-1: the format cannot be read). */
static void time_saving(const toll_profile *p, const char *path, const char *format, double *saved,
                        double *read)
{
    const toll_format_options options = { .size = sizeof options,
                                          .warn = ignore_warning,
                                          .no_sync = 1 };
    double start = bench_now();
    bench_ok(toll_profile_save_as(p, NULL, path, format, &options, NULL));
    *saved = bench_now() - start;
    *read = -1;
    toll_profile *again;
    start = bench_now();
    toll_status status = toll_profile_load(NULL, path, format, &options, NULL, &again, NULL);
    if (status == TOLL_E_UNSUPPORTED)
        return;
    bench_ok(status);
    *read = bench_now() - start;
    if (sum_of(again) != sum_of(p)) {
        fprintf(stderr, "%s: the sum of what was read is wrong\n", path);
        exit(1);
    }
    toll_profile_free(again);
}

static void print_reading(double seconds)
{
    if (seconds < 0)
        printf("%9s", "-");
    else
        printf("%7.2f s", seconds);
}

static void bench_format(const toll_profile *deep, const toll_profile *wide, const char *folder,
                         const char *const format[2])
{
    char path[PATH];
    struct stat file;
    double saved, read, wide_saved, wide_read;
    snprintf(path, sizeof path, "%s/bench_depth_%ld.%s", folder, (long)getpid(), format[1]);
    time_saving(wide, path, format[0], &wide_saved, &wide_read);
    time_saving(deep, path, format[0], &saved, &read);
    if (stat(path, &file) != 0) {
        perror(path);
        exit(1);
    }
    unlink(path);
    printf("%-10s %7.2f s", format[0], saved);
    print_reading(read);
    printf(" %9.1f MB %9.2f s", (double)file.st_size / 1e6, wide_saved);
    print_reading(wide_read);
    printf("\n");
}

int main(int argc, char **argv)
{
    uint32_t depth = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : DEPTH;
    const char *folder = getenv("TMPDIR");
    toll_profile *deep = make_profile(depth, 1), *wide = make_profile(depth, 0);
    printf("%u nodes:      one stack                     one function's callees\n", depth);
    printf("format         saved     read         file       saved     read   (goal: one stack "
           "saved in 1 s)\n");
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        bench_format(deep, wide, folder ? folder : "/tmp", formats[i]);
    toll_profile_free(wide);
    toll_profile_free(deep);
    return 0;
}
