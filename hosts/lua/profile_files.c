/* profile_files.c - see profile_files.h. */
#include "profile_files.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output_name.h"
#include "run_summary.h"

/* --- writing -----------------------------------------------------------------------------------*/

static void say(const char *text)
{
    ssize_t n = write(STDERR_FILENO, text, strlen(text));
    (void)n;
}

/* Print a line to stderr. The text may contain names of the program, so it is escaped. */
static void say_line(const char *before, const char *text)
{
    char line[2 * TOLL_ERROR_SIZE];
    say(before);
    say(toll_printable(text, line, sizeof line));
    say("\n");
}

static void complain(const toll_error *err)
{
    say_line("toll: ", err->text);
}

static void warn(void *user, const char *text)
{
    (void)user;
    say_line("toll: warning: ", text);
}

/* --- the report to toll run --------------------------------------------------------------------*/

host_report host_begin_report(const char *number)
{
    host_report report = { .fd = number ? (int)strtol(number, NULL, 10) : 0 };
    struct stat st;
    if (report.fd <= STDERR_FILENO || fstat(report.fd, &st) != 0 || !S_ISFIFO(st.st_mode))
        return (host_report){ 0 };
    fcntl(report.fd, F_SETFD, FD_CLOEXEC);
    report.device = st.st_dev;
    report.inode = st.st_ino;
    return report;
}

void host_send_report(const host_report *report, char step)
{
    struct stat st;
    if (!report->fd || fstat(report->fd, &st) != 0 || st.st_dev != report->device ||
        st.st_ino != report->inode)
        return;
    ssize_t n = write(report->fd, &step, 1);
    (void)n;
}

/* --- labels ------------------------------------------------------------------------------------*/

bool host_take_labels(profiler *p)
{
    const char *labels = getenv("TOLL_LABELS");
    free(p->labels);
    p->labels = labels && *labels ? strdup(labels) : NULL;
    return p->labels || !labels || !*labels;
}

/* --- the files ---------------------------------------------------------------------------------*/

/* A page also contains the order in time, as far as the timeline could be written. */
static const toll_timeline *order_for(const profiler *p, const toll_format *format)
{
    return format && strcmp(format->name, "html") == 0 ? p->timeline : NULL;
}

static bool write_profile(profiler *p, const toll_profile *profile)
{
    toll_error err = { TOLL_OK, "" };
    toll_format_options o = {
        .size = sizeof o,
        .warn = p->summary ? warn : NULL,
        .value = p->value,
        .labels = p->labels,
        .title = p->title,
        .no_sync = atomic_load(&p->is_dying),
    };
    const toll_timeline *timeline = order_for(p, toll_format_named(p->format));
    bool is_saved = !toll_profile_save_as(profile, timeline, p->output, p->format, &o, &err);
    if (!is_saved)
        complain(&err);
    if (p->summary)
        host_write_summary(p, profile, is_saved);
    return is_saved;
}

bool host_streams_timeline(const profiler *p)
{
    static const char extension[] = ".toll-timeline";
    size_t n = p->timeline_path ? strlen(p->timeline_path) : 0;
    return n >= sizeof extension &&
           strcmp(p->timeline_path + n - (sizeof extension - 1), extension) == 0;
}

/* Finish the timeline's file, or convert the temporary one to it. */
static toll_status save_timeline(profiler *p, const toll_profile *profile,
                                 const toll_format_options *o, toll_error *err)
{
    if (host_streams_timeline(p))
        return toll_timeline_finish(p->timeline, err);
    toll_status status = toll_timeline_status(p->timeline, err);
    return status ? status
                  : toll_profile_save_as(profile, p->timeline, p->timeline_path, NULL, o, err);
}

static bool write_timeline(profiler *p, const toll_profile *profile)
{
    toll_error err = { TOLL_OK, "" };
    toll_format_options o = { .size = sizeof o,
                              .warn = p->summary ? warn : NULL,
                              .value = p->value,
                              .labels = p->labels,
                              .no_sync = atomic_load(&p->is_dying) };
    if (!save_timeline(p, profile, &o, &err))
        return true;
    complain(&err);
    return false;
}

static bool write_files(profiler *p)
{
    toll_profile *profile;
    toll_allocator allocator = toll_kernel_memory_allocator(&p->memory);
    toll_error err = { TOLL_OK, "" };
    if (host_snapshot(p, &allocator, &profile, &err)) {
        complain(&err);
        return false;
    }
    bool good = write_profile(p, profile);
    if (p->timeline)
        good = write_timeline(p, profile) && good;
    toll_profile_free(profile);
    return good;
}

static void stop_recorder(profiler *p)
{
    if (p->active)
        host_stop_recorder(p);
}

/* Stop the recorder, write the files of toll run, and report that. */
static void write_all(profiler *p)
{
    if (!p->recorder) /* it could not be started */
        return;
    stop_recorder(p);
    host_send_report(&p->report, write_files(p) ? 'W' : 'F');
}

/* --- the files of toll.start -------------------------------------------------------------------*/

toll_status host_write_kept(profiler *p, toll_error *err)
{
    char path[PATH_MAX];
    toll_profile *profile;
    toll_allocator allocator = toll_kernel_memory_allocator(&p->memory);
    toll_status status = TOLL_OK;
    if (!p->keep && (!p->timeline_path || p->output))
        return TOLL_OK;
    if (p->keep && !p->write && !host_output_path(p, path, sizeof path)) {
        *err = (toll_error){ TOLL_E_ARGUMENT, "output: the file's name is too long" };
        return err->status;
    }
    if (host_snapshot(p, &allocator, &profile, err))
        return err->status;
    const toll_format_options o = { .size = sizeof o,
                                    .labels = p->labels,
                                    .no_sync = atomic_load(&p->is_dying) };
    if (p->write)
        status = p->write(p, profile, &o, err);
    else if (p->keep)
        status = toll_profile_save_as(profile, order_for(p, toll_format_for_path(path)), path, NULL,
                                      &o, err);
    if (!status && p->timeline_path && !p->output)
        status = save_timeline(p, profile, &o, err);
    toll_profile_free(profile);
    return status;
}

void host_write_files(profiler *p)
{
    toll_error err = { TOLL_OK, "" };
    stop_recorder(p);
    if (p->recorder && host_write_kept(p, &err))
        complain(&err);
    p->keep = false;
    if (p->output)
        write_all(p);
}
