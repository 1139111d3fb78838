/* page_read.c - see page_read.h. */
#include "page_read.h"

#include "page_elements.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
    page_text text;
    page_content *page;
    char **strings, **threads;
    uint32_t string_count, thread_count;
    uint32_t shown; /* the default column */
    bool compares;
    uint64_t *frames[9]; /* the columns of the block */
    uint32_t *ups, *places, *parents;
    uint32_t *callees; /* by caller, of which starts[c] is the first */
    uint32_t *starts, caller_count;
    int64_t *values[2][PAGE_MOST_COLUMNS];
} reader;

/* --- the header --------------------------------------------------------------------------------*/

static void take_text(toll_json *j, char to[PAGE_TEXT_SIZE])
{
    page_require(toll_json_next(j) == TOLL_JSON_STRING, "a text in the header");
    snprintf(to, PAGE_TEXT_SIZE, "%s", toll_json_text(j));
}

static void take_value(reader *r, toll_json *j)
{
    toll_json_token token;
    page_column *c = &r->page->columns[r->page->column_count++];
    while ((token = toll_json_next(j)) == TOLL_JSON_KEY)
        if (toll_json_is(j, "type"))
            take_text(j, c->type);
        else if (toll_json_is(j, "unit"))
            take_text(j, c->unit);
        else if (toll_json_is(j, "sum"))
            c->sums[0] = page_take_number(j);
        else if (toll_json_is(j, "sumBefore"))
            c->sums[1] = page_take_number(j);
        else
            toll_json_skip_next(j);
    page_require(token == TOLL_JSON_OBJECT_END, "a value in the header");
}

static void take_member(reader *r, toll_json *j)
{
    if (toll_json_is(j, "values")) {
        page_require(toll_json_next(j) == TOLL_JSON_ARRAY, "values");
        while (toll_json_next(j) == TOLL_JSON_OBJECT)
            take_value(r, j);
    } else if (toll_json_is(j, "threads")) {
        r->threads = page_take_texts(j, &r->thread_count);
    } else if (toll_json_is(j, "notes")) {
        char **texts = page_take_texts(j, &r->page->notes);
        page_free_texts(texts, r->page->notes);
    } else if (toll_json_is(j, "nodes")) {
        r->page->nodes = (uint32_t)page_take_number(j);
    } else if (toll_json_is(j, "frames")) {
        r->page->frames = (uint32_t)page_take_number(j);
    } else if (toll_json_is(j, "default")) {
        r->shown = (uint32_t)page_take_number(j);
    } else if (toll_json_is(j, "before")) {
        r->compares = true;
        toll_json_skip_next(j);
    } else {
        toll_json_skip_next(j);
    }
}

static void take_header(void *user, toll_json *j)
{
    reader *r = user;
    page_require(toll_json_next(j) == TOLL_JSON_OBJECT, "the header");
    while (toll_json_next(j) == TOLL_JSON_KEY)
        take_member(r, j);
}

static void take_strings(void *user, toll_json *j)
{
    reader *r = user;
    r->strings = page_take_texts(j, &r->string_count);
}

/* --- the tree ----------------------------------------------------------------------------------*/

static void read_frames(reader *r)
{
    page_bytes b = page_block(r->text, "frames");
    for (int c = 0; c < 9; c++) {
        r->frames[c] = page_room(r->page->frames, sizeof(uint64_t));
        for (uint32_t i = 0; i < r->page->frames; i++)
            r->frames[c][i] = page_number(&b);
    }
    page_end_block(&b);
}

static void read_callees(reader *r)
{
    page_bytes b = page_block(r->text, "callees");
    uint32_t keys = r->page->frames + r->thread_count;
    r->caller_count = 1 + keys;
    r->starts = page_room((size_t)r->caller_count + 1, sizeof(uint32_t));
    for (uint32_t c = 0; c < r->caller_count; c++)
        r->starts[c + 1] = r->starts[c] + (uint32_t)page_number(&b);
    uint32_t count = r->starts[r->caller_count];
    r->callees = page_room(count, sizeof(uint32_t));
    for (uint32_t i = 0; i < count; i++) {
        r->callees[i] = (uint32_t)page_number(&b);
        bool is_thread = r->callees[i] >= r->page->frames;
        page_require(r->callees[i] < keys && is_thread == (i < r->starts[1]), "a callee");
    }
    page_end_block(&b);
}

