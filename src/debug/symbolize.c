/* symbolize.c - a profile with names, files and lines by debug information. See toll/debug.h. */
#include "base/array.h"
#include "base/sized_options.h"
#include "debug/code_file.h"
#include "debug/symbolizer.h"
#include "profile/order.h"
#include "profile/runs.h"
#include "profile/thread_labels.h"

#include <string.h>

/* --- what is the same --------------------------------------------------------------------------*/

static toll_status copy_columns(toll_symbolizer *s)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < toll_profile_column_count(s->in); i++) {
        toll_value_type type = toll_profile_column(s->in, i);
        status = toll_profile_add_column(s->out, type.type, type.unit, NULL, s->err);
    }
    toll_profile_set_default_column(s->out, toll_profile_default_column(s->in));
    toll_profile_set_time(s->out, toll_profile_start_ns(s->in), toll_profile_duration_ns(s->in));
    return status;
}

/* The column that keeps the executions of stretches: it is there already, or it is wanted and some
 * stretch may be divided. */
static toll_status find_blocks(toll_symbolizer *s, bool wanted)
{
    bool divides = false;
    s->blocks = s->kept_blocks;
    for (toll_frame_id f = 0; f < toll_profile_frame_count(s->in) && !divides; f++)
        divides = s->files[f] != SIZE_MAX && toll_profile_frame(s->in, f).at_address &&
                  toll_symbolizer_has_stretches(s, s->files[f]);
    if (s->blocks != TOLL_NONE || !wanted || s->executions == TOLL_NONE || !divides)
        return TOLL_OK;
    return toll_profile_add_column(s->out, TOLL_BLOCK_EXECUTIONS, "count", &s->blocks, s->err);
}

static const char unknown_note[] = "addresses of which no line is known";
static const char lineless_note[] = "instructions without a line";

static const char skipped_note[] =
    "ticks of instructions without a line, charged to the line before them (--skip-line-zero)";

/* Where all lines are made again, what they lack is counted again. */
static toll_status copy_notes(toll_symbolizer *s)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < toll_profile_note_count(s->in); i++) {
        uint64_t count;
        const char *text = toll_profile_note(s->in, i, &count);
        bool is_of_lines = strcmp(text, unknown_note) == 0 || strcmp(text, lineless_note) == 0 ||
                           strcmp(text, skipped_note) == 0;
        if (!is_of_lines || !s->makes_all_again)
            status = toll_profile_add_note(s->out, text, count, s->err);
    }
    for (uint32_t i = 0; !status && i < toll_profile_comment_count(s->in); i++)
        status = toll_profile_add_comment(s->out, toll_profile_comment(s->in, i), s->err);
    return status ? status : toll_runs_add_all(s->out, s->in, s->err);
}

static toll_status copy_threads(toll_symbolizer *s)
{
    toll_status status = TOLL_OK;
    for (toll_thread_id i = 0; !status && i < toll_profile_thread_count(s->in); i++) {
        toll_thread_id id;
        status = toll_profile_add_thread_of(s->out, s->in, i, &id, s->err);
        if (!status)
            s->nodes[toll_profile_root(s->in, i)] = toll_profile_root(s->out, id);
    }
    return status;
}

static uint64_t magnitude(int64_t value)
{
    return value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
}

/* A line ran as often as that of its stretches, or instructions, that ran most often: a sum would
 * count it once for each of them. In a difference of profiles executions may be negative: then that
 * one counts which differs most, the first of those that differ as much. */
static toll_status add_executions(toll_symbolizer *s, toll_node_id line, int64_t executions)
{
    int64_t before = toll_profile_self(s->out, line, s->executions);
    if (magnitude(executions) <= magnitude(before))
        return TOLL_OK;
    toll_status status = toll_profile_add_self(s->out, line, s->executions, -before, s->err);
    return status ? status : toll_profile_add_self(s->out, line, s->executions, executions, s->err);
}

static uint32_t bit(uint32_t column)
{
    return column == TOLL_NONE ? 0 : UINT32_C(1) << column;
}

_Static_assert(TOLL_MAX_COLUMNS <= 32, "a column has a bit");

