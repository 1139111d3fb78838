/* cmd_history.c - toll history: the profiles of many commits in one file. */
#include "history_run.h"

#include "base/fail.h"
#include "base/mem.h"
#include "base/os.h"
#include "gates/history.h"
#include "selection.h"

#include <inttypes.h>
#include <string.h>

typedef struct action {
    const char *name;
    int least, most; /* operands after the history; -1: any number */
    int (*run)(toll_history_run *r, int argc, char **argv);
    bool changes;      /* it replaces the history */
    bool has_output;   /* it takes -o */
    bool has_keep;     /* it takes --keep */
    bool prints_table; /* it takes --json and -n */
    bool selects;      /* it takes --where */
} action;

/* --- reading and writing -----------------------------------------------------------------------*/

static int load(toll_history_run *r, bool makes)
{
    toll_profile *p;
    toll_error err = { TOLL_OK, "" };
    r->is_there = toll_os_look(r->path, &r->file);
    if (makes && !r->is_there)
        return toll_history_create(&r->history, &r->job.allocator, &err)
                   ? toll_job_fail(&r->job, &err)
                   : TOLL_EXIT_OK;
    int failed = toll_job_load(&r->job, r->path, NULL, &p);
    if (!failed && r->job.settings->filter.where && !toll_profile_thread_count(p)) {
        char labels[200];
        toll_labels_line(r->job.settings->filter.where, labels, sizeof labels);
        toll_profile_free(p);
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: no commit has the label %s", r->path,
                             labels);
    }
    if (!failed && toll_history_open(&r->history, p, &err))
        failed = toll_complain(TOLL_EXIT_BAD_INPUT, "%s: %s", r->path, err.text);
    return failed;
}

static bool is_unchanged(const toll_os_info *a, const toll_os_info *b)
{
    return a->device == b->device && a->file == b->file && a->size == b->size &&
           a->modified == b->modified && a->modified_ns == b->modified_ns;
}

/* Replace the file, unless it is another one by now: a program that knows no locks has changed it.
 */
static int save(toll_history_run *r)
{
    toll_os_info now;
    bool is_there = toll_os_look(r->path, &now);
    if (is_there != r->is_there || (is_there && !is_unchanged(&now, &r->file)))
        return toll_complain(TOLL_EXIT_BAD_INPUT,
                             "%s: somebody has changed it meanwhile; run this again", r->path);
    r->job.settings->output = r->path;
    return toll_job_save(&r->job, r->history.profile, NULL);
}

/* The number of the commit that the user names, by its id or the only one that begins so. */
static int find(const toll_history_run *r, const char *id, uint32_t *commit)
{
    uint32_t found = 0;
    *commit = toll_history_find(&r->history, id);
    if (*commit != TOLL_NONE)
        return TOLL_EXIT_OK;
    for (uint32_t c = 0; *id && c < toll_history_count(&r->history); c++)
        if (strncmp(toll_history_id(&r->history, c), id, strlen(id)) == 0) {
            *commit = c;
            found++;
        }
    if (found == 1)
        return TOLL_EXIT_OK;
    return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: %s %s", r->path,
                         found ? "several commits begin with" : "there is no commit", id);
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

/* Warn about values that the history has and this profile has not: they are 0 from now on. */
static void warn_of_missing(const toll_history_run *r, const toll_profile *p)
{
    const toll_profile *h = r->history.profile;
    for (uint32_t c = 0; c < toll_profile_column_count(h); c++) {
        toll_value_type v = toll_profile_column(h, c);
        if (toll_profile_find_value_type(p, v) == TOLL_NONE)
            toll_job_warn(&r->job, "the profile has no %s, which the history has: it is 0 there",
                          v.type);
    }
}

/* Refuse a profile of other runs than the last commit's, of another interpreter or another number,
 * unless --across was given: its change would not be the program's. */
static int check_made(const toll_history_run *r, const toll_profile *p)
{
    toll_buffer text;
    toll_error err = { TOLL_OK, "" };
    int failed = TOLL_EXIT_OK;
    if (r->job.settings->across)
        return TOLL_EXIT_OK;
    toll_buffer_init(&text, &r->job.allocator);
    if (toll_history_unlike(&r->history, p, &text, &err))
        failed = toll_job_fail(&r->job, &err);
    else if (text.size)
        failed = toll_complain(TOLL_EXIT_BAD_INPUT,
                               "%s: nothing was added: %s, where BEFORE is the last commit; "
                               "--across adds it all the same",
                               r->path, toll_buffer_cstr(&text));
    toll_buffer_free(&text);
    return failed;
}

static int add(toll_history_run *r, int argc, char **argv)
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
    if (!failed && toll_profile_check(p, true, &err)) /* no report could read what it adds up to */
        failed = toll_job_fail(&r->job, &err);
    if (!failed)
        failed = check_made(r, p);
    if (!failed)
        warn_of_missing(r, p);
    if (!failed && toll_history_add(&r->history, p, id, &err))
        failed = toll_job_fail(&r->job, &err);
    toll_profile_free(p);
    return failed ? failed : save(r);
}

/* --- list, blame -------------------------------------------------------------------------------*/

