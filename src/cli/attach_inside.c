/* attach_inside.c - see attach_inside.h. */
#define _GNU_SOURCE /* process_vm_writev, preadv, dladdr */
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

#include "base/fail.h"
#include "base/mem.h"
#include "base/os.h"
#include "luastack/attach_request.h"
#include "luastack/process_files.h"
#include "luastack/process_symbols.h"
#include "luastack/remote_call.h"
#include "run_lua_modules.h"

enum { LOAD_SECONDS = 10, END_SECONDS = 10, TEXT = 300 };

typedef struct inside {
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
} inside;

static volatile sig_atomic_t interrupted;

/* One that comes later than the first ends the command at once; `timeout` sends two together. */
static void on_signal(int number)
{
    static struct timespec first;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (!interrupted)
        first = now;
    else if (now.tv_sec > first.tv_sec + 1) {
        signal(number, SIG_DFL);
        raise(number);
    }
    interrupted = 1;
}

static int complain(const inside *e, const char *what, const char *why)
{
    return toll_complain(TOLL_EXIT_BAD_INPUT, "attach: %ld: %s%s%s", (long)e->pid, what,
                         *why ? ": " : "", why);
}

/* --- calls -------------------------------------------------------------------------------------*/

static bool read_status(inside *e)
{
    bool good = e->status && toll_process_read(e->pid, e->status, &e->last, sizeof e->last);
    e->last.text[sizeof e->last.text - 1] = 0;
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
    const inside *e;
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
    if (has_library(b->e->mappings) && has_threads(b->e->pid))
        return;
    for (uint32_t i = 0; i < b->states->count && r->state_count < TOLL_ATTACH_STATES; i++)
        if (toll_lua_is_state(b->e->pid, &b->states->list[i]))
            r->states[r->state_count++] = b->states->list[i].address;
}

/* A module that is linked with zlib's library needs it, and a process in a root folder of its own
 * may have none: load ours into it. False: that cannot be done. */
static bool lend_zlib(const inside *e)
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
    return toll_remote_call_function(e->mappings, &call, why, sizeof why) != 0;
}

static int begin(inside *e, const toll_lua_states *states, const toll_inside_options *o)
{
    char why[TEXT];
    begin_call b = { e,
                     states,
                     { .version = TOLL_VERSION_STRING,
                       .id = toll_os_name_number(),
                       .seconds = o->seconds,
                       .sample_hz = o->hz } };
    const toll_remote_call call = { .address =
                                        toll_process_function(e->mappings, TOLL_ATTACH_BEGIN),
                                    .library = e->module,
                                    .function = TOLL_ATTACH_BEGIN,
                                    .argument = &b.request,
                                    .size = sizeof b.request,
                                    .stopped = add_states,
                                    .user = &b,
                                    .in_main = !has_library(e->mappings) && has_threads(e->pid),
                                    .goes_on = &e->goes_on,
                                    .most_ms = LOAD_SECONDS * 1000 };
    e->id = b.request.id;
    e->status = toll_remote_call_function(e->mappings, &call, why, sizeof why);
    if (!e->status && strstr(why, "libz.so") && lend_zlib(e))
        e->status = toll_remote_call_function(e->mappings, &call, why, sizeof why);
    if (!e->status)
        return complain(e, why, "");
    if (!read_status(e))
        return complain(e, "it has ended", "");
    e->last.refusal[sizeof e->last.refusal - 1] = 0;
    if (e->last.id != b.request.id)
        return complain(e, e->last.refusal, "");
    e->profiles = toll_process_descriptor(e->pid, e->last.profiles);
    return e->profiles >= 0 ? TOLL_EXIT_OK
                            : complain(e, "its profiles cannot be read", strerror(errno));
}

static void rest(void)
{
    nanosleep(&(struct timespec){ 0, 50 * 1000 * 1000 }, NULL);
}

static uint64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Is our recording on? Another toll attach may have taken its place. */
static bool is_on(inside *e)
{
    return read_status(e) && e->last.id == e->id && e->last.is_on != TOLL_ATTACH_OFF;
}

/* End it in a thread that does not wait in the system. The process says which signal that is. */
static void send_end(const inside *e)
{
    const int number = e->last.signal_number;
    if (number >= SIGRTMIN && number <= SIGRTMAX && toll_mappings_are_current(e->mappings))
        sigqueue(e->pid, number, (union sigval){ .sival_int = TOLL_ATTACH_END_VALUE });
}

/* Wait until all has ended. States that are not called any more end by a call of ours. */
static void await_end(inside *e, uint32_t seconds)
{
    char why[TEXT];
    const toll_remote_call call = { .address = e->last.end,
                                    .argument = "",
                                    .size = 1,
                                    .waits_only = true,
                                    .in_each = true,
                                    .most_ms = 50 };
    uint64_t end = now_ms() + (uint64_t)seconds * 1000;
    while (!interrupted && now_ms() < end && is_on(e))
        rest();
    end = now_ms() + END_SECONDS * 1000;
    for (int round = 0; now_ms() < end && is_on(e); round++) {
        toll_remote_call_function(e->mappings, &call, why, sizeof why);
        if (round == 0 && is_on(e))
            send_end(e);
        rest();
    }
}

/* --- the profile -------------------------------------------------------------------------------*/

