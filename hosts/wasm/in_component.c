/* in_component.c - records a component that contains toll.wasm. See toll/embedder.h. */
#include "base/fail.h"
#include "clocked_time.h"
#include "delivery.h"
#include "modules.h"
#include "sampling.h"
#include "tools.h"
#include "wasm/cursor.h"

#include <stdlib.h>
#include <string.h>
#include <toll/embedder.h>

static bool has_places; /* events have places in their upper half */

static void must(bool works)
{
    if (!works)
        abort(); /* a trap: no function could return an error yet */
}

static void note(const char *text, uint32_t count)
{
    if (count > 0)
        must(host_note(text, count) == TOLL_OK);
}

/* src/wasm/instrument_component.c writes the data: numbers, then the section "toll" of each module,
 * behind its size. */
void host_begin_component(const uint8_t *data, size_t size)
{
    toll_wasm_cursor c;
    toll_wasm_cursor_init(&c, data, 0, size);
    uint32_t flags = toll_wasm_take_u32(&c), depth = toll_wasm_take_u32(&c);
    has_places = toll_wasm_take_u32(&c) != 0;
    uint32_t unrecorded = toll_wasm_take_u32(&c), loses = toll_wasm_take_u32(&c);
    must(host_begin(flags, depth, 0) == TOLL_OK);
    if (flags & TOLL_RECORD_TIME)
        host_begin_clocked_time(true);
    note("imported core modules, which are not recorded", unrecorded);
    note("components in it whose profiles cannot be read", loses);
    while (toll_wasm_left(&c) > 0) {
        uint32_t of = toll_wasm_take_u32(&c);
        const uint8_t *section = toll_wasm_take_bytes(&c, of);
        must(section && host_set_module(section, of) == TOLL_OK);
    }
    must(c.status == TOLL_OK);
    free((void *)(uintptr_t)data); /* the modules have copies */
    host_next_instance(0);
    host_set_settles(1);
}

static uint64_t page[TOLL_COUNTERS_OF_PAGE]; /* of counters */

uint64_t *host_component_page(void)
{
    return page;
}

void host_add_component_executions(uint32_t module, uint32_t number)
{
    host_module *m = host_modules();
    while (m && m->number != module)
        m = m->next;
    must(m && number <= m->info.counter_count / TOLL_COUNTERS_OF_PAGE);
    for (uint32_t i = 0, at = number * TOLL_COUNTERS_OF_PAGE;
         i < TOLL_COUNTERS_OF_PAGE && at < m->info.counter_count; i++, at++)
        m->executions[at] += page[i];
}

/* Each profile gets the executions anew. */
static void forget_executions(void)
{
    for (host_module *m = host_modules(); m; m = m->next)
        memset(m->executions, 0, m->info.counter_count * sizeof *m->executions);
}

static void deliver(uint64_t pending, uint64_t ticks)
{
    if (has_places && pending > 1)
        host_settle_placed(pending, ticks);
    else if (pending > 1)
        host_settle((uint32_t)pending, ticks);
}

const void *host_component_profile(uint64_t pending, uint64_t pending_ticks, uint64_t ticks)
{
    /* As the component model's canonical ABI stores a result: 1 is an error. */
    static struct {
        uint8_t failed;
        const void *data;
        size_t size;
    } result;
    deliver(pending, pending_ticks);
    host_charge(ticks);
    result.failed = host_profile(TOLL_TO_RESULT, "pprof", "", 0) != TOLL_OK;
    host_pass(ticks);
    forget_executions();
    result.data = result.failed ? host_error_text() : host_result_data();
    result.size = result.failed ? host_error_size() : host_result_size();
    return &result;
}
