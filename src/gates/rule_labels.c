/* rule_labels.c - see rule_labels.h. */
#include "gates/rule_labels.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/sort.h"
#include "profile/thread_labels.h"

#include <string.h>

/* --- the index ---------------------------------------------------------------------------------*/

/* The number of "KEY=VALUE"; UINT32_MAX: it is not known, or with `adds` there is no memory. */
static uint32_t label_number(toll_strtab *labels, toll_thread_label label, bool adds,
                             toll_buffer *text)
{
    toll_buffer_clear(text);
    toll_buffer_append_text(text, label.key);
    toll_buffer_append_text(text, "=");
    toll_buffer_append_text(text, label.value);
    const char *bytes = (const char *)text->data;
    if (text->failed)
        return UINT32_MAX;
    return adds ? toll_strtab_add(labels, bytes, text->size)
                : toll_strtab_find(labels, bytes, text->size);
}

static bool add(toll_labelled_threads *t, toll_thread_id thread, toll_thread_label label,
                toll_buffer *text)
{
    uint32_t number = label_number(&t->labels, label, true, text);
    if (number == UINT32_MAX || !toll_array_grow(&t->mem, &t->items, &t->capacity, t->count, 1))
        return false;
    t->items[t->count++] = (toll_labelled_thread){ number, thread };
    return true;
}

static int compare(const void *a, const void *b)
{
    const toll_labelled_thread *x = a, *y = b;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    return (x->thread > y->thread) - (x->thread < y->thread);
}

toll_status toll_labelled_threads_create(toll_labelled_threads *t, const toll_profile *p,
                                         toll_error *err)
{
    toll_buffer text;
    bool good = true;
    *t = (toll_labelled_threads){ .mem = *toll_profile_mem(p), .profile = p };
    toll_strtab_init(&t->labels, &t->mem);
    toll_buffer_init(&text, &t->mem);
    for (toll_thread_id id = 0; good && id < toll_profile_thread_count(p); id++) {
        toll_thread_label name = { TOLL_THREAD_KEY, toll_profile_thread_name(p, id) };
        good = add(t, id, name, &text);
        for (uint32_t i = 0; good && i < toll_profile_thread_label_count(p, id); i++)
            good = add(t, id, toll_profile_thread_label(p, id, i), &text);
    }
    toll_sort(t->items, t->count, sizeof *t->items, compare);
    toll_buffer_free(&text);
    return good ? TOLL_OK : toll_fail_nomem(err);
}

void toll_labelled_threads_free(toll_labelled_threads *t)
{
    toll_mem_free(&t->mem, t->items, t->capacity, sizeof *t->items);
    toll_strtab_free(&t->labels);
    *t = (toll_labelled_threads){ .mem = t->mem };
}

/* --- finding -----------------------------------------------------------------------------------*/

/* The index of the first item of that label, or of a later one. */
static size_t first_of(const toll_labelled_threads *t, uint32_t label)
{
    size_t first = 0, end = t->count;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (t->items[middle].label < label)
            first = middle + 1;
        else
            end = middle;
    }
    return first;
}

static bool add_found(const toll_labelled_threads *t, uint32_t label, toll_names_found *out)
{
    for (size_t i = first_of(t, label); i < t->count && t->items[i].label == label; i++) {
        if (!toll_array_grow(&t->mem, &out->ids, &out->capacity, out->count, 1))
            return false;
        out->ids[out->count++] = t->items[i].thread;
    }
    return true;
}

