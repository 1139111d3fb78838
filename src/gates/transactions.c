/* transactions.c - see transactions.h. */
#include "gates/transactions.h"

#include "base/array.h"
#include "base/buffer.h"
#include "base/fail.h"
#include "base/sort.h"
#include "base/text.h"
#include "profile/order.h"
#include "profile/thread_labels.h"

#include <string.h>

static const char request[] = "Compute Budget: SetComputeUnitLimit", failed[] = " (failed)";

/* The name of the transaction that a thread is of; NULL: of none. */
static const char *transaction_of(const toll_profile *p, toll_thread_id thread)
{
    for (uint32_t i = 0; i < toll_profile_thread_label_count(p, thread); i++) {
        toll_thread_label label = toll_profile_thread_label(p, thread, i);
        if (strcmp(label.key, TOLL_TRANSACTION_KEY) == 0)
            return label.value;
    }
    return NULL;
}

/* --- kinds -------------------------------------------------------------------------------------*/

/* What is known of a transaction. */
typedef struct transaction {
    toll_buffer name;
    int64_t cost;
    bool has_request, is_failed;
} transaction;

static void add_instruction(transaction *x, const char *name, int64_t calls)
{
    x->is_failed |= toll_text_ends_with(name, failed);
    x->has_request |= strcmp(name, request) == 0;
    toll_buffer_append_text(&x->name, x->name.size ? " + " : "");
    if (calls > 1)
        toll_buffer_append_format(&x->name, "%lld x ", (long long)calls);
    toll_buffer_append_text(&x->name, name);
}

/* Look at the outermost invocations of a thread. */
static void look(transaction *x, const toll_order *o, toll_thread_id thread, uint32_t calls)
{
    const toll_profile *p = o->profile;
    toll_node_id root = toll_profile_root(p, thread);
    toll_buffer_clear(&x->name);
    x->has_request = x->is_failed = false;
    for (toll_node_id n = o->first_child[root]; n != TOLL_NONE; n = o->next_sibling[n])
        add_instruction(x, toll_profile_frame(p, toll_profile_node_frame(p, n)).name,
                        calls == TOLL_NONE ? 0 : toll_profile_self(p, n, calls));
}

/* Names have numbers from 1 on, in the order in which they were first added. */
static toll_status add(toll_transactions *t, const transaction *x, toll_error *err)
{
    if (x->name.failed)
        return toll_fail_nomem(err);
    if (!x->name.size)
        return TOLL_OK; /* without an instruction */
    size_t before = t->names.count;
    uint32_t name = toll_strtab_add(&t->names, (const char *)x->name.data, x->name.size);
    if (name == UINT32_MAX)
        return toll_fail_nomem(err);
    if (t->names.count > before) {
        if (!toll_array_grow(&t->mem, &t->items, &t->capacity, t->count, 1))
            return toll_fail_nomem(err);
        t->items[t->count++] =
            (toll_transaction_kind){ .name = name, .has_request = x->has_request };
    }
    toll_transaction_kind *kind = &t->items[name - 1];
    kind->count++;
    kind->most = x->cost > kind->most ? x->cost : kind->most;
    return TOLL_OK;
}

static toll_status add_all(toll_transactions *t, const toll_order *o, const int64_t *totals,
                           toll_error *err)
{
    const toll_profile *p = o->profile;
    uint32_t calls = toll_profile_find_value_type(p, (toll_value_type){ "calls", "count" });
    transaction x = { 0 };
    toll_status status = TOLL_OK;
    toll_buffer_init(&x.name, &t->mem);
    for (toll_thread_id i = 0; !status && i < o->thread_count; i++) {
        toll_thread_id thread = o->threads[i];
        const char *name = transaction_of(p, thread);
        if (!name || strchr(name, TOLL_NO_SIGNATURE))
            continue;
        look(&x, o, thread, calls);
        x.cost = totals[toll_profile_root(p, thread)];
        if (x.is_failed)
            t->failed++;
        else
            status = add(t, &x, err);
    }
    toll_buffer_free(&x.name);
    return status;
}

static void set_limit(toll_transaction_kind *kind, const toll_allowance *margin)
{
    int64_t request_cost = kind->has_request ? 0 : TOLL_REQUEST_COST;
    if (kind->most > TOLL_MOST_COMPUTE_UNITS - request_cost) /* such as a test's own budget */
        return;
    int64_t most = kind->most + request_cost, more = toll_allowance_of(margin, most);
    kind->limit = more < TOLL_MOST_COMPUTE_UNITS - most ? most + more : TOLL_MOST_COMPUTE_UNITS;
}

