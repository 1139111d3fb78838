/* attach_inside.c - see attach_inside.h. */
#define _GNU_SOURCE /* process_vm_writev, dladdr */
#include "attach_inside.h"

#include <dlfcn.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <toll/version.h>
#include <unistd.h>

#include "attach_collect.h"
#include "base/os.h"
#include "luastack/attach_request.h"
#include "luastack/process_files.h"
#include "luastack/process_symbols.h"
#include "luastack/remote_call.h"
#include "run_lua_modules.h"

enum { LOAD_SECONDS = 10, END_SECONDS = 10, TEXT = 300 };

typedef struct attachment {
    toll_job *job;
    const toll_mappings *mappings;
    pid_t pid;
    char module[PATH_MAX + 16];
    toll_attach_status last; /* the status that was read last */
    uint64_t status;         /* its address */
    uint64_t id;             /* of the request */
    int profiles;            /* a descriptor: what the states have recorded */
    bool goes_on;            /* the module may still begin to record */
    bool is_left;            /* states go on to record */
} attachment;

static volatile sig_atomic_t interrupted;

static uint64_t now_ms(void)
{
    return toll_os_clock_ns() / 1000000;
}

/* One that comes later than the first ends the command at once; `timeout` sends two together. */
static void on_signal(int number)
{
    static uint64_t first; /* in milliseconds */
    if (!interrupted)
        first = now_ms();
    else if (now_ms() > first + 1000) {
        signal(number, SIG_DFL);
        raise(number);
    }
    interrupted = 1;
}

static int complain(const attachment *a, const char *what, const char *why)
{
    return toll_complain(TOLL_EXIT_BAD_INPUT, "attach: %ld: %s%s%s", (long)a->pid, what,
                         *why ? ": " : "", why);
}

/* --- calls -------------------------------------------------------------------------------------*/

static bool read_status(attachment *a)
{
    bool good = a->status && toll_process_read(a->pid, a->status, &a->last, sizeof a->last);
    a->last.text[sizeof a->last.text - 1] = 0;
    return good;
}

/* Is Lua a library there? Then the module sees the host's next call of it. */
static bool has_library(const toll_mappings *mappings)
{
    for (size_t i = 0; i < mappings->count; i++)
        if (strstr(mappings->list[i].path, "/liblua"))
            return true;
    return false;
}

static bool has_threads(pid_t pid)
{
    char path[64];
    struct stat tasks;
    snprintf(path, sizeof path, "/proc/%ld/task", (long)pid);
    return stat(path, &tasks) == 0 && tasks.st_nlink > 3;
}

typedef struct begin_call {
    const attachment *of;
    const toll_lua_states *states;
    toll_attach_request request;
} begin_call;

/* Name the states whose main threads get a hook at once: those that are still there. Where a state
 * may belong to another thread than the one that sets the hook, the next call of Lua is waited for.
 */
static void add_states(void *user)
{
    begin_call *b = user;
    toll_attach_request *r = &b->request;
    r->state_count = 0;
    if (has_library(b->of->mappings) && has_threads(b->of->pid))
        return;
    for (uint32_t i = 0; i < b->states->count && r->state_count < TOLL_ATTACH_STATES; i++)
        if (toll_lua_is_state(b->of->pid, &b->states->list[i]))
            r->states[r->state_count++] = b->states->list[i].address;
}

/* A module that is linked with zlib's library needs it, and a process in a root folder of its own
 * may have none: load ours into it. False: that cannot be done. */
static bool lend_zlib(const attachment *a)
{
    char why[TEXT];
    Dl_info info;
    const void *function = dlsym(RTLD_DEFAULT, "zlibVersion");
    if (!function || !dladdr(function, &info) || !info.dli_fname)
        return false;
    const toll_remote_call call = { .library = info.dli_fname,
                                    .function = "zlibVersion",
                                    .argument = "",
                                    .size = 1,
                                    .most_ms = LOAD_SECONDS * 1000 };
    return toll_remote_call_function(a->mappings, &call, why, sizeof why) != 0;
}

