/* cases.c - see cases.h. */
#include "gates/cases.h"

#include "base/buffer.h"
#include "base/fail.h"
#include "base/sort.h"
#include "base/text.h"
#include "gates/exact.h"
#include "profile/order.h"
#include "profile/thread_labels.h"

#include <string.h>

static toll_status too_big(toll_error *err)
{
    return toll_fail(err, TOLL_E_OVERFLOW, "a sum of the table does not fit 64 bits");
}

/* --- which cases -------------------------------------------------------------------------------*/

/* The threads of two profiles as those of a third one. */
typedef struct threads {
    toll_thread_id *before, *after; /* in `names`, by thread */
    size_t before_count, after_count;
} threads;

static toll_status add_threads(toll_profile *names, const toll_profile *p, toll_thread_id **ids,
                               size_t *count, toll_error *err)
{
    toll_status status = TOLL_OK;
    *count = p ? toll_profile_thread_count(p) : 0;
    *ids = toll_mem_new(toll_profile_mem(names), *count + 1, sizeof **ids);
    if (!*ids)
        return toll_fail_nomem(err);
    for (toll_thread_id t = 0; !status && t < *count; t++)
        status = toll_profile_add_thread_of(names, p, t, &(*ids)[t], err);
    return status;
}

static void free_threads(const threads *t, const toll_mem *mem)
{
    toll_mem_free(mem, t->before, t->before_count + 1, sizeof *t->before);
    toll_mem_free(mem, t->after, t->after_count + 1, sizeof *t->after);
}

/* Find a case's name by one key. `text` is room for it. */
static toll_status find_name(toll_cases *c, toll_thread_id thread, const char *key,
                             toll_buffer *text, const char **name, toll_error *err)
{
    toll_buffer_clear(text);
    if (strcmp(key, TOLL_THREAD_KEY) == 0)
        toll_buffer_append_text(text, toll_profile_thread_name(c->names, thread));
    for (uint32_t i = 0; i < toll_profile_thread_label_count(c->names, thread); i++) {
        toll_thread_label label = toll_profile_thread_label(c->names, thread, i);
        if (strcmp(key, label.key) != 0)
            continue;
        toll_buffer_append_text(text, text->size ? ", " : "");
        toll_buffer_append_text(text, label.value);
    }
    uint32_t id = toll_strtab_add(&c->texts, (const char *)text->data, text->size);
    if (text->failed || id == UINT32_MAX)
        return toll_fail_nomem(err);
    *name = text->size ? toll_strtab_text(&c->texts, id) : NULL;
    return TOLL_OK;
}

