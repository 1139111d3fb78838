/* cmd_compare.c - toll compare: runs two programs in turns, and prints which costs differ by more
 * than chance. */
#include "command.h"
#include "complain.h"
#include "job.h"
#include "passed_options.h"
#include "progress.h"
#include "recorded_command.h"
#include "run.h"
#include "summary.h"

#include "gates/trials.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { RUNS = 20, WARMUP = 1, ROWS = 10 };

/* How a program of the two is run, and where its profile comes from. */
typedef enum way {
    WAY_TOLL_RUN, /* toll run writes it */
    WAY_PLACE,    /* the command, to the file that {} stands for */
    WAY_VARIABLE, /* the command, to TOLL_OUT; or there is none */
    WAY_PLAIN     /* there is none, by --no-profile */
} way;

typedef struct side {
    int argc;
    char **argv;
    way way;
    char interpreter[256];      /* of a script, with WAY_PLAIN; "": none */
    const char *interpreted[2]; /* that, and NULL */
    toll_buffer title;
    toll_recorded_command command;
} side;

typedef struct comparison {
    toll_job job;
    side sides[TOLL_TRIAL_SIDES];
    uint32_t runs, warmup;
    bool began;              /* the sides' commands */
    toll_passed_options own; /* the command line of toll run, without the program */
    toll_trials trials;
} comparison;

/* --- the command line --------------------------------------------------------------------------*/

/* Divide the operands at their --. An exit status after a message, or -1. */
static int divide(comparison *c, int argc, char **argv)
{
    int at = -1;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--") != 0)
            continue;
        if (at >= 0)
            return toll_complain(TOLL_EXIT_USAGE,
                                 "compare: which -- begins B? there are several; write a command "
                                 "that has one of its own as sh -c 'COMMAND -- ARGUMENTS'");
        at = i;
    }
    if (at < 1 || at + 1 >= argc)
        return toll_complain(TOLL_EXIT_USAGE,
                             "compare: which two programs? toll compare -- old.lua -- new.lua");
    argv[at] = NULL;
    c->sides[0].argc = at;
    c->sides[0].argv = argv;
    c->sides[1].argc = argc - at - 1;
    c->sides[1].argv = argv + at + 1;
    return -1;
}

static way way_of(const toll_settings *s, int argc, char **argv)
{
    if (s->no_profile)
        return WAY_PLAIN;
    if (toll_has_profile_place(argc, argv))
        return WAY_PLACE;
    return toll_run_is_wasm(argv[0]) || toll_run_is_lua(argv[0]) ? WAY_TOLL_RUN : WAY_VARIABLE;
}

static int check_numbers(comparison *c, const toll_settings *s)
{
    c->runs = s->runs.is_set ? s->runs.value : RUNS;
    c->warmup = s->warmup.is_set ? s->warmup.value : WARMUP;
    if (c->runs < 2 || c->runs > TOLL_MOST_SAMPLE)
        return toll_complain(TOLL_EXIT_USAGE, "compare: --runs is from 2 to %d", TOLL_MOST_SAMPLE);
    if (s->json && s->markdown)
        return toll_complain(TOLL_EXIT_USAGE, "compare: one of --json and --markdown");
    return toll_summary_check(s);
}

/* What toll run runs needs something else to run it. An exit status after a message, or -1. */
static int prepare_plain(side *d)
{
    if (toll_run_is_wasm(d->argv[0]))
        return toll_complain(TOLL_EXIT_USAGE,
                             "compare: --no-profile: what runs %s? say the engine, too, such as "
                             "wasmtime %s",
                             d->argv[0], d->argv[0]);
    return toll_run_choose_interpreter(d->argv[0], d->interpreter, sizeof d->interpreter);
}

