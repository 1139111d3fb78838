/* sbf_price_crypto.c - the formulas by which agave computes prices of hashes, signatures, big
 * numbers and operations on curves. See sbf_price.h. */
#include "sbf/sbf_price_parts.h"

/* --- hashes, signatures ------------------------------------------------------------------------*/

TOLL_SBF_PRICE(hash)
{
    uint64_t count = a->r[2], units = c->sha256_base_cost;
    (void)detail;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t size;
        if (i == TOLL_SBF_MOST_SLICES || !toll_sbf_slice_size(a, i, &size))
            return toll_sbf_open_from(
                toll_sbf_add(units, toll_sbf_times(c->mem_op_base_cost, count - i)));
        units = toll_sbf_add(units, toll_sbf_larger(c->mem_op_base_cost,
                                                    toll_sbf_times(c->sha256_byte_cost, size / 2)));
    }
    return toll_sbf_closed(units);
}

TOLL_SBF_PRICE(poseidon)
{
    (void)detail;
    return toll_sbf_closed(toll_sbf_add(
        toll_sbf_times(c->poseidon_cost_coefficient_a, toll_sbf_times(a->r[4], a->r[4])),
        c->poseidon_cost_coefficient_c));
}

TOLL_SBF_PRICE(recover)
{
    (void)a, (void)detail;
    return toll_sbf_closed(c->secp256k1_recover_cost);
}

/* --- big numbers -------------------------------------------------------------------------------*/

/* The work of multiplying numbers of so many bytes, at most 512. */
static uint64_t multiplication(uint64_t bytes)
{
    return bytes <= 64 ? bytes * bytes : bytes * bytes / 4 + 96 * bytes - 3072;
}

/* Measure the exponent, whose bytes are stored lowest first. *bits: the number of its highest set
 * bit (0: none) within the upper 32 bytes, plus 8 for each lower byte. *is_one: the exponent is 1.
 * False: a byte is not known. */