static int compare_ids(const void *a, const void *b)
{
    const uint32_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Sort them; a thread may have several values of a key. */
static void sort_ids(toll_names_found *out)
{
    size_t kept = 0;
    toll_sort(out->ids, out->count, sizeof *out->ids, compare_ids);
    for (size_t i = 0; i < out->count; i++)
        if (!kept || out->ids[kept - 1] != out->ids[i])
            out->ids[kept++] = out->ids[i];
    out->count = kept;
}

/* Keep those that are among others, too. Both are sorted. */
static void intersect(toll_names_found *out, const toll_names_found *with)
{
    size_t kept = 0, i = 0, j = 0;
    while (i < out->count && j < with->count) {
        if (out->ids[i] == with->ids[j])
            out->ids[kept++] = out->ids[i];
        if (out->ids[i] <= with->ids[j])
            i++;
        else
            j++;
    }
    out->count = kept;
}

int toll_compare_labels(const void *a, const void *b)
{
    const toll_thread_label *x = a, *y = b;
    int by = strcmp(x->key, y->key);
    return by ? by : strcmp(x->value, y->value);
}

/* Find the threads with one of the labels [first, end) of one key, sorted. */
static bool find_key(const toll_labelled_threads *t, const toll_label_list *list, size_t first,
                     size_t end, toll_buffer *text, toll_names_found *out)
{
    toll_strtab *labels = (toll_strtab *)(uintptr_t)&t->labels; /* nothing is added */
    bool good = true;
    out->count = 0;
    for (size_t i = first; good && i < end; i++) {
        uint32_t label = label_number(labels, list->items[i], false, text);
        good = !text->failed && (label == UINT32_MAX || add_found(t, label, out));
    }
    sort_ids(out);
    return good;
}

/* The rule's labels, whose texts may be the rules'. */
static toll_status labels_of(const toll_rules *rules, const toll_rule *rule, toll_label_list *list,
                             toll_error *err)
{
    const char *text = toll_rules_text(rules, rule->where);
    if (!rule->made_subject)
        return toll_label_list_parse(list, &rules->mem, text, err);
    *list = (toll_label_list){ .mem = rules->mem };
    if (!toll_array_grow(&list->mem, &list->items, &list->capacity, 0, rule->made_labels))
        return toll_fail_nomem(err);
    for (; list->count < rule->made_labels; list->count++) {
        const char *value = text + strlen(text) + 1;
        list->items[list->count] = (toll_thread_label){ text, value };
        text = value + strlen(value) + 1;
    }
    return TOLL_OK;
}

toll_status toll_labelled_threads_find(const toll_labelled_threads *t, const toll_rules *rules,
                                       const toll_rule *rule, toll_names_found *out,
                                       toll_error *err)
{
    toll_label_list list;
    toll_buffer text;
    toll_names_found one = { 0 };
    toll_status status = labels_of(rules, rule, &list, err);
    bool good = !status;
    out->count = 0;
    toll_buffer_init(&text, &t->mem);
    toll_sort(list.items, list.count, sizeof *list.items, toll_compare_labels);
    for (size_t first = 0, end; good && first < list.count; first = end) {
        end = first + 1;
        while (end < list.count && strcmp(list.items[end].key, list.items[first].key) == 0)
            end++;
        good = find_key(t, &list, first, end, &text, first ? &one : out);
        if (first)
            intersect(out, &one);
    }
    toll_mem_free(&t->mem, one.ids, one.capacity, sizeof *one.ids);
    toll_buffer_free(&text);
    toll_label_list_free(&list);
    return status ? status : good ? TOLL_OK : toll_fail_nomem(err);
}

/* --- keys --------------------------------------------------------------------------------------*/

/* Is it one of the keys in "thread,test"? */
static bool has_key(const toll_buffer *keys, const char *key)
{
    size_t size = strlen(key), n;
    const char *at = (const char *)keys->data, *end = at + keys->size;
    for (; at < end; at += n + 1) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        n = (size_t)((comma ? comma : end) - at);
        if (n == size && memcmp(at, key, n) == 0)
            return true;
    }
    return false;
}

static toll_status put_keys(toll_rules *rules, const toll_rule *rule, toll_error *err)
{
    toll_buffer *keys = &rules->keys;
    toll_label_list list;
    toll_status status =
        toll_label_list_parse(&list, &rules->mem, toll_rules_text(rules, rule->where), err);
    if (!keys->size)
        toll_buffer_append_text(keys, TOLL_THREAD_KEY);
    for (size_t i = 0; !status && !keys->failed && i < list.count; i++) {
        if (has_key(keys, list.items[i].key))
            continue;
        toll_buffer_append_text(keys, ",");
        toll_buffer_append_text(keys, list.items[i].key);
    }
    toll_label_list_free(&list);
    return status;
}

toll_status toll_rules_find_keys(toll_rules *rules, toll_error *err)
{
    toll_status status = TOLL_OK;
    for (size_t i = 0; !status && i < rules->count; i++)
        if (rules->items[i].has_where)
            status = put_keys(rules, &rules->items[i], err);
    if (!status && rules->keys.size)
        toll_buffer_cstr(&rules->keys); /* a NUL behind it */
    return status ? status : rules->keys.failed ? toll_fail_nomem(err) : TOLL_OK;
}
