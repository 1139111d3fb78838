/* cmd_history.c - toll history: the profiles of many commits in one file. */
#include "command.h"
#include "job.h"

#include "base/os.h"
#include "gates/history.h"

#include <inttypes.h>
#include <string.h>

/* One run of the command. */
typedef struct history_run {
    toll_job job;
    const char *path;
    toll_history history;
} history_run;

typedef struct action {
    const char *name;
    int least, most; /* operands after the history; -1: any number */
    int (*run)(history_run *r, int argc, char **argv);
    bool makes; /* the history may be new */
} action;

static int fail(const history_run *r, const toll_error *err)
{
    return toll_job_fail(&r->job, err);
}

/* --- reading and writing -----------------------------------------------------------------------*/

static int load(history_run *r, bool makes)
{
    toll_os_info info;
    toll_profile *p;
    toll_error err = { TOLL_OK, "" };
    if (makes && !toll_os_look(r->path, &info))
        return toll_history_create(&r->history, &r->job.allocator, &err) ? fail(r, &err)
                                                                         : TOLL_EXIT_OK;
    int failed = toll_job_load(&r->job, r->path, NULL, &p);
    if (!failed && toll_history_open(&r->history, p, &err))
        failed = toll_complain(TOLL_EXIT_BAD_INPUT, "%s: %s", r->path, err.text);
    return failed;
}

static int save(history_run *r)
{
    r->job.settings->output = r->path;
    return toll_job_save(&r->job, r->history.profile, NULL);
}

/* The number of the commit that the user names. */
static int find(const history_run *r, const char *id, uint32_t *commit)
{
    *commit = toll_history_find(&r->history, id);
    if (*commit != TOLL_NONE)
        return TOLL_EXIT_OK;
    return toll_complain(TOLL_EXIT_BAD_INPUT,
                         "%s: there is no commit %s; toll history list names all", r->path, id);
}

/* --- add ---------------------------------------------------------------------------------------*/

/* The commit that a profile's own labels name; "": none, or several. */
static const char *commit_of(const toll_profile *p)
{
    const char *found = "";
    for (toll_thread_id t = 0; t < toll_profile_thread_count(p); t++)
        for (uint32_t i = 0; i < toll_profile_thread_label_count(p, t); i++) {
            toll_thread_label label = toll_profile_thread_label(p, t, i);
            if (strcmp(label.key, TOLL_HISTORY_KEY) != 0)
                continue;
            if (*found && strcmp(found, label.value) != 0)
                return "";
            found = label.value;
        }
    return found;
}

static int add(history_run *r, int argc, char **argv)
{
    toll_profile *p;
    toll_error err = { TOLL_OK, "" };
    int failed = toll_job_load_all(&r->job, argc, argv, NULL, &p);
    if (failed)
        return failed;
    const char *own = commit_of(p), *id = r->job.settings->commit ? r->job.settings->commit : own;
    if (!*id)
        failed =
            toll_complain(TOLL_EXIT_USAGE, "history: of which commit is this? --commit ID, such as "
                                           "--commit $(git rev-parse --short HEAD)");
    else if (!toll_history_is_id(id))
        failed =
            toll_complain(TOLL_EXIT_USAGE, "history: --commit: '%s' has blanks, or is empty", id);
    else if (toll_history_add(&r->history, p, id, &err))
        failed = fail(r, &err);
    toll_profile_free(p);
    return failed ? failed : save(r);
}

/* --- list, blame -------------------------------------------------------------------------------*/

/* Print the commits that changed a function, or without a name the whole. */
static int print(history_run *r, const char *name)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    const toll_settings *s = r->job.settings;
    toll_history_rows rows;
    toll_value_type type;
    int failed = TOLL_EXIT_OK;
    if (toll_history_blame(&r->history, name, s->format.value, &rows, &type, &err))
        failed = fail(r, &err);
    if (!failed)
        failed = toll_job_stdout(&r->job, &out);
    if (!failed) {
        if (s->json)
            toll_history_json(&r->history, name, &rows, type, out);
        else
            toll_history_put(&r->history, name, &rows, type, s->rows.value, out);
        failed = toll_job_finish(&r->job, out, TOLL_OK, &err);
    }
    toll_history_rows_free(&rows);
    return failed;
}

static int list(history_run *r, int argc, char **argv)
{
    (void)argc, (void)argv;
    return print(r, NULL);
}

static int blame(history_run *r, int argc, char **argv)
{
    (void)argc;
    return print(r, argv[0]);
}

