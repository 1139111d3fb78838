/* instrument.c - reads a module and writes its instrumented form. See toll/wasm.h. */
#include "base/fail.h"
#include "base/sized_options.h"
#include "base/input.h"
#include "base/pattern.h"
#include "wasm/call_places.h"
#include "wasm/allocators.h"
#include "wasm/branch_hints.h"
#include "wasm/call_places.h"
#include "wasm/counters.h"
#include "wasm/long_instructions.h"
#include "wasm/pvm_costs.h"
#include "wasm/section_read.h"

#include <string.h>

/* --- which functions ---------------------------------------------------------------------------*/

/* Does the pattern match the function's name, either without or with its number
 * (function_names.h)? */
static bool matches(toll_pattern *pattern, const toll_wasm_names *names, uint32_t function,
                    toll_buffer *name)
{
    if (toll_pattern_matches(pattern, toll_wasm_plain_name(names, function)))
        return true;
    toll_buffer_clear(name);
    return toll_wasm_append_name(names, function, name) && toll_buffer_cstr(name) &&
           toll_pattern_matches(pattern, (const char *)name->data);
}

/* Clear followed[] for each function unless "its name matches the pattern `text`" equals
 * `wanted`. */
static toll_status select_by(toll_wasm_rewrite *w, const char *text, bool wanted, toll_error *err)
{
    toll_pattern *pattern;
    toll_buffer name;
    toll_status status = text ? toll_pattern_parse(&pattern, &w->mem, text, err) : TOLL_OK;
    if (!text || status)
        return status;
    toll_buffer_init(&name, &w->mem);
    for (uint32_t f = 0; f < w->module->function_count; f++)
        if (matches(pattern, &w->names, f, &name) != wanted)
            w->followed[f] = false;
    status = name.failed ? toll_fail_nomem(err) : toll_pattern_check(pattern, err);
    toll_buffer_free(&name);
    toll_pattern_free(pattern);
    return status;
}

const char toll_wasm_no_allocator[] = "no function is called malloc, free, operator new, "
                                      "__rust_alloc or the like: the heap will be empty";

/* Find the allocators. They are always followed: the host needs the stack to know which of them is
 * outermost. */
static void find_allocators(toll_wasm_rewrite *w)
{
    bool any = false;
    if (!w->options->heap)
        return;
    for (uint32_t f = w->module->imported_functions; f < w->module->function_count; f++) {
        const char *name = toll_wasm_plain_name(&w->names, f);
        w->allocators[f] = toll_wasm_find_allocator(w->module, f, name);
        if (w->allocators[f])
            any = w->followed[f] = true;
    }
    if (!any && w->options->warn)
        w->options->warn(w->options->warn_user, toll_wasm_no_allocator);
}

static toll_status choose_functions(toll_wasm_rewrite *w, toll_error *err)
{
    for (size_t f = 0; f < w->module->function_count; f++)
        w->followed[f] = true;
    toll_status status = select_by(w, w->options->only, true, err);
    if (!status)
        status = select_by(w, w->options->skip, false, err);
    if (!status)
        find_allocators(w);
    w->follows_all = true;
    for (size_t f = 0; f < w->module->function_count; f++) {
        w->counted[f] = w->followed[f];
        w->followed[f] &= !w->options->no_calls;
        w->follows_all &= w->followed[f];
    }
    for (uint32_t f = 0; f < w->module->imported_functions; f++)
        w->callers[f] = w->followed[f] ? w->caller_count++ : UINT32_MAX;
    return status;
}

/* --- the whole ---------------------------------------------------------------------------------*/

/* Rewrite the code. Repeat it if the first pass found something that changes all indices or all
 * counters. */
