/* pattern_match.c - matches names with an automaton that is built while characters are read. See
 * pattern.h.
 *
 * A state is a list of instructions at which a match can continue. It is made before the next
 * character is known, so that edges ($, \b) can test both sides. State 0 is the beginning of a
 * name. A match may begin anywhere, so each state contains the first instruction.
 *
 * The next state for a state and a class of characters is computed once, and stored in a row of the
 * table. The table is bounded: when it is full, it is cleared except for state 0. A pattern that
 * keeps filling it takes time proportional to its program for each character; this work is counted,
 * and limited to PATTERN_WORK. */
#include "base/pattern.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/pattern_program.h"
#include "base/printable.h"
#include "base/text.h"

#include <string.h>

#define PATTERN_WORK 100000000u /* instructions visited: about a second */
enum { TABLE_MOST = 8 << 20 };  /* bytes */

/* Entries of the table: the next state. State n is stored as n + KNOWN. */
enum { UNKNOWN, MATCHED, KNOWN };

/* The kind of character beside a position in a name. */
typedef enum side { SIDE_NOTHING, SIDE_WORD, SIDE_OTHER } side;

typedef struct state {
    size_t first; /* in `places` */
    uint32_t count;
    side before;
} state;

struct toll_pattern {
    toll_mem mem;
    char *text; /* for messages */
    toll_pattern_program program;
    /* The table. A row has a number for each class, and one for the end of the name. */
    uint32_t *rows;
    size_t row_capacity, width;
    state *states;
    size_t state_count, state_capacity;
    uint32_t *places; /* of all states */
    size_t place_count, place_capacity;
    toll_id_index index; /* of the states */
    /* Used while a state is made. */
    uint32_t *stack, *found, *marks; /* marks: `mark` at the instructions that were reached */
    uint32_t found_count, mark;
    uint64_t work;
};

/* --- the table ---------------------------------------------------------------------------------*/

static uint32_t hash_state(const uint32_t *places, uint32_t count, side before)
{
    return (uint32_t)toll_hash_bytes(places, count * sizeof *places, before);
}

static uint32_t find_state(const toll_pattern *p, uint32_t hash, side before)
{
    size_t place = hash;
    uint32_t id;
    while ((id = toll_id_index_next(&p->index, hash, &place)) != UINT32_MAX) {
        const state *s = &p->states[id];
        if (s->count == p->found_count && s->before == before &&
            !memcmp(p->places + s->first, p->found, s->count * sizeof *p->found))
            return id;
    }
    return UINT32_MAX;
}

static bool grow_table(toll_pattern *p)
{
    size_t bytes = (p->state_count + 1) * (sizeof *p->states + p->width * sizeof *p->rows) +
                   (p->place_count + p->found_count) * sizeof *p->places;
    bool fits = p->state_count < p->state_capacity &&
                (p->state_count + 1) * p->width <= p->row_capacity &&
                p->place_count + p->found_count <= p->place_capacity;
    return (fits || bytes <= TABLE_MOST) &&
           toll_array_grow(&p->mem, &p->states, &p->state_capacity, p->state_count, 1) &&
           toll_array_grow(&p->mem, &p->rows, &p->row_capacity, p->state_count * p->width,
                           p->width) &&
           toll_array_grow(&p->mem, &p->places, &p->place_capacity, p->place_count,
                           p->found_count) &&
           toll_id_index_reserve(&p->index, &p->mem);
}

/* Add found[] as a state. UINT32_MAX: the table is full. */
static uint32_t add_state(toll_pattern *p, uint32_t hash, side before)
{
    if (!grow_table(p))
        return UINT32_MAX;
    uint32_t id = (uint32_t)p->state_count++;
    p->states[id] = (state){ p->place_count, p->found_count, before };
    memcpy(p->places + p->place_count, p->found, p->found_count * sizeof *p->found);
    memset(p->rows + id * p->width, 0, p->width * sizeof *p->rows);
    p->place_count += p->found_count;
    toll_id_index_add(&p->index, hash, id);
    p->work += p->width / 16 + p->found_count;
    return id;
}

