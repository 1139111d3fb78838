/* cmd_view.c - toll view: shows a profile, or two side by side, as a page in the browser. */
#include "view.h"

#include "browser.h"
#include "comparison.h"
#include "command.h"
#include "confine.h"
#include "debug_files.h"
#include "job.h"
#include "progress.h"
#include "source_files.h"

#include "base/fail.h"
#include "base/mem.h"
#include "base/os.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { NAME_KEPT = 60 }; /* bytes of the profile's name in the name of its page */

/* The input of a page: a profile; or two, of which the older is the second; or more, snapshots in
 * the order of time. */
typedef struct content {
    char **paths;
    size_t count;
    const char *path, *path_before; /* of `profile` and `before` */
    toll_profile *profile, *before;
    toll_profile **between;      /* read from the paths but the first and the last */
    const char **between_titles; /* of them */
    size_t between_count;
    toll_comparison origins; /* of an older profile, and of `profile` */
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
        toll_source_files_begin(&files, job, c->profile, c->path, &c->mapped, &err);
    toll_page_options o = {
        .size = sizeof o,
        .title = toll_job_title(c->path),
        .before = c->before ? toll_job_title(c->path_before) : NULL,
        .between = (const toll_profile *const *)c->between,
        .between_titles = c->between_titles,
        .between_count = (uint32_t)c->between_count,
        .value = s->format.value,
        .source = s->no_source ? NULL : toll_source_files_get,
        .source_user = &files,
        .source_origin = toll_source_files_origin,
        .all_source = s->source_dirs.count || s->prefix_maps.count,
        .in_time = c->timeline && !c->before && is_timeline(s, c->path),
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

/* Load a profile that is older than c->profile. */
static int load_older(toll_job *job, content *c, const char *path, toll_profile **out)
{
    job->origin = &c->origins.before;
    int failed = load(job, path, NULL, out, NULL);
    job->origin = NULL;
    if (!failed)
        failed = toll_comparison_check(job, &c->origins,
                                       toll_comparison_checks(job->settings, c->profile));
    toll_origin_free(&c->origins.before);
    if (!failed)
        failed = toll_job_align(job, out, c->profile);
    if (!failed)
        toll_job_warn_unmatched(job, *out, c->profile);
    return failed;
}

/* Load the snapshots between the first and the last one. */
static int load_between(toll_job *job, content *c)
{
    const toll_mem mem = toll_mem_from(&job->allocator);
    toll_error err = { TOLL_OK, "" };
    int failed = 0;
    c->between = toll_mem_new(&mem, c->count, sizeof(toll_profile *));
    c->between_titles = toll_mem_new(&mem, c->count, sizeof(const char *));
    if (!c->between || !c->between_titles) {
        toll_fail_nomem(&err);
        return toll_job_fail(job, &err);
    }
    for (size_t i = 1; !failed && i + 1 < c->count; i++) {
        const char *title = toll_job_title(c->paths[i]);
        c->between_titles[i - 1] = title ? title : "-";
        failed = load_older(job, c, c->paths[i], &c->between[c->between_count++]);
    }
    return failed;
}

static int load_all(toll_job *job, content *c)
{
    const toll_settings *s = job->settings;
    bool are_snapshots = c->count > 2;
    c->path = c->paths[are_snapshots ? c->count - 1 : 0];
    c->path_before = are_snapshots ? c->paths[0] : c->count == 2 ? c->paths[1] : NULL;
    job->origin = &c->origins.after;
    int failed = load(job, c->path, &c->timeline, &c->profile, &c->mapped);
    job->origin = NULL;
    if (!failed && s->timeline && !c->timeline)
        failed = load_timeline(job, s->timeline, &c->timeline);
    if (!failed && c->path_before)
        failed = load_older(job, c, c->path_before, &c->before);
    return !failed && are_snapshots ? load_between(job, c) : failed;
}

static void free_content(const toll_job *job, content *c)
{
    const toll_mem mem = toll_mem_from(&job->allocator);
    for (size_t i = 0; i < c->between_count; i++)
        toll_profile_free(c->between[i]);
    toll_mem_free(&mem, c->between, c->count, sizeof(toll_profile *));
    toll_mem_free(&mem, c->between_titles, c->count, sizeof(const char *));
    toll_profile_free(c->profile);
    toll_profile_free(c->before);
    toll_timeline_free(c->timeline);
    toll_comparison_free(&c->origins);
    toll_debug_files_free(&c->mapped);
}

static int make_page(toll_settings *s, int count, char **paths, const char *to)
{
    toll_job job;
    content c = { .paths = paths, .count = (size_t)count };
    s->lines = 1;
    toll_job_begin(&job, s);
    int failed = load_all(&job, &c);
    if (!failed)
        failed = write_page(&job, &c, to);
    free_content(&job, &c);
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
    if (argc < 1)
        return toll_complain(TOLL_EXIT_USAGE,
                             "view: IN, or IN BEFORE to compare, or snapshots FIRST ... LAST");
    return toll_view(s, argc, argv, stdout);
}
