/* thread_list.c - stores the threads of a profile: a name, labels and a root each. See
 * toll/profile.h. */
#include "base/array.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/sort.h"
#include "profile/order.h"
#include "profile/profile_data.h"
#include "profile/thread_labels.h"

#include <string.h>

enum { LONGEST_TITLE = 200 };

/* --- finding one -------------------------------------------------------------------------------*/

static uint32_t thread_hash(const toll_profile *p, const toll_thread_data *t)
{
    uint64_t hash = toll_hash_u64(t->name);
    for (uint32_t i = 0; i < t->label_count; i++) {
        toll_label_data label = p->labels[t->first_label + i];
        hash = toll_hash_u64(hash ^ ((uint64_t)label.key << 32 | label.value));
    }
    return (uint32_t)hash;
}

static bool same_labels(const toll_profile *p, const toll_thread_data *a, const toll_thread_data *b)
{
    return a->label_count == b->label_count &&
           (!a->label_count || memcmp(&p->labels[a->first_label], &p->labels[b->first_label],
                                      a->label_count * sizeof *p->labels) == 0);
}

static toll_thread_id find_thread(const toll_profile *p, const toll_thread_data *wanted)
{
    uint32_t hash = thread_hash(p, wanted), id;
    size_t place = hash;
    while ((id = toll_id_index_next(&p->thread_index, hash, &place)) != TOLL_NONE)
        if (p->threads[id].name == wanted->name && same_labels(p, &p->threads[id], wanted))
            break;
    return id;
}

void toll_profile_truncate_threads(toll_profile *p, size_t count)
{
    p->thread_count = count;
    p->label_count = 0;
    toll_id_index_clear(&p->thread_index);
    for (size_t id = 0; id < count; id++) {
        const toll_thread_data *t = &p->threads[id];
        p->label_count = t->first_label + t->label_count;
        toll_id_index_add(&p->thread_index, thread_hash(p, t), (uint32_t)id);
    }
}

/* --- labels ------------------------------------------------------------------------------------*/

typedef struct sorted_label {
    const char *key, *value;
    toll_label_data ids;
} sorted_label;

static int compare_labels(const void *a, const void *b)
{
    const sorted_label *x = a, *y = b;
    int by = strcmp(x->key, y->key);
    return by ? by : strcmp(x->value, y->value);
}

toll_status toll_thread_label_check(const toll_thread_label *label, toll_error *err)
{
    if (!label->key || !label->value)
        return toll_fail_null(err, label->key ? "a label's value" : "a label's key");
    if (!*label->key)
        return toll_fail(err, TOLL_E_ARGUMENT, "a label has no key");
    if (strcmp(label->key, TOLL_THREAD_KEY) == 0)
        return toll_fail(err, TOLL_E_ARGUMENT,
                         "no label is called '" TOLL_THREAD_KEY "': that is a thread's name");
    return TOLL_OK;
}

/* Write the labels that have values to `sorted`, in order; *used is their number. */
static toll_status sort_labels(toll_profile *p, const toll_thread_label *labels, uint32_t count,
                               sorted_label *sorted, uint32_t *used, toll_error *err)
{
    uint32_t n = 0;
    *used = 0;
    for (uint32_t i = 0; i < count; i++) {
        toll_status status = toll_thread_label_check(&labels[i], err);
        if (status)
            return status;
        if (!*labels[i].value)
            continue;
        toll_label_data ids = { toll_strtab_add_clean(&p->strings, labels[i].key),
                                toll_strtab_add_clean(&p->strings, labels[i].value) };
        if (ids.key == TOLL_NONE || ids.value == TOLL_NONE)
            return toll_fail_nomem(err);
        sorted[n++] =
            (sorted_label){ toll_profile_text(p, ids.key), toll_profile_text(p, ids.value), ids };
    }
    if (n)
        toll_sort(sorted, n, sizeof *sorted, compare_labels);
    for (uint32_t i = 0; i < n; i++)
        if (!i || compare_labels(&sorted[i - 1], &sorted[i]) != 0)
            sorted[(*used)++] = sorted[i];
    return TOLL_OK;
}