/* Check the options, and prepare the commands. An exit status after a message, or -1. */
static int prepare(comparison *c, const toll_settings *s, int argc, char **argv)
{
    bool any = false;
    int status = check_numbers(c, s);
    if (status < 0)
        status = divide(c, argc, argv);
    if (status >= 0)
        return status;
    if (!toll_passed_options_make(&c->own, TOLL_CMD_COMPARE, s))
        return toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    for (int i = 0; i < TOLL_TRIAL_SIDES; i++) {
        side *d = &c->sides[i];
        d->way = way_of(s, d->argc, d->argv);
        any |= d->way == WAY_TOLL_RUN;
        status = d->way == WAY_PLAIN ? prepare_plain(d) : -1;
        if (status >= 0)
            return status;
    }
    if (c->own.given && !any)
        return toll_complain(TOLL_EXIT_USAGE,
                             "compare: --%s is for what toll run runs, and neither program is run "
                             "by it",
                             c->own.given);
    return -1;
}

/* The words before the program's; NULL: none. */
static const char *const *words_before(const comparison *c, side *d)
{
    if (d->way == WAY_TOLL_RUN)
        return c->own.words;
    d->interpreted[0] = d->interpreter;
    return *d->interpreter ? d->interpreted : NULL;
}

/* --- runs --------------------------------------------------------------------------------------*/

static int begin(comparison *c)
{
    const char *folder = c->job.settings->output;
    int status = TOLL_EXIT_OK;
    if (folder && mkdir(folder, 0777) && errno != EEXIST)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: cannot make the folder: %s", folder,
                             strerror(errno));
    c->began = true;
    for (int i = 0; i < TOLL_TRIAL_SIDES; i++) {
        side *d = &c->sides[i];
        int made =
            toll_recorded_command_begin(&d->command, &c->job, words_before(c, d), d->argc, d->argv);
        status = status ? status : made;
        d->command.input = c->job.settings->input;
        d->command.may_lack_profile = d->way >= WAY_VARIABLE;
        if (d->way >= WAY_VARIABLE)
            d->command.out = d->way == WAY_PLAIN ? TOLL_OUT_NONE : TOLL_OUT_NAMED;
        toll_recorded_command_title(&d->title, d->argc, d->argv);
        c->trials.commands[i] = toll_buffer_cstr(&d->title);
        if (!status && !c->trials.commands[i])
            status = toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    }
    return status;
}

/* Read the profile of the last run; NULL: it has none. */
static int load(comparison *c, const side *d, toll_profile **p)
{
    toll_error err = { TOLL_OK, "" };
    *p = NULL;
    if (!d->command.has_profile)
        return TOLL_EXIT_OK;
    int status = toll_job_load(&c->job, d->command.profile, NULL, p);
    toll_progress_end();
    if (!status && toll_profile_check(*p, 0, &err)) {
        status = toll_job_fail(&c->job, &err);
        toll_profile_free(*p);
        *p = NULL;
    }
    return status;
}

/* Keep the profile of a run, with -o. */
static int keep(const comparison *c, int of, uint32_t number, const toll_profile *p)
{
    char path[PATH_MAX];
    toll_error err = { TOLL_OK, "" };
    const char *folder = c->job.settings->output;
    if (!folder || !p)
        return TOLL_EXIT_OK;
    int n = snprintf(path, sizeof path, "%s/%c-%04" PRIu32 ".pb.gz", folder, "ab"[of], number);
    if (n < 0 || (size_t)n >= sizeof path)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "%s: the name is too long", folder);
    return toll_profile_save_as(p, NULL, path, NULL, &c->job.format_options, &err)
               ? toll_job_fail(&c->job, &err)
               : TOLL_EXIT_OK;
}

static int run_one(comparison *c, int of, const char *what, uint32_t number, bool counts)
{
    side *d = &c->sides[of];
    toll_profile *p;
    char who[48];
    toll_error err = { TOLL_OK, "" };
    snprintf(who, sizeof who, "%s %" PRIu32 " of %s", what, number, c->trials.titles[of]);
    int status = toll_recorded_command_run(&d->command, who);
    if (status || !counts)
        return status;
    status = load(c, d, &p);
    if (!status)
        status = keep(c, of, number, p);
    if (status) {
        toll_profile_free(p);
        return status;
    }
    toll_trial_cost cost = { d->command.wall_ns, d->command.cpu_ns };
    return toll_trials_add(&c->trials, of, cost, p, &err) ? toll_job_fail(&c->job, &err)
                                                          : TOLL_EXIT_OK;
}

