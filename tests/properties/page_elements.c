/* page_elements.c - see page_elements.h. */
#include "page_elements.h"

#include "base/input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void page_require(bool holds, const char *what)
{
    if (holds)
        return;
    fprintf(stderr, "the page is not as docs/page.md says: %s\n", what);
    exit(2);
}

void *page_room(size_t count, size_t size)
{
    void *block = calloc(count + 1, size);
    page_require(block != NULL, "no memory");
    return block;
}

const char *page_element(page_text page, const char *id, size_t *size)
{
    char mark[64]; /* begins with what is rarer than the space before the attribute */
    snprintf(mark, sizeof mark, "=\"%s\">", id);
    const size_t size_of_mark = strlen(mark);
    const char *begin = NULL, *p = page.text;
    while ((size_t)(page.end - p) >= size_of_mark &&
           (p = memchr(p, *mark, (size_t)(page.end - p) - size_of_mark + 1))) {
        if (memcmp(p, mark, size_of_mark) == 0) {
            page_require(!begin, "an element twice");
            begin = p + size_of_mark;
        }
        p++;
    }
    if (!begin)
        return NULL;
    const char *end = begin;
    while (end < page.end && *end != '<')
        end++;
    page_require((size_t)(page.end - end) >= 9 && memcmp(end, "</script>", 9) == 0,
                 "an element's end");
    *size = (size_t)(end - begin);
    return begin;
}

static uint32_t digit_of(char c)
{
    const char *all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *place = c ? strchr(all, c) : NULL;
    page_require(place != NULL, "base64");
    return (uint32_t)(place - all);
}

static page_bytes decode(const char *text, size_t size)
{
    page_bytes b = { .data = page_room(size, 1) };
    page_require(size % 4 == 0, "base64 of whole groups");
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

static page_bytes inflate_all(page_bytes from)
{
    toll_input *in;
    page_bytes to = { 0 };
    size_t got;
    page_require(!toll_input_from_memory(NULL, from.data, from.size, "block", &in, NULL),
                 "a block");
    for (const uint8_t *p; p = toll_input_peek(in, 1, &got), got > 0; toll_input_skip(in, got)) {
        to.data = realloc(to.data, to.size + got);
        page_require(to.data != NULL, "no memory");
        memcpy(to.data + to.size, p, got);
        to.size += got;
    }
    page_require(toll_input_check(in, NULL) == TOLL_OK, "gzip");
    toll_input_free(in);
    return to;
}

bool page_find_block(page_text page, const char *name, page_bytes *b)
{
    char id[64];
    size_t size;
    snprintf(id, sizeof id, "toll-block-%s", name);
    const char *text = page_element(page, id, &size);
    if (!text)
        return false;
    page_bytes packed = decode(text, size);
    *b = inflate_all(packed);
    free(packed.data);
    return true;
}

page_bytes page_block(page_text page, const char *name)
{
    page_bytes b = { 0 };
    page_require(page_find_block(page, name, &b), name);
    return b;
}

uint64_t page_number(page_bytes *b)
{
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        page_require(b->at < b->size, "a block is too short");
        uint8_t byte = b->data[b->at++];
        value |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80))
            return value;
    }
    page_require(false, "a number of more than 64 bits");
    return 0;
}

int64_t page_signed(page_bytes *b)
{
    uint64_t value = page_number(b);
    return (int64_t)(value >> 1 ^ (value & 1 ? UINT64_MAX : 0));
}

void page_end_block(page_bytes *b)
{
    page_require(b->at == b->size, "a block is too long");
    free(b->data);
}

/* --- JSON --------------------------------------------------------------------------------------*/

char *page_copy(const char *text)
{
    char *copy = page_room(strlen(text), 1);
    strcpy(copy, text);
    return copy;
}

char **page_take_texts(toll_json *j, uint32_t *count)
{
    char **texts = NULL;
    page_require(toll_json_next(j) == TOLL_JSON_ARRAY, "a list of texts");
    toll_json_token token;
    while ((token = toll_json_next(j)) == TOLL_JSON_STRING) {
        texts = realloc(texts, (*count + 1) * sizeof *texts);
        page_require(texts != NULL, "no memory");
        texts[(*count)++] = page_copy(toll_json_text(j));
    }
    page_require(token == TOLL_JSON_ARRAY_END, "a list of texts");
    return texts;
}

void page_free_texts(char **texts, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        free(texts[i]);
    free(texts);
}

int64_t page_take_number(toll_json *j)
{
    toll_json_token token = toll_json_next(j);
    page_require(token == TOLL_JSON_NUMBER || token == TOLL_JSON_STRING, "a number in the header");
    return strtoll(toll_json_text(j), NULL, 10);
}

void page_with_json(const char *text, size_t size, void (*work)(void *user, toll_json *json),
                    void *user)
{
    toll_input *in;
    toll_json j;
    toll_failure failure = { 0 };
    page_require(!toll_input_from_memory(NULL, text, size, "json", &in, NULL), "JSON");
    toll_json_begin(&j, in, &failure);
    work(user, &j);
    page_require(toll_json_next(&j) == TOLL_JSON_END && !failure.status, "JSON");
    toll_json_free(&j);
    toll_input_free(in);
}
