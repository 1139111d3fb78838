/* host.c - a program that runs Luau scripts and samples them by hosts/luau, for run.sh.
 *
 *     host CASE SCRIPT OUT
 *
 * Prints what run.sh compares the profile with. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "lua.h"
#include "luacode.h"
#include "lualib.h"
#include "toll_luau.h"

static unsigned long long interrupts;
static toll_luau *samples;

static void fail(const char *what, const char *text)
{
    fprintf(stderr, "host: %s: %s\n", what, text);
    exit(1);
}

static unsigned long long cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (unsigned long long)t.tv_sec * 1000000000 + (unsigned long long)t.tv_nsec;
}

static void load(lua_State *L, const char *path)
{
    static char text[1 << 16];
    char name[256];
    FILE *file = fopen(path, "rb");
    if (!file)
        fail(path, "cannot open");
    size_t size = fread(text, 1, sizeof text, file), compiled_size;
    fclose(file);
    lua_CompileOptions options;
    memset(&options, 0, sizeof options);
    options.optimizationLevel = 1;
    options.debugLevel = 1;
    char *compiled = luau_compile(text, size, &options, &compiled_size);
    snprintf(name, sizeof name, "@%s", path);
    if (luau_load(L, name, compiled, compiled_size, 0))
        fail(path, lua_tostring(L, -1));
    free(compiled);
}

/* cpu() - the thread's CPU time in nanoseconds. */
static int script_cpu(lua_State *L)
{
    lua_pushnumber(L, (double)cpu_ns());
    return 1;
}

static lua_State *new_machine(const char *path)
{
    lua_State *L = luaL_newstate();
    luaL_openlibs(L);
    lua_pushcfunction(L, script_cpu, "cpu");
    lua_setglobal(L, "cpu");
    load(L, path);
    return L;
}

static void run(lua_State *L)
{
    if (lua_pcall(L, 0, 0, 0))
        fail("script", lua_tostring(L, -1));
}

static toll_luau *start(lua_State *L, uint32_t hz)
{
    toll_luau *started;
    toll_error err;
    toll_luau_options options;
    memset(&options, 0, sizeof options);
    options.hz = hz;
    if (toll_luau_start(L, &options, &started, &err))
        fail("toll_luau_start", err.text);
    return started;
}

static void stop(toll_luau *started, lua_State *L, const char *out)
{
    toll_error err;
    if (toll_luau_stop(started, L, out, &err))
        fail("toll_luau_stop", err.text);
}

/* --- cases -------------------------------------------------------------------------------------*/

/* A script with the rest of the thread's time: prints the CPU time of the recording. */
static void run_plain(const char *script, const char *out)
{
    lua_State *L = new_machine(script);
    unsigned long long begun = cpu_ns();
    samples = start(L, 1000);
    run(L);
    unsigned long long used = cpu_ns() - begun;
    stop(samples, L, out);
    printf("cpu %llu\n", used);
    lua_close(L);
}

/* How long the script takes without samples and with them, by turns. */
static void run_cost(const char *script, const char *out)
{
    unsigned long long least[3] = { ~0ull, ~0ull, ~0ull };
    for (int i = 0; i < 15; i++) {
        static const uint32_t hz[3] = { 0, 250, 1000 };
        lua_State *L = new_machine(script);
        toll_luau *with = hz[i % 3] ? start(L, hz[i % 3]) : NULL;
        unsigned long long begun = cpu_ns();
        run(L);
        unsigned long long used = cpu_ns() - begun;
        stop(with, L, out);
        least[i % 3] = used < least[i % 3] ? used : least[i % 3];
        lua_close(L);
    }
    printf("250 Hz: %.3f, 1000 Hz: %.3f times\n", (double)least[1] / (double)least[0],
           (double)least[2] / (double)least[0]);
}

static void count_interrupt(lua_State *L, int gc)
{
    (void)L;
    interrupts += gc < 0; /* when the collector works depends on the time */
}

/* The program's own interrupt is called at each safe point, with samples and without. */
static void run_interrupts(const char *script, const char *out)
{
    for (int with = 0; with < 2; with++) {
        lua_State *L = new_machine(script);
        lua_callbacks(L)->interrupt = count_interrupt;
        interrupts = 0;
        toll_luau *started = with ? start(L, 1000) : NULL;
        run(L);
        stop(started, L, out);
        printf("%s %llu\n", with ? "sampled" : "plain", interrupts);
        if (lua_callbacks(L)->interrupt != count_interrupt)
            fail("interrupt", "is not the program's any more");
        lua_close(L);
    }
}