/* The costliest first; names have an order of their own, that of the first test. */
static int compare_kinds(const void *a, const void *b)
{
    const toll_transaction_kind *x = a, *y = b;
    if (x->most != y->most)
        return x->most < y->most ? 1 : -1;
    return (x->name > y->name) - (x->name < y->name);
}

toll_status toll_transactions_create(toll_transactions *t, const toll_profile *p,
                                     const toll_allowance *margin, toll_error *err)
{
    toll_order order;
    int64_t *totals = NULL;
    uint32_t column = toll_profile_find_value_type(p, (toll_value_type){ "compute units", "CU" });
    *t = (toll_transactions){ .mem = *toll_profile_mem(p) };
    toll_strtab_init(&t->names, &t->mem);
    if (column == TOLL_NONE)
        return TOLL_OK;
    if (toll_strtab_add(&t->names, "", 0) == UINT32_MAX) /* number 0 */
        return toll_fail_nomem(err);
    toll_status status = toll_order_create(&order, p, err);
    if (status)
        return status;
    status = toll_profile_totals(p, column, &totals, err);
    if (!status)
        status = add_all(t, &order, totals, err);
    for (size_t i = 0; i < t->count; i++)
        set_limit(&t->items[i], margin);
    toll_sort(t->items, t->count, sizeof *t->items, compare_kinds);
    toll_mem_free(&t->mem, totals, (size_t)toll_profile_node_count(p) + 1, sizeof *totals);
    toll_order_free(&order);
    return status;
}

void toll_transactions_free(toll_transactions *t)
{
    toll_mem_free(&t->mem, t->items, t->capacity, sizeof *t->items);
    toll_strtab_free(&t->names);
    *t = (toll_transactions){ .mem = t->mem };
}

/* --- sums --------------------------------------------------------------------------------------*/

toll_status toll_transactions_sum(const toll_profile *p, toll_profile **out, toll_error *err)
{
    toll_thread_label none = { TOLL_TRANSACTION_KEY, "" }; /* a label without a value is none */
    const toll_label_list list = { .mem = *toll_profile_mem(p), .items = &none, .count = 1 };
    return toll_profile_with_label_list(p, &list, out, err);
}

/* --- cases -------------------------------------------------------------------------------------*/

/* The case of a thread that has the label of a transaction, too. `names` has it. */
static toll_status find_case(const toll_cases *c, const toll_profile *p, toll_thread_id thread,
                             toll_thread_id *found, toll_error *err)
{
    uint32_t all = toll_profile_thread_label_count(p, thread), count = 0;
    toll_thread_label *labels = toll_mem_new(&c->mem, (size_t)all + 1, sizeof *labels);
    if (!labels)
        return toll_fail_nomem(err);
    for (uint32_t i = 0; i < all; i++) {
        labels[count] = toll_profile_thread_label(p, thread, i);
        count += strcmp(labels[count].key, TOLL_TRANSACTION_KEY) != 0;
    }
    toll_status status = toll_profile_add_labelled_thread(
        c->names, toll_profile_thread_name(p, thread), labels, count, found, err);
    toll_mem_free(&c->mem, labels, (size_t)all + 1, sizeof *labels);
    return status;
}

static toll_status add_runs(toll_cases *c, const toll_profile *p, const int64_t *totals,
                            toll_error *err)
{
    toll_status status = TOLL_OK;
    for (toll_thread_id t = 0; !status && t < toll_profile_thread_count(p); t++) {
        toll_thread_id of;
        int64_t cost = totals[toll_profile_root(p, t)];
        status = transaction_of(p, t) ? find_case(c, p, t, &of, err) : TOLL_OK;
        if (status || !transaction_of(p, t) || of >= c->count)
            continue;
        toll_case_runs *runs = &c->runs[of];
        runs->least = !runs->count || cost < runs->least ? cost : runs->least;
        runs->most = !runs->count || cost > runs->most ? cost : runs->most;
        runs->count++;
        c->has_runs |= runs->count > 1;
    }
    return status;
}

toll_status toll_cases_add_transactions(toll_cases *c, const toll_profile *p, toll_error *err)
{
    uint32_t column = toll_profile_find_value_type(p, c->value);
    int64_t *totals = NULL;
    if (column == TOLL_NONE)
        return TOLL_OK;
    toll_mem_free(&c->mem, c->runs, c->count + 1, sizeof *c->runs);
    c->runs = toll_mem_new(&c->mem, c->count + 1, sizeof *c->runs);
    toll_status status =
        c->runs ? toll_profile_totals(p, column, &totals, err) : toll_fail_nomem(err);
    if (!status)
        status = add_runs(c, p, totals, err);
    toll_mem_free(toll_profile_mem(p), totals, (size_t)toll_profile_node_count(p) + 1,
                  sizeof *totals);
    return status;
}
