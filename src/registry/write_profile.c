/* write_profile.c - writes a profile in any format, with a warning about what the format cannot
 * keep. Stacks, frames and threads without values are not written. */
#include "base/fail.h"
#include "base/sized_options.h"
#include "base/text.h"
#include "profile/order.h"
#include "profile/pruned.h"
#include "profile/shown.h"
#include "profile/thread_labels.h"
#include "registry/format_table.h"

#include <stdio.h>
#include <string.h>

/* Formats of one value write the column that a report would show. */
static toll_status choose_column(const toll_format *format, toll_write_job *job, toll_error *err)
{
    toll_shown shown;
    char text[200];
    toll_status status =
        toll_choose_shown(job->profile, job->profile, NULL, job->options->value, &shown, err);
    job->column = shown.column;
    if (!status && shown.instead != TOLL_NONE && !(format->keeps & TOLL_KEEPS_COLUMNS))
        toll_format_warn(job->options, "%s (--value chooses)",
                         toll_shown_text(job->profile, &shown, text, sizeof text));
    return status;
}

/* Which TOLL_KEEPS_* a format needs to keep all of this profile. */
static unsigned needs_of(const toll_profile *p)
{
    unsigned needs = 0;
    uint32_t threads = toll_profile_thread_count(p);
    if (toll_profile_column_count(p) > 1)
        needs |= TOLL_KEEPS_COLUMNS;
    if (threads > 1 || (threads == 1 && *toll_profile_thread_title(p, 0) &&
                        strcmp(toll_profile_thread_title(p, 0), "main") != 0))
        needs |= TOLL_KEEPS_THREADS;
    if (toll_profile_note_count(p) || toll_profile_comment_count(p))
        needs |= TOLL_KEEPS_NOTES;
    for (uint32_t i = 0; i < toll_profile_frame_count(p); i++) {
        toll_frame f = toll_profile_frame(p, i);
        needs |= *f.file || f.line ? TOLL_KEEPS_SOURCE : 0;
        needs |= f.kind ? TOLL_KEEPS_KIND : 0;
    }
    for (uint32_t n = 0; n < toll_profile_node_count(p); n++)
        for (uint32_t c = 0; c < toll_profile_column_count(p); c++)
            needs |= toll_profile_self(p, n, c) < 0 ? TOLL_KEEPS_NEGATIVE : 0;
    return needs;
}

/* How many columns a format without TOLL_KEEPS_COLUMNS keeps: the chosen one; or, if it shows the
 * order in time, the timeline's axes. */
static uint32_t columns_kept(const toll_format *format, const toll_write_job *job)
{
    toll_value_type second;
    return format->needs_timeline && toll_timeline_second_axis(job->timeline, &second) ? 2 : 1;
}

static void warn_left_out(const toll_format *format, const toll_write_job *job)
{
    unsigned lost = needs_of(job->profile) & ~format->keeps;
    uint32_t kept = columns_kept(format, job);
    if (toll_profile_column_count(job->profile) <= kept)
        lost &= ~(unsigned)TOLL_KEEPS_COLUMNS;
    char what[400];
    size_t used = 0;
#define LEFT_OUT(...)                                                                              \
    used += (size_t)snprintf(what + used, sizeof what - used, "%s", used ? ", " : ""),             \
        used += (size_t)snprintf(what + used, sizeof what - used, __VA_ARGS__)
    if (lost & TOLL_KEEPS_COLUMNS)
        LEFT_OUT("%u other value types%s", toll_profile_column_count(job->profile) - kept,
                 format->needs_timeline ? "" : " (--value chooses)");
    if (lost & TOLL_KEEPS_THREADS)
        LEFT_OUT("names of %u threads%s", toll_profile_thread_count(job->profile),
                 toll_profile_has_labels(job->profile) ? " and their labels" : "");
    if (lost & TOLL_KEEPS_SOURCE)
        LEFT_OUT("files and lines");
    if (lost & TOLL_KEEPS_KIND)
        LEFT_OUT("kinds of frames");
    if (lost & TOLL_KEEPS_NOTES)
        LEFT_OUT("notes");
#undef LEFT_OUT
    if (used)
        toll_format_warn(job->options, "format %s cannot hold everything; left out: %s",
                         format->name, what);
}

static toll_status check_write(const toll_format_row *row, const toll_write_job *job,
                               toll_error *err)
{
    const toll_format *f = &row->info;
    if (f->needs_timeline && !job->timeline)
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "format %s needs the order in time, which this profile does not have; "
                         "record with --timeline, or write speedscope",
                         f->name);
    if (job->options->flamechart && (strcmp(f->name, "folded") != 0 || !job->timeline))
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "a flame chart is written as folded lines from a timeline; record with "
                         "--timeline, and write to a .folded file");
    return TOLL_OK;
}

static toll_status write_row(const toll_format_row *row, toll_write_job *job, toll_error *err)
{
    toll_status status = choose_column(&row->info, job, err);
    if (!status)
        status = check_write(row, job, err);
    if (status)
        return status;
    toll_error unwanted;
    warn_left_out(&row->info, job);
    return row->write(job, err ? err : &unwanted);
}

static toll_status find_writer(const char *format, const toll_format_row **row, toll_error *err)
{
    *row = toll_format_row_named(format);
    if (!*row)
        return toll_format_unknown(format, true, err);
    if (!(*row)->write)
        return toll_fail(err, TOLL_E_UNSUPPORTED, "format %s can only be read", format);
    return TOLL_OK;
}

/* Replace the job's profile by one with the labels of the options: *own is that copy. */
static toll_status set_labels(toll_write_job *job, toll_profile **own, toll_error *err)
{
    const char *labels = job->options->labels;
    if (!labels || !*labels)
        return TOLL_OK;
    toll_status status = toll_profile_with_labels(job->profile, labels, own, err);
    if (!status)
        job->profile = *own;
    return status;
}