static int begin(attachment *a, const toll_lua_states *states, const toll_inside_options *o)
{
    char why[TEXT];
    begin_call b = { a,
                     states,
                     { .version = TOLL_VERSION_STRING,
                       .id = toll_os_name_number(),
                       .seconds = o->seconds,
                       .sample_hz = o->hz } };
    const toll_remote_call call = { .address =
                                        toll_process_function(a->mappings, TOLL_ATTACH_BEGIN),
                                    .library = a->module,
                                    .function = TOLL_ATTACH_BEGIN,
                                    .argument = &b.request,
                                    .size = sizeof b.request,
                                    .stopped = add_states,
                                    .user = &b,
                                    .in_main = !has_library(a->mappings) && has_threads(a->pid),
                                    .goes_on = &a->goes_on,
                                    .most_ms = LOAD_SECONDS * 1000 };
    a->id = b.request.id;
    a->status = toll_remote_call_function(a->mappings, &call, why, sizeof why);
    if (!a->status && strstr(why, "libz.so") && lend_zlib(a))
        a->status = toll_remote_call_function(a->mappings, &call, why, sizeof why);
    if (!a->status)
        return complain(a, why, "");
    if (!read_status(a))
        return complain(a, "it has ended", "");
    a->last.refusal[sizeof a->last.refusal - 1] = 0;
    if (a->last.id != b.request.id)
        return complain(a, a->last.refusal, "");
    a->profiles = toll_process_descriptor(a->pid, a->last.profiles);
    return a->profiles >= 0 ? TOLL_EXIT_OK
                            : complain(a, "its profiles cannot be read", strerror(errno));
}

static void rest(void)
{
    nanosleep(&(struct timespec){ 0, 50L * 1000 * 1000 }, NULL);
}

/* Is our recording on? Another toll attach may have taken its place. */
static bool is_on(attachment *a)
{
    return read_status(a) && a->last.id == a->id && a->last.is_on != TOLL_ATTACH_OFF;
}

/* End it in a thread that does not wait in the system. The process says which signal that is. */
static void send_end(const attachment *a)
{
    const int number = a->last.signal_number;
    if (number >= SIGRTMIN && number <= SIGRTMAX && toll_mappings_are_current(a->mappings))
        sigqueue(a->pid, number, (union sigval){ .sival_int = TOLL_ATTACH_END_VALUE });
}

/* Wait until all has ended. States that are not called any more end by a call of ours. */
static void await_end(attachment *a, uint32_t seconds)
{
    char why[TEXT];
    const toll_remote_call call = { .address = a->last.end,
                                    .argument = "",
                                    .size = 1,
                                    .waits_only = true,
                                    .in_each = true,
                                    .most_ms = 50 };
    uint64_t end = now_ms() + (uint64_t)seconds * 1000;
    while (!interrupted && now_ms() < end && is_on(a))
        rest();
    end = now_ms() + UINT64_C(1000) * END_SECONDS;
    for (int round = 0; now_ms() < end && is_on(a); round++) {
        toll_remote_call_function(a->mappings, &call, why, sizeof why);
        if (round == 0 && is_on(a))
            send_end(a);
        rest();
    }
}

/* --- the profile -------------------------------------------------------------------------------*/

static uint64_t size_of_profiles(const attachment *a)
{
    struct stat memory;
    return fstat(a->profiles, &memory) ? 0 : (uint64_t)memory.st_size;
}

/* Why nothing was recorded, as far as that is known. */
static const char *nothing_of(unsigned versions, bool is_sampled)
{
    if (versions == TOLL_LUA_JIT)
        return "nothing was called in that time, or LuaJIT ran what it has compiled, where calls "
               "are not seen: try again";
    return is_sampled ? "no Lua ran in that time"
                      : "nothing was called in that time; or the program sets a hook of its own "
                        "before each call, as Redis does: take samples, without --exact";
}

static void write_status(const attachment *a, size_t offset, void *value, size_t size)
{
    const struct iovec local = { value, size },
                       remote = { (void *)(uintptr_t)(a->status + offset), size };
    process_vm_writev(a->pid, &local, 1, &remote, 1, 0);
}

