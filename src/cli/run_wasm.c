/* run_wasm.c - toll run: runs a WebAssembly program under Node, with run.cjs, which profiles it. */
#include "file_version.h"
#include "path_programs.h"
#include "run.h"

#include "base/array.h"
#include "base/os.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STACK_BYTES = 32 << 20, LEAST_STACK = 2 << 20 };

/* The command line for Node. */
typedef struct arguments {
    toll_mem mem;
    char **list;
    size_t count, capacity;
    char **made; /* arguments that were allocated here, to be freed */
    size_t made_count, made_capacity;
    bool failed; /* no memory */
} arguments;

enum { HEADER = 8 };

/* The first bytes of a file; 0 behind its end. */
static void read_header(const char *path, unsigned char header[HEADER])
{
    FILE *f = toll_os_is_file(path) ? fopen(path, "rb") : NULL;
    size_t size = f ? fread(header, 1, HEADER, f) : 0;
    memset(header + size, 0, HEADER - size);
    if (f)
        fclose(f);
}

bool toll_run_is_wasm(const char *program)
{
    unsigned char header[HEADER];
    if (toll_text_ends_with(program, ".wasm"))
        return true;
    read_header(program, header);
    return memcmp(header, "\0asm", 4) == 0;
}

bool toll_run_is_component(const char *program)
{
    unsigned char header[HEADER];
    read_header(program, header);
    return toll_wasm_is_component(header, HEADER) != 0;
}

static void add(arguments *a, const char *text)
{
    if (!toll_array_grow(&a->mem, &a->list, &a->capacity, a->count, 1)) {
        a->failed = true;
        return;
    }
    a->list[a->count++] = (char *)(uintptr_t)text; /* execvp does not change it */
}

/* Add --NAME=VALUE as one argument, since a value may begin with a dash; --NAME without a value. */
static void add_option(arguments *a, const char *name, const char *value)
{
    const char *equals = value ? "=" : "";
    value = value ? value : "";
    size_t size = strlen("--") + strlen(name) + strlen(equals) + strlen(value) + 1;
    char *text = NULL;
    if (toll_array_grow(&a->mem, &a->made, &a->made_capacity, a->made_count, 1))
        text = toll_mem_new(&a->mem, size, 1);
    if (!text) {
        a->failed = true;
        return;
    }
    snprintf(text, size, "--%s%s%s", name, equals, value);
    a->made[a->made_count++] = text;
    add(a, text);
}

static void add_flag(arguments *a, const char *name, bool is_wanted)
{
    if (is_wanted)
        add_option(a, name, NULL);
}

static void add_number(arguments *a, const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    add_option(a, name, text);
}

static void free_arguments(arguments *a)
{
    while (a->made_count > 0) {
        char *text = a->made[--a->made_count];
        toll_mem_free(&a->mem, text, strlen(text) + 1, 1);
    }
    toll_mem_free(&a->mem, a->made, a->made_capacity, sizeof *a->made);
    toll_mem_free(&a->mem, a->list, a->capacity, sizeof *a->list);
}

/* Calls need a little more stack under the profiler, so the engine gets more than its default: half
 * of what the process has, since arguments and environment are on the stack, too. V8 does not check
 * the number; if it is much larger, its garbage collector needs long to scan the stack. */
static void add_stack_size(arguments *a)
{
    uint64_t size = toll_run_grow_stack(2 * (uint64_t)STACK_BYTES) / 2;
    if (size >= LEAST_STACK)
        add_number(a, "stack-size", size >> 10);
}

/* V8 compiles a WebAssembly function again, to faster code, when it has executed about so many
 * bytes of it. The default of Node 18 and 20 is a seventh of that of 22 and 24. With it, printing
 * the summary alone makes V8 compile printf again, which takes longer than a whole short run. */
static void add_tiering_budget(arguments *a)
{
    add_number(a, "wasm-tiering-budget", 13000000);
}

/* Add the options that are only for WebAssembly. run.cjs has them by the same names. */
static void add_wasm_options(arguments *a, const toll_settings *s)
{
    for (unsigned i = 0; i < toll_option_count; i++) {
        const toll_option *o = &toll_options[i];
        const char *value;
        for (size_t k = 0; o->is_wasm_alone && (value = toll_option_value(o, s, k)); k++)
            add_option(a, o->name, o->argument ? value : NULL);
    }
}

/* Does the user ask for a timeline? */
static bool keeps_order(const toll_run *run)
{
    const toll_settings *s = run->settings;
    return s->format.flamechart || s->timeline || run->format->needs_timeline;
}

/* Is time sampled? By default yes; not with another clock, or with a timeline. */
static bool samples(const toll_run *run)
{
    const toll_settings *s = run->settings;
    bool may = s->clock.place == TOLL_CLOCK_WALL || s->clock.place == TOLL_CLOCK_SAMPLED;
    return may && !s->no_calls && !keeps_order(run);
}

