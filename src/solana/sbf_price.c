/* sbf_price.c - the formulas by which agave prices system calls. See sbf_price.h.
 *
 * Most prices follow from the arguments alone. Lengths of slices are in memory: where the program
 * has stored them before the eyes of the trace, they are known, else the price is open. */
#include "solana/sbf_price.h"

enum {
    SLICE_SIZE = 16, /* { address, length } */
    MOST_SLICES = 20000,
    ACCOUNT_META_SIZE = 34,
    ACCOUNT_INFO_SIZE = 80,
    KEY_SIZE = 32
};

#define PRICE(name)                                                                                \
    toll_sbf_price toll_sbf_price_##name(const toll_sbf_costs *c, const toll_sbf_args *a,          \
                                         unsigned detail)

/* --- arithmetic --------------------------------------------------------------------------------*/

uint64_t toll_sbf_add(uint64_t a, uint64_t b)
{
    return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

uint64_t toll_sbf_times(uint64_t a, uint64_t b)
{
    return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* As the runtime: whatever is divided by 0 has no price that can be paid. */
static uint64_t by_bytes(const toll_sbf_costs *c, uint64_t bytes)
{
    return c->cpi_bytes_per_unit ? bytes / c->cpi_bytes_per_unit : UINT64_MAX;
}

static toll_sbf_price closed(uint64_t units)
{
    return (toll_sbf_price){ .units = units };
}

static toll_sbf_price open_from(uint64_t units)
{
    return (toll_sbf_price){ .units = units, .is_open = true };
}

/* `first` for one, `more` for each further one. */
static uint64_t for_each(uint64_t first, uint64_t more, uint64_t count)
{
    return toll_sbf_add(first, toll_sbf_times(more, count ? count - 1 : 0));
}

static bool read_at(const toll_sbf_args *a, uint64_t address, uint64_t *out)
{
    return a->memory && toll_sbf_memory_read(a->memory, address, out);
}

/* The length of slice `i` of those at r1. */
static bool slice_size(const toll_sbf_args *a, uint64_t i, uint64_t *out)
{
    return read_at(a, a->r[1] + i * SLICE_SIZE + 8, out);
}

/* --- logs, memory, sysvars ---------------------------------------------------------------------*/

PRICE(free)
{
    (void)c, (void)a, (void)detail;
    return closed(0);
}

PRICE(base)
{
    (void)a, (void)detail;
    return closed(c->syscall_base_cost);
}

PRICE(log)
{
    (void)detail;
    return closed(larger(c->syscall_base_cost, a->r[2]));
}

PRICE(log_64)
{
    (void)a, (void)detail;
    return closed(c->log_64_units);
}

PRICE(log_pubkey)
{
    (void)a, (void)detail;
    return closed(c->log_pubkey_units);
}

PRICE(log_data)
{
    uint64_t count = a->r[2], units = toll_sbf_times(c->syscall_base_cost, toll_sbf_add(1, count));
    (void)detail;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t size;
        if (i == MOST_SLICES || !slice_size(a, i, &size))
            return open_from(units);
        units = toll_sbf_add(units, size);
    }
    return closed(units);
}

PRICE(panic)
{
    (void)c, (void)detail;
    return closed(a->r[2]);
}

PRICE(memory)
{
    (void)detail;
    return closed(larger(c->mem_op_base_cost, by_bytes(c, a->r[3])));
}

PRICE(sysvar)
{
    (void)a;
    return closed(toll_sbf_add(c->sysvar_base_cost, detail));
}

PRICE(get_sysvar)
{
    uint64_t id = c->cpi_bytes_per_unit ? KEY_SIZE / c->cpi_bytes_per_unit : 0;
    uint64_t data = c->cpi_bytes_per_unit ? a->r[4] / c->cpi_bytes_per_unit : 0;
    (void)detail;
    return closed(
        toll_sbf_add(c->sysvar_base_cost, toll_sbf_add(id, larger(data, c->mem_op_base_cost))));
}

PRICE(stake)
{
    (void)detail;
    if (a->r[1] == 0)
        return closed(c->syscall_base_cost);
    return closed(toll_sbf_add(c->syscall_base_cost,
                               toll_sbf_add(by_bytes(c, KEY_SIZE), c->mem_op_base_cost)));
}

PRICE(set_data)
{
    (void)detail;
    return closed(toll_sbf_add(by_bytes(c, a->r[2]), c->syscall_base_cost));
}

/* The result is how much data there is. */
PRICE(get_data)
{
    uint64_t size = a->r[2] < a->r[0] ? a->r[2] : a->r[0];
    (void)detail;
    if (!a->has_returned)
        return open_from(c->syscall_base_cost);
    return closed(toll_sbf_add(c->syscall_base_cost, size ? by_bytes(c, size + KEY_SIZE) : 0));
}

/* --- addresses, hashes -------------------------------------------------------------------------*/

PRICE(create)
{
    (void)a, (void)detail;
    return closed(c->create_program_address_units);
}

uint64_t toll_sbf_price_of_bump(const toll_sbf_costs *c, uint8_t bump)
{
    return toll_sbf_times(c->create_program_address_units, UINT64_C(256) - bump);
}

/* Each bump that is tried costs the same; the last one is in memory. */
PRICE(find)
{
    (void)detail;
    if (a->has_returned && a->r[0] != 0) /* none of 255 was good */
        return closed(toll_sbf_price_of_bump(c, 0));
    return open_from(c->create_program_address_units);
}

PRICE(hash)
{
    uint64_t count = a->r[2], units = c->sha256_base_cost;
    (void)detail;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t size;
        if (i == MOST_SLICES || !slice_size(a, i, &size))
            return open_from(toll_sbf_add(units, toll_sbf_times(c->mem_op_base_cost, count - i)));
        units = toll_sbf_add(
            units, larger(c->mem_op_base_cost, toll_sbf_times(c->sha256_byte_cost, size / 2)));
    }
    return closed(units);
}