/* Callees stand in descending order of their nodes, of equals the smaller key first; and each has
 * some. */
static void check_callees(const reader *r, const uint32_t *nodes)
{
    for (uint32_t c = 0; c < r->caller_count; c++)
        for (uint32_t i = r->starts[c]; i < r->starts[c + 1]; i++) {
            page_require(nodes[i] > 0, "a callee of which there is no node");
            page_require(i == r->starts[c] || nodes[i - 1] > nodes[i] ||
                             (nodes[i - 1] == nodes[i] && r->callees[i - 1] < r->callees[i]),
                         "the order of callees");
        }
}

/* The frame, or of a thread its index, of each node. */
static void read_places(reader *r, page_bytes *b)
{
    uint32_t *nodes = page_room(r->starts[r->caller_count], sizeof *nodes);
    for (uint32_t i = 0; i < r->page->nodes; i++) {
        bool thread = r->parents[i] == UINT32_MAX;
        bool below = !thread && r->parents[r->parents[i]] == UINT32_MAX; /* a thread */
        uint32_t caller = thread ? 0 : 1 + r->places[r->parents[i]];
        caller += below ? r->page->frames : 0;
        uint64_t at = page_number(b);
        page_require(at < r->starts[caller + 1] - r->starts[caller], "a callee that is not there");
        nodes[r->starts[caller] + at]++;
        r->places[i] = r->callees[r->starts[caller] + at] - (thread ? r->page->frames : 0);
    }
    check_callees(r, nodes);
    free(nodes);
}

/* The parent of each node; UINT32_MAX: a thread. */
static void read_tree(reader *r)
{
    page_bytes b = page_block(r->text, "up");
    uint32_t nodes = r->page->nodes, last = UINT32_MAX;
    r->ups = page_room(nodes, sizeof(uint32_t));
    r->places = page_room(nodes, sizeof(uint32_t));
    r->parents = page_room(nodes, sizeof(uint32_t));
    for (uint32_t i = 0; i < nodes; i++) {
        r->ups[i] = (uint32_t)page_number(&b);
        for (uint32_t up = r->ups[i]; up > 0; up--) {
            page_require(last != UINT32_MAX, "up goes beyond the threads");
            last = r->parents[last];
        }
        r->parents[i] = last;
        last = i;
    }
    page_end_block(&b);
    b = page_block(r->text, "callee");
    read_places(r, &b);
    page_end_block(&b);
}

static void read_values(reader *r)
{
    char name[32];
    for (int side = 0; side < 1 + r->compares; side++)
        for (uint32_t c = 0; c < r->page->column_count; c++) {
            snprintf(name, sizeof name, side ? "before-%u" : "value-%u", c);
            page_bytes b = page_block(r->text, name);
            int64_t *values = r->values[side][c] = page_room(r->page->nodes, sizeof *values),
                    sum = 0;
            for (uint32_t i = 0; i < r->page->nodes; i++)
                sum += values[i] = page_signed(&b);
            page_require(sum == r->page->columns[c].sums[side], "a sum in the header");
            page_end_block(&b);
        }
}

/* Children come after their parents, so going backwards sees them first. */
static int64_t *totals_of(const reader *r, int side)
{
    int64_t *totals = page_room(r->page->nodes, sizeof *totals);
    for (uint32_t i = r->page->nodes; i-- > 0;) {
        totals[i] += r->values[side][r->shown][i];
        if (r->parents[i] != UINT32_MAX)
            totals[r->parents[i]] += totals[i];
    }
    return totals;
}

