/* guest_module.c - the modules that are recorded. See wasm_host.h. */
#include "wasm_host.h"

#include "base/fail.h"

#include <stdlib.h>
#include <string.h>

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
    for (uint32_t f = 0; !status && f < t->function_count; f++) {
        status =
            host_function_frame(t, f, &texts, &frame)
                ? toll_recorder_add_frame(host_recorder(), &frame, &host.frames[f + 1], &host.error)
                : toll_fail_nomem(&host.error);
        if (!status && f >= t->imported)
            host_watch_function(f, t->functions[f].name);
    }
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

int host_set_module(const uint8_t *data, size_t size)
{
    toll_wasm_bytes section;
    toll_status status = host_find_section(data, size, &section);
    if (status)
        return status;
    host_module *m = find_module(section.data, section.size);
    end_instance();
    if (!m) {
        uint8_t *copy = malloc(section.size + 1);
        if (copy)
            memcpy(copy, section.data, section.size);
        status = make_module(copy, section.size, &m);
        if (status)
            return status;
        m->next = host.modules;
        m->number = m->next ? m->next->number + 1 : 0;
        if (!host_add_places(m)) {
            free_module(m);
            return toll_fail_nomem(&host.error);
        }
        host.modules = m;
    }
    if (host.folds && m->told.call_count)
        return toll_fail(&host.error, TOLL_E_ARGUMENT,
                         "where recursion is folded while the program runs there are no lines of "
                         "calls; leave out one of the two");
    host.module = m;
    host.at = 0;
    return add_frames(&m->told);
}
