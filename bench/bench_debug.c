/* bench_debug.c MODULE... - how fast a module's debug information is opened, addresses are looked
 * up in it, and a profile of all of its basic blocks gets lines; and with how much memory.
 * bench/debug/run.sh compiles modules for it. */
#define _DEFAULT_SOURCE /* ru_maxrss */
#include "bench.h"

#include "wasm/stretches.h"

#include <sys/resource.h>

#include <toll/debug.h>

enum { ROUNDS = 3, LOOKUPS = 10000, MOST_PLACES = 16 };

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    uint8_t *data = NULL;
    *size = 0;
    if (f && fseek(f, 0, SEEK_END) == 0) {
        long end = ftell(f);
        data = end > 0 ? malloc((size_t)end) : NULL;
        rewind(f);
        *size = data ? fread(data, 1, (size_t)end, f) : 0;
    }
    if (f)
        fclose(f);
    if (*size == 0) {
        fprintf(stderr, "%s: cannot be read\n", path);
        exit(1);
    }
    return data;
}

/* Add a child of the thread's root for each basic block of the function: it ran ten times. */
static void add_stretches(toll_profile *p, const toll_wasm_step *steps, size_t count,
                          const toll_frame *function)
{
    toll_frame frame = *function;
    for (size_t i = 0, end; i < count; i = end) {
        uint64_t cost = 0;
        toll_frame_id id;
        toll_node_id node;
        for (end = i; end < count && steps[end].stretch == steps[i].stretch; end++)
            cost += steps[end].cost;
        if (!steps[i].stretch)
            continue;
        frame.at_address = steps[i].stretch;
        bench_ok(toll_profile_add_frame(p, &frame, &id, NULL));
        bench_ok(toll_profile_add_child(p, toll_profile_root(p, 0), id, &node, NULL));
        bench_ok(toll_profile_add_self(p, node, 0, (int64_t)cost * 10, NULL));
        bench_ok(toll_profile_add_self(p, node, 1, 10, NULL));
    }
}

/* A profile of all of the module's code. */
static toll_profile *make_profile(const char *path, const toll_debug *d)
{
    size_t size;
    uint8_t *data = read_file(path, &size);
    toll_mem mem = toll_mem_from(NULL);
    toll_wasm_module m;
    toll_wasm_stretches *s;
    toll_profile *p;
    toll_thread_id thread;
    bench_ok(toll_wasm_module_read(&m, &mem, path, data, size, NULL));
    bench_ok(toll_wasm_stretches_create(&m, NULL, &s, NULL));
    bench_ok(toll_profile_create(NULL, &p, NULL));
    bench_ok(toll_profile_add_column(p, "ticks", "count", NULL, NULL));
    bench_ok(toll_profile_add_column(p, "executions", "count", NULL, NULL));
    bench_ok(toll_profile_add_thread(p, "main", &thread, NULL));
    for (uint32_t i = m.imported_functions; i < m.function_count; i++) {
        const toll_wasm_step *steps;
        size_t count;
        char name[20];
        snprintf(name, sizeof name, "function#%u", (unsigned)i);
        bench_ok(toll_wasm_stretches_read(s, i, &steps, &count, NULL));
        add_stretches(p, steps, count,
                      &(toll_frame){ .name = name, .build_id = toll_debug_build_id(d) });
    }
    toll_wasm_stretches_free(s);
    toll_wasm_module_free(&m);
    free(data);
    return p;
}

static void bench_symbolize(const char *path, const toll_debug *d)
{
    toll_profile *p = make_profile(path, d), *q;
    double best = 1e9;
    uint32_t frames = toll_profile_frame_count(p);
    for (int i = 0; i < bench_rounds(ROUNDS); i++) {
        double start = bench_now();
        bench_ok(toll_profile_symbolize(p, &d, 1, NULL, &q, NULL));
        double took = bench_now() - start;
        best = took < best ? took : best;
        toll_profile_free(q);
    }
    printf("symbolize: %u basic blocks in %.3f s, %.2f us each\n", (unsigned)frames, best,
           best * 1e6 / frames);
    toll_profile_free(p);
}

/* Look up addresses all over the module's code: the step and the code's size have no common
 * divisor. */
static double look_up(const toll_debug *d, uint64_t code_size, uint64_t *known)
{
    toll_debug_place places[MOST_PLACES];
    double start = bench_now();
    for (uint64_t i = 0; i < LOOKUPS; i++)
        *known += toll_debug_places(d, i * 7919 * 131 % code_size, places, MOST_PLACES) > 0;
    return bench_now() - start;
}

static uint64_t code_size_of(const char *path)
{
    size_t size;
    uint8_t *data = read_file(path, &size);
    toll_mem mem = toll_mem_from(NULL);
    toll_wasm_module m;
    bench_ok(toll_wasm_module_read(&m, &mem, path, data, size, NULL));
    uint64_t result = m.code.size;
    toll_wasm_module_free(&m);
    free(data);
    return result;
}

static void run(const char *path)
{
    double best = 1e9, best_look_up = 1e9;
    uint64_t code_size = code_size_of(path), known = 0;
    toll_budget budget = { .limit = SIZE_MAX };
    toll_allocator a = toll_budget_allocator(&budget);
    struct rusage usage;
    toll_debug *d = NULL;
    for (int i = 0; i < bench_rounds(ROUNDS); i++) {
        toll_debug_free(d);
        double start = bench_now();
        bench_ok(toll_debug_open(&a, path, &d, NULL));
        double took = bench_now() - start;
        best = took < best ? took : best;
        known = 0;
        took = look_up(d, code_size, &known);
        best_look_up = took < best_look_up ? took : best_look_up;
    }
    getrusage(RUSAGE_SELF, &usage);
    printf("%s: opened in %.3f s (goal for 49 MB: 1), %.0f MB of Toll's at most, %.0f MB kept,\n"
           "  process %.0f MB at most (goal for 49 MB: 150); %d look-ups in %.3f s, %llu known\n",
           path, best, (double)budget.peak * 1e-6, (double)budget.used * 1e-6,
           (double)usage.ru_maxrss * 1024e-6, LOOKUPS, best_look_up, (unsigned long long)known);
    bench_symbolize(path, d);
    toll_debug_free(d);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        run(argv[i]);
    return 0;
}
