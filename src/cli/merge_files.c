/* merge_files.c - see merge_files.h.
 *
 * Each worker takes the next path, reads the file and adds it to a profile of its own; at the end
 * these are added up: sums do not depend on the order. Paths are handed out one at a time in the
 * order of the inputs, and none after a failure. So all files before one that fails have been
 * handed out: the failure with the lowest number is the one that a single worker would have
 * reported. */
#include "merge_files.h"

#include "base/printable.h"
#include "merge_inputs.h"
#include "merge_messages.h"
#include "progress.h"
#include "profile/sampled.h"
#include "threads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORKERS = 256, PROGRESS_FILES = 16 };

/* Files of samples, and files with every call: their sums are neither. */
typedef enum kind { KIND_SAMPLED, KIND_EXACT, KINDS } kind;

/* The first file of a kind. */
typedef struct first_file {
    uint64_t file; /* its number */
    bool is_set;
    char path[TOLL_OS_PATH_SIZE];
} first_file;

/* State that the workers share. The lock protects everything but `job`, which no worker changes. */
typedef struct merging {
    toll_lock lock;
    const toll_job *job;
    toll_merge_inputs inputs;
    uint64_t taken;  /* number of files handed out */
    bool at_end;     /* no more files are handed out */
    uint64_t failed; /* the number of the first file that failed; UINT64_MAX: none */
    toll_error failure;
    toll_merge_messages messages;
    uint64_t left_out;
    first_file firsts[KINDS];
} merging;

typedef struct worker {
    merging *m;
    toll_job job;
    toll_thread thread;
    bool is_started;
    uint64_t file; /* number of the current file */
    char path[TOLL_OS_PATH_SIZE];
    toll_profile *sum; /* NULL: nothing yet */
} worker;

/* --- under the lock ----------------------------------------------------------------------------*/

static void keep_failure(merging *m, uint64_t file, const toll_error *err)
{
    m->at_end = true;
    if (file < m->failed) {
        m->failed = file;
        m->failure = *err;
    }
}

/* Is the cause a bad file, and not the machine, the command line or the sum? */
static bool is_bad_file(toll_status status)
{
    return status == TOLL_E_TRUNCATED || status == TOLL_E_SYNTAX ||
           status == TOLL_E_UNKNOWN_FORMAT || status == TOLL_E_UNSUPPORTED ||
           status == TOLL_E_LIMIT || status == TOLL_E_OVERFLOW;
}

static void keep_bad_file(merging *m, uint64_t file, const toll_error *err)
{
    if (!m->job->settings->skip_torn || !is_bad_file(err->status)) {
        keep_failure(m, file, err);
        return;
    }
    m->left_out++;
    toll_merge_messages_add(&m->messages, file, "left out: ", err->text);
}

static void show_progress(const merging *m, const char *path)
{
    char doing[60];
    snprintf(doing, sizeof doing, "adding file %" PRIu64 ":", m->taken);
    toll_progress_begin(!m->job->settings->quiet, doing, path);
}

/* Get the next path and its number. False: no more files. */
static bool next_file(merging *m, char *path, uint64_t *file)
{
    while (!m->at_end) {
        toll_error err = { TOLL_OK, "" };
        toll_status status = toll_merge_inputs_next(&m->inputs, path, &err);
        if (!status && !*path)
            break;
        *file = m->taken++;
        if (!status) {
            if (*file % PROGRESS_FILES == 0)
                show_progress(m, path);
            return true;
        }
        if (status == TOLL_E_UNSUPPORTED)
            toll_merge_messages_add(&m->messages, *file, "", err.text);
        else if (status == TOLL_E_UNKNOWN_FORMAT)
            keep_bad_file(m, *file, &err);
        else
            keep_failure(m, *file, &err);
    }
    m->at_end = true;
    return false;
}

/* --- workers -----------------------------------------------------------------------------------*/

static void keep_warning(void *user, const char *text)
{
    worker *w = user;
    toll_lock_take(&w->m->lock);
    toll_merge_messages_add(&w->m->messages, w->file, "", text);
    toll_lock_release(&w->m->lock);
}

static void note_kind(worker *w, const toll_profile *p)
{
    first_file *first = &w->m->firsts[toll_sampled_how(p) ? KIND_SAMPLED : KIND_EXACT];
    if (!toll_sampled_how(p) && !toll_has_every_call(p))
        return; /* its file does not say */
    toll_lock_take(&w->m->lock);
    if (!first->is_set || w->file < first->file) {
        first->is_set = true;
        first->file = w->file;
        memcpy(first->path, w->path, sizeof first->path);
    }
    toll_lock_release(&w->m->lock);
}

/* Add the current file to the worker's sum. *is_file: reading it failed, not adding it. */
static toll_status add_file(worker *w, bool *is_file, toll_error *err)
{
    toll_profile *p;
    *is_file = true;
    toll_status status = toll_job_read(&w->job, w->path, NULL, &p, err);
    if (status)
        return status;
    *is_file = false;
    note_kind(w, p);
    if (!w->sum) {
        w->sum = p;
        return TOLL_OK;
    }
    status = toll_profile_merge(w->sum, p, err);
    toll_profile_free(p);
    return status;
}

