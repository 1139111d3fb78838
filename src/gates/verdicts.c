/* verdicts.c - see verdicts.h. */
#include "gates/verdicts.h"

#include "base/array.h"

#include <inttypes.h>
#include <string.h>

void toll_verdicts_init(toll_verdicts *v, const toll_mem *mem, const char *suite,
                        const toll_findings *findings)
{
    *v = (toll_verdicts){ .mem = *mem, .suite = suite, .findings = findings };
    toll_strtab_init(&v->names, mem);
}

void toll_verdicts_free(toll_verdicts *v)
{
    toll_mem_free(&v->mem, v->items, v->capacity, sizeof *v->items);
    toll_mem_free(&v->mem, v->uses, v->use_room, sizeof *v->uses);
    toll_strtab_free(&v->names);
    v->items = NULL;
    v->uses = NULL;
    v->count = v->capacity = v->use_count = v->use_room = 0;
}

/* The number of uses of a name, and the name's id. NULL: no memory. */
static uint32_t *uses_of(toll_verdicts *v, const char *name, uint32_t *id)
{
    *id = toll_strtab_add(&v->names, name, strlen(name));
    if (*id == UINT32_MAX)
        return NULL;
    size_t more = *id >= v->use_count ? *id + (size_t)1 - v->use_count : 0;
    if (!toll_array_grow(&v->mem, &v->uses, &v->use_room, v->use_count, more))
        return NULL;
    if (more)
        memset(v->uses + v->use_count, 0, more * sizeof *v->uses);
    v->use_count += more;
    return &v->uses[*id];
}

/* The name, with a number if it is in use. NULL: no memory. */
static const char *unused(toll_verdicts *v, const char *name)
{
    uint32_t first, id;
    uint32_t *uses = uses_of(v, name, &first);
    toll_buffer text;
    if (!uses)
        return NULL;
    id = first;
    toll_buffer_init(&text, &v->mem);
    while (uses && *uses) {
        uint32_t number = ++v->uses[first];
        toll_buffer_clear(&text);
        toll_buffer_append_format(&text, "%s (%" PRIu32 ")", name, number);
        const char *numbered = toll_buffer_cstr(&text);
        uses = numbered ? uses_of(v, numbered, &id) : NULL;
    }
    toll_buffer_free(&text);
    if (uses)
        *uses = 1;
    return uses ? toll_strtab_text(&v->names, id) : NULL;
}

void toll_verdicts_add(toll_verdicts *v, const char *name, const toll_verdict *item)
{
    if (!v || v->failed)
        return;
    const char *own = unused(v, name);
    v->failed = !own || !toll_array_grow(&v->mem, &v->items, &v->capacity, v->count, 1);
    if (v->failed)
        return;
    v->items[v->count] = *item;
    v->items[v->count++].name = own;
}

void toll_verdicts_add_error(toll_verdicts *v, size_t finding)
{
    const toll_verdict error = {
        .state = TOLL_VERDICT_ERROR, .finding = finding, .least = INT64_MIN, .most = INT64_MAX
    };
    toll_verdicts_add(v, "comparison", &error);
}

size_t toll_verdicts_count(const toll_verdicts *v, toll_verdict_state state)
{
    size_t count = 0;
    for (size_t i = 0; i < v->count; i++)
        count += v->items[i].state == state;
    return count;
}