/* Read one state's profile at a place of the memory. */
static toll_status read_part(const inside *e, off_t at, size_t size, toll_profile **out,
                             toll_error *err)
{
    char name[32];
    const toll_mem mem = toll_mem_from(&e->job->allocator);
    const struct iovec part = { toll_mem_new(&mem, size, 1), size };
    toll_input *in = NULL;
    toll_status status = TOLL_OK;
    snprintf(name, sizeof name, "process %ld", (long)e->pid);
    if (!part.iov_base)
        return toll_fail_nomem(err);
    if (preadv(e->profiles, &part, 1, at) != (ssize_t)size)
        status = toll_fail(err, TOLL_E_IO, "%s: its profile cannot be read", name);
    if (!status)
        status = toll_input_from_memory(&e->job->allocator, part.iov_base, size, name, &in, err);
    if (!status)
        status = toll_profile_read(in, "pprof", NULL, NULL, out, err);
    toll_input_free(in);
    toll_mem_free(&mem, part.iov_base, size, 1);
    return status;
}

static off_t size_of_profiles(const inside *e)
{
    struct stat memory;
    return fstat(e->profiles, &memory) ? 0 : memory.st_size;
}

/* Read the profiles that the states have written, and add them up. *sum remains NULL if there is
 * none. */
static toll_status read_profiles(const inside *e, off_t whole, toll_profile **sum, toll_error *err)
{
    toll_attach_size size = 0;
    toll_status status = TOLL_OK;
    *sum = NULL;
    for (off_t at = 0; !status && at < whole; at += (off_t)size) {
        const struct iovec head = { &size, sizeof size };
        toll_profile *part;
        if (preadv(e->profiles, &head, 1, at) != (ssize_t)sizeof size || !size ||
            size > (uint64_t)(whole - at) - sizeof size) /* it may have changed */
            return toll_fail(err, TOLL_E_TRUNCATED, "process %ld: a profile is cut off",
                             (long)e->pid);
        at += (off_t)sizeof size;
        status = read_part(e, at, (size_t)size, &part, err);
        if (!status && *sum) {
            status = toll_profile_merge(*sum, part, err);
            toll_profile_free(part);
        } else if (!status) {
            *sum = part;
        }
    }
    return status;
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

static void write_status(const inside *e, size_t offset, void *value, size_t size)
{
    const struct iovec local = { value, size },
                       remote = { (void *)(uintptr_t)(e->status + offset), size };
    process_vm_writev(e->pid, &local, 1, &remote, 1, 0);
}

/* What has not ended by now becomes a file when it does: this command will not read it. Returns the
 * size of what it reads. */
static off_t leave_rest(inside *e)
{
    off_t size = size_of_profiles(e);
    uint64_t taken = (uint64_t)size;
    uint32_t is_alone = 1;
    if (!is_on(e))
        return size_of_profiles(e);
    e->is_left = true;
    write_status(e, offsetof(toll_attach_status, taken), &taken, sizeof taken);
    write_status(e, offsetof(toll_attach_status, is_alone), &is_alone, sizeof is_alone);
    return is_on(e) ? size : size_of_profiles(e); /* it may have ended at this moment */
}

static int collect(inside *e, unsigned versions, bool is_sampled, toll_profile **out)
{
    toll_error err = { TOLL_OK, "" };
    int failed =
        read_profiles(e, leave_rest(e), out, &err) ? toll_job_fail(e->job, &err) : TOLL_EXIT_OK;
    if (!failed && *out)
        failed = toll_job_select(e->job, NULL, out);
    else if (!failed && e->last.id != e->id)
        failed = complain(e, "another toll attach has begun in its place", "");
    else if (!failed)
        failed = complain(e, *e->last.text ? e->last.text : nothing_of(versions, is_sampled), "");
    if (failed) {
        toll_profile_free(*out);
        *out = NULL;
    }
    return failed;
}

static void warn_unfinished(inside *e)
{
    if (e->is_left && e->last.begun > e->last.ended)
        toll_job_warn(e->job,
                      "%" PRIu32 " of %" PRIu32 " Lua states have not come to an end of their "
                      "recording: the process will write their profiles to /tmp/toll-attach-*",
                      e->last.begun - e->last.ended, e->last.begun);
    if (e->last.failed)
        toll_job_warn(e->job, "%" PRIu32 " Lua states were not recorded: %s", e->last.failed,
                      e->last.text);
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

static int prepare(inside *e, unsigned versions)
{
    char text[64];
    const char *version = module_version(versions);
    toll_lua_modules modules;
    if (!version)
        return complain(e, "it contains several versions of Lua",
                        toll_lua_versions_text(versions, text));
    if (!toll_lua_modules_look(&modules))
        return complain(e, modules.why, modules.get);
    snprintf(e->module, sizeof e->module, "%s/%s/toll.so", modules.folder, version);
    return TOLL_EXIT_OK;
}

int toll_attach_inside(toll_job *job, const toll_mappings *mappings, const toll_lua_states *states,
                       unsigned versions, const toll_inside_options *o, toll_profile **out)
{
    struct sigaction ours = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
    inside e = { .job = job, .mappings = mappings, .pid = mappings->pid, .profiles = -1 };
    sigaction(SIGINT, &ours, NULL);
    sigaction(SIGTERM, &ours, NULL);
    int failed = prepare(&e, versions);
    if (!failed)
        failed = begin(&e, states, o);
    if (!failed) {
        if (!job->settings->quiet)
            fprintf(stderr, "toll: recording %ld for %" PRIu32 " s; Ctrl-C ends it sooner\n",
                    (long)e.pid, o->seconds);
        await_end(&e, o->seconds);
        signal(SIGINT, SIG_DFL);
        signal(SIGTERM, SIG_DFL);
        failed = collect(&e, versions, o->hz > 0, out);
        warn_unfinished(&e);
    }
    if (e.profiles >= 0)
        close(e.profiles);
    if (e.goes_on)
        toll_job_warn(job, "if it begins to record now, it will write its profile to "
                           "/tmp/toll-attach-*");
    return failed;
}