static bool exponent_bits(const toll_sbf_args *a, uint64_t at, uint64_t size, uint64_t *bits,
                          bool *is_one)
{
    uint64_t below = size > 32 ? size - 32 : 0;
    *bits = 0;
    *is_one = size > 0;
    for (uint64_t i = size; i-- > 0;) {
        uint64_t word, shift = 8 * ((at + i) & 7);
        if (!toll_sbf_read_at(a, (at + i) & ~UINT64_C(7), &word))
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

/* The formula of agave 4.3. Earlier runtimes have another one; for them the price stays open. */
TOLL_SBF_PRICE(mod_exp)
{
    enum { MOST = 512, LEAST_BITS = 75, REDUCTION = 15 };
    uint64_t base, exponent, exponent_size, modulus, bits;
    uint64_t divisor = c->big_modular_exponentiation_cost_divisor;
    bool is_one;
    (void)detail;
    if (!toll_sbf_read_at(a, a->r[1] + 8, &base) || !toll_sbf_read_at(a, a->r[1] + 16, &exponent) ||
        !toll_sbf_read_at(a, a->r[1] + 24, &exponent_size) ||
        !toll_sbf_read_at(a, a->r[1] + 40, &modulus) || base > MOST || exponent_size > MOST ||
        modulus > MOST || divisor == 0 ||
        !exponent_bits(a, exponent, exponent_size, &bits, &is_one))
        return toll_sbf_open_from(c->big_modular_exponentiation_base_cost);
    uint64_t work =
        multiplication(toll_sbf_larger(base, modulus)) * (is_one              ? REDUCTION
                                                          : bits > LEAST_BITS ? bits
                                                                              : LEAST_BITS);
    return toll_sbf_closed(toll_sbf_add(c->big_modular_exponentiation_base_cost,
                                        work / divisor + (work % divisor != 0)));
}

/* --- curves ------------------------------------------------------------------------------------*/

enum {
    EDWARDS = 0,
    RISTRETTO = 1,
    BLS = 4,
    BLS_G1 = 5,
    BLS_G2 = 6,
    BIG_ENDIAN_FLAG = 0x80 /* for BLS's curves; for BN128's operations the flag means
                            * little-endian */
};

/* One price for each curve. */
typedef struct curve_prices {
    uint64_t edwards, ristretto, g1, g2;
} curve_prices;

/* The price by curve. For an unknown curve, the call returns an error or fails, and costs
 * nothing. */
static toll_sbf_price by_curve(uint64_t curve, const curve_prices *prices)
{
    switch (curve) {
    case EDWARDS: return toll_sbf_closed(prices->edwards);
    case RISTRETTO: return toll_sbf_closed(prices->ristretto);
    case BLS_G1:
    case BLS_G1 | BIG_ENDIAN_FLAG: return toll_sbf_closed(prices->g1);
    case BLS_G2:
    case BLS_G2 | BIG_ENDIAN_FLAG: return toll_sbf_closed(prices->g2);
    default: return toll_sbf_closed(0);
    }
}

/* `first` for one, plus `more` for each further one. */
static uint64_t for_each(uint64_t first, uint64_t more, uint64_t count)
{
    return toll_sbf_add(first, toll_sbf_times(more, count ? count - 1 : 0));
}

TOLL_SBF_PRICE(point)
{
    const curve_prices prices = { c->curve25519_edwards_validate_point_cost,
                                  c->curve25519_ristretto_validate_point_cost,
                                  c->bls12_381_g1_validate_cost, c->bls12_381_g2_validate_cost };
    (void)detail;
    return by_curve(a->r[1], &prices);
}

TOLL_SBF_PRICE(group)
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
                                                    : toll_sbf_closed(0);
}

TOLL_SBF_PRICE(multiply)
{
    const curve_prices prices = { for_each(c->curve25519_edwards_msm_base_cost,
                                           c->curve25519_edwards_msm_incremental_cost, a->r[4]),
                                  for_each(c->curve25519_ristretto_msm_base_cost,
                                           c->curve25519_ristretto_msm_incremental_cost, a->r[4]),
                                  0, 0 };
    (void)detail;
    return by_curve(a->r[1], &prices);
}

TOLL_SBF_PRICE(decompress)
{
    const curve_prices prices = { 0, 0, c->bls12_381_g1_decompress_cost,
                                  c->bls12_381_g2_decompress_cost };
    (void)detail;
    return by_curve(a->r[1], &prices);
}

TOLL_SBF_PRICE(pairing)
{
    (void)detail;
    if ((a->r[1] & ~(uint64_t)BIG_ENDIAN_FLAG) != BLS)
        return toll_sbf_closed(0);
    return toll_sbf_closed(
        for_each(c->bls12_381_one_pair_cost, c->bls12_381_additional_pair_cost, a->r[2]));
}

TOLL_SBF_PRICE(bn128)
{
    enum { G1_ADD = 0, G1_MULTIPLY = 2, PAIRING = 3, G2_ADD = 4, G2_MULTIPLY = 6 };
    enum { PAIR_SIZE = 192, RESULT_SIZE = 32 };
    uint64_t size = a->r[3];
    (void)detail;
    switch (a->r[1] & ~(uint64_t)BIG_ENDIAN_FLAG) {
    case G1_ADD: return toll_sbf_closed(c->alt_bn128_g1_addition_cost);
    case G1_MULTIPLY: return toll_sbf_closed(c->alt_bn128_g1_multiplication_cost);
    case G2_ADD: return toll_sbf_closed(c->alt_bn128_g2_addition_cost);
    case G2_MULTIPLY: return toll_sbf_closed(c->alt_bn128_g2_multiplication_cost);
    case PAIRING:
        return toll_sbf_closed(
            toll_sbf_add(for_each(c->alt_bn128_pairing_one_pair_cost_first,
                                  c->alt_bn128_pairing_one_pair_cost_other, size / PAIR_SIZE),
                         toll_sbf_add(c->sha256_base_cost, toll_sbf_add(size, RESULT_SIZE))));
    default: return toll_sbf_closed(0);
    }
}

/* Compression and decompression. */
TOLL_SBF_PRICE(bn128_size)
{
    const uint64_t prices[] = { c->alt_bn128_g1_compress, c->alt_bn128_g1_decompress,
                                c->alt_bn128_g2_compress, c->alt_bn128_g2_decompress };
    uint64_t op = a->r[1] & ~(uint64_t)BIG_ENDIAN_FLAG;
    (void)detail;
    return toll_sbf_closed(op < sizeof prices / sizeof *prices ? c->syscall_base_cost + prices[op]
                                                               : 0);
}
