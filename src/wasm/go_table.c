/* go_table.c - see go_table.h.
 *
 * The table is somewhere in the memory that the data segments fill. It may be spread over several
 * segments, because the linker omits zeros. Everything that is read is checked: an address without
 * data holds zeros, and the table cannot have more functions than the module. */
#include "wasm/go_table.h"

#include <stdlib.h>
#include <string.h>

enum {
    FIRST_FUNCTION = 0x1000, /* Go's number for the module's first function that is not imported */
    BLOCK_BITS = 16,         /* a program counter is FUNCTION << 16 | BLOCK */
    HEADER_SIZE = 72,
    MOST_TEXT = 1 << 12
};

typedef struct segment {
    uint64_t address;
    toll_wasm_bytes bytes;
} segment;

/* The memory as the data segments fill it: in order of address, without overlaps. */
typedef struct memory {
    segment *segments;
    size_t count;
} memory;

/* --- memory ------------------------------------------------------------------------------------*/

/* Read the segment at the cursor. A passive segment, or one whose address is not a constant, ends
 * the reading: Go's linker writes neither. */
static bool read_segment(toll_wasm_cursor *c, segment *s)
{
    uint32_t flags = toll_wasm_take_u32(c);
    uint8_t opcode = toll_wasm_take_u8(c);
    s->address = (uint32_t)toll_wasm_take_s32(c);
    uint8_t end = toll_wasm_take_u8(c);
    s->bytes.size = toll_wasm_take_u32(c);
    s->bytes.data = toll_wasm_take_bytes(c, s->bytes.size);
    return !c->status && flags == 0 && opcode == 0x41 && end == 0x0b;
}

static int by_address(const void *a, const void *b)
{
    uint64_t x = ((const segment *)a)->address, y = ((const segment *)b)->address;
    return (x > y) - (x < y);
}

/* Sort the segments. From the first overlap on they are dropped. */
static void put_in_order(memory *m)
{
    uint64_t end = 0;
    size_t count = 0;
    qsort(m->segments, m->count, sizeof *m->segments, by_address);
    while (count < m->count && m->segments[count].address >= end) {
        end = m->segments[count].address + m->segments[count].bytes.size;
        count++;
    }
    m->count = count;
}

/* Read the segments, up to the first that is not as expected. False: no memory. */
static bool read_memory(const toll_wasm_module *m, memory *out, size_t *capacity)
{
    const toll_wasm_section *section = toll_wasm_find_section(m, TOLL_WASM_DATA_SEGMENTS);
    *out = (memory){ .count = 0 };
    *capacity = 0;
    if (!section)
        return true;
    toll_wasm_cursor c;
    size_t start = (size_t)(section->body.data - m->bytes.data);
    toll_wasm_cursor_init(&c, m->bytes.data, start, start + section->body.size);
    uint32_t count = toll_wasm_take_count(&c, "segments");
    *capacity = (size_t)count + 1;
    out->segments = toll_mem_new(&m->mem, *capacity, sizeof *out->segments);
    if (!out->segments)
        return false;
    while (out->count < count && read_segment(&c, &out->segments[out->count]))
        out->count++;
    put_in_order(out);
    return true;
}

