/* strtab.c - see strtab.h. Texts are stored in blocks, each twice as large as the last, up to 64
 * KiB; larger strings get their own block. */
#include "base/strtab.h"

#include "base/array.h"
#include "base/text.h"

#include <string.h>

enum { FIRST_BLOCK = 1024, LARGEST_BLOCK = 64 * 1024 };

struct toll_strtab_block {
    struct toll_strtab_block *older;
    size_t size, used; /* of the bytes that follow */
};

void toll_strtab_init(toll_strtab *table, const toll_mem *mem)
{
    *table = (toll_strtab){ .mem = *mem, .seed = (uint64_t)(uintptr_t)table };
}

void toll_strtab_free(toll_strtab *table)
{
    while (table->blocks) {
        struct toll_strtab_block *older = table->blocks->older;
        toll_mem_free(&table->mem, table->blocks, sizeof *older + table->blocks->size, 1);
        table->blocks = older;
    }
    toll_mem_free(&table->mem, table->entries, table->capacity, sizeof *table->entries);
    toll_id_index_free(&table->index, &table->mem);
    toll_strtab_init(table, &table->mem);
}

static uint32_t hash_of(const toll_strtab *table, const char *text, size_t size)
{
    return (uint32_t)toll_hash_bytes(text, size, table->seed);
}

static uint32_t find(const toll_strtab *table, const char *text, size_t size, uint32_t hash)
{
    size_t place = hash;
    uint32_t id;
    while ((id = toll_id_index_next(&table->index, hash, &place)) != UINT32_MAX) {
        const toll_strtab_entry *e = &table->entries[id];
        if (e->size == size && (size == 0 || memcmp(e->text, text, size) == 0))
            break;
    }
    return id;
}

/* Room for size + 1 bytes that never move; NULL: no memory. */
static char *text_room(toll_strtab *table, size_t size)
{
    struct toll_strtab_block *block = table->blocks;
    if (!block || block->size - block->used < size + 1) {
        size_t room = block ? block->size * 2 : FIRST_BLOCK;
        if (room > LARGEST_BLOCK)
            room = LARGEST_BLOCK;
        if (room < size + 1)
            room = size + 1;
        block = toll_mem_resize(&table->mem, NULL, 0, sizeof *block + room, 1);
        if (!block)
            return NULL;
        *block = (struct toll_strtab_block){ table->blocks, room, 0 };
        table->blocks = block;
    }
    char *text = (char *)(block + 1) + block->used;
    block->used += size + 1;
    return text;
}

static uint32_t add_new(toll_strtab *table, const char *text, size_t size, uint32_t hash)
{
    if (size >= UINT32_MAX || table->count >= UINT32_MAX - 2 ||
        !toll_id_index_reserve(&table->index, &table->mem) ||
        !toll_array_grow(&table->mem, &table->entries, &table->capacity, table->count, 1))
        return UINT32_MAX;
    char *copy = text_room(table, size);
    if (!copy)
        return UINT32_MAX;
    if (size)
        memcpy(copy, text, size);
    copy[size] = 0;
    uint32_t id = (uint32_t)table->count++;
    table->entries[id] = (toll_strtab_entry){ copy, (uint32_t)size };
    toll_id_index_add(&table->index, hash, id);
    return id;
}

uint32_t toll_strtab_add(toll_strtab *table, const char *text, size_t size)
{
    if (table->count == 0 && add_new(table, "", 0, hash_of(table, "", 0)) == UINT32_MAX)
        return UINT32_MAX;
    uint32_t hash = hash_of(table, text, size), id = find(table, text, size, hash);
    return id != UINT32_MAX ? id : add_new(table, text, size, hash);
}

uint32_t toll_strtab_add_clean(toll_strtab *table, const char *text)
{
    size_t size = strlen(text);
    if (toll_text_check(text, size) == size)
        return toll_strtab_add(table, text, size);
    toll_buffer clean;
    toll_buffer_init(&clean, &table->mem);
    uint32_t id = UINT32_MAX;
    if (toll_text_append_clean(&clean, text, size))
        id = toll_strtab_add(table, (const char *)clean.data, clean.size);
    toll_buffer_free(&clean);
    return id;
}

uint32_t toll_strtab_find(const toll_strtab *table, const char *text, size_t size)
{
    return find(table, text, size, hash_of(table, text, size));
}

const char *toll_strtab_text(const toll_strtab *table, uint32_t id)
{
    return id < table->count ? table->entries[id].text : "";
}

size_t toll_strtab_size(const toll_strtab *table, uint32_t id)
{
    return id < table->count ? table->entries[id].size : 0;
}
