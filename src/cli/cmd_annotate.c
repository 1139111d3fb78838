/* cmd_annotate.c - toll annotate: prints what each line cost, beside its source. */
#include "command.h"
#include "comparison.h"
#include "cost_table.h"
#include "debug_files.h"
#include "job.h"
#include "source_files.h"

#include "base/os.h"

#include <string.h>

enum { FUNCTIONS = 5 };

/* Is the operand a second profile, not a function or file of the first? Yes if its name has a
 * profile's extension, or if it is a folder, or compressed, as profiles often are and sources
 * never. */
static bool is_profile(const char *path)
{
    unsigned char magic[2];
    toll_os_info info;
    if (toll_format_for_path(path))
        return true;
    int fd = toll_os_open_to_read(path, &info);
    if (fd < 0)
        return toll_os_look(path, &info) && info.kind == TOLL_OS_FOLDER;
    bool compressed = info.kind == TOLL_OS_REGULAR && toll_os_read(fd, magic, 2) == 2 &&
                      magic[0] == 0x1f && magic[1] == 0x8b;
    toll_os_close(fd);
    return compressed;
}

/* The data to print. */
typedef struct annotated {
    const char *path; /* path of the profile */
    const char *what;
    toll_profile *profile, *before;
    toll_assembly *assembly; /* NULL: print lines only */
    toll_debug_files
        debugs; /* programs that may have source maps; with instructions, all programs */
} annotated;

/* Tables for people fold small rows by default; --top and JSON only if asked to. */
static double threshold(const toll_settings *s)
{
    return s->threshold.is_set || s->json || s->top.is_set ? s->threshold.value : 0.001;
}

static int print(toll_job *job, const annotated *a)
{
    const toll_settings *s = job->settings;
    toll_output *out;
    toll_source_files files;
    toll_error err = { TOLL_OK, "" };
    int failed = toll_job_stdout(job, &out);
    if (failed)
        return failed;
    toll_status status =
        toll_source_files_begin(&files, job, a->profile, a->path, &a->debugs, &err);
    toll_report_options report = toll_job_report_options(job, s->json || a->what ? 0 : FUNCTIONS);
    toll_annotate_options o = {
        .size = sizeof o,
        .value = report.value,
        .what = a->what,
        .source = s->no_source ? NULL : toll_source_files_get,
        .source_user = &files,
        .source_origin = toll_source_files_origin,
        .rows = report.rows,
        .full = s->full,
        .color = report.color,
        .short_names = report.short_names,
        .instructions = a->assembly ? toll_assembly_instructions : NULL,
        .instructions_user = a->assembly,
        .threshold = threshold(s),
        .keep_outside = s->outside,
        .top = s->top.is_set && !s->top.value ? UINT32_MAX : s->top.value,
    };
    if (!status)
        status = s->json ? toll_report_annotate_json(a->profile, a->before, &o, out, &err)
                         : toll_report_annotate(a->profile, a->before, &o, out, &err);
    failed = toll_job_finish(job, out, status, &err);
    if (!failed)
        toll_source_files_warn(&files, NULL);
    toll_source_files_free(&files);
    return failed;
}

static int load(toll_job *job, const char *path, toll_profile **out, toll_debug_files *mapped)
{
    int failed = toll_job_load(job, path, NULL, out);
    return failed ? failed : toll_debug_files_apply(job, NULL, out, mapped);
}

/* Load both profiles of a comparison, or the only one. */
static int load_all(toll_job *job, annotated *a, const char *before)
{
    toll_comparison c = { .may_divide = false };
    job->origin = &c.before;
    int failed = before ? load(job, before, &a->before, NULL) : TOLL_EXIT_OK;
    job->origin = &c.after;
    if (!failed)
        failed = load(job, a->path, &a->profile, &a->debugs);
    job->origin = NULL;
    if (!failed && before)
        failed = toll_comparison_check(job, &c, toll_comparison_checks(job->settings, a->profile));
    toll_comparison_free(&c);
    return failed || !before ? failed : toll_job_align(job, &a->before, a->profile);
}

/* Instructions also need the profile as it was recorded, which has their addresses. */
static int print_with_assembly(toll_job *job, annotated *a)
{
    toll_wasm_costs *costs = NULL;
    toll_profile *recorded;
    toll_error err = { TOLL_OK, "" };
    int failed = toll_job_load(job, a->path, NULL, &recorded);
    if (!failed)
        failed = toll_debug_files_find(&a->debugs, job, recorded, a->path);
    if (!failed && toll_choose_costs(job, &costs, &err))
        failed = toll_job_fail(job, &err);
    if (!failed)
        failed = toll_debug_files_symbolize(&a->debugs, &a->profile);
    if (!failed)
        failed = toll_debug_files_assemble(&a->debugs, costs, a->profile, &a->assembly);
    if (!failed)
        failed = print(job, a);
    toll_assembly_free(a->assembly);
    toll_wasm_costs_free(costs);
    toll_profile_free(recorded);
    return failed;
}

int toll_cmd_annotate(toll_settings *s, int argc, char **argv)
{
    toll_job job;
    annotated a = { .path = NULL };
    if (argc < 1 || argc > 3)
        return toll_complain(TOLL_EXIT_USAGE, "annotate: IN [FUNCTION|FILE], or BEFORE AFTER "
                                              "[FUNCTION|FILE]");
    int failed = toll_source_files_check(s);
    if (failed)
        return failed;
    s->lines = 1;
    toll_job_begin(&job, s);
    if (s->top.is_set && (s->assembly || s->full || s->rows.is_set))
        return toll_complain(TOLL_EXIT_USAGE,
                             "annotate: --top says how many lines are listed, each "
                             "in one row; leave out --rows, --full and --asm");
    bool compares = argc == 3 || (argc == 2 && is_profile(argv[1]));
    a.path = argv[compares ? 1 : 0];
    a.what = argv[compares ? 2 : 1];
    if (compares && s->assembly)
        return toll_complain(TOLL_EXIT_USAGE,
                             "annotate: two builds have their instructions at other addresses, so "
                             "only lines can be compared; leave out --asm");
    if (s->assembly) {
        failed = print_with_assembly(&job, &a);
    } else {
        failed = load_all(&job, &a, compares ? argv[0] : NULL);
        if (!failed)
            failed = print(&job, &a);
    }
    toll_debug_files_free(&a.debugs);
    toll_profile_free(a.profile);
    toll_profile_free(a.before);
    return failed;
}