PRICE(poseidon)
{
    (void)detail;
    return closed(toll_sbf_add(
        toll_sbf_times(c->poseidon_cost_coefficient_a, toll_sbf_times(a->r[4], a->r[4])),
        c->poseidon_cost_coefficient_c));
}

PRICE(recover)
{
    (void)a, (void)detail;
    return closed(c->secp256k1_recover_cost);
}

/* --- big numbers -------------------------------------------------------------------------------*/

/* How much work it is to multiply numbers of that many bytes, which are at most 512. */
static uint64_t multiplication(uint64_t bytes)
{
    return bytes <= 64 ? bytes * bytes : bytes * bytes / 4 + 96 * bytes - 3072;
}

/* The bytes of the exponent, lowest first, are read from the highest: *bits is the number of the
 * highest bit that is set (0: none is), of the upper 32 bytes, plus 8 for each byte below those.
 * *is_one: the exponent is 1. False: a byte is not known. */
static bool exponent_bits(const toll_sbf_args *a, uint64_t at, uint64_t size, uint64_t *bits,
                          bool *is_one)
{
    uint64_t below = size > 32 ? size - 32 : 0;
    *bits = 0;
    *is_one = size > 0;
    for (uint64_t i = size; i-- > 0;) {
        uint64_t word, shift = 8 * ((at + i) & 7);
        if (!read_at(a, (at + i) & ~UINT64_C(7), &word))
            return false;
        unsigned byte = word >> shift & 255;
        *is_one &= byte == (i == 0);
        for (unsigned bit = 8; i >= below && *bits == 0 && bit-- > 0;)
            if (byte >> bit & 1)
                *bits = (i - below) * 8 + bit;
    }
    *bits += below * 8;
    return true;
}

/* As of agave 4.3; earlier runtimes have another formula, and then the price stays open. */
PRICE(mod_exp)
{
    enum { MOST = 512, LEAST_BITS = 75, REDUCTION = 15 };
    uint64_t base, exponent, exponent_size, modulus, bits;
    uint64_t divisor = c->big_modular_exponentiation_cost_divisor;
    bool is_one;
    (void)detail;
    if (!read_at(a, a->r[1] + 8, &base) || !read_at(a, a->r[1] + 16, &exponent) ||
        !read_at(a, a->r[1] + 24, &exponent_size) || !read_at(a, a->r[1] + 40, &modulus) ||
        base > MOST || exponent_size > MOST || modulus > MOST || divisor == 0 ||
        !exponent_bits(a, exponent, exponent_size, &bits, &is_one))
        return open_from(c->big_modular_exponentiation_base_cost);
    uint64_t work = multiplication(larger(base, modulus)) * (is_one              ? REDUCTION
                                                             : bits > LEAST_BITS ? bits
                                                                                 : LEAST_BITS);
    return closed(toll_sbf_add(c->big_modular_exponentiation_base_cost,
                               work / divisor + (work % divisor != 0)));
}

/* --- curves ------------------------------------------------------------------------------------*/

enum {
    EDWARDS = 0,
    RISTRETTO = 1,
    BLS = 4,
    BLS_G1 = 5,
    BLS_G2 = 6,
    BIG_ENDIAN_FLAG = 0x80 /* of BLS's curves; of BN128's operations the little-endian one */
};

/* A price of each curve. */
typedef struct curve_prices {
    uint64_t edwards, ristretto, g1, g2;
} curve_prices;

/* Of curves that are not known, calls return an error or fail, for nothing. */
static toll_sbf_price by_curve(uint64_t curve, const curve_prices *prices)
{
    switch (curve) {
    case EDWARDS: return closed(prices->edwards);
    case RISTRETTO: return closed(prices->ristretto);
    case BLS_G1:
    case BLS_G1 | BIG_ENDIAN_FLAG: return closed(prices->g1);
    case BLS_G2:
    case BLS_G2 | BIG_ENDIAN_FLAG: return closed(prices->g2);
    default: return closed(0);
    }
}