static void add_settings(arguments *a, const toll_run *run)
{
    const toll_settings *s = run->settings;
    add_option(a, "output", run->output);
    add_option(a, "format", run->format->name);
    if (run->shown)
        add_option(a, "shown", run->shown);
    if (*run->timeline) {
        add_option(a, "timeline", run->timeline);
        add_option(a, "timeline-format", run->timeline_format->name);
    }
    add_wasm_options(a, s);
    if (s->format.value)
        add_option(a, "value", s->format.value);
    add_flag(a, "flamechart", !s->format.flamechart && run->format->needs_timeline);
    add_flag(a, "no-time", s->clock.place == TOLL_CLOCK_NONE || s->no_calls);
    add_flag(a, "sampled", samples(run));
    add_flag(a, "heap", s->heap);
    add_flag(a, "lines", s->lines);
    add_flag(a, "call-lines", s->call_lines);
    add_flag(a, "quiet", s->quiet);
    add_number(a, "functions", TOLL_RUN_INPUT);
    add_number(a, "depth", s->max_depth.is_set ? s->max_depth.value : TOLL_RUN_DEPTH);
    if (s->frame_limit.is_set)
        add_number(a, "frame-limit", s->frame_limit.value);
    add_number(a, "rows", s->rows.is_set ? s->rows.value : TOLL_RUN_ROWS);
}

/* Refuse settings that do not work without calls. Returns an exit status, or -1: continue. */
static int check_no_calls(const toll_run *run)
{
    const toll_settings *s = run->settings;
    if (s->call_lines)
        return toll_complain(TOLL_EXIT_USAGE, "run: with --no-calls there are no lines of calls; "
                                              "leave out one of --no-calls and --call-lines");
    if (s->call_kinds)
        return toll_complain(TOLL_EXIT_USAGE, "run: with --no-calls there are no kinds of calls; "
                                              "leave out one of --no-calls and --call-kinds");
    if (!s->lines)
        return toll_complain(TOLL_EXIT_USAGE, "run: --no-calls is for --lines: without both there "
                                              "would be nothing in the profile");
    if (s->heap || s->kernel || s->format.flamechart || s->timeline || run->format->needs_timeline)
        return toll_complain(TOLL_EXIT_USAGE, "run: without calls there is no order, no heap and "
                                              "no kernel's phases; leave out --no-calls");
    if (s->no_ticks)
        return toll_complain(TOLL_EXIT_USAGE, "run: with --no-calls ticks follow from executions, "
                                              "at no cost; leave out --no-ticks");
    return -1;
}

/* Refuse settings that do not work with a WebAssembly module. Returns an exit status, or -1:
 * continue. */
static int check_settings(const toll_run *run)
{
    const toll_settings *s = run->settings;
    if (!toll_os_is_file(run->argv[0]))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: no such module", run->argv[0]);
    if (s->sample.is_set)
        return toll_complain(TOLL_EXIT_USAGE, "run: --sample is for Lua: a WebAssembly module runs "
                                              "fast with every call seen, and its time is sampled");
    if (s->clock.place == TOLL_CLOCK_CPU)
        return toll_complain(TOLL_EXIT_USAGE, "run: WebAssembly is timed by the wall clock; say "
                                              "--clock wall, each or none");
    if (s->clock.place == TOLL_CLOCK_SAMPLED && keeps_order(run))
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: the order in time needs the time of each event; "
                             "leave out --clock sampled");
    if (s->twice && (!samples(run) || s->kernel || s->call_lines || s->call_kinds))
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: --twice is for the sampled time of a program; leave it out, or "
                             "--clock, the order in time, --kernel, --call-lines and --call-kinds");
    if (s->no_ticks && s->clock.place == TOLL_CLOCK_NONE && keeps_order(run))
        return toll_complain(TOLL_EXIT_USAGE, "run: the order in time needs ticks or time; leave "
                                              "out --no-ticks or --clock none");
    if (s->inlines && !s->lines)
        return toll_complain(TOLL_EXIT_USAGE, "run: --inlines divides lines among inlined "
                                              "functions: say --lines, too");
    if (s->skip_line_zero && !s->lines)
        return toll_complain(TOLL_EXIT_USAGE, "run: --skip-line-zero is about lines: say --lines, "
                                              "too");
    if (s->lines && s->costs && strcmp(s->costs, "pvm") == 0)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: the PVM's costs depend on which branches are taken, so they "
                             "cannot be divided among lines; leave out --lines and --call-lines, "
                             "or --costs pvm");
    if (s->call_kinds && (s->call_lines || s->fold_recursion))
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: kinds of calls are for stacks as they are; leave "
                             "out --call-kinds, or --call-lines and --fold-recursion");
    int status = s->no_calls ? check_no_calls(run) : -1;
    if (status >= 0)
        return status;
    if (s->kernel && !s->inbox)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: which messages? say --inbox FILE.json, in front of the kernel");
    const bool has_time = s->clock.place != TOLL_CLOCK_NONE && !s->no_calls;
    return toll_run_check_value(s, (toll_run_values){ .wall = has_time, .ticks = !s->no_ticks });
}

