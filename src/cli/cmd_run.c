/* cmd_run.c - toll run: profiles a program from its first call to its end. See run.h. */
#include "command.h"
#include "run.h"

/* An option on the command line that is only for kernels; NULL: there is none. */
static const char *option_of_kernels(const toll_settings *s)
{
    for (unsigned i = 0; i < toll_option_count; i++)
        if (toll_options[i].is_kernel_alone && toll_option_value(&toll_options[i], s, 0))
            return toll_options[i].name;
    return NULL;
}

/* A profile has a start time: an exit status after a message if it cannot be known, else -1. */
static int check_start_time(void)
{
    int64_t start;
    toll_error err = { TOLL_OK, "" };
    if (toll_start_time(&start, &err))
        return toll_complain(TOLL_EXIT_USAGE, "run: %s", err.text);
    return -1;
}

int toll_cmd_run(toll_settings *s, int argc, char **argv)
{
    toll_run run = { .settings = s, .argc = argc, .argv = argv };
    if (argc == 0)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: which program? toll run script.lua, toll run app.wasm");
    const char *of_kernels = s->kernel ? NULL : option_of_kernels(s);
    if (of_kernels)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: --%s is for a smart rollup's kernel: say --kernel, too",
                             of_kernels);
    s->lines |= s->call_lines;
    int status = toll_run_choose_outputs(&run);
    if (status < 0 && s->view)
        status = toll_run_plan_view(&run, s);
    if (status < 0)
        status = toll_run_set_labels(s);
    if (status < 0)
        status = check_start_time();
    if (status >= 0)
        return status;
    if (!s->kernel && !toll_run_is_wasm(argv[0])) /* a kernel's file may also be hex */
        return toll_run_lua(&run);
    /* toll.wasm cannot write a page. So the page is made from what the run recorded. */
    bool is_page = toll_run_writes_page(&run);
    if (is_page && s->kernel)
        return toll_complain(TOLL_EXIT_USAGE,
                             "run: a kernel's run writes a profile for each level; "
                             "end the name in .pb.gz, then toll view");
    return s->lines || is_page ? toll_run_wasm_lines(&run, s) : toll_run_wasm(&run);
}