static toll_status rewrite_code(toll_wasm_rewrite *w, toll_error *err)
{
    bool again = false;
    w->hooks = w->options->no_calls ? 0
               : w->options->heap   ? TOLL_WASM_HOOKS
               : w->times_long      ? TOLL_WASM_SETTLE + 1
                                    : TOLL_WASM_SETTLE;
    toll_status status = toll_wasm_rewrite_code(w, err);
    if (w->catches && w->hooks < TOLL_WASM_ALLOCATING) {
        w->hooks = TOLL_WASM_ALLOCATING; /* three more */
        again = true;
    }
    if (toll_wasm_are_many(w))
        w->counts_in_memory = again = true;
    return !status && again ? toll_wasm_rewrite_code(w, err) : status;
}

bool toll_wasm_begin_rewrite(toll_wasm_rewrite *w)
{
    const toll_wasm_module *m = w->module;
    toll_buffer_init(&w->body, &w->mem);
    toll_buffer_init(&w->header, &w->mem);
    toll_buffer_init(&w->segment, &w->mem);
    toll_buffer_init(&w->code, &w->mem);
    w->followed = toll_mem_new(&w->mem, m->function_count + 1, sizeof *w->followed);
    w->counted = toll_mem_new(&w->mem, m->function_count + 1, sizeof *w->counted);
    w->allocators = toll_mem_new(&w->mem, m->function_count + 1, sizeof *w->allocators);
    w->callers = toll_mem_new(&w->mem, m->imported_functions + 1, sizeof *w->callers);
    w->blocks = toll_mem_new(&w->mem, m->type_count + 1, sizeof *w->blocks);
    if (!w->followed || !w->counted || !w->allocators || !w->callers || !w->blocks)
        return false;
    memset(w->counted, true, m->function_count * sizeof *w->counted);
    memset(w->callers, 0xff, m->imported_functions * sizeof *w->callers);
    memset(w->blocks, 0xff, m->type_count * sizeof *w->blocks);
    toll_wasm_find_forms(w);
    toll_wasm_pvm_prepare(w);
    toll_wasm_prepare_long(w);
    return toll_wasm_read_hints(w);
}

void toll_wasm_end_rewrite(toll_wasm_rewrite *w)
{
    const toll_wasm_module *m = w->module;
    toll_mem_free(&w->mem, w->followed, m->function_count + 1, sizeof *w->followed);
    toll_mem_free(&w->mem, w->counted, m->function_count + 1, sizeof *w->counted);
    toll_mem_free(&w->mem, w->allocators, m->function_count + 1, sizeof *w->allocators);
    toll_mem_free(&w->mem, w->callers, m->imported_functions + 1, sizeof *w->callers);
    toll_mem_free(&w->mem, w->blocks, m->type_count + 1, sizeof *w->blocks);
    toll_mem_free(&w->mem, w->results, w->result_capacity, sizeof *w->results);
    toll_mem_free(&w->mem, w->stretches, w->stretch_capacity, sizeof *w->stretches);
    toll_mem_free(&w->mem, w->calls, w->call_capacity, sizeof *w->calls);
    toll_mem_free(&w->mem, w->hints, w->hint_capacity, sizeof *w->hints);
    toll_wasm_names_free(&w->names);
    toll_wasm_free_labels(w);
    toll_buffer_free(&w->body);
    toll_buffer_free(&w->header);
    toll_buffer_free(&w->segment);
    toll_buffer_free(&w->code);
}

static toll_status instrument(toll_wasm_rewrite *w, toll_output *out, toll_error *err)
{
    toll_status status = toll_wasm_begin_rewrite(w)
                             ? toll_wasm_names_read(&w->names, w->module, err)
                             : toll_fail_nomem(err);
    if (!status)
        status = choose_functions(w, err);
    if (!status)
        status = rewrite_code(w, err);
    if (!status)
        status = toll_wasm_rewrite_sections(w, out, err);
    toll_wasm_end_rewrite(w);
    return status;
}

/* Refuse a module that is instrumented already, or looks like it: its events would mix with
 * ours. */
