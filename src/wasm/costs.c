/* costs.c - see costs.h. There are built-in tables, and tables that are read from a text file. */
#include "wasm/costs.h"

#include "base/fail.h"
#include "base/nearest.h"
#include "base/input.h"
#include "base/os.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

static const char *const names[TOLL_WASM_COSTS_BUILTINS] = {
    [TOLL_WASM_INSTRUCTIONS] = "instructions",
    [TOLL_WASM_FUEL] = "fuel",
    [TOLL_WASM_PVM] = "pvm",
    [TOLL_WASM_COSMWASM] = "cosmwasm",
};

/* --- built in ----------------------------------------------------------------------------------*/

static void set_all(toll_wasm_costs *costs, uint32_t cost)
{
    for (uint32_t i = 0; i < TOLL_WASM_NUMBERS; i++)
        costs->of[i] = cost;
}

/* cosmwasm-vm 2 and 3 (engine.rs and metering.rs of src/wasm_backend): an operation costs 115 gas,
 * and one at which the VM's metering counts 14 times as much: where control may come from or go to
 * another place. Of a function's locals each costs as much as an operation, from the 30th on. */
enum { OPERATION = 115, ACCOUNTING = 14 * OPERATION, FREE_LOCALS = 29 };

static uint32_t gas_of(const toll_wasm_opcode *opcode)
{
    const bool is_plain_code = opcode->prefix == 0;
    switch ((toll_wasm_flow)opcode->flow) {
    case TOLL_WASM_PLAIN: return OPERATION;
    case TOLL_WASM_OPENS:
        return is_plain_code &&
                       (opcode->code == TOLL_WASM_OP_LOOP || opcode->code == TOLL_WASM_OP_IF)
                   ? ACCOUNTING
                   : OPERATION;
    case TOLL_WASM_STOP:
        return is_plain_code && opcode->code == TOLL_WASM_OP_UNREACHABLE ? OPERATION : ACCOUNTING;
    default: return ACCOUNTING;
    }
}

static void set_gas(toll_wasm_costs *costs)
{
    costs->local = OPERATION;
    costs->free_locals = FREE_LOCALS;
    for (uint32_t i = 0; i < TOLL_WASM_NUMBERS; i++) {
        const toll_wasm_opcode *opcode = toll_wasm_opcode_numbered(i);
        costs->of[i] = opcode ? gas_of(opcode) : 0;
    }
}

void toll_wasm_costs_set(toll_wasm_costs *costs, toll_wasm_costs_builtin table)
{
    static const uint8_t free_of_fuel[] = {
        TOLL_WASM_OP_UNREACHABLE, TOLL_WASM_OP_NOP, TOLL_WASM_OP_BLOCK,  TOLL_WASM_OP_LOOP,
        TOLL_WASM_OP_ELSE,        TOLL_WASM_OP_END, TOLL_WASM_OP_RETURN, TOLL_WASM_OP_DROP,
    };
    memset(costs->name, 0, sizeof costs->name);
    memcpy(costs->name, names[table], strlen(names[table]));
    set_all(costs, 1);
    costs->entry = table == TOLL_WASM_FUEL;
    costs->is_pvm = table == TOLL_WASM_PVM;
    costs->local = costs->free_locals = 0;
    if (table == TOLL_WASM_COSMWASM)
        set_gas(costs);
    for (size_t i = 0; table == TOLL_WASM_FUEL && i < sizeof free_of_fuel; i++)
        costs->of[toll_wasm_opcode_find(0, free_of_fuel[i])->number] = 0;
}

static toll_wasm_costs *create(const toll_allocator *allocator, toll_wasm_costs_builtin table)
{
    toll_mem mem = toll_mem_from(allocator);
    toll_wasm_costs *costs = toll_mem_new(&mem, 1, sizeof *costs);
    if (!costs)
        return NULL;
    costs->mem = mem;
    toll_wasm_costs_set(costs, table);
    return costs;
}

void toll_wasm_costs_free(toll_wasm_costs *costs)
{
    if (!costs)
        return;
    toll_mem mem = costs->mem;
    toll_mem_free(&mem, costs, 1, sizeof *costs);
}

toll_status toll_wasm_costs_named(const toll_allocator *allocator, const char *name,
                                  toll_wasm_costs **out, toll_error *err)
{
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    if (!name)
        return toll_fail_null(err, "name");
    for (int table = 0; table < TOLL_WASM_COSTS_BUILTINS; table++)
        if (strcmp(name, names[table]) == 0) {
            *out = create(allocator, (toll_wasm_costs_builtin)table);
            return *out ? TOLL_OK : toll_fail_nomem(err);
        }
    return toll_fail(err, TOLL_E_ARGUMENT,
                     "no table of costs is called '%.200s'; there are instructions, fuel, pvm "
                     "and cosmwasm",
                     name);
}

/* --- a text ------------------------------------------------------------------------------------*/

typedef struct reader {
    toll_input *in;
    toll_wasm_costs *costs;
    toll_error *err;
    uint64_t line;
    uint64_t named[TOLL_WASM_NUMBERS]; /* the line that sets its cost; 0 if none does */
    uint64_t entry_named, others_named;
} reader;

