/* cmd_attach.c - toll attach: takes samples of a process that runs already, and lists those that
 * contain Lua. */
#include "attach_inside.h"
#include "attach_sample.h"
#include "command.h"
#include "job.h"
#include "run.h"

#include "base/printable.h"
#include "luastack/lua_find.h"
#include "profile/sampled.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS = 10 };
static const char default_output[] = "toll.pb.gz";

/* --- what a process is -------------------------------------------------------------------------*/

/* What is known of a process. `why` says why it cannot be sampled; "": it can. */
typedef struct target {
    pid_t pid;
    char command[64];
    unsigned versions;
    toll_mappings mappings;
    toll_lua_states states;
    bool is_forbidden; /* its memory may not be read */
    char why[200];
} target;

static void read_command(target *t)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%ld/comm", (long)t->pid);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(t->command, sizeof t->command, file))
        snprintf(t->command, sizeof t->command, "?");
    t->command[strcspn(t->command, "\n")] = 0;
    if (file)
        fclose(file);
}

/* Is its program one of 64 bits? The fifth byte of an ELF file says so. */
static bool has_64_bits(pid_t pid)
{
    char path[64], head[5] = "";
    snprintf(path, sizeof path, "/proc/%ld/exe", (long)pid);
    FILE *file = fopen(path, "r");
    bool is_64 = !file || fread(head, 1, sizeof head, file) < sizeof head || head[4] != 1;
    if (file)
        fclose(file);
    return is_64;
}

/* Why memory cannot be read: the rules of ptrace(2), of which Yama's is the usual one. */
static void say_forbidden(target *t, int cause)
{
    char scope = '?';
    t->is_forbidden = true;
    FILE *file = fopen("/proc/sys/kernel/yama/ptrace_scope", "r");
    if (file) {
        scope = (char)fgetc(file);
        fclose(file);
    }
    snprintf(t->why, sizeof t->why, "its memory may not be read (%s)%s", strerror(cause),
             geteuid() == 0 ? ": root needs CAP_SYS_PTRACE, which containers may lack"
             : scope == '1' || scope == '2'
                 ? ": run toll as root, or set kernel.yama.ptrace_scope=0"
             : scope == '3' ? ": kernel.yama.ptrace_scope is 3, until the next boot"
                            : ": run toll as root, or as the process's user");
}

static bool may_read(target *t)
{
    uint8_t byte;
    for (size_t i = 0; i < t->mappings.count; i++)
        if (t->mappings.list[i].is_readable && t->mappings.list[i].inode) {
            if (toll_process_read(t->pid, t->mappings.list[i].begin, &byte, 1))
                return true;
            say_forbidden(t, errno);
            return false;
        }
    say_forbidden(t, EPERM);
    return false;
}

/* Find out what the process is. False: it contains no Lua, as far as may be seen. */
static bool examine(target *t, pid_t pid, toll_lua_files *files)
{
    char text[64];
    *t = (target){ .pid = pid };
    read_command(t);
    errno = 0;
    if (!toll_mappings_read(&t->mappings, pid) || !t->mappings.count) {
        if (errno == ENOENT || errno == ESRCH)
            snprintf(t->why, sizeof t->why, "there is no such process");
        else if (!errno)
            snprintf(t->why, sizeof t->why, "it has no memory: it has ended, or is the kernel's");
        else
            say_forbidden(t, errno);
        return false;
    }
    if (!has_64_bits(pid)) {
        snprintf(t->why, sizeof t->why, "it is a program of 32 bits, and toll reads 64");
        return false;
    }
    if (!may_read(t))
        return false;
    t->versions = toll_lua_versions_in(&t->mappings, files);
    if (!t->versions) {
        snprintf(t->why, sizeof t->why, "there is no Lua in it");
        return false;
    }
    toll_lua_find_states(&t->mappings, t->versions, &t->states);
    if (!t->states.count)
        snprintf(t->why, sizeof t->why,
                 t->versions & TOLL_LUA_JIT
                     ? "%s has no state that can be read: --inside takes samples of LuaJIT"
                     : "%s has no state",
                 toll_lua_versions_text(t->versions, text));
    return true;
}

/* --- the list ----------------------------------------------------------------------------------*/

static void print_target(const target *t)
{
    char versions[64], command[256];
    printf("%7ld  %-16s  %-20s  ", (long)t->pid,
           toll_printable(t->command, command, sizeof command),
           toll_lua_versions_text(t->versions, versions));
    if (*t->why)
        printf("no: %s\n", t->why);
    else
        printf("%" PRIu32 " state%s\n", t->states.count, t->states.count == 1 ? "" : "s");
}

