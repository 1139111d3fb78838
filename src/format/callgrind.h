/* callgrind.h - the numbers that callgrind.c writes: each function's self costs by line, and beside
 * each line the costs of the functions called from it. For these two files only.
 *
 * An inlined function is not a function here, as in valgrind: its lines are lines of the function
 * that its code was put into, perhaps in another file. An inlined function without a caller counts
 * as a function.
 *
 * A pair of caller and callee that occurs several times in a stack counts only where it is
 * outermost, so that recursion does not multiply costs. */
#ifndef TOLL_FORMAT_CALLGRIND_H
#define TOLL_FORMAT_CALLGRIND_H

#include "base/u64map.h"
#include "profile/order.h"

/* A line of a function: in the function's own file, or in another one if its code is inlined. */
typedef struct toll_callgrind_site {
    uint32_t function; /* the rank of its first frame */
    const char *file;
    uint32_t line; /* 0: not known */
    uint32_t id;   /* index of its self costs */
    bool is_own;   /* the file is the function's own */
    uint32_t first_edge;
} toll_callgrind_site;

/* The calls of a function from a site. */
typedef struct toll_callgrind_edge {
    uint32_t site, callee;
    uint32_t next; /* of the same site; TOLL_NONE: the last */
} toll_callgrind_edge;

typedef struct toll_callgrind_sums {
    const toll_profile *profile;
    toll_order order;
    uint32_t columns[TOLL_MAX_COLUMNS]; /* the columns that become events: all but calls */
    uint32_t column_count, calls;       /* calls: a column, or TOLL_NONE */
    int64_t **totals;                   /* by event, then node */
    bool *has_lines;                    /* by function: does it have places? */
    uint32_t *owners;           /* by node: the function that contains its code; TOLL_NONE: a
                                 * root */
    uint32_t *sites_of;         /* by node; TOLL_NONE: a root */
    toll_u64map file_ids;       /* address of a file's name -> the file's number */
    toll_u64map lines;          /* file's number, line -> number of the line */
    toll_u64map site_index;     /* function, number of the line -> site */
    toll_callgrind_site *sites; /* sorted by toll_callgrind_sum into the order of the file */
    int64_t *self;              /* by id of a site and event */
    size_t site_count, site_capacity, self_capacity;
    toll_u64map edge_index; /* site, callee -> index of the edge */
    toll_callgrind_edge *edges;
    int64_t *edge_values; /* by edge: calls, then events */
    size_t edge_count, edge_capacity, value_capacity;
    toll_u64map pair_index; /* caller, callee -> pair */
    uint32_t *open;         /* by pair: how often it is on the stack now */
    size_t pair_count, pair_capacity;
    int64_t outside[TOLL_MAX_COLUMNS]; /* by event: spent outside of any frame */
    uint64_t clamped;                  /* values omitted because they are negative */
    bool has_inlined;                  /* lines of an inlined function count as another
                                        * function's */
} toll_callgrind_sums;

/* Sum up a profile. toll_callgrind_free is called afterwards in any case. Errors: TOLL_E_NOMEM,
 * TOLL_E_OVERFLOW. */
toll_status toll_callgrind_sum(toll_callgrind_sums *sums, const toll_profile *profile,
                               toll_error *err);
void toll_callgrind_free(toll_callgrind_sums *sums);

/* Add a value of the profile that is not negative; others are counted as clamped. */
void toll_callgrind_add(toll_callgrind_sums *sums, int64_t *to, int64_t value);

/* The values of an edge. */
static inline const int64_t *toll_callgrind_edge_values(const toll_callgrind_sums *s, uint32_t edge)
{
    return s->edge_values + (size_t)edge * (s->column_count + 1);
}

#endif
