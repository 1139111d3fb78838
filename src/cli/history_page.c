/* history_page.c - toll history page: the last commits that changed something, as a page. */
#include "history_run.h"

#include "base/fail.h"
#include "base/mem.h"

enum { PAGE_COMMITS = 30 };

/* The profiles of a page, the oldest first. */
typedef struct page_commits {
    toll_profile *items[PAGE_COMMITS];
    const char *ids[PAGE_COMMITS];
    uint32_t count;
} page_commits;

/* Take the last commits that changed something, and the last one; two at least. */
static int take_commits(toll_history_run *r, page_commits *c)
{
    toll_error err = { TOLL_OK, "" };
    uint32_t count = toll_history_count(&r->history), most = r->job.settings->keep.value;
    bool *changed = toll_mem_new(&r->job.allocator, (size_t)count + 1, sizeof *changed);
    toll_status status =
        changed ? toll_history_changed(&r->history, r->job.settings->format.value, changed, &err)
                : toll_fail_nomem(&err);
    uint32_t first = count, taken = 0;
    most = most && most < PAGE_COMMITS ? most : PAGE_COMMITS;
    for (uint32_t i = count; !status && i-- > 0 && taken < most;)
        if (changed[i] || i + 1 == count) {
            taken++;
            first = i;
        }
    for (uint32_t i = first; !status && i < count; i++) {
        if (!changed[i] && i + 1 != count)
            continue;
        c->ids[c->count] = toll_history_id(&r->history, i);
        status = toll_history_at(&r->history, i, &c->items[c->count], &err);
        c->count += !status;
    }
    toll_mem_free(&r->job.allocator, changed, (size_t)count + 1, sizeof *changed);
    if (!status && c->count < 2)
        return toll_complain(TOLL_EXIT_BAD_INPUT,
                             "%s: fewer than two commits changed the value; there is nothing to "
                             "compare",
                             r->path);
    return status ? toll_job_fail(&r->job, &err) : TOLL_EXIT_OK;
}

static int write_page(toll_history_run *r, const page_commits *c)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    const toll_settings *s = r->job.settings;
    if (toll_output_open(&r->job.allocator, s->output, 0, &out, &err))
        return toll_job_fail(&r->job, &err);
    const toll_page_options o = { .size = sizeof o,
                                  .title = c->ids[c->count - 1],
                                  .before = c->ids[0],
                                  .value = s->format.value,
                                  .between = (const toll_profile *const *)c->items + 1,
                                  .between_titles = c->ids + 1,
                                  .between_count = c->count - 2 };
    toll_status status = toll_report_page(c->items[c->count - 1], c->items[0], &o, out, &err);
    return toll_job_finish(&r->job, out, status, &err);
}

int toll_history_page(toll_history_run *r, int argc, char **argv)
{
    page_commits c = { .count = 0 };
    (void)argc, (void)argv;
    if (!r->job.settings->output)
        return toll_complain(TOLL_EXIT_USAGE, "history: where to? -o history.html");
    int failed = take_commits(r, &c);
    if (!failed)
        failed = write_page(r, &c);
    for (uint32_t i = 0; i < PAGE_COMMITS; i++)
        toll_profile_free(c.items[i]);
    return failed;
}