static toll_status check_new(const toll_wasm_module *m, toll_error *err)
{
    if (toll_wasm_find_custom(m, TOLL_WASM_SECTION))
        return toll_fail(err, TOLL_E_UNSUPPORTED, "%s: was instrumented before", m->path);
    if (toll_wasm_imports_from(m, "toll"))
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "%s: has imports from a module \"toll\" of its own", m->path);
    return TOLL_OK;
}

static toll_status check_numbers(const toll_wasm_module *m, const toll_wasm_options *o,
                                 toll_error *err)
{
    if (o->linked && (o->first_function > TOLL_WASM_MOST_LINKED - m->function_count ||
                      o->first_call > TOLL_WASM_MOST_LINKED))
        return toll_fail(err, TOLL_E_LIMIT,
                         "%s: linked modules have at most %d functions and calls", m->path,
                         TOLL_WASM_MOST_LINKED);
    return TOLL_OK;
}

static toll_status instrument_bytes(const toll_mem *mem, const char *name,
                                    const toll_wasm_bytes *bytes, const toll_wasm_options *options,
                                    toll_output *out, toll_error *err)
{
    toll_wasm_module module;
    toll_wasm_rewrite w = { .mem = *mem, .module = &module, .options = options };
    if (options->costs)
        w.costs = *options->costs;
    else
        toll_wasm_costs_set(&w.costs, TOLL_WASM_INSTRUCTIONS);
    toll_status status = toll_wasm_module_read(&module, mem, name, bytes->data, bytes->size, err);
    if (!status)
        status = check_new(&module, err);
    if (!status)
        status = check_numbers(&module, options, err);
    if (!status)
        status = instrument(&w, out, err);
    toll_wasm_module_free(&module);
    return status;
}

/* Refuse options that exclude one another, and set the options that follow from others. */
static toll_status complete_options(toll_wasm_options *o, toll_error *err)
{
    if (o->no_calls && o->heap)
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "the heap is reported by calls: heap and no_calls exclude one another");
    if (o->no_calls && o->calls_only && !o->lines)
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "neither calls, ticks nor lines: there is nothing to count");
    if (o->no_calls && o->call_lines)
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "call_lines says where calls are, and no_calls that there are none: they "
                         "exclude one another");
    if (o->call_lines > TOLL_WASM_CALL_KINDS)
        return toll_fail(err, TOLL_E_ARGUMENT, "call_lines is 0, 1 or 2, not %d", o->call_lines);
    if (o->lines && o->costs && o->costs->is_pvm)
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "the PVM's costs depend on which branches are taken, so they cannot be "
                         "divided among lines: lines and costs of pvm exclude one another");
    if (o->linked && o->costs && o->costs->is_pvm)
        return toll_fail(
            err, TOLL_E_ARGUMENT,
            "costs of pvm are those of a kernel, which is one module: not of a component "
            "or other linked modules");
    if (!o->linked)
        o->first_function = o->first_call = 0;
    o->calls_only |= o->no_calls && o->lines;
    return TOLL_OK;
}

toll_status toll_wasm_instrument(const toll_allocator *allocator, toll_input *in,
                                 const toll_wasm_options *options, toll_output *out,
                                 toll_error *err)
{
    toll_wasm_options own;
    toll_mem mem = toll_mem_from(allocator);
    toll_buffer buffer;
    toll_wasm_bytes bytes;
    if (!out)
        return toll_fail_null(err, "out");
    toll_status status = toll_options_copy(&own, sizeof own, options, "toll_wasm_options", err);
    if (!status)
        status = complete_options(&own, err);
    if (status)
        return status;
    toll_buffer_init(&buffer, &mem);
    status = toll_input_whole(in, &buffer, &bytes.data, &bytes.size, err);
    if (!status)
        status = instrument_bytes(&mem, toll_input_name(in), &bytes, &own, out, err);
    toll_buffer_free(&buffer);
    return status;
}
