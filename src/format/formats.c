/* formats.c - the table of formats, and the functions that go through it. See format.h. */
#include "format/formats.h"

#include "base/fail.h"
#include "format/explain.h"
#include "profile/order.h"
#include "profile/shown.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { SNIFF_SIZE = 64 * 1024 };

static const char *const pprof_extensions[] = { ".pb.gz", ".pprof", ".pb", NULL };
static const char *const speedscope_extensions[] = { ".speedscope.json", ".json", NULL };
static const char *const perfview_extensions[] = { ".PerfView.json", ".perfview.json", NULL };
static const char *const chrome_extensions[] = { ".trace.json", NULL };
static const char *const folded_extensions[] = { ".folded", ".collapsed", ".txt", NULL };
static const char *const solana_extensions[] = { ".log", NULL };
static const char *const supcom_extensions[] = { ".sclog", NULL };
static const char *const callgrind_extensions[] = { ".callgrind", NULL };
static const char *const emscripten_extensions[] = { ".emscripten.json", NULL };
static const char *const folder_extensions[] = { NULL };

/* Register traces are a folder: toll_sbf_read, which other formats' users need not link. */
static toll_status refuse_stream(toll_read_job *job, toll_error *err)
{
    return toll_fail(err, TOLL_E_UNSUPPORTED,
                     "%s: register traces are a folder with files HASH.regs; name the folder",
                     toll_input_name(job->in));
}

