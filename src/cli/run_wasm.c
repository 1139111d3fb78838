/* run_wasm.c - toll run: a WebAssembly program under Node, by run.mjs, which profiles it. */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MOST_ARGUMENTS = 64, STACK_BYTES = 32 << 20, LEAST_STACK = 2 << 20 };

/* The command line of Node, as it grows. */
typedef struct arguments {
    char **list;
    size_t count, capacity;
    char *made[MOST_ARGUMENTS + TOLL_MOST_DIRS + TOLL_MOST_ENVS]; /* of those, ours to free */
    size_t made_count;
    bool failed;
} arguments;

bool toll_run_is_wasm(const char *program)
{
    char magic[4] = "";
    if (toll_run_ends_with(program, ".wasm"))
        return true;
    FILE *f = toll_run_is_file(program) ? fopen(program, "rb") : NULL;
    bool is_wasm = f && fread(magic, 1, 4, f) == 4 && memcmp(magic, "\0asm", 4) == 0;
    if (f)
        fclose(f);
    return is_wasm;
}

static void add(arguments *a, const char *text)
{
    if (a->count < a->capacity)
        a->list[a->count++] = (char *)(uintptr_t)text; /* execvp changes nothing */
}

/* NAME=VALUE, as one: a value may begin with a dash. */
static void add_option(arguments *a, const char *name, const char *value)
{
    if (!value)
        return;
    size_t size = strlen(name) + strlen(value) + 2;
    char *text = malloc(size);
    if (text)
        snprintf(text, size, "%s=%s", name, value);
    a->failed |= !text;
    a->made[a->made_count++] = text;
    add(a, text);
}

static void add_flag(arguments *a, const char *name, bool wanted)
{
    if (wanted)
        add(a, name);
}

static void add_number(arguments *a, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    add_option(a, name, text);
}

/* Calls cost a little more stack under the profiler: the engine gets more than it takes by itself.
 * Half of what the system allows, since arguments and environment lie there, too. V8 believes what
 * it is told; much more, and its garbage collector takes long to look through it. */
static void add_stack_size(arguments *a)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_STACK, &limit) != 0)
        return;
    rlim_t most = limit.rlim_max == RLIM_INFINITY || limit.rlim_max > 2 * (rlim_t)STACK_BYTES
                      ? 2 * (rlim_t)STACK_BYTES
                      : limit.rlim_max;
    if (limit.rlim_cur != RLIM_INFINITY && limit.rlim_cur < most) {
        limit.rlim_cur = most;
        if (setrlimit(RLIMIT_STACK, &limit) != 0)
            return;
    }
    if (most / 2 >= LEAST_STACK)
        add_number(a, "--stack-size", (uint64_t)(most / 2) >> 10);
}

static void add_settings(arguments *a, const toll_run *run)
{
    const toll_settings *s = run->settings;
    add_option(a, "--output", run->output);
    add_option(a, "--format", run->format->name);
    if (*run->timeline) {
        add_option(a, "--timeline", run->timeline);
        add_option(a, "--timeline-format", run->timeline_format->name);
    }
    add_option(a, "--value", s->value);
    add_option(a, "--invoke", s->invoke);
    add_option(a, "--only", s->only);
    add_option(a, "--skip", s->skip);
    add_option(a, "--costs", s->costs);
    add_option(a, "--inbox", s->inbox);
    add_option(a, "--preimages", s->preimages);
    for (unsigned i = 0; i < s->dir_count; i++)
        add_option(a, "--dir", s->dirs[i]);
    for (unsigned i = 0; i < s->env_count; i++)
        add_option(a, "--env", s->envs[i]);
    add_flag(a, "--kernel", s->kernel);
    add_flag(a, "--no-ticks", s->no_ticks);
    add_flag(a, "--no-time", s->clock && strcmp(s->clock, "none") == 0);
    add_flag(a, "--flamechart", s->flamechart || run->format->needs_timeline);
    add_flag(a, "--heap", s->heap);
    add_flag(a, "--tree", s->tree);
    add_flag(a, "--quiet", s->quiet);
    add_number(a, "--depth", s->max_depth_set ? s->max_depth : TOLL_RUN_DEPTH);
    add_number(a, "--rows", s->rows_set ? s->rows : TOLL_RUN_ROWS);
}

/* What is for Lua programs alone; an exit status, or -1: go on. */
static int check_settings(const toll_run *run)
{
    const toll_settings *s = run->settings;
    if (!toll_run_is_file(run->argv[0]))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: no such module", run->argv[0]);
    if (s->clock && strcmp(s->clock, "cpu") == 0)
        return toll_complain(TOLL_EXIT_USAGE, "run: WebAssembly is timed by the wall clock; say "
                                              "--clock wall or --clock none");
    if (s->no_ticks && s->clock && strcmp(s->clock, "none") == 0 &&
        (s->flamechart || s->timeline || run->format->needs_timeline))
        return toll_complain(TOLL_EXIT_USAGE, "run: the order in time needs ticks or time; leave "
                                              "out --no-ticks or --clock none");
    if (s->kernel && !s->inbox)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: which messages? say --inbox FILE.json, in front of the kernel");
    return toll_run_check_value(s, !s->no_ticks);
}

static const char *find_node(void)
{
    static const char *const names[] = { "node", "nodejs" };
    const char *set = getenv("TOLL_NODE");
    if (set && *set)
        return set;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (toll_run_is_program(names[i]))
            return names[i];
    return NULL;
}

int toll_run_wasm(const toll_run *run)
{
    static const char *const places[] = { "../lib", "../share/toll", NULL };
    static const toll_run_ways ways = { .interrupted = true };
    char folder[PATH_MAX], script[PATH_MAX + 16];
    const char *set = getenv("TOLL_WASM_DIR"), *node = find_node();
    arguments a = { .capacity = MOST_ARGUMENTS + 2 * TOLL_MOST_DIRS + 2 * TOLL_MOST_ENVS +
                                (size_t)run->argc };
    int status = check_settings(run);
    if (status >= 0)
        return status;
    if (!node)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "WebAssembly runs under Node here, which is not "
                                                  "on the PATH; Debian's package nodejs is it");
    if (set && *set)
        snprintf(folder, sizeof folder, "%s", set);
    else if (!toll_run_find_beside(places, "toll.wasm", folder))
        return toll_complain(TOLL_EXIT_BAD_INPUT,
                             "toll.wasm is not beside this command (../lib, ../share/toll); build "
                             "with Debian's packages clang, lld, wasi-libc and "
                             "libclang-rt-14-dev-wasm32, or set TOLL_WASM_DIR");
    snprintf(script, sizeof script, "%s/run.mjs", folder);
    a.list = calloc(a.capacity + 1, sizeof *a.list);
    if (!a.list)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    add(&a, node);
    add(&a, "--no-warnings"); /* its WASI is called experimental */
    add_stack_size(&a);
    add(&a, script);
    add_settings(&a, run);
    add(&a, "--");
    for (int i = 0; i < run->argc; i++)
        add(&a, run->argv[i]);
    status = a.failed ? toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory")
                      : toll_run_child(run, a.list, &ways);
    while (a.made_count > 0)
        free(a.made[--a.made_count]);
    free(a.list);
    return status;
}
