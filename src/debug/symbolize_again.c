/* symbolize_again.c - lines that were made of stretches before, and are to be made again with
 * frames for inlined functions, or without instructions that have no line. See symbolizer.h.
 *
 * A profile of `toll run --lines` has lines already, and beside them the stretches that they were
 * made of, with nothing but how often each ran. That is enough to make them anew: the ticks of a
 * function's stretches are those of its lines. Where they are not (another table of costs, or two
 * programs with the same function, of which one is at hand), the lines stay as they are. */
#include "base/array.h"
#include "base/text.h"
#include "debug/symbolizer.h"

/* --- ticks -------------------------------------------------------------------------------------*/

/* *ticks of so many executions; false: they do not fit. Executions are negative where one profile
 * was taken from another. */
static bool multiply(int64_t executions, uint64_t cost, int64_t *ticks)
{
    uint64_t times = executions < 0 ? 0 - (uint64_t)executions : (uint64_t)executions;
    if (times && cost > INT64_MAX / times)
        return false;
    *ticks = (int64_t)((uint64_t)executions * cost);
    return true;
}

/* --- which function's lines they are -----------------------------------------------------------*/

/* The function of each frame, without its place, in a profile that has functions alone. */
static toll_status find_functions(const toll_symbolizer *s, toll_profile *functions, uint32_t *of)
{
    toll_status status = TOLL_OK;
    for (toll_frame_id f = 0; !status && f < toll_profile_frame_count(s->in); f++) {
        toll_frame frame = toll_profile_frame(s->in, f);
        frame.at_line = 0;
        frame.at_address = 0;
        frame.at_file = "";
        status = toll_profile_add_frame(functions, &frame, &of[f], s->err);
    }
    return status;
}

static uint64_t key_of(const toll_symbolizer *s, toll_node_id node, const uint32_t *function_of)
{
    toll_frame_id frame = toll_profile_node_frame(s->in, node);
    return (uint64_t)toll_profile_parent(s->in, node) << 32 | function_of[frame];
}

/* Is it a stretch whose instructions are known? */
static bool is_stretch(const toll_symbolizer *s, toll_node_id node)
{
    toll_frame_id frame = toll_profile_node_frame(s->in, node);
    return frame != TOLL_NONE && s->stretch_of[frame] != TOLL_NONE &&
           toll_symbolizer_kept(s, node) != 0;
}

/* Add what the stretch cost to the lines of its function. */
static toll_status add_stretch(toll_symbolizer *s, toll_node_id node, const uint32_t *function_of)
{
    uint64_t key = key_of(s, node, function_of), cost = 0;
    uint32_t at = toll_u64map_find(&s->lines_index, key);
    int64_t executions = toll_symbolizer_kept(s, node), ticks = 0;
    size_t count;
    if (at == UINT32_MAX) {
        if (!toll_array_grow(&s->mem, &s->lines, &s->line_capacity, s->line_count, 1) ||
            !toll_u64map_add(&s->lines_index, key, (uint32_t)s->line_count))
            return toll_fail_nomem(s->err);
        at = (uint32_t)s->line_count++;
        s->lines[at] = (toll_symbolizer_lines){ .fits = true };
    }
    const toll_wasm_step *steps = toll_symbolizer_stretch_of(s, node, &count);
    for (size_t i = 0; i < count; i++)
        cost += steps[i].cost;
    toll_symbolizer_lines *lines = &s->lines[at];
    lines->fits &= count && multiply(executions, cost, &ticks) &&
                   toll_i64_add(lines->stretches, ticks, &lines->stretches);
    s->lines_of[node] = at;
    return TOLL_OK;
}

/* The lines that the node belongs to: it is one, or a function inlined in one. */
static uint32_t find_lines_of(const toll_symbolizer *s, toll_node_id node,
                              const uint32_t *function_of)
{
    toll_frame_id frame = toll_profile_node_frame(s->in, node);
    if (frame == TOLL_NONE || toll_profile_frame(s->in, frame).at_address)
        return TOLL_NONE;
    if (toll_profile_frame(s->in, frame).kind == TOLL_KIND_INLINED)
        return s->lines_of[toll_profile_parent(s->in, node)];
    return toll_u64map_find(&s->lines_index, key_of(s, node, function_of));
}