static int list_processes(void)
{
    toll_lua_files files = { 0 };
    uint32_t found = 0, unseen = 0;
    target *t = malloc(sizeof *t);
    DIR *folder = opendir("/proc");
    if (!folder || !t) {
        int why = errno;
        if (folder)
            closedir(folder);
        free(t);
        return toll_complain(TOLL_EXIT_BAD_INPUT, "attach: /proc: %s", strerror(why));
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        pid_t pid = isdigit((unsigned char)*entry->d_name) ? (pid_t)atol(entry->d_name) : 0;
        if (pid <= 0 || pid == getpid())
            continue;
        if (examine(t, pid, &files)) {
            if (!found++)
                printf("%7s  %-16s  %-20s  %s\n", "pid", "command", "contains", "can be sampled");
            print_target(t);
        } else if (t->is_forbidden) {
            unseen++;
        }
        toll_mappings_free(&t->mappings);
    }
    closedir(folder);
    free(t);
    toll_lua_files_free(&files);
    if (!found)
        printf("no process contains Lua\n");
    if (unseen)
        printf("%" PRIu32 " process%s may not be read%s\n", unseen, unseen == 1 ? "" : "es",
               geteuid() ? ": root sees all" : "");
    return TOLL_EXIT_OK;
}

/* --- samples -----------------------------------------------------------------------------------*/

static int print_summary(toll_job *job, const toll_profile *p)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    char name[2 * TOLL_ERROR_SIZE];
    const toll_settings *s = job->settings;
    toll_report_options o = { .size = sizeof o,
                              .rows = s->rows.is_set ? s->rows.value : TOLL_RUN_ROWS,
                              .short_names = 1 };
    if (s->quiet ||
        toll_output_from_fd(&job->allocator, STDERR_FILENO, "(standard error)", &out, &err))
        return TOLL_EXIT_OK;
    toll_output_printf(out, "\ntoll: %s\n", toll_printable(s->output, name, sizeof name));
    toll_report_top(p, &o, out, &err);
    toll_output_commit(out, &err);
    toll_output_free(out);
    return TOLL_EXIT_OK;
}

static int profile(toll_job *job, const target *t)
{
    const toll_settings *s = job->settings;
    const toll_attach_options o = { .hz = s->hz.is_set ? s->hz.value : TOLL_SAMPLE_HZ,
                                    .seconds = s->seconds.is_set ? s->seconds.value : SECONDS };
    toll_profile *p = NULL;
    toll_error err = { TOLL_OK, "" };
    int status = TOLL_EXIT_OK;
    bool is_inside = s->exact || s->inside;
    if (!s->quiet && !is_inside) /* which says that it begins once it has */
        fprintf(stderr, "toll: sampling %ld for %" PRIu32 " s; Ctrl-C ends it sooner\n",
                (long)t->pid, o.seconds);
    const toll_inside_options inside = { s->exact ? 0 : o.hz, o.seconds };
    if (is_inside)
        status = toll_attach_inside(job, &t->mappings, &t->states, t->versions, &inside, &p);
    else if (toll_attach_sample(&t->mappings, &t->states, &o, &job->allocator, &p, &err))
        status = toll_job_fail(job, &err);
    if (!status)
        status = toll_job_save(job, p, NULL);
    if (!status)
        status = print_summary(job, p);
    toll_profile_free(p);
    return status;
}

static int attach(toll_settings *s, const char *operand)
{
    toll_job job;
    toll_lua_files files = { 0 };
    char *end;
    long pid = strtol(operand, &end, 10);
    if (!isdigit((unsigned char)*operand) || *end || pid <= 0 || pid > INT32_MAX)
        return toll_complain(TOLL_EXIT_USAGE, "attach: '%s' is no process's number", operand);
    if (pid == getpid())
        return toll_complain(TOLL_EXIT_USAGE, "attach: %s is this command itself", operand);
    target *t = malloc(sizeof *t);
    if (!t)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    if (!s->output)
        s->output = default_output;
    toll_job_begin(&job, s);
    int status = toll_job_check_output(&job);
    if (!status) {
        examine(t, (pid_t)pid, &files);
        bool is_inside = s->exact || s->inside;
        if (is_inside && t->versions) /* its states need not be known */
            *t->why = 0;
        if (is_inside && t->versions == TOLL_LUA_JIT)
            toll_lua_find_jit_states(&t->mappings, &t->states);
        status = *t->why ? toll_complain(TOLL_EXIT_BAD_INPUT, "attach: %ld: %s", pid, t->why)
                         : profile(&job, t);
        toll_mappings_free(&t->mappings);
    }
    free(t);
    toll_lua_files_free(&files);
    return status;
}

int toll_cmd_attach(toll_settings *s, int argc, char **argv)
{
    if (s->list)
        return argc ? toll_complain(TOLL_EXIT_USAGE, "attach: --list takes no process")
                    : list_processes();
    if (argc != 1)
        return toll_complain(TOLL_EXIT_USAGE, "attach: which process? toll attach PID, or --list");
    if (s->hz.is_set && (s->hz.value < 1 || s->hz.value > TOLL_MOST_SAMPLE_HZ))
        return toll_complain(TOLL_EXIT_USAGE, "attach: --hz is a number from 1 to %d",
                             TOLL_MOST_SAMPLE_HZ);
    if (s->inside && s->exact)
        return toll_complain(TOLL_EXIT_USAGE, "attach: one of --inside and --exact");
    if (s->hz.is_set && s->exact)
        return toll_complain(TOLL_EXIT_USAGE, "attach: --hz is for samples, without --exact");
    if (s->seconds.is_set && !s->seconds.value)
        return toll_complain(TOLL_EXIT_USAGE, "attach: --seconds is a number from 1 up");
    return attach(s, argv[0]);
}
