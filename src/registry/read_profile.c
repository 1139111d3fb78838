/* read_profile.c - reads a file of any format. The format is named by the caller, or recognised by
 * the content. */
#include "base/fail.h"
#include "base/input.h"
#include "base/os.h"
#include "base/sized_options.h"
#include "registry/explain.h"
#include "registry/format_table.h"

#include <string.h>

static const toll_format_row *row_for_content(toll_input *in)
{
    size_t size;
    unsigned at = 0;
    const uint8_t *data = toll_input_peek(in, TOLL_SNIFF_SIZE, &size);
    const toll_format_row *best = NULL;
    toll_sniff surest = TOLL_SNIFF_NO;
    size = size < TOLL_SNIFF_SIZE ? size : TOLL_SNIFF_SIZE;
    for (const toll_format_row *row; (row = toll_format_row_at(at)); at++) {
        toll_sniff s = row->sniff ? row->sniff(data, size) : TOLL_SNIFF_NO;
        if (s > surest) {
            surest = s;
            best = row;
        }
    }
    return best;
}

static toll_status check_reads(const toll_input *in, const toll_format_row *row, toll_error *err)
{
    if (row->sniff_folder)
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "%s: register traces are a folder with files HASH.regs; name the folder",
                         toll_input_name(in));
    if (row->read)
        return TOLL_OK;
    return toll_fail(err, TOLL_E_UNSUPPORTED, "%s: %s files can only be written",
                     toll_input_name(in), row->info.name);
}

static toll_status find_reader(toll_input *in, const char *format, const toll_format_row **row,
                               toll_error *err)
{
    char names[200];
    if (format) {
        *row = toll_format_row_named(format);
        if (!*row)
            return toll_format_unknown(format, false, err);
        return check_reads(in, *row, err);
    }
    *row = row_for_content(in);
    if (*row)
        return check_reads(in, *row, err);
    toll_status status = toll_input_check(in, err);
    if (status)
        return status;
    size_t size;
    const uint8_t *data = toll_input_peek(in, TOLL_SNIFF_SIZE, &size);
    if (size == 0)
        return toll_fail(err, TOLL_E_TRUNCATED, "%s: is empty; was the run cut short?",
                         toll_input_name(in));
    toll_format_list_names(names, sizeof names, false);
    status = toll_explain_content(toll_input_name(in), data,
                                  size < TOLL_SNIFF_SIZE ? size : TOLL_SNIFF_SIZE, names, err);
    if (status)
        return status;
    /* The file may be damaged: the reader of the format that its name suggests reports where. */
    const toll_format *named = toll_format_for_path(toll_input_name(in));
    *row = named ? toll_format_row_named(named->name) : NULL;
    if (*row)
        return check_reads(in, *row, err);
    return toll_fail(err, TOLL_E_UNKNOWN_FORMAT,
                     "%s: the content is of no format known here; say which with --from: %s",
                     toll_input_name(in), names);
}

/* Skip a byte order mark, which has no meaning in UTF-8 and is not part of a name. */
static void skip_mark(toll_input *in)
{
    size_t size;
    const uint8_t *data = toll_input_peek(in, 3, &size);
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
        toll_input_skip(in, 3);
}

static bool is_for(const toll_reader_options *options, const toll_format_row *row)
{
    return row->options && strcmp(options->format, row->options) == 0;
}

/* Does a format have options of that name? */
static bool has_options(const char *name)
{
    const toll_format_row *row = NULL;
    for (unsigned i = 0; (row = toll_format_row_at(i)); i++)
        if (row->options && strcmp(row->options, name) == 0)
            return true;
    return false;
}

static toll_status check_readers(const toll_format_options *options, toll_error *err)
{
    if (options->reader_count && !options->readers)
        return toll_fail_null(err, "options->readers");
    for (size_t i = 0; i < options->reader_count; i++) {
        const char *format = options->readers[i].format;
        if (!format)
            return toll_fail_null(err, "options->readers[i].format");
        if (!has_options(format))
            return toll_fail(err, TOLL_E_ARGUMENT, "no format has options called '%.100s' here",
                             format);
    }
    return TOLL_OK;
}