/* A B B A A B B A ...: a machine that becomes slower, or what one leaves behind for the next, then
 * favours neither. */
static int run_all(comparison *c)
{
    int status = TOLL_EXIT_OK;
    toll_progress_end();
    for (uint32_t i = 0; !status && i < c->warmup; i++)
        for (int k = 0; !status && k < TOLL_TRIAL_SIDES; k++)
            status = run_one(c, k, "warm-up run", i + 1, false);
    for (uint32_t i = 0; !status && i < c->runs; i++)
        for (int k = 0; !status && k < TOLL_TRIAL_SIDES; k++)
            status = run_one(c, (int)(i % 2) ^ k, "run", i + 1, true);
    return status;
}

/* --- what is printed ---------------------------------------------------------------------------*/

static uint32_t rows_of(const comparison *c)
{
    const toll_settings *s = c->job.settings;
    return s->rows.is_set ? s->rows.value : ROWS;
}

static toll_status put_markdown(const void *user, toll_output *out, toll_error *err)
{
    const comparison *c = user;
    (void)err;
    toll_trials_markdown(&c->trials, rows_of(c), out);
    return TOLL_OK;
}

static void note_ways(comparison *c)
{
    const char *name = NULL;
    for (int i = 0; i < TOLL_TRIAL_SIDES; i++)
        if (c->sides[i].way == WAY_TOLL_RUN)
            name = name ? "A and B" : c->trials.titles[i];
    if (name)
        toll_trials_note(&c->trials,
                         "%s ran under toll run, whose own work is in these times; --no-profile "
                         "times the programs alone",
                         name);
}

static int print(comparison *c)
{
    toll_output *out;
    toll_error err = { TOLL_OK, "" };
    const toll_settings *s = c->job.settings;
    int status = TOLL_EXIT_OK;
    if (toll_trials_end(&c->trials, &err))
        return toll_job_fail(&c->job, &err);
    note_ways(c);
    if (c->trials.notes.failed)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    if (!s->markdown) {
        status = toll_job_stdout(&c->job, &out);
        if (status)
            return status;
        (s->json ? toll_trials_json : toll_trials_put)(&c->trials, rows_of(c), out);
        status = toll_job_finish(&c->job, out, TOLL_OK, &err);
    }
    return status ? status : toll_summary_put(&c->job, put_markdown, c);
}

/* --- the whole ---------------------------------------------------------------------------------*/

/* What was measured until Ctrl-C is as good as fewer runs. */
static int print_interrupted(comparison *c)
{
    const uint32_t *done = c->trials.runs;
    if (done[0] < 2 || done[1] < 2)
        return toll_complain(TOLL_EXIT_BAD_INPUT, "interrupted; there is nothing to compare yet");
    toll_trials_note(&c->trials,
                     "interrupted after %" PRIu32 " and %" PRIu32 " of %" PRIu32 " runs", done[0],
                     done[1], c->runs);
    print(c);
    return TOLL_EXIT_BAD_INPUT;
}

static void end(comparison *c)
{
    for (int i = 0; i < TOLL_TRIAL_SIDES; i++) {
        if (c->began)
            toll_recorded_command_end(&c->sides[i].command);
        toll_buffer_free(&c->sides[i].title);
    }
    toll_trials_free(&c->trials);
    toll_passed_options_free(&c->own);
}

int toll_cmd_compare(toll_settings *s, int argc, char **argv)
{
    comparison c = { .runs = 0 };
    toll_error err = { TOLL_OK, "" };
    toll_job_begin(&c.job, s);
    toll_passed_options_init(&c.own, &c.job.allocator);
    for (int i = 0; i < TOLL_TRIAL_SIDES; i++)
        toll_buffer_init(&c.sides[i].title, &c.job.allocator);
    int status = prepare(&c, s, argc, argv);
    if (status < 0) {
        status = toll_trials_init(&c.trials, &c.job.allocator, c.runs, &err)
                     ? toll_job_fail(&c.job, &err)
                     : begin(&c);
        if (!status)
            status = run_all(&c);
        if (!status)
            status = print(&c);
        else if (c.began && toll_recorded_command_interrupted())
            status = print_interrupted(&c);
    }
    end(&c);
    return status;
}