static int compare_texts(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_names(const void *a, const void *b)
{
    const toll_case *x = a, *y = b;
    int by = 0;
    for (uint32_t i = 0; !by && i < x->name_count; i++)
        by = compare_texts(x->names[i], y->names[i]);
    return by ? by : (x->thread > y->thread) - (x->thread < y->thread);
}

static toll_status make_items(toll_cases *c, const threads *t, toll_error *err)
{
    uint32_t count = toll_profile_thread_count(c->names);
    toll_buffer text;
    c->items = toll_mem_new(&c->mem, (size_t)count + 1, sizeof *c->items);
    if (!c->items)
        return toll_fail_nomem(err);
    c->count = count;
    c->item_names = toll_mem_new(&c->mem, c->count * c->key_count + 1, sizeof *c->item_names);
    toll_status status = c->item_names ? TOLL_OK : toll_fail_nomem(err);
    toll_buffer_init(&text, &c->mem);
    for (uint32_t i = 0; !status && i < count; i++) {
        const char **names = c->item_names + (size_t)i * c->key_count;
        c->items[i] = (toll_case){ .thread = i, .names = names, .name_count = c->key_count };
        for (uint32_t k = 0; !status && k < c->key_count; k++)
            status = find_name(c, i, c->keys[k], &text, &names[k], err);
    }
    toll_buffer_free(&text);
    for (size_t i = 0; !status && i < t->before_count; i++)
        c->items[t->before[i]].was = true;
    for (size_t i = 0; !status && i < t->after_count; i++)
        c->items[t->after[i]].is = true;
    return status;
}

enum { WAS = 1, IS = 2 };

/* Find or add the test of a case: its thread without the label "root". `labels` has room for all of
 * them. */
static toll_status add_test(const toll_cases *c, const toll_case *item, toll_thread_label *labels,
                            toll_profile *tests, toll_thread_id *test, toll_error *err)
{
    uint32_t count = 0, all = toll_profile_thread_label_count(c->names, item->thread);
    const char *name = toll_profile_thread_name(c->names, item->thread);
    for (uint32_t i = 0; i < all; i++) {
        labels[count] = toll_profile_thread_label(c->names, item->thread, i);
        count += strcmp(labels[count].key, TOLL_ROOT_KEY) != 0;
    }
    return toll_profile_add_labelled_thread(tests, name, labels, count, test, err);
}

static size_t most_labels(const toll_profile *names)
{
    size_t most = 0;
    for (toll_thread_id t = 0; t < toll_profile_thread_count(names); t++)
        if (toll_profile_thread_label_count(names, t) > most)
            most = toll_profile_thread_label_count(names, t);
    return most;
}

/* Which cases are of a test that only one of the profiles has? */
static toll_status find_tests(toll_cases *c, toll_error *err)
{
    toll_profile *tests = NULL;
    size_t label_room = most_labels(c->names) + 1;
    toll_thread_label *labels = toll_mem_new(&c->mem, label_room, sizeof *labels);
    toll_thread_id *test = toll_mem_new(&c->mem, c->count + 1, sizeof *test);
    uint8_t *flags = toll_mem_new(&c->mem, c->count + 1, sizeof *flags); /* by test */
    toll_status status =
        labels && test && flags ? toll_profile_create(&c->mem, &tests, err) : toll_fail_nomem(err);
    for (size_t i = 0; !status && i < c->count; i++) {
        status = add_test(c, &c->items[i], labels, tests, &test[i], err);
        if (!status)
            flags[test[i]] |= (uint8_t)((c->items[i].was ? WAS : 0) | (c->items[i].is ? IS : 0));
    }
    for (size_t i = 0; !status && c->before && i < c->count; i++) {
        c->items[i].is_new = flags[test[i]] == IS;
        c->items[i].is_gone = flags[test[i]] == WAS;
    }
    toll_profile_free(tests);
    toll_mem_free(&c->mem, labels, label_room, sizeof *labels);
    toll_mem_free(&c->mem, test, c->count + 1, sizeof *test);
    toll_mem_free(&c->mem, flags, c->count + 1, sizeof *flags);
    return status;
}

/* --- what they spent ---------------------------------------------------------------------------*/

/* What one profile has: columns of `after` by their number in it; TOLL_NONE: it lacks that. */
typedef struct source {
    const toll_profile *profile;
    const toll_thread_id *threads;
    toll_thread_id *by_node; /* the case of each node */
    uint32_t value, calls;
} source;

static bool add(int64_t *to, const source *s, toll_node_id node, uint32_t column)
{
    return column == TOLL_NONE ||
           toll_i64_add(*to, toll_profile_self(s->profile, node, column), to);
}

static bool is_outermost(const toll_profile *p, toll_node_id node)
{
    toll_node_id parent = toll_profile_parent(p, node);
    return parent != TOLL_NONE && toll_profile_parent(p, parent) == TOLL_NONE;
}

static bool is_native(const toll_profile *p, toll_node_id node)
{
    toll_frame_id frame = toll_profile_node_frame(p, node);
    return frame != TOLL_NONE && toll_profile_frame(p, frame).kind == TOLL_KIND_NATIVE;
}

/* Add what a node of `after` spent beside the value. */
static bool add_further(toll_cases *c, const source *s, toll_node_id node, toll_case *item)
{
    int64_t *others = c->other_values + (size_t)item->thread * c->other_count;
    bool is_solana = strcmp(c->value.unit, "CU") == 0;
    bool ok = true;
    for (uint32_t i = 0; ok && i < c->other_count; i++)
        ok = add(&others[i], s, node, c->others[i]);
    if (ok && is_outermost(s->profile, node))
        ok = add(&item->calls, s, node, s->calls);
    else if (ok && is_solana && is_native(s->profile, node))
        ok = add(&item->system_calls, s, node, s->calls);
    return ok;
}

static toll_status sum_up(toll_cases *c, source *s, toll_error *err)
{
    const toll_profile *p = s->profile;
    bool is_after = p == c->after, ok = true;
    size_t room = (size_t)toll_profile_node_count(p) + 1;
    s->by_node = toll_mem_new(&c->mem, room, sizeof *s->by_node);
    if (!s->by_node)
        return toll_fail_nomem(err);
    for (toll_thread_id t = 0; t < toll_profile_thread_count(p); t++)
        s->by_node[toll_profile_root(p, t)] = s->threads[t];
    for (toll_node_id n = 0; ok && n < toll_profile_node_count(p); n++) {
        toll_node_id parent = toll_profile_parent(p, n); /* its number is lower */
        if (parent != TOLL_NONE)
            s->by_node[n] = s->by_node[parent];
        toll_case *item = &c->items[s->by_node[n]];
        ok = add(is_after ? &item->after : &item->before, s, n, s->value) &&
             (!is_after || add_further(c, s, n, item));
    }
    toll_mem_free(&c->mem, s->by_node, room, sizeof *s->by_node);
    return ok ? TOLL_OK : too_big(err);
}

static uint32_t calls_of(const toll_profile *p)
{
    return toll_profile_find_value_type(p, (toll_value_type){ "calls", "count" });
}

static bool add_values(toll_case *sum, const toll_case *item)
{
    return toll_i64_add(sum->before, item->before, &sum->before) &&
           toll_i64_add(sum->after, item->after, &sum->after);
}

/* Compute a case's change, and add the case to the sums. */
static bool add_to_sums(toll_cases *c, toll_case *item)
{
    toll_case *all = &c->all;
    bool is_in_both = !item->is_new && !item->is_gone;
    c->has_both |= !is_in_both;
    bool ok = toll_i64_sub(item->after, item->before, &item->by) && add_values(all, item) &&
              (!is_in_both || add_values(&c->both, item)) &&
              toll_i64_add(all->calls, item->calls, &all->calls) &&
              toll_i64_add(all->system_calls, item->system_calls, &all->system_calls);
    for (uint32_t i = 0; ok && i < c->other_count; i++) {
        int64_t *sum = &c->other_values[c->count * c->other_count + i];
        ok = toll_i64_add(*sum, toll_case_other(c, item, i), sum);
    }
    return ok;
}

static toll_status sum_both(toll_cases *c, const threads *t, toll_error *err)
{
    source after = { c->after, t->after, NULL, c->shown.column, calls_of(c->after) };
    toll_status status = sum_up(c, &after, err);
    if (!status && c->before) {
        source before = { c->before, t->before, NULL,
                          toll_profile_find_value_type(c->before, c->value), TOLL_NONE };
        status = sum_up(c, &before, err);
    }
    for (size_t i = 0; !status && i < c->count; i++)
        if (!add_to_sums(c, &c->items[i]))
            status = too_big(err);
    c->has_calls &= c->all.calls != 0; /* the outermost function may have none */
    if (!status && !(toll_i64_sub(c->all.after, c->all.before, &c->all.by) &&
                     toll_i64_sub(c->both.after, c->both.before, &c->both.by)))
        status = too_big(err);
    return status;
}

/* --- columns -----------------------------------------------------------------------------------*/

static bool has_values(const toll_profile *p, uint32_t column)
{
    for (toll_node_id n = 0; n < toll_profile_node_count(p); n++)
        if (toll_profile_self(p, n, column))
            return true;
    return false;
}

/* Choose the value, and the columns beside it. */
static toll_status choose_columns(toll_cases *c, toll_error *err)
{
    const toll_profile *p = c->after;
    toll_status status = toll_choose_shown(p, p, c->before, c->options.value, &c->shown, err);
    if (status)
        return status;
    if (c->shown.column == TOLL_NONE)
        return toll_fail(err, TOLL_E_NOT_FOUND, "the profile has no values");
    c->value = toll_profile_column(p, c->shown.column);
    c->has_calls = calls_of(p) != TOLL_NONE && calls_of(p) != c->shown.column;
    c->other_room = (size_t)toll_profile_column_count(p) + 1;
    c->others = toll_mem_new(&c->mem, c->other_room, sizeof *c->others);
    if (!c->others)
        return toll_fail_nomem(err);
    for (uint32_t i = 0; i < toll_profile_column_count(p); i++)
        if (i != c->shown.column && i != calls_of(p) && !toll_is_time(toll_profile_column(p, i)) &&
            has_values(p, i))
            c->others[c->other_count++] = i;
    return TOLL_OK;
}

/* --- order -------------------------------------------------------------------------------------*/

static int by_place(const toll_case *x, const toll_case *y)
{
    return (x->place > y->place) - (x->place < y->place);
}

static int compare_values(const void *a, const void *b)
{
    const toll_case *x = a, *y = b;
    return x->after != y->after ? (x->after < y->after ? 1 : -1) : by_place(x, y);
}

/* What is in both profiles, then what is new, then what is gone. */
static int kind_of(const toll_case *x)
{
    return x->is_new + 2 * x->is_gone;
}

static int compare_changes(const void *a, const void *b)
{
    const toll_case *x = a, *y = b;
    if (kind_of(x) != kind_of(y))
        return kind_of(x) - kind_of(y);
    if ((x->by > 0) != (y->by > 0))
        return x->by > 0 ? -1 : 1;
    if (x->by != y->by)
        return (x->by > 0) == (x->by < y->by) ? 1 : -1;
    return by_place(x, y);
}

static void sort(toll_cases *c)
{
    toll_sort(c->items, c->count, sizeof *c->items, compare_names);
    for (size_t i = 0; i < c->count; i++)
        c->items[i].place = (uint32_t)i;
    if (c->options.sort != TOLL_CASES_BY_NAME)
        toll_sort(c->items, c->count, sizeof *c->items,
                  c->options.sort == TOLL_CASES_BY_VALUE ? compare_values : compare_changes);
}

/* --- the whole ---------------------------------------------------------------------------------*/

/* Divide "test,root" into its keys. */
static toll_status find_keys(toll_cases *c, toll_error *err)
{
    const char *by = c->options.by ? c->options.by : TOLL_THREAD_KEY;
    for (by += strspn(by, ", \t"); *by; by += strspn(by, ", \t")) {
        size_t size = strcspn(by, ",");
        uint32_t id = toll_strtab_add(&c->texts, by, size);
        if (id == UINT32_MAX)
            return toll_fail_nomem(err);
        if (c->key_count == TOLL_CASES_KEYS)
            return toll_fail(err, TOLL_E_ARGUMENT, "--by: a table has names of %d keys at most",
                             TOLL_CASES_KEYS);
        c->keys[c->key_count++] = toll_strtab_text(&c->texts, id);
        by += size;
    }
    return TOLL_OK;
}

static toll_status list(toll_cases *c, threads *t, toll_error *err)
{
    toll_status status = toll_profile_create(&c->mem, &c->names, err);
    if (!status)
        status = add_threads(c->names, c->before, &t->before, &t->before_count, err);
    if (!status)
        status = add_threads(c->names, c->after, &t->after, &t->after_count, err);
    if (!status)
        status = make_items(c, t, err);
    if (!status)
        status = find_tests(c, err);
    if (status)
        return status;
    c->all.thread = (toll_thread_id)c->count;
    c->other_values = toll_mem_new(&c->mem, (c->count + 1) * c->other_count + 1, sizeof(int64_t));
    return c->other_values ? sum_both(c, t, err) : toll_fail_nomem(err);
}

toll_status toll_cases_create(toll_cases *c, const toll_profile *before, const toll_profile *after,
                              const toll_cases_options *options, toll_error *err)
{
    threads t = { 0 };
    *c = (toll_cases){
        .mem = *toll_profile_mem(after), .options = *options, .before = before, .after = after
    };
    toll_strtab_init(&c->texts, &c->mem);
    toll_status status = find_keys(c, err);
    if (!status)
        status = choose_columns(c, err);
    if (!status)
        status = list(c, &t, err);
    if (!status)
        sort(c);
    free_threads(&t, &c->mem);
    return status;
}

void toll_cases_free(toll_cases *c)
{
    size_t values = (c->count + 1) * c->other_count + 1;
    toll_mem_free(&c->mem, c->other_values, values, sizeof *c->other_values);
    toll_mem_free(&c->mem, c->runs, c->count + 1, sizeof *c->runs);
    toll_mem_free(&c->mem, c->others, c->other_room, sizeof *c->others);
    toll_mem_free(&c->mem, c->item_names, c->count * c->key_count + 1, sizeof *c->item_names);
    toll_mem_free(&c->mem, c->items, c->count + 1, sizeof *c->items);
    toll_profile_free(c->names);
    toll_strtab_free(&c->texts);
    *c = (toll_cases){ .mem = c->mem };
}