/* Add state 0, which contains only the first instruction. found[] may be in use. */
static bool add_first_state(toll_pattern *p)
{
    uint32_t kept_count = p->found_count, kept = p->found[0];
    p->found[0] = 0;
    p->found_count = 1;
    uint32_t id = add_state(p, hash_state(p->found, 1, SIDE_NOTHING), SIDE_NOTHING);
    p->found[0] = kept;
    p->found_count = kept_count;
    return id == 0;
}

static void empty_table(toll_pattern *p)
{
    p->state_count = p->place_count = 0;
    toll_id_index_clear(&p->index);
    add_first_state(p); /* there is room: the table was cleared */
}

/* --- steps -------------------------------------------------------------------------------------*/

static bool is_at(toll_pattern_edge edge, side before, side after)
{
    switch (edge) {
    case TOLL_EDGE_BEGIN: return before == SIDE_NOTHING;
    case TOLL_EDGE_END: return after == SIDE_NOTHING;
    case TOLL_EDGE_WORD: return (before == SIDE_WORD) != (after == SIDE_WORD);
    case TOLL_EDGE_NO_WORD: break;
    }
    return (before == SIDE_WORD) == (after == SIDE_WORD);
}

static side side_of(const toll_pattern *p, uint32_t class)
{
    if (class == p->program.class_count)
        return SIDE_NOTHING;
    return p->program.has_words && toll_pattern_has(&p->program, p->program.word_set, class)
               ? SIDE_WORD
               : SIDE_OTHER;
}

/* Push an instruction on the stack, at most once for each mark. */
static void reach(toll_pattern *p, uint32_t at, size_t *depth)
{
    if (p->marks[at] == p->mark)
        return;
    p->marks[at] = p->mark;
    p->stack[(*depth)++] = at;
}

/* Follow one instruction as far as the class allows. found[] gets the instructions at which the
 * next character continues. True: the pattern matches. */
static bool follow(toll_pattern *p, uint32_t from, uint32_t class, side before)
{
    side after = side_of(p, class);
    size_t depth = 0;
    reach(p, from, &depth);
    while (depth > 0) {
        uint32_t at = p->stack[--depth];
        const toll_pattern_instruction *i = &p->program.code[at];
        p->work++;
        switch (i->op) {
        case TOLL_OP_SET:
            if (after != SIDE_NOTHING && toll_pattern_has(&p->program, i->x, class))
                p->found[p->found_count++] = at + 1;
            break;
        case TOLL_OP_SPLIT:
            reach(p, i->y, &depth);
            reach(p, i->x, &depth);
            break;
        case TOLL_OP_JUMP: reach(p, i->x, &depth); break;
        case TOLL_OP_EDGE:
            if (is_at((toll_pattern_edge)i->x, before, after))
                reach(p, at + 1, &depth);
            break;
        case TOLL_OP_MATCH: return true;
        }
    }
    return false;
}

/* The table's entry for state `from` and a class. */
static uint32_t step(toll_pattern *p, uint32_t from, uint32_t class)
{
    state s = p->states[from];
    uint32_t *cell = p->rows + from * p->width + class;
    bool is_matched = false;
    p->found_count = 0;
    if (++p->mark == 0) { /* after 2^32 steps */
        memset(p->marks, 0, p->program.count * sizeof *p->marks);
        p->mark = 1;
    }
    for (uint32_t i = 0; !is_matched && i < s.count; i++)
        is_matched = follow(p, p->places[s.first + i], class, s.before);
    if (is_matched)
        return *cell = MATCHED;
    p->found[p->found_count++] = 0; /* only loops lead back to the first instruction */
    side before = side_of(p, class);
    uint32_t hash = hash_state(p->found, p->found_count, before), id = find_state(p, hash, before);
    if (id == UINT32_MAX && (id = add_state(p, hash, before)) == UINT32_MAX) {
        empty_table(p);
        return add_state(p, hash, before) + KNOWN;
    }
    return p->rows[from * p->width + class] = id + KNOWN;
}

