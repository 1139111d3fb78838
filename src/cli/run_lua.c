/* run_lua.c - toll run: runs a Lua program in its own interpreter, with the profiler loaded into
 * it.
 *
 * The interpreter reads LUA_INIT before the script: it is set to a line that loads Toll's module,
 * which puts the environment back at once and writes the profile when the program ends. */
#include "path_programs.h"
#include "run.h"
#include "run_lua_modules.h"

#include "base/os.h"
#include "base/text.h"
#include "profile/sampled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- finding things ----------------------------------------------------------------------------*/

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Read the interpreter in a script's #! line into name[size], if it is a Lua. */
static bool shebang(const char *script, char *name, size_t size)
{
    char line[256];
    FILE *f = fopen(script, "r");
    bool found = f && fgets(line, sizeof line, f) && strncmp(line, "#!", 2) == 0;
    if (f)
        fclose(f);
    if (!found)
        return false;
    char *word = strtok(line + 2, " \t\r\n");
    if (word && strcmp(base_name(word), "env") == 0)
        word = strtok(NULL, " \t\r\n");
    if (!word || strncmp(base_name(word), "lua", 3) != 0)
        return false;
    snprintf(name, size, "%s", word);
    return true;
}

static const char *const interpreters[] = {
    "lua", "lua5.4", "lua5.3", "lua5.2", "lua5.1", "luajit"
};
enum { INTERPRETERS = sizeof interpreters / sizeof *interpreters };

static const char *find_interpreter(void)
{
    for (size_t i = 0; i < INTERPRETERS; i++)
        if (toll_path_has_program(interpreters[i], strlen(interpreters[i])))
            return interpreters[i];
    return NULL;
}

bool toll_run_is_lua(const char *program)
{
    char name[256];
    if (toll_text_ends_with(program, ".lua") ||
        (toll_os_is_file(program) && shebang(program, name, sizeof name)))
        return true;
    for (size_t i = 0; i < INTERPRETERS; i++)
        if (strcmp(base_name(program), interpreters[i]) == 0)
            return true;
    return false;
}

static const char no_interpreter[] = "no Lua interpreter on the PATH";
static const char get_interpreter[] = "apt-get install lua5.4";

/* Append a word, and a blank after the word before it. */
static size_t add_word(char *text, size_t size, size_t used, const char *word)
{
    int n = snprintf(text + used, size - used, "%s%s", used ? " " : "", word);
    return used + (size_t)n;
}

/* May one of the modules be for the interpreter? Of "lua" the name does not say its version. */
static bool has_module(const char *interpreter, const char *modules)
{
    const char *its = strcmp(interpreter, "luajit") == 0 ? "5.1" : interpreter + strlen("lua");
    return strstr(modules, its) != NULL;
}

void toll_run_find_lua(toll_run_need *need)
{
    toll_lua_modules modules;
    char programs[80] = "";
    size_t used = 0;
    bool has_modules = toll_lua_modules_look(&modules);
    for (size_t i = 0; i < INTERPRETERS; i++)
        if (has_module(interpreters[i], modules.usable) &&
            toll_path_has_program(interpreters[i], strlen(interpreters[i])))
            used = add_word(programs, sizeof programs, used, interpreters[i]);
    *need = (toll_run_need){ .works = has_modules && used,
                             .get = has_modules ? get_interpreter : modules.get };
    if (need->works)
        snprintf(need->found, sizeof need->found, "%s; modules for %s in %s", programs,
                 modules.usable, modules.folder);
    else
        snprintf(need->found, sizeof need->found, "%s", has_modules ? no_interpreter : modules.why);
}

/* --- the environment ---------------------------------------------------------------------------*/

/* Set a variable, if there is a value. False: no memory. */
static bool set(const char *name, const char *value)
{
    return !value || setenv(name, value, 1) == 0;
}

static bool set_flag(const char *name, int is_set)
{
    return set(name, is_set ? "1" : NULL);
}

static bool set_number(const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    return set(name, text);
}

/* Set the variable to the Lua code that the interpreter runs first: `code`, followed in the same
 * line by the variable's previous content, so that line numbers in that do not change. If the
 * content is a file (@NAME), the profiler runs it. The original value is saved, for the profiler to
 * restore. */
