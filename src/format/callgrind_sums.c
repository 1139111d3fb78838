/* callgrind_sums.c - see callgrind.h. */
#include "format/callgrind.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/sort.h"
#include "base/text.h"
#include "profile/frame_place.h"

#include <string.h>

static size_t width(const toll_callgrind_sums *s)
{
    return (size_t)s->column_count + 1;
}

void toll_callgrind_add(toll_callgrind_sums *s, int64_t *to, int64_t value)
{
    if (value < 0)
        s->clamped++;
    else
        *to += value; /* which fits: check_sum */
}

/* --- functions ---------------------------------------------------------------------------------*/

static void find_lines(toll_callgrind_sums *s)
{
    for (toll_frame_id id = 0; id < s->order.frame_count; id++)
        s->has_lines[s->order.function[id]] |= toll_profile_frame(s->profile, id).at_line != 0;
}

/* Parents come before their children, so one forward pass is enough. */
static void find_owners(toll_callgrind_sums *s)
{
    for (toll_node_id node = 0; node < s->order.node_count; node++) {
        toll_frame_id frame = toll_profile_node_frame(s->profile, node);
        toll_node_id parent = toll_profile_parent(s->profile, node);
        s->sites_of[node] = s->owners[node] = TOLL_NONE;
        if (frame == TOLL_NONE)
            continue;
        bool inlined = toll_profile_frame(s->profile, frame).kind == TOLL_KIND_INLINED &&
                       s->owners[parent] != TOLL_NONE;
        s->owners[node] = inlined ? s->owners[parent] : s->order.function[frame];
        s->has_inlined |= inlined;
    }
}

/* --- what is summed ----------------------------------------------------------------------------*/

/* The number stored for a key. A new key gets the next free number, *number. */
static bool number_of(toll_u64map *map, uint64_t key, uint32_t *number)
{
    *number = toll_u64map_find(map, key);
    if (*number != UINT32_MAX)
        return true;
    *number = (uint32_t)map->used;
    return toll_u64map_add(map, key, *number);
}

/* The site of a node: its frame's line in the function that contains it. If the line is not known,
 * it is 0 in a function with known lines, else the line of the function's definition. */
static bool find_site(toll_callgrind_sums *s, toll_node_id node)
{
    toll_frame_id frame = toll_profile_node_frame(s->profile, node);
    uint32_t owner = s->owners[node], file, number, *site = &s->sites_of[node];
    toll_frame f = toll_profile_frame(s->profile, frame);
    uint32_t line = s->has_lines[s->order.function[frame]] ? f.at_line : f.line;
    const char *path = toll_frame_place_file(&f);
    if (!number_of(&s->file_ids, (uintptr_t)path, &file) || /* equal names are one string */
        !number_of(&s->lines, (uint64_t)file << 32 | line, &number))
        return false;
    uint64_t key = (uint64_t)owner << 32 | number;
    *site = toll_u64map_find(&s->site_index, key);
    if (*site != UINT32_MAX)
        return true;
    size_t count = s->site_count, columns = s->column_count;
    if (!toll_array_grow(&s->order.mem, &s->sites, &s->site_capacity, count, 1) ||
        !toll_array_grow(&s->order.mem, &s->self, &s->self_capacity, count * columns, columns) ||
        !toll_u64map_add(&s->site_index, key, (uint32_t)count))
        return false;
    const char *own = toll_profile_frame(s->profile, s->order.frames[owner]).file;
    *site = (uint32_t)count;
    s->sites[count] = (toll_callgrind_site){ owner, path, line, *site, path == own, TOLL_NONE };
    memset(s->self + count * columns, 0, columns * sizeof *s->self);
    s->site_count++;
    return true;
}

static bool find_edge(toll_callgrind_sums *s, uint32_t site, uint32_t callee, uint32_t *edge)
{
    uint64_t key = (uint64_t)site << 32 | callee;
    *edge = toll_u64map_find(&s->edge_index, key);
    if (*edge != UINT32_MAX)
        return true;
    size_t count = s->edge_count, w = width(s);
    if (!toll_array_grow(&s->order.mem, &s->edges, &s->edge_capacity, count, 1) ||
        !toll_array_grow(&s->order.mem, &s->edge_values, &s->value_capacity, count * w, w) ||
        !toll_u64map_add(&s->edge_index, key, (uint32_t)count))
        return false;
    *edge = (uint32_t)count;
    s->edges[count] = (toll_callgrind_edge){ site, callee, TOLL_NONE };
    memset(s->edge_values + count * w, 0, w * sizeof *s->edge_values);
    s->edge_count++;
    return true;
}

/* Where to count how often the pair of caller and callee is on the stack. */
static bool find_open(toll_callgrind_sums *s, uint32_t caller, uint32_t callee, uint32_t **open)
{
    uint32_t pair;
    if (!number_of(&s->pair_index, (uint64_t)caller << 32 | callee, &pair))
        return false;
    if (pair == s->pair_count) {
        if (!toll_array_grow(&s->order.mem, &s->open, &s->pair_capacity, s->pair_count, 1))
            return false;
        s->open[s->pair_count++] = 0;
    }
    *open = &s->open[pair];
    return true;
}

