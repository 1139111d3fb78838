/* page_read.c - see page_read.h. */
#include "page_read.h"

#include "base/input.h"
#include "base/json_read.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bytes {
    uint8_t *data;
    size_t size, at;
} bytes;

typedef struct reader {
    const char *text, *end;
    page_content *page;
    char **strings, **threads;
    uint32_t string_count, thread_count;
    uint32_t shown; /* the default column */
    bool compares;
    uint64_t *frames[7]; /* the columns of the block */
    uint32_t *ups, *places, *parents;
    int64_t *values[2][PAGE_MOST_COLUMNS];
} reader;

static void fail(const char *what)
{
    fprintf(stderr, "the page is not as docs/page.md says: %s\n", what);
    exit(2);
}

static void require(bool holds, const char *what)
{
    if (!holds)
        fail(what);
}

static void *room(size_t count, size_t size)
{
    void *block = calloc(count + 1, size);
    require(block != NULL, "no memory");
    return block;
}

static char *copy_text(const char *text)
{
    char *copy = room(strlen(text), 1);
    strcpy(copy, text);
    return copy;
}

/* --- elements and blocks -----------------------------------------------------------------------*/

/* The text of the <script> of that id, which is there once at most; NULL: it is not there. */
static const char *element(const reader *r, const char *id, size_t *size)
{
    char mark[64];
    snprintf(mark, sizeof mark, " id=\"%s\">", id);
    const char *begin = NULL;
    for (const char *p = r->text; (size_t)(r->end - p) >= strlen(mark); p++)
        if (memcmp(p, mark, strlen(mark)) == 0) {
            require(!begin, "an element twice");
            begin = p + strlen(mark);
        }
    if (!begin)
        return NULL;
    const char *end = begin;
    while (end < r->end && *end != '<')
        end++;
    require((size_t)(r->end - end) >= 9 && memcmp(end, "</script>", 9) == 0, "an element's end");
    *size = (size_t)(end - begin);
    return begin;
}

static uint32_t digit_of(char c)
{
    const char *all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *place = c ? strchr(all, c) : NULL;
    require(place != NULL, "base64");
    return (uint32_t)(place - all);
}

static bytes decode(const char *text, size_t size)
{
    bytes b = { .data = room(size, 1) };
    require(size % 4 == 0, "base64 of whole groups");
    while (size && text[size - 1] == '=')
        size--;
    uint32_t bits = 0, count = 0;
    for (size_t i = 0; i < size; i++) {
        bits = bits << 6 | digit_of(text[i]);
        count += 6;
        if (count >= 8) {
            count -= 8;
            b.data[b.size++] = (uint8_t)(bits >> count);
        }
    }
    return b;
}

static bytes inflate_all(bytes from)
{
    toll_input *in;
    bytes to = { 0 };
    size_t got;
    require(!toll_input_from_memory(NULL, from.data, from.size, "block", &in, NULL), "a block");
    for (const uint8_t *p; p = toll_input_peek(in, 1, &got), got > 0; toll_input_skip(in, got)) {
        to.data = realloc(to.data, to.size + got);
        require(to.data != NULL, "no memory");
        memcpy(to.data + to.size, p, got);
        to.size += got;
    }
    require(toll_input_check(in, NULL) == TOLL_OK, "gzip");
    toll_input_free(in);
    return to;
}

static bool find_block(const reader *r, const char *name, bytes *b)
{
    char id[64];
    size_t size;
    snprintf(id, sizeof id, "toll-block-%s", name);
    const char *text = element(r, id, &size);
    if (!text)
        return false;
    bytes packed = decode(text, size);
    *b = inflate_all(packed);
    free(packed.data);
    return true;
}

static bytes block(const reader *r, const char *name)
{
    bytes b = { 0 };
    require(find_block(r, name, &b), name);
    return b;
}

static uint64_t number(bytes *b)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        require(b->at < b->size, "a block is too short");
        uint8_t byte = b->data[b->at++];
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    fail("a number of more than 64 bits");
    return 0;
}

static int64_t signed_number(bytes *b)
{
    uint64_t value = number(b);
    return (int64_t)(value >> 1 ^ (value & 1 ? UINT64_MAX : 0));
}

static void end_block(bytes *b)
{
    require(b->at == b->size, "a block is too long");
    free(b->data);
}

/* --- the header --------------------------------------------------------------------------------*/

static int64_t take_number(toll_json *j)
{
    toll_json_token token = toll_json_next(j);
    require(token == TOLL_JSON_NUMBER || token == TOLL_JSON_STRING, "a number in the header");
    return strtoll(toll_json_text(j), NULL, 10);
}

