/* table_labels.c - see table_labels.h. */
#include "tables/table_labels.h"

#include "base/array.h"
#include "base/fail.h"
#include "base/text.h"

#include <stdlib.h>
#include <string.h>

void toll_table_labels_init(toll_table_labels *l, const toll_mem *mem)
{
    *l = (toll_table_labels){ .mem = *mem };
    toll_buffer_init(&l->values, mem);
}

void toll_table_labels_free(toll_table_labels *l)
{
    toll_buffer_free(&l->values);
    toll_mem_free(&l->mem, l->given, l->given_capacity, sizeof *l->given);
    toll_mem_free(&l->mem, l->labels, l->capacity, sizeof *l->labels);
    toll_mem_free(&l->mem, l->threads, l->thread_capacity, sizeof *l->threads);
}

/* --- the caller's ------------------------------------------------------------------------------*/

static int compare_keys(const void *a, const void *b)
{
    const toll_thread_label *x = a, *y = b;
    return strcmp(x->key, y->key);
}

static bool is_text(const char *text)
{
    size_t size = strlen(text);
    return toll_text_check(text, size) == size;
}

static toll_status check_given(const toll_thread_label *given, uint32_t count, toll_error *err)
{
    if (count && !given)
        return toll_fail_null(err, "labels");
    for (uint32_t i = 0; i < count; i++) {
        if (!given[i].key || !given[i].value)
            return toll_fail_null(err, given[i].key ? "labels->value" : "labels->key");
        if (!is_text(given[i].key) || !is_text(given[i].value))
            return toll_fail(err, TOLL_E_ARGUMENT,
                             "the label %.100s=%.100s is not UTF-8; give one that is", given[i].key,
                             given[i].value);
    }
    return TOLL_OK;
}

static toll_status sort_given(toll_table_labels *l, const toll_thread_label *given, uint32_t count,
                              toll_error *err)
{
    toll_status status = check_given(given, count, err);
    if (status)
        return status;
    if (!toll_array_grow(&l->mem, &l->given, &l->given_capacity, 0, count))
        return toll_fail_nomem(err);
    l->given_count = count;
    if (count) {
        memcpy(l->given, given, count * sizeof *given);
        qsort(l->given, count, sizeof *l->given, compare_keys);
    }
    for (uint32_t i = 1; i < count; i++)
        if (strcmp(l->given[i - 1].key, l->given[i].key) == 0)
            return toll_fail(err, TOLL_E_ARGUMENT, "the label %.100s is given twice; give it once",
                             l->given[i].key);
    return TOLL_OK;
}

/* --- of a thread -------------------------------------------------------------------------------*/

static bool add(toll_table_labels *l, toll_thread_label label)
{
    size_t size = strlen(label.value);
    if (!toll_array_grow(&l->mem, &l->labels, &l->capacity, l->count, 1))
        return false;
    l->labels[l->count++] = (toll_table_label){ label.key, l->values.size, size };
    return toll_buffer_append(&l->values, label.value, size);
}

/* Add a label of the thread itself, whose labels come in the order of keys. `first`: the thread's
 * first one. */
static bool add_own(toll_table_labels *l, size_t first, toll_thread_label label)
{
    size_t size = strlen(label.value);
    toll_table_label *last = l->count > first ? &l->labels[l->count - 1] : NULL;
    if (!last || strcmp(last->key, label.key) != 0)
        return add(l, label);
    last->value_size += size + 1;
    return toll_buffer_append_byte(&l->values, ',') &&
           toll_buffer_append(&l->values, label.value, size);
}

static bool find_thread(toll_table_labels *l, const toll_profile *p, toll_thread_id thread)
{
    size_t first = l->count, next = 0;
    uint32_t count = p ? toll_profile_thread_label_count(p, thread) : 0;
    for (uint32_t i = 0; i < count; i++) {
        toll_thread_label own = toll_profile_thread_label(p, thread, i);
        while (next < l->given_count && strcmp(l->given[next].key, own.key) < 0)
            if (!add(l, l->given[next++]))
                return false;
        bool is_replaced = next < l->given_count && strcmp(l->given[next].key, own.key) == 0;
        if (!is_replaced && !add_own(l, first, own))
            return false;
    }
    while (next < l->given_count)
        if (!add(l, l->given[next++]))
            return false;
    if (!toll_array_grow(&l->mem, &l->threads, &l->thread_capacity, l->thread_count, 1))
        return false;
    l->threads[l->thread_count++] = (toll_table_label_list){ first, l->count - first };
    return true;
}

/* --- of all threads ----------------------------------------------------------------------------*/

static bool has(const toll_table_labels *l, toll_table_label_list list, toll_table_label label)
{
    for (size_t i = list.first; i < list.first + list.count; i++) {
        toll_table_label other = l->labels[i];
        if (strcmp(other.key, label.key) == 0)
            return other.value_size == label.value_size &&
                   (!label.value_size ||
                    memcmp(l->values.data + other.value, l->values.data + label.value,
                           label.value_size) == 0);
    }
    return false;
}

static bool find_common(toll_table_labels *l)
{
    size_t first = l->count;
    for (size_t i = 0; i < l->threads[0].count; i++) {
        toll_table_label label = l->labels[l->threads[0].first + i];
        bool have_all = true;
        for (size_t t = 1; have_all && t < l->thread_count; t++)
            have_all = has(l, l->threads[t], label);
        if (!have_all)
            continue;
        if (!toll_array_grow(&l->mem, &l->labels, &l->capacity, l->count, 1))
            return false;
        l->labels[l->count++] = label;
    }
    l->common = (toll_table_label_list){ first, l->count - first };
    return true;
}

toll_status toll_table_labels_find(toll_table_labels *l, const toll_profile *p,
                                   const toll_thread_label *given, uint32_t count, toll_error *err)
{
    toll_status status = sort_given(l, given, count, err);
    if (status)
        return status;
    toll_buffer_clear(&l->values);
    l->count = l->thread_count = 0;
    uint32_t threads = p ? toll_profile_thread_count(p) : 0, thread = 0;
    do {
        if (!find_thread(l, p, thread))
            return toll_fail_nomem(err);
    } while (++thread < threads);
    return find_common(l) ? TOLL_OK : toll_fail_nomem(err);
}
