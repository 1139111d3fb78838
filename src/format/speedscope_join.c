/* speedscope_join.c - joins the profiles of a speedscope file: a thread for each name, a column for
 * each value type. See speedscope.h. */
#include "format/speedscope.h"

#include <string.h>

/* "gas [CU]": a unit that the format does not know is written after the type. */
static void read_unit_from(speedscope_part *p, char *type)
{
    size_t size = strlen(type);
    char *bracket = strstr(type, " [");
    if (strcmp(p->unit, "count") != 0 || !bracket || bracket == type || type[size - 1] != ']')
        return;
    type[size - 1] = 0;
    *bracket = 0;
    p->unit = bracket + 2;
}

char *toll_speedscope_split_name(const speedscope_reader *r, speedscope_part *p)
{
    char *colon = NULL;
    if (!r->ours || !p->name)
        return NULL;
    for (char *c = p->name; (c = strstr(c, ": ")) != NULL; c++)
        colon = c;
    if (!colon)
        return NULL;
    *colon = 0;
    read_unit_from(p, colon + 2);
    return colon + 2;
}

const char *toll_speedscope_type(const char *unit)
{
    return strcmp(unit, "nanoseconds") == 0 ? "time"
           : strcmp(unit, "bytes") == 0     ? "space"
                                            : "samples";
}

static bool add_column(speedscope_reader *r, const char *type, const char *unit, uint32_t *column)
{
    *column = toll_profile_find_value_type(r->profile, (toll_value_type){ type, unit });
    return *column != TOLL_NONE ||
           toll_ok(&r->failure,
                   toll_profile_add_column(r->profile, type, unit, column, r->failure.err));
}

/* The type of a part whose name has none. In a snapshot of a heap, the name of the first profile is
 * the thread alone. */
static const char *default_type(const speedscope_reader *r, const speedscope_part *p)
{
    bool is_heap = r->ours && p->name && strcmp(p->name, TOLL_HEAP_THREAD) == 0;
    return is_heap ? "inuse_space" : toll_speedscope_type(p->unit);
}

/* The thread and the columns that receive a part's values. */
typedef struct place {
    uint32_t column, calls;
    const char *thread;
} place;

/* Add a part's nodes. nodes[]: the profile's node, by id in the reader's tree. */
static bool add_part(speedscope_reader *r, const speedscope_part *p, const place *to,
                     toll_node_id *nodes)
{
    toll_thread_id thread;
    bool good = toll_ok(&r->failure,
                        toll_profile_add_thread(r->profile, to->thread, &thread, r->failure.err));
    for (uint32_t id = p->root->id; good && id < p->end_node; id++) {
        const toll_node *n = toll_tree_node(&r->tree, id);
        if (!n->parent)
            nodes[id] = toll_profile_root(r->profile, thread);
        else
            good = toll_ok(&r->failure,
                           toll_profile_add_child(r->profile, nodes[n->parent->id],
                                                  r->frames[n->frame], &nodes[id], r->failure.err));
        if (good && n->values[SPEEDSCOPE_WEIGHT])
            good = toll_ok(&r->failure,
                           toll_profile_add_self(r->profile, nodes[id], to->column,
                                                 n->values[SPEEDSCOPE_WEIGHT], r->failure.err));
        if (good && n->values[SPEEDSCOPE_CALLS])
            good = toll_ok(&r->failure,
                           toll_profile_add_self(r->profile, nodes[id], to->calls,
                                                 n->values[SPEEDSCOPE_CALLS], r->failure.err));
    }
    return good;
}

/* Add all parts at their places. */
static bool add_parts(speedscope_reader *r, const place *places)
{
    size_t count = (size_t)r->tree.count + 1;
    toll_node_id *nodes = toll_mem_new(&r->mem, count, sizeof *nodes);
    bool good = nodes || toll_no_memory(&r->failure);
    for (size_t i = 0; good && i < r->part_count; i++)
        good = add_part(r, &r->parts[i], &places[i], nodes);
    toll_mem_free(&r->mem, nodes, count, sizeof *nodes);
    return good;
}

bool toll_speedscope_join(speedscope_reader *r)
{
    bool good = true;
    place *places = toll_mem_new(&r->mem, r->part_count + 1, sizeof *places);
    if (!places)
        return toll_no_memory(&r->failure);
    if (r->largest_frame > r->frame_count)
        good = toll_json_fail(&r->j, TOLL_E_SYNTAX, "a frame index is beyond the list of frames");
    for (size_t i = 0; good && i < r->part_count; i++) {
        speedscope_part *p = &r->parts[i];
        char *type = p->type ? p->type : toll_speedscope_split_name(r, p);
        places[i].thread = p->name ? p->name : "";
        if (p->evented && !r->has_stacks)
            good = add_column(r, "calls", "count", &places[i].calls);
        good = good && add_column(r, type ? type : default_type(r, p), p->unit, &places[i].column);
    }
    good = good && add_parts(r, places);
    if (good && r->shown >= 0 && (uint64_t)r->shown < r->part_count)
        toll_profile_set_default_column(r->profile, places[r->shown].column);
    toll_mem_free(&r->mem, places, r->part_count + 1, sizeof *places);
    return good;
}
