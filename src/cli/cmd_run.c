/* cmd_run.c - toll run: a Lua program under its own interpreter, with the profiler loaded into it.
 *
 * The interpreter reads LUA_INIT before the script: it is set to a line that loads Toll's module,
 * which puts the environment back at once and writes the profile when the program ends. This
 * process only waits, passes signals and the exit status on, and says if no profile came. */
#include "command.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_DEPTH = 1000, SUMMARY_ROWS = 20 };

/* --- finding things ----------------------------------------------------------------------------*/

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool is_program(const char *name)
{
    const char *path = getenv("PATH");
    char file[PATH_MAX];
    if (strchr(name, '/'))
        return access(name, X_OK) == 0;
    for (path = path ? path : "/usr/bin:/bin"; *path;) {
        size_t n = strcspn(path, ":");
        snprintf(file, sizeof file, "%.*s/%s", (int)n, path, name);
        if (is_file(file) && access(file, X_OK) == 0)
            return true;
        path += n + (path[n] == ':');
    }
    return false;
}

static const char *const versions[] = { "5.1", "5.2", "5.3", "5.4" };

/* The folder that has lua/5.X/toll.so: ../lib beside the command, in a build and in an
 * installation; or where multiarch systems put it. */
static bool find_modules(char *folder, size_t size)
{
    static const char *const places[] = { "../lib", "../lib64", "../lib/x86_64-linux-gnu",
                                          "../lib/aarch64-linux-gnu" };
    char self[PATH_MAX / 2], file[PATH_MAX];
    const char *set = getenv("TOLL_LUA_DIR");
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (set) {
        snprintf(folder, size, "%s", set);
        return true;
    }
    if (n < 0)
        return false;
    self[n] = 0;
    *strrchr(self, '/') = 0;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        for (size_t v = 0; v < 4; v++) {
            snprintf(file, sizeof file, "%s/%s/lua/%s/toll.so", self, places[i], versions[v]);
            if (is_file(file)) {
                snprintf(folder, size, "%s/%s/lua", self, places[i]);
                return true;
            }
        }
    return false;
}

void toll_print_lua_versions(void)
{
    char folder[PATH_MAX], file[PATH_MAX];
    bool any = find_modules(folder, sizeof folder);
    for (size_t v = 0; any && v < 4; v++) {
        int n = snprintf(file, sizeof file, "%s/%s/toll.so", folder, versions[v]);
        if (n > 0 && (size_t)n < sizeof file && is_file(file))
            printf("%s ", versions[v]);
    }
    printf(any ? "in %s\n" : "no modules found\n", folder);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* The interpreter that a script's first line names, if it is a Lua: into name[size]. */
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

static const char *find_interpreter(void)
{
    static const char *const names[] = { "lua", "lua5.4", "lua5.3", "lua5.2", "lua5.1", "luajit" };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (is_program(names[i]))
            return names[i];
    return NULL;
}

/* --- the environment ---------------------------------------------------------------------------*/

static void set_number(const char *name, uint64_t value)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)value);
    setenv(name, text, 1);
}

/* Lua code that the interpreter runs first: `code`, and behind it what the variable says already,
 * in the same line, so that nothing in there sees a difference. A file (@NAME) is run by the
 * profiler. The own value is kept aside, for the profiler to restore. */
static bool take_variable(const char *name, const char *code)
{
    char kept[64];
    const char *own = getenv(name);
    snprintf(kept, sizeof kept, "TOLL_KEPT_%s", name);
    if (!own)
        return setenv(name, code, 1) == 0;
    size_t size = strlen(code) + 1 + strlen(own) + 1;
    char *both = malloc(size);
    bool good = both && setenv(kept, own, 1) == 0;
    if (good) {
        snprintf(both, size, "%s %s", code, *own == '@' ? "" : own);
        good = setenv(name, both, 1) == 0;
    }
    free(both);
    return good;
}

static bool set_environment(const toll_settings *s, const char *modules, const char *output)
{
    static const char *const of_versions[] = { "LUA_INIT_5_2", "LUA_INIT_5_3", "LUA_INIT_5_4" };
    /* One line for all versions; the number in the folder's name is the interpreter's own. */
    static const char init[] =
        "do local d=os.getenv('TOLL_RUN_MODULES')..'/'.._VERSION:match('%d%.%d')..'/toll.so' "
        "local f,e=package.loadlib(d,'luaopen_toll_run') "
        "if not f then io.stderr:write('toll: cannot load the profiler: ',tostring(e),"
        "'\\n') os.exit(1) end f() end";
    bool good = take_variable("LUA_INIT", init);
    for (int i = 0; i < 3; i++) /* one that is set goes before LUA_INIT */
        if (getenv(of_versions[i]))
            good = take_variable(of_versions[i], init) && good;
    setenv("TOLL_RUN_MODULES", modules, 1);
    setenv("TOLL_RUN_OUTPUT", output, 1);
    if (s->to)
        setenv("TOLL_RUN_FORMAT", s->to, 1);
    if (s->clock)
        setenv("TOLL_RUN_CLOCK", s->clock, 1);
    if (s->timeline)
        setenv("TOLL_RUN_TIMELINE", s->timeline, 1);
    if (s->ticks)
        setenv("TOLL_RUN_TICKS", "1", 1);
    if (s->heap)
        setenv("TOLL_RUN_HEAP", "1", 1);
    if (s->join_threads)
        setenv("TOLL_RUN_JOIN", "1", 1);
    if (!s->quiet)
        set_number("TOLL_RUN_SUMMARY", s->rows_set ? s->rows : SUMMARY_ROWS);
    set_number("TOLL_RUN_DEPTH", s->max_depth_set ? s->max_depth : MOST_DEPTH);
    return good;
}