/* Write the labels of a possibly new thread after those of all threads, without counting them
 * yet. */
static toll_status put_labels(toll_profile *p, const toll_thread_label *labels, uint32_t count,
                              toll_thread_data *thread, toll_error *err)
{
    thread->first_label = p->label_count;
    if (!count)
        return TOLL_OK;
    sorted_label *sorted = toll_mem_new(&p->mem, count, sizeof *sorted);
    if (!sorted ||
        !toll_array_grow(&p->mem, &p->labels, &p->label_capacity, p->label_count, count)) {
        toll_mem_free(&p->mem, sorted, count, sizeof *sorted);
        return toll_fail_nomem(err);
    }
    toll_status status = sort_labels(p, labels, count, sorted, &thread->label_count, err);
    for (uint32_t i = 0; i < thread->label_count; i++)
        p->labels[p->label_count + i] = sorted[i].ids;
    toll_mem_free(&p->mem, sorted, count, sizeof *sorted);
    return status;
}

/* --- titles ------------------------------------------------------------------------------------*/

/* Cut a title that is too long, between characters, and add an ellipsis. */
static void cut_title(toll_buffer *b)
{
    static const char ellipsis[] = "...";
    if (b->failed || b->size <= LONGEST_TITLE)
        return;
    b->size = LONGEST_TITLE;
    while (b->size && (b->data[b->size] & 0xC0) == 0x80)
        b->size--;
    toll_buffer_append_text(b, ellipsis);
}

/* Append at most a title's length of a text: labels may be long, and threads many. */
static void put_start(toll_buffer *b, const toll_profile *p, uint32_t string)
{
    size_t size = toll_strtab_size(&p->strings, string);
    if (b->size <= LONGEST_TITLE)
        toll_buffer_append(b, toll_profile_text(p, string),
                           size < LONGEST_TITLE + 4 ? size : LONGEST_TITLE + 4);
}

static toll_status set_title(toll_profile *p, toll_thread_data *t, toll_error *err)
{
    toll_buffer b;
    bool is_named = toll_strtab_size(&p->strings, t->name) > 0;
    t->title = t->name;
    if (!t->label_count)
        return TOLL_OK;
    toll_buffer_init(&b, &p->mem);
    put_start(&b, p, t->name);
    for (uint32_t i = 0; i < t->label_count && b.size <= LONGEST_TITLE; i++) {
        toll_buffer_append_text(&b, i ? ", " : is_named ? " {" : "");
        put_start(&b, p, p->labels[t->first_label + i].key);
        toll_buffer_append_text(&b, "=");
        put_start(&b, p, p->labels[t->first_label + i].value);
    }
    if (is_named && b.size <= LONGEST_TITLE)
        toll_buffer_append_text(&b, "}");
    cut_title(&b);
    t->title = b.failed ? TOLL_NONE : toll_strtab_add(&p->strings, (const char *)b.data, b.size);
    toll_buffer_free(&b);
    return t->title == TOLL_NONE ? toll_fail_nomem(err) : TOLL_OK;
}

/* --- the list ----------------------------------------------------------------------------------*/

/* Add a thread that was not found. The labels after those of all threads become its own. */
static toll_status append(toll_profile *p, toll_thread_data *thread, toll_thread_id *out,
                          toll_error *err)
{
    toll_status status = set_title(p, thread, err);
    if (status)
        return status;
    if (!toll_id_index_reserve(&p->thread_index, &p->mem) ||
        !toll_array_grow(&p->mem, &p->threads, &p->thread_capacity, p->thread_count, 1))
        return toll_fail_nomem(err);
    thread->root = toll_tree_add_root(&p->tree);
    if (!thread->root)
        return toll_fail_nomem(err);
    p->threads[p->thread_count] = *thread;
    p->label_count += thread->label_count;
    *out = (toll_thread_id)p->thread_count++;
    toll_id_index_add(&p->thread_index, thread_hash(p, thread), *out);
    return TOLL_OK;
}

