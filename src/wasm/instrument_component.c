/* instrument_component.c - instruments the core modules of a component, and puts toll.wasm into it.
 * See toll/wasm.h. */
#include "base/fail.h"
#include "base/input.h"
#include "base/sized_options.h"
#include "wasm/allocators.h"
#include "wasm/component_additions.h"
#include "wasm/component_clock.h"
#include "wasm/emit.h"
#include "wasm/section_read.h"

#include <string.h>
#include <toll/embedder.h>
#include <toll/wasm.h>

enum { MOST_TEXTS = 8 };

/* What is the same for the component and those in it. */
typedef struct shared {
    const toll_allocator *allocator;
    const toll_wasm_options *options;
    const toll_wasm_module *toll_wasm;
    const uint8_t *data; /* the component */
    const char *path;
    toll_buffer name;                           /* of the current module */
    uint32_t modules;                           /* so far */
    uint32_t allocating;                        /* how many have a function that allocates */
    void (*warn)(void *user, const char *text); /* the caller's; may be NULL */
    void *warn_user;
    const char *warned[MOST_TEXTS]; /* of what it was warned already: static texts */
    bool imports_modules;           /* some core modules cannot be recorded */
    bool loses_profiles;            /* the profiles of some instances cannot be returned */
    bool drops_names;               /* the names of some things are damaged */
} shared;

/* A component, or one in it, with a recording of its own. */
typedef struct recorded {
    shared *all;
    toll_mem mem;
    toll_wasm_options options; /* of the next module */
    toll_buffer description;   /* for component_begin() */
    uint32_t depth;            /* how many components are around it */
    uint32_t modules;          /* so far */
} recorded;

/* Warn of something about a module, once for all of them. */
static void warn_once(void *user, const char *text)
{
    shared *all = user;
    size_t i = 0;
    if (text == toll_wasm_no_allocator) {
        all->allocating--;
        return;
    }
    while (i < MOST_TEXTS && all->warned[i] && all->warned[i] != text)
        i++;
    if (i < MOST_TEXTS && !all->warned[i] && all->warn) {
        all->warned[i] = text;
        all->warn(all->warn_user, text);
    }
}

/* --- its modules -------------------------------------------------------------------------------*/

/* Does the module only pass calls on to functions that did not exist yet when it was made? Tools
 * that make components add two of them, with a table of this name. Their functions get no frames;
 * what they cost is their callers'. hosts/wasm/linked.mjs does the same. */
static bool is_glue(const toll_wasm_module *m)
{
    uint32_t index;
    return toll_wasm_find_export(m, TOLL_WASM_KIND_TABLE, "$imports", &index) ||
           toll_wasm_find_import(m, TOLL_WASM_KIND_TABLE, NULL, "$imports");
}

static const char *next_name(shared *all)
{
    toll_buffer_clear(&all->name);
    toll_component_append_name(&all->name, all->path, all->modules++);
    return toll_buffer_cstr(&all->name);
}

/* Keep the section by which the recording knows the new module, and continue with the numbers
 * behind its functions. */
static toll_status describe(recorded *c, const toll_wasm_module *m, toll_component_module *made,
                            toll_error *err)
{
    toll_wasm_section_info info;
    const toll_wasm_section *own = toll_wasm_find_custom(m, "toll");
    toll_status status =
        toll_wasm_section_info_read(&info, &c->mem, own->body.data, own->body.size, err);
    c->options.first_function = info.first_function + info.function_count;
    c->options.first_call = info.first_call + info.call_count;
    made->counters = info.counter_count;
    made->number = c->modules++;
    toll_wasm_section_info_free(&info);
    toll_wasm_put_u32(&c->description, (uint32_t)own->body.size);
    toll_wasm_put_bytes(&c->description, own->body);
    return status;
}

static toll_status instrument_module(recorded *c, const toll_wasm_module *old, toll_output *out,
                                     toll_component_module *made, toll_error *err)
{
    toll_input *in;
    toll_wasm_module m;
    toll_wasm_options options = c->options;
    if (is_glue(old)) {
        options.only = NULL;
        options.skip = ".*";
    }
    toll_status status = toll_input_from_memory(c->all->allocator, old->bytes.data, old->bytes.size,
                                                old->path, &in, err);
    if (status)
        return status;
    if (c->options.begin_module)
        status = c->options.begin_module(c->options.define_user, old->path, old->bytes.data,
                                         old->bytes.size, err);
    if (!status)
        status = toll_wasm_instrument(c->all->allocator, in, &options, out, err);
    toll_input_free(in);
    if (!status)
        status = toll_output_commit(out, err);
    if (status)
        return status;
    size_t size;
    const uint8_t *data = toll_output_data(out, &size);
    status = toll_wasm_module_read(&m, &c->mem, old->path, data, size, err);
    if (!status)
        status = describe(c, &m, made, err);
    toll_wasm_module_free(&m);
    return status;
}

