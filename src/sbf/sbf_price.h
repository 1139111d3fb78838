/* sbf_price.h - computes the price of a system call from its arguments, by agave's formulas. */
#ifndef TOLL_SBF_SBF_PRICE_H
#define TOLL_SBF_SBF_PRICE_H

#include "sbf/sbf_costs.h"
#include "sbf/sbf_memory.h"

/* A call: its five arguments, and its result if it has returned. */
typedef struct toll_sbf_args {
    uint64_t r[6]; /* [0]: the result; [1] to [5] */
    bool has_returned;
    const toll_sbf_memory *memory; /* before the call; NULL: nothing is known */
} toll_sbf_args;

typedef struct toll_sbf_price {
    uint64_t units; /* the least price */
    bool is_open;   /* it may have cost more, which the trace does not show */
} toll_sbf_price;

/* A formula. `detail` is from the system call's row: the size of a sysvar, ... */
typedef toll_sbf_price (*toll_sbf_price_fn)(const toll_sbf_costs *costs, const toll_sbf_args *args,
                                            unsigned detail);

toll_sbf_price toll_sbf_price_free(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_base(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_log(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_log_64(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_log_pubkey(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_log_data(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_panic(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_memory(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_hash(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_create(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_find(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_sysvar(const toll_sbf_costs *, const toll_sbf_args *, unsigned size);
toll_sbf_price toll_sbf_price_get_sysvar(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_stake(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_set_data(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_get_data(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_recover(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_poseidon(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_mod_exp(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_point(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_group(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_multiply(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_decompress(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_pairing(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_bn128(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_bn128_size(const toll_sbf_costs *, const toll_sbf_args *, unsigned);
toll_sbf_price toll_sbf_price_invoke(const toll_sbf_costs *, const toll_sbf_args *,
                                     unsigned is_rust);

/* The price of sol_try_find_program_address if `bump` was tried last; 255 is tried first. */
uint64_t toll_sbf_price_of_bump(const toll_sbf_costs *costs, uint8_t bump);

/* a + b and a * b; UINT64_MAX on overflow. */
uint64_t toll_sbf_add(uint64_t a, uint64_t b);
uint64_t toll_sbf_times(uint64_t a, uint64_t b);

#endif