static void take_text(toll_json *j, char to[PAGE_TEXT_SIZE])
{
    require(toll_json_next(j) == TOLL_JSON_STRING, "a text in the header");
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
            c->sums[0] = take_number(j);
        else if (toll_json_is(j, "sumBefore"))
            c->sums[1] = take_number(j);
        else
            toll_json_skip_next(j);
    require(token == TOLL_JSON_OBJECT_END, "a value in the header");
}

static char **take_texts(toll_json *j, uint32_t *count)
{
    char **texts = NULL;
    require(toll_json_next(j) == TOLL_JSON_ARRAY, "a list of texts");
    toll_json_token token;
    while ((token = toll_json_next(j)) == TOLL_JSON_STRING) {
        texts = realloc(texts, (*count + 1) * sizeof *texts);
        require(texts != NULL, "no memory");
        texts[(*count)++] = copy_text(toll_json_text(j));
    }
    require(token == TOLL_JSON_ARRAY_END, "a list of texts");
    return texts;
}

static void free_texts(char **texts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

static void take_member(reader *r, toll_json *j)
{
    if (toll_json_is(j, "values")) {
        require(toll_json_next(j) == TOLL_JSON_ARRAY, "values");
        while (toll_json_next(j) == TOLL_JSON_OBJECT)
            take_value(r, j);
    } else if (toll_json_is(j, "threads")) {
        r->threads = take_texts(j, &r->thread_count);
    } else if (toll_json_is(j, "notes")) {
        char **texts = take_texts(j, &r->page->notes);
        free_texts(texts, r->page->notes);
    } else if (toll_json_is(j, "nodes")) {
        r->page->nodes = (uint32_t)take_number(j);
    } else if (toll_json_is(j, "frames")) {
        r->page->frames = (uint32_t)take_number(j);
    } else if (toll_json_is(j, "default")) {
        r->shown = (uint32_t)take_number(j);
    } else if (toll_json_is(j, "before")) {
        r->compares = true;
        toll_json_skip_next(j);
    } else {
        toll_json_skip_next(j);
    }
}

static void with_json(reader *r, const char *text, size_t size, void (*work)(reader *, toll_json *))
{
    toll_input *in;
    toll_json j;
    toll_failure failure = { 0 };
    require(!toll_input_from_memory(NULL, text, size, "json", &in, NULL), "JSON");
    toll_json_begin(&j, in, &failure);
    work(r, &j);
    require(toll_json_next(&j) == TOLL_JSON_END && !failure.status, "JSON");
    toll_json_free(&j);
    toll_input_free(in);
}

static void take_header(reader *r, toll_json *j)
{
    require(toll_json_next(j) == TOLL_JSON_OBJECT, "the header");
    while (toll_json_next(j) == TOLL_JSON_KEY)
        take_member(r, j);
}

static void take_strings(reader *r, toll_json *j)
{
    r->strings = take_texts(j, &r->string_count);
}

/* --- the tree ----------------------------------------------------------------------------------*/

static void read_frames(reader *r)
{
    bytes b = block(r, "frames");
    for (int c = 0; c < 7; c++) {
        r->frames[c] = room(r->page->frames, sizeof(uint64_t));
        for (uint32_t i = 0; i < r->page->frames; i++)
            r->frames[c][i] = number(&b);
    }
    end_block(&b);
}

/* The parent of each node; UINT32_MAX: a thread. */
static void read_tree(reader *r)
{
    bytes b = block(r, "tree");
    uint32_t nodes = r->page->nodes, last = UINT32_MAX;
    r->ups = room(nodes, sizeof(uint32_t));
    r->places = room(nodes, sizeof(uint32_t));
    r->parents = room(nodes, sizeof(uint32_t));
    for (uint32_t i = 0; i < nodes; i++) {
        r->ups[i] = (uint32_t)number(&b);
        for (uint32_t up = r->ups[i]; up > 0; up--) {
            require(last != UINT32_MAX, "up goes beyond the threads");
            last = r->parents[last];
        }
        r->parents[i] = last;
        last = i;
    }
    for (uint32_t i = 0; i < nodes; i++) {
        r->places[i] = (uint32_t)number(&b);
        uint32_t limit = r->parents[i] == UINT32_MAX ? r->thread_count : r->page->frames;
        require(r->places[i] < limit, "a frame that is not there");
    }
    end_block(&b);
}

static void read_values(reader *r)
{
    char name[32];
    for (int side = 0; side < 1 + r->compares; side++)
        for (uint32_t c = 0; c < r->page->column_count; c++) {
            snprintf(name, sizeof name, side ? "before-%u" : "value-%u", c);
            bytes b = block(r, name);
            int64_t *values = r->values[side][c] = room(r->page->nodes, sizeof *values), sum = 0;
            for (uint32_t i = 0; i < r->page->nodes; i++)
                sum += values[i] = signed_number(&b);
            require(sum == r->page->columns[c].sums[side], "a sum in the header");
            end_block(&b);
        }
}

/* Children come after their parents, so going backwards sees them first. */
static int64_t *totals_of(const reader *r, int side)
{
    int64_t *totals = room(r->page->nodes, sizeof *totals);
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
        room((size_t)r->page->nodes + 1, sizeof *elder); /* by parent, + 1: 0 is none */
    for (uint32_t i = 0; i < r->page->nodes; i++) {
        if (before && before[i] > totals[i])
            totals[i] = before[i];
        uint32_t *last = &elder[r->parents[i] == UINT32_MAX ? r->page->nodes : r->parents[i]];
        require(!*last || totals[*last - 1] >= totals[i], "the order of siblings");
        *last = i + 1;
    }
    free(elder);
    free(before);
    free(totals);
}

/* --- profiles ----------------------------------------------------------------------------------*/

static const char *string(const reader *r, uint64_t id)
{
    require(id < r->string_count, "a string that is not there");
    return r->strings[id];
}

static toll_node_id node_of(const reader *r, toll_profile *p, const toll_node_id *nodes, uint32_t i)
{
    uint32_t place = r->places[i];
    toll_thread_id thread;
    toll_frame_id frame;
    toll_node_id node;
    if (r->parents[i] == UINT32_MAX) {
        require(!toll_profile_add_thread(p, r->threads[place], &thread, NULL), "a thread");
        return toll_profile_root(p, thread);
    }
    toll_frame f = {
        .name = string(r, r->frames[0][place]),
        .file = string(r, r->frames[1][place]),
        .line = (uint32_t)r->frames[2][place],
        .kind = (toll_frame_kind)r->frames[3][place],
        .module = string(r, r->frames[4][place]),
        .at_line = (uint32_t)r->frames[5][place],
    };
    require(r->frames[6][place] <= place, "a function comes after its places");
    require(!toll_profile_add_frame(p, &f, &frame, NULL), "a frame");
    require(!toll_profile_add_child(p, nodes[r->parents[i]], frame, &node, NULL), "a stack");
    return node;
}

static toll_profile *profile_of(const reader *r, int side)
{
    toll_profile *p;
    toll_node_id *nodes = room(r->page->nodes, sizeof *nodes);
    require(!toll_profile_create(NULL, &p, NULL), "a profile");
    for (uint32_t c = 0; c < r->page->column_count; c++)
        require(!toll_profile_add_column(p, r->page->columns[c].type, r->page->columns[c].unit,
                                         NULL, NULL),
                "a column");
    for (uint32_t i = 0; i < r->page->nodes; i++) {
        nodes[i] = node_of(r, p, nodes, i);
        for (uint32_t c = 0; c < r->page->column_count; c++)
            require(!toll_profile_add_self(p, nodes[i], c, r->values[side][c][i], NULL), "a value");
    }
    free(nodes);
    return p;
}

void page_read(page_content *page, const char *text, size_t size)
{
    reader r = { .text = text, .end = text + size, .page = page };
    const char *header = element(&r, "toll-header", &size);
    memset(page, 0, sizeof *page);
    require(header != NULL, "the header");
    with_json(&r, header, size, take_header);
    bytes strings = block(&r, "strings");
    with_json(&r, (const char *)strings.data, strings.size, take_strings);
    free(strings.data);
    read_frames(&r);
    read_tree(&r);
    read_values(&r);
    if (page->column_count)
        check_order(&r);
    for (int side = 0; side < 1 + r.compares; side++)
        page->sides[side] = profile_of(&r, side);
    free_texts(r.strings, r.string_count);
    free_texts(r.threads, r.thread_count);
    for (int c = 0; c < 7; c++)
        free(r.frames[c]);
    for (int side = 0; side < 2; side++)
        for (uint32_t c = 0; c < page->column_count; c++)
            free(r.values[side][c]);
    free(r.ups);
    free(r.places);
    free(r.parents);
}

void page_free(page_content *page)
{
    toll_profile_free(page->sides[0]);
    toll_profile_free(page->sides[1]);
}
