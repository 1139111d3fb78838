/* sbf_shape.c - see sbf_shape.h.
 *
 * The whole program is searched for the code of each function of the build, since it is not known
 * where the program's own functions begin. Code is first compared by polynomial sums: the sum of
 * any range follows from the sums of two prefixes. */
#include "sbf/sbf_shape.h"

#include <stdlib.h>
#include <string.h>

enum {
    SLOT = 8,          /* bytes of an instruction */
    SHORTEST = 8,      /* instructions; shorter functions are equal by chance */
    MOST_PLACES = 4096 /* places that begin like the function; beyond that it gets no name */
};

#define FACTOR UINT64_C(0x9e3779b97f4a7c15)
#define NOWHERE SIZE_MAX

/* Code without the parts that linkers write. */
typedef struct shape {
    uint8_t *code;
    uint64_t *sums; /* sums of the first 0, 1, ... count instructions */
    size_t count;
} shape;

/* Maps the first SHORTEST instructions to the places that begin with them. */
typedef struct place_index {
    uint32_t *heads; /* by hash: a place + 1, or 0 */
    uint32_t *next;  /* by place: the next one with the same hash, + 1, or 0 */
    size_t head_count, place_count;
} place_index;

/* A function of the build. */
typedef struct function {
    const toll_sbf_symbol *symbol;
    size_t first, count; /* instructions */
    uint64_t sum;
    size_t place; /* in the program, or NOWHERE */
} function;

/* The state of comparing two programs. */
typedef struct comparison {
    const toll_mem *mem;
    shape program, build;
    place_index places; /* of the program */
    function *functions;
    size_t function_count, function_capacity;
} comparison;

/* --- shapes ------------------------------------------------------------------------------------*/

/* Does this instruction, with the next one, load a constant that may be an address? lddw does, and
 * in SBPF v2 mov32 with hor64; addresses of programs are below 2^33. */
static bool loads_address(const uint8_t *at)
{
    const uint8_t *next = at + SLOT;
    bool is_pair =
        at[0] == 0x18 || (at[0] == 0xb4 && next[0] == 0xf7 && (at[1] & 15) == (next[1] & 15));
    return is_pair && next[4] <= 1 && !next[5] && !next[6] && !next[7];
}

/* Does it call an address that a linker chooses? From SBPF v3 on a system call has its name's
 * hash. */
static bool calls_address(const uint8_t *at, unsigned version)
{
    return at[0] == 0x85 && (version < 3 || at[1] >> 4 == 1);
}

static void mask(uint8_t *code, size_t count, unsigned version)
{
    for (size_t i = 0; i < count; i++) {
        uint8_t *at = code + i * SLOT;
        bool is_pair = i + 1 < count && loads_address(at);
        if (is_pair || calls_address(at, version))
            memset(at + 4, 0, 4);
        if (is_pair)
            memset(at + SLOT + 4, 0, 4);
        i += is_pair;
    }
}

static uint64_t word_of(const uint8_t *at)
{
    uint64_t v = 0;
    for (int i = SLOT - 1; i >= 0; i--)
        v = v << 8 | at[i];
    return v + 1;
}

static bool make_shape(const toll_mem *mem, const toll_sbf_symbols *s, shape *out)
{
    out->count = s->text.size / SLOT;
    out->code = toll_mem_new(mem, out->count + 1, SLOT);
    out->sums = toll_mem_new(mem, out->count + 1, sizeof *out->sums);
    if (!out->code || !out->sums)
        return false;
    if (out->count)
        memcpy(out->code, s->text.data, out->count * SLOT);
    mask(out->code, out->count, s->version);
    for (size_t i = 0; i < out->count; i++)
        out->sums[i + 1] = out->sums[i] * FACTOR + word_of(out->code + i * SLOT);
    return true;
}

static void free_shape(const toll_mem *mem, shape *s)
{
    toll_mem_free(mem, s->code, s->count + 1, SLOT);
    toll_mem_free(mem, s->sums, s->count + 1, sizeof *s->sums);
}

static uint64_t power(size_t n)
{
    uint64_t result = 1;
    for (uint64_t f = FACTOR; n; n >>= 1, f *= f)
        result *= n & 1 ? f : 1;
    return result;
}

/* The sum of `count` instructions from `first` on; `scale` is power(count). */
static uint64_t sum_of(const shape *s, size_t first, size_t count, uint64_t scale)
{
    return s->sums[first + count] - s->sums[first] * scale;
}

/* --- the program's places ----------------------------------------------------------------------*/

static size_t head_of(const place_index *x, uint64_t sum)
{
    return (size_t)(sum * FACTOR >> 32) & (x->head_count - 1);
}

static bool make_index(const toll_mem *mem, const shape *s, place_index *x)
{
    const uint64_t scale = power(SHORTEST);
    x->place_count = s->count < SHORTEST || s->count > UINT32_MAX ? 0 : s->count - SHORTEST + 1;
    x->head_count = 1;
    while (x->head_count < x->place_count)
        x->head_count *= 2;
    x->heads = toll_mem_new(mem, x->head_count, sizeof *x->heads);
    x->next = toll_mem_new(mem, x->place_count ? x->place_count : 1, sizeof *x->next);
    if (!x->heads || !x->next)
        return false;
    for (size_t i = 0; i < x->place_count; i++) {
        uint32_t *head = &x->heads[head_of(x, sum_of(s, i, SHORTEST, scale))];
        x->next[i] = *head;
        *head = (uint32_t)i + 1;
    }
    return true;
}

