/* run_view.c - toll run --view: opens the page of a run in the browser after the run. See run.h. */
#include "command.h"
#include "path_programs.h"
#include "run.h"
#include "view.h"

#include "base/os.h"
#include "base/text.h"

#include <string.h>

bool toll_run_writes_page(const toll_run *run)
{
    return strcmp(run->format->name, "html") == 0;
}

const char *toll_run_page_timeline(const toll_run *run)
{
    if (!*run->timeline || run->timeline_format->reads)
        return *run->timeline ? run->timeline : NULL;
    if (!run->settings->quiet)
        toll_tell("warning: ", "the page has no order in time, since it cannot be read from that "
                               "file; end its name in .toll-timeline");
    return NULL;
}

/* Find the program among the run's operands: a module, a script, or an interpreter's argument. */
static const char *script_of(const toll_run *run)
{
    const char *name = toll_os_file_name(run->argv[0]);
    bool is_interpreter = strncmp(name, "lua", 3) == 0 && !toll_text_ends_with(name, ".lua");
    for (int i = is_interpreter; i < run->argc; i++)
        if (toll_os_is_file(run->argv[i]))
            return run->argv[i];
    return NULL;
}

/* Open the page that the run wrote; or read its profile and make a page. Of the settings, only
 * those about pages are used: the others applied to the run. */
static int view(const toll_run *run, void *user)
{
    const toll_settings *s = user;
    if (toll_run_writes_page(run)) {
        toll_view_open(s, run->output);
        return TOLL_EXIT_OK;
    }
    toll_settings page = {
        .format = s->format,
        .from = run->format->name,
        .max_memory = s->max_memory,
        .quiet = s->quiet,
        .timeline = toll_run_page_timeline(run),
        .script = script_of(run),
        .debugs = s->debugs, /* a module with a source map, which may have the source */
        .no_source = s->no_source,
        .source_outside = s->source_outside,
        .no_confine = 1, /* a program has already run in this session */
    };
    char path[PATH_MAX], *paths[] = { path };
    strcpy(path, run->output);
    return toll_view(&page, 1, paths, stderr);
}

int toll_run_plan_view(toll_run *run, toll_settings *s)
{
    if (!toll_run_writes_page(run) && !run->format->reads)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: --view reads the profile, and %s files can only be written; end "
                             "the name after -o in .pb.gz, or in .html",
                             run->format->name);
    if (s->kernel)
        return toll_complain(TOLL_EXIT_USAGE, "run: --view shows one profile, and a kernel's run "
                                              "writes one for each level; toll view");
    run->written = view;
    run->written_user = s;
    return -1;
}
