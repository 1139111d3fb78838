/* attach_exact.c - see attach_exact.h.
 *
 * What the process needs lies in a folder of its own in /tmp: a copy of the module, and later the
 * profiles. */
#define _GNU_SOURCE /* mkdtemp */
#include "attach_exact.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <toll/version.h>
#include <unistd.h>

#include "base/array.h"
#include "base/fail.h"
#include "base/os.h"
#include "base/text.h"
#include "folder_files.h"
#include "luastack/attach_request.h"
#include "luastack/remote_call.h"
#include "run_lua_modules.h"

enum { LOAD_SECONDS = 10, END_SECONDS = 10, TEXT = 300, PATH = 512, NAMES_ROOM = 1 << 20 };
static const char folder_name[] = "/tmp/toll-attach-";

typedef struct exact {
    toll_job *job;
    const toll_mappings *mappings;
    pid_t pid;
    char folder[PATH];
    char module[PATH + 16];
    toll_attach_status last; /* the status that was read last */
    uint64_t status;         /* its address */
    uint64_t id;             /* of the request */
    bool goes_on;            /* the module may still begin to record */
} exact;

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    (void)number;
    interrupted = 1;
}

static int complain(const exact *e, const char *what, const char *why)
{
    return toll_complain(TOLL_EXIT_BAD_INPUT, "attach: %ld: %s%s%s", (long)e->pid, what,
                         *why ? ": " : "", why);
}

/* --- the folder --------------------------------------------------------------------------------*/

static bool copy_file(const char *from, const char *to)
{
    char bytes[64 * 1024];
    int in = open(from, O_RDONLY | O_CLOEXEC);
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0755);
    ssize_t size = -1;
    while (in >= 0 && out >= 0 && (size = read(in, bytes, sizeof bytes)) > 0)
        if (write(out, bytes, (size_t)size) != size) {
            size = -1;
            break;
        }
    int cause = errno;
    if (in >= 0)
        close(in);
    if (out >= 0 && close(out) != 0)
        size = -1;
    errno = cause;
    return size == 0;
}

/* A module that the process has loaded, itself or for an attach before this one, is loaded again by
 * its name, also after its file has been removed: two of them would be in each other's way. */
static bool find_loaded_module(exact *e)
{
    static const char removed[] = " (deleted)";
    for (size_t i = 0; i < e->mappings->count; i++) {
        const char *path = e->mappings->list[i].path, *end = strstr(path, removed);
        snprintf(e->module, sizeof e->module, "%.*s",
                 (int)(end ? (size_t)(end - path) : strlen(path)), path);
        if (toll_text_ends_with(e->module, "/toll.so"))
            return true;
    }
    return false;
}

/* The folder is in a place that others can change. So the process must be the caller's own, and see
 * the same files: then no user can do more by it than before. */
static const char *refusal(const exact *e)
{
    char place[64];
    struct stat process, theirs, ours;
    snprintf(place, sizeof place, "/proc/%ld", (long)e->pid);
    if (stat(place, &process))
        return "it has ended";
    if (process.st_uid != geteuid())
        return "it belongs to another user: run toll as that user (sudo -u USER toll attach ...)";
    snprintf(place, sizeof place, "/proc/%ld/ns/mnt", (long)e->pid);
    if (stat(place, &theirs) || stat("/proc/self/ns/mnt", &ours) || theirs.st_ino != ours.st_ino)
        return "it is in a container: run toll there (nsenter -a -t PID toll attach ...)";
    return NULL;
}

/* Make the folder, with the module. Only the process's user may use it. */
static int make_folder(exact *e, const char *module)
{
    char copy[PATH + 16];
    const char *why = refusal(e);
    if (why)
        return complain(e, why, "");
    snprintf(e->folder, sizeof e->folder, "%sXXXXXX", folder_name);
    if (!mkdtemp(e->folder)) {
        *e->folder = 0;
        return complain(e, "no folder can be made in /tmp", strerror(errno));
    }
    snprintf(copy, sizeof copy, "%s/toll.so", e->folder);
    if (find_loaded_module(e))
        return TOLL_EXIT_OK;
    snprintf(e->module, sizeof e->module, "%s", copy);
    return copy_file(module, copy)
               ? TOLL_EXIT_OK
               : complain(e, "the module cannot be copied to /tmp", strerror(errno));
}