/* In order of preference where contents could be two things. */
static const toll_format_row rows[] = {
    { .info = { .name = "pprof",
                .title = "pprof (go tool pprof, Pyroscope, Grafana, speedscope): the native format",
                .extensions = pprof_extensions,
                .keeps = TOLL_KEEPS_COLUMNS | TOLL_KEEPS_THREADS | TOLL_KEEPS_SOURCE |
                         TOLL_KEEPS_KIND | TOLL_KEEPS_NOTES | TOLL_KEEPS_NEGATIVE |
                         TOLL_KEEPS_UNITS | TOLL_KEEPS_CONTEXT,
                .reads = 1,
                .writes = 1 },
      .gzip = 1,
      .sniff = toll_pprof_sniff,
      .read = toll_pprof_read,
      .write = toll_pprof_write },
    { .info = { .name = "speedscope",
                .title = "speedscope's JSON, sampled, or evented from a timeline",
                .extensions = speedscope_extensions,
                .keeps = TOLL_KEEPS_COLUMNS | TOLL_KEEPS_THREADS | TOLL_KEEPS_SOURCE |
                         TOLL_KEEPS_UNITS | TOLL_KEEPS_CONTEXT | TOLL_KEEPS_ORDER,
                .reads = 1,
                .writes = 1 },
      .sniff = toll_speedscope_sniff,
      .read = toll_speedscope_read,
      .write = toll_speedscope_write },
    { .info = { .name = "perfview",
                .title = "PerfView's JSON",
                .extensions = perfview_extensions,
                .keeps = TOLL_KEEPS_CONTEXT | TOLL_KEEPS_NEGATIVE,
                .reads = 1,
                .writes = 1 },
      .sniff = toll_perfview_sniff,
      .read = toll_perfview_read,
      .write = toll_perfview_write },
    { .info = { .name = "chrome",
                .title = "Chrome trace events (Perfetto, chrome://tracing), from a timeline",
                .extensions = chrome_extensions,
                .keeps = TOLL_KEEPS_THREADS | TOLL_KEEPS_SOURCE | TOLL_KEEPS_CONTEXT |
                         TOLL_KEEPS_ORDER | TOLL_KEEPS_UNITS,
                .reads = 1,
                .writes = 1,
                .needs_timeline = 1 },
      .sniff = toll_chrome_sniff,
      .read = toll_chrome_read,
      .write = toll_chrome_write },
    { .info = { .name = "solana",
                .title = "logs of Solana programs, as text or as RPC answers in JSON",
                .extensions = solana_extensions,
                .keeps =
                    TOLL_KEEPS_COLUMNS | TOLL_KEEPS_KIND | TOLL_KEEPS_UNITS | TOLL_KEEPS_CONTEXT,
                .reads = 1 },
      .sniff = toll_solana_sniff,
      .read = toll_solana_read },
    { .info = { .name = "supcom",
                .title = "logs of Supreme Commander with the lines of hosts/supcom/profiler.lua",
                .extensions = supcom_extensions,
                .keeps = TOLL_KEEPS_COLUMNS | TOLL_KEEPS_THREADS | TOLL_KEEPS_SOURCE |
                         TOLL_KEEPS_KIND | TOLL_KEEPS_CONTEXT,
                .reads = 1 },
      .sniff = toll_supcom_sniff,
      .read = toll_supcom_read },
    { .info = { .name = "folded",
                .title = "folded stacks, one a line (flamegraph.pl, inferno, speedscope)",
                .extensions = folded_extensions,
                .keeps = TOLL_KEEPS_CONTEXT | TOLL_KEEPS_NEGATIVE,
                .reads = 1,
                .writes = 1 },
      .sniff = toll_folded_sniff,
      .read = toll_folded_read,
      .write = toll_folded_write },
    { .info = { .name = "callgrind",
                .title = "callgrind (KCachegrind, callgrind_annotate)",
                .extensions = callgrind_extensions,
                .keeps = TOLL_KEEPS_COLUMNS | TOLL_KEEPS_SOURCE,
                .writes = 1 },
      .sniff = toll_callgrind_sniff,
      .write = toll_callgrind_write },
    { .info = { .name = "emscripten",
                .title = "Emscripten's heap profiler: emscriptenMemoryProfiler as JSON",
                .extensions = emscripten_extensions,
                .keeps =
                    TOLL_KEEPS_COLUMNS | TOLL_KEEPS_THREADS | TOLL_KEEPS_UNITS | TOLL_KEEPS_CONTEXT,
                .reads = 1 },
      .sniff = toll_emscripten_sniff,
      .read = toll_emscripten_read },
    { .info = { .name = "sbf-trace",
                .title = "a folder of register traces of Solana programs (SBF_TRACE_DIR)",
                .extensions = folder_extensions,
                .keeps = TOLL_KEEPS_COLUMNS | TOLL_KEEPS_SOURCE | TOLL_KEEPS_KIND |
                         TOLL_KEEPS_NOTES | TOLL_KEEPS_UNITS | TOLL_KEEPS_CONTEXT,
                .reads = 1 },
      .read = refuse_stream },
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

const toll_format *toll_format_at(unsigned i)
{
    return i < ROW_COUNT ? &rows[i].info : NULL;
}

static const toll_format_row *row_named(const char *name)
{
    for (unsigned i = 0; name && i < ROW_COUNT; i++)
        if (strcmp(rows[i].info.name, name) == 0)
            return &rows[i];
    return NULL;
}

const toll_format *toll_format_named(const char *name)
{
    const toll_format_row *row = row_named(name);
    return row ? &row->info : NULL;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n >= m && strcmp(text + n - m, end) == 0;
}

/* The longest extension that fits wins: x.trace.json is chrome, x.json is not. */
static const toll_format *format_of_name(const char *name, size_t name_size)
{
    const toll_format *best = NULL;
    size_t best_size = 0;
    if (strncmp(name, "callgrind.out", 13) == 0)
        return toll_format_named("callgrind");
    for (unsigned i = 0; i < ROW_COUNT; i++)
        for (const char *const *e = rows[i].info.extensions; *e; e++) {
            size_t size = strlen(*e);
            if (size > best_size && size <= name_size &&
                memcmp(name + name_size - size, *e, size) == 0) {
                best = &rows[i].info;
                best_size = size;
            }
        }
    return best;
}

const toll_format *toll_format_for_path(const char *path)
{
    if (!path)
        return NULL;
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    size_t size = strlen(name);
    const toll_format *format = format_of_name(name, size);
    return format || !ends_with(name, ".gz") ? format : format_of_name(name, size - 3);
}

void toll_format_warn(const toll_format_options *options, const char *format, ...)
{
    char text[512];
    va_list args;
    if (!options->warn)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    options->warn(options->warn_user, text);
}

/* "pprof, speedscope, ..." of the formats that read (or write). */
static void list_names(char *text, size_t size, bool writing)
{
    size_t used = 0;
    *text = 0;
    for (unsigned i = 0; i < ROW_COUNT && used < size; i++)
        if (writing ? rows[i].info.writes : rows[i].info.reads)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     rows[i].info.name);
}

