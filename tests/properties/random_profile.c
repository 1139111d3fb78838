/* random_profile.c - see random_profile.h. */
#include "random_profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A generator of our own: the same profiles on every machine. */
static uint64_t next(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t x = *state ^ *state >> 29;
    return (x * UINT64_C(0xbf58476d1ce4e5b9)) >> 20;
}

uint32_t random_below(uint64_t *state, uint32_t n)
{
    return (uint32_t)(next(state) % n);
}

static void require(toll_status status, const char *what)
{
    if (status) {
        fprintf(stderr, "cannot make a random profile: %s: %s\n", what, toll_status_name(status));
        exit(2);
    }
}

/* Pieces that some format or other gives a meaning to. */
static const char *const pieces[] = {
    "main",
    "f",
    "g",
    "get",
    "std::vector<int>",
    " ",
    ";",
    ":",
    "(",
    ")",
    "[",
    "]",
    "#2",
    "# ",
    "12",
    "-7",
    "\n",
    "\t",
    "\r",
    "\x01",
    "\x7f",
    "\xff",
    "\xc3",
    "\xc3\xa9",
    "\xe2\x80\xae",
    "\xf0\x9f\x94\xa5",
    "\"",
    "\\",
    "\\u0041",
    "<&>",
    "/",
    "file.lua",
    "{",
    "}",
    ",",
    "'",
    "%s",
    "=",
    "_",
    "(outside_",
    "toll: 3",
    "@",
    "\xc2\xa0",
};
enum { PIECES = sizeof pieces / sizeof *pieces };

const char *random_name(uint64_t *state, char *room, size_t size)
{
    uint32_t count = 1 + random_below(state, 4);
    *room = 0;
    for (uint32_t i = 0; i < count; i++) {
        const char *piece = pieces[random_below(state, random_below(state, 3) ? 5 : PIECES)];
        size_t used = strlen(room);
        snprintf(room + used, size - used, "%s", piece);
    }
    return room;
}

static int64_t random_value(uint64_t *state, int negative)
{
    static const int64_t edges[] = {
        1, 2, 1000, INT64_C(1) << 31, INT64_C(1) << 53, (INT64_C(1) << 53) + 1
    };
    int64_t v =
        random_below(state, 3) ? (int64_t)random_below(state, 100) : edges[random_below(state, 6)];
    return negative && random_below(state, 3) == 0 ? -v : v;
}

static void add_columns(toll_profile *p, uint64_t *state)
{
    static const toll_value_type types[] = {
        { "time", "nanoseconds" },  { "calls", "count" },    { "compute units", "CU" },
        { "inuse_space", "bytes" }, { "ticks", "count" },    { "time", "milliseconds" },
        { "a:b", "c [d]" },         { "odd \"type\"", "%" }, { "objects", "count" },
    };
    enum { TYPES = sizeof types / sizeof *types };
    uint32_t begin = random_below(state, TYPES),
             count = random_below(state, 4) ? 1 + random_below(state, 4) : 1;
    for (uint32_t i = 0; i < count; i++) {
        toll_value_type t = types[(begin + i) % TYPES];
        require(toll_profile_add_column(p, t.type, t.unit, NULL, NULL), "a column");
    }
    if (random_below(state, 4) == 0)
        toll_profile_set_default_column(p, random_below(state, count));
}

/* Facts follow from the name, since a format that has a table of functions keeps them once for all
 * frames of a function. Only functions of the guest have a module; inlined ones have no address. */
static void add_place(toll_frame *f, uint64_t *state)
{
    static const char *const modules[] = { "", "app.wasm", "lib.wasm" };
    static const char *const files[] = { "f", "/app/table.inc", "\xff main.c" };
    if (f->kind == TOLL_KIND_FUNCTION && random_below(state, 2)) {
        f->module = modules[strlen(f->name) % 3];
        f->build_id = strlen(f->name) % 5 ? "" : "00c0ffee";
        f->address = strlen(f->name) % 7 * 16;
        if (random_below(state, 4) == 0)
            f->at_address = 1 + random_below(state, 1000);
    }
    if (random_below(state, 3) == 0)
        f->at_line = random_below(state, 3) ? random_below(state, 100) : UINT32_MAX;
    if (f->at_line && random_below(state, 3) == 0)
        f->at_file = files[random_below(state, 3)];
}