static bool set_variable(const char *name, const char *code)
{
    char kept[64];
    const char *own = getenv(name);
    snprintf(kept, sizeof kept, "TOLL_KEPT_%s", name);
    if (!own)
        return set(name, code);
    size_t size = strlen(code) + 1 + strlen(own) + 1;
    char *both = malloc(size);
    bool good = both && set(kept, own);
    if (good) {
        snprintf(both, size, "%s %s", code, *own == '@' ? "" : own);
        good = set(name, both);
    }
    free(both);
    return good;
}

/* The clock for the module, which has a default of its own: CPU time where it is cheap. NULL: that
 * one. A value that --value names needs its clock. An order in time is one of wall time: waiting is
 * seen in it, and those of several processes fit together. */
static const char *choose_clock(const toll_settings *s)
{
    const char *value = s->format.value ? s->format.value : "";
    if (s->clock.text)
        return s->clock.text;
    if (strcmp(value, "cpu") == 0 || strcmp(value, "waited") == 0)
        return "cpu";
    return strcmp(value, "time") == 0 || s->timeline ? "wall" : NULL;
}

static bool set_environment(const toll_run *run, const char *modules)
{
    const toll_settings *s = run->settings;
    static const char *const of_versions[] = { "LUA_INIT_5_2", "LUA_INIT_5_3", "LUA_INIT_5_4" };
    /* One line for all versions: the interpreter inserts its version into the folder's name. A
     * module of another version of Toll may understand none of the variables below. */
    static const char init[] =
        "do local d=os.getenv('TOLL_RUN_MODULES')..'/'.._VERSION:match('%d%.%d')..'/toll.so' "
        "local f,e=package.loadlib(d,'luaopen_toll') local v=f and f('toll version') "
        "if v~='" TOLL_VERSION_STRING "' then "
        "e=f and d..' is of '..(type(v)=='string' and 'Toll '..v or 'another version of Toll').."
        "', and this command of Toll " TOLL_VERSION_STRING ": " TOLL_LUA_MODULES_SAME "' "
        "or 'cannot load the profiler: '..tostring(e) io.stderr:write('toll: ',e,'\\n') "
        "local r=io.open('/proc/self/fd/'..(os.getenv('TOLL_RUN_REPORT') or ''),'w') "
        "if r then r:write('F') r:close() end os.exit(1) end f('toll run') end";
    bool good = set_variable("LUA_INIT", init);
    for (int i = 0; i < 3; i++) /* a variable of a version has precedence over LUA_INIT */
        if (getenv(of_versions[i]))
            good = set_variable(of_versions[i], init) && good;
    good = good && set("TOLL_RUN_MODULES", modules) && set("TOLL_RUN_OUTPUT", run->output) &&
           set("TOLL_RUN_FORMAT", run->format->name) &&
           set("TOLL_RUN_TITLE", toll_os_file_name(run->argv[0])) &&
           set("TOLL_RUN_CLOCK", choose_clock(s)) && set("TOLL_RUN_VALUE", s->format.value) &&
           set("TOLL_RUN_TIMELINE", *run->timeline ? run->timeline : NULL) &&
           set_flag("TOLL_RUN_TICKS", s->ticks) && set_flag("TOLL_RUN_HEAP", s->heap) &&
           set_flag("TOLL_RUN_JOIN", s->join_threads) && set_flag("TOLL_RUN_LINES", s->lines) &&
           set_flag("TOLL_RUN_CALL_LINES", s->call_lines) &&
           (!s->sample.is_set ||
            set_number("TOLL_RUN_SAMPLE", s->sample.value ? s->sample.value : TOLL_SAMPLE_HZ)) &&
           set_number("TOLL_RUN_DEPTH", s->max_depth.is_set ? s->max_depth.value : TOLL_RUN_DEPTH);
    if (good && !s->quiet)
        good = set_number("TOLL_RUN_SUMMARY", s->rows.is_set ? s->rows.value : TOLL_RUN_ROWS);
    return good;
}

/* --- programs that do not load the profiler ----------------------------------------------------*/

/* The code is printed on lines of its own, so that it can be copied. */
static void explain(const toll_run *run, const char *program)
{
    char modules[2 * PATH_MAX], output[2 * PATH_MAX];
    const char *folder = getenv("TOLL_RUN_MODULES");
    toll_complain(0,
                  "no profile was written: %s did not load the profiler: there is no Lua in it, or "
                  "one that does not read LUA_INIT, as lua and luajit do unless run with -E",
                  program);
    toll_complain(0, "a script in such a program loads the profiler itself, where it begins and "
                     "where it ends:");
    fprintf(stderr,
            "    package.cpath = [[%s/]] .. _VERSION:match(\"%%d%%.%%d\") .. \"/?.so;\" .. "
            "package.cpath\n"
            "    local toll = require \"toll\"\n"
            "    toll.start()\n\n"
            "    toll.stop()\n"
            "    toll.write [[%s]]\n",
            toll_printable(folder ? folder : "", modules, sizeof modules),
            toll_printable(run->output, output, sizeof output));
}