/* Add the values of a node in `in`, but for those of the columns whose bits are set. */
static toll_status add_values(toll_symbolizer *s, toll_node_id from, toll_node_id to,
                              uint32_t except)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < toll_profile_column_count(s->in); i++) {
        int64_t value = except & bit(i) ? 0 : toll_profile_self(s->in, from, i);
        status = i == s->executions ? add_executions(s, to, value)
                                    : toll_profile_add_self(s->out, to, i, value, s->err);
    }
    return status;
}

/* --- stretches ---------------------------------------------------------------------------------*/

/* Is `value` what so many executions cost? Both are negative where one profile was taken from
 * another. */
static bool is_product(int64_t value, int64_t executions, uint64_t cost)
{
    uint64_t times = magnitude(executions);
    return times && (value < 0) == (executions < 0) && magnitude(value) % times == 0 &&
           magnitude(value) / times == cost;
}

/* The column of the ticks that the stretch's instructions add up to; TOLL_NONE: they do not. */
static uint32_t ticks_of(const toll_symbolizer *s, toll_node_id node, const toll_wasm_step *steps,
                         size_t count)
{
    int64_t executions = toll_profile_self(s->in, node, s->executions);
    uint32_t found = TOLL_NONE;
    uint64_t cost = 0;
    for (size_t i = 0; i < count; i++)
        cost += steps[i].cost;
    for (uint32_t i = 0; i < toll_profile_column_count(s->in); i++) {
        int64_t value = toll_profile_self(s->in, node, i);
        if (i == s->executions || i == s->kept_blocks || value == 0)
            continue;
        if (!is_product(value, executions, cost) || found != TOLL_NONE)
            return TOLL_NONE;
        found = i;
    }
    return cost ? found : s->executions; /* a stretch that costs nothing has no ticks to divide */
}

/* Add the function at the address where a stretch begins, with its executions. */
static toll_status keep_block(toll_symbolizer *s, const toll_frame *frame, size_t file,
                              toll_node_id parent, int64_t executions, toll_node_id *out)
{
    toll_frame_id id;
    toll_frame function = toll_symbolizer_function(s->debugs[file], frame);
    function.at_address = frame->at_address;
    toll_status status = toll_profile_add_frame(s->out, &function, &id, s->err);
    if (!status)
        status = toll_profile_add_child(s->out, parent, id, out, s->err);
    return status ? status : toll_profile_add_self(s->out, *out, s->blocks, executions, s->err);
}

/* With that option: the address whose line an instruction is charged to, which may be of the one
 * before it that has a line. */
static toll_status skip_line_zero(toll_symbolizer *s, const toll_debug *debug,
                                  const toll_wasm_step *step, int64_t executions, uint64_t *before,
                                  uint64_t *address)
{
    bool lacks_line = false;
    toll_status status = TOLL_OK;
    if (s->skip_line_zero)
        status = toll_symbolizer_lacks_line(s, debug, step->address, &lacks_line);
    if (!lacks_line) {
        *before = step->address;
    } else if (*before) {
        *address = *before;
        s->skipped += magnitude(executions) * step->cost;
    }
    return status;
}

/* Divide so many executions of a node's stretch. `ticks` is the column of what they cost. */
static toll_status divide(toll_symbolizer *s, const toll_frame *frame, size_t file,
                          toll_node_id node, toll_node_id parent, int64_t executions,
                          uint32_t ticks)
{
    size_t count;
    const toll_wasm_step *steps = toll_symbolizer_stretch_of(s, node, &count);
    toll_status status = TOLL_OK;
    uint64_t before = 0; /* the last address that has a line */
    for (size_t i = 0; !status && i < count; i++) {
        toll_node_id line;
        uint64_t address = steps[i].address;
        status = skip_line_zero(s, s->debugs[file], &steps[i], executions, &before, &address);
        if (!status)
            status = toll_symbolizer_add_place(s, s->debugs[file], frame, address, parent, &line);
        if (!status && i == 0)
            s->nodes[node] = line;
        if (!status)
            status = add_executions(s, line, executions);
        if (!status && ticks != s->executions)
            status = toll_profile_add_self(s->out, line, ticks,
                                           (int64_t)((uint64_t)executions * steps[i].cost), s->err);
    }
    toll_node_id block;
    return status || s->blocks == TOLL_NONE
               ? status
               : keep_block(s, frame, file, parent, executions, &block);
}