/* Replace the job's threads by those of its timeline, with the labels of the options: *own is that
 * copy. */
static toll_status name_threads(toll_write_job *job, toll_profile **own, toll_error *err)
{
    const char *labels = job->options->labels;
    const toll_profile *names = job->timeline ? toll_timeline_names(job->timeline) : NULL;
    toll_profile *plain;
    job->threads = names;
    if (!names || !labels || !*labels)
        return TOLL_OK;
    toll_status status = toll_profile_create(toll_profile_mem(job->profile), &plain, err);
    for (toll_thread_id i = 0; !status && i < toll_profile_thread_count(names); i++)
        status = toll_profile_add_thread_of(plain, names, i, &(toll_thread_id){ 0 }, err);
    if (!status)
        status = toll_profile_with_labels(plain, labels, own, err);
    toll_profile_free(plain);
    job->threads = *own;
    return status;
}

/* If the format has no places, replace the job's profile by one without places: *own is that copy.
 * Their values become their functions', so only the place of the cost is lost. */
static toll_status fold_places(const toll_format_row *row, toll_write_job *job, toll_profile **own,
                               toll_error *err)
{
    if ((row->info.keeps & TOLL_KEEPS_PLACES) || !toll_profile_has_places(job->profile))
        return TOLL_OK;
    toll_status status = toll_profile_fold_places(job->profile, own, err);
    if (status)
        return status;
    toll_format_warn(job->options,
                     "format %s cannot hold lines within functions: they are added up",
                     row->info.name);
    job->profile = *own;
    return TOLL_OK;
}

/* If the profile has too many stacks for a format of whole stacks, replace it by one with fewer:
 * *own is that copy. */
static toll_status fold_small_stacks(const toll_format_row *row, toll_write_job *job,
                                     toll_profile **own, toll_error *err)
{
    toll_few_stacks few;
    toll_small_stacks small;
    toll_status status = toll_choose_few(row, job->options, job->profile, &few, err);
    if (status || !few.most)
        return status;
    status = toll_fold_small_stacks(job->profile, few.most, few.column, own, &small, err);
    if (status)
        return status;
    toll_warn_few(job->options, &small);
    job->profile = *own;
    return TOLL_OK;
}

toll_status toll_profile_write(const toll_profile *profile, const toll_timeline *timeline,
                               const char *format, const toll_format_options *options,
                               toll_output *out, toll_error *err)
{
    toll_format_options own;
    const toll_format_row *row;
    toll_write_job job = { .profile = profile, .timeline = timeline, .options = &own, .out = out };
    toll_profile *labelled = NULL, *threads = NULL, *few = NULL, *pruned = NULL, *folded = NULL,
                 *deep = NULL;
    if (!format || !out)
        return toll_fail_null(err, out ? "format" : "out");
    toll_status status = toll_options_copy(&own, sizeof own, options, "toll_format_options", err);
    if (!status)
        status = find_writer(format, &row, err);
    if (!status)
        status = set_labels(&job, &labelled, err);
    if (!status)
        status = name_threads(&job, &threads, err);
    if (!status)
        status = fold_small_stacks(row, &job, &few, err);
    if (!status)
        status = toll_prune_to_write(
            &job.profile, row->info.reads && row->info.keeps & TOLL_KEEPS_PLACES, &pruned, err);
    if (!status)
        status = fold_places(row, &job, &folded, err);
    if (!status)
        status = toll_fold_deep_stacks(row, &job, &deep, err);
    if (!status)
        status = write_row(row, &job, err);
    toll_profile_free(deep);
    toll_profile_free(folded);
    toll_profile_free(pruned);
    toll_profile_free(few);
    toll_profile_free(threads);
    toll_profile_free(labelled);
    return status;
}

/* Does the name ask for compression, or is it the format's default? */
static bool is_compressed(const toll_format_row *row, const char *path)
{
    return toll_text_ends_with(path, ".gz") || (row->gzip && !toll_text_ends_with(path, ".pb"));
}

static bool skips_sync(const toll_format_options *options)
{
    toll_format_options own;
    return !toll_options_copy(&own, sizeof own, options, "toll_format_options", NULL) &&
           own.no_sync;
}

toll_status toll_profile_save_as(const toll_profile *profile, const toll_timeline *timeline,
                                 const char *path, const char *format,
                                 const toll_format_options *options, toll_error *err)
{
    if (!path)
        return toll_fail_null(err, "path");
    const toll_format *f = format ? toll_format_named(format) : toll_format_for_path(path);
    const toll_format_row *row;
    toll_output *out;
    char names[200];
    if (!f && !format) {
        toll_format_list_names(names, sizeof names, true);
        return toll_fail(
            err, TOLL_E_UNKNOWN_FORMAT,
            "%.200s: the name has no format's extension; end it in .pb.gz, .speedscope.json, "
            ".folded, ... or say which with --to: %s",
            path, names);
    }
    toll_status status = find_writer(f ? f->name : format, &row, err);
    if (!status)
        status =
            toll_output_open(toll_profile_mem(profile), path, is_compressed(row, path), &out, err);
    if (status)
        return status;
    toll_output_set_sync(out, !skips_sync(options));
    status = toll_profile_write(profile, timeline, row->info.name, options, out, err);
    if (!status)
        status = toll_output_commit(out, err);
    toll_output_free(out);
    return status;
}

toll_status toll_profile_save(const toll_profile *profile, const char *path, toll_error *err)
{
    return toll_profile_save_as(profile, NULL, path, NULL, NULL, err);
}
