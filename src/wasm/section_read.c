/* section_read.c - see section_read.h. */
#include "wasm/section_read.h"

#include "base/lz4.h"
#include "wasm/own_section.h"

/* Older layouts, which are read, too. */
enum { UNPACKED_VERSION = 7, NEVER_PROMPT_VERSION = 8 };

static void *new_array(toll_wasm_section_info *t, toll_wasm_cursor *c, size_t count, size_t size)
{
    void *array = c->status ? NULL : toll_mem_new(&t->mem, count + 1, size);
    if (!array)
        toll_wasm_cursor_no_memory(c);
    return array;
}

static void read_names(toll_wasm_section_info *t, toll_wasm_cursor *c)
{
    if (t->function_count > toll_wasm_left(c)) /* each name has at least its size */
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "%u functions", t->function_count);
    t->functions = new_array(t, c, t->function_count, sizeof *t->functions);
    for (uint32_t f = 0; t->functions && f < t->function_count; f++)
        t->functions[f].name = toll_wasm_take_text(c);
    t->imported = toll_wasm_take_u32(c);
    if (t->imported > t->function_count)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "%u of %u functions are imported",
                              t->imported, t->function_count);
}

static void read_addresses(toll_wasm_section_info *t, toll_wasm_cursor *c)
{
    uint32_t address = 0;
    for (uint32_t f = t->imported; f < t->function_count && !c->status; f++)
        t->functions[f].address = address += toll_wasm_take_u32(c);
}

static void read_definition(toll_wasm_section_function *f, const toll_wasm_bytes *files,
                            uint32_t file_count, toll_wasm_cursor *c)
{
    uint32_t file = toll_wasm_take_u32(c);
    if (file == 0)
        return;
    if (file > file_count)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "file %u of %u", file, file_count);
    else
        f->file = files[file - 1];
    f->line = toll_wasm_take_u32(c);
}

static void read_definitions(toll_wasm_section_info *t, toll_wasm_cursor *c)
{
    uint32_t count = toll_wasm_take_count(c, "files");
    if (count == 0)
        return;
    toll_wasm_bytes *files = new_array(t, c, count, sizeof *files);
    if (!files)
        return;
    for (uint32_t i = 0; i < count; i++)
        files[i] = toll_wasm_take_text(c);
    for (uint32_t f = t->imported; f < t->function_count && !c->status; f++)
        read_definition(&t->functions[f], files, count, c);
    toll_mem_free(&t->mem, files, count + 1, sizeof *files);
}

/* Read the counters of one function, of which *next is the first. */
static void read_counters_of(toll_wasm_section_info *t, uint32_t function, uint32_t *next,
                             toll_wasm_cursor *c)
{
    uint32_t address = t->functions[function].address;
    uint32_t count = toll_wasm_take_u32(c);
    if (count > t->counter_count - *next)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "more than %u counters", t->counter_count);
    for (; count > 0 && !c->status; count--) {
        address += toll_wasm_take_u32(c);
        t->counters[(*next)++] =
            (toll_wasm_section_counter){ function, address, toll_wasm_take_u64(c) };
    }
}

static void read_counters(toll_wasm_section_info *t, toll_wasm_cursor *c)
{
    uint32_t next = 0;
    t->counter_count = toll_wasm_take_count(c, "counters");
    if (t->counter_count == 0)
        return;
    t->counters = new_array(t, c, t->counter_count, sizeof *t->counters);
    for (uint32_t f = t->imported; f < t->function_count && !c->status; f++)
        read_counters_of(t, f, &next, c);
    if (next < t->counter_count)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "%u counters of %u", next, t->counter_count);
}

/* Read the calls of one function, of which *next is the first. */
static void read_calls_of(toll_wasm_section_info *t, uint32_t function, uint32_t *next,
                          toll_wasm_cursor *c)
{
    uint32_t address = t->functions[function].address;
    uint32_t count = toll_wasm_take_u32(c);
    if (count > t->call_count - *next)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "more than %u calls", t->call_count);
    for (; count > 0 && !c->status; count--) {
        address += toll_wasm_take_u32(c);
        t->calls[(*next)++] = (toll_wasm_section_call){ function, address };
    }
}

static void read_calls(toll_wasm_section_info *t, toll_wasm_cursor *c)
{
    uint32_t next = 0;
    t->call_count = toll_wasm_take_count(c, "calls");
    if (t->call_count == 0)
        return;
    t->calls = new_array(t, c, t->call_count, sizeof *t->calls);
    for (uint32_t f = t->imported; f < t->function_count && !c->status; f++)
        read_calls_of(t, f, &next, c);
    if (next < t->call_count)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "%u calls of %u", next, t->call_count);
}

