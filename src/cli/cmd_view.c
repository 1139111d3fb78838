/* cmd_view.c - toll view: shows a profile, or two side by side, as a page in the browser. */
#include "view.h"

#include "browser.h"
#include "command.h"
#include "confine.h"
#include "debug_files.h"
#include "job.h"
#include "progress.h"
#include "source_files.h"

#include "base/os.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { NAME_KEPT = 60 }; /* bytes of the profile's name in the name of its page */

/* The input of a page. */
typedef struct content {
    char **paths;
    toll_profile *profile, *before; /* read from paths[0] and, in a comparison, paths[1] */
    toll_timeline *timeline;
    toll_debug_files mapped; /* programs with source maps, which may have source */
} content;

static int load(toll_job *job, const char *path, toll_timeline **timeline, toll_profile **out,
                toll_debug_files *mapped)
{
    int failed = toll_job_load(job, path, timeline, out);
    return failed ? failed : toll_debug_files_apply(job, timeline, out, mapped);
}

/* Load the timeline from a file of its own, which belongs to the same run as the profile. */
static int load_timeline(toll_job *job, const char *path, toll_timeline **timeline)
{
    toll_profile *unwanted;
    const char *from = job->settings->from;
    job->settings->from = NULL; /* --from is about the profile's format */
    int failed = toll_job_load(job, path, timeline, &unwanted);
    job->settings->from = from;
    if (!failed)
        toll_profile_free(unwanted);
    return failed;
}

/* Is the operand a timeline file? It is opened for its order in time. */
static bool is_timeline(const toll_settings *s, const char *path)
{
    const toll_format *format = toll_format_for_path(path);
    const char *name = s->from ? s->from : format ? format->name : "";
    return strcmp(name, "timeline") == 0;
}

static int write_page(toll_job *job, const content *c, const char *to)
{
    const toll_settings *s = job->settings;
    toll_output *out;
    toll_source_files files;
    toll_error err = { TOLL_OK, "" };
    toll_progress_begin(!s->quiet, "writing", to);
    if (toll_output_open(&job->allocator, to, 0, &out, &err))
        return toll_job_fail(job, &err);
    toll_output_set_sync(out, s->output && !s->format.no_sync); /* a temporary page need not be
                                                                 * synced */
    toll_page_sources sources = { 0 };
    toll_status status =
        toll_source_files_begin(&files, job, c->profile, c->paths[0], &c->mapped, &err);
    toll_page_options o = {
        .size = sizeof o,
        .title = toll_job_title(c->paths[0]),
        .before = c->before ? toll_job_title(c->paths[1]) : NULL,
        .value = s->format.value,
        .source = s->no_source ? NULL : toll_source_files_get,
        .source_user = &files,
        .source_origin = toll_source_files_origin,
        .all_source = s->source_dirs.count || s->prefix_maps.count,
        .in_time = c->timeline && !c->before && is_timeline(s, c->paths[0]),
        .timeline = c->timeline,
        .keep_outside = s->outside,
        .sources = &sources,
    };
    if (!status)
        status = toll_report_page(c->profile, c->before, &o, out, &err);
    int failed = toll_job_finish(job, out, status, &err);
    if (!failed)
        toll_source_files_warn(&files, &sources);
    toll_source_files_free(&files);
    return failed;
}

/* Make FOLDER/app.pb.gz.html, with only characters that have no special meaning. */
static bool name_page(const char *folder, const char *profile, char *path, size_t size)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._";
    char name[NAME_KEPT + 1];
    size_t n = 0;
    for (profile = toll_os_file_name(profile); *profile && n < NAME_KEPT; profile++)
        name[n++] = strchr(plain, *profile) ? *profile : '_';
    name[n] = 0;
    int used = snprintf(path, size, "%s/%s.html", folder, n ? name : "profile");
    return used > 0 && (size_t)used < size;
}

static void report_result(const toll_settings *s, toll_browser_result result)
{
    if (result == TOLL_BROWSER_STARTED || s->quiet)
        return;
    toll_tell("", result == TOLL_BROWSER_NO_DISPLAY
                      ? "there is no display here for a browser; open that file where there is one"
                      : "no browser was found; open that file, or name one in $BROWSER");
}

void toll_view_open(const toll_settings *s, const char *path)
{
    report_result(s, toll_browser_open(path));
}

/* The place of a page without a name: a file in a folder of its own, and the browser that will open
 * it. */
typedef struct place {
    char folder[TOLL_OS_PATH_SIZE], path[TOLL_OS_PATH_SIZE];
    toll_browser browser;
} place;

static int begin_place(place *p, const char *profile)
{
    if (!toll_browser_make_folder(p->folder, sizeof p->folder))
        return toll_complain(TOLL_EXIT_BAD_INPUT,
                             "cannot make a folder for the page: %s; name the page with -o",
                             strerror(errno));
    if (!name_page(p->folder, profile, p->path, sizeof p->path)) {
        remove(p->folder);
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: the name is too long; name the page with -o",
                             p->folder);
    }
    toll_browser_begin(&p->browser, p->folder, p->path);
    return TOLL_EXIT_OK;
}

static int print_place(const place *p, FILE *to)
{
    if (fprintf(to, "%s\n", p->path) < 0 || fflush(to) != 0)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "(standard output): cannot write: %s",
                             strerror(errno));
    return TOLL_EXIT_OK;
}

static int load_all(toll_job *job, int count, content *c)
{
    const toll_settings *s = job->settings;
    int failed = load(job, c->paths[0], &c->timeline, &c->profile, &c->mapped);
    if (!failed && s->timeline && !c->timeline)
        failed = load_timeline(job, s->timeline, &c->timeline);
    if (!failed && count > 1)
        failed = load(job, c->paths[1], NULL, &c->before, NULL);
    if (!failed && c->before)
        failed = toll_job_align(job, &c->before, c->profile);
    if (!failed && c->before)
        toll_job_warn_unmatched(job, c->before, c->profile);
    return failed;
}

static int make_page(toll_settings *s, int count, char **paths, const char *to)
{
    toll_job job;
    content c = { .paths = paths };
    s->lines = 1;
    toll_job_begin(&job, s);
    int failed = load_all(&job, count, &c);
    if (!failed)
        failed = write_page(&job, &c, to);
    toll_profile_free(c.profile);
    toll_profile_free(c.before);
    toll_timeline_free(c.timeline);
    toll_debug_files_free(&c.mapped);
    return failed;
}

int toll_view(toll_settings *s, int count, char **paths, FILE *to)
{
    place p;
    int failed = toll_source_files_check(s);
    if (!failed && s->output) {
        toll_confine(TOLL_CMD_VIEW, s, count, paths, NULL);
        return make_page(s, count, paths, s->output);
    }
    if (!failed)
        failed = begin_place(&p, paths[0]);
    if (failed)
        return failed;
    toll_confine(TOLL_CMD_VIEW, s, count, paths, p.folder);
    failed = make_page(s, count, paths, p.path);
    if (!failed)
        failed = print_place(&p, to);
    toll_browser_result result = toll_browser_end(&p.browser, !failed);
    if (!failed)
        report_result(s, result);
    return failed;
}

int toll_cmd_view(toll_settings *s, int argc, char **argv)
{
    if (argc < 1 || argc > 2)
        return toll_complain(TOLL_EXIT_USAGE, "view: IN, or IN BEFORE to compare");
    return toll_view(s, argc, argv, stdout);
}
