/* job.c - see job.h. */
#include "job.h"

#include "console.h"
#include "guest_options.h"
#include "progress.h"
#include "selection.h"

#include "base/fail.h"
#include "base/os.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void print_warning(void *user, const char *text)
{
    toll_job_warn(user, "%s", text);
}

const char *toll_job_title(const char *path)
{
    return strcmp(path, "-") == 0 ? NULL : toll_os_file_name(path);
}

static void warn_only(const toll_job *job, const toll_profile *p, const toll_profile *other,
                      const char *only)
{
    for (uint32_t c = 0; c < toll_profile_column_count(p); c++) {
        toll_value_type v = toll_profile_column(p, c);
        if (toll_profile_find_value_type(other, v) == TOLL_NONE)
            toll_job_warn(job, "only %s has %s in %s: it is compared with 0", only, v.type, v.unit);
    }
}

void toll_job_warn_unmatched(const toll_job *job, const toll_profile *before,
                             const toll_profile *after)
{
    warn_only(job, before, after, "BEFORE");
    warn_only(job, after, before, "AFTER");
}

int toll_job_align(toll_job *job, toll_profile **before, const toll_profile *after)
{
    toll_profile *aligned;
    toll_error err = { TOLL_OK, "" };
    if (toll_profile_align(*before, after, &aligned, &err))
        return toll_job_fail(job, &err);
    if (aligned) {
        toll_profile_free(*before);
        *before = aligned;
    }
    return TOLL_EXIT_OK;
}

void toll_job_begin(toll_job *job, toll_settings *s)
{
    *job = (toll_job){ .settings = s, .budget = { .limit = (size_t)s->max_memory } };
    job->allocator = toll_budget_allocator(&job->budget);
    job->format_options = s->format;
    job->format_options.warn = print_warning;
    job->format_options.warn_user = job;
    job->format_options.readers = s->readers;
    job->format_options.reader_count = toll_choose_guest_options(s);
    job->format_options.progress = toll_progress_at;
    job->format_options.stack_bytes = s->keep_all ? SIZE_MAX : 0;
    job->selects_later = toll_job_names_debug_files(job) && !s->assembly;
}

void toll_job_share_memory(toll_job *job, toll_shared_budget *budget)
{
    job->shared = budget;
    job->allocator = toll_shared_allocator(budget, job->budget.limit);
}

bool toll_job_names_debug_files(const toll_job *job)
{
    const toll_settings *s = job->settings;
    return s->debugs.count || (s->lines && s->elfs.count);
}

int toll_job_fail(const toll_job *job, const toll_error *err)
{
    bool refused = job->shared ? atomic_load(&job->shared->refused) : job->budget.refused;
    if (err->status == TOLL_E_NOMEM && refused)
        return toll_complain(TOLL_EXIT_BAD_INPUT,
                             "this takes more than %" PRIu64 " bytes of memory; raise the limit "
                             "with --max-memory",
                             job->settings->max_memory);
    bool asked = job->settings->format.value != NULL;
    if (err->status == TOLL_E_ARGUMENT || (err->status == TOLL_E_NOT_FOUND && asked))
        return toll_complain(TOLL_EXIT_USAGE, "%s", err->text);
    return toll_complain(TOLL_EXIT_BAD_INPUT, "%s", err->text);
}

/* --- reading -----------------------------------------------------------------------------------*/

/* Replace *profile by `by`, unless `status` is a failure. */
static toll_status replace(toll_profile **profile, toll_profile *by, toll_status status)
{
    if (!status) {
        toll_profile_free(*profile);
        *profile = by;
    }
    return status;
}

static toll_status select_stacks(const toll_job *job, toll_profile **p, toll_error *err)
{
    const toll_filter also = { .size = sizeof also, .where = job->also_where };
    toll_profile *q = NULL;
    toll_status status = TOLL_OK;
    if (toll_job_chooses(job->settings)) {
        status = toll_profile_filter(*p, &job->settings->filter, &q, err);
        status = replace(p, q, status);
    }
    if (!status && job->also_where) {
        status = toll_profile_filter(*p, &also, &q, err);
        status = replace(p, q, status);
    }
    if (!status && job->origin)
        status = toll_origin_take(job->origin, &job->allocator, *p, err);
    return status;
}

