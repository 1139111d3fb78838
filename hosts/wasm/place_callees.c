/* place_callees.c - see place_callees.h. */
#include "place_callees.h"

#include "base/fail.h"
#include "callees.h"
#include "delivery.h"
#include "executions.h"
#include "tools.h"

bool host_has_callees(void)
{
    const host_callees *c = host_callees_so_far();
    return c->count || c->are_kinds;
}

/* The frames in `out` that a frame of the snapshot becomes. */
typedef struct placed_frame {
    toll_frame_id function;      /* TOLL_NONE: not known yet */
    toll_frame_id caller, place; /* the caller, and its place of the call; TOLL_NONE: not known */
} placed_frame;

typedef struct placer {
    toll_mem mem;
    const host_callees *callees;
    const toll_profile *in; /* the recorder's own profile, since a snapshot renumbers frames */
    toll_profile *out;
    placed_frame *frames; /* by frame of `in` */
    toll_node_id *nodes;  /* by node of `in`: the one in `out` */
    toll_buffer texts;
    uint32_t indirect; /* with call_kinds: the column for them */
} placer;

static toll_status find_caller(placer *p, uint32_t place, placed_frame *out)
{
    const host_module *m = host_module_of_place(place);
    const toll_wasm_section_call *call = &m->info.calls[place - m->first_place - 1];
    toll_frame frame;
    if (!host_function_frame(&m->info, call->function, &p->texts, &frame))
        return toll_fail_nomem(host_error());
    toll_status status = toll_profile_add_frame(p->out, &frame, &out->caller, host_error());
    frame.at_address = call->address;
    return status ? status : toll_profile_add_frame(p->out, &frame, &out->place, host_error());
}

static toll_status place_frame(placer *p, toll_frame_id id, placed_frame **out)
{
    placed_frame *f = *out = &p->frames[id];
    if (f->function != TOLL_NONE)
        return TOLL_OK;
    uint64_t callee = host_callee_of(p->callees, id);
    toll_frame frame = toll_profile_frame(p->in, host_callee_function(callee));
    toll_status status = toll_profile_add_frame(p->out, &frame, &f->function, host_error());
    if (!status && host_callee_place(callee) && !p->callees->are_kinds)
        status = find_caller(p, host_callee_place(callee), f);
    return status;
}

static toll_status copy_values(const placer *p, toll_node_id from, toll_node_id to)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < toll_profile_column_count(p->in); i++)
        status =
            toll_profile_add_self(p->out, to, i, toll_profile_self(p->in, from, i), host_error());
    return status;
}

/* Add a function under the place of its call, if its parent is the function that has this place. If
 * it is not (functions in between have ended without an event), add it under its parent. */
static toll_status place_node(placer *p, toll_node_id node)
{
    toll_frame_id id = toll_profile_node_frame(p->in, node);
    if (id == TOLL_NONE) /* a root */
        return copy_values(p, node, p->nodes[node]);
    toll_node_id caller = p->nodes[toll_profile_parent(p->in, node)];
    placed_frame *f;
    toll_status status = place_frame(p, id, &f);
    if (!status && f->place != TOLL_NONE && toll_profile_node_frame(p->out, caller) == f->caller)
        status = toll_profile_add_child(p->out, toll_profile_parent(p->out, caller), f->place,
                                        &caller, host_error());
    if (!status)
        status = toll_profile_add_child(p->out, caller, f->function, &p->nodes[node], host_error());
    if (!status && p->callees->are_kinds &&
        host_callee_place(host_callee_of(p->callees, id)) == HOST_INDIRECT)
        status = toll_profile_add_self(p->out, p->nodes[node], p->indirect,
                                       toll_profile_self(p->in, node, 0), host_error());
    return status ? status : copy_values(p, node, p->nodes[node]);
}

/* A new profile with the same columns, and one for indirect calls if they are counted. */
static toll_status make_like(placer *p)
{
    toll_status status = toll_profile_create(NULL, &p->out, host_error());
    for (uint32_t i = 0; !status && i < toll_profile_column_count(p->in); i++) {
        toll_value_type type = toll_profile_column(p->in, i);
        status = toll_profile_add_column(p->out, type.type, type.unit, NULL, host_error());
    }
    if (!status && p->callees->are_kinds)
        status =
            toll_profile_add_column(p->out, "indirect calls", "count", &p->indirect, host_error());
    if (!status)
        toll_profile_set_default_column(p->out, toll_profile_default_column(p->in));
    return status;
}

static toll_status place_all(placer *p)
{
    toll_node_id count = toll_profile_node_count(p->in);
    toll_status status = TOLL_OK;
    for (toll_thread_id i = 0; !status && i < toll_profile_thread_count(p->in); i++) {
        toll_thread_id id;
        status =
            toll_profile_add_thread(p->out, toll_profile_thread_name(p->in, i), &id, host_error());
        if (!status)
            p->nodes[toll_profile_root(p->in, i)] = toll_profile_root(p->out, id);
    }
    for (toll_node_id node = 0; !status && node < count; node++)
        status = place_node(p, node);
    return status;
}

toll_status host_place_callees(toll_profile **profile)
{
    if (!host_has_callees())
        return TOLL_OK;
    placer p = { .mem = toll_mem_from(NULL),
                 .callees = host_callees_so_far(),
                 .in = host_recorder()->profile };
    size_t frames = (size_t)toll_profile_frame_count(p.in) + 1,
           nodes = (size_t)toll_profile_node_count(p.in) + 1;
    toll_buffer_init(&p.texts, &p.mem);
    p.frames = toll_mem_new(&p.mem, frames, sizeof *p.frames);
    p.nodes = toll_mem_new(&p.mem, nodes, sizeof *p.nodes);
    toll_status status = p.frames && p.nodes ? make_like(&p) : toll_fail_nomem(host_error());
    for (size_t i = 0; !status && i < frames; i++)
        p.frames[i] = (placed_frame){ TOLL_NONE, TOLL_NONE, TOLL_NONE };
    if (!status)
        status = place_all(&p);
    if (!status)
        status = host_copy_notes(*profile, p.out);
    toll_mem_free(&p.mem, p.frames, frames, sizeof *p.frames);
    toll_mem_free(&p.mem, p.nodes, nodes, sizeof *p.nodes);
    toll_buffer_free(&p.texts);
    if (status) {
        toll_profile_free(p.out);
        return status;
    }
    toll_profile_free(*profile);
    *profile = p.out;
    return TOLL_OK;
}