static const char *find_node(void)
{
    static const char *const names[] = { "node", "nodejs" };
    const char *set = getenv("TOLL_NODE");
    if (set && *set)
        return set;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (toll_path_has_program(names[i], strlen(names[i])))
            return names[i];
    return NULL;
}

static const char no_node[] = "no Node on the PATH, which runs WebAssembly";
static const char get_node[] = "apt-get install nodejs";
static const char no_folder[] = "no toll.wasm beside this command (../lib, ../share/toll), "
                                "nor in /usr/local/share and /usr/share";
static const char get_folder[] =
    "build with Debian's packages clang, lld, wasi-libc and libclang-rt-14-dev-wasm32, or set "
    "TOLL_WASM_DIR";
static const char get_same[] = "install toll.wasm and run.cjs of Toll " TOLL_VERSION_STRING
                               ", or set TOLL_WASM_DIR to the folder that contains them";

/* The folder with toll.wasm and run.cjs. The texts are printable. */
typedef struct wasm_folder {
    char path[PATH_MAX];
    char why[PATH_MAX]; /* if there is none for this command: what is wrong */
    const char *get;    /* and what is to be done */
} wasm_folder;

static bool find_folder(wasm_folder *found)
{
    static const char *const places[] = { "../lib", "../share/toll", "/usr/local/share/toll",
                                          "/usr/share/toll", NULL };
    const char *set = getenv("TOLL_WASM_DIR");
    char file[PATH_MAX + 16], shown[PATH_MAX - 64];
    found->get = get_folder;
    if (set && *set) {
        snprintf(found->path, PATH_MAX, "%s", set);
    } else if (!toll_run_find_beside(places, "toll.wasm", found->path)) {
        snprintf(found->why, sizeof found->why, "%s", no_folder);
        return false;
    }
    snprintf(file, sizeof file, "%s/toll.wasm", found->path);
    if (!toll_os_is_file(file))
        snprintf(found->why, sizeof found->why, "no toll.wasm in %s, which TOLL_WASM_DIR names",
                 toll_printable(found->path, shown, sizeof shown));
    return toll_os_is_file(file);
}

static bool find_scripts(wasm_folder *found)
{
    char file[PATH_MAX + 16];
    if (!find_folder(found))
        return false;
    found->get = get_same;
    snprintf(file, sizeof file, "%s/run.cjs", found->path);
    return toll_file_version_fits(file, "run.cjs of Toll ", found->why, sizeof found->why);
}

const char *toll_run_find_recorder(char path[PATH_MAX])
{
    static char why[2 * PATH_MAX];
    wasm_folder folder;
    if (!find_folder(&folder)) {
        snprintf(why, sizeof why, "%s: %s", folder.why, folder.get);
        return why;
    }
    if (snprintf(path, PATH_MAX, "%s/toll.wasm", folder.path) >= PATH_MAX)
        return "the path of toll.wasm is too long";
    return NULL;
}

void toll_run_find_wasm(toll_run_need *need)
{
    wasm_folder folder;
    char shown[PATH_MAX], name[PATH_MAX / 2];
    const char *node = find_node();
    bool has_folder = find_scripts(&folder);
    *need = (toll_run_need){ .works = node && has_folder, .get = node ? folder.get : get_node };
    if (need->works)
        snprintf(need->found, sizeof need->found, "%s; toll.wasm in %s",
                 toll_printable(node, name, sizeof name),
                 toll_printable(folder.path, shown, sizeof shown));
    else
        snprintf(need->found, sizeof need->found, "%s", node ? folder.why : no_node);
}

int toll_run_wasm(const toll_run *run)
{
    const toll_run_ways ways = { .interrupted = true,
                                 .serves = run->settings->serve != NULL,
                                 .send = toll_run_write_functions,
                                 .after_crash = "; or try another version of Node" };
    wasm_folder folder;
    char script[PATH_MAX + 16];
    const char *node = find_node();
    arguments a = { .mem = toll_c_allocator() };
    int status = check_settings(run);
    if (status >= 0)
        return status;
    if (!node)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: %s", no_node, get_node);
    if (!find_scripts(&folder))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: %s", folder.why, folder.get);
    snprintf(script, sizeof script, "%s/run.cjs", folder.path);
    add(&a, node);
    add_stack_size(&a);
    add_tiering_budget(&a);
    add(&a, script);
    add_settings(&a, run);
    add(&a, "--");
    for (int i = 0; i < run->argc; i++)
        add(&a, run->argv[i]);
    add(&a, NULL);
    status = a.failed ? toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory")
                      : toll_run_child(run, a.list, &ways);
    free_arguments(&a);
    return status;
}
