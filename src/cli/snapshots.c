/* snapshots.c - see snapshots.h. */
#include "snapshots.h"

#include "comparison.h"
#include "summary.h"

#include "base/fail.h"

static int no_memory(const toll_job *job)
{
    toll_error err;
    toll_fail_nomem(&err);
    return toll_job_fail(job, &err);
}

/* --- loading -----------------------------------------------------------------------------------*/

int toll_snapshots_read(toll_job *job, const char *path, const toll_profile *last,
                        toll_profile **out)
{
    toll_error err = { TOLL_OK, "" };
    toll_profile *folded;
    int failed = toll_job_load(job, path, NULL, out);
    if (!failed && last) {
        failed = toll_job_align(job, out, last);
        if (!failed)
            toll_job_warn_unmatched(job, *out, last);
    }
    if (failed || !toll_profile_has_places(*out))
        return failed;
    if (toll_profile_fold_places(*out, &folded, &err))
        return toll_job_fail(job, &err);
    toll_profile_free(*out);
    *out = folded;
    return TOLL_EXIT_OK;
}

/* Read all, the last one first, and refuse those of unlike runs. */
static int read_all(toll_job *job, char **paths, toll_snapshots *s)
{
    toll_comparison c = { .may_divide = false };
    size_t last = s->count - 1;
    job->origin = &c.after;
    int failed = toll_snapshots_read(job, paths[last], NULL, &s->items[last]);
    for (size_t i = 0; !failed && i < last; i++) {
        job->origin = &c.before;
        failed = toll_snapshots_read(job, paths[i], s->items[last], &s->items[i]);
        if (!failed)
            failed = toll_comparison_check(job, &c, TOLL_ORIGIN_MAKERS | TOLL_ORIGIN_COUNTS);
        toll_origin_free(&c.before);
        c.before = (toll_origin){ .runs = NULL };
    }
    job->origin = NULL;
    toll_comparison_free(&c);
    return failed;
}

int toll_snapshots_load(toll_job *job, int count, char **paths, toll_snapshots *s)
{
    *s = (toll_snapshots){ .mem = job->allocator, .count = (size_t)count, .room = (size_t)count };
    toll_strtab_init(&s->texts, &s->mem);
    s->items = toll_mem_new(&s->mem, s->count, sizeof(toll_profile *));
    s->titles = toll_mem_new(&s->mem, s->count, sizeof(const char *));
    if (!s->items || !s->titles)
        return no_memory(job);
    for (size_t i = 0; i < s->count; i++) {
        const char *title = toll_job_title(paths[i]);
        s->titles[i] = title ? title : "-";
    }
    size_t last = s->count - 1;
    s->first = s->titles[0];
    s->last = s->titles[last];
    return read_all(job, paths, s);
}

void toll_snapshots_free(toll_snapshots *s)
{
    for (size_t i = 0; s->items && i < s->count; i++)
        toll_profile_free(s->items[i]);
    toll_mem_free(&s->mem, s->items, s->room, sizeof(toll_profile *));
    toll_mem_free(&s->mem, s->titles, s->room, sizeof(const char *));
    toll_strtab_free(&s->texts);
}

/* --- printing ----------------------------------------------------------------------------------*/

typedef struct printed {
    const toll_snapshots *snapshots;
    toll_series_options options;
} printed;

static const toll_profile *const *profiles_of(const toll_snapshots *s)
{
    return (const toll_profile *const *)s->items;
}

static toll_status put_markdown(const void *user, toll_output *out, toll_error *err)
{
    const printed *p = user;
    const toll_snapshots *s = p->snapshots;
    toll_summary_put_title(out, s->first, s->last);
    return toll_report_series_markdown(profiles_of(s), s->count, &p->options, out, err);
}

static int print(toll_job *job, const printed *p)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    const toll_snapshots *s = p->snapshots;
    int failed = toll_job_stdout(job, &out);
    if (failed)
        return failed;
    toll_status status =
        job->settings->json
            ? toll_report_series_json(profiles_of(s), s->count, &p->options, out, &err)
            : toll_report_series(profiles_of(s), s->count, &p->options, out, &err);
    return toll_job_finish(job, out, status, &err);
}

int toll_snapshots_print(toll_job *job, const toll_snapshots *s, uint32_t rows)
{
    const toll_settings *settings = job->settings;
    const toll_report_options o = toll_job_report_options(job, settings->json ? 0 : rows);
    const printed p = { .snapshots = s,
                        .options = { .size = sizeof p.options,
                                     .value = o.value,
                                     .titles = s->titles,
                                     .rows = o.rows,
                                     .short_names = o.short_names,
                                     .only_leaks = settings->leaks,
                                     .are_ages = s->are_ages } };
    int failed = settings->markdown ? TOLL_EXIT_OK : print(job, &p);
    return failed ? failed : toll_summary_put(job, put_markdown, &p);
}
