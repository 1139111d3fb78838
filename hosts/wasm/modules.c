/* modules.c - see modules.h. */
#include "modules.h"

#include "base/fail.h"
#include "tools.h"

#include <stdlib.h>
#include <string.h>

static struct {
    host_module *newest, *current; /* NULL: none */
    host_frames frames;
} modules;

host_module *host_modules(void)
{
    return modules.newest;
}

host_module *host_current_module(void)
{
    return modules.current;
}

const host_frames *host_current_frames(void)
{
    return &modules.frames;
}

void host_set_frame(uint32_t function, toll_frame_id frame)
{
    modules.frames.of[function + 1] = frame;
}

host_module *host_find_module(const uint8_t *section, size_t size)
{
    host_module *m = modules.newest;
    while (m && (m->size != size || memcmp(m->section, section, size) != 0))
        m = m->next;
    return m;
}

void host_free_module(host_module *m)
{
    toll_wasm_section_info_free(&m->info);
    free(m->executions);
    free(m->before);
    free(m->section);
    free(m);
}

/* Fill a module that is all 0. */
static toll_status fill(host_module *m, const uint8_t *section, size_t size)
{
    toll_mem mem = toll_mem_from(NULL);
    m->section = malloc(size + 1);
    m->size = size;
    if (!m->section)
        return toll_fail_nomem(host_error());
    memcpy(m->section, section, size);
    toll_status status =
        toll_wasm_section_info_read(&m->info, &mem, m->section, size, host_error());
    if (status)
        return status;
    m->executions = calloc((size_t)m->info.counter_count + 1, sizeof *m->executions);
    m->before = calloc((size_t)m->info.counter_count + 1, sizeof *m->before);
    return m->executions && m->before ? TOLL_OK : toll_fail_nomem(host_error());
}

toll_status host_make_module(const uint8_t *section, size_t size, host_module **out)
{
    host_module *m = calloc(1, sizeof *m);
    if (!m)
        return toll_fail_nomem(host_error());
    m->number = modules.newest ? modules.newest->number + 1 : 0;
    toll_status status = fill(m, section, size);
    if (status)
        host_free_module(m);
    else
        *out = m;
    return status;
}

void host_add_module(host_module *m)
{
    m->next = modules.newest;
    modules.newest = m;
}

static void end_counters(const host_module *m)
{
    for (uint32_t i = 0; i < m->info.counter_count; i++) {
        m->before[i] += m->executions[i];
        m->executions[i] = 0;
    }
}

void host_end_instance(void)
{
    const host_module *current = modules.current;
    for (const host_module *m = modules.newest; current && m; m = m->next)
        if (m == current || (m->info.is_linked && current->info.is_linked))
            end_counters(m);
}

/* Make room for the frames of `count` functions. Those that are kept, the first ones, do not
 * change. */
static toll_status make_frames(uint64_t count, bool keeps)
{
    enum { MOST_FUNCTIONS = TOLL_WASM_MOST_LINKED };
    host_frames *frames = &modules.frames;
    size_t kept = keeps ? frames->capacity : 0, capacity = kept ? kept : 1;
    if (count > MOST_FUNCTIONS)
        return toll_fail(host_error(), TOLL_E_LIMIT, "more than %d functions", MOST_FUNCTIONS);
    while (capacity <= count)
        capacity *= 2;
    if (kept == capacity)
        return TOLL_OK;
    toll_frame_id *grown = malloc((capacity + 1) * sizeof *frames->of);
    if (!grown)
        return toll_fail_nomem(host_error());
    for (size_t i = 0; i <= capacity; i++)
        grown[i] = kept && i <= kept ? frames->of[i] : HOST_NO_FRAME;
    free(frames->of);
    frames->of = grown;
    frames->capacity = (uint32_t)capacity;
    return TOLL_OK;
}

toll_status host_begin_module(host_module *m)
{
    const toll_wasm_section_info *t = &m->info;
    bool keeps = t->is_linked && modules.current && modules.current->info.is_linked;
    uint64_t count = (uint64_t)t->first_function + t->function_count;
    toll_status status = make_frames(count, keeps);
    if (!status)
        modules.current = m;
    return status;
}

host_module *host_module_of(uint32_t function)
{
    host_module *m = modules.current;
    if (!m || !m->info.is_linked)
        return m;
    for (m = modules.newest; m; m = m->next)
        if (m->info.is_linked && function >= m->info.first_function &&
            function - m->info.first_function < m->info.function_count)
            return m;
    return NULL;
}