/* What has not ended by now becomes a file when it does: this command will not read it. Returns the
 * size of what it reads. */
static uint64_t leave_rest(attachment *a)
{
    uint64_t taken = size_of_profiles(a);
    uint32_t is_alone = 1;
    if (!is_on(a))
        return size_of_profiles(a);
    a->is_left = true;
    write_status(a, offsetof(toll_attach_status, taken), &taken, sizeof taken);
    write_status(a, offsetof(toll_attach_status, is_alone), &is_alone, sizeof is_alone);
    return is_on(a) ? taken : size_of_profiles(a); /* it may have ended at this moment */
}

static int collect(attachment *a, unsigned versions, bool is_sampled, toll_profile **out)
{
    toll_error err = { TOLL_OK, "" };
    char name[32];
    snprintf(name, sizeof name, "process %ld", (long)a->pid);
    int failed =
        toll_attach_collect(&a->job->allocator, a->profiles, leave_rest(a), name, out, &err)
            ? toll_job_fail(a->job, &err)
            : TOLL_EXIT_OK;
    if (!failed && *out)
        failed = toll_job_select(a->job, NULL, out);
    else if (!failed && a->last.id != a->id)
        failed = complain(a, "another toll attach has begun in its place", "");
    else if (!failed)
        failed = complain(a, *a->last.text ? a->last.text : nothing_of(versions, is_sampled), "");
    if (failed) {
        toll_profile_free(*out);
        *out = NULL;
    }
    return failed;
}

static void warn_unfinished(attachment *a)
{
    if (a->is_left && a->last.begun > a->last.ended)
        toll_job_warn(a->job,
                      "%" PRIu32 " of %" PRIu32 " Lua states have not come to an end of their "
                      "recording: the process will write their profiles to /tmp/toll-attach-*",
                      a->last.begun - a->last.ended, a->last.begun);
    if (a->last.failed)
        toll_job_warn(a->job, "%" PRIu32 " Lua states were not recorded: %s", a->last.failed,
                      a->last.text);
}

/* The version of the module: LuaJIT has that of 5.1. NULL: several are in one process. */
static const char *module_version(unsigned versions)
{
    switch (versions) {
    case TOLL_LUA_JIT:
    case TOLL_LUA_51: return "5.1";
    case TOLL_LUA_52: return "5.2";
    case TOLL_LUA_53: return "5.3";
    case TOLL_LUA_54: return "5.4";
    default: return NULL;
    }
}

static int prepare(attachment *a, unsigned versions)
{
    char text[64];
    const char *version = module_version(versions);
    toll_lua_modules modules;
    if (!version)
        return complain(a, "it contains several versions of Lua",
                        toll_lua_versions_text(versions, text));
    if (!toll_lua_modules_look(&modules))
        return complain(a, modules.why, modules.get);
    snprintf(a->module, sizeof a->module, "%s/%s/toll.so", modules.folder, version);
    return TOLL_EXIT_OK;
}

int toll_attach_inside(toll_job *job, const toll_mappings *mappings, const toll_lua_states *states,
                       unsigned versions, const toll_inside_options *o, toll_profile **out)
{
    struct sigaction ours = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
    attachment a = { .job = job, .mappings = mappings, .pid = mappings->pid, .profiles = -1 };
    sigaction(SIGINT, &ours, NULL);
    sigaction(SIGTERM, &ours, NULL);
    int failed = prepare(&a, versions);
    if (!failed)
        failed = begin(&a, states, o);
    if (!failed) {
        if (!job->settings->quiet)
            fprintf(stderr, "toll: recording %ld for %" PRIu32 " s; Ctrl-C ends it sooner\n",
                    (long)a.pid, o->seconds);
        await_end(&a, o->seconds);
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        failed = collect(&a, versions, o->hz > 0, out);
        warn_unfinished(&a);
    }
    if (a.profiles >= 0)
        close(a.profiles);
    if (a.goes_on)
        toll_job_warn(job, "if it begins to record now, it will write its profile to "
                           "/tmp/toll-attach-*");
    return failed;
}