static toll_status unknown_format(const char *name, bool writing, toll_error *err)
{
    char names[200];
    list_names(names, sizeof names, writing);
    return toll_fail(err, TOLL_E_UNKNOWN_FORMAT, "no format is called '%.100s'; there are %s", name,
                     names);
}

/* --- reading -----------------------------------------------------------------------------------*/

static const toll_format_row *row_for_content(toll_input *in)
{
    size_t size;
    const uint8_t *data = toll_input_peek(in, SNIFF_SIZE, &size);
    const toll_format_row *best = NULL;
    toll_sniff surest = TOLL_SNIFF_NO;
    size = size < SNIFF_SIZE ? size : SNIFF_SIZE;
    for (unsigned i = 0; i < ROW_COUNT; i++) {
        toll_sniff s = rows[i].sniff ? rows[i].sniff(data, size) : TOLL_SNIFF_NO;
        if (s > surest) {
            surest = s;
            best = &rows[i];
        }
    }
    return best;
}

static toll_status check_reads(const toll_input *in, const toll_format_row *row, toll_error *err)
{
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
        *row = row_named(format);
        if (!*row)
            return unknown_format(format, false, err);
        return check_reads(in, *row, err);
    }
    *row = row_for_content(in);
    if (*row)
        return check_reads(in, *row, err);
    toll_status status = toll_input_check(in, err);
    if (status)
        return status;
    size_t size;
    const uint8_t *data = toll_input_peek(in, SNIFF_SIZE, &size);
    if (size == 0)
        return toll_fail(err, TOLL_E_TRUNCATED, "%s: is empty; was the run cut short?",
                         toll_input_name(in));
    list_names(names, sizeof names, false);
    status = toll_explain_content(toll_input_name(in), data, size < SNIFF_SIZE ? size : SNIFF_SIZE,
                                  names, err);
    if (status)
        return status;
    /* Damaged, it may be: the reader of what the name says will tell where. */
    const toll_format *named = toll_format_for_path(toll_input_name(in));
    *row = named ? row_named(named->name) : NULL;
    if (*row)
        return check_reads(in, *row, err);
    return toll_fail(err, TOLL_E_UNKNOWN_FORMAT,
                     "%s: the content is of no format known here; say which with --from: %s",
                     toll_input_name(in), names);
}

/* A byte order mark says nothing in UTF-8, and is no part of a name. */
static void skip_mark(toll_input *in)
{
    size_t size;
    const uint8_t *data = toll_input_peek(in, 3, &size);
    if (size >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0)
        toll_input_skip(in, 3);
}

toll_status toll_profile_read(toll_input *in, const char *format,
                              const toll_format_options *options, toll_timeline **timeline,
                              toll_profile **out, toll_error *err)
{
    static const toll_format_options none = { 0 };
    const toll_format_row *row;
    toll_read_job job = { .in = in,
                          .options = options ? options : &none,
                          .want_timeline = timeline != NULL };
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (timeline)
        *timeline = NULL;
    skip_mark(in);
    toll_status status = find_reader(in, format, &row, err);
    if (!status)
        status = row->read(&job, err);
    if (status)
        return status;
    *out = job.profile;
    if (timeline)
        *timeline = job.timeline;
    return TOLL_OK;
}

/* --- writing -----------------------------------------------------------------------------------*/

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

