/* map_pieces.c - see map_pieces.h. */
#include "debug/map_pieces.h"

#include "base/array.h"

#include <stdlib.h>

static int compare_pieces(const void *left, const void *right)
{
    const toll_map_piece *a = left, *b = right;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    return a->scope < b->scope ? -1 : a->scope > b->scope;
}

/* A sweep over the addresses. `open` is a heap of the pieces that have begun, with the one that
 * counts at its root; pieces that have ended are removed when they get there. */
typedef struct sweep {
    const toll_map_piece *pieces;
    const toll_map_scope *scopes;
    uint32_t *open;
    size_t open_count;
    toll_map_piece *out;
    size_t out_count, out_capacity;
} sweep;

static bool before(const sweep *s, size_t a, size_t b)
{
    uint32_t left = s->pieces[s->open[a]].scope, right = s->pieces[s->open[b]].scope;
    uint32_t left_unit = s->scopes[left].unit, right_unit = s->scopes[right].unit;
    return left_unit != right_unit ? left_unit < right_unit : left > right;
}

static void swap(sweep *s, size_t a, size_t b)
{
    uint32_t kept = s->open[a];
    s->open[a] = s->open[b];
    s->open[b] = kept;
}

static void push_open(sweep *s, size_t piece)
{
    size_t at = s->open_count++;
    s->open[at] = (uint32_t)piece;
    for (; at && before(s, at, (at - 1) / 2); at = (at - 1) / 2)
        swap(s, at, (at - 1) / 2);
}

static void pop_open(sweep *s)
{
    s->open[0] = s->open[--s->open_count];
    for (size_t at = 0;;) {
        size_t best = at;
        for (size_t child = 2 * at + 1; child <= 2 * at + 2; child++)
            if (child < s->open_count && before(s, child, best))
                best = child;
        if (best == at)
            return;
        swap(s, at, best);
        at = best;
    }
}

/* Write a piece. Adjacent pieces of one scope are joined. */
static bool put_out(sweep *s, const toll_mem *mem, toll_map_piece piece)
{
    toll_map_piece *last = s->out_count ? &s->out[s->out_count - 1] : NULL;
    if (last && last->end == piece.begin && last->scope == piece.scope) {
        last->end = piece.end;
        return true;
    }
    if (!toll_array_grow(mem, &s->out, &s->out_capacity, s->out_count, 1))
        return false;
    s->out[s->out_count++] = piece;
    return true;
}

/* Write all pieces from `at` up to `until`, where the next piece begins. */
static bool sweep_to(sweep *s, const toll_mem *mem, uint64_t at, uint64_t until)
{
    while (s->open_count && at < until) {
        const toll_map_piece *top = &s->pieces[s->open[0]];
        uint64_t end = top->end < until ? top->end : until;
        if (end > at) {
            if (!put_out(s, mem, (toll_map_piece){ at, end, top->scope }))
                return false;
            at = end;
        }
        if (top->end <= at)
            pop_open(s);
    }
    return true;
}

bool toll_map_pieces_flatten(toll_address_map *m)
{
    if (m->piece_count == 0)
        return true;
    qsort(m->pieces, m->piece_count, sizeof *m->pieces, compare_pieces);
    sweep s = { .pieces = m->pieces, .scopes = m->scopes };
    bool good = m->piece_count < TOLL_MAP_NONE;
    s.open = good ? toll_mem_new(&m->mem, m->piece_count, sizeof *s.open) : NULL;
    good = s.open != NULL;
    for (size_t i = 0; good && i < m->piece_count; i++) {
        push_open(&s, i);
        uint64_t next = i + 1 < m->piece_count ? m->pieces[i + 1].begin : UINT64_MAX;
        good = sweep_to(&s, &m->mem, m->pieces[i].begin, next);
    }
    toll_mem_free(&m->mem, s.open, m->piece_count, sizeof *s.open);
    if (!good) {
        toll_mem_free(&m->mem, s.out, s.out_capacity, sizeof *s.out);
        return false;
    }
    toll_mem_free(&m->mem, m->pieces, m->piece_capacity, sizeof *m->pieces);
    m->pieces = s.out;
    m->piece_count = s.out_count;
    m->piece_capacity = s.out_capacity;
    return true;
}
