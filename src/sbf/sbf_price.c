/* sbf_price.c - see sbf_price.h. The prices of hashes, signatures, big numbers and curves are in
 * sbf_price_crypto.c.
 *
 * Most prices follow from the arguments alone. Lengths of slices are in memory: if the trace shows
 * that the program stored them, they are known; else the price is open. */
#include "sbf/sbf_price_parts.h"

enum { ACCOUNT_META_SIZE = 34, ACCOUNT_INFO_SIZE = 80, KEY_SIZE = 32 };

/* --- arithmetic --------------------------------------------------------------------------------*/

uint64_t toll_sbf_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

uint64_t toll_sbf_times(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

/* The cost of a number of bytes. As in the runtime, a division by 0 gives a price that no budget
 * can pay. */
static uint64_t by_bytes(const toll_sbf_costs *c, uint64_t bytes)
{
    return c->cpi_bytes_per_unit ? bytes / c->cpi_bytes_per_unit : UINT64_MAX;
}

/* --- logs, memory, sysvars ---------------------------------------------------------------------*/

TOLL_SBF_PRICE(free)
{
    (void)c, (void)a, (void)detail;
    return toll_sbf_closed(0);
}

TOLL_SBF_PRICE(base)
{
    (void)a, (void)detail;
    return toll_sbf_closed(c->syscall_base_cost);
}

TOLL_SBF_PRICE(log)
{
    (void)detail;
    return toll_sbf_closed(toll_sbf_larger(c->syscall_base_cost, a->r[2]));
}

TOLL_SBF_PRICE(log_64)
{
    (void)a, (void)detail;
    return toll_sbf_closed(c->log_64_units);
}

TOLL_SBF_PRICE(log_pubkey)
{
    (void)a, (void)detail;
    return toll_sbf_closed(c->log_pubkey_units);
}

TOLL_SBF_PRICE(log_data)
{
    uint64_t count = a->r[2], units = toll_sbf_times(c->syscall_base_cost, toll_sbf_add(1, count));
    (void)detail;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t size;
        if (i == TOLL_SBF_MOST_SLICES || !toll_sbf_slice_size(a, i, &size))
            return toll_sbf_open_from(units);
        units = toll_sbf_add(units, size);
    }
    return toll_sbf_closed(units);
}

TOLL_SBF_PRICE(panic)
{
    (void)c, (void)detail;
    return toll_sbf_closed(a->r[2]);
}

TOLL_SBF_PRICE(memory)
{
    (void)detail;
    return toll_sbf_closed(toll_sbf_larger(c->mem_op_base_cost, by_bytes(c, a->r[3])));
}

TOLL_SBF_PRICE(sysvar)
{
    (void)a;
    return toll_sbf_closed(toll_sbf_add(c->sysvar_base_cost, detail));
}

TOLL_SBF_PRICE(get_sysvar)
{
    uint64_t id = c->cpi_bytes_per_unit ? KEY_SIZE / c->cpi_bytes_per_unit : 0;
    uint64_t data = c->cpi_bytes_per_unit ? a->r[4] / c->cpi_bytes_per_unit : 0;
    (void)detail;
    return toll_sbf_closed(toll_sbf_add(
        c->sysvar_base_cost, toll_sbf_add(id, toll_sbf_larger(data, c->mem_op_base_cost))));
}

TOLL_SBF_PRICE(stake)
{
    (void)detail;
    if (a->r[1] == 0)
        return toll_sbf_closed(c->syscall_base_cost);
    return toll_sbf_closed(toll_sbf_add(c->syscall_base_cost,
                                        toll_sbf_add(by_bytes(c, KEY_SIZE), c->mem_op_base_cost)));
}

TOLL_SBF_PRICE(set_data)
{
    (void)detail;
    return toll_sbf_closed(toll_sbf_add(by_bytes(c, a->r[2]), c->syscall_base_cost));
}

/* The result is the length of the data. */
TOLL_SBF_PRICE(get_data)
{
    uint64_t size = a->r[2] < a->r[0] ? a->r[2] : a->r[0];
    (void)detail;
    if (!a->has_returned)
        return toll_sbf_open_from(c->syscall_base_cost);
    return toll_sbf_closed(
        toll_sbf_add(c->syscall_base_cost, size ? by_bytes(c, size + KEY_SIZE) : 0));
}

/* --- addresses ---------------------------------------------------------------------------------*/

TOLL_SBF_PRICE(create)
{
    (void)a, (void)detail;
    return toll_sbf_closed(c->create_program_address_units);
}

uint64_t toll_sbf_price_of_bump(const toll_sbf_costs *c, uint8_t bump)
{
    return toll_sbf_times(c->create_program_address_units, UINT64_C(256) - bump);
}

/* Each tried bump costs the same; the last one is in memory. */
TOLL_SBF_PRICE(find)
{
    (void)detail;
    if (a->has_returned && a->r[0] != 0) /* none of the 255 bumps was valid */
        return toll_sbf_closed(toll_sbf_price_of_bump(c, 0));
    return toll_sbf_open_from(c->create_program_address_units);
}

/* --- other programs ----------------------------------------------------------------------------*/

/* Excludes what the callee consumes. The data of the passed accounts costs something, too, and its
 * size is in no register. */
TOLL_SBF_PRICE(invoke)
{
    bool is_rust = detail;
    uint64_t accounts, data;
    uint64_t units =
        toll_sbf_add(c->invoke_units, by_bytes(c, toll_sbf_times(a->r[3], ACCOUNT_INFO_SIZE)));
    if (toll_sbf_read_at(a, a->r[1] + 16, &accounts))
        units = toll_sbf_add(units, by_bytes(c, toll_sbf_times(accounts, ACCOUNT_META_SIZE)));
    if (toll_sbf_read_at(a, a->r[1] + (is_rust ? 40 : 32), &data))
        units = toll_sbf_add(units, by_bytes(c, data));
    return toll_sbf_open_from(units);
}