static toll_status put_instrumented(recorded *c, const toll_wasm_module *m, toll_buffer *out,
                                    toll_component_module *known, toll_error *err)
{
    toll_output *made;
    toll_status status = toll_output_to_memory(c->all->allocator, 0, &made, err);
    if (status)
        return status;
    c->all->allocating++; /* unless it warns */
    status = instrument_module(c, m, made, known, err);
    if (!status) {
        size_t size;
        const uint8_t *data = toll_output_data(made, &size);
        toll_wasm_put_bytes(out, (toll_wasm_bytes){ data, size });
    }
    toll_output_free(made);
    return status;
}

static toll_status rewrite_module(toll_component_rewrite *r, toll_wasm_bytes module,
                                  toll_buffer *out, toll_component_module *made, toll_error *err)
{
    recorded *c = r->user;
    toll_wasm_module m;
    const char *name = next_name(c->all);
    if (!name)
        return toll_fail_nomem(err);
    toll_status status = toll_wasm_module_read(&m, &c->mem, name, module.data, module.size, err);
    if (!status) {
        made->memories = m.memory_count - m.imported_memories;
        status = put_instrumented(c, &m, out, made, err);
    }
    toll_wasm_module_free(&m);
    return status;
}

/* --- components --------------------------------------------------------------------------------*/

/* Append the module that begins the recording. What it passes on to component_begin() are numbers:
 * flags, the depth limit, whether events have places, and what is missing; then the sections of
 * modules. */
static toll_status put_recording(const recorded *c, const toll_component_rewrite *r,
                                 toll_buffer *out, toll_error *err)
{
    const toll_wasm_options *o = &c->options;
    const uint32_t calls = (o->calls_only ? 0 : TOLL_RECORD_TICKS) |
                           (o->heap ? TOLL_RECORD_HEAP : 0) |
                           (o->call_lines ? TOLL_MODULE_CALL_LINES : 0) |
                           (o->call_lines == 2 ? TOLL_RECORD_CALL_KINDS : 0);
    const uint32_t flags =
        (o->no_calls ? TOLL_RECORD_NO_CALLS : calls) | (o->time ? TOLL_RECORD_TIME : 0);
    const toll_component_events events = { o->call_lines, o->time != 0 };
    toll_buffer all;
    toll_buffer_init(&all, &c->mem);
    toll_wasm_put_u32(&all, flags);
    toll_wasm_put_u32(&all, o->max_depth);
    toll_wasm_put_u32(&all, o->call_lines != 0);
    toll_wasm_put_u32(&all, r->unrecorded);
    toll_wasm_put_u32(&all, r->loses);
    toll_wasm_put_bytes(&all, (toll_wasm_bytes){ c->description.data, c->description.size });
    toll_status status =
        all.failed || c->description.failed
            ? toll_fail_nomem(err)
            : toll_component_put_starter(c->all->toll_wasm, &all, events,
                                         r->guards ? &r->guards->modules : NULL, out, err);
    toll_buffer_free(&all);
    return status;
}

static toll_status rewrite_inner(toll_component_rewrite *outer, toll_wasm_bytes component,
                                 toll_buffer *out, uint8_t *profiles, toll_error *err);

/* --- time --------------------------------------------------------------------------------------*/

static toll_status pass_module(toll_component_rewrite *r, toll_wasm_bytes module, toll_buffer *out,
                               toll_component_module *made, toll_error *err)
{
    (void)r, (void)module, (void)out, (void)made, (void)err;
    return TOLL_OK;
}

static toll_status pass_component(toll_component_rewrite *r, toll_wasm_bytes component,
                                  toll_buffer *out, uint8_t *profiles, toll_error *err)
{
    (void)r, (void)component, (void)out, (void)profiles, (void)err;
    return TOLL_OK;
}