typedef struct word {
    const char *text;
    size_t size;
} word;

static bool is(word w, const char *name)
{
    return strlen(name) == w.size && memcmp(name, w.text, w.size) == 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Read the next word of the line; *text and *size are the rest. */
static word read_word(const char **text, size_t *size)
{
    word w = { *text, 0 };
    while (*size > 0 && is_blank(**text))
        ++*text, --*size;
    w.text = *text;
    for (; *size > 0 && !is_blank(**text) && **text != '#'; w.size++)
        ++*text, --*size;
    return w;
}

/* Set the cost of `name`; *line is the line that set it before, or 0. */
static toll_status set(reader *r, word name, uint64_t *line, uint32_t *place, uint32_t cost)
{
    if (*line)
        return toll_fail_line(r->in, r->line, r->err, TOLL_E_SYNTAX,
                              "'%.*s' has a cost in line %llu already; take one out",
                              (int)name.size, name.text, (unsigned long long)*line);
    *line = r->line;
    *place = cost;
    return TOLL_OK;
}

/* Name number i: the names of all instructions, then "entry". */
static const char *name_at(const void *unused, unsigned i)
{
    const toll_wasm_opcode *opcode = i < TOLL_WASM_NUMBERS ? toll_wasm_opcode_numbered(i) : NULL;
    (void)unused;
    return i == TOLL_WASM_NUMBERS ? "entry" : opcode ? opcode->name : NULL;
}

static toll_status fail_unknown(reader *r, word name)
{
    char text[200];
    snprintf(text, sizeof text, "%.*s",
             (int)(name.size < sizeof text ? name.size : sizeof text - 1), name.text);
    const char *near = toll_nearest(text, name_at, NULL, TOLL_WASM_NUMBERS + 1);
    return toll_fail_line(r->in, r->line, r->err, TOLL_E_SYNTAX,
                          "no instruction is called '%s'%s%s", text,
                          near ? "; the nearest name is " : "", near ? near : "");
}

/* Set the cost of all rows with that name: ref.test, ref.cast and select have two. */
static toll_status set_named(reader *r, word name, uint32_t cost)
{
    bool found = false;
    toll_status status = TOLL_OK;
    for (uint32_t i = 0; !status && i < TOLL_WASM_NUMBERS; i++) {
        const toll_wasm_opcode *opcode = toll_wasm_opcode_numbered(i);
        if (!opcode || !is(name, opcode->name))
            continue;
        found = true;
        status = set(r, name, &r->named[i], &r->costs->of[i], cost);
    }
    if (found || status)
        return status;
    return fail_unknown(r, name);
}

static toll_status read_line(reader *r, const char *text, size_t size, uint32_t *others)
{
    uint64_t cost;
    word name = read_word(&text, &size), number = read_word(&text, &size);
    while (size > 0 && is_blank(*text))
        text++, size--;
    bool ends = size == 0 || *text == '#';
    if (name.size == 0)
        return TOLL_OK;
    if (!ends || !toll_text_u64(number.text, number.size, &cost) || cost > UINT32_MAX)
        return toll_fail_line(r->in, r->line, r->err, TOLL_E_SYNTAX,
                              "is not NAME COST with a cost of 0 to 4294967295; write such as "
                              "i32.add 1");
    if (is(name, "*"))
        return set(r, name, &r->others_named, others, (uint32_t)cost);
    if (is(name, "entry"))
        return set(r, name, &r->entry_named, &r->costs->entry, (uint32_t)cost);
    return set_named(r, name, (uint32_t)cost);
}

static toll_status read_lines(reader *r)
{
    const char *text;
    size_t size;
    bool whole;
    uint32_t others = 1;
    toll_status status = TOLL_OK;
    while (!status && toll_input_line(r->in, &text, &size, &whole)) {
        r->line++;
        status = read_line(r, text, size, &others);
    }
    if (!status)
        status = toll_input_check(r->in, r->err);
    for (uint32_t i = 0; i < TOLL_WASM_NUMBERS; i++)
        if (!r->named[i])
            r->costs->of[i] = others;
    return status;
}

/* Set the table's name: the file's name without folders, cut to the room that there is. */
static void set_name(toll_wasm_costs *costs, const char *path)
{
    const char *name = toll_os_file_name(path);
    size_t size = strlen(name);
    if (size >= sizeof costs->name)
        size = sizeof costs->name - 1;
    size = toll_text_check(name, size); /* not in the middle of a character */
    memset(costs->name, 0, sizeof costs->name);
    memcpy(costs->name, name, size);
}

toll_status toll_wasm_costs_read(const toll_allocator *allocator, toll_input *in,
                                 toll_wasm_costs **out, toll_error *err)
{
    reader r = { .in = in, .err = err };
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    r.costs = create(allocator, TOLL_WASM_INSTRUCTIONS);
    if (!r.costs)
        return toll_fail_nomem(err);
    set_name(r.costs, toll_input_name(in));
    toll_status status = read_lines(&r);
    if (status)
        toll_wasm_costs_free(r.costs);
    else
        *out = r.costs;
    return status;
}