/* --- nodes -------------------------------------------------------------------------------------*/

static toll_status add_whole_place(toll_symbolizer *s, const toll_frame *frame, size_t file,
                                   toll_node_id node, toll_node_id parent)
{
    toll_status status = toll_symbolizer_add_place(s, s->debugs[file], frame, frame->at_address,
                                                   parent, &s->nodes[node]);
    return status ? status : add_values(s, node, s->nodes[node], bit(s->kept_blocks));
}

/* What is not yet divided at an address. */
static toll_status add_place(toll_symbolizer *s, const toll_frame *frame, size_t file,
                             toll_node_id node, toll_node_id parent)
{
    size_t count;
    bool has_run = toll_symbolizer_has_run(s, node);
    if (!has_run && toll_symbolizer_kept(s, node))
        return add_values(s, node, s->nodes[node], bit(s->kept_blocks));
    if (!has_run || !toll_symbolizer_has_stretches(s, file))
        return add_whole_place(s, frame, file, node, parent);
    const toll_wasm_step *steps = toll_symbolizer_stretch_of(s, node, &count);
    uint32_t ticks = count ? ticks_of(s, node, steps, count) : TOLL_NONE;
    if (ticks != TOLL_NONE)
        return divide(s, frame, file, node, parent, toll_profile_self(s->in, node, s->executions),
                      ticks);
    s->undivided++;
    return add_whole_place(s, frame, file, node, parent);
}

/* A stretch that was divided before: its lines are made again, or they are there. What they lack
 * has been counted, unless all are made again. */
static toll_status add_kept(toll_symbolizer *s, const toll_frame *frame, size_t file,
                            toll_node_id node, toll_node_id parent)
{
    int64_t executions = toll_symbolizer_kept(s, node);
    uint64_t unknown = s->unknown, lineless = s->lineless, skipped = s->skipped;
    if (!executions)
        return TOLL_OK;
    if (!toll_symbolizer_is_made_again(s, node))
        return keep_block(s, frame, file, parent, executions, &s->nodes[node]);
    toll_status status = divide(s, frame, file, node, parent, executions, s->line_ticks);
    if (!s->makes_all_again) {
        s->unknown = unknown;
        s->lineless = lineless;
        s->skipped = skipped;
    }
    return status;
}

/* The address of a call is not kept beside its line: functions that are inlined there are not found
 * again. */
static void count_caller(toll_symbolizer *s, toll_node_id node)
{
    toll_frame_id caller = toll_profile_node_frame(s->in, toll_profile_parent(s->in, node));
    if (s->inlines && !s->has_inlined && s->kept_blocks != TOLL_NONE && caller != TOLL_NONE &&
        toll_profile_frame(s->in, caller).at_line)
        s->inlined_callers++;
}

static toll_status add_node(toll_symbolizer *s, toll_node_id node)
{
    toll_frame_id id = toll_profile_node_frame(s->in, node);
    if (id == TOLL_NONE) /* a root */
        return add_values(s, node, s->nodes[node], 0);
    toll_node_id parent = s->nodes[toll_profile_parent(s->in, node)];
    toll_frame frame = toll_profile_frame(s->in, id);
    size_t file = s->files[id];
    if (file != SIZE_MAX && frame.at_address) {
        toll_status status = add_kept(s, &frame, file, node, parent);
        return status ? status : add_place(s, &frame, file, node, parent);
    }
    bool is_again = toll_symbolizer_is_made_again(s, node);
    if (is_again && !s->is_needed[node])
        return TOLL_OK;
    count_caller(s, node);
    if (file != SIZE_MAX)
        frame = toll_symbolizer_function(s->debugs[file], &frame);
    toll_status status = toll_profile_add_frame(s->out, &frame, &id, s->err);
    if (!status)
        status = toll_profile_add_child(s->out, parent, id, &s->nodes[node], s->err);
    return status ? status
                  : add_values(s, node, s->nodes[node],
                               is_again ? bit(s->line_ticks) | bit(s->executions) : 0);
}

