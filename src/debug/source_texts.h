/* source_texts.h - the texts of source files that a source map carries ("sourcesContent"), by the
 * names that its rows have.
 *
 * Built in two steps, as a map may have them in any order: texts by number, then the names of
 * these. What a map carries is whoever's who made it: a text is kept up to 8 MiB, and all up to
 * 64 MiB. Owns all of it. */
#ifndef TOLL_DEBUG_SOURCE_TEXTS_H
#define TOLL_DEBUG_SOURCE_TEXTS_H

#include "base/strtab.h"

typedef struct toll_source_item {
    char *text; /* `size` bytes; NULL: there is none */
    size_t size;
    bool is_too_large; /* for the bounds above */
} toll_source_item;

typedef struct toll_source_texts {
    toll_mem mem;
    toll_source_item *items; /* by number */
    size_t count, capacity;
    size_t kept;       /* bytes of all texts */
    toll_strtab names; /* ids are places in `numbers` */
    uint32_t *numbers;
    size_t name_count, name_capacity;
} toll_source_texts;

void toll_source_texts_init(toll_source_texts *texts, const toll_mem *mem);

/* Free it, and make it empty. */
void toll_source_texts_free(toll_source_texts *texts);

/* Add the text of the next number; NULL: it has none. False: no memory. */
bool toll_source_texts_add(toll_source_texts *texts, const char *text, size_t size);

/* The file of that number is called so; of several with a text the first counts. False: no memory.
 */
bool toll_source_texts_name(toll_source_texts *texts, size_t number, const char *name);

/* The file of that name; NULL: it has no text, not even one that is too large. */
const toll_source_item *toll_source_texts_find(const toll_source_texts *texts, const char *name);

#endif