static void work(void *user)
{
    worker *w = user;
    merging *m = w->m;
    for (;;) {
        toll_error err = { TOLL_OK, "" };
        bool is_file;
        toll_lock_take(&m->lock);
        bool has_file = next_file(m, w->path, &w->file);
        toll_lock_release(&m->lock);
        if (!has_file)
            return;
        if (!add_file(w, &is_file, &err))
            continue;
        toll_lock_take(&m->lock);
        if (is_file)
            keep_bad_file(m, w->file, &err);
        else
            keep_failure(m, w->file, &err);
        toll_lock_release(&m->lock);
    }
}

static void start_all(merging *m, worker *workers, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        worker *w = &workers[i];
        w->m = m;
        w->job = *m->job;
        w->job.warn = keep_warning;
        w->job.warn_user = w;
        w->job.format_options.warn_user = &w->job;
        if (count > 1)
            w->job.format_options.progress = NULL;                   /* progress of one of several
                                                                      * files means nothing */
        w->is_started = i && toll_thread_start(&w->thread, work, w); /* if this fails, the other
                                                                      * workers do more */
    }
    work(&workers[0]);
    for (unsigned i = 1; i < count; i++)
        if (workers[i].is_started)
            toll_thread_join(&workers[i].thread);
}

/* --- the sum -----------------------------------------------------------------------------------*/

static toll_status add_up(worker *workers, unsigned count, toll_profile **out, toll_error *err)
{
    toll_status status = TOLL_OK;
    *out = NULL;
    for (unsigned i = 0; !status && i < count; i++) {
        toll_profile *sum = workers[i].sum;
        workers[i].sum = NULL;
        if (!*out) {
            *out = sum;
        } else if (sum) {
            status = toll_profile_merge(*out, sum, err);
            toll_profile_free(sum);
        }
    }
    return status;
}

/* Note in the result how many files were omitted. */
static toll_status note_left_out(const merging *m, toll_profile *sum, toll_error *err)
{
    return toll_profile_add_note(sum, "files left out of a merge: torn, or no profiles",
                                 m->left_out, err);
}

static int refuse_mixed(const char *sampled, const char *exact)
{
    char first[TOLL_OS_PATH_SIZE], second[TOLL_OS_PATH_SIZE];
    return toll_complain(TOLL_EXIT_BAD_INPUT,
                         "%s is a profile of samples, and %s of every call: their sums are "
                         "neither; --mixed adds them up all the same",
                         toll_printable(sampled, first, sizeof first),
                         toll_printable(exact, second, sizeof second));
}

static int finish(merging *m, worker *workers, unsigned count, toll_profile **out)
{
    toll_error err = { TOLL_OK, "" };
    const toll_job *job = m->job;
    toll_merge_messages_say(&m->messages, job, m->failed);
    if (m->failed != UINT64_MAX)
        return toll_job_fail(job, &m->failure);
    const first_file *sampled = &m->firsts[KIND_SAMPLED], *exact = &m->firsts[KIND_EXACT];
    if (sampled->is_set && exact->is_set && !job->settings->mixed)
        return refuse_mixed(sampled->path, exact->path);
    toll_status status = add_up(workers, count, out, &err);
    if (!status && !*out)
        return m->left_out ? toll_complain(TOLL_EXIT_BAD_INPUT,
                                           "nothing to merge: all %" PRIu64 " files are torn, or "
                                           "no profiles",
                                           m->left_out)
                           : toll_complain(TOLL_EXIT_BAD_INPUT, "nothing to merge: no file is "
                                                                "named, or in the folders");
    if (!status && m->left_out) {
        toll_job_warn(job, "left out %" PRIu64 " of %" PRIu64 " files", m->left_out, m->taken);
        status = note_left_out(m, *out, &err);
    }
    return status ? toll_job_fail(job, &err) : TOLL_EXIT_OK;
}

static unsigned worker_count(const toll_settings *s)
{
    unsigned count = !s->jobs.is_set ? 1 : s->jobs.value ? s->jobs.value : toll_processor_count();
    return count < MOST_WORKERS ? count : MOST_WORKERS;
}

int toll_merge_files(toll_job *job, int count, char **operands, toll_profile **out)
{
    unsigned worker_number = worker_count(job->settings);
    merging *m = calloc(1, sizeof *m);
    worker *workers = calloc(worker_number, sizeof *workers);
    toll_error err = { TOLL_OK, "" };
    int status;
    *out = NULL;
    if (!m || !workers) {
        status = toll_complain(TOLL_EXIT_BAD_INPUT, "out of memory");
    } else if (toll_merge_inputs_begin(&m->inputs, &job->allocator, job->settings, count, operands,
                                       &err)) {
        status = toll_job_fail(job, &err);
    } else {
        m->job = job;
        m->failed = UINT64_MAX;
        toll_lock_begin(&m->lock);
        start_all(m, workers, worker_number);
        status = finish(m, workers, worker_number, out);
    }
    for (unsigned i = 0; workers && i < worker_number; i++)
        toll_profile_free(workers[i].sum);
    if (m)
        toll_merge_inputs_end(&m->inputs);
    if (status) {
        toll_profile_free(*out);
        *out = NULL;
    }
    free(workers);
    free(m);
    return status;
}