PRICE(point)
{
    const curve_prices prices = { c->curve25519_edwards_validate_point_cost,
                                  c->curve25519_ristretto_validate_point_cost,
                                  c->bls12_381_g1_validate_cost, c->bls12_381_g2_validate_cost };
    (void)detail;
    return by_curve(a->r[1], &prices);
}

PRICE(group)
{
    const curve_prices prices[] = {
        { c->curve25519_edwards_add_cost, c->curve25519_ristretto_add_cost,
          c->bls12_381_g1_add_cost, c->bls12_381_g2_add_cost },
        { c->curve25519_edwards_subtract_cost, c->curve25519_ristretto_subtract_cost,
          c->bls12_381_g1_subtract_cost, c->bls12_381_g2_subtract_cost },
        { c->curve25519_edwards_multiply_cost, c->curve25519_ristretto_multiply_cost,
          c->bls12_381_g1_multiply_cost, c->bls12_381_g2_multiply_cost },
    };
    (void)detail;
    return a->r[2] < sizeof prices / sizeof *prices ? by_curve(a->r[1], &prices[a->r[2]])
                                                    : closed(0);
}

PRICE(multiply)
{
    const curve_prices prices = { for_each(c->curve25519_edwards_msm_base_cost,
                                           c->curve25519_edwards_msm_incremental_cost, a->r[4]),
                                  for_each(c->curve25519_ristretto_msm_base_cost,
                                           c->curve25519_ristretto_msm_incremental_cost, a->r[4]),
                                  0, 0 };
    (void)detail;
    return by_curve(a->r[1], &prices);
}

PRICE(decompress)
{
    const curve_prices prices = { 0, 0, c->bls12_381_g1_decompress_cost,
                                  c->bls12_381_g2_decompress_cost };
    (void)detail;
    return by_curve(a->r[1], &prices);
}

PRICE(pairing)
{
    (void)detail;
    if ((a->r[1] & ~(uint64_t)BIG_ENDIAN_FLAG) != BLS)
        return closed(0);
    return closed(for_each(c->bls12_381_one_pair_cost, c->bls12_381_additional_pair_cost, a->r[2]));
}

PRICE(bn128)
{
    enum { G1_ADD = 0, G1_MULTIPLY = 2, PAIRING = 3, G2_ADD = 4, G2_MULTIPLY = 6 };
    enum { PAIR_SIZE = 192, RESULT_SIZE = 32 };
    uint64_t size = a->r[3];
    (void)detail;
    switch (a->r[1] & ~(uint64_t)BIG_ENDIAN_FLAG) {
    case G1_ADD: return closed(c->alt_bn128_g1_addition_cost);
    case G1_MULTIPLY: return closed(c->alt_bn128_g1_multiplication_cost);
    case G2_ADD: return closed(c->alt_bn128_g2_addition_cost);
    case G2_MULTIPLY: return closed(c->alt_bn128_g2_multiplication_cost);
    case PAIRING:
        return closed(
            toll_sbf_add(for_each(c->alt_bn128_pairing_one_pair_cost_first,
                                  c->alt_bn128_pairing_one_pair_cost_other, size / PAIR_SIZE),
                         toll_sbf_add(c->sha256_base_cost, toll_sbf_add(size, RESULT_SIZE))));
    default: return closed(0);
    }
}

/* Compression and decompression. */
PRICE(bn128_size)
{
    const uint64_t prices[] = { c->alt_bn128_g1_compress, c->alt_bn128_g1_decompress,
                                c->alt_bn128_g2_compress, c->alt_bn128_g2_decompress };
    uint64_t op = a->r[1] & ~(uint64_t)BIG_ENDIAN_FLAG;
    (void)detail;
    return closed(op < sizeof prices / sizeof *prices ? c->syscall_base_cost + prices[op] : 0);
}

/* --- other programs ----------------------------------------------------------------------------*/

/* Without what the callee consumes. The data of the accounts that are passed cost something, too,
 * which is in no register. */
PRICE(invoke)
{
    bool is_rust = detail;
    uint64_t accounts, data;
    uint64_t units =
        toll_sbf_add(c->invoke_units, by_bytes(c, toll_sbf_times(a->r[3], ACCOUNT_INFO_SIZE)));
    if (read_at(a, a->r[1] + 16, &accounts))
        units = toll_sbf_add(units, by_bytes(c, toll_sbf_times(accounts, ACCOUNT_META_SIZE)));
    if (read_at(a, a->r[1] + (is_rust ? 40 : 32), &data))
        units = toll_sbf_add(units, by_bytes(c, data));
    return open_from(units);
}
