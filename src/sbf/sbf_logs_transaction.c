/* sbf_logs_transaction.c - ends the transactions of logs: distributes what each was charged among
 * its invocations, and names these by its data. See sbf_logs.h. */
#include "base/array.h"
#include "sbf/sbf_logs.h"
#include "solana/solana.h"

#include <inttypes.h>
#include <string.h>

static void add_price(toll_sbf_logs *l, toll_sbf_invocation *at)
{
    const char *id = toll_strtab_text(&l->strings, at->program);
    const toll_solana_spent *caller =
        at->parent == TOLL_SBF_NONE ? NULL : &l->list[at->parent].spent;
    if (!at->spent.is_logged && !at->is_unlogged)
        l->pricings[toll_solana_price(&at->spent, caller, id,
                                      toll_strtab_size(&l->strings, at->program))]++;
}

/* Charge the price of the heap to the programs that have figures in the log. */
static void set_heap(toll_sbf_logs *l, int64_t price)
{
    for (size_t i = l->first; i < l->count; i++)
        l->list[i].spent.heap = l->list[i].spent.is_logged ? price : 0;
}

/* Compute what each invocation spent with and without the invocations that it made, from the last
 * to the first, so that callees come before their callers. Returns an invocation that consumed less
 * than its callees, or NULL. */
static const toll_sbf_invocation *sum_up(toll_sbf_logs *l)
{
    for (size_t i = l->first; i < l->count; i++)
        l->list[i].spent.nested = 0;
    for (size_t i = l->count; i-- > l->first;) {
        const toll_sbf_invocation *at = &l->list[i];
        toll_solana_spent *s = &l->list[i].spent;
        if (!s->is_logged)
            s->total = toll_solana_add(s->self, s->nested);
        if (s->nested > s->total)
            return at;
        s->self = s->total - s->nested;
        if (at->parent != TOLL_SBF_NONE) {
            int64_t *nested = &l->list[at->parent].spent.nested;
            *nested = toll_solana_add(*nested, toll_sbf_spent(s));
        }
    }
    return NULL;
}

static bool fail_contradiction(toll_sbf_logs *l, const toll_sbf_invocation *at)
{
    return toll_ok(l->failure,
                   toll_fail_line(l->in, at->line, l->failure->err, TOLL_E_SYNTAX,
                                  "%s consumed %" PRId64 ", but what it invoked %" PRId64
                                  "; are lines of two transactions mixed?",
                                  toll_strtab_text(&l->strings, at->program), at->spent.total,
                                  at->spent.nested));
}

static void drop_prices(toll_sbf_logs *l)
{
    for (size_t i = l->first; i < l->count; i++)
        if (l->list[i].spent.priced) {
            l->list[i].spent.self = 0;
            l->pricings[SOLANA_PRICED]--;
        }
}

/* Name an instruction by the transaction's data, which shows it even if the program does not log
 * it. */
static bool name_instruction(toll_sbf_logs *l, uint32_t invocation, toll_solana_message *m,
                             toll_buffer *room)
{
    toll_sbf_invocation *at = &l->list[invocation];
    const char *id = toll_strtab_text(&l->strings, at->program);
    size_t size = toll_strtab_size(&l->strings, at->program);
    const toll_solana_instruction *i = toll_solana_message_next(m, at->height, id, size);
    at->outer = i                             ? i->outer
                : at->parent != TOLL_SBF_NONE ? l->list[at->parent].outer
                                              : TOLL_SBF_NONE;
    l->unfit += !i && m->outer.count && (at->height == 1 || m->inner.count);
    toll_buffer_clear(room);
    if (i && !toll_solana_append_instruction(room, l->names, m, i, id, size))
        return toll_no_memory(l->failure);
    return room->size == 0 ||
           toll_sbf_logs_keep(l, (const char *)room->data, room->size, &at->instruction);
}

static bool name_instructions(toll_sbf_logs *l, toll_solana_message *message)
{
    toll_buffer room;
    bool good = true;
    if (!l->names || (!message->outer.count && !message->inner.count))
        return true;
    toll_buffer_init(&room, &l->mem);
    for (size_t i = l->first; good && i < l->count; i++)
        good = name_instruction(l, (uint32_t)i, message, &room);
    toll_buffer_free(&room);
    return good;
}

/* Name the newest invocation, which is not in the log, by its instruction in the message. */
static bool name_unlogged(toll_sbf_logs *l, const toll_solana_message *m,
                          const toll_solana_instruction *i, toll_buffer *room)
{
    toll_sbf_invocation *at = &l->list[l->count - 1];
    const char *id = toll_strtab_text(&l->strings, at->program);
    at->is_unlogged = true;
    at->outer = i->outer;
    if (!toll_solana_append_instruction(room, l->names, m, i, id,
                                        toll_strtab_size(&l->strings, at->program)))
        return toll_no_memory(l->failure);
    return room->size == 0 ||
           toll_sbf_logs_keep(l, (const char *)room->data, room->size, &at->instruction);
}

