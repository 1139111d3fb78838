/* symbolize_stretches.c - the instructions of stretches. See symbolizer.h.
 *
 * A function is decoded as a whole. A profile may have the stretches of several functions in any
 * order, so they are sorted by address first: then each function is decoded once. */
#include "base/array.h"
#include "debug/code_file.h"
#include "debug/symbolizer.h"

#include <stdlib.h>
#include <string.h>

bool toll_symbolizer_has_stretches(const toll_symbolizer *s, size_t file)
{
    return s->debugs[file]->module.size && toll_debug_gives(s->debugs[file]) & TOLL_DEBUG_LINES;
}

bool toll_symbolizer_has_run(const toll_symbolizer *s, toll_node_id node)
{
    return s->executions != TOLL_NONE && toll_profile_self(s->in, node, s->executions) != 0;
}

int64_t toll_symbolizer_kept(const toll_symbolizer *s, toll_node_id node)
{
    return s->kept_blocks == TOLL_NONE ? 0 : toll_profile_self(s->in, node, s->kept_blocks);
}

/* --- which ones --------------------------------------------------------------------------------*/

static toll_status add_stretch(toll_symbolizer *s, toll_frame_id frame, uint64_t address)
{
    if (!toll_array_grow(&s->mem, &s->stretches, &s->stretch_capacity, s->stretch_count, 1))
        return toll_fail_nomem(s->err);
    s->stretch_of[frame] = (uint32_t)s->stretch_count;
    s->stretches[s->stretch_count++] =
        (toll_symbolizer_stretch){ .address = address, .file = s->files[frame], .frame = frame };
    return TOLL_OK;
}

static int by_file_and_address(const void *left, const void *right)
{
    const toll_symbolizer_stretch *a = left, *b = right;
    if (a->file != b->file)
        return a->file < b->file ? -1 : 1;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    return (a->frame > b->frame) - (a->frame < b->frame);
}

static toll_status find_stretches(toll_symbolizer *s)
{
    toll_status status = TOLL_OK;
    for (toll_node_id n = 0; !status && n < toll_profile_node_count(s->in); n++) {
        toll_frame_id f = toll_profile_node_frame(s->in, n);
        if (f == TOLL_NONE || s->files[f] == SIZE_MAX || s->stretch_of[f] != TOLL_NONE ||
            !(toll_symbolizer_has_run(s, n) || (s->wants_again && toll_symbolizer_kept(s, n))))
            continue;
        uint64_t address = toll_profile_frame(s->in, f).at_address;
        if (address && toll_symbolizer_has_stretches(s, s->files[f]))
            status = add_stretch(s, f, address);
    }
    if (s->stretch_count)
        qsort(s->stretches, s->stretch_count, sizeof *s->stretches, by_file_and_address);
    for (size_t i = 0; i < s->stretch_count; i++)
        s->stretch_of[s->stretches[i].frame] = (uint32_t)i;
    return status;
}

/* --- their instructions ------------------------------------------------------------------------*/

/* A module, and the function of it that was decoded last. */
typedef struct decoder {
    toll_wasm_module module;
    toll_wasm_stretches *stretches;
    uint32_t function; /* UINT32_MAX: none */
    const toll_wasm_step *steps;
    size_t count;
} decoder;

/* Have the instructions of the function around `address`; none: there is no such function. */
static toll_status decode(decoder *d, uint64_t address, toll_error *err)
{
    uint32_t function = toll_wasm_function_at(&d->module, address);
    if (function == d->function)
        return TOLL_OK;
    d->function = function;
    d->count = 0;
    return function == UINT32_MAX
               ? TOLL_OK
               : toll_wasm_stretches_read(d->stretches, function, &d->steps, &d->count, err);
}

/* The first instruction at `address` or behind it. */
static size_t first_step(const decoder *d, uint64_t address)
{
    size_t low = 0, high = d->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->steps[middle].address < address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Keep the instructions of a stretch. Frames at one address share them. */
static toll_status keep_steps(toll_symbolizer *s, decoder *d, toll_symbolizer_stretch *stretch)
{
    const toll_symbolizer_stretch *before = stretch > s->stretches ? stretch - 1 : NULL;
    if (before && before->file == stretch->file && before->address == stretch->address) {
        stretch->first = before->first;
        stretch->count = before->count;
        return TOLL_OK;
    }
    toll_status status = decode(d, stretch->address, s->err);
    if (status)
        return status;
    size_t first = first_step(d, stretch->address), end = first;
    while (end < d->count && d->steps[end].stretch == stretch->address)
        end++;
    stretch->first = s->step_count;
    stretch->count = end - first;
    if (first == end)
        return TOLL_OK;
    if (!toll_array_grow(&s->mem, &s->steps, &s->step_capacity, s->step_count, end - first))
        return toll_fail_nomem(s->err);
    memcpy(s->steps + s->step_count, d->steps + first, (end - first) * sizeof *s->steps);
    s->step_count += end - first;
    return TOLL_OK;
}

/* All stretches of a file, from *at on. */
static toll_status read_file(toll_symbolizer *s, size_t *at)
{
    size_t file = s->stretches[*at].file;
    const toll_debug *debug = s->debugs[file];
    decoder d = { .stretches = NULL, .function = UINT32_MAX };
    toll_status status = toll_wasm_module_read(&d.module, &s->mem, toll_debug_path(debug),
                                               debug->module.data, debug->module.size, s->err);
    if (!status)
        status = toll_wasm_stretches_create(&d.module, s->costs, &d.stretches, s->err);
    for (; !status && *at < s->stretch_count && s->stretches[*at].file == file; ++*at)
        status = keep_steps(s, &d, &s->stretches[*at]);
    toll_wasm_stretches_free(d.stretches);
    toll_wasm_module_free(&d.module);
    return status;
}

toll_status toll_symbolizer_read_stretches(toll_symbolizer *s)
{
    size_t frames = toll_profile_frame_count(s->in), at = 0;
    s->stretch_of = toll_mem_new(&s->mem, frames + 1, sizeof *s->stretch_of);
    if (!s->stretch_of)
        return toll_fail_nomem(s->err);
    for (size_t f = 0; f < frames; f++)
        s->stretch_of[f] = TOLL_NONE;
    toll_status status = find_stretches(s);
    while (!status && at < s->stretch_count)
        status = read_file(s, &at);
    return status;
}

const toll_wasm_step *toll_symbolizer_stretch_of(const toll_symbolizer *s, toll_node_id node,
                                                 size_t *count)
{
    const toll_symbolizer_stretch *stretch =
        &s->stretches[s->stretch_of[toll_profile_node_frame(s->in, node)]];
    *count = stretch->count;
    return stretch->count ? s->steps + stretch->first : NULL;
}

void toll_symbolizer_free_stretches(toll_symbolizer *s)
{
    toll_mem_free(&s->mem, s->stretches, s->stretch_capacity, sizeof *s->stretches);
    toll_mem_free(&s->mem, s->stretch_of, (size_t)toll_profile_frame_count(s->in) + 1,
                  sizeof *s->stretch_of);
    toll_mem_free(&s->mem, s->steps, s->step_capacity, sizeof *s->steps);
}