/* --- the walk ----------------------------------------------------------------------------------*/

/* Is the node a call from its parent's function? Inlined code is part of that function. */
static bool is_call(const toll_callgrind_sums *s, toll_node_id node)
{
    toll_frame_id frame = toll_profile_node_frame(s->profile, node);
    return frame != TOLL_NONE && s->owners[toll_profile_parent(s->profile, node)] != TOLL_NONE &&
           toll_profile_frame(s->profile, frame).kind != TOLL_KIND_INLINED;
}

/* How often the function was called in this stack. The nodes of the function's other places are
 * siblings. If there is no column of calls, only the first of them counts, as 1; `before` is the
 * node that was left last. */
static int64_t calls_of(const toll_callgrind_sums *s, toll_node_id node, toll_node_id before)
{
    if (s->calls != TOLL_NONE)
        return toll_profile_self(s->profile, node, s->calls);
    bool is_first =
        before == TOLL_NONE ||
        toll_profile_parent(s->profile, before) != toll_profile_parent(s->profile, node) ||
        s->order.function[toll_profile_node_frame(s->profile, before)] !=
            s->order.function[toll_profile_node_frame(s->profile, node)];
    return is_first ? 1 : 0;
}

static bool enter(toll_callgrind_sums *s, toll_node_id node, toll_node_id before)
{
    uint32_t edge, *open;
    bool is_root = s->owners[node] == TOLL_NONE;
    if (!is_root && !find_site(s, node))
        return false;
    int64_t *self = is_root ? s->outside : s->self + (size_t)s->sites_of[node] * s->column_count;
    for (uint32_t c = 0; c < s->column_count; c++)
        toll_callgrind_add(s, &self[c], toll_profile_self(s->profile, node, s->columns[c]));
    if (!is_call(s, node))
        return true;
    toll_node_id parent = toll_profile_parent(s->profile, node);
    if (!find_edge(s, s->sites_of[parent], s->owners[node], &edge) ||
        !find_open(s, s->owners[parent], s->owners[node], &open))
        return false;
    int64_t *values = s->edge_values + edge * width(s);
    toll_callgrind_add(s, &values[0], calls_of(s, node, before));
    if ((*open)++ == 0)
        for (uint32_t c = 0; c < s->column_count; c++)
            toll_callgrind_add(s, &values[1 + c], s->totals[c][node]);
    return true;
}

static void leave(toll_callgrind_sums *s, toll_node_id node)
{
    uint32_t *open;
    if (is_call(s, node) &&
        find_open(s, s->owners[toll_profile_parent(s->profile, node)], s->owners[node], &open))
        (*open)--;
}

static bool walk_thread(toll_callgrind_sums *s, toll_thread_id thread)
{
    toll_node_id before = TOLL_NONE;
    toll_walk walk = toll_walk_begin(&s->order, toll_profile_root(s->profile, thread));
    while (toll_walk_next(&walk)) {
        if (walk.entering) {
            if (!enter(s, walk.node, before))
                return false;
        } else {
            leave(s, walk.node);
            before = walk.depth ? walk.node : TOLL_NONE;
        }
    }
    return true;
}

/* Order: by function, then the lines of its own file, then those of other files. */
static int compare_sites(const void *a, const void *b)
{
    const toll_callgrind_site *x = a, *y = b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    if (x->is_own != y->is_own)
        return x->is_own ? -1 : 1;
    int by = strcmp(x->file, y->file);
    return by ? by : (x->line > y->line) - (x->line < y->line);
}

/* Link each site's edges in a list, the first one found in front; then sort the sites. */
static void put_in_order(toll_callgrind_sums *s)
{
    for (uint32_t i = (uint32_t)s->edge_count; i-- > 0;) {
        toll_callgrind_site *site = &s->sites[s->edges[i].site];
        s->edges[i].next = site->first_edge;
        site->first_edge = i;
    }
    if (s->site_count)
        toll_sort(s->sites, s->site_count, sizeof *s->sites, compare_sites);
}

/* --- life --------------------------------------------------------------------------------------*/

/* Do all values of a column, with negative ones as 0, have a sum? Then each part of them has one,
 * too. */
static toll_status check_sum(const toll_callgrind_sums *s, uint32_t column, toll_error *err)
{
    int64_t sum = 0;
    for (toll_node_id id = 0; id < s->order.node_count; id++) {
        int64_t self = toll_profile_self(s->profile, id, column);
        if (self > 0 && !toll_i64_add(sum, self, &sum))
            return toll_fail(err, TOLL_E_OVERFLOW, "the total of '%.100s' does not fit 64 bits",
                             toll_profile_column(s->profile, column).type);
    }
    return TOLL_OK;
}

