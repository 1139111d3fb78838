/* cmd_instrument.c - toll instrument: makes a WebAssembly module report its calls and ticks. */
#include "command.h"
#include "cost_table.h"

#include <stdio.h>
#include <string.h>

static void print_warning(void *job, const char *text)
{
    toll_job_warn(job, "%s", text);
}

/* Get where a function is defined, for its frames in profiles. */
static const char *define(void *debug, uint32_t function, uint64_t address, uint32_t *line)
{
    toll_debug_function found;
    (void)function;
    if (!toll_debug_find_function(debug, address, &found) || !*found.file)
        return NULL;
    *line = found.line;
    return found.file;
}

/* Open the module's debug information: *debug, or NULL if there is none that can be read, which
 * does not prevent instrumentation. What is wrong with the module itself is reported then. Without
 * memory this fails: the module must not depend on the available memory. */
static toll_status open_debug(toll_job *job, const char *path, toll_debug **debug, toll_error *err)
{
    toll_error unread = { TOLL_OK, "" };
    *debug = NULL;
    if (strcmp(path, "-") == 0)
        return TOLL_OK;
    if (toll_debug_open(&job->allocator, path, debug, &unread) != TOLL_E_NOMEM)
        return TOLL_OK;
    *err = unread;
    return unread.status;
}

static toll_status instrument(toll_job *job, toll_input *in, const toll_wasm_costs *costs,
                              toll_debug *debug, toll_error *err)
{
    const toll_settings *s = job->settings;
    const toll_wasm_options options = { .size = sizeof options,
                                        .only = s->only,
                                        .skip = s->skip,
                                        .calls_only = s->no_ticks,
                                        .heap = s->heap,
                                        .lines = s->lines || s->call_lines,
                                        .call_lines = s->call_lines   ? 1
                                                      : s->call_kinds ? 2
                                                                      : 0,
                                        .no_calls = s->no_calls,
                                        .costs = costs,
                                        .max_depth = s->depth.value,
                                        .warn = print_warning,
                                        .warn_user = job,
                                        .define = debug ? define : NULL,
                                        .define_user = debug };
    toll_output *out;
    toll_status status = toll_output_open(&job->allocator, s->output, 0, &out, err);
    if (status)
        return status;
    toll_output_set_sync(out, !s->format.no_sync);
    status = toll_wasm_instrument(&job->allocator, in, &options, out, err);
    if (!status)
        status = toll_output_commit(out, err);
    toll_output_free(out);
    return status;
}

int toll_cmd_instrument(toll_settings *s, int argc, char **argv)
{
    toll_job job;
    toll_error err = { TOLL_OK, "" };
    toll_input *in;
    toll_wasm_costs *costs;
    if (argc != 1)
        return toll_complain(TOLL_EXIT_USAGE, "instrument: %s",
                             argc ? "one module at a time" : "which module?");
    if (!s->output)
        return toll_complain(TOLL_EXIT_USAGE, "instrument: where to? say -o FILE");
    if (s->call_lines && s->call_kinds)
        return toll_complain(TOLL_EXIT_USAGE,
                             "instrument: calls have lines or kinds; leave out one "
                             "of --call-lines and --call-kinds");
    toll_job_begin(&job, s);
    toll_status status = toll_choose_costs(&job, &costs, &err);
    if (!status && s->costs && !costs)
        return toll_complain(TOLL_EXIT_BAD_INPUT,
                             "%s: prices system calls of register traces; for a module name a file "
                             "of lines NAME COST, or a table: instructions, fuel or pvm",
                             s->costs);
    if (!status)
        status = toll_input_open(&job.allocator, argv[0], &in, &err);
    if (!status) {
        toll_debug *debug;
        status = open_debug(&job, argv[0], &debug, &err);
        if (!status)
            status = instrument(&job, in, costs, debug, &err);
        toll_debug_free(debug);
        toll_input_free(in);
    }
    toll_wasm_costs_free(costs);
    return status ? toll_job_fail(&job, &err) : TOLL_EXIT_OK;
}