/* What the profile holds, in TOLL_KEEPS_* terms. */
static unsigned needs_of(const toll_profile *p)
{
    unsigned needs = 0;
    uint32_t threads = toll_profile_thread_count(p);
    if (toll_profile_column_count(p) > 1)
        needs |= TOLL_KEEPS_COLUMNS;
    if (threads > 1 || (threads == 1 && *toll_profile_thread_name(p, 0) &&
                        strcmp(toll_profile_thread_name(p, 0), "main") != 0))
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

static void warn_left_out(const toll_format *format, const toll_write_job *job)
{
    unsigned lost = needs_of(job->profile) & ~format->keeps;
    char what[400];
    size_t used = 0;
#define LEFT_OUT(...)                                                                              \
    used += (size_t)snprintf(what + used, sizeof what - used, "%s", used ? ", " : ""),             \
        used += (size_t)snprintf(what + used, sizeof what - used, __VA_ARGS__)
    if (lost & TOLL_KEEPS_COLUMNS)
        LEFT_OUT("%u other value types (--value chooses)",
                 toll_profile_column_count(job->profile) - 1);
    if (lost & TOLL_KEEPS_THREADS)
        LEFT_OUT("names of %u threads", toll_profile_thread_count(job->profile));
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
                         "format %s tells the order in time, which this profile does not have; "
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
    if (!status)
        status = toll_check_stacks_size(&row->info, job, err);
    if (status)
        return status;
    toll_error unwanted;
    warn_left_out(&row->info, job);
    return row->write(job, err ? err : &unwanted);
}

toll_value_type toll_chosen_axis(const toll_write_job *job, bool *is_second)
{
    toll_value_type second;
    const char *value = job->options->value;
    *is_second = value && toll_timeline_second_axis(job->timeline, &second) &&
                 strcmp(second.type, value) == 0;
    return *is_second ? second : toll_timeline_axis(job->timeline);
}

static toll_status find_writer(const char *format, const toll_format_row **row, toll_error *err)
{
    *row = row_named(format);
    if (!*row)
        return unknown_format(format, true, err);
    if (!(*row)->write)
        return toll_fail(err, TOLL_E_UNSUPPORTED, "format %s can only be read", format);
    return TOLL_OK;
}

/* Does every leaf, frame and thread hold something? Then a pruned copy would be the same. Without
 * memory to find out the answer is no, and making the copy will say so. */
static bool is_pruned(const toll_profile *p)
{
    const toll_mem *mem = toll_profile_mem(p);
    uint32_t nodes = toll_profile_node_count(p), frames = toll_profile_frame_count(p), met = 0;
    uint8_t *is_parent = toll_mem_new(mem, (size_t)nodes + 1, 1);
    uint8_t *is_met = toll_mem_new(mem, (size_t)frames + 1, 1);
    bool pruned = is_parent && is_met;
    for (uint32_t n = nodes; pruned && n-- > 0;) { /* children come before their parents */
        toll_frame_id frame = toll_profile_node_frame(p, n);
        bool holds = is_parent[n];
        for (uint32_t c = 0; !holds && c < toll_profile_column_count(p); c++)
            holds = toll_profile_self(p, n, c) != 0;
        pruned = holds;
        if (frame != TOLL_NONE) {
            is_parent[toll_profile_parent(p, n)] = 1;
            met += !is_met[frame];
            is_met[frame] = 1;
        }
    }
    toll_mem_free(mem, is_parent, (size_t)nodes + 1, 1);
    toll_mem_free(mem, is_met, (size_t)frames + 1, 1);
    return pruned && met == frames;
}

toll_status toll_profile_write(const toll_profile *profile, const toll_timeline *timeline,
                               const char *format, const toll_format_options *options,
                               toll_output *out, toll_error *err)
{
    static const toll_format_options none = { 0 };
    const toll_format_row *row;
    toll_write_job job = {
        .profile = profile, .timeline = timeline, .options = options ? options : &none, .out = out
    };
    toll_profile *pruned = NULL;
    if (!format || !out)
        return toll_fail_null(err, out ? "format" : "out");
    toll_status status = find_writer(format, &row, err);
    if (!status && !is_pruned(profile))
        status = toll_profile_prune(profile, &pruned, err);
    if (status)
        return status;
    if (pruned)
        job.profile = pruned;
    status = write_row(row, &job, err);
    toll_profile_free(pruned);
    return status;
}

/* The name says so, or does not say otherwise. */
static bool is_compressed(const toll_format_row *row, const char *path)
{
    return ends_with(path, ".gz") || (row->gzip && !ends_with(path, ".pb"));
}

toll_status toll_profile_save(const toll_profile *profile, const toll_timeline *timeline,
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
        list_names(names, sizeof names, true);
        return toll_fail(err, TOLL_E_UNKNOWN_FORMAT,
                         "%.200s: the name tells no format; end it in .pb.gz, .speedscope.json, "
                         ".folded, ... or say which with --to: %s",
                         path, names);
    }
    toll_status status = find_writer(f ? f->name : format, &row, err);
    if (!status)
        status =
            toll_output_open(toll_profile_mem(profile), path, is_compressed(row, path), &out, err);
    if (status)
        return status;
    status = toll_profile_write(profile, timeline, row->info.name, options, out, err);
    if (!status)
        status = toll_output_commit(out, err);
    toll_output_free(out);
    return status;
}
