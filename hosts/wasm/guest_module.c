/* guest_module.c - the modules that are recorded: their functions as frames, and what their
 * counters of executions say, as stacks of one frame. See wasm_host.h. */
#include "wasm_host.h"

#include "base/buffer.h"
#include "base/fail.h"
#include "wasm/told.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct host_module {
    host_module *next;
    uint8_t *section; /* what the module's section "toll" holds */
    size_t size;
    toll_wasm_told told;
    uint64_t *executions; /* by counter: of the current instance, if it is this module's */
    uint64_t *before;     /* by counter: of the instances before */
};

/* --- modules -----------------------------------------------------------------------------------*/

static host_module *find_module(const uint8_t *section, size_t size)
{
    host_module *m = host.modules;
    while (m && (m->size != size || memcmp(m->section, section, size) != 0))
        m = m->next;
    return m;
}

static void free_module(host_module *m)
{
    toll_wasm_told_free(&m->told);
    free(m->executions);
    free(m->before);
    free(m->section);
    free(m);
}

/* `section` becomes the module's. */
static toll_status make_module(uint8_t *section, size_t size, host_module **out)
{
    toll_mem mem = toll_mem_from(NULL);
    host_module *m = calloc(1, sizeof *m);
    if (!m || !section) {
        free(m);
        free(section);
        return toll_fail_nomem(&host.error);
    }
    m->section = section;
    m->size = size;
    toll_status status = toll_wasm_told_read(&m->told, &mem, section, size, &host.error);
    if (!status) {
        m->executions = calloc((size_t)m->told.counter_count + 1, sizeof *m->executions);
        m->before = calloc((size_t)m->told.counter_count + 1, sizeof *m->before);
        if (!m->executions || !m->before)
            status = toll_fail_nomem(&host.error);
    }
    if (status)
        free_module(m);
    else
        *out = m;
    return status;
}

/* --- functions as frames -----------------------------------------------------------------------*/

static void put_text(toll_buffer *out, toll_wasm_bytes text)
{
    if (text.size)
        toll_buffer_append(out, text.data, text.size);
    toll_buffer_append_byte(out, 0);
}

/* The frame of a function; its texts are in `texts`, and good until it is used again. False: no
 * memory. */
static bool frame_of(const toll_wasm_told *t, uint32_t function, toll_buffer *texts,
                     toll_frame *out)
{
    const toll_wasm_told_function *f = &t->functions[function];
    bool imported = function < t->imported;
    toll_buffer_clear(texts);
    put_text(texts, f->name);
    put_text(texts, f->file);
    put_text(texts, t->file);
    put_text(texts, t->build_id);
    if (texts->failed)
        return false;
    const char *name = (const char *)texts->data, *file = name + f->name.size + 1;
    const char *module = file + f->file.size + 1, *build_id = module + t->file.size + 1;
    *out = (toll_frame){ .name = name,
                         .file = file,
                         .line = f->line,
                         .kind = imported ? TOLL_KIND_NATIVE : TOLL_KIND_FUNCTION,
                         .module = imported ? "" : module,
                         .build_id = imported ? "" : build_id,
                         .address = f->address };
    return true;
}

enum { MOST_FUNCTIONS = 1 << 27 };

/* Make host.frames of `count` functions, without frames. */
static toll_status make_frames(uint32_t count)
{
    size_t capacity = 1;
    free(host.frames);
    host.frame_capacity = 0;
    while (capacity <= count && count <= MOST_FUNCTIONS)
        capacity *= 2;
    host.frames = count <= MOST_FUNCTIONS ? malloc((capacity + 1) * sizeof *host.frames) : NULL;
    if (!host.frames)
        return toll_fail_nomem(&host.error);
    for (size_t i = 0; i <= capacity; i++)
        host.frames[i] = HOST_NO_FRAME;
    host.frame_capacity = (uint32_t)capacity;
    return TOLL_OK;
}

static toll_status add_frames(const toll_wasm_told *t)
{
    toll_mem mem = toll_mem_from(NULL);
    toll_buffer texts;
    toll_frame frame;
    toll_status status = make_frames(t->function_count);
    toll_buffer_init(&texts, &mem);
    for (uint32_t f = 0; !status && f < t->function_count; f++)
        status =
            frame_of(t, f, &texts, &frame)
                ? toll_recorder_add_frame(host_recorder(), &frame, &host.frames[f + 1], &host.error)
                : toll_fail_nomem(&host.error);
    toll_buffer_free(&texts);
    return status;
}

/* The current instance's counters are final: another one's begin at 0. */
static void end_instance(void)
{
    uint32_t count = host.module ? host.module->told.counter_count : 0;
    for (uint32_t i = 0; i < count; i++) {
        host.module->before[i] += host.module->executions[i];
        host.module->executions[i] = 0;
    }
}

