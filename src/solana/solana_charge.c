/* solana_charge.c - see solana_charge.h. The errors are those of the runtime
 * "agave" 4. */
#include "solana/solana_charge.h"

#include <string.h>

/* --- errors ------------------------------------------------------------------------------------*/

/* The beginnings of the texts. A syscall can fail with the second one, too. */
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
    { "unsupported BPF instruction", SOLANA_END_STOPPED },
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

static bool is_stopped(toll_solana_end end)
{
    return end == SOLANA_END_STOPPED || end == SOLANA_END_ACCESS;
}

toll_solana_settlement toll_solana_settle(const toll_solana_bill *bill)
{
    toll_solana_settlement s = { 0 };
    if (bill->charged == SOLANA_UNTOLD) {
        s.is_assumed = bill->left > 0 && is_stopped(bill->end);
        s.rest = s.is_assumed ? bill->left : 0;
        return s;
    }
    int64_t more = bill->charged - bill->known;
    if (more < 0 && bill->priced > 0) {
        s.drops_prices = true;
        more += bill->priced;
    }
    s.is_less = more < 0;
    if (more <= 0)
        return s;
    if (bill->left > 0 && bill->charged == bill->limit)
        s.rest = bill->left < more ? bill->left : more;
    s.unlogged = more - s.rest;
    return s;
}

int64_t toll_solana_rest_of(int64_t callee_left, int64_t caller_left)
{
    return caller_left >= 0 && callee_left > caller_left ? callee_left - caller_left : 0;
}