static toll_status find_all(toll_symbolizer *s, const uint32_t *function_of)
{
    toll_node_id count = toll_profile_node_count(s->in);
    toll_status status = TOLL_OK;
    for (toll_node_id n = 0; !status && n < count; n++) {
        s->lines_of[n] = TOLL_NONE;
        if (is_stretch(s, n))
            status = add_stretch(s, n, function_of);
    }
    for (toll_node_id n = 0; !status && n < count; n++) { /* parents come first */
        uint32_t at = is_stretch(s, n) ? TOLL_NONE : find_lines_of(s, n, function_of);
        if (at == TOLL_NONE)
            continue;
        int64_t ticks = s->line_ticks == TOLL_NONE ? 0 : toll_profile_self(s->in, n, s->line_ticks);
        s->lines_of[n] = at;
        s->lines[at].fits &= toll_i64_add(s->lines[at].ticks, ticks, &s->lines[at].ticks);
    }
    return status;
}

/* --- what else is at these nodes ---------------------------------------------------------------*/

/* Lines share nodes with what is no line: the function's own node, where instructions without a
 * line are, also has its calls; with call_lines a line has callees. */
static void find_needed(toll_symbolizer *s)
{
    for (toll_node_id n = toll_profile_node_count(s->in); n-- > 0;) { /* children come first */
        bool needed = s->is_needed[n] || !toll_symbolizer_is_made_again(s, n);
        for (uint32_t c = 0; !needed && c < toll_profile_column_count(s->in); c++)
            needed = c != s->line_ticks && c != s->executions && c != s->kept_blocks &&
                     toll_profile_self(s->in, n, c) != 0;
        s->is_needed[n] = needed;
        if (needed && toll_profile_node_frame(s->in, n) != TOLL_NONE)
            s->is_needed[toll_profile_parent(s->in, n)] = 1;
    }
}

/* Is each kept stretch divided again? */
static bool makes_all(const toll_symbolizer *s)
{
    bool all = true;
    for (toll_node_id n = 0; all && n < toll_profile_node_count(s->in); n++)
        all = !toll_symbolizer_kept(s, n) || toll_symbolizer_is_made_again(s, n);
    return all;
}

/* --- the whole ---------------------------------------------------------------------------------*/

static toll_status find_lines(toll_symbolizer *s, toll_profile *functions)
{
    size_t frames = (size_t)toll_profile_frame_count(s->in) + 1,
           nodes = (size_t)toll_profile_node_count(s->in) + 1;
    uint32_t *function_of = toll_mem_new(&s->mem, frames, sizeof *function_of);
    s->lines_of = toll_mem_new(&s->mem, nodes, sizeof *s->lines_of);
    s->is_needed = toll_mem_new(&s->mem, nodes, sizeof *s->is_needed);
    toll_status status = function_of && s->lines_of && s->is_needed
                             ? find_functions(s, functions, function_of)
                             : toll_fail_nomem(s->err);
    if (!status)
        status = find_all(s, function_of);
    if (!status) {
        find_needed(s);
        s->makes_all_again = makes_all(s);
    }
    toll_mem_free(&s->mem, function_of, frames, sizeof *function_of);
    return status;
}

toll_status toll_symbolizer_find_lines(toll_symbolizer *s)
{
    toll_profile *functions;
    if (!s->wants_again || s->kept_blocks == TOLL_NONE)
        return TOLL_OK;
    s->line_ticks = toll_profile_find_column(s->in, "line ticks");
    if (s->line_ticks == TOLL_NONE) /* of a run in which ticks are those of lines */
        s->line_ticks = toll_profile_find_column(s->in, "ticks");
    toll_status status = toll_profile_create(&s->mem, &functions, s->err);
    if (status)
        return status;
    status = find_lines(s, functions);
    toll_profile_free(functions);
    return status;
}

bool toll_symbolizer_is_made_again(const toll_symbolizer *s, toll_node_id node)
{
    if (!s->lines_of || s->lines_of[node] == TOLL_NONE)
        return false;
    const toll_symbolizer_lines *lines = &s->lines[s->lines_of[node]];
    return lines->fits && lines->ticks == lines->stretches;
}

uint64_t toll_symbolizer_count_unequal(const toll_symbolizer *s)
{
    uint64_t count = 0;
    for (size_t i = 0; i < s->line_count; i++)
        count += !s->lines[i].fits || s->lines[i].ticks != s->lines[i].stretches;
    return count;
}

void toll_symbolizer_free_lines(toll_symbolizer *s)
{
    size_t nodes = (size_t)toll_profile_node_count(s->in) + 1;
    toll_mem_free(&s->mem, s->lines, s->line_capacity, sizeof *s->lines);
    toll_mem_free(&s->mem, s->lines_of, nodes, sizeof *s->lines_of);
    toll_mem_free(&s->mem, s->is_needed, nodes, sizeof *s->is_needed);
    toll_u64map_free(&s->lines_index);
}
