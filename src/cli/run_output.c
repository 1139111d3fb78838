/* run_output.c - chooses the output files of a run. As much as possible is checked before the
 * program starts. See run.h. */
#define _XOPEN_SOURCE 700
#include "run.h"

#include "base/os.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Make `path` absolute in out[PATH_MAX], since the program may change its folder. Returns an exit
 * status, or -1: continue. */
static int make_absolute(const char *path, char *out)
{
    char folder[PATH_MAX] = "";
    if (*path != '/' && !getcwd(folder, sizeof folder))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: cannot find the current folder: %s", path,
                             strerror(errno));
    int n = snprintf(out, PATH_MAX, "%s%s%s", folder, *path == '/' ? "" : "/", path);
    if (n < 0 || n >= PATH_MAX)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: the name is too long; choose a shorter one",
                             path);
    return -1;
}

/* Check that the file can be created. A pipe or a device is not opened yet, since the reader of a
 * pipe would see its end. Returns an exit status, or -1: continue. */
static int check_writable(const char *path, const char *option)
{
    struct stat st;
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    bool exists = stat(path, &st) == 0;
    if (exists && S_ISDIR(st.st_mode))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: is a folder; name a file in it with %s",
                             path, option);
    if (exists && !S_ISREG(st.st_mode)) {
        if (access(path, W_OK) == 0)
            return -1;
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: cannot write: %s; name another file with %s",
                             path, strerror(errno), option);
    }
    if (toll_output_open(NULL, path, 0, &out, &err))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s; name another file with %s", err.text,
                             option);
    toll_output_free(out);
    return -1;
}

static int choose_profile(toll_run *run)
{
    const toll_settings *s = run->settings;
    const char *target = s->output ? s->output : "toll.pb.gz";
    if (strcmp(target, "-") == 0)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: standard output is the program's; name a file with -o");
    run->format = s->to ? toll_format_named(s->to) : toll_format_for_path(target);
    if (!run->format || !run->format->writes)
        return toll_complain(
            TOLL_EXIT_USAGE,
            "run: the name '%s' has no extension of a format that is written; end it in "
            ".pb.gz, .speedscope.json or .folded, or say --to",
            target);
    if (s->format.flamechart && !(run->format->keeps & TOLL_KEEPS_ORDER) &&
        strcmp(run->format->name, "folded") != 0)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: %s keeps no order in time; end the name in .speedscope.json, "
                             ".trace.json or .folded",
                             run->format->name);
    return make_absolute(target, run->output);
}

/* Resolve links and dots of an absolute path into out[PATH_MAX]; for a file that does not exist
 * yet, those of its folder. If the folder does not exist either, the path is returned unchanged. */
static const char *real_path(const char *path, char *out)
{
    char folder[PATH_MAX];
    if (toll_os_real_path(path, out))
        return out;
    const char *name = strrchr(path, '/') + 1;
    memcpy(folder, path, (size_t)(name - path));
    folder[name - path] = 0;
    if (!toll_os_real_path(folder, out) || strlen(out) + strlen(name) + 2 > PATH_MAX)
        return path;
    strcat(out, "/");
    return strcat(out, name);
}

static bool is_one_file(const char *a, const char *b)
{
    char a_room[PATH_MAX], b_room[PATH_MAX];
    return strcmp(real_path(a, a_room), real_path(b, b_room)) == 0;
}

static int choose_timeline(toll_run *run)
{
    const char *target = run->settings->timeline;
    if (!target)
        return -1;
    run->timeline_format = toll_format_for_path(target);
    if (run->timeline_format && strcmp(run->timeline_format->name, "html") == 0)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: a page has the order in time together with the profile: say -o "
                             "%s --timeline NAME.toll-timeline",
                             target);
    if (!run->timeline_format || !(run->timeline_format->keeps & TOLL_KEEPS_ORDER))
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: '%s' can hold no order in time; end it in .toll-timeline, "
                             ".speedscope.json or .trace.json",
                             target);
    int status = make_absolute(target, run->timeline);
    if (status < 0 && is_one_file(run->timeline, run->output))
        return toll_complain(TOLL_EXIT_USAGE, "run: the profile and --timeline are one file");
    return status;
}

/* Toll's timeline file must be a regular file: it is mapped into memory while the program runs. */
static int check_is_file(const toll_run *run)
{
    struct stat st;
    if (strcmp(run->timeline_format->name, "timeline") != 0 || stat(run->timeline, &st) != 0 ||
        S_ISREG(st.st_mode))
        return -1;
    return toll_complain(TOLL_EXIT_BAD_INPUT,
                         "%s: is no file: a timeline grows while the program runs; name a file "
                         "with --timeline",
                         run->settings->timeline);
}

int toll_run_check_value(const toll_settings *s, toll_run_values counted)
{
    const struct {
        const char *name;
        bool is_there;
    } values[] = {
        { "sampled_cpu", counted.samples },
        { "samples", counted.samples },
        { "compiled_cpu", counted.samples },
        { "calls", !s->no_calls && !counted.samples },
        { "indirect calls", s->call_kinds },
        { "cpu", counted.cpu },
        { "waited", counted.cpu },
        { "time", counted.wall },
        { "ticks", counted.ticks || (s->lines && !counted.samples) },
        { "alloc_objects", s->heap },
        { "alloc_space", s->heap },
        { "inuse_objects", s->heap },
        { "inuse_space", s->heap },
        { "executions", s->lines && !counted.samples },
        { "line ticks", s->lines && counted.ticks && !s->no_calls },
    };
    char names[120] = "";
    for (size_t i = 0; s->format.value && i < sizeof values / sizeof *values; i++) {
        if (values[i].is_there && strcmp(values[i].name, s->format.value) == 0)
            return -1;
        size_t used = strlen(names);
        if (values[i].is_there)
            snprintf(names + used, sizeof names - used, "%s%s", used ? ", " : "", values[i].name);
    }
    if (!s->format.value)
        return -1;
    return toll_complain(TOLL_EXIT_USAGE, "run: this run will have no value '%s'; there are %s",
                         s->format.value, names);
}

int toll_run_choose_outputs(toll_run *run)
{
    int status = choose_profile(run);
    return status < 0 ? choose_timeline(run) : status;
}

int toll_run_check_outputs(const toll_run *run)
{
    int status = check_writable(run->output, "-o");
    if (status < 0 && *run->timeline)
        status = check_is_file(run);
    return status < 0 && *run->timeline ? check_writable(run->timeline, "--timeline") : status;
}

toll_run_mark toll_run_mark_file(const char *path)
{
    toll_run_mark m;
    m.is_there = toll_os_look(path, &m.info);
    return m;
}

bool toll_run_is_written(const toll_run_mark *before, const toll_run_mark *after)
{
    const toll_os_info *old = &before->info, *new = &after->info;
    return after->is_there &&
           (!before->is_there || !toll_os_is_same(old, new) || old->modified != new->modified ||
            old->modified_ns != new->modified_ns || new->kind != TOLL_OS_REGULAR);
}
