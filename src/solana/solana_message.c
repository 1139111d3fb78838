/* solana_message.c - see solana_message.h. */
#include "solana/solana_message.h"

#include "base/array.h"

#include <string.h>

void toll_solana_message_init(toll_solana_message *m, const toll_mem *mem)
{
    *m = (toll_solana_message){ .mem = *mem };
    toll_buffer_init(&m->texts, mem);
}

void toll_solana_message_free(toll_solana_message *m)
{
    toll_buffer_free(&m->texts);
    toll_mem_free(&m->mem, m->outer.list, m->outer.capacity, sizeof *m->outer.list);
    toll_mem_free(&m->mem, m->inner.list, m->inner.capacity, sizeof *m->inner.list);
    toll_mem_free(&m->mem, m->keys.list, m->keys.capacity, sizeof *m->keys.list);
    toll_mem_free(&m->mem, m->writable.list, m->writable.capacity, sizeof *m->writable.list);
    toll_mem_free(&m->mem, m->readonly.list, m->readonly.capacity, sizeof *m->readonly.list);
}

void toll_solana_message_clear(toll_solana_message *m)
{
    toll_buffer_clear(&m->texts);
    m->outer.count = m->inner.count = 0;
    m->keys.count = m->writable.count = m->readonly.count = 0;
    m->next_outer = m->next_inner = m->inner_end = 0;
    m->misses = 0;
    m->name = m->heap = 0;
}

bool toll_solana_message_text(toll_solana_message *m, const char *text, size_t size,
                              uint32_t *place)
{
    if (m->texts.size == 0 && !toll_buffer_append_byte(&m->texts, 0))
        return false;
    if (m->texts.size > UINT32_MAX - 1)
        return false;
    *place = (uint32_t)m->texts.size;
    return toll_buffer_append(&m->texts, text, size) && toll_buffer_append_byte(&m->texts, 0);
}

bool toll_solana_message_key(toll_solana_message *m, toll_solana_keys *keys, const char *text,
                             size_t size)
{
    return toll_array_grow(&m->mem, &keys->list, &keys->capacity, keys->count, 1) &&
           toll_solana_message_text(m, text, size, &keys->list[keys->count++]);
}

bool toll_solana_message_add(toll_solana_message *m, toll_solana_instructions *list,
                             const toll_solana_instruction *instruction)
{
    if (!toll_array_grow(&m->mem, &list->list, &list->capacity, list->count, 1))
        return false;
    list->list[list->count++] = *instruction;
    return true;
}

/* --- matching ----------------------------------------------------------------------------------*/

static const char *key_at(const toll_solana_message *m, size_t i)
{
    const toll_solana_keys *const lists[] = { &m->keys, &m->writable, &m->readonly };
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        if (i < lists[k]->count)
            return toll_solana_message_at(m, lists[k]->list[i]);
        i -= lists[k]->count;
    }
    return "";
}

static const char *id_of(const toll_solana_message *m, const toll_solana_instruction *i)
{
    return i->key == UINT32_MAX ? toll_solana_message_at(m, i->id) : key_at(m, i->key);
}

static bool is_of(const toll_solana_message *m, const toll_solana_instruction *i, const char *id,
                  size_t size)
{
    const char *own = id_of(m, i);
    return strlen(own) == size && memcmp(own, id, size) == 0;
}

uint32_t toll_solana_message_heap(const toll_solana_message *m)
{
    static const char id[] = "ComputeBudget111111111111111111111111111111";
    enum { REQUEST_HEAP_FRAME = 1, SIZE = 5 };
    for (size_t i = 0; i < m->outer.count; i++) {
        const toll_solana_instruction *at = &m->outer.list[i];
        const uint8_t *data = at->data;
        if (at->data_size >= SIZE && *data == REQUEST_HEAP_FRAME && is_of(m, at, id, sizeof id - 1))
            return data[1] | (uint32_t)data[2] << 8 | (uint32_t)data[3] << 16 |
                   (uint32_t)data[4] << 24;
    }
    return m->heap;
}

/* Go to the inner instructions of outer instruction `outer`. */
static void begin_inner(toll_solana_message *m, uint32_t outer)
{
    const toll_solana_instruction *list = m->inner.list;
    size_t i = m->inner_end;
    while (i < m->inner.count && list[i].outer < outer)
        i++;
    m->next_inner = i;
    while (i < m->inner.count && list[i].outer == outer)
        i++;
    m->inner_end = i;
}

enum {
    MOST_MISSES = 64
}; /* more than the instructions of any transaction; then the log belongs to
    * another one */

/* Find the next outer instruction. They run in order; the log lacks those that the runtime executes
 * by itself (signature checks), and those after a failure. */
static const toll_solana_instruction *next_outer(toll_solana_message *m, const char *id,
                                                 size_t size)
{
    for (size_t i = m->next_outer; m->misses < MOST_MISSES && i < m->outer.count; i++) {
        if (!is_of(m, &m->outer.list[i], id, size))
            continue;
        m->next_outer = i + 1;
        begin_inner(m, m->outer.list[i].outer);
        return &m->outer.list[i];
    }
    m->misses += m->misses < MOST_MISSES;
    m->next_inner = m->inner_end;
    return NULL;
}

const toll_solana_instruction *toll_solana_message_next(toll_solana_message *m, int64_t height,
                                                        const char *id, size_t size)
{
    if (height == 1)
        return next_outer(m, id, size);
    if (m->next_inner >= m->inner_end)
        return NULL;
    const toll_solana_instruction *at = &m->inner.list[m->next_inner];
    if ((at->height && at->height != height) || !is_of(m, at, id, size)) {
        m->next_inner = m->inner_end; /* the rest cannot be matched */
        return NULL;
    }
    m->next_inner++;
    return at;
}

static bool has_run(const toll_solana_instruction *i, int64_t failed)
{
    return failed < 0 || (int64_t)i->outer <= failed;
}

const toll_solana_instruction *toll_solana_message_rest(toll_solana_message *m, int64_t failed,
                                                        const char **id)
{
    const toll_solana_instruction *at = NULL;
    if (m->misses)
        return NULL;
    if (m->next_inner < m->inner_end) {
        at = &m->inner.list[m->next_inner++];
    } else if (m->next_outer < m->outer.count && has_run(&m->outer.list[m->next_outer], failed)) {
        at = &m->outer.list[m->next_outer++];
        begin_inner(m, at->outer);
    }
    if (at)
        *id = id_of(m, at);
    return at;
}