/* --- the child ---------------------------------------------------------------------------------*/

static volatile sig_atomic_t child;

/* The terminal's signals reach the child by themselves; those that somebody sent to us are passed
 * on. */
static void pass_on(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    if (child > 0 && info->si_code <= 0) /* SI_USER, SI_QUEUE, SI_TKILL */
        kill((pid_t)child, signal_number);
}

static void set_signals(void)
{
    static const int passed[] = { SIGINT, SIGQUIT, SIGTERM, SIGHUP };
    struct sigaction pass = { .sa_sigaction = pass_on, .sa_flags = SA_SIGINFO };
    for (size_t i = 0; i < sizeof passed / sizeof *passed; i++)
        sigaction(passed[i], &pass, NULL);
}

static void die_likewise(int signal_number)
{
    struct sigaction plain = { .sa_handler = SIG_DFL };
    sigaction(signal_number, &plain, NULL);
    raise(signal_number);
}

static int wait_for_child(const char *program, const struct stat *before, bool was_there,
                          const char *output)
{
    int status;
    struct stat after;
    while (waitpid((pid_t)child, &status, 0) < 0)
        if (errno != EINTR)
            return toll_complain(TOLL_EXIT_BAD_INPUT, "cannot wait for %s: %s", program,
                                 strerror(errno));
    bool written = stat(output, &after) == 0 &&
                   (!was_there || after.st_ino != before->st_ino ||
                    after.st_mtim.tv_sec != before->st_mtim.tv_sec ||
                    after.st_mtim.tv_nsec != before->st_mtim.tv_nsec || !S_ISREG(after.st_mode));
    if (!written && !(WIFEXITED(status) && WEXITSTATUS(status) == 127))
        toll_complain(0,
                      WIFSIGNALED(status)
                          ? "no profile was written: %s was killed by a signal"
                          : "no profile was written: %s did not load the profiler; is it a Lua "
                            "interpreter, and run without -E?",
                      program);
    if (WIFSIGNALED(status))
        die_likewise(WTERMSIG(status));
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int start(char **argv, const char *output)
{
    struct stat before;
    bool was_there = stat(output, &before) == 0;
    pid_t pid = fork();
    if (pid < 0)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "cannot start %s: %s", argv[0], strerror(errno));
    if (pid == 0) {
        execvp(argv[0], argv);
        toll_complain(0, "cannot run %s: %s", argv[0], strerror(errno));
        _exit(127);
    }
    child = pid;
    set_signals();
    return wait_for_child(argv[0], &before, was_there, output);
}

/* PROGRAM ARGS, or INTERPRETER SCRIPT ARGS if PROGRAM is a script: NULL-terminated. */
static char **command_line(int argc, char **argv, char *interpreter)
{
    char **line = calloc((size_t)argc + 2, sizeof *line);
    int n = 0;
    if (line && interpreter)
        line[n++] = interpreter;
    for (int i = 0; line && i < argc; i++)
        line[n++] = argv[i];
    return line;
}

int toll_cmd_run(toll_settings *s, int argc, char **argv)
{
    char modules[PATH_MAX], output[PATH_MAX], folder[PATH_MAX / 2], name[256];
    bool is_script = argc && (ends_with(argv[0], ".lua") ||
                              (is_file(argv[0]) && shebang(argv[0], name, sizeof name)));
    if (argc == 0)
        return toll_complain(TOLL_EXIT_USAGE, "run: which program? toll run script.lua");
    if (!find_modules(modules, sizeof modules))
        return toll_complain(
            TOLL_EXIT_BAD_INPUT,
            "the Lua modules are not beside this command (../lib/lua/5.X/toll.so); "
            "build with Debian's package liblua5.4-dev, or set TOLL_LUA_DIR");
    if (is_script && !is_file(argv[0]))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: no such script", argv[0]);
    if (is_script && !shebang(argv[0], name, sizeof name)) {
        const char *found = find_interpreter();
        if (!found)
            return toll_complain(TOLL_EXIT_BAD_INPUT,
                                 "no Lua interpreter on the PATH; Debian's package lua5.4 is one");
        snprintf(name, sizeof name, "%s", found);
    }
    const char *target = s->output ? s->output : "toll.pb.gz";
    if (strcmp(target, "-") == 0)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: standard output is the program's; name a file with -o");
    if (!s->to && !toll_format_for_path(target))
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: the name '%s' tells no format; end it in .pb.gz, "
                             ".speedscope.json or .folded, or say --to",
                             target);
    /* The program may change its folder: the profile goes where it was asked for. */
    if (*target != '/' && getcwd(folder, sizeof folder))
        snprintf(output, sizeof output, "%s/%s", folder, target);
    else
        snprintf(output, sizeof output, "%s", target);
    char **line = command_line(argc, argv, is_script ? name : NULL);
    if (!line)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    int status = set_environment(s, modules, output)
                     ? start(line, output)
                     : toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    free(line);
    return status;
}