/* Choose the options for the row's reader; warn about options for other readers. */
static void choose_own(toll_read_job *job, const toll_format_row *row)
{
    const toll_format_options *options = job->options;
    for (size_t i = 0; i < options->reader_count; i++) {
        const toll_reader_options *r = &options->readers[i];
        if (is_for(r, row))
            job->own = r->options;
        else if (r->unused)
            toll_format_warn(options, "%s: is of the format %s; %s: not used",
                             job->in ? toll_input_name(job->in) : job->folder, row->info.name,
                             r->unused);
    }
}

/* Read with a row, from the job's input or folder. */
static toll_status read_by(const toll_format_row *row, toll_read_job *job, toll_timeline **timeline,
                           toll_profile **out, toll_error *err)
{
    choose_own(job, row);
    toll_status status = row->read(job, err);
    if (status)
        return status;
    *out = job->profile;
    if (timeline)
        *timeline = job->timeline;
    return TOLL_OK;
}

static toll_status copy_options(toll_format_options *own, const toll_format_options *given,
                                toll_error *err)
{
    toll_status status = toll_options_copy(own, sizeof *own, given, "toll_format_options", err);
    return status ? status : check_readers(own, err);
}

toll_status toll_profile_read(toll_input *in, const char *format,
                              const toll_format_options *options, toll_timeline **timeline,
                              toll_profile **out, toll_error *err)
{
    toll_format_options own;
    const toll_format_row *row;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (timeline)
        *timeline = NULL;
    toll_status status = copy_options(&own, options, err);
    if (status)
        return status;
    toll_read_job job = {
        .in = in, .mem = *toll_input_mem(in), .options = &own, .want_timeline = timeline != NULL
    };
    skip_mark(in);
    status = find_reader(in, format, &row, err);
    if (status)
        return status;
    return read_by(row, &job, timeline, out, err);
}

/* --- by path -----------------------------------------------------------------------------------*/

static bool is_folder(const char *path)
{
    toll_os_info info;
    return toll_os_look(path, &info) && info.kind == TOLL_OS_FOLDER;
}

/* Find the format of the folder `path`. NULL: no format has such folders, or `path` is a file. */
static const toll_format_row *row_for_folder(const char *path, const char *format)
{
    const toll_format_row *row;
    if (!is_folder(path))
        return NULL;
    if (format) {
        row = toll_format_row_named(format);
        return row && row->sniff_folder ? row : NULL;
    }
    for (unsigned i = 0; (row = toll_format_row_at(i)); i++)
        if (row->sniff_folder && row->sniff_folder(path))
            return row;
    return NULL;
}

const toll_format *toll_format_for_folder(const char *path, const char *format)
{
    const toll_format_row *row = path ? row_for_folder(path, format) : NULL;
    return row ? &row->info : NULL;
}

static toll_status load_file(const toll_allocator *allocator, const char *path, const char *format,
                             const toll_format_options *options, toll_timeline **timeline,
                             toll_profile **out, toll_error *err)
{
    toll_input *in;
    toll_status status = toll_input_open(allocator, path, &in, err);
    if (status)
        return status;
    if (options->progress)
        toll_input_on_progress(in, options->progress, options->progress_user);
    status = toll_profile_read(in, format, options, timeline, out, err);
    toll_input_free(in);
    return status;
}

toll_status toll_profile_load(const toll_allocator *allocator, const char *path, const char *format,
                              const toll_format_options *options, toll_timeline **timeline,
                              toll_profile **out, toll_error *err)
{
    toll_format_options own;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (timeline)
        *timeline = NULL;
    if (!path)
        return toll_fail_null(err, "path");
    toll_status status = copy_options(&own, options, err);
    if (status)
        return status;
    if (format && !toll_format_row_named(format))
        return toll_format_unknown(format, false, err);
    const toll_format_row *row = row_for_folder(path, format);
    toll_read_job job = { .folder = path, .mem = toll_mem_from(allocator), .options = &own };
    return row ? read_by(row, &job, timeline, out, err)
               : load_file(allocator, path, format, &own, timeline, out, err);
}