static void remove_folder(const exact *e)
{
    char path[PATH + NAME_MAX + 2];
    DIR *folder = *e->folder ? opendir(e->folder) : NULL;
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (*entry->d_name != '.') {
            snprintf(path, sizeof path, "%s/%s", e->folder, entry->d_name);
            unlink(path);
        }
    closedir(folder);
    rmdir(e->folder);
}

/* --- calls -------------------------------------------------------------------------------------*/

static bool read_status(exact *e)
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

/* Name the states whose main threads get a hook at once. Where a state may belong to another thread
 * than the one that sets the hook, the next call of Lua is waited for. */
static void add_states(const exact *e, const toll_lua_states *states, toll_attach_request *r)
{
    if (has_library(e->mappings) && has_threads(e->pid))
        return;
    for (uint32_t i = 0; i < states->count && i < TOLL_ATTACH_STATES; i++)
        r->states[r->state_count++] = states->list[i].address;
}

static int begin(exact *e, const toll_lua_states *states, uint32_t seconds)
{
    char why[TEXT];
    toll_attach_request request = { .version = TOLL_VERSION_STRING,
                                    .id = toll_os_name_number(),
                                    .seconds = seconds };
    const toll_remote_call call = { .library = e->module,
                                    .function = TOLL_ATTACH_BEGIN,
                                    .argument = &request,
                                    .size = sizeof request,
                                    .in_main = !has_library(e->mappings) && has_threads(e->pid),
                                    .goes_on = &e->goes_on,
                                    .most_ms = LOAD_SECONDS * 1000 };
    snprintf(request.output, sizeof request.output, "%.200s/%%p.pb.gz", e->folder);
    add_states(e, states, &request);
    e->id = request.id;
    e->status = toll_remote_call_function(e->mappings, &call, why, sizeof why);
    if (!e->status)
        return complain(e, why, "");
    if (!read_status(e))
        return complain(e, "it has ended", "");
    e->last.refusal[sizeof e->last.refusal - 1] = 0;
    return e->last.id == request.id ? TOLL_EXIT_OK : complain(e, e->last.refusal, "");
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

/* Wait until all has ended. States that are not called any more end by a call of ours. */
static void await_end(exact *e, uint32_t seconds)
{
    char why[TEXT];
    const toll_remote_call call = { .library = e->module,
                                    .function = TOLL_ATTACH_END,
                                    .argument = "",
                                    .size = 1,
                                    .waits_only = true,
                                    .in_each = true,
                                    .most_ms = 50 };
    uint64_t end = now_ms() + (uint64_t)seconds * 1000;
    while (!interrupted && now_ms() < end && read_status(e) && e->last.is_on != TOLL_ATTACH_OFF)
        rest();
    end = now_ms() + END_SECONDS * 1000;
    for (int round = 0; now_ms() < end && read_status(e) && e->last.is_on != TOLL_ATTACH_OFF;
         round++) {
        toll_remote_call_function(e->mappings, &call, why, sizeof why);
        if (round == 0 && read_status(e) &&
            e->last.is_on != TOLL_ATTACH_OFF) /* a thread that does not wait gets a signal */
            sigqueue(e->pid, e->last.signal_number,
                     (union sigval){ .sival_int = TOLL_ATTACH_END_VALUE });
        rest();
    }
}

/* --- the profile -------------------------------------------------------------------------------*/

/* The profiles in the folder, in the order of their names. */
typedef struct profiles {
    char **paths;
    size_t count, capacity;
} profiles;

static toll_status list_profiles(const exact *e, profiles *list, toll_error *err)
{
    toll_folder_files files;
    const toll_mem mem = toll_mem_from(&e->job->allocator);
    const char *path = e->folder;
    toll_folder_files_init(&files, &mem, NAMES_ROOM);
    toll_status status = toll_folder_files_enter(&files, path, err);
    if (!status)
        status = toll_folder_files_next(&files, &path, err);
    while (!status && path) {
        if (toll_text_ends_with(path, ".pb.gz")) {
            char *copy = strdup(path);
            if (!copy || !toll_array_grow(&mem, &list->paths, &list->capacity, list->count, 1)) {
                free(copy);
                status = toll_fail_nomem(err);
                break;
            }
            list->paths[list->count++] = copy;
        }
        status = toll_folder_files_next(&files, &path, err);
    }
    toll_folder_files_free(&files);
    return status;
}

static void free_profiles(const exact *e, profiles *list)
{
    const toll_mem mem = toll_mem_from(&e->job->allocator);
    for (size_t i = 0; i < list->count; i++)
        free(list->paths[i]);
    toll_mem_free(&mem, list->paths, list->capacity, sizeof *list->paths);
}

/* Why nothing was recorded, as far as that is known. */
static const char *nothing_of(unsigned versions)
{
    return versions == TOLL_LUA_JIT
               ? "nothing was called in that time, or LuaJIT ran what it has compiled, where calls "
                 "are not seen: try again"
               : "nothing was called in that time; or the program sets a hook of its own before "
                 "each call, as Redis does: take samples, without --exact";
}

static int collect(exact *e, unsigned versions, toll_profile **out)
{
    profiles list = { 0 };
    toll_error err = { TOLL_OK, "" };
    int failed;
    if (list_profiles(e, &list, &err))
        failed = toll_job_fail(e->job, &err);
    else if (list.count)
        failed = toll_job_load_all(e->job, (int)list.count, list.paths, NULL, out);
    else if (e->last.id != e->id)
        failed = complain(e, "another toll attach --exact has begun in its place", "");
    else
        failed = complain(e, *e->last.text ? e->last.text : nothing_of(versions), "");
    free_profiles(e, &list);
    return failed;
}

static void warn_unfinished(const exact *e)
{
    if (e->last.begun > e->last.ended)
        toll_job_warn(e->job,
                      "%" PRIu32 " of %" PRIu32 " Lua states have not come to an end of their "
                      "recording: their profiles will be in %s",
                      e->last.begun - e->last.ended, e->last.begun, e->folder);
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

static int prepare(exact *e, unsigned versions)
{
    char text[64], module[PATH_MAX + 16];
    const char *version = module_version(versions);
    toll_lua_modules modules;
    if (!version)
        return complain(e, "it contains several versions of Lua",
                        toll_lua_versions_text(versions, text));
    if (!toll_lua_modules_look(&modules))
        return complain(e, modules.why, modules.get);
    snprintf(module, sizeof module, "%s/%s/toll.so", modules.folder, version);
    return make_folder(e, module);
}

int toll_attach_exact(toll_job *job, const toll_mappings *mappings, const toll_lua_states *states,
                      unsigned versions, uint32_t seconds, toll_profile **out)
{
    struct sigaction ours = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
    exact e = { .job = job, .mappings = mappings, .pid = mappings->pid };
    sigaction(SIGINT, &ours, NULL);
    sigaction(SIGTERM, &ours, NULL);
    int failed = prepare(&e, versions);
    if (!failed)
        failed = begin(&e, states, seconds);
    if (!failed) {
        if (!job->settings->quiet)
            fprintf(stderr, "toll: recording %ld for %" PRIu32 " s; Ctrl-C ends it sooner\n",
                    (long)e.pid, seconds);
        await_end(&e, seconds);
        failed = collect(&e, versions, out);
        warn_unfinished(&e);
    }
    if (e.goes_on)
        toll_job_warn(job, "if it begins to record now, its profile will be in %s", e.folder);
    else if (e.last.begun <= e.last.ended)
        remove_folder(&e);
    return failed;
}
