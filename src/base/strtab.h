/* strtab.h - a table that stores each string once and gives it an id. Id 0 is "".
 *
 * Strings do not move: a pointer is valid as long as the table. Hash flooding: the hash is seeded
 * with an address, which differs from run to run; no output follows hash order. */
#ifndef TOLL_BASE_STRTAB_H
#define TOLL_BASE_STRTAB_H

#include "base/id_index.h"

#include <stdint.h>

typedef struct toll_strtab_entry {
    const char *text; /* NUL-terminated */
    uint32_t size;
} toll_strtab_entry;

typedef struct toll_strtab {
    toll_mem mem;
    uint64_t seed; /* of the hash; a table that is moved keeps its seed */
    toll_strtab_entry *entries;
    size_t count, capacity;
    toll_id_index index;              /* by hash of the text */
    struct toll_strtab_block *blocks; /* the newest first; they hold the text */
} toll_strtab;

/* Initialise an empty table. It allocates nothing until the first string. */
void toll_strtab_init(toll_strtab *table, const toll_mem *mem);
void toll_strtab_free(toll_strtab *table);

/* The id of text[size]; UINT32_MAX if memory ran out (the table has not changed). */
uint32_t toll_strtab_add(toll_strtab *table, const char *text, size_t size);

/* The id of `text` with invalid UTF-8 replaced; UINT32_MAX if memory ran out. */
uint32_t toll_strtab_add_clean(toll_strtab *table, const char *text);

/* The id of text[size]; UINT32_MAX if it is not in the table. */
uint32_t toll_strtab_find(const toll_strtab *table, const char *text, size_t size);

const char *toll_strtab_text(const toll_strtab *table, uint32_t id);
size_t toll_strtab_size(const toll_strtab *table, uint32_t id);

#endif