/* An interrupt that throws, and one that removes itself. */
static void throw_once(lua_State *L, int gc)
{
    if (gc >= 0)
        return;
    lua_callbacks(L)->interrupt = NULL;
    luaL_error(L, "%s", "out of time");
}

static void run_thrown(const char *script, const char *out)
{
    lua_State *L = new_machine(script);
    toll_luau *started = start(L, 1000);
    for (int i = 0; i < 200; i++) {
        lua_callbacks(L)->interrupt = throw_once;
        load(L, script);
        lua_pcall(L, 0, 0, 0);
        lua_settop(L, 1);
    }
    lua_callbacks(L)->interrupt = NULL;
    run(L);
    stop(started, L, out);
    printf("thrown\n");
    lua_close(L);
}

static void burn(unsigned long long ns)
{
    unsigned long long until = cpu_ns() + ns;
    while (cpu_ns() < until)
        ;
}

/* A game: 10 ms of other work, then a script's turn. Prints the CPU time of both. */
static void run_frames(const char *script, const char *out)
{
    unsigned long long work = 0, scripts = 0;
    lua_State *L = new_machine(script);
    run(L);
    samples = start(L, 1000);
    toll_luau_enter(samples);
    toll_luau_leave(samples);
    for (int i = 0; i < 100; i++) {
        unsigned long long begun = cpu_ns();
        burn(10000000);
        work += cpu_ns() - begun;
        toll_luau_enter(samples);
        toll_luau_enter(samples);
        begun = cpu_ns();
        lua_getglobal(L, "frame");
        run(L);
        scripts += cpu_ns() - begun;
        toll_luau_leave(samples);
        toll_luau_leave(samples);
    }
    stop(samples, L, out);
    printf("work %llu\nscripts %llu\n", work, scripts);
    lua_close(L);
}

typedef struct machine {
    const char *script, *out;
    unsigned long long used;
} machine;

static void *run_machine(void *user)
{
    machine *m = (machine *)user;
    lua_State *L = new_machine(m->script);
    for (int i = 0; i < 20; i++) { /* starts and stops beside the other's samples */
        toll_luau *started = start(L, 10000);
        stop(started, L, NULL);
    }
    toll_luau *started = start(L, 1000);
    unsigned long long begun = cpu_ns();
    run(L);
    m->used = cpu_ns() - begun;
    stop(started, L, m->out);
    lua_close(L);
    return NULL;
}

/* Two machines in two threads. */
static void run_threads(const char *script, const char *out)
{
    char second[256];
    snprintf(second, sizeof second, "2-%s", out);
    machine machines[2] = { { script, out, 0 }, { script, second, 0 } };
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&threads[i], NULL, run_machine, &machines[i]);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
    printf("cpu %llu\ncpu2 %llu\n", machines[0].used, machines[1].used);
}

/* What is refused, and with which message. */
static void run_refused(const char *script, const char *out)
{
    lua_State *L = new_machine(script);
    toll_luau *first = start(L, 1), *second;
    toll_error err;
    toll_luau_options options;
    memset(&options, 0, sizeof options);
    if (toll_luau_start(L, NULL, &second, &err) != TOLL_E_ARGUMENT || second)
        fail("a second start", "is not refused");
    printf("%s\n", err.text);
    if (toll_luau_save(first, L, "no/such/folder/x.pb.gz", &err) != TOLL_E_IO)
        fail("a file that cannot be written", "is not refused");
    printf("%s\n", err.text);
    stop(first, L, out);
    options.hz = 10001;
    if (toll_luau_start(L, &options, &second, &err) != TOLL_E_ARGUMENT || second)
        fail("10001 Hz", "are not refused");
    printf("%s\n", err.text);
    stop(NULL, L, out);
    toll_luau_enter(NULL);
    toll_luau_leave(NULL);
    lua_close(L);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(const char *script, const char *out);
    } cases[] = { { "plain", run_plain },           { "cost", run_cost },
                  { "interrupts", run_interrupts }, { "thrown", run_thrown },
                  { "frames", run_frames },         { "threads", run_threads },
                  { "refused", run_refused } };
    for (size_t i = 0; argc == 4 && i < sizeof cases / sizeof *cases; i++)
        if (strcmp(cases[i].name, argv[1]) == 0) {
            cases[i].run(argv[2], argv[3]);
            return 0;
        }
    fprintf(stderr, "host: CASE SCRIPT OUT\n");
    return 2;
}
