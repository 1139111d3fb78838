/* listings_sum.h - the walk that adds up listings: listings.c does it, listings_called.c adds what
 * lines called. For these two only. */
#ifndef TOLL_REPORT_LISTINGS_SUM_H
#define TOLL_REPORT_LISTINGS_SUM_H

#include "report/listings.h"

#include "base/text.h"
#include "base/u64map.h"
#include "profile/order.h"

/* What lines of WebAssembly called. Their own ticks are known by function only ("line ticks"), what
 * they called by stack ("ticks"): a line's total is the sum of both. What the line's own function
 * spent deeper on the stack is excluded: it is already in the function's own lines. */
typedef struct toll_called {
    uint32_t column;           /* TOLL_NONE: nothing is added */
    int64_t *totals;           /* by node */
    int64_t *own;              /* by listing: what its function has spent so far in the walk */
    int64_t *own_at;           /* by line: that value when its outermost frame was entered */
    int64_t *lines, *listings; /* added to the totals at the end; before, the totals themselves */
    bool any;                  /* at least one line called something */
} toll_called;

typedef struct toll_summer {
    toll_listings *l;
    const toll_profile *p;
    toll_order order;
    uint32_t executions, calls; /* columns, or TOLL_NONE */
    int64_t *totals;            /* by node */
    uint32_t *line_of;          /* by frame */
    uint32_t *open_lines;       /* by line: how often it is on the stack now */
    uint32_t *open_listings;
    toll_u64map keys;  /* of listings: a function's rank, or the address of a file's name */
    toll_u64map files; /* address of a file's name -> its number */
    toll_u64map parts; /* listing, file of the place -> part */
    toll_u64map lines; /* part, line -> line */
    toll_called called;
    bool overflow;
} toll_summer;

static inline void toll_summer_add(toll_summer *s, int64_t *to, int64_t value)
{
    s->overflow |= !toll_i64_add(*to, value, to);
}

/* Find out whether anything is added: see called.column. Errors: TOLL_E_NOMEM, TOLL_E_OVERFLOW. */
toll_status toll_called_prepare(toll_summer *s, toll_error *err);

/* Call in the walk, if anything is added: before a node's frame is opened, and after it was
 * closed. */
void toll_called_enter(toll_summer *s, toll_node_id node);
void toll_called_leave(toll_summer *s, toll_node_id node);

/* Call after the walk: adds the sums to the totals. */
void toll_called_add(toll_summer *s);
void toll_called_free(toll_summer *s);

#endif