/* Print the commits that changed a function, or without a name the whole. */
static int print(toll_history_run *r, const char *name)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    const toll_settings *s = r->job.settings;
    toll_history_rows rows;
    toll_value_type type;
    int failed = TOLL_EXIT_OK;
    if (toll_history_blame(&r->history, name, s->format.value, &rows, &type, &err))
        failed = toll_job_fail(&r->job, &err);
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

static int list(toll_history_run *r, int argc, char **argv)
{
    (void)argc, (void)argv;
    return print(r, NULL);
}

static int blame(toll_history_run *r, int argc, char **argv)
{
    (void)argc;
    return print(r, argv[0]);
}

/* --- show, prune -------------------------------------------------------------------------------*/

static int show(toll_history_run *r, int argc, char **argv)
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
        failed = toll_job_fail(&r->job, &err);
    bool is_last = !failed && commit + 1 == toll_history_count(&r->history);
    if (is_last && toll_history_tell_made(&r->history, p, &err))
        failed = toll_job_fail(&r->job, &err);
    if (!failed)
        failed = toll_job_save(&r->job, p, NULL);
    toll_profile_free(p);
    return failed;
}

static int prune(toll_history_run *r, int argc, char **argv)
{
    toll_error err = { TOLL_OK, "" };
    const toll_number *keep = &r->job.settings->keep;
    (void)argc, (void)argv;
    if (!keep->is_set || keep->value == 0)
        return toll_complain(TOLL_EXIT_USAGE, "history: how many commits to keep? --keep 1000");
    return toll_history_prune(&r->history, keep->value, &err) ? toll_job_fail(&r->job, &err)
                                                              : save(r);
}

/* --- the command -------------------------------------------------------------------------------*/

static const action actions[] = {
    { "add", 1, -1, add, .changes = true },
    { "list", 0, 0, list, .prints_table = true, .selects = true },
    { "blame", 1, 1, blame, .prints_table = true, .selects = true },
    { "show", 1, 1, show, .has_output = true },
    { "page", 0, 0, toll_history_page, .has_output = true, .has_keep = true, .selects = true },
    { "prune", 0, 0, prune, .changes = true, .has_keep = true },
};

static const action *action_named(const char *name)
{
    for (size_t i = 0; i < sizeof actions / sizeof *actions; i++)
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
    return NULL;
}

/* Does a list of labels, one a line, name a commit? A commit is a change, so that some of them
 * alone are no profiles. */
static bool names_commit(const char *where)
{
    static const char key[] = "\n" TOLL_HISTORY_KEY "=";
    return strncmp(where, key + 1, sizeof key - 2) == 0 || strstr(where, key) != NULL;
}

/* Check the command line: an exit status after a message, or -1: continue. */
static int check_options(const toll_settings *s, const action *a, int argc, char **argv)
{
    const toll_format *format = toll_format_for_path(argv[1]);
    const char *unused = s->output && !a->has_output                       ? "-o"
                         : s->keep.is_set && !a->has_keep                  ? "--keep"
                         : s->commit && a->run != add                      ? "--commit"
                         : s->across && a->run != add                      ? "--across"
                         : s->filter.where && !a->selects                  ? "--where"
                         : (s->json || s->rows.is_set) && !a->prints_table ? "--json or -n"
                                                                           : NULL;
    if (argc - 2 < a->least || (a->most >= 0 && argc - 2 > a->most))
        return toll_complain(
            TOLL_EXIT_USAGE,
            "history: add HISTORY PROFILE..., blame HISTORY FUNCTION, show HISTORY "
            "COMMIT; the others have HISTORY alone");
    if (unused)
        return toll_complain(TOLL_EXIT_USAGE, "history %s: there is no %s", a->name, unused);
    if (s->filter.where && names_commit(s->filter.where))
        return toll_complain(TOLL_EXIT_USAGE,
                             "history %s: --where is about other labels: toll history show %s "
                             "COMMIT -o FILE writes the profile of a commit",
                             a->name, argv[1]);
    if (a->changes && (!format || strcmp(format->name, "pprof") != 0))
        return toll_complain(TOLL_EXIT_USAGE,
                             "history %s: %s: a history is a file of pprof: end its name in .pb.gz",
                             a->name, argv[1]);
    if (s->output && toll_os_name_the_same(s->output, argv[1]))
        return toll_complain(TOLL_EXIT_USAGE, "history %s: -o %s is the history itself", a->name,
                             s->output);
    return -1;
}

int toll_cmd_history(toll_settings *s, int argc, char **argv)
{
    toll_history_run r = { .path = argc > 1 ? argv[1] : NULL };
    const action *a = argc ? action_named(argv[0]) : NULL;
    if (!a)
        return toll_complain(TOLL_EXIT_USAGE, "history: one of add, list, blame, show, page and "
                                              "prune comes first");
    if (argc < 2)
        return toll_complain(TOLL_EXIT_USAGE, "history %s: which history? such as history.pb.gz",
                             a->name);
    int failed = check_options(s, a, argc, argv);
    if (failed >= 0)
        return failed;
    toll_job_begin(&r.job, s);
    r.job.keeps_labels = true;
    char room[TOLL_OS_PATH_SIZE];
    if (a->changes) /* so that of two at the same time the second reads what the first has added */
        toll_os_lock_folder_of(toll_os_target(r.path, room));
    failed = load(&r, a->run == add);
    if (!failed)
        failed = a->run(&r, argc - 2, argv + 2);
    toll_history_free(&r.history);
    return failed;
}