/* Merge threads that differ only in labels that --by does not name: what is shown or compared would
 * otherwise be separate stacks. */
static toll_status group(const toll_job *job, toll_profile **p, toll_error *err)
{
    const char *by = job->settings->by;
    toll_profile *q = NULL;
    if (by && !by[strspn(by, ", \t")])
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "--by: which label? say its key, such as host, or thread");
    if (!by && (job->keeps_labels || !*job->labels))
        return TOLL_OK;
    toll_status status = toll_profile_group_by(*p, by ? by : "thread", &q, err);
    return replace(p, q, status);
}

static toll_status apply(const toll_job *job, toll_profile **p, toll_error *err)
{
    const toll_settings *s = job->settings;
    toll_profile *q = NULL;
    toll_status status = TOLL_OK;
    if (s->no_overhead) { /* before stacks are selected, since the note is about all of them */
        status = toll_profile_without_overhead(*p, &q, err);
        status = replace(p, q, status);
    }
    if (!status)
        status = select_stacks(job, p, err);
    if (!status)
        status = group(job, p, err);
    if (!status && s->fold_recursion) {
        status = toll_profile_fold_recursion(*p, &q, err);
        status = replace(p, q, status);
    }
    if (!status && s->max_depth.value) {
        status = toll_profile_fold_depth(*p, s->max_depth.value, &q, err);
        status = replace(p, q, status);
    }
    if (!status && s->sections) {
        status = toll_profile_fold_sections(*p, &q, err);
        status = replace(p, q, status);
    }
    if (!status && s->by_site) {
        status = toll_profile_by_call_site(*p, NULL, &q, err);
        status = replace(p, q, status);
    }
    if (!status && s->mangled) {
        status = toll_profile_use_system_names(*p, &q, err);
        status = replace(p, q, status);
    }
    return status;
}

/* Prune, as the last step and only in the final sum: what is small in one part may be large in
 * all. */
static toll_status prune(const toll_job *job, toll_profile **p, toll_error *err)
{
    toll_profile *q = NULL;
    if (job->settings->prune.value <= 0)
        return TOLL_OK;
    toll_status status = toll_profile_prune_share(*p, job->settings->prune.value, &q, err);
    return replace(p, q, status);
}

/* Do the settings select or fold stacks, or rename functions? */
static bool selects(const toll_settings *s)
{
    return toll_job_chooses(s) || s->fold_recursion || s->max_depth.value || s->by_site ||
           s->sections || s->prune.value > 0 || s->mangled || s->by;
}

/* Select and fold the stacks of a profile that was read from `path`. */
static toll_status select_of(toll_job *job, const char *path, toll_timeline **timeline,
                             toll_profile **p, toll_error *err)
{
    *job->labels = 0;
    if (!job->is_part)
        toll_label_keys_text(*p, job->labels);
    toll_status status = apply(job, p, err);
    if (!status && !job->is_part)
        status = prune(job, p, err);
    if (status)
        return status;
    if (!job->is_part)
        toll_job_warn_selection(job, path, *p, job->labels);
    if (timeline && *timeline && selects(job->settings)) {
        /* The events are those of the whole run, not only of the selected stacks. */
        toll_job_warn(job, "the order in time is left out: stacks were selected or changed");
        toll_timeline_free(*timeline);
        *timeline = NULL;
    }
    return TOLL_OK;
}

int toll_job_select(toll_job *job, toll_timeline **timeline, toll_profile **profile)
{
    toll_error err = { TOLL_OK, "" };
    return select_of(job, "", timeline, profile, &err) ? toll_job_fail(job, &err) : TOLL_EXIT_OK;
}

toll_status toll_job_read(toll_job *job, const char *path, toll_timeline **timeline,
                          toll_profile **out, toll_error *err)
{
    toll_status status = toll_profile_load(&job->allocator, path, job->settings->from,
                                           &job->format_options, timeline, out, err);
    if (status)
        return status;
    if (!job->selects_later)
        status = select_of(job, path, timeline, out, err);
    if (status) {
        toll_profile_free(*out);
        *out = NULL;
        if (timeline) {
            toll_timeline_free(*timeline);
            *timeline = NULL;
        }
    }
    return status;
}