/* What reading a clock needs to know before the component is rewritten. */
typedef struct clock_needs {
    toll_component_guards guards;
    uint32_t clocks; /* of toll_component_origins */
} clock_needs;

static toll_status find_needs(shared *all, const toll_mem *mem, size_t start, size_t end,
                              clock_needs *needs, toll_error *err)
{
    toll_component_origins origins;
    toll_component_rewrite r = { .mem = *mem,
                                 .path = all->path,
                                 .data = all->data,
                                 .start = start,
                                 .end = end,
                                 .rewrite_module = pass_module,
                                 .rewrite_component = pass_component,
                                 .added_name = "toll",
                                 .origins = &origins };
    toll_component_origins_init(&origins, mem, all->data, end);
    toll_status status = toll_component_rewrite_sections(&r, err);
    if (!status)
        status = toll_component_make_guards(&origins, mem, all->path, &needs->guards, err);
    needs->clocks = origins.clocks;
    toll_component_rewrite_free(&r);
    toll_component_origins_free(&origins);
    return status;
}

/* Can the time of a component be recorded that has core modules? */
static toll_status check_time(const recorded *c, toll_error *err)
{
    if (c->options.calls_only || c->options.no_calls)
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "%s: the time of a component needs its calls and ticks: the clock is read "
                         "from time to time, and ticks say what ran in between",
                         c->all->path);
    if (c->depth > 0)
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "%s: components in it have core modules, to which no clock can be given: "
                         "record it without time, or by toll run, in Node",
                         c->all->path);
    return TOLL_OK;
}

/* --- a component -------------------------------------------------------------------------------*/

/* Append the new component to `out`. parent: of the component around it; NULL. *profiles: how many
 * profiles it exports. */
static toll_status rewrite_component(shared *all, const toll_mem *mem, uint32_t depth,
                                     const toll_component_rewrite *parent,
                                     toll_wasm_bytes component, toll_buffer *out, uint8_t *profiles,
                                     toll_error *err)
{
    recorded c = { .all = all, .mem = *mem, .options = *all->options, .depth = depth };
    const size_t start = (size_t)(component.data - all->data), end = start + component.size;
    const bool has_modules = toll_component_has_modules(all->data, start, end),
               has_clock = has_modules && c.options.time;
    clock_needs needs = { .clocks = 0 };
    toll_status status = has_clock ? check_time(&c, err) : TOLL_OK;
    if (!status && has_clock)
        status = find_needs(all, mem, start, end, &needs, err);
    toll_component_rewrite r = { .mem = *mem,
                                 .parent = parent,
                                 .path = all->path,
                                 .data = all->data,
                                 .start = start,
                                 .end = end,
                                 .new_modules = has_modules
                                                    ? TOLL_COMPONENT_INSERTED + needs.guards.count
                                                : depth == 0 ? TOLL_COMPONENT_STARTER
                                                             : 0,
                                 .new_instances = has_modules ? TOLL_COMPONENT_INSERTED : 0,
                                 .added_instance = TOLL_COMPONENT_STARTER,
                                 .added_name = "toll",
                                 .profile_instance = TOLL_COMPONENT_STARTER,
                                 .rewrite_module = rewrite_module,
                                 .rewrite_component = rewrite_inner,
                                 .guards = has_clock ? &needs.guards : NULL,
                                 .user = &c };
    toll_buffer_init(&c.description, mem);
    if (!status)
        status = toll_component_rewrite_sections(&r, err);
    if (!status && c.options.heap && r.memories > 1)
        status = toll_fail(err, TOLL_E_UNSUPPORTED,
                           "%s: blocks are known by their addresses, and its modules have several "
                           "memories, with the same addresses in each: leave out the heap",
                           all->path);
    if (!status)
        toll_buffer_append(out, component.data, TOLL_COMPONENT_HEADER);
    if (!status && r.new_modules)
        status = toll_component_put_toll(all->toll_wasm, depth, has_clock, out, err);
    r.loses |= toll_component_count_profiles(&r, has_modules) > TOLL_COMPONENT_MOST_PROFILES;
    if (!status && has_modules)
        status = put_recording(&c, &r, out, err);
    if (!status && has_clock)
        status = toll_component_put_clock(&r, needs.clocks, err);
    if (!status)
        status = toll_component_put_gatherer(all->toll_wasm, &r, err);
    if (!status) {
        *profiles = toll_component_put_profiles(&r, has_modules);
        toll_wasm_put_bytes(out, (toll_wasm_bytes){ r.out.data, r.out.size });
        status = out->failed || r.out.failed ? toll_fail_nomem(err) : TOLL_OK;
    }
    all->imports_modules |= r.unrecorded > 0;
    all->loses_profiles |= r.loses;
    all->drops_names |= r.drops_names;
    toll_buffer_free(&c.description);
    toll_component_rewrite_free(&r);
    toll_component_guards_free(&needs.guards);
    return status;
}