/* --- the whole ---------------------------------------------------------------------------------*/

/* Make PROGRAM ARGS, or INTERPRETER SCRIPT ARGS if PROGRAM is a script: NULL-terminated. */
static char **command_line(const toll_run *run, char *interpreter)
{
    char **line = calloc((size_t)run->argc + 2, sizeof *line);
    int n = 0;
    if (line && interpreter)
        line[n++] = interpreter;
    for (int i = 0; line && i < run->argc; i++)
        line[n++] = run->argv[i];
    return line;
}

/* An option on the command line that is only for WebAssembly; NULL: there is none. */
static const char *foreign_option(const toll_settings *s)
{
    for (unsigned i = 0; i < toll_option_count; i++)
        if (toll_options[i].is_wasm_alone && toll_option_value(&toll_options[i], s, 0))
            return toll_options[i].name;
    return s->inlines ? "inlines" : s->skip_line_zero ? "skip-line-zero" : NULL;
}

/* Refuse what samples do not have. Returns an exit status, or -1: continue. */
static int check_sample(const toll_settings *s)
{
    const char *exact = s->ticks          ? "ticks"
                        : s->heap         ? "heap"
                        : s->join_threads ? "join-threads"
                        : s->timeline     ? "timeline"
                        : s->clock.text   ? "clock"
                                          : NULL;
    if (s->sample.value > TOLL_MOST_SAMPLE_HZ)
        return toll_complain(TOLL_EXIT_USAGE, "run: --sample: at most %d a second",
                             TOLL_MOST_SAMPLE_HZ);
    if (exact)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: --%s needs every call, and samples are of CPU time alone; leave "
                             "out --sample, or --%s",
                             exact, exact);
    return -1;
}

int toll_run_choose_interpreter(const char *program, char *name, size_t size)
{
    bool named = toll_os_is_file(program) && shebang(program, name, size);
    if (!named && !toll_text_ends_with(program, ".lua")) {
        *name = 0;
        return -1;
    }
    if (!toll_os_is_file(program))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: no such script", program);
    const char *found = named ? name : find_interpreter();
    if (!found)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: %s", no_interpreter, get_interpreter);
    if (!named)
        snprintf(name, size, "%s", found);
    return -1;
}

int toll_run_lua(const toll_run *run)
{
    static const toll_run_ways ways = {
        .reports = true,
        .explain = explain,
    };
    char modules[PATH_MAX], name[256];
    const char *foreign = foreign_option(run->settings);
    if (foreign)
        return toll_complain(TOLL_EXIT_USAGE, "run: --%s is for WebAssembly modules", foreign);
    if (run->settings->clock.place > TOLL_CLOCK_NONE)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: --clock %s is for WebAssembly modules; Lua's "
                             "time is read at each event: say wall, cpu or none",
                             run->settings->clock.text);
    if (run->format->needs_timeline)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: %s holds nothing but the order in time; name that file with "
                             "--timeline",
                             run->format->name);
    if (!toll_lua_modules_find(modules))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: %s", toll_lua_modules_none,
                             toll_lua_modules_get);
    const char *clock = choose_clock(run->settings);
    toll_run_values counted = { .wall = !clock || strcmp(clock, "wall") == 0,
                                .cpu = !clock || strcmp(clock, "cpu") == 0,
                                .ticks = run->settings->ticks };
    int status = -1;
    if (run->settings->sample.is_set) {
        counted = (toll_run_values){ .samples = true };
        status = check_sample(run->settings);
    }
    if (status < 0)
        status = toll_run_check_value(run->settings, counted);
    if (status < 0)
        status = toll_run_choose_interpreter(run->argv[0], name, sizeof name);
    if (status >= 0)
        return status;
    char **line = command_line(run, *name ? name : NULL);
    if (!line || !set_environment(run, modules))
        status = toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    else
        status = toll_run_child(run, line, &ways);
    free(line);
    return status;
}
