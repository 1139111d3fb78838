/* pvm_start.c - see pvm_start.h. Each function counts the steps of the PVM's decoder, and of its
 * initialisation, for one kind of item. */
#include "wasm/pvm_start.h"

#include "wasm/instruction.h"
#include "wasm/pvm_decode.h"

/* A step of the interpreter takes 3 ticks, and an instruction in a block two of them. */
enum { STEP = 3, INSTRUCTION = 2 * STEP };

/* Sections that the PVM passes, whether the module has them or not: 12, of which 10 are vectors. */
enum { SECTIONS = 12, VECTORS = 10 };

/* A list of lists of instructions, which the PVM joins: first the first two, then the result and
 * the third one, and so on. */
typedef struct join {
    uint64_t lists, joined, steps;
} join;

typedef struct reader {
    const toll_wasm_module *m;
    toll_wasm_cursor c;
    toll_wasm_pvm_start sum;
    join elements, data;
    uint64_t run; /* the ticks of the instructions that fill tables and memories */
} reader;

static void add_list(join *j, uint64_t size)
{
    j->joined += size;
    j->steps += ++j->lists > 1 ? j->joined : 0;
}

static uint64_t join_steps(const join *j)
{
    return j->steps + j->lists;
}

/* --- constant expressions ----------------------------------------------------------------------*/

/* Read a constant expression. Returns the number of its instructions. */
static uint64_t take_expression(reader *r)
{
    toll_wasm_instruction i;
    uint64_t count = 0;
    while (toll_wasm_next(&r->c, &i) && i.opcode->flow != TOLL_WASM_END)
        count++;
    return count;
}

/* To decode it: a step to begin it, two to end it. */
static uint64_t decode_expression(uint64_t instructions)
{
    return instructions + 3;
}

/* To evaluate it on its own, as the value of a global or of an element. */
static uint64_t init_expression(uint64_t instructions)
{
    return INSTRUCTION * instructions + 10;
}

/* --- sections ----------------------------------------------------------------------------------*/

/* A name: its characters, not its bytes. */
static uint64_t decode_name(reader *r)
{
    size_t size = 0;
    const char *name = toll_wasm_take_name(&r->c, &size);
    uint64_t steps = 2;
    for (size_t i = 0; name && i < size; i++)
        steps += ((uint8_t)name[i] & 0xc0) != 0x80;
    return steps;
}

static void pass_imported(reader *r)
{
    toll_wasm_cursor *c = &r->c;
    switch (toll_wasm_take_u8(c)) {
    case 0: toll_wasm_take_u32(c); return;
    case 1: toll_wasm_pass_table_type(c); return;
    case 2: toll_wasm_pass_limits(c); return;
    case 3: toll_wasm_pass_global_type(c); return;
    default:
        toll_wasm_cursor_fail(c, TOLL_E_UNSUPPORTED, c->at - 1, "Tezos' PVM has no such imports");
        return;
    }
}

static void read_import(reader *r)
{
    r->sum.decode += 5 + decode_name(r);
    r->sum.decode += decode_name(r);
    r->sum.link++;
    r->sum.init += 2; /* it is linked, and later joined with the module's own items */
    pass_imported(r);
}

static void read_global(reader *r)
{
    toll_wasm_pass_global_type(&r->c);
    uint64_t size = take_expression(r);
    r->sum.decode += 2 + decode_expression(size);
    r->sum.init += init_expression(size) + 1;
}

static void read_export(reader *r)
{
    r->sum.decode += 4 + decode_name(r);
    r->sum.init++;
    toll_wasm_take_u8(&r->c);
    toll_wasm_take_u32(&r->c);
}

/* Functions, tables or memories: their declarations. */
static void add_items(reader *r, uint64_t count)
{
    r->sum.decode += count;
    r->sum.init += count * (3 + 1);
}

/* What fills a table or a memory: the offset, two constants, an instruction that copies, and one
 * that drops the segment. */
static void add_filling(reader *r, uint64_t offset, uint64_t items)
{
    enum { COPY = 7 * INSTRUCTION };
    r->sum.decode += decode_expression(offset) + 1;
    r->run += INSTRUCTION * offset + STEP + UINT64_C(4) * STEP + COPY * items;
}

static uint64_t take_element_expressions(reader *r, uint32_t count)
{
    uint64_t init = 0;
    for (; count > 0 && !r->c.status; count--) {
        uint64_t size = take_expression(r);
        r->sum.decode += decode_expression(size) + 1;
        init += init_expression(size);
    }
    return init;
}

