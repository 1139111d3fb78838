/* solana_charge.c - see solana_charge.h. The errors are those of the runtime
 * "agave" 4. */
#include "solana/solana_charge.h"

#include "solana/known_programs.h"

#include <string.h>

/* --- errors ------------------------------------------------------------------------------------*/

/* How the texts of errors begin. A syscall can fail with the second one, too. */
static const struct {
    const char *text;
    toll_solana_end end;
} errors[] = {
    { "Access violation", SOLANA_END_ACCESS },
    { "Computational budget exceeded", SOLANA_END_EXHAUSTED },
    { "exceeded CUs meter", SOLANA_END_STOPPED },
    { "exceeded max BPF to BPF call depth", SOLANA_END_STOPPED },
    { "divide by zero at BPF instruction", SOLANA_END_STOPPED },
    { "division overflow at BPF instruction", SOLANA_END_STOPPED },
    { "attempted to exit root call frame", SOLANA_END_STOPPED },
    { "attempted to execute past the end of the text segment", SOLANA_END_STOPPED },
    { "callx attempted to call outside of the text segment", SOLANA_END_STOPPED },
    { "invalid BPF instruction", SOLANA_END_STOPPED },
    { "unsupported BPF instruction", SOLANA_END_UNSUPPORTED },
};

toll_solana_end toll_solana_end_of(const char *text, size_t size)
{
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        size_t n = strlen(errors[i].text);
        if (size >= n && memcmp(text, errors[i].text, n) == 0)
            return errors[i].end;
    }
    return SOLANA_END_OTHER;
}

/* --- sums --------------------------------------------------------------------------------------*/

toll_solana_pricing toll_solana_price(toll_solana_spent *spent, const toll_solana_spent *caller,
                                      const char *id, size_t size)
{
    if (caller && !caller->priced)
        return SOLANA_WITHIN_CALLER;
    int64_t price = (int64_t)toll_program_price(id, size);
    spent->priced = spent->finished && price && spent->end != SOLANA_END_EXHAUSTED;
    spent->self = spent->priced ? price : 0;
    return spent->priced ? SOLANA_PRICED : SOLANA_UNPRICED;
}

int64_t toll_solana_heap_price(uint64_t bytes, uint64_t cost)
{
    const uint64_t page = 32 * 1024, most = SOLANA_MAX_HEAP / page;
    uint64_t pages = bytes / page + (bytes % page > 0);
    if (pages < 2 || pages > most || cost > UINT32_MAX)
        return 0;
    return (int64_t)((pages - 1) * cost);
}

/* The units that remain by the invocation's line, or SOLANA_UNLOGGED. */
static int64_t left_of(const toll_solana_spent *spent)
{
    return spent->is_logged ? toll_solana_at_start(spent) - spent->total : SOLANA_UNLOGGED;
}

void toll_solana_charge_callee(toll_solana_spent *callee, const toll_solana_spent *caller)
{
    int64_t after_callee = left_of(callee), after_caller = left_of(caller);
    bool agree = after_caller >= 0 && after_callee > after_caller;
    callee->rest = agree ? after_callee - after_caller : 0;
}

toll_solana_bill toll_solana_bill_of(int64_t charged)
{
    return (toll_solana_bill){ .charged = charged, .limit = SOLANA_UNLOGGED };
}

void toll_solana_bill_add(toll_solana_bill *bill, toll_solana_spent *spent, bool is_outermost)
{
    if (spent->priced)
        bill->priced = toll_solana_add(bill->priced, spent->self);
    if (!is_outermost)
        return;
    if (spent->is_logged && bill->limit == SOLANA_UNLOGGED)
        bill->limit = toll_solana_add(bill->known, spent->budget);
    bill->heap = toll_solana_add(bill->heap, spent->heap);
    bill->known = toll_solana_add(bill->known, toll_solana_add(spent->heap, spent->total));
    bill->last = spent;
    bill->outermost++;
}

/* Without the transaction's charge: derive the rest from the error of the last invocation. */
static void assume_rest(toll_solana_spent *last, int64_t left)
{
    last->rest_is_assumed =
        left > 0 && (last->end == SOLANA_END_STOPPED || last->end == SOLANA_END_UNSUPPORTED ||
                     last->end == SOLANA_END_ACCESS);
    if (last->rest_is_assumed)
        last->rest = left;
}

toll_solana_distribution toll_solana_distribute(const toll_solana_bill *bill)
{
    toll_solana_distribution s = { 0 };
    toll_solana_spent *last = bill->last;
    int64_t left = last && last->failed ? left_of(last) : SOLANA_UNLOGGED;
    int64_t more = bill->charged - bill->known;
    if (bill->charged == SOLANA_UNLOGGED) {
        if (last)
            assume_rest(last, left);
        return s;
    }
    if (more < 0 && bill->priced > 0) {
        s.drops_prices = true;
        more += bill->priced;
    }
    if (more < 0 && bill->heap > 0) {
        s.drops_heap = true;
        more += bill->heap;
    }
    s.is_less = more < 0;
    if (more <= 0)
        return s;
    s.unlogged = more;
    if (left > 0 && bill->charged == bill->limit) {
        last->rest = left < more ? left : more;
        s.unlogged -= last->rest;
    }
    return s;
}