static toll_status rewrite_inner(toll_component_rewrite *outer, toll_wasm_bytes component,
                                 toll_buffer *out, uint8_t *profiles, toll_error *err)
{
    enum { MOST_DEPTH = 30 }; /* toll.wasm itself has a small stack */
    const recorded *c = outer->user;
    if (c->depth == MOST_DEPTH)
        return toll_fail(err, TOLL_E_LIMIT, "%s: more than %d components in one another",
                         c->all->path, MOST_DEPTH);
    return rewrite_component(c->all, &c->mem, c->depth + 1, outer, component, out, profiles, err);
}

/* --- the whole ---------------------------------------------------------------------------------*/

static toll_status write_new(shared *all, const toll_mem *mem, toll_wasm_bytes component,
                             toll_output *out, toll_error *err)
{
    toll_buffer made;
    uint8_t profiles = 0;
    toll_buffer_init(&all->name, mem);
    toll_buffer_init(&made, mem);
    toll_status status = rewrite_component(all, mem, 0, NULL, component, &made, &profiles, err);
    if (!status && profiles == 0)
        status = toll_fail(err, TOLL_E_UNSUPPORTED, "%s: has no core module that runs in it%s",
                           all->path, all->loses_profiles ? ", but in what it passes on" : "");
    if (!status)
        toll_output_write(out, made.data, made.size);
    if (!status && all->options->heap && all->allocating == 0 && all->warn)
        all->warn(all->warn_user, toll_wasm_no_allocator);
    if (!status && all->imports_modules)
        warn_once(all, "core modules that the component imports are not recorded");
    if (!status && all->loses_profiles)
        warn_once(all, "components in it are passed on to others, or are too many: their profiles "
                       "cannot be read");
    if (!status && all->drops_names)
        warn_once(all, "the section component-name is damaged: left out");
    toll_buffer_free(&made);
    toll_buffer_free(&all->name);
    return status;
}

/* Read both. */
static toll_status instrument(shared *all, const toll_mem *mem, toll_input *in,
                              toll_input *toll_wasm, toll_output *out, toll_error *err)
{
    toll_buffer component, recorder;
    toll_wasm_module m;
    toll_buffer_init(&component, mem);
    toll_buffer_init(&recorder, mem);
    memset(&m, 0, sizeof m);
    m.mem = *mem;
    toll_status status = toll_input_read_all(in, &component, err);
    if (!status && !toll_wasm_is_component(component.data, component.size))
        status = toll_fail(err, TOLL_E_SYNTAX, "%s: is no component", all->path);
    if (!status)
        status = toll_input_read_all(toll_wasm, &recorder, err);
    if (!status)
        status = toll_wasm_module_read(&m, mem, toll_input_name(toll_wasm), recorder.data,
                                       recorder.size, err);
    all->toll_wasm = &m;
    all->data = component.data;
    if (!status)
        status = write_new(all, mem, (toll_wasm_bytes){ component.data, component.size }, out, err);
    toll_wasm_module_free(&m);
    toll_buffer_free(&component);
    toll_buffer_free(&recorder);
    return status;
}

toll_status toll_wasm_instrument_component(const toll_allocator *allocator, toll_input *in,
                                           toll_input *toll_wasm, const toll_wasm_options *options,
                                           toll_output *out, toll_error *err)
{
    toll_wasm_options own;
    const toll_mem mem = toll_mem_from(allocator);
    if (!out)
        return toll_fail_null(err, "out");
    toll_status status = toll_options_copy(&own, sizeof own, options, "toll_wasm_options", err);
    own.linked = 1;
    own.first_function = own.first_call = 0;
    shared all = { .allocator = allocator,
                   .options = &own,
                   .path = toll_input_name(in),
                   .warn = own.warn,
                   .warn_user = own.warn_user };
    own.warn = warn_once;
    own.warn_user = &all;
    return status ? status : instrument(&all, &mem, in, toll_wasm, out, err);
}