/* Find the only place of the program that has the function's code. */
static size_t find_place(const comparison *c, const function *f)
{
    const place_index *x = &c->places;
    const uint64_t scale = power(f->count);
    const uint8_t *code = c->build.code + f->first * SLOT;
    size_t found = NOWHERE, passed = 0;
    uint32_t at = x->heads[head_of(x, sum_of(&c->build, f->first, SHORTEST, power(SHORTEST)))];
    for (; at; at = x->next[at - 1]) {
        size_t place = at - 1;
        if (++passed > MOST_PLACES)
            return NOWHERE;
        if (c->program.count - place < f->count ||
            sum_of(&c->program, place, f->count, scale) != f->sum ||
            memcmp(c->program.code + place * SLOT, code, f->count * SLOT) != 0)
            continue;
        if (found != NOWHERE)
            return NOWHERE;
        found = place;
    }
    return found;
}

/* --- the build's functions ---------------------------------------------------------------------*/

/* Where a symbol's function ends: by its size, else where the next function begins. */
static uint64_t end_of(const toll_sbf_symbols *s, size_t i)
{
    const toll_sbf_symbol *symbol = &s->list[i];
    uint64_t end = s->text_address + s->text.size;
    if (symbol->size)
        return symbol->size > end - symbol->address ? 0 : symbol->address + symbol->size;
    for (size_t next = i + 1; next < s->count; next++)
        if (s->list[next].address > symbol->address)
            return s->list[next].address < end ? s->list[next].address : end;
    return end;
}

/* List the functions, without those that are too short or partly outside the code. */
static void list_functions(comparison *c, const toll_sbf_symbols *s)
{
    for (size_t i = 0; i < s->count; i++) {
        uint64_t begin = s->list[i].address;
        bool is_first = i == 0 || s->list[i - 1].address != begin;
        if (!is_first || begin < s->text_address || begin - s->text_address >= s->text.size)
            continue;
        uint64_t end = end_of(s, i);
        function f = { .symbol = &s->list[i], .place = NOWHERE };
        f.first = (size_t)(begin - s->text_address) / SLOT;
        f.count = end > begin ? (size_t)(end - begin) / SLOT : 0;
        if ((begin - s->text_address) % SLOT || f.count < SHORTEST)
            continue;
        f.sum = sum_of(&c->build, f.first, f.count, power(f.count));
        c->functions[c->function_count++] = f;
    }
}

static int compare_code(const void *left, const void *right)
{
    const function *a = left, *b = right;
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    return a->sum < b->sum ? -1 : a->sum > b->sum;
}

static int compare_places(const void *left, const void *right)
{
    const function *a = left, *b = right;
    return a->place < b->place ? -1 : a->place > b->place;
}

/* Does the function differ from its neighbours, in the order of `compare`? */
static bool is_alone(const comparison *c, size_t i, int (*compare)(const void *, const void *))
{
    const function *f = &c->functions[i];
    return (i == 0 || compare(f - 1, f) != 0) &&
           (i + 1 == c->function_count || compare(f, f + 1) != 0);
}

static void match(comparison *c)
{
    qsort(c->functions, c->function_count, sizeof *c->functions, compare_code);
    for (size_t i = 0; i < c->function_count; i++)
        if (is_alone(c, i, compare_code))
            c->functions[i].place = find_place(c, &c->functions[i]);
    qsort(c->functions, c->function_count, sizeof *c->functions, compare_places);
}

/* --- all ---------------------------------------------------------------------------------------*/

static bool add_names(const comparison *c, toll_sbf_symbols *program, const toll_sbf_symbols *build,
                      toll_sbf_shapes *out)
{
    bool good = true;
    for (size_t i = 0; good && i < c->function_count; i++) {
        const function *f = &c->functions[i];
        if (f->place == NOWHERE || !is_alone(c, i, compare_places))
            continue;
        out->found++;
        good = toll_sbf_symbols_add(program, (const char *)build->names.data + f->symbol->name,
                                    toll_sbf_symbols_address(program, f->place), f->count * SLOT,
                                    TOLL_SBF_BY_SHAPE);
    }
    toll_sbf_symbols_sort(program);
    return good;
}

bool toll_sbf_shapes_add(toll_sbf_symbols *program, const toll_sbf_symbols *build,
                         toll_sbf_shapes *out)
{
    comparison c = { .mem = &program->mem, .function_capacity = build->count ? build->count : 1 };
    *out = (toll_sbf_shapes){ .functions = build->count };
    c.functions = toll_mem_new(c.mem, c.function_capacity, sizeof *c.functions);
    bool good = c.functions && make_shape(c.mem, program, &c.program) &&
                make_shape(c.mem, build, &c.build) && make_index(c.mem, &c.program, &c.places);
    if (good) {
        list_functions(&c, build);
        match(&c);
        good = add_names(&c, program, build, out);
    }
    free_shape(c.mem, &c.program);
    free_shape(c.mem, &c.build);
    toll_mem_free(c.mem, c.places.heads, c.places.head_count, sizeof *c.places.heads);
    toll_mem_free(c.mem, c.places.next, c.places.place_count ? c.places.place_count : 1,
                  sizeof *c.places.next);
    toll_mem_free(c.mem, c.functions, c.function_capacity, sizeof *c.functions);
    return good;
}