static toll_status add_own_notes(toll_symbolizer *s)
{
    const struct {
        const char *text;
        uint64_t count;
    } notes[] = {
        { unknown_note, s->unknown },
        { lineless_note, s->lineless },
        { skipped_note, s->skipped },
        { "stretches that cost something else than their instructions, kept whole", s->undivided },
        { "functions whose lines cost something else than their instructions, left without inlined "
          "functions",
          toll_symbolizer_count_unequal(s) },
        { "calls of lines without their inlined functions; record with --inlines, too",
          s->inlined_callers },
    };
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < sizeof notes / sizeof *notes; i++)
        status = toll_profile_add_note(s->out, notes[i].text, notes[i].count, s->err);
    return status;
}

static bool has_inlined(const toll_profile *p)
{
    for (toll_frame_id i = 0; i < toll_profile_frame_count(p); i++)
        if (toll_profile_frame(p, i).kind == TOLL_KIND_INLINED)
            return true;
    return false;
}

static toll_status symbolize(toll_symbolizer *s, bool keeps_blocks)
{
    toll_node_id count = toll_profile_node_count(s->in);
    s->executions = toll_profile_find_column(s->in, "executions");
    s->kept_blocks = toll_profile_find_column(s->in, TOLL_BLOCK_EXECUTIONS);
    s->has_inlined = has_inlined(s->in);
    s->inlines |= s->skip_line_zero && s->has_inlined; /* lines that are made again keep theirs */
    s->wants_again = s->inlines || s->skip_line_zero;
    toll_status status = toll_symbolizer_match(s);
    if (!status)
        status = toll_symbolizer_read_stretches(s);
    if (!status)
        status = toll_symbolizer_find_lines(s);
    if (!status)
        status = copy_columns(s);
    if (!status)
        status = find_blocks(s, keeps_blocks);
    if (!status)
        status = copy_notes(s);
    if (!status)
        status = copy_threads(s);
    for (toll_node_id node = 0; !status && node < count; node++)
        status = add_node(s, node);
    return status ? status : add_own_notes(s);
}

static void free_state(toll_symbolizer *s, size_t frames, size_t nodes)
{
    toll_symbolizer_free_lines(s);
    toll_symbolizer_free_stretches(s);
    toll_mem_free(&s->mem, s->files, frames, sizeof *s->files);
    toll_mem_free(&s->mem, s->nodes, nodes, sizeof *s->nodes);
    toll_mem_free(&s->mem, s->places, s->place_capacity, sizeof *s->places);
}

toll_status toll_profile_symbolize(const toll_profile *profile, const toll_debug *const *debugs,
                                   size_t count, const toll_symbolize_options *options,
                                   toll_profile **out, toll_error *err)
{
    toll_symbolize_options own;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (!debugs && count)
        return toll_fail_null(err, "debugs");
    toll_status status =
        toll_options_copy(&own, sizeof own, options, "toll_symbolize_options", err);
    if (status)
        return status;
    toll_symbolizer s = { .mem = *toll_profile_mem(profile),
                          .in = profile,
                          .debugs = debugs,
                          .debug_count = count,
                          .costs = own.costs,
                          .inlines = own.inlines,
                          .skip_line_zero = own.skip_line_zero,
                          .err = err };
    size_t frames = (size_t)toll_profile_frame_count(profile) + 1,
           nodes = (size_t)toll_profile_node_count(profile) + 1;
    toll_u64map_init(&s.lines_index, &s.mem);
    s.files = toll_mem_new(&s.mem, frames, sizeof *s.files);
    s.nodes = toll_mem_new(&s.mem, nodes, sizeof *s.nodes);
    status = s.files && s.nodes ? toll_profile_create(&s.mem, &s.out, err) : toll_fail_nomem(err);
    if (!status)
        status = symbolize(&s, own.blocks);
    free_state(&s, frames, nodes);
    if (status)
        toll_profile_free(s.out);
    else
        *out = s.out;
    return status;
}