/* --- show, prune -------------------------------------------------------------------------------*/

static int show(history_run *r, int argc, char **argv)
{
    toll_profile *p = NULL;
    toll_error err = { TOLL_OK, "" };
    uint32_t commit;
    (void)argc;
    int failed = r->job.settings->output
                     ? toll_job_check_output(&r->job)
                     : toll_complain(TOLL_EXIT_USAGE, "history: where to? -o commit.pb.gz");
    if (!failed)
        failed = find(r, argv[0], &commit);
    if (!failed && toll_history_at(&r->history, commit, &p, &err))
        failed = fail(r, &err);
    if (!failed)
        failed = toll_job_save(&r->job, p, NULL);
    toll_profile_free(p);
    return failed;
}

static int prune(history_run *r, int argc, char **argv)
{
    toll_error err = { TOLL_OK, "" };
    const toll_number *keep = &r->job.settings->keep;
    (void)argc, (void)argv;
    if (!keep->is_set || keep->value == 0)
        return toll_complain(TOLL_EXIT_USAGE, "history: how many commits to keep? --keep 1000");
    return toll_history_prune(&r->history, keep->value, &err) ? fail(r, &err) : save(r);
}

/* --- page --------------------------------------------------------------------------------------*/

enum { PAGE_COMMITS = 30 };

/* The profiles of a page, the oldest first. */
typedef struct page_commits {
    toll_profile *items[PAGE_COMMITS];
    const char *ids[PAGE_COMMITS];
    uint32_t count;
} page_commits;

/* Take the last commits that changed something; at least two. */
static int take_commits(history_run *r, page_commits *c)
{
    toll_error err = { TOLL_OK, "" };
    toll_history_rows rows;
    toll_value_type type;
    if (toll_history_blame(&r->history, NULL, r->job.settings->format.value, &rows, &type, &err)) {
        toll_history_rows_free(&rows);
        return fail(r, &err);
    }
    uint32_t most = r->job.settings->keep.value;
    most = most && most < PAGE_COMMITS ? most : PAGE_COMMITS;
    size_t first = rows.count > most ? rows.count - most : 0;
    toll_status status = TOLL_OK;
    for (size_t i = first; !status && i < rows.count; i++, c->count++) {
        c->ids[c->count] = toll_history_id(&r->history, rows.items[i].commit);
        status = toll_history_at(&r->history, rows.items[i].commit, &c->items[c->count], &err);
    }
    toll_history_rows_free(&rows);
    if (!status && c->count < 2)
        return toll_complain(TOLL_EXIT_BAD_INPUT,
                             "%s: fewer than two commits changed the value; there is nothing to "
                             "compare",
                             r->path);
    return status ? fail(r, &err) : TOLL_EXIT_OK;
}

static int write_page(history_run *r, const page_commits *c)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    const toll_settings *s = r->job.settings;
    if (toll_output_open(&r->job.allocator, s->output, 0, &out, &err))
        return fail(r, &err);
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

static int page(history_run *r, int argc, char **argv)
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

/* --- the command -------------------------------------------------------------------------------*/

static const action actions[] = {
    { "add", 1, -1, add, true },   { "list", 0, 0, list, false }, { "blame", 1, 1, blame, false },
    { "show", 1, 1, show, false }, { "page", 0, 0, page, false }, { "prune", 0, 0, prune, false },
};

static const action *action_named(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

int toll_cmd_history(toll_settings *s, int argc, char **argv)
{
    history_run r = { .path = argc > 1 ? argv[1] : NULL };
    const action *a = argc ? action_named(argv[0]) : NULL;
    if (!a)
        return toll_complain(TOLL_EXIT_USAGE, "history: one of add, list, blame, show, page and "
                                              "prune comes first");
    if (argc < 2)
        return toll_complain(TOLL_EXIT_USAGE, "history %s: which history? such as history.pb.gz",
                             a->name);
    if (argc - 2 < a->least || (a->most >= 0 && argc - 2 > a->most))
        return toll_complain(
            TOLL_EXIT_USAGE,
            "history: add HISTORY PROFILE..., blame HISTORY FUNCTION, show HISTORY "
            "COMMIT; the others have HISTORY alone");
    toll_job_begin(&r.job, s);
    r.job.keeps_labels = true;
    int failed = load(&r, a->makes);
    if (!failed)
        failed = a->run(&r, argc - 2, argv + 2);
    toll_history_free(&r.history);
    return failed;
}