/* Siblings are in descending order; checked where no function has several places. */
static void check_order(const reader *r)
{
    for (uint32_t i = 0; i < r->page->frames; i++)
        if (r->frames[5][i] || r->frames[6][i] != i)
            return;
    int64_t *totals = totals_of(r, 0), *before = r->compares ? totals_of(r, 1) : NULL;
    uint32_t *elder =
        page_room((size_t)r->page->nodes + 1, sizeof *elder); /* by parent, + 1: 0 is none */
    for (uint32_t i = 0; i < r->page->nodes; i++) {
        if (before && before[i] > totals[i])
            totals[i] = before[i];
        uint32_t *last = &elder[r->parents[i] == UINT32_MAX ? r->page->nodes : r->parents[i]];
        page_require(!*last || totals[*last - 1] >= totals[i], "the order of siblings");
        *last = i + 1;
    }
    free(elder);
    free(before);
    free(totals);
}

/* --- profiles ----------------------------------------------------------------------------------*/

static const char *string(const reader *r, uint64_t id)
{
    page_require(id < r->string_count, "a string that is not there");
    return r->strings[id];
}

static toll_node_id node_of(const reader *r, toll_profile *p, const toll_node_id *nodes, uint32_t i)
{
    uint32_t place = r->places[i];
    toll_thread_id thread;
    toll_frame_id frame;
    toll_node_id node;
    if (r->parents[i] == UINT32_MAX) {
        page_require(!toll_profile_add_thread(p, r->threads[place], &thread, NULL), "a thread");
        return toll_profile_root(p, thread);
    }
    toll_frame f = {
        .name = string(r, r->frames[0][place]),
        .file = string(r, r->frames[1][place]),
        .line = (uint32_t)r->frames[2][place],
        .kind = (toll_frame_kind)r->frames[3][place],
        .module = string(r, r->frames[4][place]),
        .at_line = (uint32_t)r->frames[5][place],
        .at_file = string(r, r->frames[7][place]),
    };
    page_require(r->frames[6][place] <= place, "a function comes after its places");
    page_require(strlen(string(r, r->frames[8][place])) <= strlen(f.name), "a short name is long");
    page_require(!toll_profile_add_frame(p, &f, &frame, NULL), "a frame");
    page_require(!toll_profile_add_child(p, nodes[r->parents[i]], frame, &node, NULL), "a stack");
    return node;
}

static toll_profile *profile_of(const reader *r, int side)
{
    toll_profile *p;
    toll_node_id *nodes = page_room(r->page->nodes, sizeof *nodes);
    page_require(!toll_profile_create(NULL, &p, NULL), "a profile");
    for (uint32_t c = 0; c < r->page->column_count; c++)
        page_require(!toll_profile_add_column(p, r->page->columns[c].type, r->page->columns[c].unit,
                                              NULL, NULL),
                     "a column");
    for (uint32_t i = 0; i < r->page->nodes; i++) {
        nodes[i] = node_of(r, p, nodes, i);
        for (uint32_t c = 0; c < r->page->column_count; c++)
            page_require(!toll_profile_add_self(p, nodes[i], c, r->values[side][c][i], NULL),
                         "a value");
    }
    free(nodes);
    return p;
}

void page_read(page_content *page, const char *text, size_t size)
{
    reader r = { .text = { text, text + size }, .page = page };
    const char *header = page_element(r.text, "toll-header", &size);
    memset(page, 0, sizeof *page);
    page_require(header != NULL, "the header");
    page_with_json(header, size, take_header, &r);
    page_bytes strings = page_block(r.text, "strings");
    page_with_json((const char *)strings.data, strings.size, take_strings, &r);
    free(strings.data);
    read_frames(&r);
    read_callees(&r);
    read_tree(&r);
    read_values(&r);
    if (page->column_count)
        check_order(&r);
    for (int side = 0; side < 1 + r.compares; side++)
        page->sides[side] = profile_of(&r, side);
    page_free_texts(r.strings, r.string_count);
    page_free_texts(r.threads, r.thread_count);
    for (int c = 0; c < 9; c++)
        free(r.frames[c]);
    for (int side = 0; side < 2; side++)
        for (uint32_t c = 0; c < page->column_count; c++)
            free(r.values[side][c]);
    free(r.ups);
    free(r.places);
    free(r.starts);
    free(r.callees);
    free(r.parents);
}

void page_free(page_content *page)
{
    toll_profile_free(page->sides[0]);
    toll_profile_free(page->sides[1]);
}