/* The next instance is of the module whose section "toll" is data[size]. */
EXPORT("module") int host_set_module(const uint8_t *data, size_t size)
{
    toll_status status = TOLL_OK;
    host_module *m = find_module(data, size);
    end_instance();
    if (!m) {
        uint8_t *copy = malloc(size + 1);
        if (copy)
            memcpy(copy, data, size);
        status = make_module(copy, size, &m);
        if (status)
            return status;
        m->next = host.modules;
        host.modules = m;
    }
    host.module = m;
    return add_frames(&m->told);
}

/* --- executions --------------------------------------------------------------------------------*/

/* How many counters the current module has. */
EXPORT("counters") uint32_t host_counter_count(void)
{
    return host.module ? host.module->told.counter_count : 0;
}

/* The counters of the current instance, as they are now. */
EXPORT("executions") void host_executions(const uint64_t *counts, uint32_t count)
{
    if (count > 0 && count <= host_counter_count())
        memcpy(host.module->executions, counts, count * sizeof *counts);
}

/* The profile that the lines are put into, and its columns for them. */
typedef struct lines {
    toll_profile *profile;
    toll_node_id root;
    uint32_t ticks, executions;
    toll_buffer texts;
} lines;

/* Add a stack of one frame: the stretch of a counter. */
static toll_status add_stretch(lines *l, const toll_wasm_told *t,
                               const toll_wasm_told_counter *counter, uint64_t count)
{
    toll_frame frame;
    toll_frame_id id;
    toll_node_id node;
    if (!frame_of(t, counter->function, &l->texts, &frame))
        return toll_fail_nomem(&host.error);
    frame.at_address = counter->address;
    if (count > INT64_MAX || (counter->cost && count > INT64_MAX / counter->cost))
        return toll_fail(&host.error, TOLL_E_OVERFLOW, "%s: more than 2^63 executions or ticks",
                         frame.name);
    toll_status status = toll_profile_add_frame(l->profile, &frame, &id, &host.error);
    if (!status)
        status = toll_profile_add_child(l->profile, l->root, id, &node, &host.error);
    if (!status)
        status =
            toll_profile_add_self(l->profile, node, l->executions, (int64_t)count, &host.error);
    return status ? status
                  : toll_profile_add_self(l->profile, node, l->ticks,
                                          (int64_t)(count * counter->cost), &host.error);
}

static toll_status add_module(lines *l, const host_module *m)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < m->told.counter_count; i++) {
        uint64_t count = m->before[i] + m->executions[i];
        if (count)
            status = add_stretch(l, &m->told, &m->told.counters[i], count);
    }
    return status;
}

/* A profile of the lines alone. Where ticks are recorded by calls, those of lines have a column of
 * their own: else a profile's sum would have them twice. */
static toll_status make_lines(lines *l)
{
    const char *ticks = host.has_ticks ? "line ticks" : "ticks";
    toll_thread_id thread;
    toll_status status = toll_profile_create(NULL, &l->profile, &host.error);
    if (!status)
        status = toll_profile_add_column(l->profile, ticks, "count", &l->ticks, &host.error);
    if (!status)
        status =
            toll_profile_add_column(l->profile, "executions", "count", &l->executions, &host.error);
    if (!status)
        status = toll_profile_add_thread(l->profile, "main", &thread, &host.error);
    if (!status)
        l->root = toll_profile_root(l->profile, thread);
    for (const host_module *m = host.modules; !status && m; m = m->next)
        status = add_module(l, m);
    return status;
}

static bool counts_lines(void)
{
    const host_module *m = host.modules;
    while (m && !m->told.counter_count)
        m = m->next;
    return m != NULL;
}

/* Notes, of which a profile without calls has no others. */
static toll_status copy_notes(const toll_profile *from, toll_profile *to)
{
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < toll_profile_note_count(from); i++) {
        uint64_t count;
        const char *text = toll_profile_note(from, i, &count);
        status = toll_profile_add_note(to, text, count, &host.error);
    }
    return status;
}

/* Columns of a merged profile are sorted: keep the one that is shown. */
static toll_status merge(toll_profile *p, const toll_profile *more)
{
    uint32_t shown = toll_profile_default_column(p);
    bool has_values =
        shown != TOLL_NONE && strcmp(toll_profile_column(p, shown).type, "calls") != 0;
    const toll_profile *of = has_values ? p : more;
    char type[32]; /* a copy: merging replaces the profile's columns */
    snprintf(type, sizeof type, "%s", toll_profile_column(of, has_values ? shown : 0).type);
    toll_status status = toll_profile_merge(p, more, &host.error);
    if (!status)
        toll_profile_set_default_column(p, toll_profile_find_column(p, type));
    return status;
}

toll_status host_add_lines(toll_profile **profile)
{
    toll_mem mem = toll_mem_from(NULL);
    lines l = { .profile = NULL };
    if (!counts_lines())
        return TOLL_OK;
    toll_buffer_init(&l.texts, &mem);
    toll_status status = make_lines(&l);
    if (!status && host.no_calls) {
        toll_profile *calls = *profile;
        status = copy_notes(calls, l.profile);
        *profile = l.profile;
        l.profile = calls;
    } else if (!status) {
        status = merge(*profile, l.profile);
    }
    toll_profile_free(l.profile);
    toll_buffer_free(&l.texts);
    return status;
}