static toll_frame_id random_frame(toll_profile *p, uint64_t *state)
{
    char name[128], file[128];
    toll_frame_id id;
    toll_frame frame = { .name = random_name(state, name, sizeof name) };
    if (random_below(state, 3) == 0)
        frame.file = random_name(state, file, sizeof file);
    if (random_below(state, 3) == 0)
        frame.line = random_below(state, 3) ? random_below(state, 100) : UINT32_MAX;
    if (random_below(state, 4) == 0)
        frame.kind = (toll_frame_kind)random_below(state, TOLL_KIND_COUNT);
    add_place(&frame, state);
    require(toll_profile_add_frame(p, &frame, &id, NULL), "a frame");
    return id;
}

/* Every stack holds a value: no file keeps one that does not. */
static void add_values(toll_profile *p, uint64_t *state, toll_node_id node, int negative)
{
    uint32_t columns = toll_profile_column_count(p), always = random_below(state, columns);
    for (uint32_t c = 0; c < columns; c++)
        if (c == always || random_below(state, 2))
            require(toll_profile_add_self(p, node, c, random_value(state, negative), NULL),
                    "a value");
}

/* A thread, one in two with labels: of few keys and values, so that profiles have some in common.
 */
static toll_status add_thread(toll_profile *p, uint64_t *state, const char *name,
                              toll_thread_id *out)
{
    static const char *const keys[] = { "host", "commit", "test", "=", "a b" };
    char values[3][128];
    toll_thread_label labels[3];
    uint32_t count = random_below(state, 2) ? random_below(state, 4) : 0;
    for (uint32_t i = 0; i < count; i++) {
        const char *value = random_name(state, values[i], sizeof values[i]);
        labels[i] = (toll_thread_label){ keys[random_below(state, 5)],
                                         random_below(state, 2) ? "1" : value };
    }
    return toll_profile_add_labelled_thread(p, name, labels, count, out, NULL);
}

static void add_stacks(toll_profile *p, uint64_t *state, int negative)
{
    toll_frame_id frames[12];
    uint32_t frame_count = 0, threads = 1 + random_below(state, 3);
    for (uint32_t t = 0; t < threads; t++) {
        char name[128];
        toll_thread_id thread;
        const char *text = random_below(state, 3) ? random_name(state, name, sizeof name) : "";
        require(add_thread(p, state, text, &thread), "a thread");
        toll_node_id node = toll_profile_root(p, thread);
        add_values(p, state, node, negative);
        for (uint32_t stacks = random_below(state, 20); stacks > 0; stacks--) {
            if (random_below(state, 3) == 0)
                node = toll_profile_root(p, thread);
            uint32_t f = random_below(state, 12);
            if (f >= frame_count)
                frames[f = frame_count++] = random_frame(p, state);
            require(toll_profile_add_child(p, node, frames[f], &node, NULL), "a stack");
            add_values(p, state, node, negative);
        }
    }
}

toll_profile *random_profile(unsigned seed)
{
    uint64_t state = seed * UINT64_C(0x9e3779b97f4a7c15);
    toll_profile *p;
    require(toll_profile_create(NULL, &p, NULL), "a profile");
    next(&state);
    if (random_below(&state, 20) == 0)
        return p;
    add_columns(p, &state);
    if (random_below(&state, 20))
        add_stacks(p, &state, random_below(&state, 3) == 0);
    for (uint32_t notes = random_below(&state, 3); notes > 0; notes--) {
        char text[128];
        random_name(&state, text, sizeof text);
        require(toll_profile_add_note(p, text, 1 + random_below(&state, 1000), NULL), "a note");
    }
    if (random_below(&state, 3) == 0)
        toll_profile_set_time(p, (int64_t)random_below(&state, 2000000000) * 1000,
                              random_below(&state, 1000000));
    return p;
}
