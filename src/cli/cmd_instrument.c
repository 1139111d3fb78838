/* cmd_instrument.c - toll instrument: makes a WebAssembly module report its calls and ticks, or a
 * component record them. */
#include "command.h"
#include "cost_table.h"
#include "run.h"

#include "base/fail.h"
#include "base/input.h"

#include <stdio.h>
#include <string.h>

static void print_warning(void *job, const char *text)
{
    toll_job_warn(job, "%s", text);
}

/* Where the functions of the module at hand are defined, for their frames in profiles. */
typedef struct definitions {
    toll_job *job;
    toll_debug *debug; /* NULL: not known */
} definitions;

static const char *define(void *user, uint32_t function, uint64_t address, uint32_t *line)
{
    const definitions *d = user;
    toll_debug_function found;
    (void)function;
    if (!d->debug || !toll_debug_find_function(d->debug, address, &found) || !*found.file)
        return NULL;
    *line = found.line;
    return found.file;
}

/* Debug information that cannot be read does not prevent instrumentation. What is wrong with the
 * module itself is reported then. Without memory this fails: the module must not depend on the
 * available memory. */
static toll_status check_memory(toll_status status, const toll_error *unread, toll_error *err)
{
    if (status != TOLL_E_NOMEM)
        return TOLL_OK;
    *err = *unread;
    return status;
}

/* Of a file that is a module. */
static toll_status open_debug(definitions *d, const char *path, toll_error *err)
{
    toll_error unread = { TOLL_OK, "" };
    if (strcmp(path, "-") == 0)
        return TOLL_OK;
    return check_memory(toll_debug_open(&d->job->allocator, path, &d->debug, &unread), &unread,
                        err);
}

/* Of a module in a component. */
static toll_status begin_module(void *user, const char *name, const void *data, size_t size,
                                toll_error *err)
{
    definitions *d = user;
    toll_input *in;
    toll_error unread = { TOLL_OK, "" };
    toll_debug_free(d->debug);
    d->debug = NULL;
    toll_status status = toll_input_from_memory(&d->job->allocator, data, size, name, &in, err);
    if (status)
        return status;
    status = toll_debug_read_functions(&d->job->allocator, in, &d->debug, &unread);
    toll_input_free(in);
    return check_memory(status, &unread, err);
}

enum { COMPONENT_HEADER = 8 };

/* Does the input contain a component? */
static bool is_component(toll_input *in)
{
    size_t size;
    const uint8_t *begin = toll_input_peek(in, COMPONENT_HEADER, &size);
    return toll_wasm_is_component(begin, size) != 0;
}

/* A component contains toll.wasm, which records it. */
static toll_status instrument_component(toll_job *job, toll_input *in,
                                        const toll_wasm_options *options, toll_output *out,
                                        toll_error *err)
{
    char path[PATH_MAX];
    toll_input *recorder;
    const char *why = toll_run_find_recorder(path);
    if (why)
        return toll_fail(err, TOLL_E_NOT_FOUND, "%s: a component needs toll.wasm: %s",
                         toll_input_name(in), why);
    toll_status status = toll_input_open(&job->allocator, path, &recorder, err);
    if (status)
        return status;
    status = toll_wasm_instrument_component(&job->allocator, in, recorder, options, out, err);
    toll_input_free(recorder);
    return status;
}

static toll_status instrument(toll_job *job, toll_input *in, const toll_wasm_costs *costs,
                              const char *path, toll_error *err)
{
    definitions found = { job, NULL };
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
                                        .time = s->clock.place != 0, /* none wall */
                                        .warn = print_warning,
                                        .warn_user = job,
                                        .define = define,
                                        .define_user = &found,
                                        .begin_module = begin_module };
    toll_output *out;
    bool is_whole = is_component(in);
    if (options.time && !is_whole)
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "%s: is no component: the host of a module has the clock, such as toll "
                         "run; leave out --clock",
                         toll_input_name(in));
    toll_status status = toll_output_open(&job->allocator, s->output, 0, &out, err);
    if (status)
        return status;
    toll_output_set_sync(out, !s->format.no_sync);
    if (is_whole) {
        status = instrument_component(job, in, &options, out, err);
    } else {
        status = open_debug(&found, path, err);
        if (!status)
            status = toll_wasm_instrument(&job->allocator, in, &options, out, err);
    }
    toll_debug_free(found.debug);
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
                             "of lines NAME COST, or a table: instructions, fuel, pvm or cosmwasm",
                             s->costs);
    if (!status)
        status = toll_input_open(&job.allocator, argv[0], &in, &err);
    if (!status) {
        status = instrument(&job, in, costs, argv[0], &err);
        toll_input_free(in);
    }
    toll_wasm_costs_free(costs);
    return status ? toll_job_fail(&job, &err) : TOLL_EXIT_OK;
}