static void read_elements(reader *r)
{
    enum { PASSIVE = 1, HAS_INDEX = 2, EXPRESSIONS = 4 };
    uint32_t flags = toll_wasm_take_u32(&r->c);
    bool is_active = !(flags & PASSIVE);
    if (is_active && flags & HAS_INDEX)
        toll_wasm_take_u32(&r->c);
    uint64_t offset = is_active ? take_expression(r) : 0;
    if (flags & (PASSIVE | HAS_INDEX) && flags & EXPRESSIONS)
        toll_wasm_take_value_type(&r->c);
    else if (flags & (PASSIVE | HAS_INDEX))
        toll_wasm_take_u8(&r->c);
    uint32_t count = toll_wasm_take_count(&r->c, "elements");
    r->sum.decode += 4;
    r->sum.init += 3;
    if (is_active)
        add_filling(r, offset, count);
    else if (flags & HAS_INDEX)
        r->run += STEP; /* a declaration is dropped */
    add_list(&r->elements, is_active ? 5 : (flags & HAS_INDEX) != 0);
    if (flags & EXPRESSIONS) {
        r->sum.init += take_element_expressions(r, count);
        return;
    }
    r->sum.decode += count;
    r->sum.init += count * init_expression(1);
    for (; count > 0 && !r->c.status; count--)
        toll_wasm_take_u32(&r->c);
}

static void read_data(reader *r)
{
    enum { PASSIVE = 1, HAS_INDEX = 2 };
    uint32_t flags = toll_wasm_take_u32(&r->c);
    if (flags & HAS_INDEX)
        toll_wasm_take_u32(&r->c);
    bool is_active = !(flags & PASSIVE);
    uint64_t offset = is_active ? take_expression(r) : 0;
    uint32_t size = toll_wasm_take_count(&r->c, "bytes");
    toll_wasm_take_bytes(&r->c, size);
    r->sum.decode += 6 + size;
    r->sum.init += 2;
    if (is_active)
        add_filling(r, offset, size);
    add_list(&r->data, is_active ? 5 : 0);
}

static void read_items(reader *r, uint8_t id)
{
    uint32_t count = toll_wasm_take_count(&r->c, "items");
    if (id == TOLL_WASM_TABLES || id == TOLL_WASM_MEMORIES)
        add_items(r, count);
    for (; count > 0 && !r->c.status; count--)
        switch (id) {
        case TOLL_WASM_IMPORTS: read_import(r); break;
        case TOLL_WASM_GLOBALS: read_global(r); break;
        case TOLL_WASM_EXPORTS: read_export(r); break;
        case TOLL_WASM_ELEMENTS: read_elements(r); break;
        case TOLL_WASM_DATA_SEGMENTS: read_data(r); break;
        default: return;
        }
}

static void read_section(reader *r, const toll_wasm_section *section)
{
    size_t start = (size_t)(section->body.data - r->m->bytes.data);
    switch (section->id) {
    case TOLL_WASM_CUSTOM: r->sum.decode++; return;
    case TOLL_WASM_START:
        r->run += STEP;
        return; /* the call and the return, without the function */
    case TOLL_WASM_TYPES:
    case TOLL_WASM_FUNCTIONS:
    case TOLL_WASM_CODE:
    case TOLL_WASM_DATA_COUNT: return; /* see read_types, read_functions */
    default: break;
    }
    if (r->c.status)
        return;
    toll_wasm_cursor_init(&r->c, r->m->bytes.data, start, start + section->body.size);
    r->c.where = toll_wasm_where(section->id);
    read_items(r, section->id);
}

static void read_types(reader *r)
{
    for (size_t i = 0; i < r->m->type_count; i++)
        r->sum.decode += 5 + r->m->types[i].parameter_count + r->m->types[i].result_count;
    r->sum.init += r->m->type_count;
}

/* --- the whole ---------------------------------------------------------------------------------*/

static toll_status read_functions(reader *r, toll_error *err)
{
    uint64_t ticks;
    toll_status status = toll_wasm_pvm_decode_code(r->m, &ticks, err);
    add_items(r, r->m->function_count - r->m->imported_functions);
    r->sum.decode += ticks;
    return status;
}

/* Steps that each module takes, beside those of its items. */
static void add_constant_steps(reader *r)
{
    const join parts = { .lists = 3,
                         .steps = 2 * (r->elements.joined + r->data.joined) +
                                  (toll_wasm_find_section(r->m, TOLL_WASM_START) != NULL) };
    r->sum.decode += 1 + (SECTIONS + 1) + SECTIONS + VECTORS + 2;
    r->sum.link += 1;
    r->sum.init += 1 + 1 + 1 + 1;   /* to begin; the ends of imports and types */
    r->sum.init += UINT64_C(4) * 2; /* the ends of functions, globals, tables and memories */
    r->sum.init += 3;               /* the ends of exports, elements and data */
    r->sum.init += 2 + join_steps(&r->elements) + 2 + join_steps(&r->data);
    r->sum.init += join_steps(&parts) + 1;
    r->sum.init += r->run + STEP + 1 + 1;
}

toll_status toll_wasm_pvm_start_read(const toll_wasm_module *m, toll_wasm_pvm_start *out,
                                     toll_error *err)
{
    reader r = { .m = m };
    *out = (toll_wasm_pvm_start){ .decode = 0 };
    read_types(&r);
    for (size_t i = 0; i < m->section_count; i++)
        read_section(&r, &m->sections[i]);
    toll_status status = toll_wasm_cursor_check(&r.c, m->path, err);
    if (!status)
        status = read_functions(&r, err);
    if (status)
        return status;
    add_constant_steps(&r);
    *out = r.sum;
    return TOLL_OK;
}
