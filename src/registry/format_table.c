/* format_table.c - see format_table.h. */
#include "registry/format_table.h"

#include "base/os.h"
#include "base/text.h"
#include "heapsites/emscripten.h"
#include "report/flame_svg.h"
#include "page/page_row.h"
#include "solana/solana.h"
#include "supcom/supcom.h"

#include <stdio.h>
#include <string.h>

static const char *const pprof_extensions[] = { ".pb.gz", ".pprof", ".pb", NULL };
static const char *const speedscope_extensions[] = { ".speedscope.json", ".json", NULL };
static const char *const perfview_extensions[] = { ".PerfView.json", ".perfview.json", NULL };
static const char *const chrome_extensions[] = { ".trace.json", NULL };
static const char *const perfetto_extensions[] = { ".pftrace", ".perfetto-trace", NULL };
static const char *const timeline_extensions[] = { ".toll-timeline", NULL };
static const char *const folded_extensions[] = { ".folded", ".collapsed", ".txt", NULL };
#if TOLL_HAVE_SOLANA
static const char *const solana_extensions[] = { ".log", NULL };
static const char *const folder_extensions[] = { NULL };
#endif
#if TOLL_HAVE_SUPCOM
static const char *const supcom_extensions[] = { ".sclog", NULL };
#endif
static const char *const callgrind_extensions[] = { ".callgrind", NULL };
static const char *const emscripten_extensions[] = { ".emscripten.json", NULL };
static const char *const html_extensions[] = { ".html", ".htm", NULL };
static const char *const svg_extensions[] = { ".svg", NULL };