/* Totals of a column by node, with negative values as 0, so that the parts add up to the whole. */
static toll_status inclusive(toll_callgrind_sums *s, uint32_t column, int64_t **out,
                             toll_error *err)
{
    uint32_t count = s->order.node_count;
    int64_t *totals = *out = toll_mem_new(&s->order.mem, (size_t)count + 1, sizeof *totals);
    if (!totals)
        return toll_fail_nomem(err);
    for (toll_node_id id = 0; id < count; id++) {
        int64_t self = toll_profile_self(s->profile, id, column);
        totals[id] = self > 0 ? self : 0;
    }
    for (toll_node_id id = count; id-- > 0;) { /* children come after their parent */
        toll_node_id parent = toll_profile_parent(s->profile, id);
        if (parent != TOLL_NONE)
            totals[parent] += totals[id];
    }
    return TOLL_OK;
}

/* The count of executions is not a cost. Viewers rank by the first column, so counts come last. */
static bool is_count_of_runs(const toll_profile *p, uint32_t column)
{
    const char *type = toll_profile_column(p, column).type;
    return strcmp(type, "executions") == 0 || strcmp(type, "block executions") == 0;
}

/* Choose all columns but calls, which callgrind writes beside the cost of a call. */
static void choose_columns(toll_callgrind_sums *s)
{
    uint32_t count = toll_profile_column_count(s->profile);
    for (int last = 0; last <= 1; last++)
        for (uint32_t c = 0; c < count; c++)
            if ((c != s->calls || count == 1) && is_count_of_runs(s->profile, c) == last)
                s->columns[s->column_count++] = c;
}

static toll_status set_up(toll_callgrind_sums *s, toll_error *err)
{
    const toll_mem *mem = &s->order.mem;
    size_t frames = (size_t)s->order.frame_count + 1, nodes = (size_t)s->order.node_count + 1;
    toll_status status = TOLL_OK;
    s->calls = toll_profile_find_column(s->profile, "calls");
    choose_columns(s);
    s->totals = toll_mem_new(mem, TOLL_MAX_COLUMNS, sizeof *s->totals);
    s->has_lines = toll_mem_new(mem, frames, sizeof *s->has_lines);
    s->owners = toll_mem_new(mem, nodes, sizeof *s->owners);
    s->sites_of = toll_mem_new(mem, nodes, sizeof *s->sites_of);
    if (!s->totals || !s->has_lines || !s->owners || !s->sites_of)
        return toll_fail_nomem(err);
    for (uint32_t c = 0; !status && c < toll_profile_column_count(s->profile); c++)
        status = check_sum(s, c, err);
    for (uint32_t c = 0; !status && c < s->column_count; c++)
        status = inclusive(s, s->columns[c], &s->totals[c], err);
    return status;
}

toll_status toll_callgrind_sum(toll_callgrind_sums *s, const toll_profile *p, toll_error *err)
{
    *s = (toll_callgrind_sums){ .profile = p };
    toll_u64map *const maps[] = { &s->file_ids, &s->lines, &s->site_index, &s->edge_index,
                                  &s->pair_index };
    for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
        toll_u64map_init(maps[i], toll_profile_mem(p));
    toll_status status = toll_order_create(&s->order, p, err);
    if (status)
        return status;
    status = set_up(s, err);
    if (status)
        return status;
    find_lines(s);
    find_owners(s);
    for (uint32_t t = 0; t < s->order.thread_count; t++)
        if (!walk_thread(s, s->order.threads[t]))
            return toll_fail_nomem(err);
    put_in_order(s);
    return TOLL_OK;
}

void toll_callgrind_free(toll_callgrind_sums *s)
{
    const toll_mem *mem = toll_profile_mem(s->profile);
    size_t frames = (size_t)s->order.frame_count + 1, nodes = (size_t)s->order.node_count + 1;
    for (uint32_t c = 0; s->totals && c < s->column_count; c++)
        toll_mem_free(mem, s->totals[c], nodes, sizeof(int64_t));
    toll_mem_free(mem, s->totals, TOLL_MAX_COLUMNS, sizeof *s->totals);
    toll_mem_free(mem, s->has_lines, frames, sizeof *s->has_lines);
    toll_mem_free(mem, s->owners, nodes, sizeof *s->owners);
    toll_mem_free(mem, s->sites_of, nodes, sizeof *s->sites_of);
    toll_mem_free(mem, s->sites, s->site_capacity, sizeof *s->sites);
    toll_mem_free(mem, s->self, s->self_capacity, sizeof *s->self);
    toll_mem_free(mem, s->edges, s->edge_capacity, sizeof *s->edges);
    toll_mem_free(mem, s->edge_values, s->value_capacity, sizeof *s->edge_values);
    toll_mem_free(mem, s->open, s->pair_capacity, sizeof *s->open);
    toll_u64map_free(&s->file_ids);
    toll_u64map_free(&s->lines);
    toll_u64map_free(&s->site_index);
    toll_u64map_free(&s->edge_index);
    toll_u64map_free(&s->pair_index);
    if (s->order.profile)
        toll_order_free(&s->order);
}