/* --- names -------------------------------------------------------------------------------------*/

static uint32_t next_class(const toll_pattern *p, const char **name, const char *end)
{
    uint8_t first = (uint8_t) * *name;
    if (first < 0x80) {
        ++*name;
        return p->program.ascii[first];
    }
    toll_character c = toll_character_at(*name, (size_t)(end - *name));
    *name += c.size;
    return toll_pattern_class(&p->program,
                              c.code == TOLL_NOT_UTF8 ? TOLL_CHAR_BYTES + first : c.code);
}

bool toll_pattern_matches(toll_pattern *p, const char *name)
{
    const char *end = name + strlen(name);
    uint32_t at = 0, next;
    bool is_end = false;
    while (!is_end && p->work < PATTERN_WORK) {
        is_end = name == end;
        uint32_t class = is_end ? p->program.class_count : next_class(p, &name, end);
        next = p->rows[at * p->width + class];
        if (next == UNKNOWN)
            next = step(p, at, class);
        if (next == MATCHED)
            return true;
        at = next - KNOWN;
    }
    return false;
}

toll_status toll_pattern_check(const toll_pattern *p, toll_error *err)
{
    if (p->work < PATTERN_WORK)
        return TOLL_OK;
    return toll_fail(err, TOLL_E_LIMIT,
                     "pattern '%.200s' takes more than %u steps on these names; repeat less in it, "
                     "or write it as several",
                     p->text, PATTERN_WORK);
}

/* --- the whole ---------------------------------------------------------------------------------*/

/* Make room for any two states: a cleared table needs that much. */
static bool make_room(toll_pattern *p)
{
    size_t count = p->program.count;
    p->width = p->program.class_count + 1;
    p->stack = toll_mem_new(&p->mem, count, sizeof *p->stack);
    p->found = toll_mem_new(&p->mem, count + 1, sizeof *p->found);
    p->marks = toll_mem_new(&p->mem, count, sizeof *p->marks);
    return p->stack && p->found && p->marks &&
           toll_array_grow(&p->mem, &p->states, &p->state_capacity, 0, 16) &&
           toll_array_grow(&p->mem, &p->rows, &p->row_capacity, 0, 16 * p->width) &&
           toll_array_grow(&p->mem, &p->places, &p->place_capacity, 0, count + 64) &&
           add_first_state(p);
}

toll_status toll_pattern_parse(toll_pattern **out, const toll_mem *mem, const char *text,
                               toll_error *err)
{
    toll_pattern *p = toll_mem_new(mem, 1, sizeof *p);
    *out = p;
    if (!p)
        return toll_fail_nomem(err);
    p->mem = *mem;
    toll_status status = toll_pattern_compile(&p->program, mem, text, err);
    if (!status) {
        p->text = toll_mem_new(mem, strlen(text) + 1, 1);
        if (p->text)
            memcpy(p->text, text, strlen(text));
        if (!p->text || !make_room(p))
            status = toll_fail_nomem(err);
    }
    if (status) {
        toll_pattern_free(p);
        *out = NULL;
    }
    return status;
}

void toll_pattern_free(toll_pattern *p)
{
    if (!p)
        return;
    size_t count = p->program.count;
    if (p->text)
        toll_mem_free(&p->mem, p->text, strlen(p->text) + 1, 1);
    toll_mem_free(&p->mem, p->rows, p->row_capacity, sizeof *p->rows);
    toll_mem_free(&p->mem, p->states, p->state_capacity, sizeof *p->states);
    toll_mem_free(&p->mem, p->places, p->place_capacity, sizeof *p->places);
    toll_mem_free(&p->mem, p->stack, count, sizeof *p->stack);
    toll_mem_free(&p->mem, p->found, count + 1, sizeof *p->found);
    toll_mem_free(&p->mem, p->marks, count, sizeof *p->marks);
    toll_id_index_free(&p->index, &p->mem);
    toll_pattern_program_free(&p->program);
    toll_mem mem = p->mem;
    toll_mem_free(&mem, p, 1, sizeof *p);
}