/* If content fits two formats, the one that comes first here is preferred. */
static const toll_format_row rows[] = {
    { .info = { .name = "pprof",
                .title = "pprof (go tool pprof, Pyroscope, Grafana, speedscope): the native format",
                .extensions = pprof_extensions,
                .keeps = TOLL_KEEPS_PLACES | TOLL_KEEPS_COLUMNS | TOLL_KEEPS_THREADS |
                         TOLL_KEEPS_SOURCE | TOLL_KEEPS_KIND | TOLL_KEEPS_NOTES |
                         TOLL_KEEPS_NEGATIVE | TOLL_KEEPS_UNITS | TOLL_KEEPS_CONTEXT,
                .reads = 1,
                .writes = 1 },
      .gzip = 1,
      .repeats_stacks = 1,
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
      .repeats_stacks = 1,
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
    { .info = { .name = "perfetto",
                .title = "Perfetto's own traces, from a timeline",
                .extensions = perfetto_extensions,
                .keeps = TOLL_KEEPS_THREADS | TOLL_KEEPS_SOURCE | TOLL_KEEPS_CONTEXT |
                         TOLL_KEEPS_ORDER | TOLL_KEEPS_UNITS,
                .writes = 1,
                .needs_timeline = 1 },
      .sniff = toll_perfetto_sniff,
      .write = toll_perfetto_write },
    { .info = { .name = "timeline",
                .title = "Toll's timelines: every call in order, on the disk while a program runs",
                .extensions = timeline_extensions,
                .keeps = TOLL_KEEPS_THREADS | TOLL_KEEPS_SOURCE | TOLL_KEEPS_KIND |
                         TOLL_KEEPS_NOTES | TOLL_KEEPS_CONTEXT | TOLL_KEEPS_ORDER |
                         TOLL_KEEPS_UNITS,
                .reads = 1,
                .writes = 1,
                .needs_timeline = 1 },
      .sniff = toll_timeline_format_sniff,
      .read = toll_timeline_format_read,
      .write = toll_timeline_format_write },
#if TOLL_HAVE_SOLANA
    { .info = { .name = "solana",
                .title = "logs of Solana programs, as text or as RPC answers in JSON",
                .extensions = solana_extensions,
                .keeps =
                    TOLL_KEEPS_COLUMNS | TOLL_KEEPS_KIND | TOLL_KEEPS_UNITS | TOLL_KEEPS_CONTEXT,
                .reads = 1 },
      .options = "solana",
      .sniff = toll_solana_sniff,
      .read = toll_solana_read },
#endif
#if TOLL_HAVE_SUPCOM
    { .info = { .name = "supcom",
                .title = "logs of Supreme Commander with the lines of hosts/supcom/profiler.lua",
                .extensions = supcom_extensions,
                .keeps = TOLL_KEEPS_COLUMNS | TOLL_KEEPS_THREADS | TOLL_KEEPS_SOURCE |
                         TOLL_KEEPS_KIND | TOLL_KEEPS_CONTEXT,
                .reads = 1 },
      .options = "supcom",
      .sniff = toll_supcom_sniff,
      .read = toll_supcom_read },
#endif
    { .info = { .name = "folded",
                .title = "folded stacks, one a line (flamegraph.pl, inferno, speedscope)",
                .extensions = folded_extensions,
                .keeps = TOLL_KEEPS_CONTEXT | TOLL_KEEPS_NEGATIVE,
                .reads = 1,
                .writes = 1 },
      .repeats_stacks = 1,
      .sniff = toll_folded_sniff,
      .options = "folded",
      .read = toll_folded_read,
      .write = toll_folded_write },
    { .info = { .name = "callgrind",
                .title = "callgrind (KCachegrind, callgrind_annotate)",
                .extensions = callgrind_extensions,
                .keeps = TOLL_KEEPS_COLUMNS | TOLL_KEEPS_SOURCE | TOLL_KEEPS_PLACES,
                .writes = 1 },
      .sniff = toll_callgrind_sniff,
      .write = toll_callgrind_write },
    { .info = { .name = "html",
                .title = "a page for browsers, with all stacks, in one file (toll view)",
                .extensions = html_extensions,
                .keeps = TOLL_KEEPS_PLACES | TOLL_KEEPS_COLUMNS | TOLL_KEEPS_THREADS |
                         TOLL_KEEPS_SOURCE | TOLL_KEEPS_KIND | TOLL_KEEPS_NOTES |
                         TOLL_KEEPS_NEGATIVE | TOLL_KEEPS_UNITS | TOLL_KEEPS_CONTEXT,
                .writes = 1 },
      .sniff = toll_html_sniff,
      .write = toll_html_write },
    { .info = { .name = "svg",
                .title =
                    "a flame graph as a small picture, for READMEs (what it leaves out it says)",
                .extensions = svg_extensions,
                .keeps = TOLL_KEEPS_THREADS | TOLL_KEEPS_CONTEXT | TOLL_KEEPS_UNITS,
                .writes = 1 },
      .sniff = toll_svg_sniff,
      .write = toll_svg_write },
    { .info = { .name = "emscripten",
                .title = "Emscripten's heap profiler: emscriptenMemoryProfiler as JSON",
                .extensions = emscripten_extensions,
                .keeps =
                    TOLL_KEEPS_COLUMNS | TOLL_KEEPS_THREADS | TOLL_KEEPS_UNITS | TOLL_KEEPS_CONTEXT,
                .reads = 1 },
      .sniff = toll_emscripten_sniff,
      .read = toll_emscripten_read },
#if TOLL_HAVE_SOLANA
    { .info = { .name = "sbf-trace",
                .title = "a folder of register traces of Solana programs (SBF_TRACE_DIR)",
                .extensions = folder_extensions,
                .keeps = TOLL_KEEPS_COLUMNS | TOLL_KEEPS_SOURCE | TOLL_KEEPS_KIND |
                         TOLL_KEEPS_NOTES | TOLL_KEEPS_UNITS | TOLL_KEEPS_CONTEXT,
                .reads = 1 },
      .options = "solana",
      .sniff_folder = toll_sbf_sniff_folder,
      .read = toll_sbf_read },
#endif
};

enum { ROW_COUNT = sizeof rows / sizeof *rows };

const toll_format *toll_format_at(unsigned i)
{
    return i < ROW_COUNT ? &rows[i].info : NULL;
}

const toll_format_row *toll_format_row_at(unsigned i)
{
    return i < ROW_COUNT ? &rows[i] : NULL;
}

const toll_format_row *toll_format_row_named(const char *name)
{
    for (unsigned i = 0; name && i < ROW_COUNT; i++)
        if (strcmp(rows[i].info.name, name) == 0)
            return &rows[i];
    return NULL;
}

const toll_format *toll_format_named(const char *name)
{
    const toll_format_row *row = toll_format_row_named(name);
    return row ? &row->info : NULL;
}

/* The longest matching extension decides: x.trace.json is chrome, x.json is not. */
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
    const char *name = toll_os_file_name(path);
    size_t size = strlen(name);
    const toll_format *format = format_of_name(name, size);
    return format || !toll_text_ends_with(name, ".gz") ? format : format_of_name(name, size - 3);
}

void toll_format_list_names(char *text, size_t size, bool writing)
{
    size_t used = 0;
    *text = 0;
    for (unsigned i = 0; i < ROW_COUNT && used < size; i++)
        if (writing ? rows[i].info.writes : rows[i].info.reads)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "",
                                     rows[i].info.name);
}

toll_status toll_format_unknown(const char *name, bool writing, toll_error *err)
{
    char names[200];
    toll_format_list_names(names, sizeof names, writing);
    return toll_fail(err, TOLL_E_UNKNOWN_FORMAT, "no format is called '%.100s'; there are %s", name,
                     names);
}
