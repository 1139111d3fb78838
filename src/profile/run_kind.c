/* run_kind.c - see run_kind.h. */
#include "profile/run_kind.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/sort.h"

#include <string.h>

void toll_run_kind_init(toll_run_kind *kind, const toll_mem *mem)
{
    *kind = (toll_run_kind){ .mem = *mem };
}

void toll_run_kind_free(toll_run_kind *kind)
{
    toll_run_list *lists[] = { &kind->labels, &kind->facts };
    for (size_t i = 0; i < 2; i++)
        toll_mem_free(&kind->mem, lists[i]->items, lists[i]->capacity, sizeof *lists[i]->items);
    toll_mem_free(&kind->mem, kind->text, kind->text_size, 1);
    *kind = (toll_run_kind){ .mem = kind->mem };
}

bool toll_run_list_add(toll_run_kind *kind, toll_run_list *list, toll_thread_label item)
{
    if (!*item.value)
        return true;
    if (!toll_array_grow(&kind->mem, &list->items, &list->capacity, list->count, 1))
        return false;
    list->items[list->count++] = item;
    return true;
}

const char *toll_run_kind_fact(const toll_run_kind *kind, const char *key)
{
    for (size_t i = 0; i < kind->facts.count; i++)
        if (strcmp(kind->facts.items[i].key, key) == 0)
            return kind->facts.items[i].value;
    return "";
}

/* --- parsing -----------------------------------------------------------------------------------*/

/* Read "KEY=VALUE; KEY=VALUE" up to `end`, in place. Returns what follows; NULL: it is no list. */
static char *read_list(toll_run_kind *kind, toll_run_list *list, char *at, char end,
                       bool *no_memory)
{
    while (*at != end) {
        char *key = at, *to = at, *equals = NULL;
        for (; *at && *at != ';' && *at != end; at++) {
            if (*at == '\\' && at[1])
                at++;
            else if (*at == '=' && !equals)
                equals = to;
            *to++ = *at;
        }
        bool is_last = *at == end;
        if ((!is_last && *at != ';') || !equals || equals == key || equals + 1 == to)
            return NULL;
        if (!is_last)
            at += 1 + (at[1] == ' ');
        *equals = *to = 0;
        if (!toll_run_list_add(kind, list, (toll_thread_label){ key, equals + 1 })) {
            *no_memory = true;
            return NULL;
        }
        if (is_last)
            return at + 1;
    }
    return at + 1;
}

toll_status toll_run_kind_parse(toll_run_kind *kind, const toll_mem *mem, const char *text,
                                toll_error *err)
{
    bool no_memory = false;
    toll_run_kind_init(kind, mem);
    kind->text_size = strlen(text) + 1;
    kind->text = toll_mem_new(mem, kind->text_size, 1);
    if (!kind->text)
        return toll_fail_nomem(err);
    memcpy(kind->text, text, kind->text_size);
    char *at = kind->text, *last = at + kind->text_size - 1;
    if (*at == '{')
        at = read_list(kind, &kind->labels, at + 1, '}', &no_memory);
    if (at && at < last)
        at = read_list(kind, &kind->facts, at + (*at == ' '), 0, &no_memory);
    if (no_memory)
        return toll_fail_nomem(err);
    return at ? TOLL_OK : toll_fail(err, TOLL_E_SYNTAX, "'%.100s' is no kind of runs", text);
}

/* --- writing -----------------------------------------------------------------------------------*/

static int compare(const void *a, const void *b)
{
    const toll_thread_label *x = a, *y = b;
    int by = strcmp(x->key, y->key);
    return by ? by : strcmp(x->value, y->value);
}

static void put_escaped(const char *text, const char *special, toll_buffer *out)
{
    for (; *text; text++) {
        if (strchr(special, *text))
            toll_buffer_append_byte(out, '\\');
        toll_buffer_append_byte(out, (uint8_t)*text);
    }
}

static void put_list(toll_run_list *list, toll_buffer *out)
{
    const char *between = "";
    toll_sort(list->items, list->count, sizeof *list->items, compare);
    for (size_t i = 0; i < list->count; i++) {
        const toll_thread_label *item = &list->items[i];
        if (i && compare(item - 1, item) == 0)
            continue;
        toll_buffer_append_text(out, between);
        put_escaped(item->key, "\\;}=", out);
        toll_buffer_append_byte(out, '=');
        put_escaped(item->value, "\\;}", out);
        between = "; ";
    }
}

void toll_run_kind_put(toll_run_kind *kind, toll_buffer *out)
{
    if (kind->labels.count) {
        toll_buffer_append_byte(out, '{');
        put_list(&kind->labels, out);
        toll_buffer_append_text(out, kind->facts.count ? "} " : "}");
    }
    put_list(&kind->facts, out);
}
