/* source_texts.c - see source_texts.h. */
#include "debug/source_texts.h"

#include "base/array.h"

#include <string.h>

enum { MOST_SIZE = 8 << 20, MOST_KEPT = 64 << 20 };

void toll_source_texts_init(toll_source_texts *t, const toll_mem *mem)
{
    *t = (toll_source_texts){ .mem = *mem };
    toll_strtab_init(&t->names, mem);
}

void toll_source_texts_free(toll_source_texts *t)
{
    toll_mem mem = t->mem;
    for (size_t i = 0; i < t->count; i++)
        if (t->items[i].text)
            toll_mem_free(&mem, t->items[i].text, t->items[i].size + 1, 1);
    toll_mem_free(&mem, t->items, t->capacity, sizeof *t->items);
    toll_mem_free(&mem, t->numbers, t->name_capacity, sizeof *t->numbers);
    toll_strtab_free(&t->names);
    toll_source_texts_init(t, &mem);
}

bool toll_source_texts_add(toll_source_texts *t, const char *text, size_t size)
{
    toll_source_item item = { .text = NULL };
    if (!toll_array_grow(&t->mem, &t->items, &t->capacity, t->count, 1))
        return false;
    item.is_too_large = text && (size > MOST_SIZE || size > MOST_KEPT - t->kept);
    if (text && !item.is_too_large) {
        item.size = size;
        item.text = toll_mem_new(&t->mem, size + 1, 1); /* an empty text is one, too */
        if (!item.text)
            return false;
        memcpy(item.text, text, size);
        t->kept += size;
    }
    t->items[t->count++] = item;
    return true;
}

bool toll_source_texts_name(toll_source_texts *t, size_t number, const char *name)
{
    const toll_source_item *item = number < t->count ? &t->items[number] : NULL;
    if (!item || !(item->text || item->is_too_large) || !*name)
        return true;
    uint32_t id = toll_strtab_add(&t->names, name, strlen(name));
    if (id == UINT32_MAX ||
        !toll_array_grow(&t->mem, &t->numbers, &t->name_capacity, t->name_count, (size_t)id + 1))
        return false;
    if (id >= t->name_count) {
        t->numbers[id] = (uint32_t)number;
        t->name_count = (size_t)id + 1;
    }
    return true;
}

const toll_source_item *toll_source_texts_find(const toll_source_texts *t, const char *name)
{
    uint32_t id = toll_strtab_find(&t->names, name, strlen(name));
    return id == UINT32_MAX || id >= t->name_count || id == 0 ? NULL : &t->items[t->numbers[id]];
}