int toll_job_load(toll_job *job, const char *path, toll_timeline **timeline, toll_profile **out)
{
    toll_error err = { TOLL_OK, "" };
    *out = NULL;
    toll_progress_begin(!job->settings->quiet, "reading", path);
    return toll_job_read(job, path, timeline, out, &err) ? toll_job_fail(job, &err) : TOLL_EXIT_OK;
}

int toll_job_end_sum(toll_job *job, toll_profile **sum)
{
    toll_error err = { TOLL_OK, "" };
    job->is_part = false;
    toll_job_warn_selection(job, "", *sum, NULL);
    return prune(job, sum, &err) ? toll_job_fail(job, &err) : TOLL_EXIT_OK;
}

int toll_job_load_all(toll_job *job, int count, char **paths, toll_timeline **timeline,
                      toll_profile **out)
{
    toll_error err = { TOLL_OK, "" };
    job->is_part = count > 1;
    int status = toll_job_load(job, paths[0], count == 1 ? timeline : NULL, out);
    for (int i = 1; !status && i < count; i++) {
        toll_profile *next;
        status = toll_job_load(job, paths[i], NULL, &next);
        toll_progress_begin(!job->settings->quiet, "adding", paths[i]);
        if (!status && toll_profile_merge(*out, next, &err))
            status = toll_job_fail(job, &err);
        toll_profile_free(next);
    }
    if (!status && job->is_part && !job->selects_later)
        status = toll_job_end_sum(job, out);
    job->is_part = false;
    if (status) {
        toll_profile_free(*out);
        *out = NULL;
    }
    return status;
}

/* --- writing -----------------------------------------------------------------------------------*/

int toll_job_check_output(const toll_job *job)
{
    const toll_settings *s = job->settings;
    if (s->to)
        return TOLL_EXIT_OK;
    if (!s->output || strcmp(s->output, "-") == 0)
        return toll_complain(
            TOLL_EXIT_USAGE, "%s name a file with -o, or a format for standard output with --to",
            s->output ? "standard output has no name to tell the format by;" : "where to?");
    if (!toll_format_for_path(s->output))
        return toll_complain(
            TOLL_EXIT_USAGE,
            "the name '%s' has no format's extension; end it in .pb.gz, .speedscope.json "
            "or .folded, or say --to",
            s->output);
    return TOLL_EXIT_OK;
}

int toll_job_save(toll_job *job, const toll_profile *p, const toll_timeline *timeline)
{
    const toll_settings *s = job->settings;
    toll_error err = { TOLL_OK, "" };
    const char *path = s->output ? s->output : "-";
    toll_progress_begin(!s->quiet, "writing", path);
    if (toll_profile_save_as(p, timeline, path, s->to, &job->format_options, &err))
        return toll_job_fail(job, &err);
    return TOLL_EXIT_OK;
}

toll_report_options toll_job_report_options(const toll_job *job, uint32_t rows)
{
    const toll_settings *s = job->settings;
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    bool terminal = toll_console_is_terminal(TOLL_STDOUT) && !(no_color && *no_color) &&
                    !(term && strcmp(term, "dumb") == 0);
    return (toll_report_options){
        .size = sizeof(toll_report_options),
        .value = s->format.value,
        .sort = (toll_report_sort)s->sort.place,
        .rows = s->rows.is_set ? s->rows.value : rows,
        .short_names = !s->full_names && !s->json,
        .by_category = s->by_category,
        .keep_outside = s->outside,
        .links = s->links,
        .color = s->color.place == TOLL_COLOR_AUTO ? terminal : s->color.place == TOLL_COLOR_ALWAYS,
    };
}

int toll_job_stdout(toll_job *job, toll_output **out)
{
    toll_progress_begin(!job->settings->quiet, "summing", "up");
    toll_error err = { TOLL_OK, "" };
    return toll_output_open(&job->allocator, "-", 0, out, &err) ? toll_job_fail(job, &err)
                                                                : TOLL_EXIT_OK;
}

int toll_job_finish(toll_job *job, toll_output *out, toll_status status, const toll_error *err)
{
    toll_error write_err = { TOLL_OK, "" };
    int exit_status = TOLL_EXIT_OK;
    toll_progress_end();
    if (status)
        exit_status = toll_job_fail(job, err);
    else if (toll_output_commit(out, &write_err))
        exit_status = toll_job_fail(job, &write_err);
    toll_output_free(out);
    return exit_status;
}
