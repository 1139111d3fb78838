/* call_site.c - merges allocation sites by call-site key. See toll/profile.h and
 * docs/semantics.md. */
#include "profile/call_site.h"

#include "base/fail.h"
#include "profile/graft.h"

#include <string.h>

static const char *const allocators[] = {
    "dlmalloc",
    "dlcalloc",
    "dlrealloc",
    "dlmemalign",
    "dlposix_memalign",
    "internal_memalign",
    "malloc",
    "calloc",
    "realloc",
    "memalign",
    "posix_memalign",
    "valloc",
    "pvalloc",
    "operator new",
    "operator new[]",
    "operator_new_impl", /* what these call in newer versions of libc++ */
    "operator_new_aligned_impl",
    "monoeg_malloc",
    "monoeg_malloc0",
    "monoeg_g_calloc",
    "emscripten_builtin_malloc",
    "emscripten_builtin_calloc",
    "emscripten_builtin_realloc",
    "emscripten_builtin_memalign",
    "sbrk",
    "aligned_alloc",
    "reallocarray",
    "__rust_alloc",
    "__rust_alloc_zeroed",
    "__rust_realloc",
    "__rustc::__rust_alloc", /* the names in newer compilers, demangled */
    "__rustc::__rust_alloc_zeroed",
    "__rustc::__rust_realloc",
    "~lib/rt/",
    NULL,
};

/* Emscripten's tracing: frames that call the profiler are not part of the program's stack. */
static const char *const profiler[] = {
    "Object.onMalloc",
    "Object.onRealloc",
    "Object.onFree",
    "_emscripten_trace_record_allocation",
    "_emscripten_trace_record_reallocation",
    "_emscripten_trace_record_free",
    "emscripten_trace_record_allocation",
    "emscripten_trace_record_reallocation",
    "emscripten_trace_record_free",
    NULL,
};

typedef enum frame_role { PROGRAM, ALLOCATOR, PROFILER } frame_role;

/* A name matches by itself; with parameters, as in operator new(unsigned long); or with an index,
 * which names have if a module has two of them: free#7. A folder or a namespace matches everything
 * in it. */
static bool is_among(const char *name, const char *const *names)
{
    for (; names && *names; names++) {
        size_t n = strlen(*names);
        bool is_all = n > 0 && ((*names)[n - 1] == '/' || (*names)[n - 1] == ':');
        if (strncmp(name, *names, n) == 0 &&
            (is_all || !name[n] || name[n] == '(' || name[n] == '#'))
            return true;
    }
    return false;
}

/* The beginning of the function's own name: for a template it follows the return type, as in "void*
 * std::__2::f<int>(int)". */
static const char *own_name(const char *name)
{
    const char *start = name;
    int depth = 0;
    for (const char *c = name; *c; c++) {
        if (*c == '(' && depth == 0 && c != start) /* parameters, unless "(anonymous namespace)" */
            break;
        depth += (*c == '<' || *c == '(') - (*c == '>' || *c == ')');
        if (*c == ' ' && depth == 0)
            start = c + 1;
    }
    return start;
}

/* Strings and containers of C++'s library allocate for their callers; its own namespaces begin with
 * an underscore. */
static bool is_of_library(const char *name)
{
    static const char library[] = "std::__";
    return strstr(name, library) && strncmp(own_name(name), library, strlen(library)) == 0;
}

bool toll_is_allocator(const char *name, const char *const *more)
{
    return is_among(name, allocators) || is_of_library(name) || is_among(name, more);
}

toll_status toll_call_site_keys(const toll_profile *p, const char *const *more, toll_frame_id *keys,
                                toll_error *err)
{
    frame_role *roles = toll_mem_new(&p->mem, p->frame_count + 1, sizeof *roles);
    if (!roles)
        return toll_fail_nomem(err);
    for (size_t i = 0; i < p->frame_count; i++) {
        const char *name = toll_profile_frame(p, (toll_frame_id)i).name;
        roles[i] = is_among(name, profiler)        ? PROFILER
                   : toll_is_allocator(name, more) ? ALLOCATOR
                                                   : PROGRAM;
    }
    for (uint32_t id = 0; id < p->tree.count; id++) {
        const toll_node *node = toll_tree_node(&p->tree, id);
        keys[id] = node->frame;
        if (!node->parent || roles[node->frame] == PROGRAM)
            continue;
        toll_frame_id caller = keys[node->parent->id];
        if (roles[node->frame] == PROFILER || (caller != TOLL_NONE && roles[caller] == PROGRAM))
            keys[id] = caller;
    }
    toll_mem_free(&p->mem, roles, p->frame_count + 1, sizeof *roles);
    return TOLL_OK;
}

/* Add the node's values to the node of its key, under its thread's root. g->nodes[id] is that root
 * on entry and on return. */
static toll_status charge_key(toll_graft *g, uint32_t id, toll_frame_id key, toll_error *err)
{
    toll_frame frame = { .name = "unknown" };
    toll_frame_id site_frame;
    if (key != TOLL_NONE) {
        toll_frame f = toll_profile_frame(g->source, key);
        frame = (toll_frame){ .name = f.name, .system_name = f.system_name };
    }
    toll_node *root = g->nodes[id];
    toll_status status = toll_profile_add_frame(g->target, &frame, &site_frame, err);
    if (status)
        return status;
    toll_node *site = toll_tree_child(&g->target->tree, root, site_frame);
    if (!site)
        return toll_fail_nomem(err);
    g->nodes[id] = site;
    status = toll_graft_add(g, id, 1, err);
    g->nodes[id] = root; /* for its children */
    return status;
}

static toll_status by_key(const toll_profile *p, const toll_frame_id *keys, toll_profile *out,
                          toll_error *err)
{
    toll_graft g;
    toll_status status = toll_graft_begin(&g, out, p, err);
    if (status)
        return status;
    status = toll_graft_roots(&g, NULL, err);
    for (uint32_t id = 0; !status && id < p->tree.count; id++) {
        const toll_node *parent = toll_tree_node(&p->tree, id)->parent;
        if (parent)
            g.nodes[id] = g.nodes[parent->id]; /* the thread's root */
        if (toll_profile_has_value(p, toll_tree_node(&p->tree, id)))
            status = charge_key(&g, id, keys[id], err);
    }
    toll_graft_end(&g);
    return status ? status : toll_graft_notes(out, p, err);
}

toll_status toll_profile_by_call_site(const toll_profile *p, const char *const *more,
                                      toll_profile **out, toll_error *err)
{
    size_t count = (size_t)p->tree.count + 1;
    toll_status status = toll_profile_like(&p->mem, p, out, err);
    if (status)
        return status;
    toll_frame_id *keys = toll_mem_new(&p->mem, count, sizeof *keys);
    status = keys ? toll_call_site_keys(p, more, keys, err) : toll_fail_nomem(err);
    if (!status)
        status = by_key(p, keys, *out, err);
    toll_mem_free(&p->mem, keys, count, sizeof *keys);
    if (status) {
        toll_profile_free(*out);
        *out = NULL;
    }
    return status;
}