static void read_symbols(toll_wasm_section_info *t, toll_wasm_cursor *c)
{
    uint32_t function = 0;
    for (uint32_t left = toll_wasm_take_count(c, "symbols"); left > 0 && !c->status; left--) {
        uint32_t more = toll_wasm_take_u32(c);
        toll_wasm_bytes name = toll_wasm_take_text(c);
        if (!c->status && more >= t->function_count - function)
            toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "a symbol of function %u + %u of %u",
                                  function, more, t->function_count);
        else if (!c->status)
            t->functions[function += more].system_name = name;
    }
}

/* The rest of the section may be packed: let the cursor read it unpacked. */
static void unpack(toll_wasm_section_info *t, toll_wasm_cursor *c)
{
    size_t size = toll_wasm_take_u32(c), packed = toll_wasm_left(c);
    if (c->status || size == 0)
        return;
    bool is_possible = size / TOLL_LZ4_MOST_GROWTH <= packed;
    uint8_t *room = is_possible ? toll_buffer_room(&t->unpacked, size) : NULL;
    if (is_possible && !room)
        toll_wasm_cursor_no_memory(c);
    else if (!room || !toll_lz4_unpack(c->data + c->at, packed, room, size))
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "it does not unpack to %zu bytes", size);
    else
        toll_wasm_cursor_init(c, room, 0, size);
}

static void read_head(toll_wasm_section_info *t, uint8_t version, toll_wasm_cursor *c)
{
    t->max_depth = toll_wasm_take_u32(c);
    if (version == UNPACKED_VERSION) {
        t->costs = toll_wasm_take_text(c);
        t->function_count = toll_wasm_take_u32(c);
    } else {
        t->function_count = toll_wasm_take_u32(c);
        unpack(t, c);
        t->costs = toll_wasm_take_text(c);
    }
}

static void read_section(toll_wasm_section_info *t, uint8_t version, toll_wasm_cursor *c)
{
    read_head(t, version, c);
    read_names(t, c);
    t->file = toll_wasm_take_text(c);
    t->build_id = toll_wasm_take_text(c);
    t->compilers = toll_wasm_take_text(c);
    read_addresses(t, c);
    read_definitions(t, c);
    read_counters(t, c);
    read_calls(t, c);
    read_symbols(t, c);
    t->is_prompt = version > NEVER_PROMPT_VERSION && toll_wasm_take_u32(c) != 0;
    t->is_linked = toll_wasm_left(c) > 0;
    if (t->is_linked) {
        t->first_function = toll_wasm_take_u32(c);
        t->first_call = toll_wasm_take_u32(c);
    }
    if (toll_wasm_left(c) > 0)
        toll_wasm_cursor_fail(c, TOLL_E_SYNTAX, c->at, "bytes behind its last");
}

toll_status toll_wasm_section_info_read(toll_wasm_section_info *t, const toll_mem *mem,
                                        const uint8_t *data, size_t size, toll_error *err)
{
    toll_wasm_cursor c;
    *t = (toll_wasm_section_info){ .mem = *mem };
    toll_buffer_init(&t->unpacked, mem);
    toll_wasm_cursor_init(&c, data, 0, size);
    uint8_t version = toll_wasm_take_u8(&c);
    if (!c.status && (version < UNPACKED_VERSION || version > TOLL_WASM_SECTION_VERSION))
        return toll_fail(err, TOLL_E_UNSUPPORTED,
                         "section toll of version %u, not %d; instrument the module again", version,
                         TOLL_WASM_SECTION_VERSION);
    if (!c.status)
        read_section(t, version, &c);
    if (c.status && c.status != TOLL_E_NOMEM)
        return toll_fail(err, TOLL_E_SYNTAX,
                         "section toll is damaged; instrument the module again");
    return toll_wasm_cursor_check(&c, "section toll", err);
}

void toll_wasm_section_info_free(toll_wasm_section_info *t)
{
    toll_mem_free(&t->mem, t->functions, (size_t)t->function_count + 1, sizeof *t->functions);
    toll_mem_free(&t->mem, t->counters, (size_t)t->counter_count + 1, sizeof *t->counters);
    toll_mem_free(&t->mem, t->calls, (size_t)t->call_count + 1, sizeof *t->calls);
    toll_buffer_free(&t->unpacked);
}