toll_status toll_profile_add_labelled_thread(toll_profile *p, const char *name,
                                             const toll_thread_label *labels, uint32_t count,
                                             toll_thread_id *out, toll_error *err)
{
    toll_thread_id unwanted;
    toll_thread_data thread = { 0 };
    out = out ? out : &unwanted;
    *out = TOLL_NONE;
    if (!name || (count && !labels))
        return toll_fail_null(err, name ? "labels" : "name");
    thread.name = toll_strtab_add_clean(&p->strings, name);
    if (thread.name == TOLL_NONE)
        return toll_fail_nomem(err);
    toll_status status = put_labels(p, labels, count, &thread, err);
    if (status)
        return status;
    *out = find_thread(p, &thread);
    return *out == TOLL_NONE ? append(p, &thread, out, err) : TOLL_OK;
}

toll_status toll_profile_add_thread(toll_profile *p, const char *name, toll_thread_id *out,
                                    toll_error *err)
{
    return toll_profile_add_labelled_thread(p, name, NULL, 0, out, err);
}

toll_status toll_profile_add_thread_of(toll_profile *p, const toll_profile *from, toll_thread_id id,
                                       toll_thread_id *out, toll_error *err)
{
    uint32_t count = toll_profile_thread_label_count(from, id);
    const char *name = toll_profile_thread_name(from, id);
    toll_thread_label *labels = toll_mem_new(&p->mem, (size_t)count + 1, sizeof *labels);
    if (!labels)
        return toll_fail_nomem(err);
    for (uint32_t i = 0; i < count; i++)
        labels[i] = toll_profile_thread_label(from, id, i);
    toll_status status = toll_profile_add_labelled_thread(p, name, labels, count, out, err);
    toll_mem_free(&p->mem, labels, (size_t)count + 1, sizeof *labels);
    return status;
}

bool toll_profile_has_labels(const toll_profile *p)
{
    return p->label_count > 0;
}

uint32_t toll_profile_thread_count(const toll_profile *p)
{
    return (uint32_t)p->thread_count;
}

const char *toll_profile_thread_name(const toll_profile *p, toll_thread_id id)
{
    return id < p->thread_count ? toll_profile_text(p, p->threads[id].name) : "";
}

const char *toll_profile_thread_title(const toll_profile *p, toll_thread_id id)
{
    return id < p->thread_count ? toll_profile_text(p, p->threads[id].title) : "";
}

uint32_t toll_profile_thread_label_count(const toll_profile *p, toll_thread_id id)
{
    return id < p->thread_count ? p->threads[id].label_count : 0;
}

toll_thread_label toll_profile_thread_label(const toll_profile *p, toll_thread_id id, uint32_t i)
{
    if (i >= toll_profile_thread_label_count(p, id))
        return (toll_thread_label){ "", "" };
    toll_label_data label = p->labels[p->threads[id].first_label + i];
    return (toll_thread_label){ toll_profile_text(p, label.key),
                                toll_profile_text(p, label.value) };
}

toll_node_id toll_profile_root(const toll_profile *p, toll_thread_id id)
{
    return id < p->thread_count ? p->threads[id].root->id : TOLL_NONE;
}

/* --- checking ----------------------------------------------------------------------------------*/

static bool is_sorted(const toll_profile *p, toll_thread_id id)
{
    for (uint32_t i = 1; i < toll_profile_thread_label_count(p, id); i++) {
        toll_thread_label a = toll_profile_thread_label(p, id, i - 1);
        toll_thread_label b = toll_profile_thread_label(p, id, i);
        int by = strcmp(a.key, b.key);
        if (by > 0 || (by == 0 && strcmp(a.value, b.value) >= 0))
            return false;
    }
    return true;
}

toll_status toll_threads_check(const toll_profile *p, toll_error *err)
{
    for (toll_thread_id id = 0; id < p->thread_count; id++) {
        toll_thread_id found = find_thread(p, &p->threads[id]);
        if (!is_sorted(p, id))
            return toll_fail(err, TOLL_E_INVARIANT, "the labels of thread %u are not in order", id);
        if (found != id)
            return toll_fail(err, TOLL_E_INVARIANT, "threads %u and %u are the same", found, id);
    }
    return TOLL_OK;
}
