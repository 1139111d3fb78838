/* sbf_logged.c - see sbf_logged.h. */
#include "sbf/sbf_logged.h"

#include "base/array.h"
#include "base/sort.h"
#include "sbf/sbf_evidence.h"

#include <string.h>

enum {
    INSN_SIZE = 8,
    OP_LDDW = 0x18,
    OP_CALL = 0x85,
    OP_MOV = 0xb7,
    OP_JUMP = 0x05,
    OP_EXIT = 0x95,
    TEXT_REGISTER = 1, /* of sol_log_: the text, and its size */
    SIZE_REGISTER = 2,
    NEAR = 8, /* slots between the two */
    LONGEST = 64
};

static const char prefix[] = "Instruction: ";
enum { PREFIX = sizeof prefix - 1 };

/* A place in the code where the text of an instruction is loaded. */
typedef struct mention {
    uint32_t slot, function; /* function: where that begins */
    uint32_t name;
} mention;

typedef struct finding {
    toll_sbf_logged *logged;
    const uint8_t *text;
    size_t slots;
    const toll_sbf_constants *constants;
    toll_sbf_targets targets;
    uint8_t *calls; /* of the function that begins at each slot: 2 stands for more */
    mention *mentions;
    size_t count, capacity;
} finding;

static const uint8_t *insn_at(const finding *f, uint64_t slot)
{
    return f->text + slot * INSN_SIZE;
}

static int target_register(const uint8_t *insn)
{
    return insn[1] & 0xf;
}

/* --- texts -------------------------------------------------------------------------------------*/

static bool is_name(const uint8_t *at, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        uint8_t c = at[i], letter = c | 0x20;
        if (!(letter >= 'a' && letter <= 'z') && !(c >= '0' && c <= '9') && c != '_')
            return false;
    }
    return size > 0;
}

/* The constant at an address, if it begins with the prefix: *most bytes follow it. */
static const uint8_t *constant_at(const finding *f, uint64_t address, size_t *most)
{
    const toll_sbf_constants *c = f->constants;
    if (address < c->address || address - c->address >= c->size)
        return NULL;
    const uint8_t *at = c->data + (address - c->address);
    size_t left = c->size - (size_t)(address - c->address);
    if (left <= PREFIX || memcmp(at, prefix, PREFIX) != 0)
        return NULL;
    *most = left - PREFIX;
    return at + PREFIX;
}

static bool is_end(const uint8_t *insn)
{
    return insn[0] == OP_CALL || insn[0] == OP_JUMP || insn[0] == OP_EXIT;
}

/* The size that the code gives a text which it loads at `slot`: by the nearest instruction that
 * sets the register for it, in the straight code between two calls. 0: there is none. */
static uint32_t size_at(const finding *f, uint64_t slot)
{
    for (int step = 1; step >= -1; step -= 2) {
        uint64_t at = step > 0 ? slot + 2 : slot - 1; /* lddw has two slots */
        for (int i = 0; i < NEAR && at < f->slots && !is_end(insn_at(f, at)); i++) {
            const uint8_t *insn = insn_at(f, at);
            if (insn[0] == OP_MOV && target_register(insn) == SIZE_REGISTER)
                return toll_sbf_constant_of(insn);
            at += (uint64_t)(int64_t)step; /* below 0 it is no slot, either */
        }
    }
    return 0;
}

/* The size of a name of which `most` bytes are there. 0: it is no name. */
static size_t size_of(const finding *f, uint64_t slot, const uint8_t *name, size_t most)
{
    uint32_t size = size_at(f, slot);
    if (size <= PREFIX || size - PREFIX > LONGEST || size - PREFIX > most)
        return 0;
    return is_name(name, size - PREFIX) ? size - PREFIX : 0;
}

/* Add the mention in a lddw, if it is one. */
static bool add_mention(finding *f, uint64_t slot, uint32_t function)
{
    toll_buffer *names = &f->logged->names;
    const uint8_t *insn = insn_at(f, slot);
    size_t most;
    if (insn[0] != OP_LDDW || target_register(insn) != TEXT_REGISTER || slot + 1 >= f->slots)
        return true;
    uint64_t address = toll_sbf_constant_of(insn) | (uint64_t)toll_sbf_constant_of(insn + INSN_SIZE)
                                                        << 32;
    const uint8_t *name = constant_at(f, address, &most);
    size_t size = name ? size_of(f, slot, name, most) : 0;
    if (!size)
        return true;
    if (!toll_array_grow(&f->logged->mem, &f->mentions, &f->capacity, f->count, 1))
        return false;
    f->mentions[f->count++] = (mention){ (uint32_t)slot, function, (uint32_t)names->size };
    return toll_buffer_append(names, name, size) && toll_buffer_append_byte(names, 0);
}

/* --- functions ---------------------------------------------------------------------------------*/

