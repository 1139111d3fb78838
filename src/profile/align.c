/* align.c - matches functions whose definition has moved between two profiles: see
 * toll_profile_align, and "Comparisons" in docs/semantics.md.
 *
 * The definitions of both profiles are sorted into one list by name, then file, then profile, then
 * line. So the candidates for a match are always adjacent. */
#include "base/fail.h"
#include "profile/graft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BEFORE, AFTER, SIDES };

typedef struct definition {
    const char *name, *file;
    size_t name_size; /* without the line number at the end of a nameless function's name */
    uint32_t line, kind, side;
    toll_frame_id frame; /* the function's first frame */
    uint32_t to;         /* in BEFORE: the definition it is compared with; TOLL_NONE: its own */
} definition;

typedef struct alignment {
    toll_mem mem;
    const toll_profile *sides[SIDES];
    definition *items;
    size_t count, room;
    uint64_t moved;
} alignment;

/* The size of the name without its line. Readers and hosts name a function without a name by its
 * place: `app.lua:12`. */
static size_t name_size(const toll_frame *f)
{
    char line[16];
    size_t size = strlen(f->name),
           end = (size_t)snprintf(line, sizeof line, ":%u", (unsigned)f->line);
    return f->line && end < size && strcmp(f->name + size - end, line) == 0 ? size - end : size;
}

/* The definition of a frame. A function and its inlined code have the same one. */
static definition definition_of(const toll_profile *p, toll_frame_id id, uint32_t side)
{
    toll_frame f = toll_profile_frame(p, id);
    return (definition){ .name = f.name,
                         .file = f.file,
                         .name_size = name_size(&f),
                         .line = f.line,
                         .kind = f.kind == TOLL_KIND_INLINED ? TOLL_KIND_FUNCTION : f.kind,
                         .side = side,
                         .frame = id,
                         .to = TOLL_NONE };
}

static int compare_numbers(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_names(const definition *a, const definition *b)
{
    int by = compare_numbers(a->name_size, b->name_size);
    by = by ? by : memcmp(a->name, b->name, a->name_size);
    return by ? by : compare_numbers(a->kind, b->kind);
}

static int compare_files(const definition *a, const definition *b)
{
    int by = compare_names(a, b);
    return by ? by : strcmp(a->file, b->file);
}

static int compare_definitions(const definition *a, const definition *b)
{
    int by = compare_files(a, b);
    by = by ? by : compare_numbers(a->side, b->side);
    return by ? by : compare_numbers(a->line, b->line);
}

static int compare(const void *a, const void *b)
{
    const definition *x = a, *y = b;
    int by = compare_definitions(x, y);
    return by ? by : compare_numbers(x->frame, y->frame);
}

/* List each function of both profiles once, in order. */
static bool list_definitions(alignment *a)
{
    size_t count = 0;
    a->room = a->sides[BEFORE]->frame_count + a->sides[AFTER]->frame_count + 1;
    a->items = toll_mem_new(&a->mem, a->room, sizeof *a->items);
    if (!a->items)
        return false;
    for (uint32_t side = 0; side < SIDES; side++)
        for (uint32_t i = 0; i < a->sides[side]->frame_count; i++)
            a->items[count++] = definition_of(a->sides[side], i, side);
    if (count)
        qsort(a->items, count, sizeof *a->items, compare);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || compare_definitions(&a->items[i], &a->items[a->count - 1]) != 0)
            a->items[a->count++] = a->items[i];
    return true;
}

static void pair(alignment *a, size_t before, size_t after)
{
    const definition *from = &a->items[before], *to = &a->items[after];
    if (from->line == to->line && strcmp(from->file, to->file) == 0)
        return;
    a->items[before].to = (uint32_t)after;
    a->moved++;
}

/* The end of the definitions from `first` on that are equal to it. */
static size_t end_of(const alignment *a, size_t first,
                     int (*by)(const definition *, const definition *))
{
    size_t end = first;
    while (end < a->count && by(&a->items[first], &a->items[end]) == 0)
        end++;
    return end;
}

