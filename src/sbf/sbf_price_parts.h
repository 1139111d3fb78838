/* sbf_price_parts.h - helpers that the formulas of sbf_price.c and sbf_price_crypto.c share. */
#ifndef TOLL_SBF_SBF_PRICE_PARTS_H
#define TOLL_SBF_SBF_PRICE_PARTS_H

#include "sbf/sbf_price.h"

enum {
    TOLL_SBF_SLICE_SIZE = 16, /* { address, length } */
    TOLL_SBF_MOST_SLICES = 20000
};

#define TOLL_SBF_PRICE(name)                                                                       \
    toll_sbf_price toll_sbf_price_##name(const toll_sbf_costs *c, const toll_sbf_args *a,          \
                                         unsigned detail)

static inline uint64_t toll_sbf_larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static inline toll_sbf_price toll_sbf_closed(uint64_t units)
{
    return (toll_sbf_price){ .units = units };
}

static inline toll_sbf_price toll_sbf_open_from(uint64_t units)
{
    return (toll_sbf_price){ .units = units, .is_open = true };
}

static inline bool toll_sbf_read_at(const toll_sbf_args *a, uint64_t address, uint64_t *out)
{
    return a->memory && toll_sbf_memory_read(a->memory, address, out);
}

/* The length of slice `i` in the array at r1. */
static inline bool toll_sbf_slice_size(const toll_sbf_args *a, uint64_t i, uint64_t *out)
{
    return toll_sbf_read_at(a, a->r[1] + i * TOLL_SBF_SLICE_SIZE + 8, out);
}

#endif