static const char *text_of(const toll_sbf_logged *l, uint32_t name)
{
    return (const char *)l->names.data + name;
}

static bool name_function(finding *f, uint64_t slot, uint32_t name)
{
    toll_sbf_logged *l = f->logged;
    if (!toll_array_grow(&l->mem, &l->items, &l->capacity, l->count, 1))
        return false;
    l->items[l->count++] = (toll_sbf_logged_function){ (uint32_t)slot, name };
    return true;
}

/* Name the function that is called after a mention in straight code, and nowhere else. */
static bool name_callee(finding *f, const mention *m)
{
    for (uint64_t at = m->slot + 2; at < f->slots && !f->calls[at]; at++) {
        const uint8_t *insn = insn_at(f, at);
        if (insn[0] == OP_EXIT || insn[0] == OP_JUMP)
            break;
        if (m + 1 < f->mentions + f->count && at >= m[1].slot)
            break;
        uint64_t target = toll_sbf_target_of(&f->targets, f->text, at);
        if (target != UINT64_MAX && f->calls[target] == 1)
            return name_function(f, target, m->name);
    }
    return true;
}

/* Name what the mentions [first, end) of one function show. */
static bool name_group(finding *f, size_t first, size_t end)
{
    const char *name = text_of(f->logged, f->mentions[first].name);
    bool is_one = true, good = true;
    for (size_t i = first + 1; i < end; i++)
        is_one &= strcmp(text_of(f->logged, f->mentions[i].name), name) == 0;
    if (is_one)
        return name_function(f, f->mentions[first].function, f->mentions[first].name);
    for (size_t i = first; good && i < end; i++)
        good = name_callee(f, &f->mentions[i]);
    return good;
}

static int compare(const void *a, const void *b)
{
    const toll_sbf_logged_function *x = a, *y = b;
    if (x->slot != y->slot)
        return x->slot < y->slot ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

/* Sort the functions, and drop those that have two names. */
static void settle(toll_sbf_logged *l)
{
    size_t kept = 0;
    toll_sort(l->items, l->count, sizeof *l->items, compare);
    for (size_t i = 0, end; i < l->count; i = end) {
        bool is_one = true;
        for (end = i + 1; end < l->count && l->items[end].slot == l->items[i].slot; end++)
            is_one &= strcmp(text_of(l, l->items[end].name), text_of(l, l->items[i].name)) == 0;
        if (is_one)
            l->items[kept++] = l->items[i];
    }
    l->count = kept;
}

/* --- the whole ---------------------------------------------------------------------------------*/

static void count_calls(finding *f)
{
    for (uint64_t at = 0; at < f->slots; at++) {
        uint64_t target = toll_sbf_target_of(&f->targets, f->text, at);
        if (target != UINT64_MAX && f->calls[target] < 2)
            f->calls[target]++;
    }
}

static bool find(finding *f)
{
    uint32_t function = 0;
    bool good = true;
    count_calls(f);
    for (uint64_t at = 0; good && at < f->slots; at++) {
        function = f->calls[at] ? (uint32_t)at : function;
        good = add_mention(f, at, function);
    }
    for (size_t i = 0, end; good && i < f->count; i = end) {
        for (end = i + 1; end < f->count && f->mentions[end].function == f->mentions[i].function;)
            end++;
        good = name_group(f, i, end);
    }
    settle(f->logged);
    return good;
}

bool toll_sbf_logged_find(toll_sbf_logged *logged, const toll_mem *mem, const uint8_t *text,
                          size_t text_size, const toll_sbf_constants *constants)
{
    finding f = {
        .logged = logged, .text = text, .slots = text_size / INSN_SIZE, .constants = constants
    };
    *logged = (toll_sbf_logged){ .mem = *mem };
    toll_buffer_init(&logged->names, mem);
    if (!f.slots || f.slots >= UINT32_MAX)
        return true;
    f.calls = toll_mem_new(mem, f.slots, 1);
    bool good = f.calls && toll_sbf_targets_init(&f.targets, mem, f.slots) && find(&f);
    toll_sbf_targets_free(&f.targets);
    toll_mem_free(mem, f.calls, f.slots, 1);
    toll_mem_free(mem, f.mentions, f.capacity, sizeof *f.mentions);
    return good;
}

void toll_sbf_logged_free(toll_sbf_logged *l)
{
    toll_mem_free(&l->mem, l->items, l->capacity, sizeof *l->items);
    toll_buffer_free(&l->names);
    *l = (toll_sbf_logged){ .mem = l->mem };
}

const char *toll_sbf_logged_name(const toll_sbf_logged *l, uint64_t pc)
{
    size_t first = 0, end = l->count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (l->items[middle].slot < pc)
            first = middle + 1;
        else
            end = middle;
    }
    return first < l->count && l->items[first].slot == pc ? text_of(l, l->items[first].name) : NULL;
}