/* How many of first..end are in the profile BEFORE; within a file they come first. */
static size_t count_before(const alignment *a, size_t first, size_t end)
{
    size_t count = 0;
    for (; first < end; first++)
        count += a->items[first].side == BEFORE;
    return count;
}

/* Pair the definitions of one name and file: if both sides have the same number, they correspond in
 * order. */
static void pair_in_file(alignment *a, size_t first, size_t end)
{
    size_t before = count_before(a, first, end);
    if (before * 2 == end - first)
        for (size_t i = 0; i < before; i++)
            pair(a, first + i, first + before + i);
}

/* Pair the definitions of one name: if each side has only one, they correspond, whatever their
 * files are. */
static void pair_names(alignment *a)
{
    for (size_t first = 0, end; first < a->count; first = end) {
        end = end_of(a, first, compare_names);
        if (end - first == 2 && count_before(a, first, end) == 1) {
            size_t before = a->items[first].side == BEFORE ? first : first + 1;
            pair(a, before, first + first + 1 - before);
            continue;
        }
        for (size_t file = first, next; file < end; file = next) {
            next = end_of(a, file, compare_files);
            pair_in_file(a, file, next);
        }
    }
}

/* The line in the other profile of a line in a function whose first line has changed. */
static uint32_t moved_line(uint32_t line, uint32_t from, uint32_t to)
{
    int64_t there = (int64_t)line + to - from;
    return line && from && to && there > 0 && there <= UINT32_MAX ? (uint32_t)there : line;
}

/* Place the frame in the target, as it is defined in the other profile. */
static toll_status place_frame(const alignment *a, toll_graft *g, toll_frame_id id, toll_error *err)
{
    toll_frame f = toll_profile_frame(g->source, id);
    definition own = definition_of(g->source, id, BEFORE);
    /* Binary search; the definition is in the list. */
    size_t low = 0, high = a->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_definitions(&a->items[middle], &own) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    if (a->items[low].to != TOLL_NONE) {
        const definition *to = &a->items[a->items[low].to];
        if (!*f.at_file) /* lines in other files do not move with the function */
            f.at_line = moved_line(f.at_line, f.line, to->line);
        f.name = to->name;
        f.file = to->file;
        f.line = to->line;
    }
    return toll_profile_add_frame(g->target, &f, &g->frames[id], err);
}

static toll_status copy_moved(const alignment *a, toll_profile *to, toll_error *err)
{
    toll_graft g;
    const toll_profile *before = a->sides[BEFORE];
    toll_status status = toll_graft_begin(&g, to, before, err);
    if (status)
        return status;
    for (uint32_t i = 0; !status && i < before->frame_count; i++)
        status = place_frame(a, &g, i, err);
    if (!status)
        status = toll_graft_place_all(&g, err);
    if (!status)
        status = toll_graft_add_all(&g, 1, err);
    if (!status)
        status = toll_graft_notes(to, before, err);
    if (!status)
        status = toll_profile_add_note(
            to, "functions that have moved to another line or file, compared by name", a->moved,
            err);
    toll_graft_end(&g);
    return status;
}

toll_status toll_profile_align(const toll_profile *before, const toll_profile *after,
                               toll_profile **out, toll_error *err)
{
    toll_profile *aligned = NULL;
    if (!out)
        return toll_fail_null(err, "out");
    *out = NULL;
    alignment a = { .mem = before->mem, .sides = { before, after } };
    toll_status status = list_definitions(&a) ? TOLL_OK : toll_fail_nomem(err);
    if (!status)
        pair_names(&a);
    if (!status && a.moved)
        status = toll_profile_like(&a.mem, before, &aligned, err);
    if (!status && a.moved)
        status = copy_moved(&a, aligned, err);
    toll_mem_free(&a.mem, a.items, a.room, sizeof *a.items);
    if (status)
        toll_profile_free(aligned);
    else
        *out = aligned;
    return status;
}
