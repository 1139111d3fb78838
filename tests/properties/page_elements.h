/* page_elements.h - reads the elements of a page of toll view, and the content of its blocks. If
 * something cannot be read, the program ends with a message. */
#ifndef TOLL_TESTS_PAGE_ELEMENTS_H
#define TOLL_TESTS_PAGE_ELEMENTS_H

#include "base/json_read.h"

#include <stdbool.h>
#include <stdint.h>

/* Ends the program unless it holds. */
void page_require(bool holds, const char *what);

/* calloc, of one element more. */
void *page_room(size_t count, size_t size);

typedef struct page_text {
    const char *text, *end;
} page_text;

/* The text of the <script> of that id, which is there once at most; NULL: it is not there. */
const char *page_element(page_text page, const char *id, size_t *size);

/* The bytes of a block; to be ended. */
typedef struct page_bytes {
    uint8_t *data;
    size_t size, at;
} page_bytes;

bool page_find_block(page_text page, const char *name, page_bytes *bytes);
page_bytes page_block(page_text page, const char *name);
uint64_t page_number(page_bytes *bytes);
int64_t page_signed(page_bytes *bytes);
void page_end_block(page_bytes *bytes); /* all of it was read */

/* Read JSON by `work`, which is at its first token. */
void page_with_json(const char *text, size_t size, void (*work)(void *user, toll_json *json),
                    void *user);

/* What is next in it: a list of texts, or a number, which may be in quotes. */
char **page_take_texts(toll_json *json, uint32_t *count);
void page_free_texts(char **texts, uint32_t count);
int64_t page_take_number(toll_json *json);
char *page_copy(const char *text);

#endif