/* The data from an address to its segment's end; empty if there is none. */
static toll_wasm_bytes at(const memory *m, uint64_t address)
{
    size_t low = 0, high = m->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (m->segments[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0)
        return (toll_wasm_bytes){ NULL, 0 };
    const segment *s = &m->segments[low - 1];
    if (address - s->address >= s->bytes.size)
        return (toll_wasm_bytes){ NULL, 0 };
    size_t offset = (size_t)(address - s->address);
    return (toll_wasm_bytes){ s->bytes.data + offset, s->bytes.size - offset };
}

/* A little-endian number, of which each byte may be in another segment. */
static uint64_t number_at(const memory *m, uint64_t address, unsigned size)
{
    uint64_t value = 0;
    toll_wasm_bytes whole = at(m, address);
    for (unsigned i = 0; i < size; i++) {
        toll_wasm_bytes byte =
            whole.size < size ? at(m, address + i) : (toll_wasm_bytes){ whole.data + i, 1 };
        if (byte.size)
            value |= (uint64_t)byte.data[0] << (8 * i);
    }
    return value;
}

/* A text up to its NUL, which the linker may have omitted at the segment's end. */
static toll_wasm_bytes text_at(const memory *m, uint64_t address)
{
    toll_wasm_bytes b = at(m, address);
    if (b.size > MOST_TEXT)
        b.size = MOST_TEXT;
    const uint8_t *end = b.size ? memchr(b.data, 0, b.size) : NULL;
    if (end)
        b.size = (size_t)(end - b.data);
    return b;
}

/* --- the table ---------------------------------------------------------------------------------*/

/* Where its parts are, and the number of its functions. */
typedef struct table {
    const memory *memory;
    uint64_t count, names, units, files, counters, functions;
    bool has_counters; /* functions are given as differences of program counters; else by Go's
                        * numbers */
} table;

/* Does a header begin here? It has the magic number of Go 1.20 to 1.26 and later, two zeros, the
 * smallest size of an instruction, and the size of a pointer. */
static bool is_header(const uint8_t *data)
{
    static const uint8_t header[] = { 0xf1, 0xff, 0xff, 0xff, 0, 0, 1, 8 };
    return memcmp(data, header, sizeof header) == 0;
}

static bool read_header(const memory *m, uint64_t address, size_t most, table *t)
{
    uint64_t part[8];
    for (unsigned i = 0; i < 8; i++)
        part[i] = number_at(m, address + (1 + (uint64_t)i) * 8, 8);
    for (unsigned i = 3; i < 8; i++)
        if (part[i] < HEADER_SIZE || part[i] > UINT32_MAX)
            return false;
    *t = (table){ .memory = m,
                  .count = part[0],
                  .names = address + part[3],
                  .units = address + part[4],
                  .files = address + part[5],
                  .counters = address + part[6],
                  .functions = address + part[7],
                  .has_counters = part[2] != 0 };
    return t->count > 0 && t->count <= most;
}

static bool find_table(const memory *m, size_t most, table *t)
{
    for (size_t i = 0; i < m->count; i++) {
        const segment *s = &m->segments[i];
        const uint8_t *p = s->bytes.data, *end = p + s->bytes.size;
        for (; end - p >= 8 && (p = memchr(p, 0xf1, (size_t)(end - p) - 7)); p++)
            if (is_header(p) && read_header(m, s->address + (uint64_t)(p - s->bytes.data), most, t))
                return true;
    }
    return false;
}

/* The first value of a table by program counter. It is stored as the difference to -1, with the
 * sign in the lowest bit. */
static uint32_t first_value(const table *t, uint32_t offset)
{
    uint32_t coded = 0;
    for (unsigned i = 0; i < 5; i++) {
        uint32_t byte = (uint32_t)number_at(t->memory, t->counters + offset + i, 1);
        coded |= (byte & 0x7f) << (7 * i);
        if (byte < 0x80)
            break;
    }
    return (coded & 1 ? ~(coded >> 1) : coded >> 1) - 1;
}

/* The file of the first instruction of function `f`, found by its number in the compilation
 * unit. */
static toll_wasm_bytes file_of(const table *t, uint64_t f)
{
    uint32_t number = first_value(t, (uint32_t)number_at(t->memory, f + 20, 4));
    uint64_t unit = number_at(t->memory, f + 32, 4);
    uint32_t file = (uint32_t)number_at(t->memory, t->units + 4 * (unit + number), 4);
    if (number == UINT32_MAX || file == UINT32_MAX)
        return (toll_wasm_bytes){ NULL, 0 };
    return text_at(t->memory, t->files + file);
}

/* The index of a row's function among those that are not imported; too large if the row is damaged.
 * Up to Go 1.25 the header has the first program counter; in 1.26 it has 0. */
static uint64_t number_of(const table *t, uint64_t row)
{
    uint64_t entry = number_at(t->memory, row, 4);
    if (t->has_counters)
        return entry >> BLOCK_BITS;
    return entry < FIRST_FUNCTION ? UINT32_MAX : entry - FIRST_FUNCTION;
}

/* Read the functions of the table. They follow the imported ones, in the order of the module.
 * False: their texts together are longer than the module, so they overlap, and the table is
 * damaged. */
static bool read_functions(const table *t, const toll_wasm_module *m, toll_wasm_go_function *out)
{
    size_t room = m->bytes.size;
    for (uint64_t i = 0; i < t->count; i++) {
        uint64_t row = t->functions + 8 * i;
        uint64_t f = t->functions + number_at(t->memory, row + 4, 4);
        uint64_t index = m->imported_functions + number_of(t, row);
        if (index >= m->function_count)
            continue;
        uint32_t line = (uint32_t)number_at(t->memory, f + 36, 4);
        toll_wasm_bytes file = file_of(t, f);
        toll_wasm_bytes name =
            text_at(t->memory, t->names + (uint32_t)number_at(t->memory, f + 4, 4));
        if (name.size + file.size > room)
            return false;
        room -= name.size + file.size;
        out[index] =
            (toll_wasm_go_function){ name, file, file.size && line <= INT32_MAX ? line : 0 };
    }
    return true;
}

bool toll_wasm_read_go_table(const toll_wasm_module *m, toll_wasm_go_function **out)
{
    memory mem;
    table t;
    size_t capacity;
    *out = NULL;
    if (!toll_wasm_find_custom(m, "go:buildid") && !toll_wasm_find_custom(m, "go.buildid"))
        return true;
    bool good = read_memory(m, &mem, &capacity);
    if (good && find_table(&mem, m->function_count - m->imported_functions, &t)) {
        *out = toll_mem_new(&m->mem, m->function_count + 1, sizeof **out);
        good = *out != NULL;
        if (good && !read_functions(&t, m, *out)) {
            toll_mem_free(&m->mem, *out, m->function_count + 1, sizeof **out);
            *out = NULL;
        }
    }
    toll_mem_free(&m->mem, mem.segments, capacity, sizeof *mem.segments);
    return good;
}