/* If the log is cut off, add the invocations that only its message has after those of the log, if
 * the message says who invoked them. The log's invocations are already named. */
static bool add_rest(toll_sbf_logs *l, const toll_solana_transaction *transaction)
{
    toll_solana_message *m = transaction->message;
    const toll_solana_instruction *i;
    const char *id;
    toll_buffer room;
    bool good = true;
    if (!l->is_cut || !l->names)
        return true;
    toll_buffer_init(&room, &l->mem);
    while (good && (i = toll_solana_message_rest(m, transaction->failed, &id)) != NULL) {
        const toll_solana_line line = {
            .id = id, .id_size = strlen(id), .number = i->height, .place = l->last_cut
        };
        if (!i->height || i->height > l->depth + 1 || i->height > TOLL_SBF_MAX_INVOKE_DEPTH)
            continue;
        toll_buffer_clear(&room);
        good = toll_sbf_logs_begin(l, &line) && name_unlogged(l, m, i, &room);
    }
    toll_buffer_free(&room);
    return good;
}

static bool add_transaction(toll_sbf_logs *l, const toll_solana_transaction *transaction,
                            int64_t unlogged)
{
    const toll_solana_message *message = transaction->message;
    const char *name = toll_solana_message_at(message, message->name);
    toll_sbf_transaction t = { .first = (uint32_t)l->first,
                               .end = (uint32_t)l->count,
                               .unlogged = unlogged,
                               .is_cut = l->is_cut,
                               .is_summed = transaction->charged != SOLANA_UNLOGGED,
                               .failed = transaction->failed };
    if (t.first == t.end && unlogged == 0)
        return true;
    if (!toll_sbf_logs_keep(l, name, strlen(name), &t.name))
        return false;
    if (!toll_array_grow(&l->mem, &l->transactions, &l->transaction_capacity, l->transaction_count,
                         1))
        return toll_no_memory(l->failure);
    l->transactions[l->transaction_count++] = t;
    return true;
}

/* Distribute the transaction's charge among its invocations; *unlogged is what remains. */
static bool distribute(toll_sbf_logs *l, int64_t charged, const toll_solana_message *message,
                       int64_t *unlogged)
{
    toll_solana_bill bill = toll_solana_bill_of(charged);
    for (size_t i = l->first; i < l->count; i++)
        add_price(l, &l->list[i]);
    set_heap(l, toll_solana_heap_price(toll_solana_message_heap(message), l->heap_cost));
    const toll_sbf_invocation *wrong = sum_up(l);
    if (wrong) {
        set_heap(l, 0);
        wrong = sum_up(l);
    }
    if (wrong)
        return fail_contradiction(l, wrong);
    for (size_t i = l->first; i < l->count; i++)
        if (!l->list[i].is_unlogged)
            toll_solana_bill_add(&bill, &l->list[i].spent, l->list[i].parent == TOLL_SBF_NONE);
    toll_solana_distribution s = toll_solana_distribute(&bill);
    if (s.drops_prices)
        drop_prices(l);
    if (s.drops_heap)
        set_heap(l, 0);
    if (s.drops_prices || s.drops_heap)
        sum_up(l); /* the invocations now have less */
    l->unsummed += charged == SOLANA_UNLOGGED ? bill.outermost : 0;
    l->less += s.is_less;
    *unlogged = s.unlogged;
    return true;
}

/* Count an invocation whose figures and end are missing, although no line says that the log is cut
 * off. */
static void count_unfinished(toll_sbf_logs *l)
{
    uint64_t before = l->unfinished;
    for (size_t i = l->first; !l->is_cut && i < l->count; i++)
        if (!l->list[i].spent.finished && !l->list[i].spent.is_logged) {
            l->unfinished++;
            l->last_unfinished = (uint32_t)i;
        }
    if (l->unfinished == before)
        return;
    l->is_cut = true;
    l->last_cut = l->list[l->last_unfinished].line;
}

bool toll_sbf_logs_end_transaction(toll_sbf_logs *l, const toll_solana_transaction *transaction)
{
    int64_t unlogged = 0;
    count_unfinished(l);
    bool good = name_instructions(l, transaction->message) && add_rest(l, transaction) &&
                distribute(l, transaction->charged, transaction->message, &unlogged) &&
                add_transaction(l, transaction, unlogged);
    l->depth = 0;
    l->is_cut = false;
    l->first = l->count;
    return good;
}
